"""The chance of winning a showdown: the unseen cards dealt again and again, each time contested by the rules themselves.

The deals are the same at every question, so the answer depends on the view alone. A seat that has gone along with a stake is
dealt its hand more than once and keeps the best: players stake on good hands, but not on these alone.
"""

import numpy as np

from ...envs.bouillotte import state as st
from ...envs.bouillotte.seats import next_in
from ...envs.bouillotte.settlement import live
from ...envs.bouillotte.showdown import LANE, LANE_CARDS, LANE_VALUE, categorize, contest, strength_of, write_totals
from ...envs.engine.cards import bit, count, list_cards, lowest
from ...envs.engine.chance import WORLD, open_stream, shuffle
from ...envs.engine.jit import inline, jit
from ...envs.engine.state import NONE

DEALS = 64
CUTS = 4  # places of a shuffled pack that it is dealt from
TRIES = 2  # hands that a seat is dealt at most beside its first
BRELAN = 64  # above the value of any suit
_KEY = np.uint64(1)


@jit
def chance_of_winning(rules, view, seat, against):
    """The share of DEALS deals in which `seat`, asked once it has its cards, beats the set of seats `against`."""
    worlds = np.zeros(1, st.STATE)
    worlds[0]["dealt"] = view["dealt"]
    worlds[0]["start"]["dealer"] = view["start"]["dealer"]
    worlds[0]["retourne"] = view["retourne"]
    cards = np.zeros(st.PACK, np.int64)
    strength = np.zeros(st.SEATS, np.int64)
    number = np.zeros(st.SEATS, np.int64)
    totals = np.zeros(4, np.int64)
    tries = np.zeros(st.SEATS, np.int64)
    count_tries(rules, view, seat, tries)
    stream = open_stream(_KEY, 0, WORLD)
    unseen = list_cards(rules["pack"] & ~(view["hand"][seat] | bit(view["retourne"])), cards)
    won = 0
    for deal in range(DEALS):
        world = worlds[0]  # anew in each turn of the loop: a record alone does not keep its array alive
        if deal % CUTS == 0:
            shuffle(stream, cards, unseen)
        world["hand"][seat] = view["hand"][seat]
        deal_from(rules, world, seat, cards, unseen, deal % CUTS * unseen // CUTS, tries)
        for other in range(rules["players"]):
            category, rank = categorize(rules, world["hand"][other], world["retourne"], NONE)
            strength[other] = strength_of(rules, category, rank)
        write_totals(rules, world, totals)
        won += contest(rules, world, against | 1 << seat, strength, totals, number) == seat
    return won / DEALS


@inline
def count_tries(rules, view, seat, tries):
    """How many hands beside the first each seat is dealt: one if it has gone along with a stake, one more for a large one."""
    if view["opener"] == NONE:
        return
    for other in range(rules["players"]):
        if other != seat and live(view) >> other & 1 and not view["waiting"] >> other & 1:
            tries[other] = 1
    if view["aggressor"] != seat and 3 * view["level"] > view["pot"]:
        tries[view["aggressor"]] = TRIES


@inline
def deal_from(rules, world, seat, cards, n, first, tries):
    """Deal each other seat three of the `n` cards, from place `first` on, and to whom it is due a better three."""
    at = first
    for other in range(rules["players"]):
        if world["dealt"] >> other & 1 and other != seat:
            world["hand"][other] = three(cards, n, at)
            at += st.HAND
    other = seat
    left = n - (at - first)
    for _ in range(count(world["dealt"]) - 1):
        other = next_in(rules, other, world["dealt"])
        for _ in range(tries[other]):
            if left >= st.HAND:
                hand = three(cards, n, at)
                if standing(rules, world, hand) > standing(rules, world, world["hand"][other]):
                    world["hand"][other] = hand
                at += st.HAND
                left -= st.HAND


@inline
def three(cards, n, at):
    """The set of the three cards from place `at` on, the first after the last."""
    hand = 0
    for k in range(at, at + st.HAND):
        hand |= bit(cards[k if k < n else k - n])
    return hand


@jit
def standing(rules, world, hand):
    """How good a hand looks to who holds it: a brelan, or its best suit with the retourne, more for a high card there."""
    category, rank = categorize(rules, hand, world["retourne"], NONE)
    if category != st.POINT:
        return BRELAN + strength_of(rules, category, rank)
    turned = bit(world["retourne"]) if rules["retourne_counts"] else 0
    best = 0
    for suit in range(4):
        lane = hand >> LANE * suit & LANE_CARDS
        if lane:
            best = max(best, LANE_VALUE[lane | (turned >> LANE * suit & LANE_CARDS)] - 2 * lowest(lane))
    return best
