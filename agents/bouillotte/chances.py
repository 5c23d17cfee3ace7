"""The chance of winning a showdown: the unseen cards dealt again and again, each time contested by the rules themselves.

With the same cards in hand the deals are the same, so the answer depends on the view alone. A seat that has gone along with a
stake is dealt four cards and keeps the best three: players stake on good hands, but not on these alone.
"""

import numpy as np

from ...envs.bouillotte import state as st
from ...envs.bouillotte.seats import next_in
from ...envs.bouillotte.settlement import live
from ...envs.bouillotte.showdown import LANE, LANE_CARDS, LANE_VALUE, categorize, contest, strength_of, totals_of
from ...envs.engine.cards import bit, count, list_cards, lowest
from ...envs.engine.chance import WORLD, open_stream, shuffle
from ...envs.engine.jit import inline, jit
from ...envs.engine.state import NONE

DEALS = 64
CUTS = 4  # places of a shuffled pack that it is dealt from
BRELAN = 64  # above the value of any suit


@jit
def chance_of_winning(rules, view, seat, against):
    """The share of DEALS deals in which `seat`, asked once it has its cards, beats the set of seats `against`."""
    worlds = np.zeros(1, st.STATE)
    worlds[0]["dealt"] = view["dealt"]
    worlds[0]["start"]["dealer"] = view["start"]["dealer"]
    worlds[0]["retourne"] = view["retourne"]
    cards = np.zeros(st.PACK, np.int64)
    staked = seats_that_staked(view) & ~(1 << seat)
    stream = open_stream(np.uint64(view["hand"][seat]), 0, WORLD)
    unseen = list_cards(rules["pack"] & ~(view["hand"][seat] | bit(view["retourne"])), cards)
    category, rank = categorize(rules, view["hand"][seat], view["retourne"], NONE)
    own = strength_of(rules, category, rank) << 8 * seat
    won = 0
    for deal in range(DEALS):
        world = worlds[0]  # anew in each turn of the loop: a record alone does not keep its array alive
        if deal % CUTS == 0:
            shuffle(stream, cards, unseen)
        world["hand"][seat] = view["hand"][seat]
        deal_from(rules, world, seat, cards, unseen, deal % CUTS * unseen // CUTS, staked)
        strengths = own
        for other in range(rules["players"]):
            if against >> other & 1:
                category, rank = categorize(rules, world["hand"][other], world["retourne"], NONE)
                strengths |= strength_of(rules, category, rank) << 8 * other
        winner, _ = contest(rules, world, against | 1 << seat, strengths, totals_of(rules, world))
        won += winner == seat
    return won / DEALS


@inline
def seats_that_staked(view):
    """The set of seats in the game that have opened, called or raised."""
    if view["opener"] == NONE:
        return 0
    return live(view) if view["reopened"] else live(view) & ~view["waiting"]


@inline
def deal_from(rules, world, seat, cards, n, first, staked):
    """Deal each other seat three of the `n` cards, from place `first` on; of `staked` the best three of four, if that many."""
    left = n - st.HAND * (count(world["dealt"]) - 1)
    at = first
    other = seat
    for _ in range(count(world["dealt"]) - 1):
        other = next_in(rules, other, world["dealt"])
        one, two, three = card_at(cards, n, at), card_at(cards, n, at + 1), card_at(cards, n, at + 2)
        hand = one | two | three
        at += st.HAND
        if left and staked >> other & 1:
            spare = card_at(cards, n, at)
            at += 1
            left -= 1
            four = hand | spare
            best = standing(rules, world["retourne"], hand)
            for thrown in (one, two, three):
                other_best = standing(rules, world["retourne"], four & ~thrown)
                if other_best > best:
                    best = other_best
                    hand = four & ~thrown
        world["hand"][other] = hand


@jit
def card_at(cards, n, place):
    """The set of one card; after the last comes the first."""
    return bit(cards[place if place < n else place - n])


@jit
def standing(rules, retourne, hand):
    """How good a hand looks to who holds it: a brelan, or its best suit with the retourne, more for a high card there."""
    category, rank = categorize(rules, hand, retourne, NONE)
    if category != st.POINT:
        return BRELAN + strength_of(rules, category, rank)
    turned = bit(retourne) if rules["retourne_counts"] else 0
    best = 0
    for suit in range(4):
        lane = hand >> LANE * suit & LANE_CARDS
        if lane:
            best = max(best, LANE_VALUE[lane | (turned >> LANE * suit & LANE_CARDS)] - 2 * lowest(lane))
    return best
