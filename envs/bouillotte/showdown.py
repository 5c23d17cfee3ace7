"""Hands: brelans and what they are paid, the point, and who wins a layer of the pot (spec sections 5.1 and 5.3).

A suit of a hand is a lane of nine bits, ace first: its value is a table's entry, its highest card the lowest bit.
"""

import numpy as np

from ..engine.cards import bit, count, lowest
from ..engine.jit import inline, jit
from ..engine.state import NONE
from . import state as st
from .actions import RANKS
from .options import COLLECT, DECLARED_RANK, PAIR_RETOURNE, PARLETT, QUEEN_TURNED
from .seats import next_in

LANE = len(RANKS)
LANE_CARDS = (1 << LANE) - 1
_VALUES = (11, 10, 10, 10, 10, 9, 8, 7, 6)  # by rank
LANE_VALUE = np.array([sum(v for r, v in enumerate(_VALUES) if lane >> r & 1) for lane in range(1 << LANE)], np.int64)
LANE_VALUE.flags.writeable = False
QUEEN = RANKS.index("Q")
STRENGTH = 16  # strength = 16 * category + place of the rank


@jit
def categorize(rules, hand, retourne, turned):
    """(category, rank) of a hand (5.1); `turned`: its talon card, or NONE. An empty hand is a point."""
    if not rules["brelan_enabled"] or hand == 0:
        return st.POINT, 0
    first = lowest(hand) % LANE
    if count(rank_cards(first) & hand) == 3:
        fourth = (retourne >= 0 and retourne % LANE == first) or (turned >= 0 and turned % LANE == first)
        return (st.CARRE if fourth else st.SIMPLE), first
    rank = pair_beside(hand, rules["st_james"], rules["st_james_colour"])
    if rank != NONE:
        return (st.ST_JAMES_CARRE if retourne >= 0 and retourne % LANE == rank else st.ST_JAMES), rank
    rank = pair_beside(hand, rules["mistigri"], rules["mistigri_colour"])
    if rank != NONE:
        return (st.MISTIGRI_CARRE if retourne >= 0 and retourne % LANE == rank else st.MISTIGRI), rank
    if rules["favori"] == PAIR_RETOURNE and retourne >= 0 and count(rank_cards(retourne % LANE) & hand) == 2:
        return st.FAVORI_PAIR, retourne % LANE
    return st.POINT, 0


@jit
def rank_cards(rank):
    """The four cards of a rank."""
    return bit(rank) | bit(rank + LANE) | bit(rank + 2 * LANE) | bit(rank + 3 * LANE)


@jit
def pair_beside(hand, wild, one_colour):
    """The rank of the pair that a hand has beside a wild card; NONE where it has no such card, or no pair."""
    if wild < 0 or not hand >> wild & 1:
        return NONE
    rest = hand & ~bit(wild)
    one = lowest(rest)
    other = lowest(rest & (rest - 1))
    if one % LANE != other % LANE:
        return NONE
    if one_colour and is_red(one) != is_red(other):
        return NONE
    return one % LANE


@jit
def is_red(card):
    suit = card // LANE
    return suit == 1 or suit == 2  # suits are S H D C


@jit
def strength_of(rules, category, rank):
    """Larger is better; below STRENGTH there is no brelan."""
    return STRENGTH * category + rules["order"][rank] if category else 0


@jit
def pay_of(rules, category, rank, retourne):
    """What an ordinary payer owes for a hand."""
    if category == st.SIMPLE and (
        (rules["favori"] == QUEEN_TURNED and retourne >= 0 and retourne % LANE == QUEEN)
        or (rules["favori"] == DECLARED_RANK and rank == rules["favori_rank"])
    ):
        return rules["pay_favori"]
    return rules["pay"][category]


@inline
def write_totals(rules, state, totals):
    """T of each suit (5.3): what all dealt hands, and where it counts the retourne, hold of it."""
    cards = 0
    for seat in range(rules["players"]):
        hand = state["hand"][seat]
        locked = hand and rules["brelan_locks_cards"] and rules["brelan_enabled"]
        if not (locked and count(rank_cards(lowest(hand) % LANE) & hand) == 3):
            cards |= hand
    if rules["retourne_counts"] and state["retourne"] >= 0:
        cards |= bit(state["retourne"])
    for suit in range(4):
        totals[suit] = LANE_VALUE[cards >> LANE * suit & LANE_CARDS]


@inline
def contest(rules, state, contestants, strength, totals, number):
    """The seat of a set that wins one layer (5.3); `number` (by seat) becomes what decided a point."""
    best = NONE
    seat = state["start"]["dealer"]
    for _ in range(count(contestants)):
        seat = next_in(rules, seat, contestants)
        if best == NONE or strength[seat] > strength[best]:
            best = seat
    if strength[best] >= STRENGTH:
        return best
    number[:] = 0
    if rules["point"] == COLLECT:
        count_collected(rules, state, contestants, totals, number)
    elif rules["point"] == PARLETT:
        best = count_parlett(rules, state, contestants, totals, number)
        if best != NONE:
            return best
    else:
        count_own(rules, state, contestants, number)
    best = NONE
    seat = state["start"]["dealer"]
    for _ in range(count(contestants)):  # in order of privilege, so an equal number does not win
        seat = next_in(rules, seat, contestants)
        if best == NONE or number[seat] > number[best]:
            best = seat
    return best


@inline
def owner_of(rules, state, suit, among):
    """The seat of a set that holds the highest card of a suit; NONE where none holds any."""
    best = lane_best = NONE
    for seat in range(rules["players"]):
        lane = state["hand"][seat] >> LANE * suit & LANE_CARDS
        if among >> seat & 1 and lane:
            top = lowest(lane)
            if best == NONE or top < lane_best:
                best = seat
                lane_best = top
    return best


@inline
def count_collected(rules, state, contestants, totals, number):
    """`point_rule=collect`: the largest T of the suits that a contestant owns."""
    for suit in range(4):
        owner = owner_of(rules, state, suit, contestants)
        if owner != NONE:
            number[owner] = max(number[owner], totals[suit])


@inline
def count_parlett(rules, state, contestants, totals, number):
    """`point_rule=parlett`: the contestant with the highest card of all of a largest suit, or NONE and own cards of others."""
    largest = max(max(totals[0], totals[1]), max(totals[2], totals[3]))
    tops = 0
    for suit in range(4):
        if totals[suit] == largest:
            owner = owner_of(rules, state, suit, state["dealt"])
            if owner != NONE and contestants >> owner & 1:
                tops |= 1 << owner
                number[owner] = largest
        else:
            for seat in range(rules["players"]):
                if contestants >> seat & 1:
                    own = LANE_VALUE[state["hand"][seat] >> LANE * suit & LANE_CARDS]
                    number[seat] = max(number[seat], own)
    return next_in(rules, state["start"]["dealer"], tops)


@inline
def count_own(rules, state, contestants, number):
    """`point_rule=own_hand`: the best suit of a contestant's own cards, and the retourne of that suit where it counts."""
    for suit in range(4):
        turned = 0
        if rules["retourne_counts"] and state["retourne"] >= 0 and state["retourne"] // LANE == suit:
            turned = bit(state["retourne"] - LANE * suit)
        for seat in range(rules["players"]):
            lane = state["hand"][seat] >> LANE * suit & LANE_CARDS
            if contestants >> seat & 1 and lane:
                number[seat] = max(number[seat], LANE_VALUE[lane | turned])
