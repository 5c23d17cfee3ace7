"""The slow twin of bouillotte and brelan: random play under random options keeps 5.6; knowledge and placings (7)."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference.bouillotte import Deal, make_deck, make_options
from reference.bouillotte_knowledge import agrees, deck_of, hidden, unseen
from reference.bouillotte_rules import BRELAN, pack
from reference.bouillotte_samples import (
    check_end,
    check_state,
    check_step,
    chooser,
    play_on,
    random_deal,
    random_options,
    shuffled,
)
from reference.bouillotte_showdown import natural_brelan


def played_by_checks(number: int) -> Deal:
    """A random deal with every state and the end checked."""
    rng = random.Random(number)
    deal, choose = random_deal(number, rng), chooser(rng)
    check_state(deal)
    while deal.seat is not None:
        before = {"stakes": list(deal.stakes), "stacks": list(deal.stacks), "moves": len(deal.history)}
        seat, name = deal.seat, choose(deal)
        deal.apply(name)
        check_state(deal)
        check_step(deal, before, name, seat)
    check_end(deal)
    return deal


@pytest.mark.parametrize("seed", range(20))
def test_random_play(seed):
    for number in range(150):
        played_by_checks(10_000 * seed + number)


def test_random_play_reaches_all():
    """What the random deals are made of: every end, layers, talon cards, payers with nothing left."""
    found = Counter()
    for number in range(1500):
        deal = played_by_checks(number)
        found[deal.end] += 1
        found["side pots"] += len(deal.layers) > 1
        found["talon"] += bool(deal.turned)
        found["choice"] += any(name == "TALON_LAST" for _, name in deal.chosen)
        found["poor payer"] += any(amount == 0 for _, _, amount in deal.payments)
        found["two brelans"] += len({holder for _, holder, _ in deal.payments}) > 1
        found["buy-back"] += deal.doublings > len({seat for seat, name in deal.history if name == "CARRE"})
        found["forced"] += len(deal.history) > len(deal.chosen)
        found["left seat"] += len(deal.order) < deal.options["players"]
        found[deal.options["point_rule"]] += deal.end == "showdown"
        found["ladder"] += deal.options["action_abstraction"] == "ladder"
        found["privilege"] += any(one.decided == "privilege" for one in deal.contests)
    few = {name: count for name, count in found.items() if count < 5}
    assert not few and len(found) == 17


@pytest.mark.parametrize("preset", BRELAN)
def test_brelan_has_two_phases(preset):
    """brelan.md 4: numbers 3 to 6 are never legal."""
    for number in range(60):
        rng = random.Random(number)
        deal, choose = random_deal(number, rng, make_options(preset)), chooser(rng)
        while deal.seat is not None:
            assert deal.phase in ("OPENING", "BETTING") and not set(deal.ids()) & {3, 4, 5, 6}
            deal.apply(choose(deal))


def test_replay_and_given_actions():
    """The chosen actions alone give the deal again."""
    for number in range(200):
        deal = played_by_checks(number)
        again = deal.replay(deal.deck)
        assert all(again.knows(seat) == deal.knows(seat) for seat in deal.order) and again.net == deal.net


# ------------------------------------------------------------------ knowledge (section 7)


def moments(count: int):
    """(deal, rng) at decisions of random deals, all seats' knowledge to be asked."""
    for number in range(count):
        rng = random.Random(number)
        talon = make_options("seed_literal4", {"open_min": "match"}) if number % 5 == 0 else None
        deal, choose = random_deal(number, rng, talon), chooser(rng)
        stop = rng.choice((0, 0, 1, 2, 4, 7, 10, 99))
        while deal.seat is not None and deal.phase != "TALON" and len(deal.chosen) < stop:
            deal.apply(choose(deal))
        yield deal, rng


def redealt(deal: Deal, seat: int, rng: random.Random) -> tuple:
    """A placing with the cards the seat cannot see dealt anew."""
    knows = deal.knows(seat)
    cards, hands = unseen(deal, knows), dict(knows["hands"])
    rng.shuffle(cards)
    for other in hidden(deal, knows):
        hands[other], cards = frozenset(cards[:3]), cards[3:]
    retourne = knows["retourne"] or cards.pop()
    return tuple(hands[other] for other in deal.order), retourne, frozenset(cards)


def test_hidden_cards_change_nothing():
    """Before the end no seat's knowledge, and nothing it may do, hangs on a card it cannot see."""
    seen = Counter()
    for deal, rng in moments(900):
        if deal.seat is None:
            continue
        for seat in deal.order:
            placing = redealt(deal, seat, rng)
            assert agrees(deal, seat, placing), (deal.options, deal.history)
            other = deal.replay(deck_of(deal, placing))
            assert other.legal() == deal.legal() and other.seat == deal.seat
        seen[deal.phase] += 1
    assert seen["BLIND"] > 50 and seen["OPENING"] > 50 and seen["BETTING"] > 50 and seen["TALON"] > 5


def test_who_sees_what():
    for deal, _ in moments(600):
        for seat in deal.order:
            knows = deal.knows(seat)
            own = frozenset(deal.hands[seat])
            if deal.phase == "BLIND":
                assert knows["hand"] is None and knows["retourne"] is None and knows["hands"] == {}
            elif deal.phase in ("OPENING", "BETTING"):
                assert knows["hands"] == {seat: own} and knows["retourne"] == deal.retourne
            elif deal.phase == "TALON" or deal.end == "showdown":
                assert knows["hands"] == {other: frozenset(deal.hands[other]) for other in deal.order}
            assert (knows["legal"] is None) == (seat != deal.seat) and knows["hand"] in (None, own)
            assert {card for _, card in knows["turned"]}.isdisjoint(deal.talon)
            others = {key: value for key, value in deal.knows(deal.order[0]).items() if key in deal.public()}
            assert others == {key: knows[key] for key in deal.public()} == deal.public()


def test_own_cards_are_never_seen_in_the_blind():
    """Not by the carreur, not by anybody; from OPENING on, by their owners."""
    deal = Deal(make_options(), pack(make_options()), 3)
    for name in ("CARRE", "CARRE"):
        assert deal.phase == "BLIND" and all(deal.knows(seat)["hand"] is None for seat in range(4))
        deal.apply(name)
    assert deal.phase == "OPENING" and all(deal.knows(seat)["hand"] == frozenset(deal.hands[seat]) for seat in range(4))


# ------------------------------------------------------------------ placings


@pytest.mark.parametrize(
    "changes", [{}, {"ranks": "AJT", "players": 3}, {"ranks": "AQJT", "players": 2, "carre_anglais": "choice"}]
)
def test_worlds(changes):
    """All ways to place the unseen cards, each once, the true one among them; each gives the same knowledge."""
    options = make_options("mini", changes)
    rng = random.Random(3)
    deal = Deal(options, shuffled(options, rng), 0)
    deal.apply("NO_CARRE")
    for _ in range(3):
        seat = deal.seat
        worlds = list(deal.worlds())
        left = 4 * len(options["ranks"]) - 4
        assert len(worlds) == len(set(worlds)) == deal.count_upper() == comb(left, 3) * (comb(left - 3, 3) if left == 8 else 1)
        assert deal.placing() in worlds
        assert all(agrees(deal, seat, placing) for placing in rng.sample(worlds, 40))
        assert all(frozenset(deal.hands[seat]) == hands[deal.order.index(seat)] for hands, _, _ in worlds)
        deal.apply(deal.legal()[-2 if deal.phase == "OPENING" else 1])
        if deal.seat is None:
            return


def test_worlds_of_the_blind():
    options = make_options("mini", {"ranks": "AJ", "players": 2})
    deal = Deal(options, shuffled(options, random.Random(1)), 0)
    worlds = list(deal.worlds(0))
    assert deal.phase == "BLIND" and len(set(worlds)) == len(worlds) == comb(8, 3) * comb(5, 3) * 2 == deal.count_upper(0)
    assert deal.placing() in worlds and set(deal.worlds(1)) == set(worlds)


def test_worlds_of_the_talon():
    hands = {0: ["AS", "AH", "AD"], 1: ["JS", "JH", "JD"], 2: ["TS", "TH", "TD"]}
    options = make_options("bouillotte3", {"ranks": "AJT9", "players": 3, "carre_anglais": "choice", "direction": "right"})
    deal = Deal(options, make_deck(options, [0, 1, 2], hands, "TC", ["9S"]), 2)
    for name in ("NO_CARRE", "STAKE_TO 2", "CALL", "CALL"):
        deal.apply(name)
    assert deal.phase == "TALON" and list(deal.worlds()) == [deal.placing()] and deal.count_upper() == 1
    for name, seat in (("TALON_LAST", 1), ("TALON_FIRST", None)):
        deal.apply(name)
        assert deal.seat == seat and list(deal.worlds(2)) == [deal.placing()] and agrees(deal, 2, deal.placing())
    assert len(deal.placing()[2]) == 4


@pytest.mark.parametrize("scope", ["always", "showdown"])
def test_what_the_end_tells(scope):
    """Nobody paid: who is not seen holds no brelan, if one would have been paid."""
    options = make_options("mini", {"ranks": "AJT", "brelan_scope": scope})
    deal = Deal(options, make_deck(options, [1, 0], {0: ["AS", "AH", "JD"], 1: ["TS", "TH", "JS"]}, "AC"), 0)
    for name in ("NO_CARRE", "STAKE_TO 3", "FOLD"):
        deal.apply(name)
    left = unseen(deal, deal.knows(0))
    plain = [hand for hand in combinations(left, 3) if not natural_brelan(hand)]
    assert len(left) == 8 and len(plain) == comb(8, 3) - 1 - 4  # three jacks are left, and four tens
    assert deal.count_upper(0) == comb(8, 3)
    assert len(list(deal.worlds(0))) == (len(plain) if scope == "always" else comb(8, 3))


def test_random_options_are_many():
    options = [random_options(random.Random(number)) for number in range(300)]
    for name in ("players", "carre_mode", "point_rule", "bust_rule", "episode", "action_abstraction", "brelan_cross"):
        assert len({one[name] for one in options}) > 1
    assert len({tuple(one.values()) for one in options}) > 250
    assert play_on(random_deal(1, random.Random(1)), chooser(random.Random(1))).seat is None
