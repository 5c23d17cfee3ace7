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
from lomber.envs.engine.jit import COMPILED, bind, jit
from lomber.envs.piquet import state as st
from lomber.envs.piquet.actions import ACTIONS, CARDS
from lomber.envs.piquet.positions import final_hands
from lomber.training.evaluate import evaluate

GAMES = [(name, preset) for name in HEURISTICS for preset in make_game(name).spec.presets]
TABLES = 100 if COMPILED else 1
# Options that no preset has, so that each rule of the exchange, the calls and the play is met both ways.
ODD = (
    {"declaration_mode": "auto", "younger_exchange": "0-rest"},
    {"point_min_len": 5, "understate_sets": False, "carte_blanche_when": "final", "point_counter": "at_once"},
    {"preset": "salon", "play_count": "lead_and_trick", "elder_exchange": "0,3-5", "open_capot_fail": 0},
    {"preset": "cent", "younger_exchange": "0,3-5", "elder_exchange": "1-rest", "repique_at": 20, "pique_at": 20},
)


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
    game = make_game(name, preset)
    agent = HeuristicAgent(game, 5)
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


@pytest.mark.parametrize("options", ODD, ids=str)
def test_other_options_are_played_too(options):
    game = make_game("piquet", **options)
    check(HeuristicAgent(game), gather(game, RandomAgent(2), TABLES))


@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_parties_are_played_to_their_end(name, preset):
    game = make_game(name, preset, episode="partie")
    positions = gather(game, HeuristicAgent(game), 2 if COMPILED else 1)
    check(HeuristicAgent(game), positions)
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


def episodes(batch, order=1):
    """What is played in four episodes, by id, with as many tables at a time."""
    game = make_game("piquet")
    agent, told = HeuristicAgent(game, 3), {}
    for first in range(0, 4, batch):
        ids = list(range(first, first + batch))[::order]
        tables = Tables(game, batch, 1, autoreset=False)
        tables.reset(ids=ids)
        decisions = Decisions(tables, 2)
        while (tables.seat >= 0).any():
            rows = np.ascontiguousarray(np.flatnonzero(tables.seat >= 0)[::order])
            actions = decide(agent, tables, rows, decisions)
            for row, action in zip(rows, actions, strict=True):
                told.setdefault(ids[row], []).append(ACTIONS[action])
            tables.step(actions, rows)
    return told


def test_episodes_are_the_same_in_any_batch():
    assert episodes(1) == episodes(4) == episodes(4, -1) == episodes(2)


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
    lead = np.isin(positions.view["phase"], (st.EXCHANGE, st.POINT, st.SEQ, st.SET))
    assert lead.any() and (agent.probabilities(open_hands)[lead] == weights[lead]).all()


def digest():
    """What a slice of each preset comes to, in hexadecimal: one deal at random, every seventh position."""
    total = hashlib.sha256()
    for name, preset in GAMES:
        game = make_game(name, preset)
        positions = gather(game, RandomAgent(1), 1)
        agent, chosen = HeuristicAgent(game), pick(positions, np.arange(0, len(positions), 7))
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
@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_it_beats_random_play(name, preset):
    game = make_game(name, preset)
    result = evaluate(game, load_agent(f"{name}/heuristic", game), RandomAgent(1), ids=150, seed=7)
    assert result.interval[0] > 0.5 * result.sd_single and result.mean > 0.5 * result.sd and result.mean > 60


def test_it_is_found_by_name():
    game = make_game("piquet")
    agent = load_agent("piquet/heuristic", game, 4)
    assert (agent.name, agent.seed, agent.wants_view) == ("piquet/heuristic", 4, True) and "seed=4" in repr(agent)
    with pytest.raises(LomberError, match="reads views"):
        agent.act(
            Positions(np.zeros((1, 1), np.float32), np.ones((1, 128), np.int8), np.zeros(1, int), np.zeros(1, np.uint64))
        )
    with pytest.raises(LomberError, match="no heuristic"):
        heuristic.kernel_of("solo")


# Positions that a player who knows the game would insist on.


def ask(game, states):
    """The name of the action that the heuristic is sure of."""
    seat = int(states[0]["seat"])
    positions = Positions(
        np.zeros((1, 1), np.float32), game.legal(states), np.array([seat]), np.zeros(1, np.uint64), game.hide(states, seat)
    )
    probabilities = HeuristicAgent(game).probabilities(positions)[0]
    assert probabilities.max() == 1
    return ACTIONS[probabilities.argmax()]


def play_on(game, states, *actions):
    game.advance(states, [game.action_id(actions[0])], go_on=False)
    for action in actions[1:]:
        game.advance(states, [game.action_id(action)], go_on=False)


def discards(hand, elder, preset="korolik"):
    """The set that the heuristic discards from twelve dealt cards."""
    game = make_game("piquet", preset)
    rest = [card for card in CARDS if card not in hand.split()]
    hands = (hand.split(), rest[::2][:12]) if elder else (rest[::2][:12], hand.split())
    deck = [*hands[0], *hands[1], *(card for card in rest if card not in rest[::2][:12])]
    states = game.deal(game.card_ids(deck), {"dealer": 1})
    seat, told = 0 if elder else 1, []
    while states[0]["phase"] == st.EXCHANGE:
        acts, name = int(states[0]["seat"]), ask(game, states)
        if acts == seat and name != "PASS":
            told.append(name.removeprefix("DISCARD:"))
        play_on(game, states, name)
    return set(told)


@pytest.mark.parametrize(
    ("hand", "elder", "kept"),
    [
        ("AS KS QS 9S QH 8H 7H QD TD QC JC 8C", True, "AS KS QS QH QD QC"),  # the quatorze of queens
        ("AS KS QS JS TS KH 8H 7H 9D 8D 9C 7C", True, "AS KS QS JS TS"),  # the quint
        ("AS 9S 8S AH KH QH JH 9H KD 8D JC 7C", True, "AS AH KH QH JH"),  # aces, and the quart in the long suit
        ("9S 8S 7S 9H 8H AD KD 9D 8D 7D 8C 7C", True, "AD KD 9D 8D 7D"),  # the long suit behind its tops
        ("KS 7S KH 9H QH 7H KD 9D AD KC JC TC", False, "KS 7S KH KD AD KC"),  # four kings, none of them bare
    ],
)
def test_discards_keep_what_counts(hand, elder, kept):
    for preset in ("korolik", "rubicon"):
        thrown = discards(hand, elder, preset)
        assert not thrown & set(kept.split()) and len(thrown) >= 3


def test_a_hand_near_perfection_is_hardly_touched():
    hand = "AS KS QS JS TS 9S 8S 7S AH KH QH 7D"
    assert discards(hand, True, "rubicon") == {"7D"}
    thrown = discards(hand, True, "korolik")  # none, or three to five
    assert len(thrown) != 1 and not thrown & set(hand.split()[:9])


def test_younger_leaves_no_king_bare():
    hand = "AS 9S 8S KH 7H 8H QD JD 9D KC TC 7C"
    left = set(hand.split()) - discards(hand, False)
    assert {"AS", "KH", "KC"} <= left and all(sum(card[1] == suit for card in left) > 1 for suit in "HC")


ELDER = "AS KS QS 9S AH KH QH JH 9H AD KD AC"
YOUNGER = "TS 8S JS TH 8H QD JD TD 9D KC QC JC"


def test_declarations_are_the_best_and_the_truth():
    game = make_game("piquet")
    states = final_hands(game, ELDER.split(), YOUNGER.split())
    told = []
    while states[0]["phase"] < st.CAPOT:
        told.append(ask(game, states))
        play_on(game, states, told[-1])
    assert told == ["POINT:H", "SEQ:AH", "SEQ:AS", "QUATORZE:A", "TRIO:K-C"]
    assert states[0]["ledger"][0, : st.ITEM_SET + 1].tolist() == [0, 5, 7, 17]


def test_younger_does_not_concede():
    game = make_game("piquet")
    states = final_hands(game, YOUNGER.split(), ELDER.split())
    while states[0]["phase"] < st.CAPOT:
        play_on(game, states, ask(game, states))
    assert states[0]["ledger"][:, : st.ITEM_SET + 1].tolist() == [[0, 0, 0, 0], [0, 5, 7, 17]]


def finished(elder, younger, preset="korolik"):
    """The state after the heuristic has played both hands, and whether elder announced a capot."""
    game = make_game("piquet", preset)
    states = final_hands(game, elder.split(), younger.split())
    announced = False
    while states[0]["stage"] == 0:
        name = ask(game, states)
        announced = announced or (name == "OPEN_CAPOT" and states[0]["seat"] == 0)
        play_on(game, states, name)
    return states[0], announced


RUNNING = "AS KS QS JS TS 9S 8S 7S"
THREE_ACES = "AH KH JH TH AD KD JD TD AC QC JC TC"


def test_a_certain_capot_is_announced_and_made():
    state, announced = finished(f"{RUNNING} AH KH QH JH", "TH 9H 8H 7H AD KD QD JD AC KC QC JC")
    assert announced and state["tricks"].tolist() == [12, 0]
    assert not finished(f"{RUNNING} KH QH JH TH", "AH 9H 8H 7H AD KD QD JD AC KC QC JC")[1]


def test_younger_keeps_his_aces_while_elder_runs_a_suit():
    for preset in ("korolik", "rubicon"):
        state, _ = finished(f"{RUNNING} QH QD KC 9C", THREE_ACES, preset)
        assert state["tricks"].tolist() == [8, 4]


def test_a_king_is_kept_guarded():
    """Elder runs his spades and holds the ace and queen of diamonds: younger's king of two makes a trick, a bare one none."""
    state, _ = finished(f"{RUNNING} AH KH AD QD", "QH JH TH 9H 8H 7H KD 7D KC QC JC TC")
    assert state["tricks"].tolist() == [11, 1]


@pytest.mark.parametrize(
    ("led", "held", "played"),
    [
        ("TS", "AS QS 8S", "QS"),  # as cheaply as can be
        ("JS", "TS 9S 7S", "7S"),  # nothing to be won: the lowest
        ("KS", "AS 8S 7S", "AS"),
    ],
)
def test_following_suit(led, held, played):
    game = make_game("piquet")
    others = [card for card in CARDS if card[1] != "S"]
    spades = [card for card in CARDS if card[1] == "S" and card not in held.split() and card != led]
    younger = [*held.split(), *others[:9]]
    elder = [led, *spades[-2:], *others[9:18]]
    states = final_hands(game, elder, younger)
    while states[0]["phase"] != st.LEAD:
        play_on(game, states, ask(game, states))
    play_on(game, states, f"PLAY:{led}")
    assert ask(game, states) == f"PLAY:{played}"
