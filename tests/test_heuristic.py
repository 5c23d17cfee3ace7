"""Rule-based players: probabilities over legal actions, by the view alone, the same in any batch, interpreted too; strong."""

import hashlib
import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lomber.agents import heuristic
from lomber.agents.base import Positions, decide
from lomber.agents.heuristic import HEURISTICS, HeuristicAgent
from lomber.agents.keys import Decisions
from lomber.agents.random import RandomAgent
from lomber.agents.registry import load_agent
from lomber.envs import LomberError, Tables, make_game
from lomber.envs.bouillotte import state as bouillotte
from lomber.envs.engine.jit import COMPILED, bind, jit
from lomber.envs.ombre import state as ombre
from lomber.envs.piquet import state as piquet
from lomber.training.evaluate import evaluate


def game_of(name, preset=None, **options):
    """The game that an agent plays."""
    return make_game(name.partition("/")[0], preset, **options)


GAMES = [(name, preset) for name in HEURISTICS for preset in game_of(name).spec.presets]
TABLES = 100 if COMPILED else 1
# Options that no preset has, so that each rule is met both ways.
_ODD = [
    ("piquet", {"declaration_mode": "auto", "younger_exchange": "0-rest"}),
    (
        "piquet",
        {"point_min_len": 5, "understate_sets": False, "carte_blanche_when": "final", "point_counter": "at_once"},
    ),
    ("piquet", {"preset": "salon", "play_count": "lead_and_trick", "elder_exchange": "0,3-5", "open_capot_fail": 0}),
    ("piquet", {"preset": "cent", "younger_exchange": "0,3-5", "elder_exchange": "1-rest", "repique_at": 20, "pique_at": 20}),
    ("ombre", {"auction": "one_round", "all_pass": "casco_then_spadille", "casco_lesser_keep": "any", "paid_pass": 2}),
    ("ombre", {"preset": "french", "all_pass": "casco", "bids": "V,S", "bete_rule": "fixed", "bete_fixed": 5}),
    ("ombre", {"preset": "espadille_force", "bids": "S", "second_leave_min": 9, "min_exchange_ombre": 1, "start_pot": 200}),
    ("ombre", {"preset": "tresillo", "surrender": "before_trick2_covered", "ante_mode": "all_every_deal", "ante": 0}),
    ("ombre", {"defenders_exchange": False, "talon_rest": "last_may_show", "start_pot": 900, "bete_cap": 9}),
    ("bouillotte", {"players": 5, "ranks": "AKQJT987", "action_abstraction": "ladder", "carre_mode": "forced_first"}),
    ("bouillotte", {"preset": "pagat", "point_rule": "own_hand", "passe_parole": False, "max_raises": 1, "raise_min": 7}),
    ("bouillotte", {"players": 3, "ranks": "AK98", "favori_rule": "pair_retourne", "pass_fee": 2, "raise_fee": 3}),
    ("bouillotte", {"cave": 2, "stake_cap": 1, "players": 3, "ranks": "A98", "brelan_enabled": False, "carre_max": 0}),
    ("brelan", {"preset": "brelan2", "carre_mode": "optional", "carre_buyback": True, "action_abstraction": "ladder"}),
    ("brelan", {"preset": "brelan3", "carre_anglais": "choice", "raise_increment_max": 4, "point_rule": "parlett"}),
]
ODD = [(name, options) for game, options in _ODD for name in HEURISTICS if name.startswith(f"{game}/")]
# Phases in which a heuristic has no business with what a view tells of the other hands.
_BOUILLOTTE, _OMBRE = range(bouillotte.END), range(ombre.END)
CLOSED = {
    "bouillotte": _BOUILLOTTE,
    "brelan": _BOUILLOTTE,
    "ombre": _OMBRE,
    "piquet": (piquet.EXCHANGE, piquet.POINT, piquet.SEQ, piquet.SET),
    "rocambole": _OMBRE,
}
PARTIES = {"bouillotte": "session", "brelan": "session", "rocambole": "part"}
LEAST = {"ombre": 7, "piquet": 60, "rocambole": 3}  # points a deal above random play; of bouillotte see its own tests


def gather(game, agent, n, seed=1):
    """The positions of n episodes in which every seat is this agent, a batch a step, and the tables they came from."""
    tables = Tables(game, n, seed, autoreset=False)
    tables.reset()
    decisions, batches = Decisions(tables, seed), []
    while (tables.seat >= 0).any():
        rows = np.flatnonzero(tables.seat >= 0)
        positions = Positions(
            np.zeros((len(rows), 1), np.float32), tables.action_mask[rows], tables.seat[rows],
            decisions.keys(tables, rows, agent.seed), tables.views(rows),
        )  # fmt: skip
        batches.append(positions)
        tables.step(agent.act(positions), rows)
    return join(batches)


def join(batches):
    parts = [np.concatenate([getattr(b, name) for b in batches]) for name in ("observation", "action_mask", "seat", "key")]
    views = b"".join(b.view.tobytes() for b in batches)
    return Positions(*parts, np.frombuffer(bytearray(views), batches[0].view.dtype))


def pick(positions, rows):
    """These positions, in this order."""
    views = b"".join(positions.view[i : i + 1].tobytes() for i in rows)
    names = ("observation", "action_mask", "seat", "key")
    return Positions(*(getattr(positions, name)[rows] for name in names), np.frombuffer(views, positions.view.dtype))


@cache
def played(name, preset, at_random):
    """(agent, positions) of a preset's deals, by random play or by the agent's own; read only."""
    game = game_of(name, preset, episode="deal")
    agent = HeuristicAgent(game, 5, name)
    return agent, gather(game, RandomAgent(5) if at_random else agent, TABLES)


def check(agent, positions):
    probabilities = agent.probabilities(positions)
    assert probabilities.dtype == np.float32 and probabilities.shape == positions.action_mask.shape
    assert (probabilities >= 0).all() and not probabilities[positions.action_mask == 0].any()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("at_random", [True, False])
@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_probabilities_lie_on_legal_actions_and_sum_to_one(name, preset, at_random):
    check(*played(name, preset, at_random))


@pytest.mark.parametrize(("name", "options"), ODD, ids=str)
def test_other_options_are_played_too(name, options):
    game = game_of(name, **options)
    agent = HeuristicAgent(game, name=name)
    check(agent, gather(game, RandomAgent(2), TABLES))
    check(agent, gather(game, agent, TABLES))


@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_parties_are_played_to_their_end(name, preset):
    game = game_of(name, preset, episode=PARTIES.get(name.partition("/")[0], "partie"))
    agent = HeuristicAgent(game, name=name)
    positions = gather(game, agent, 2 if COMPILED else 1)
    check(agent, positions)
    assert positions.view["deal"].max() >= 1


@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_an_answer_depends_on_no_batch_and_no_order(name, preset):
    agent, positions = played(name, preset, True)
    n = len(positions)
    whole, weights = agent.act(positions), agent.probabilities(positions)
    back = np.arange(n)[::-1]
    assert (agent.act(pick(positions, back))[::-1] == whole).all()
    assert (agent.probabilities(pick(positions, back))[::-1] == weights).all()
    for cuts in (range(0, n + 1, 1), (0, 1, n // 3, n // 2, n)):
        parts = [agent.act(pick(positions, np.arange(first, last))) for first, last in pairwise((*cuts, n))]
        assert (np.concatenate(parts) == whole).all()


def episodes(name, batch, order=1):
    """What is played in four episodes, by id, with as many tables at a time."""
    game = game_of(name)
    agent, told = HeuristicAgent(game, 3, name), {}
    for first in range(0, 4, batch):
        ids = list(range(first, first + batch))[::order]
        tables = Tables(game, batch, 1, autoreset=False)
        tables.reset(ids=ids)
        decisions = Decisions(tables, 2)
        while (tables.seat >= 0).any():
            rows = np.ascontiguousarray(np.flatnonzero(tables.seat >= 0)[::order])
            actions = decide(agent, tables, rows, decisions)
            for row, action in zip(rows, actions, strict=True):
                told.setdefault(ids[row], []).append(game.spec.actions[action])
            tables.step(actions, rows)
    return told


@pytest.mark.parametrize("name", HEURISTICS)
def test_episodes_are_the_same_in_any_batch(name):
    assert episodes(name, 1) == episodes(name, 4) == episodes(name, 4, -1) == episodes(name, 2)


@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_a_decision_depends_on_the_view_alone_and_leaves_it_as_it_was(name, preset):
    agent, positions = played(name, preset, True)
    before = positions.view.tobytes()
    weights = agent.probabilities(positions)
    assert positions.view.tobytes() == before
    keys = np.arange(len(positions), dtype=np.uint64)
    worlds = agent.game.redeal(positions.view, positions.seat, keys)
    redealt = Positions(
        positions.observation, agent.game.legal(worlds), positions.seat, keys, agent.game.hide(worlds, positions.seat)
    )
    assert (agent.probabilities(redealt) == weights).all()
    # Nor does it look at what a view leaves out, where a state has it.
    open_hands = Positions(positions.observation, positions.action_mask, positions.seat, keys, worlds)
    closed = np.isin(positions.view["phase"], CLOSED[agent.game.name])
    assert closed.any() and (agent.probabilities(open_hands)[closed] == weights[closed]).all()


def digest():
    """What a slice of each preset comes to, in hexadecimal: one deal at random, every seventh position."""
    total = hashlib.sha256()
    for name, preset in GAMES:
        game = game_of(name, preset, episode="deal")
        positions = gather(game, RandomAgent(1), 1)
        agent, chosen = HeuristicAgent(game, name=name), pick(positions, np.arange(0, len(positions), 7))
        total.update(agent.probabilities(chosen).tobytes() + agent.act(chosen).tobytes())
    return total.hexdigest()


@pytest.mark.jit
def test_interpreted_play_gives_the_same_bytes():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_heuristic; print(test_heuristic.digest())"
    command = [sys.executable, "-c", code, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert done.stdout.strip() == digest(), done.stderr


@jit
def mixed(rules, view, seat, mask, out):
    """One action in four, else another: the last legal one and the first."""
    first, last = -1, 0
    for action in range(mask.shape[0]):
        if mask[action]:
            first = action if first < 0 else first
            last = action
    out[last] += 0.25
    out[first] += 0.75


def test_mixed_answers_are_drawn_by_their_probabilities_from_the_key():
    choose = bind(heuristic.choose_rows, "mixed", {"weigh": mixed})
    game, n = make_game("piquet"), 2000 if COMPILED else 300
    states = game.begin(1)
    views = np.frombuffer(bytearray(game.hide(states, states["seat"]).tobytes() * n), states.dtype)
    mask, keys = np.repeat(game.legal(states), n, axis=0), np.random.default_rng(1).integers(0, 2**64, n, np.uint64)
    actions, again = np.zeros(n, np.int64), np.zeros(n, np.int64)
    weights = np.zeros((1, game.num_actions), np.float32)
    choose(game.rules, views, views["seat"].copy(), mask, keys, weights, actions)
    choose(game.rules, views, views["seat"].copy(), mask, keys[::-1].copy(), weights, again)
    legal = np.flatnonzero(mask[0])
    assert set(actions) == {legal[0], legal[-1]} and abs((actions == legal[-1]).mean() - 0.25) < 0.05
    assert (again[::-1] == actions).all()


@pytest.mark.jit
@pytest.mark.parametrize(("name", "preset"), [(name, preset) for name, preset in GAMES if name.partition("/")[0] in LEAST])
def test_it_beats_random_play(name, preset):
    game = game_of(name, preset, episode="deal")
    result = evaluate(game, load_agent(name, game), RandomAgent(1), ids=150, seed=7)
    assert result.interval[0] > 0.5 * result.sd_single and result.mean > 0.5 * result.sd and result.mean > LEAST[game.name]


@pytest.mark.parametrize("name", HEURISTICS)
def test_it_is_found_by_name(name):
    game = game_of(name)
    agent = load_agent(name, game, 4)
    assert (agent.name, agent.seed, agent.wants_view) == (name, 4, True) and f"seed=4, name={name!r}" in repr(agent)
    unseen = np.zeros((1, 1), np.float32), np.ones((1, game.num_actions), np.int8), np.zeros(1, int), np.zeros(1, np.uint64)
    with pytest.raises(LomberError, match="reads views"):
        agent.act(Positions(*unseen))
    with pytest.raises(LomberError, match="no rule-based agent"):
        heuristic.kernel_of("solo/heuristic")
