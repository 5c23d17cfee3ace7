"""Ombre's exact numbers (spec section 11 and 4.6): counted by the engine's own tables and functions, not by samples.

And what the spec's own Monte Carlo runs gave, repeated on the engine.
"""

from collections import Counter
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np
import pytest

from lomber.envs import UnknownName, make_game
from lomber.envs.engine.chance import CHOICE, hash_key
from lomber.envs.engine.game import row_of
from lomber.envs.engine.state import RUNNING
from lomber.envs.engine.tables import random_actions
from lomber.envs.ombre import actions as act
from lomber.envs.ombre import positions, settle, trumps
from lomber.envs.ombre import state as st
from lomber.envs.ombre.actions import ACTIONS, CARDS

SUITS = "SHDC"
AUCTIONS = {  # options, casco -> sequences, most calls
    "all bids": ({}, False, 40, 7),
    "two bids": ({"bids": "E,S"}, False, 13, 5),
    "casco": ({"casco_lesser_keep": "any"}, True, 13, 5),
    "one round": ({"auction": "one_round"}, False, 20, 3),
    "one round of two bids": ({"auction": "one_round", "bids": "E,S"}, False, 10, 3),
    "one round of casco": ({"auction": "one_round", "casco_lesser_keep": "any"}, True, 10, 3),
}


def plain(function):
    return getattr(function, "py_func", function)


def auctions(game, casco=False, dealer=2):
    """(calls, seat that plays or None, contract or None, probability with random calls) of every auction there is."""
    start = positions.auction(game, dealer, casco)
    phase = int(start[0]["phase"])
    waiting = [((), start, Fraction(1))]
    while waiting:
        calls, states, chance = waiting.pop()
        if states[0]["phase"] != phase:
            holder = int(states[0]["holder"])
            yield calls, *((None, None) if holder < 0 else (holder, st.CONTRACTS[states[0]["contract"]])), chance
            continue
        legal = game.legal_names(states)
        for name in legal:
            after = states.copy()
            game.play_one(after, ACTIONS.index(name))
            waiting.append(((*calls, name), after, chance / len(legal)))


@pytest.mark.parametrize("kind", AUCTIONS)
def test_the_number_of_auctions(kind):
    options, casco, number, most = AUCTIONS[kind]
    found = list(auctions(make_game("ombre", **options), casco))
    assert len({calls for calls, *_ in found}) == len(found) == number
    assert max(len(calls) for calls, *_ in found) == most


def test_the_longest_auction():
    calls = ("ENTRADA", "VUELTA", "PASS", "VUELTA", "SOLO", "SOLO", "PASS")
    assert (0, "SOLO") in [(ombre, contract) for made, ombre, contract, _ in auctions(make_game("ombre")) if made == calls]


@pytest.mark.parametrize("dealer", range(3))
def test_random_calls(dealer):
    found, length = Counter(), Fraction(0)
    for calls, ombre, contract, chance in auctions(make_game("ombre"), dealer=dealer):
        found[contract] += chance
        length += chance * len(calls)
        if contract == "SOLO":
            found[(ombre - dealer) % 3] += chance
    assert found[None] == Fraction(1, 64) and found["ENTRADA"] == Fraction(37, 576)
    assert found["VUELTA"] == Fraction(89, 576) and found["SOLO"] == Fraction(49, 64)
    assert [found[place] for place in (1, 2, 0)] == [Fraction(97, 216), Fraction(31, 144), Fraction(175, 1728)]
    assert length == Fraction(3295, 864)


TRIPLES = [(a, b, 9 - a - b) for a in range(10) for b in range(10 - a)]


@pytest.mark.parametrize("ombre", range(3))
def test_the_outcomes_of_all_trick_triples(ombre):
    found = Counter(plain(settle.classify)(ombre, tricks) for tricks in TRIPLES)
    assert len(TRIPLES) == 55
    others = [(ombre + k) % 3 for k in (1, 2)]
    assert found == {(st.WIN, -1): 17, (st.REMISE, -1): 4, **{(st.CODILLE, seat): 17 for seat in others}}


@pytest.mark.parametrize("ombre", range(3))
def test_a_deal_is_decided_when_all_that_may_follow_is_the_same(ombre):
    """Against every way the triples may go on; with all nine tricks it always is."""
    for a in range(10):
        for b in range(10 - a):
            for c in range(10 - a - b):
                follow = [t for t in TRIPLES if t[0] >= a and t[1] >= b and t[2] >= c]
                same = len({plain(settle.classify)(ombre, t) for t in follow}) == 1
                assert plain(settle.is_decided)(ombre, (a, b, c)) == same


def test_the_number_of_deals():
    """From the places that the deal itself fills: three hands, and a talon of ordered positions."""
    game = make_game("ombre")
    state, n = game.begin(0)[0], len(game.deck())
    dealt, talon = [int(mask).bit_count() for mask in state["dealt"]], len(state["talon"])
    ordered = factorial(n) // prod(factorial(cards) for cards in dealt)
    assert (n, dealt, talon) == (40, [9, 9, 9], 13) and ordered == 17074813528951771641624576000000
    assert ordered // factorial(talon) == 2742051789669912720000


def test_the_chances_of_a_hand():
    """By the number of trumps in each trump suit, and of matadors."""
    hands = comb(40, 9)
    for suit, total, none, five in (("H", 12, 0.025259, 0.071521), ("S", 11, 0.036626, 0.046810)):
        for red_or_black in (suit, {"H": "D", "S": "C"}[suit]):
            t = SUITS.index(red_or_black)
            assert int(trumps.TRUMPS[t]).bit_count() == total and int(trumps.MATADORS[t]).bit_count() == 3
        assert comb(40 - total, 9) / hands == pytest.approx(none, abs=5e-7)
        many = sum(comb(total, k) * comb(40 - total, 9 - k) for k in range(5, 10))
        assert many / hands == pytest.approx(five, abs=1e-6)
    assert Fraction(comb(37, 6), hands) == Fraction(21, 2470)
    assert 1 - Fraction(comb(38, 9), hands) == Fraction(21, 52)
    assert Fraction(comb(38, 7), hands) == Fraction(3, 65)
    assert Fraction(comb(38, 7) - comb(34, 7), hands) == Fraction(242, 9139), "both aces and one of four manilles"


@pytest.mark.parametrize("trump", SUITS)
def test_every_card_has_its_suit_and_its_strength(trump):
    t = SUITS.index(trump)
    for s, suit in enumerate(SUITS):
        if suit != trump:
            order = trumps.order_of(trump, suit)
            assert len(order) == (9 if suit in "SC" else 10)
            strengths = [int(trumps.STRENGTH[t, CARDS.index(card)]) for card in order]
            assert strengths == sorted(strengths, reverse=True)
            assert {int(trumps.SUIT_OF[t, CARDS.index(card)]) for card in order} == {s}
    assert sorted(trumps.SUIT_OF[t]).count(4) == (11 if trump in "SC" else 12)


@pytest.mark.parametrize("first", range(3))
def test_a_partie_has_each_dealer_equally_often(first):
    game = make_game("ombre", episode="partie", all_pass="pass_out")
    states = game.deal(game.deck().tolist(), {"dealer": first})
    dealers = Counter()
    for _ in range(12):
        dealers[int(states[0]["start"]["dealer"])] += 1
        for _ in range(3):
            game.advance(states, ["PASS"], go_on=False)
        game.next_deal(states)
    assert dealers == {0: 4, 1: 4, 2: 4} and game.points(states).sum() == 0


@pytest.mark.parametrize(
    "options", [{"bete_rule": "fixed"}, {"partie_deals": 4}, {"bids": ""}, {"max_exchange": 7}, {"prem": (1, 2)}]
)
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(UnknownName):
        make_game("ombre", **options)


# Random play.


def play_out(game, states, salt):
    """Play all deals to their ends at random; finals and the number of decisions of each."""
    n = len(states)
    decisions, rows = np.zeros(n, int), np.arange(n)
    keys = np.array([hash_key(np.uint64(salt), row, CHOICE) for row in range(n)], np.uint64)
    for number in range(60):
        rows = rows[states["stage"][rows] == RUNNING]
        if not len(rows):
            return states, decisions
        now = states[rows]
        actions = np.zeros(len(rows), np.int64)
        random_actions(game.legal(now), keys[rows] + np.uint64(number), actions)
        game.loops.advance_rows(game.rules, now, actions)
        states[rows] = now
        decisions[rows] += 1
    raise AssertionError("a deal of more than 60 decisions")


PRESETS = ("default", "seed_000", "french", "espadille_force", "tresillo")


@pytest.mark.parametrize("preset", PRESETS)
def test_bounds_and_chips(preset):
    """Moves by contract (4.6), forced ones counted; chips are conserved (section 11, last row)."""
    game = make_game("ombre", preset, episode="partie")
    finals, decisions = play_out(game, game.begin(3, np.arange(150)), 1)
    bounds = {"SOLO": 52, "VUELTA": 50, "ENTRADA": 49, "CASCO_LESSER": 46, "CASCO_GREATER": 45}
    for final in finals:
        made = len(game.moves(row_of(game, final)))
        contract = None if final["contract"] < 0 else st.CONTRACTS[final["contract"]]
        assert made <= bounds.get(contract, 8)
        assert final["delta"].sum() + final["match"]["pot"] + final["match"]["queue"].sum() == 0
    assert decisions.max() <= 52


@pytest.mark.jit
def test_shares_and_lengths_of_random_play():
    """Spec section 11: 60,000 deals of the spec's own engine, with standard errors of about 0.002."""
    deals = 20_000
    game = make_game("ombre")
    finals, decisions = play_out(game, game.begin(4, np.arange(deals)), 2)
    found = Counter(st.OUTCOMES[outcome] for outcome in finals["outcome"])
    for outcome, share in (("WIN", 0.299), ("CODILLE", 0.551), ("REMISE", 0.146), ("REFUSED", 0.0027), ("PASS_OUT", 0.0012)):
        spread = share * (1 - share)
        assert abs(found[outcome] / deals - share) <= 4 * np.sqrt(spread / deals + spread / 60_000) + 1e-3, (outcome, found)
    assert abs(decisions.mean() - 29.51) < 4 * decisions.std() * np.sqrt(1 / deals + 1 / 60_000) + 0.01
    made = np.array([len(game.moves(row_of(game, final))) for final in finals[:4000]])
    assert abs(made.mean() - 39.03) < 4 * made.std() / np.sqrt(len(made)) + 0.05


@pytest.mark.jit
def test_solo_in_hearts_at_random():
    """Spec section 11: eldest plays solo in hearts, nobody exchanges, cards at random, always STOP."""
    deals = 20_000
    game = make_game("ombre", defenders_exchange=False)
    states = game.begin(5, np.arange(deals))
    for action in (act.SOLO, act.TRUMP + 1):  # the others can only pass
        game.loops.advance_rows(game.rules, states, np.full(deals, action))
    keys = np.array([hash_key(np.uint64(6), row, CHOICE) for row in range(deals)], np.uint64)
    rows = np.arange(deals)
    for number in range(30):
        rows = rows[states["stage"][rows] == RUNNING]
        if not len(rows):
            break
        now = states[rows]
        actions = np.zeros(len(rows), np.int64)
        random_actions(game.legal(now), keys[rows] + np.uint64(number), actions)
        actions[now["phase"] == st.PREMIERS] = act.STOP
        game.loops.advance_rows(game.rules, now, actions)
        states[rows] = now
    tricks = np.take_along_axis(states["tricks"], states["ombre"][:, None], axis=1)[:, 0]
    for outcome, share in ((st.WIN, 0.287), (st.CODILLE, 0.566), (st.REMISE, 0.147)):
        assert abs((states["outcome"] == outcome).mean() - share) < 4 * 0.0025 * 1.75, outcome
    assert abs(tricks.mean() - 3.006) < 0.05
    assert abs(states["first_five"].mean() - 0.0084) < 0.003


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_that_stops_when_decided_pays_the_same(preset):
    """4.5: the same moves with `stop_when_decided`; only the tricks are cut short."""
    game, short = make_game("ombre", preset), make_game("ombre", preset, stop_when_decided=True)
    finals, _ = play_out(game, game.begin(9, np.arange(60)), 3)
    cut = 0
    for final in finals:
        states = short.deal(final["deck"].tolist(), {"dealer": int(final["start"]["dealer"])})
        made = game.moves(row_of(game, final))
        for number, (seat, action) in enumerate(made):
            if states[0]["stage"] != RUNNING:
                cut += 1
                break
            assert states[0]["seat"] == seat, number
            short.play_one(states, action)
        assert states[0]["stage"] != RUNNING
        for name in ("outcome", "codille", "run", "first_five", "vole", "delta"):
            assert np.array_equal(states[0][name], final[name]), name
    assert cut > 20
