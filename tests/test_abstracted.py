"""An agent of a game's action abstraction at tables of all moves plays what its choice means."""

import pickle
import warnings

import numpy as np
import pytest
from test_search import decisions, join, positions_of

from lomber.agents.registry import load_agent
from lomber.envs import GAMES, make_game
from lomber.envs.engine.jit import COMPILED
from lomber.training.evaluate import evaluate

WORLDS = 4 if COMPILED else 1
AGENTS = [("bouillotte", f"bouillotte/search:worlds={WORLDS}"), ("brelan", f"brelan/search:worlds={WORLDS}")]
AGENTS.append(("bouillotte", "bouillotte/ppo"))


def load(name, game):
    if name.endswith("/ppo"):
        pytest.importorskip("onnxruntime")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # learnt on other options
        return load_agent(name, game, 3)


def test_only_bouillotte_and_brelan_have_an_abstraction():
    found = {name: make_game(name).abstracted for name in GAMES}
    assert {name for name, fewer in found.items() if fewer} == {"bouillotte", "brelan"}
    game = make_game("brelan", cave=30, players=3)
    assert game.abstracted == make_game("brelan", cave=30, players=3, action_abstraction="ladder")
    assert game.abstracted.abstracted is None and game.abstracted.num_actions == 15


@pytest.mark.parametrize(("name", "kind"), AGENTS)
def test_it_plays_what_the_choice_of_the_ladder_means(name, kind):
    staked = set()
    for seed in range(6 if COMPILED else 12):
        game, found = decisions(name, seed, episode="deal")
        agent, within = load(kind, game), load(kind, game.abstracted)
        assert agent.name == within.name and type(agent) is not type(within)
        for key, state in enumerate(found):
            asked, fewer = positions_of(game, state, key), positions_of(game.abstracted, state, key)
            (action,), (choice,) = agent.act(asked), within.act(fewer)
            assert (
                asked.action_mask[0, action]
                and game.actions[action] == game.spec.actions[int(game.abstracted.meant(state, choice)[0])]
            )
            told, wanted = agent.consider(asked), within.consider(fewer)
            assert (told.action, told.rated, told.details) == (action, wanted.rated, wanted.details)
            rated = np.flatnonzero(~np.isnan(told.ratings))
            legal = np.flatnonzero(fewer.action_mask[0])
            meant = [int(game.abstracted.meant(state, one)[0]) for one in legal]
            assert dict(zip(meant, wanted.ratings[legal], strict=True)) == {a: told.ratings[a] for a in rated}
            staked.add(int(action))
    assert len(staked) > 2


@pytest.mark.parametrize(("name", "kind"), AGENTS[:2])
def test_its_search_tells_what_the_choices_come_to(name, kind):
    game, found = decisions(name, 2, episode="deal")
    agent, within = load(kind, game), load(kind, game.abstracted)
    asked, fewer = positions_of(game, join(found), 1), positions_of(game.abstracted, join(found), 1)
    for row, (told, wanted) in enumerate(zip(agent.search(asked), within.search(fewer), strict=True)):
        state = found[row]
        meant = {
            int(game.abstracted.meant(state, one)[0]): wanted.values[one] for one in np.flatnonzero(fewer.action_mask[row])
        }
        assert meant == {int(a): told.values[a] for a in np.flatnonzero(~np.isnan(told.values))}
        assert told.chosen == game.abstracted.meant(state, wanted.chosen)[0] and told.worlds == wanted.worlds
    assert not hasattr(load("bouillotte/heuristic", make_game("bouillotte")), "search")


def test_its_probabilities_are_those_of_the_choices_at_the_actions_that_they_mean():
    game, found = decisions("bouillotte", 4, episode="coup")
    agent, within = load("bouillotte/ppo", game), load("bouillotte/ppo", game.abstracted)
    asked = positions_of(game, join(found), 1)
    fewer = positions_of(game.abstracted, join(found), 1)
    told, wanted = agent.probabilities(asked), within.probabilities(fewer)
    assert told.shape == (len(found), game.num_actions) and not told[asked.action_mask == 0].any()
    np.testing.assert_allclose(told.sum(axis=1), 1, atol=1e-6)
    for row, state in enumerate(found):
        for choice in np.flatnonzero(fewer.action_mask[row]):
            assert told[row, game.abstracted.meant(state, choice)[0]] == wanted[row, choice]
    assert not hasattr(load(f"bouillotte/search:worlds={WORLDS}", game), "probabilities")


@pytest.mark.parametrize(("name", "kind"), AGENTS)
def test_it_can_be_copied_and_seated(name, kind):
    game = make_game(name, episode="coup")
    agent = load(kind, game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        copied = pickle.loads(pickle.dumps(agent))
    (asked,) = (positions_of(game, game.begin(5)),)
    assert copied.act(asked) == agent.act(asked) and repr(copied) == repr(agent)
    result = evaluate(game, agent, load_agent("random", game), 3, 1)
    again = evaluate(game, copied, load_agent("random", game), 3, 1, batch=2)
    assert result.mean == again.mean
