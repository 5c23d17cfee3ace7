"""Bouillotte with the ladder of stakes: the laws hold, records tell exact stakes, every face has fifteen actions."""

import gymnasium
import laws
import numpy as np
import pytest

import lomber.envs
from lomber.envs import IllegalAction, Tables, make_game
from lomber.envs.bouillotte.actions import LADDER
from lomber.envs.bouillotte_v0 import raw_env
from lomber.envs.engine import records
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.state import RUNNING

GAMES = [("bouillotte", "bouillotte4", "coup"), ("bouillotte", "pagat", "deal"), ("brelan", "brelan3", "session")]
MOST = {1: 12, 2: 6, 3: 8, 6: 8, 7: 6}


@pytest.mark.parametrize("law", laws.LAWS)
@pytest.mark.parametrize(("name", "preset", "episode"), GAMES)
def test_law(name, preset, episode, law):
    game = make_game(name, preset, episode=episode, session_deals=4, action_abstraction="ladder")
    laws.LAWS[law](game, range(5 if COMPILED else 2), **({"most": MOST[law] if COMPILED else 3} if law in MOST else {}))


def test_records_tell_stakes():
    game = make_game("bouillotte", action_abstraction="ladder")
    states = game.deal(game.deck().tolist(), {"dealer": 3})
    for choice in ("NO_CARRE", "STAKE_FICHE", "VA_TOUT"):
        game.advance(states, [choice])
    record = records.record_of(game, states)
    assert [name for _, name in record.moves] == ["NO_CARRE", "STAKE_TO 5", "STAKE_TO 30"]
    assert records.replay(records.parse(str(record))).tobytes() == states.tobytes()
    exact = make_game("bouillotte")
    assert records.record_of(exact, states).moves == record.moves


def test_a_stake_that_no_rung_means_is_refused():
    game = make_game("bouillotte", action_abstraction="ladder")
    states = game.deal(game.deck().tolist(), {"dealer": 3})
    game.advance(states, ["NO_CARRE"])
    assert game.legal_names(states) == ("PASS", *(rung for rung in LADDER[7:] if rung != "STAKE_HALF_POT"))
    with pytest.raises(IllegalAction, match="cannot play STAKE_TO 7 .*: it is no stake of its own among the rungs"):
        game.choice_of(states, game.move_id("STAKE_TO 7"))
    with pytest.raises(IllegalAction, match="cannot play STAKE_HALF_POT .*: it is no stake of its own among the rungs"):
        game.advance(states, ["STAKE_HALF_POT"])


def test_every_face_has_fifteen_actions():
    tables = Tables(make_game("bouillotte", action_abstraction="ladder"), 4)
    tables.reset()
    assert tables.action_mask.shape == (4, 15)
    env = raw_env(action_abstraction="ladder")
    env.reset(seed=1)
    assert env.action_space("player_0").n == 15
    rng = np.random.default_rng(0)
    while env.agents:
        observation, *_, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(rng.choice(legal)) if len(legal) else None)
    single = gymnasium.make("lomber/Bouillotte-v0", action_abstraction="ladder", opponents="random")
    _, info = single.reset(seed=1)
    assert single.action_space.n == 15 == len(info["action_mask"])
    vector = gymnasium.make_vec("lomber/Bouillotte-v0", num_envs=3, action_abstraction="ladder")
    assert vector.single_action_space.n == 15
    single.close()
    vector.close()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_tables_of_every_number_of_seats(seats):
    game = make_game("bouillotte", players=seats, ranks="AKQJT9", action_abstraction="ladder")
    tables = Tables(game, 8, autoreset=False)
    tables.reset()
    rng, total = np.random.default_rng(1), np.zeros((8, seats))
    while (rows := np.flatnonzero(tables.seat >= 0)).size:
        tables.step([int(rng.choice(np.flatnonzero(tables.action_mask[row]))) for row in rows], rows)
        total[rows] += tables.reward[rows]
    assert (total.sum(axis=1) == 0).all() and (tables.final["stage"] != RUNNING).all()
    assert set(lomber.envs.GAMES) >= {"bouillotte", "brelan"}
