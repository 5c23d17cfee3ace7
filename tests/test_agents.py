"""Agents by name, and keys that make their play the same in any batch, order and process."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from conftest import TOYS, episodes

import lomber.envs
from lomber.agents import registry
from lomber.agents.advice import position_of
from lomber.agents.base import Positions, decide
from lomber.agents.keys import Decisions
from lomber.agents.random import RandomAgent
from lomber.envs import LomberError, Tables, UnknownName
from lomber.envs.engine.jit import COMPILED
from lomber.envs.faces.opponents import load_opponents
from lomber.training.evaluate import evaluate

MODULES = {**lomber.envs.GAMES, **TOYS}
pytestmark = pytest.mark.usefixtures("toys")


def positions_of(masks, keys):
    n = len(keys)
    return Positions(np.zeros((n, 1), np.float32), masks, np.zeros(n, np.int64), np.asarray(keys, np.uint64))


def self_play(game, ids, batch, order=1, seed=3, agent_seed=5):
    """The actions of random self-play in each episode, as the driver's batches have it."""
    agent, told = RandomAgent(agent_seed), {i: [] for i in ids}
    for first in range(0, len(ids), batch):
        chunk = list(ids[first : first + batch])[::order]
        tables = Tables(game, len(chunk), 1, autoreset=False)
        tables.reset(ids=chunk)
        decisions = Decisions(tables, seed)
        while (tables.seat >= 0).any():
            rows = np.flatnonzero(tables.seat >= 0)[::order]
            actions = decide(agent, tables, np.ascontiguousarray(rows), decisions)
            for row, action in zip(rows, actions, strict=True):
                told[chunk[row]].append(int(action))
            tables.step(actions, rows)
    return told


@pytest.mark.parametrize("name", MODULES)
def test_play_does_not_depend_on_batch_or_order(name):
    game = lomber.envs.make_game(name, episode=episodes(name)[1])
    ids = range(6 if COMPILED else 2)
    base = self_play(game, ids, 1)
    assert base == self_play(game, ids, 4) == self_play(game, ids, 6, -1)
    assert base != self_play(game, ids, 6, seed=4) and base != self_play(game, ids, 6, agent_seed=6)


def test_play_does_not_depend_on_the_process():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import lomber.envs, test_agents;"
        "print(test_agents.self_play(lomber.envs.make_game('piquet'), range(2), 2))"
    )
    folder = str(__import__("pathlib").Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert done.stdout.strip() == str(self_play(lomber.envs.make_game("piquet"), range(2), 1)), done.stderr


def test_every_decision_has_its_own_key(solo):
    tables, seen = Tables(solo, 8, 1, autoreset=False), []
    tables.reset()
    decisions = Decisions(tables, 1)
    while (tables.seat >= 0).any():
        rows = np.flatnonzero(tables.seat >= 0)
        keys = decisions.keys(tables, rows, 0)
        seen += keys.tolist()
        tables.step(RandomAgent().act(positions_of(tables.action_mask[rows], keys)), rows)
    assert len(set(seen)) == len(seen) > 40


def test_keys_say_nothing_of_the_cards(solo):
    one, two = (Tables(solo, 1, seed, autoreset=False) for seed in (1, 2))
    rows = np.zeros(1, np.int64)
    for tables in (one, two):
        tables.reset(ids=[4])
    assert Decisions(one, 9).keys(one, rows, 0) == Decisions(two, 9).keys(two, rows, 0) or one.seat[0] != two.seat[0]


def test_a_decision_forgotten_is_counted_anew(solo):
    tables, rows = Tables(solo, 1, 1, autoreset=False), np.zeros(1, np.int64)
    tables.reset()
    decisions = Decisions(tables, 1)
    first, second = decisions.keys(tables, rows, 0), decisions.keys(tables, rows, 0)
    decisions.forget(rows)
    assert first != second and decisions.keys(tables, rows, 0) == first


def test_the_random_agent_plays_every_legal_action_alike():
    masks = np.zeros((6000, 20), np.int8)
    masks[:, [2, 5, 19]] = 1
    keys = np.random.default_rng(1).integers(0, 2**64, 6000, np.uint64)
    counts = Counter(RandomAgent().act(positions_of(masks, keys)).tolist())
    assert set(counts) == {2, 5, 19} and all(abs(count - 2000) < 200 for count in counts.values())


def test_unknown_agents_name_the_nearest(solo):
    assert isinstance(registry.load_agent("random", solo, 3), RandomAgent) and registry.load_agent("random", solo, 3).seed == 3
    with pytest.raises(UnknownName, match="did you mean random"):
        registry.load_agent("randm", solo)
    for given in (None, 3, b"random", RandomAgent()):
        with pytest.raises(LomberError, match="an agent is given by its name"):
            registry.load_agent(given, solo)


OTHERS = [
    ("ombre/heuristic", {}, "rocambole"), ("bouillotte/heuristic", {}, "brelan"), ("piquet/search", {}, "ombre"),
    ("piquet/heuristic", {"preset": "cent"}, "piquet"), ("bouillotte/rock", {"preset": "bouillotte3"}, "bouillotte"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "other"), OTHERS)
def test_an_agent_made_for_another_game_or_other_options_sits_nowhere(name, options, other):
    """States of ombre and rocambole, or of two presets, are as large: their bytes alone do not tell them apart."""
    agent = registry.load_agent(name, lomber.envs.make_game(name.partition("/")[0], **options))
    game = lomber.envs.make_game(other)
    tables = Tables(game, 2, 1)
    tables.reset()
    rows = np.arange(2)
    words = f"{name} was made for .*, and cannot play .*'{other}'"
    with pytest.raises(LomberError, match=words):
        decide(agent, tables, rows, Decisions(tables, 1))
    with pytest.raises(LomberError, match=words):
        load_opponents(agent, game)
    with pytest.raises(LomberError, match=words):
        evaluate(game, registry.load_agent("random", game), agent, 2)


@pytest.mark.parametrize(
    ("give", "words"),
    [
        (lambda n: None, r"object \(\), not an integer for each of"), (lambda n: [None] * n, "object"),
        (lambda n: np.zeros((n, 1), np.int64), r", 1\), not an integer"), (lambda n: np.zeros(n), "float64"),
        (lambda n: np.zeros(n + 1, np.int64), "not an integer for each of"),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_action_is_told_with_the_agents_name(give, words):
    game, agent = lomber.envs.make_game("piquet"), RandomAgent()
    agent.name, agent.act = "mine", lambda positions: give(len(positions))
    with pytest.raises(LomberError, match=f"mine gives .*{words}"):
        evaluate(game, registry.load_agent("random", game), agent, 2)
    with pytest.raises(LomberError, match=f"mine gives .*{words}"):
        for seat in (0, 1):  # one of them is not the first to act
            gymnasium.make("lomber/Piquet-v0", opponents=agent, seat=seat).reset(seed=1)


@pytest.mark.parametrize("name", ["ombre/heuristic", "ombre/search:worlds=1", "ombre/ppo"])
def test_positions_of_another_game_are_refused_with_what_differs(name):
    if name == "ombre/ppo":
        pytest.importorskip("onnxruntime")
    agent, games = registry.load_agent(name, lomber.envs.make_game("ombre")), {}
    for other in ("ombre", "piquet"):
        game = lomber.envs.make_game(other)
        states = game.begin(1)
        games[other] = position_of(game, game.hide(states, states["seat"]), 1)
    own, other = games["ombre"], games["piquet"]
    assert own.action_mask[0, agent.act(own)[0]]
    with pytest.raises(LomberError, match="another game|of ombre_v0, not"):
        agent.act(other)
    with pytest.raises(LomberError, match=r"\(1, 58\), not|\(1, 59\) of ombre_v0, not \(1, 58\)"):
        agent.act(replace(own, action_mask=own.action_mask[:, :-1].copy()))
    if not agent.wants_view:
        for width in (1, own.observation.shape[1] - 1):  # one column numpy would stretch over all
            with pytest.raises(LomberError, match=r"takes observations \(1, 586\) of ombre_v0, not"):
                agent.act(replace(own, observation=own.observation[:, :width].copy()))
