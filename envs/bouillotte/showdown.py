"""Hands: brelans and what they are paid, the point, and who wins a layer of the pot (spec sections 5.1 and 5.3).

A suit of a hand is a lane of nine bits, ace first: its value is a table's entry, its highest card the lowest bit.
"""

import numpy as np

from ..engine.cards import bit, count, lowest
from ..engine.jit import jit
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


@jit
def byte(word, k):
    """Small numbers of the seats, or of the suits, are bytes of one word: an array would cost more than the contest."""
    return word >> 8 * k & 255


@jit
def raise_byte(word, k, number):
    """The word with byte k as large as `number` at least."""
    before = byte(word, k)
    return word + (number - before << 8 * k) if number > before else word


@jit
def totals_of(rules, state):
    """T of each suit (5.3), as bytes: what all dealt hands, and where it counts the retourne, hold of it."""
    cards = 0
    for seat in range(rules["players"]):
        hand = state["hand"][seat]
        locked = hand and rules["brelan_locks_cards"] and rules["brelan_enabled"]
        if not (locked and count(rank_cards(lowest(hand) % LANE) & hand) == 3):
            cards |= hand
    if rules["retourne_counts"] and state["retourne"] >= 0:
        cards |= bit(state["retourne"])
    totals = 0
    for suit in range(4):
        totals |= LANE_VALUE[cards >> LANE * suit & LANE_CARDS] << 8 * suit
    return totals


@jit
def contest(rules, state, contestants, strengths, totals):
    """(winner, numbers): the seat of a set that wins one layer (5.3), and what decided a point; words of bytes by seat."""
    best = first_of_best(rules, state, contestants, strengths)
    if byte(strengths, best) >= STRENGTH:
        return best, 0
    if rules["point"] == COLLECT:
        numbers = count_collected(rules, state, contestants, totals)
    elif rules["point"] == PARLETT:
        tops = holders_of_largest(rules, state, contestants, totals)
        if tops:
            return next_in(rules, state["start"]["dealer"], tops), 0
        numbers = count_own(rules, state, contestants, totals)
    else:
        numbers = count_own(rules, state, contestants, 0)
    return first_of_best(rules, state, contestants, numbers), numbers


@jit
def first_of_best(rules, state, contestants, numbers):
    """The contestant with the largest number; of equal ones that with the privilege."""
    best = NONE
    seat = state["start"]["dealer"]
    for _ in range(count(contestants)):
        seat = next_in(rules, seat, contestants)
        if best == NONE or byte(numbers, seat) > byte(numbers, best):
            best = seat
    return best


@jit
def owner_of(rules, state, suit, among):
    """The seat of a set that holds the highest card of a suit; NONE where none holds any."""
    owner = NONE
    highest = LANE
    for seat in range(rules["players"]):
        lane = state["hand"][seat] >> LANE * suit & LANE_CARDS
        if among >> seat & 1 and lane and lowest(lane) < highest:
            owner = seat
            highest = lowest(lane)
    return owner


@jit
def count_collected(rules, state, contestants, totals):
    """`point_rule=collect`: the largest T of the suits that a contestant owns."""
    numbers = 0
    for suit in range(4):
        owner = owner_of(rules, state, suit, contestants)
        if owner != NONE:
            numbers = raise_byte(numbers, owner, byte(totals, suit))
    return numbers


@jit
def largest_of(totals):
    return max(max(byte(totals, 0), byte(totals, 1)), max(byte(totals, 2), byte(totals, 3)))


@jit
def holders_of_largest(rules, state, contestants, totals):
    """`point_rule=parlett`: the contestants that hold the highest card of all of a suit with the largest T."""
    tops = 0
    for suit in range(4):
        if byte(totals, suit) == largest_of(totals):
            owner = owner_of(rules, state, suit, state["dealt"])
            if owner != NONE and contestants >> owner & 1:
                tops |= 1 << owner
    return tops


@jit
def count_own(rules, state, contestants, totals):
    """The best suit of a contestant's own cards: of the suits with less than the largest T (`parlett`), or, without
    `totals`, of all with the retourne where it counts (`own_hand`).
    """
    numbers = 0
    for suit in range(4):
        if totals and byte(totals, suit) == largest_of(totals):
            continue
        turned = 0
        if not totals and rules["retourne_counts"] and state["retourne"] // LANE == suit:
            turned = bit(state["retourne"] - LANE * suit)
        for seat in range(rules["players"]):
            lane = state["hand"][seat] >> LANE * suit & LANE_CARDS
            if contestants >> seat & 1 and lane:
                numbers = raise_byte(numbers, seat, LANE_VALUE[lane | turned])
    return numbers
