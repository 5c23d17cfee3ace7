"""The slow twins of ombre and rocambole at random play: what every deal and match keeps, what seats know, placings."""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference import ombre_rules as rules
from reference.ombre import ACTIONS, Deal, make_options
from reference.ombre_replay import mixed, replay_agrees
from reference.ombre_samples import (
    HANDS,
    TO_PREMIERS,
    VOLE,
    VOLE_HANDS,
    VOLE_TALON,
    check_cards,
    check_chips,
    check_end,
    chooser,
    dealt,
    play_on,
    random_deal,
    shuffled,
)
from reference.ombre_worlds import View, placing_fits


def test_random_play_over_presets_and_options():
    seen = Counter()
    for number in range(1500):
        rng = random.Random(number)
        deal = random_deal(number, rng)
        choose = chooser(rng)
        check_chips(deal)
        while deal.seat is not None:
            legal = deal.legal()
            assert len(legal) >= 2 and legal == sorted(set(legal), key=ACTIONS.index)
            seen[deal.phase] += 1
            deal.apply(choose(deal))
            check_cards(deal)
            check_chips(deal)
        check_end(deal)
        seen[deal.outcome] += 1
        seen[deal.vole] += 1
        with pytest.raises(ValueError):
            deal.apply("PASS")
    phases = ["AUCTION", "CASCO_AUCTION", "NAME_TRUMP", "CASCO_KEEP", "CASCO_TRUMP", "HANDOVER", "DISCARD", "LOOK", "PLAY"]
    assert all(seen[name] for name in (*phases, "PREMIERS", *rules.OUTCOMES, "made", "failed")), seen


def test_forced_moves_are_played_and_noted():
    """With auto=False the same deal waits at every state; history is the same, decisions have a choice."""
    for number in range(60):
        rng = random.Random(number)
        deal, slow = random_deal(number, random.Random(number)), random_deal(number, random.Random(number), auto=False)
        while deal.seat is not None:
            deal.apply(rng.choice(deal.legal()))
        for seat, name in deal.history:
            assert slow.seat == seat and name in slow.legal()
            slow.apply(name)
        assert slow.seat is None and slow.history == deal.history and slow.decisions == deal.decisions
        assert slow.result() == deal.result() and slow.payments == deal.payments


NINE_TRUMPS = (["AS", "AH", "2H", "3H", "7H", "JH", "QH", "KH", "AC"], *VOLE_HANDS[1:])
TRUMPS_ON_TOP = ["4H", "5H", "6H", "2D", *VOLE_TALON[4:]]


def longest(deal: Deal) -> str:
    """The way to the most actions: DONE instead of the last card of an exchange while the talon is not used up by it."""
    legal = deal.legal()
    if deal.phase == "DISCARD" and "DONE" in legal:
        first = deal.defenders[0] if deal.defenders else None
        least = {deal.ombre: 1, first: 8 if deal.contract in rules.MAIN_BIDS else 1}
        if len(deal.marks[deal.seat]) == least.get(deal.seat, 9):
            return "DONE"
    if deal.phase == "DISCARD":
        return "2H" if deal.seat == deal.ombre else legal[0]
    if deal.phase == "CASCO_TRUMP":
        return "TRUMP_H"
    return legal[-1] if deal.phase == "PREMIERS" else legal[0]


@pytest.mark.parametrize(
    ("calls", "number"),
    [
        (["ENTRADA", "VUELTA", "PASS", "VUELTA", "SOLO", "SOLO", "PASS", "TRUMP_H"], 51),
        (["ENTRADA", "VUELTA", "PASS", "VUELTA", "PASS"], 49),
        (["ENTRADA", "PASS", "PASS", "TRUMP_H"], 48),
    ],
)
def test_most_actions(calls, number):
    """The bounds of 4.6 are reached."""
    deal = dealt(hands=NINE_TRUMPS, talon=TRUMPS_ON_TOP, actions=calls)
    play_on(deal, longest)
    assert deal.vole == "made" and len(deal.history) == number


CASCO_CALLS = ["CASCO_LESSER PASS PASS AS", "CASCO_LESSER CASCO_GREATER PASS CASCO_GREATER PASS"]


@pytest.mark.parametrize("calls", CASCO_CALLS)
def test_most_actions_casco(calls):
    """45 is a bound only: five calls and a card to keep do not go together, so 43."""
    hands = (["AS", "AC", *VOLE_TALON[:2], "AD", "3D", "4D", "5D", "6D"], *VOLE_HANDS[1:])
    talon = ["AH", "3H", "7H", "JH", "QH", "KH", "5H", "6H", "2D", "7D", "JC", "QC", "KC"]
    deal = dealt(hands=hands, talon=talon, actions=["PASS"] * 3 + calls.split())
    play_on(deal, longest)
    assert len(deal.history) == 43


# ------------------------------------------------------------------ random play, the numbers of section 11


def near(found: float, expected: float, error: float) -> bool:
    return abs(found - expected) < 4 * error


def test_uniform_random_play_default():
    rng, number = random.Random(11), 2500
    deals = [play_on(Deal(make_options(), shuffled(rng), 2), lambda d: rng.choice(d.legal())) for _ in range(number)]
    outcomes = Counter(deal.outcome for deal in deals)
    for name, share in {"WIN": 0.299, "CODILLE": 0.551, "REMISE": 0.146, "REFUSED": 0.0027, "PASS_OUT": 0.0012}.items():
        assert near(outcomes[name] / number, share, math.sqrt(share * (1 - share) * (1 / number + 1 / 60000))), name
    lengths = [len(deal.history) for deal in deals]
    choices = [deal.decisions for deal in deals]
    for values, mean in ((lengths, 39.03), (choices, 29.51)):
        found = sum(values) / number
        spread = math.sqrt(sum((x - found) ** 2 for x in values)) / number
        assert near(found, mean, spread + 0.01), (found, mean, spread)


def test_uniform_random_solo_in_hearts():
    rng, number, options = random.Random(12), 2000, make_options("default", {"defenders_exchange": False})
    fixed = {"AUCTION": None, "NAME_TRUMP": "TRUMP_H", "PREMIERS": "STOP"}
    deals = []
    for _ in range(number):
        deal = Deal(options, shuffled(rng), 2)
        while deal.seat is not None:
            name = ("PASS" if deal.calls else "SOLO") if deal.phase == "AUCTION" else fixed.get(deal.phase)
            deal.apply(name or rng.choice(deal.legal()))
        deals.append(deal)
    outcomes = Counter(deal.outcome for deal in deals)
    for name, share in {"WIN": 0.287, "CODILLE": 0.566, "REMISE": 0.147}.items():
        assert near(outcomes[name] / number, share, math.sqrt(share * (1 - share) * (1 / number + 1 / 40000))), name
    assert near(sum(deal.first_five for deal in deals) / number, 0.0084, 0.0021)
    assert near(sum(deal.tricks[0] for deal in deals) / number, 3.006, 0.035)


# ------------------------------------------------------------------ what a seat knows


def test_knowledge_is_what_was_seen():
    """What a seat is told is true, and nothing of it is another seat's affair (that no more is told: see the placings)."""
    for number in range(120):
        rng = random.Random(number)
        deal = random_deal(number, rng)
        choose = chooser(rng)
        while deal.seat is not None:
            for seat in range(3):
                known = deal.knows(seat)
                assert known["hand"] == deal.hands[seat] and known["discards"] == deal.discards[seat]
                assert (known["legal"] is not None) == (seat == deal.seat)
                assert all(cards <= deal.hands[other] for other, cards in known["held"].items())
                assert known["matador_run"] is None and known["outcome"] is None
            deal.apply(choose(deal))
        for seat in range(3):
            assert deal.knows(seat)["matador_run"] == deal.run and deal.knows(seat)["totals"] == tuple(deal.totals)


def test_private_moments_look_alike():
    """A choice of the black ace to keep, and single discards, are not seen by the others."""
    casco = ["PASS"] * 3 + ["CASCO_LESSER", "PASS", "PASS"]
    hands = (["AS", *HANDS[0][1:8], "AC"], ["7C" if c == "AC" else c for c in HANDS[1]], HANDS[2])
    deal = dealt(hands=hands, actions=casco)
    before = deal.knows(1)
    assert deal.phase == "CASCO_KEEP" and deal.knows(0)["phase"] == "CASCO_KEEP" and before["phase"] == "CASCO_TRUMP"
    assert deal.count_upper(1) == math.comb(31, 9) * math.comb(22, 9)  # nothing of it is exchanged yet
    deal.apply("AC")
    assert deal.knows(1) == before and deal.knows(0)["discards"] == set(hands[0]) - {"AC"}
    deal = dealt(actions=["ENTRADA", "PASS", "PASS", "TRUMP_H"])
    before = deal.knows(1)
    for card in ("3S", "4S"):
        deal.apply(card)
        assert deal.knows(1) == before and deal.knows(0)["marks"][-1] == card
    deal.apply("DONE")
    assert deal.knows(1)["exchanged"] == (2, None, None) and deal.knows(1)["talon_left"] == 11


def test_turned_card_is_known():
    deal = dealt(actions=["VUELTA", "PASS", "PASS"])
    assert deal.knows(1)["turned"] == "AH" and deal.knows(1)["held"][0] == set()
    deal.apply("7C")
    deal.apply("DONE")
    assert deal.knows(1)["held"][0] == deal.knows(2)["held"][0] == {"AH"}
    for name in ("GO_FIRST", "DONE", "DONE", "AH"):
        deal.apply(name)
    assert deal.knows(1)["held"][0] == set()


# ------------------------------------------------------------------ placings (worlds)


def all_placings(deal: Deal, seat: int):
    """Every way to put the unseen cards into the free places, with no condition."""
    view = View(deal.options, deal.knows(seat))
    places = [*view.slots, "talon"]
    sizes = [*view.slots.values(), view.talon_slots]
    for placed in divisions(view.unseen, sizes):
        parts = dict(zip(places, placed))
        hands, discards = list(map(frozenset, deal.hands)), list(map(frozenset, deal.discards))
        for other in view.others:
            hands[other] = parts[other, "hand"] | view.knows["held"][other]
            discards[other] = parts[other, "discards"]
        yield tuple(hands), tuple(discards), parts["talon"] | frozenset(view.known_talon)


def divisions(cards: list[str], sizes: list[int]):
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(cards, sizes[0]):
        for rest in divisions([c for c in cards if c not in chosen], sizes[1:]):
            yield [frozenset(chosen), *rest]


def test_worlds_are_all_that_fit():
    """For small numbers: the truth is a world, and the worlds are the placings the deal itself agrees with."""
    checked, fewer = 0, 0
    for number in range(200):
        rng = random.Random(500 + number)
        deal = random_deal(number, rng)
        choose = chooser(rng)
        while True:
            seat = deal.seat if deal.seat is not None else number % 3
            if deal.plays and deal.count_upper(seat) <= 400 and rng.random() < 0.3:
                found, every = list(deal.worlds(seat)), list(all_placings(deal, seat))
                assert len(every) == len(set(every)) == deal.count_upper(seat)
                assert len(found) == len(set(found)) and deal.placing() in found
                assert set(found) == {placing for placing in every if placing_fits(deal.options, deal.knows(seat), placing)}
                for placing in rng.sample(every, min(8, len(every))):
                    assert replay_agrees(deal, seat, placing) == (placing in found)
                fewer += len(found) < len(every)
                checked += 1
            if deal.seat is None:
                break
            deal.apply(choose(deal))
    assert checked > 40 and fewer > 10, (checked, fewer)


def test_worlds_agree_with_replay():
    """A placing is accepted exactly if the deal run with it leads the seat to the same knowledge."""
    accepted = Counter()
    for number in range(260):
        rng = random.Random(3000 + number)
        deal = random_deal(number, rng)
        choose = chooser(rng)
        while True:
            seat = deal.seat if deal.seat is not None else number % 3
            if rng.random() < (0.1 if deal.seat is not None else 0.7):
                known = deal.knows(seat)
                assert placing_fits(deal.options, known, deal.placing()) and replay_agrees(deal, seat, deal.placing())
                for swaps in (1, 2, 12):
                    placing = mixed(deal, seat, rng, swaps)
                    fits, found = placing_fits(deal.options, known, placing), replay_agrees(deal, seat, placing)
                    assert fits == found, (number, deal.phase, seat, deal.history, placing, fits)
                    accepted[fits] += 1
            if deal.seat is None:
                break
            deal.apply(choose(deal))
    assert min(accepted.values()) > 200, accepted


def exchanged(placing: tuple, one: str, other: str) -> tuple:
    """The placing with two cards changing places."""
    swap = {one: other, other: one}

    def turned(cards):
        return frozenset(swap.get(card, card) for card in cards)

    return tuple(map(turned, placing[0])), tuple(map(turned, placing[1])), turned(placing[2])


def judged(deal: Deal, seat: int, placing: tuple) -> bool:
    """Both judges must agree."""
    fits = placing_fits(deal.options, deal.knows(seat), placing)
    assert fits == replay_agrees(deal, seat, placing)
    return fits


@pytest.mark.parametrize(("keep", "fits"), [("black_ace", False), ("any", True)])
def test_placings_know_the_card_kept(keep, fits):
    """The player of the lesser casco still has a black ace, were the other one thrown."""
    hands = (["AS", *HANDS[0][1:8], "AC"], ["7C" if c == "AC" else c for c in HANDS[1]], HANDS[2])
    casco = ["PASS"] * 3 + ["CASCO_LESSER", "PASS", "PASS", "AS", "TRUMP_H"]
    deal = dealt({"casco_lesser_keep": keep}, hands=hands, actions=casco)
    assert deal.seat == 1 and judged(deal, 1, deal.placing())
    assert judged(deal, 1, exchanged(deal.placing(), "AS", "AC"))
    assert judged(deal, 1, exchanged(deal.placing(), "AC", "JC"))
    assert judged(deal, 1, exchanged(deal.placing(), "AS", "JC")) == fits


def test_placings_know_the_run_at_the_end():
    """STOP: of the four cards not played only the length of the run is told."""
    before = dealt(**VOLE, actions=TO_PREMIERS)
    assert placing_fits(before.options, before.knows(1), exchanged(before.placing(), "QH", "2H"))
    deal = dealt(**VOLE, actions=[*TO_PREMIERS, "STOP"])
    assert deal.run == 7 and judged(deal, 1, exchanged(deal.placing(), "2D", "4D"))
    assert not judged(deal, 1, exchanged(deal.placing(), "QH", "2H"))
    assert not judged(deal, 1, exchanged(deal.placing(), "2D", "2H"))
