"""Piquet's exact numbers (spec section 12 and 4.9): counted by the engine's own tables and functions, not by samples.

And what the spec's own Monte Carlo runs gave, repeated on the engine.
"""

import itertools
import random
from collections import Counter, defaultdict
from math import comb, factorial, prod

import numpy as np
import pytest

from lomber.envs import make_game
from lomber.envs.engine import records
from lomber.envs.engine.cards import cards_of
from lomber.envs.engine.chance import CHOICE, hash_key
from lomber.envs.engine.state import RUNNING
from lomber.envs.engine.tables import random_actions
from lomber.envs.piquet import actions as act
from lomber.envs.piquet import play, scoring
from lomber.envs.piquet import state as st
from lomber.envs.piquet.positions import final_hands

HANDS = 225_792_840  # of twelve cards
CARDS, SUITS = act.CARDS, "SHDC"
ELDER, YOUNGER = 0, 1


def plain(function):
    return getattr(function, "py_func", function)


def ways_of(kinds, size=12):
    """{(kind, kind, kind, kind): hands} over the four suits; `kinds` is {(cards, kind): bytes}."""
    ways = defaultdict(int)
    for suits in itertools.product(kinds.items(), repeat=4):
        if sum(cards for (cards, _), _ in suits) == size:
            ways[tuple(kind for (_, kind), _ in suits)] += prod(n for _, n in suits)
    return ways


def test_the_longest_suit_of_a_hand():
    kinds = Counter((byte.bit_count(), byte.bit_count()) for byte in range(256))
    found = Counter()
    for lengths, ways in ways_of(kinds).items():
        found[int(plain(scoring.longest_suit)(hand_of((1 << n) - 1 for n in lengths)))] += ways
    assert found == {3: 9834496, 4: 124522720, 5: 74962944, 6: 15070048, 7: 1360128, 8: 42504}
    assert found.total() == HANDS == comb(32, 12)


def hand_of(suits):
    return sum(byte << (8 * suit) for suit, byte in enumerate(suits))


def test_the_longest_run_of_a_hand():
    """Per suit: hands by number of cards and class of the best run; then all suits, two and two."""
    run = {byte: int(plain(scoring.best_run)(byte)) for byte in range(256)}
    one = Counter((byte.bit_count(), run[byte]) for byte in range(256))
    two = joined(one, one)
    four = joined(two, two)
    found = Counter()
    for (cards, best), ways in four.items():
        found[best // 8] += ways if cards == 12 else 0
    wanted = {0: 80400026, 3: 98629730, 4: 35336570, 5: 9088848, 6: 1955130, 7: 340032, 8: 42504}
    assert found == wanted and found.total() == HANDS


def joined(one, two):
    found = Counter()
    for (cards, best), ways in one.items():
        for (more, other), times in two.items():
            found[cards + more, max(best, other)] += ways * times
    return found


def test_the_best_run_of_a_hand_is_the_best_of_its_suits():
    by_class = {int(plain(scoring.best_run)(byte)): byte for byte in range(256)}
    assert len(by_class) == 1 + 6 + 5 + 4 + 3 + 2 + 1
    rng = random.Random(5)
    for kinds in itertools.combinations_with_replacement(sorted(by_class), 4):
        suits = rng.sample(kinds, 4)
        if rng.random() < 0.2:
            assert plain(scoring.best_run)(hand_of(by_class[kind] for kind in suits)) == max(kinds)


def test_the_best_set_of_a_hand():
    """By the numbers held of the five ranks that form sets; twelve cards are of the other three."""
    found = Counter()
    for held in itertools.product(range(5), repeat=5):
        hand = sum(1 << (8 * suit + rank) for rank, n in enumerate(held) for suit in range(n))
        rest = 12 - sum(held)
        if rest >= 0:
            best = int(plain(scoring.best_set)(hand | 0xE0E0E0E0 if rest else hand))
            found[best // 8] += prod(comb(4, n) for n in held) * comb(12, rest)
    assert found == {0: 96334325, 3: 114024240, 4: 15434275} and found.total() == HANDS


def test_pips_never_contradict_length():
    spans = defaultdict(set)
    for byte in range(256):
        spans[byte.bit_count()].add(int(scoring.SUIT_PIPS[byte]))
    ends = {length: (min(pips), max(pips)) for length, pips in spans.items()}
    assert ends[3][1] == 31
    assert {n: ends[n] for n in range(4, 9)} == {4: (34, 41), 5: (44, 51), 6: (54, 60), 7: (64, 68), 8: (75, 75)}
    assert all(ends[n][1] < ends[n + 1][0] for n in range(8))


def test_the_number_of_deals():
    """From the places that the deal itself fills: two hands, and a talon of ordered positions."""
    state = make_game("piquet").begin(0)[0]
    n, dealt = len(make_game("piquet").deck()), [int(mask).bit_count() for mask in state["dealt"]]
    talon = len(state["talon"])
    ordered = factorial(n) // prod(factorial(cards) for cards in dealt)
    assert (n, dealt, talon) == (32, [12, 12], 8) and ordered == 1_146_826_761_889_536_000
    assert ordered // (factorial(5) * factorial(talon - 5)) == 1_592_814_947_068_800


def test_the_chance_of_a_blank_of_red_cards_and_of_four_aces():
    state = make_game("piquet").fresh()[0]
    blanks = reds = 0
    for courts in range(13):
        names = sorted(CARDS, key=lambda card: card[0] not in "KQJ")  # twelve courts first
        state["hand"][ELDER] = sum(1 << CARDS.index(card) for card in (*names[:courts], *names[12 : 24 - courts]))
        blanks += comb(12, courts) * comb(20, 12 - courts) if plain(play.holds_blank)(state, ELDER) else 0
    for high in range(13):
        names = sorted(CARDS, key=lambda card: card[0] not in "AKQJT")
        hand = sum(1 << CARDS.index(card) for card in (*names[:high], *names[20 : 32 - high]))
        reds += comb(20, high) * comb(12, 12 - high) if not hand & ~scoring.RED_RANKS else 0
    assert blanks == reds == 125970
    assert blanks / HANDS == pytest.approx(0.00055790, abs=5e-9)
    assert 2 * blanks / HANDS == pytest.approx(0.00111580, abs=5e-9), "never both: 24 cards of 20"
    assert comb(28, 8) / HANDS == pytest.approx(0.0137653, abs=5e-8)


def test_worlds_of_a_blank_that_does_not_lie_open_yet():
    """Younger is to exchange: elder was dealt twelve of 14 low cards, and drew five of the other eight, six of them courts."""
    game = make_game("piquet")
    events = ("1:DEALT QS 7S AH KH QH JH 8H KD TD 7D KC 9C", "0:BLANK", "0:EXCHANGED 5")
    told = tuple(records.Event(int(event[0]), event[2:]) for event in events)
    hidden = records.from_view(records.View("piquet", "korolik", {}, 1, 0, {"dealer": 1}, told))
    n = 4000
    worlds = game.redeal(np.repeat(hidden, n), 1, np.arange(n))
    assert game.consistent(np.repeat(hidden, n), worlds, np.full(n, 1)).all()
    dealt, discarded, courts, talon = Counter(), Counter(), [], Counter()
    for world in worlds:
        assert not int(world["dealt"][0]) & scoring.COURTS
        dealt.update(cards_of(int(world["dealt"][0])))
        discarded.update(cards_of(int(world["discarded"][0])))
        courts.append((int(world["hand"][0]) & scoring.COURTS).bit_count())
        talon.update((place, int(card)) for place, card in enumerate(world["talon"]) if scoring.COURTS >> int(card) & 1)
    assert len(dealt) == 14 and len(discarded) == 14 and len(talon) == 8 * 6
    for counted, share in ((dealt, 12 / 14), (discarded, 5 / 14), (talon, 1 / 8)):
        for number in counted.values():
            assert abs(number / n - share) < 4.5 * (share * (1 - share) / n) ** 0.5
    spread = (5 * 6 / 8 * 2 / 8 * 3 / 7 / n) ** 0.5
    assert abs(np.mean(courts) - 5 * 6 / 8) < 4.5 * spread


@pytest.mark.parametrize(
    ("preset", "sizes", "sets"),
    [
        ("korolik", {0, 3, 4, 5}, 1508),
        ("salon", {1, 2, 3, 4, 5}, 1585),
        ("rubicon", {1, 2, 3, 4, 5}, 1585),
    ],
)
def test_elders_exchange_sets(preset, sizes, sets):
    game = make_game("piquet", preset)
    found = exchange_sets(game, undisturbed(game))
    assert found.total() == sets and set(found) == sizes
    assert all(found[n] == comb(12, n) for n in sizes)


@pytest.mark.parametrize(
    ("preset", "taken", "most"),
    [("salon", 1, 7), ("cent", 1, 7), ("salon", 5, 3), ("korolik", 4, 4), ("korolik", 0, 5)],
)
def test_youngers_exchange_sets(preset, taken, most):
    """All that is left at most: 1..7 gives the spec's 3301."""
    game = make_game("piquet", preset)
    states = undisturbed(game)
    for _ in range(taken):
        game.advance(states, [int(np.flatnonzero(game.legal(states)[0])[0])], go_on=False)
    if states[0]["exchanged"][ELDER] < 0:
        game.advance(states, [act.PASS], go_on=False)
    found = exchange_sets(game, states)
    low = 3 if preset == "korolik" else 1
    none = preset in ("korolik", "cent")
    assert set(found) == {*range(low, most + 1), *([0] if none else [])}
    assert found.total() == sum(comb(12, n) for n in found)
    if (preset, taken) == ("salon", 1):
        assert found.total() == 3301


def undisturbed(game):
    """A deal in which nobody holds a blank; seat 0 is elder."""
    states = game.deal(random.Random(1).sample(range(32), 32), {"dealer": 1})
    assert states[0]["phase"] == st.EXCHANGE and states[0]["seat"] == ELDER
    return states


def exchange_sets(game, states):
    """How many sets of each size may be exchanged, walking through them in ascending order of cards."""
    found, seat = Counter(), int(states[0]["seat"])
    walk = [(states, -1)]
    while walk:
        at, last = walk.pop()
        if at[0]["phase"] != st.EXCHANGE or at[0]["seat"] != seat:
            found[int(at[0]["exchanged"][seat])] += 1
            continue
        mask = game.legal(at)[0]
        marks = np.flatnonzero(mask[:32])
        assert sum(1 << int(card) for card in marks) == at[0]["hand"][seat], "any card not marked yet may be marked"
        for action in [*marks[marks > last], *([act.PASS] if mask[act.PASS] else [])]:
            after = at.copy()
            game.advance(after, [int(action)], go_on=False)
            walk.append((after, int(action)))
    return found


def test_three_quatorzes_give_sixteen_legal_actions():
    game = make_game("piquet")
    states = final_hands(game, *hands("AKQ", "JT9"))
    while states[0]["phase"] != st.SET:
        game.advance(states, [act.PASS if game.legal(states)[0, act.PASS] else act.GOOD], go_on=False)
    assert game.legal(states).sum() == 16
    assert game.legal(final_hands(game, *hands("AKQ", "987"))).sum() <= 13


def hands(elder, younger):
    return [[rank + suit for suit in SUITS for rank in ranks] for ranks in (elder, younger)]


@pytest.mark.parametrize("winner", [ELDER, YOUNGER])
@pytest.mark.parametrize(("preset", "opened", "total"), [("korolik", 0, 169), ("korolik", 1, 209), ("rubicon", 0, 170)])
def test_four_tierces_major(winner, preset, opened, total):
    """Repique and capot: the classical record, and no bound."""
    game = make_game("piquet", preset, declaration_mode="auto")
    best, poor = hands("AKQ", "JT9")
    states = final_hands(game, *((best, poor) if winner == ELDER else (poor, best)))
    while states[0]["stage"] == RUNNING:
        names, seat = game.legal_names(states), int(states[0]["seat"])
        if states[0]["phase"] == st.CAPOT:
            name = "OPEN_CAPOT" if opened and seat == winner else "PASS"
        else:
            name = max(names, key=lambda played: (CARDS.index(played[5:]) % 8) * (-1 if seat == winner else 1))
        game.advance(states, [game.action_id(name)], go_on=False)
    assert states[0]["ledger"][winner].sum() == total
    assert states[0]["ledger"][1 - winner].sum() == (1 if winner == YOUNGER else 0)


# Random play.


def play_out(game, states, salt, decline=()):
    """Play all deals to their ends at random; phases in `decline` are passed.

    Returns finals, decisions of each, and the most legal actions of each outside the phases of sets and in them.
    """
    n = len(states)
    decisions, widest = np.zeros(n, int), np.zeros((2, n), int)
    rows = np.arange(n)
    keys = np.array([hash_key(np.uint64(salt), row, CHOICE) for row in range(n)], np.uint64)
    for number in range(60):
        rows = rows[states["stage"][rows] == RUNNING]
        if not len(rows):
            return states, decisions, widest
        now = states[rows]
        mask = game.legal(now)
        sets = np.isin(now["phase"], (st.SET, st.SET_EXTRA, st.YSET))
        np.maximum.at(widest, (sets.astype(int), rows), mask.sum(axis=1))
        actions = np.zeros(len(rows), np.int64)
        random_actions(mask, keys[rows] + np.uint64(number), actions)
        actions[np.isin(now["phase"], decline)] = act.PASS
        game.loops.advance_rows(game.rules, now, actions)
        states[rows] = now
        decisions[rows] += 1
    raise AssertionError("a deal of more than 60 decisions")


def identity(game, finals):
    """Play points are 12, one for each trick won by its follower, and the extra unless a capot bars it (5.2)."""
    rules = game.rules[0]
    for final in finals:
        plays = [(int(s), int(a) - 32) for s, a in zip(final["log_seat"], final["log"], strict=True) if 32 <= a < 64]
        captures = 0
        for (_, led), (_, answer) in zip(plays[::2], plays[1::2], strict=True):
            captures += answer // 8 == led // 8 and answer < led
        extra = 0 if rules["capot_excludes_extra"] and 12 in final["tricks"] else int(rules["last_extra"])
        assert final["ledger"][:, st.ITEM_PLAY].sum() == 12 + captures + extra
        yield captures


@pytest.mark.parametrize("preset", ["korolik", "korolik_literal", "salon", "rubicon", "cent"])
def test_bounds_and_the_identity_of_play_points(preset):
    game = make_game("piquet", preset)
    finals, decisions, widest = play_out(game, game.begin(3, np.arange(150)), 1)
    assert decisions.max() <= 51 and widest[0].max() <= 13 and widest[1].max() <= 16
    assert len(list(identity(game, finals))) == len(finals)


DEALS = 20_000
NO_EXCHANGE = {
    "korolik": {"elder": (21.48, 0.054), "younger": (20.44, 0.051), "pique": 0.0067, "drawn": 0.0108},
    "rubicon": {"elder": (20.51, 0.053), "younger": (19.46, 0.050), "pique": 0.0069, "drawn": 0.0125},
}
SAME_RUNS = {  # elder, younger, equal
    "point": (0.466, 0.466, 0.068), "sequence": (0.406, 0.412, 0.037), "set": (0.406, 0.405, 0.0),
}  # fmt: skip


def close(found, wanted, error=0.0):
    """Whether the mean of `found` is within four standard errors of the spec's, which has an error of its own."""
    return abs(np.mean(found) - wanted) <= 4 * np.hypot(np.std(found) / np.sqrt(len(found)), error)


def close_share(found, wanted):
    """The same of a share, which the spec took from 60,000 deals and rounded."""
    spread = wanted * (1 - wanted)
    return abs(np.mean(found) - wanted) <= 4 * np.sqrt(spread / len(found) + spread / 60_000) + 5e-4


@pytest.mark.long
@pytest.mark.jit
@pytest.mark.parametrize("preset", NO_EXCHANGE)
def test_the_means_without_exchange(preset):
    game = make_game("piquet", preset, declaration_mode="auto")
    rng, wanted = random.Random(preset), NO_EXCHANGE[preset]
    decks = [rng.sample(CARDS, 24) for _ in range(DEALS)]
    states = np.concatenate([final_hands(game, deck[:12], deck[12:]) for deck in decks])
    finals, _, _ = play_out(game, states, 2, decline=(st.CAPOT,))
    scores = finals["ledger"].sum(axis=2)
    for seat, who in enumerate(("elder", "younger")):
        assert close(scores[:, seat], *wanted[who]), (who, scores[:, seat].mean())
    assert close_share(scores[:, 0] == scores[:, 1], wanted["drawn"])
    bonus = finals["ledger"][:, :, st.ITEM_BONUS]
    assert close_share(bonus[:, ELDER] == 60, 0.0026) and close_share(bonus[:, YOUNGER] == 60, 0.0027)
    assert close_share(bonus[:, ELDER] == 30, wanted["pique"])
    for category, (name, shares) in enumerate(SAME_RUNS.items()):
        rows = finals["ledger"][:, :, st.ITEM_POINT + category]
        equal = finals["outcome"][:, category] == st.VOID
        for told, share in zip((rows[:, 0] > 0, rows[:, 1] > 0, equal), shares, strict=True):
            assert close_share(told, share), (name, told.mean(), share)
    assert close_share((finals["tricks"] == 6).all(axis=1), 0.131)
    assert close_share(finals["tricks"][:, 0] == 12, 0.0080) and close_share(finals["tricks"][:, 1] == 12, 0.0066)
    assert close(list(identity(game, finals)), 4.044, 0.007)


FULL = {
    "korolik": ((18.74, 0.051), (17.83, 0.050), 33.7),
    "salon": (None, None, 34.2),
    "rubicon": ((17.65, 0.048), (16.90, 0.048), 32.2),
}


@pytest.mark.jit
@pytest.mark.parametrize("preset", FULL)
def test_the_means_of_the_whole_deal(preset):
    """Both offers of a capot declined for the points; they are decisions all the same."""
    game, (elder, younger, length) = make_game("piquet", preset), FULL[preset]
    finals, decisions, _ = play_out(game, game.begin(4, np.arange(DEALS)), 3, decline=(st.CAPOT,))
    assert close(decisions, length, 0.01 + 0.05 / 4) and 40 <= decisions.max() <= 51
    scores, seats = finals["ledger"].sum(axis=2), 1 - finals["start"]["dealer"]
    for who, wanted in ((seats, elder), (1 - seats, younger)):
        if wanted:
            found = scores[np.arange(DEALS), who]
            assert close(found, *wanted), found.mean()
