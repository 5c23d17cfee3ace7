"""Whether a placing of the cards that a seat of piquet cannot know agrees with all that it has seen.

A final hand is the other seat's twelve cards after its exchange, played ones too.
"""

import numpy as np

from ..engine.cards import bit, count, lowest
from ..engine.jit import jit
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .legal import elder_of
from .scoring import (
    COURTS,
    RANK_CARDS,
    RED_RANKS,
    SUIT_PIPS,
    best_pips,
    best_run,
    best_set,
    longest_suit,
    of_rank,
    run_cards,
    run_class,
    suit_byte,
)
from .state import CATEGORY_POINT, CATEGORY_SEQ, CATEGORY_SET

ALL = (1 << 32) - 1


@jit
def consistent(rules, view, world, seat):
    """Whether the world's placing would have given this view; that `hide(world)` is the view is asked apart."""
    other = 1 - seat
    final = world["hand"][other] | world["played"][other]
    if world["exchanged"][other] == NONE:
        final = world["dealt"][other]
    must, closed = bounds_of_hand(rules, view, other)
    if final & must != must or final & closed or final & ~view["played"][other] & void_suits(view, other):
        return False
    drawn = 0
    talon = 0
    for position in range(8):
        if drawn_by(world, other, position):
            drawn |= bit(world["talon"][position])
        elif not drawn_by(world, seat, position):
            talon |= bit(world["talon"][position])
    mine = view["hand"][seat] | view["played"][seat] | view["discarded"][seat]
    parts = count(final) + count(world["discarded"][other]) + count(talon) + count(mine)
    if parts != 32 or final | world["discarded"][other] | talon | mine != ALL:
        return False
    if drawn & ~final or world["dealt"][other] != final & ~drawn | world["discarded"][other]:
        return False
    if world["blank"][other] == st.SHOWN and not rules["blank_final"] and world["dealt"][other] & COURTS:
        return False
    if rules["auto"] and hides_a_blank(rules, view, other, world["dealt"][other], final):
        return False
    return fits(rules, view, other, final) and hidden_calls_fit(rules, view, world, other, final)


@jit
def hidden_calls_fit(rules, view, world, other, final):
    """Whether each item behind a call known by its class only is of that class."""
    for category in range(3):
        at = view["call_at"][category]
        if at == NONE or view["log"][at] != UNKNOWN:
            continue
        called, rank = np.int64(world["log"][at]), np.int64(view["call_class"][category])
        if category == CATEGORY_POINT:
            if not point_suits(rules, final, rank, view["call_pips"]) >> (called - act.POINT) & 1:
                return False
        elif category == CATEGORY_SEQ:
            if run_class(final, (called - act.SEQ) // 6, (called - act.SEQ) % 6) != rank:
                return False
        elif (called - act.TRIO) // 4 != 7 - rank % 8:
            return False
    at = view["counter_at"]
    if at != NONE and view["log"][at] == UNKNOWN:
        suits = point_suits(rules, final, view["counter_class"], view["counter_pips"])
        return (suits >> (np.int64(world["log"][at]) - act.POINT)) & 1 == 1
    return True


@jit
def bounds_of_hand(rules, view, seat):
    """Cards that what `seat` has called by name puts into its final hand, and those that it keeps out."""
    must = 0
    closed = 0
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        if view["log_seat"][i] != seat or action < act.POINT or action >= act.GOOD:
            continue
        if action < act.SEQ:
            suit_cards = 0xFF << (8 * (action - act.POINT))
            if i != view["call_at"][CATEGORY_POINT] or view["outcome"][CATEGORY_POINT] == st.WON:
                closed |= suit_cards & ~view["shown"][seat]
        elif action < act.QUATORZE:
            suit, top = (action - act.SEQ) // 6, (action - act.SEQ) % 6
            length = named_length(view, seat, i, suit, top)
            run = ((1 << length) - 1) << (8 * suit + top)
            must |= run
            closed |= ((run << 1) | (run >> 1)) & (0xFF << (8 * suit)) & ~run
        elif action < act.TRIO:
            must |= RANK_CARDS << (action - act.QUATORZE)
        elif not rules["understate"] or rules["auto"]:
            closed |= bit(8 * ((action - act.TRIO) % 4) + (action - act.TRIO) // 4)
    return must, closed


@jit
def named_length(view, seat, entry, suit, top):
    """The length of a sequence called by name: contested, its class says it; counted, its cards were shown."""
    if entry == view["call_at"][CATEGORY_SEQ]:
        return view["call_class"][CATEGORY_SEQ] // 8
    length = 0
    while top + length < 8 and view["counted_seq"][seat] & bit(8 * suit + top + length):
        length += 1
    return length


@jit
def void_suits(view, seat):
    """All cards of the suits that `seat` could not follow."""
    void = 0
    led = NONE
    leader = NONE
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        if act.PLAY <= action < act.PASS:
            suit = (action - act.PLAY) // 8
            if led == NONE:
                led, leader = suit, view["log_seat"][i]
            else:
                if leader != seat and suit != led:
                    void |= 0xFF << (8 * led)
                led = NONE
    return void


@jit
def fits(rules, view, other, final):
    """Whether the final hand agrees with every call, answer, credit and their absence."""
    if view["exchanged"][other] == NONE:
        return True
    red = rules["red_hand"] > 0 and view["reckoned"][other] != NONE
    if red and (not final & ~RED_RANKS) != (view["ledger"][other, st.ITEM_RED] > 0):
        return False
    for category in range(3):
        if view["outcome"][category] == st.UNSETTLED and view["call_class"][category] == NONE:
            continue
        if other == elder_of(view):
            if not call_fits(rules, view, category, final):
                return False
        elif not answer_fits(rules, view, category, final):
            return False
    hidden = view["counter_class"] != NONE and other != elder_of(view) and not view["counter_shown"]
    if hidden and not suits_of_class(final, view["counter_class"], view["counter_pips"]):
        return False
    if rules["auto"]:
        return counts_all(rules, view, other, final)
    return True


@jit
def call_fits(rules, view, category, final):
    """Elder's contested call, or his passing, as younger knows it."""
    rank = np.int64(view["call_class"][category])
    auto = rules["auto"] == 1
    if category == CATEGORY_POINT:
        longest = longest_suit(final)
        if rank == NONE:
            return not auto or longest < rules["point_min"]
        called = np.int64(view["log"][view["call_at"][category]])
        if called >= 0:
            byte = suit_byte(final, called - act.POINT)
            if count(byte) != rank or (view["call_pips"] >= 0 and SUIT_PIPS[byte] != view["call_pips"]):
                return False
            if auto and called - act.POINT != best_point(rules, final):
                return False
        elif suits_of_class(final, rank, view["call_pips"]) == 0:
            return False
        return not auto or longest == rank and (view["call_pips"] < 0 or best_pips(final, rank) == view["call_pips"])
    if category == CATEGORY_SEQ:
        if rank == NONE:
            return not auto or best_run(final) == 0
        suits = suits_of_run(final, rank)
        if suits == 0 or not auto:
            return suits != 0
        called = np.int64(view["log"][view["call_at"][category]])
        return best_run(final) == rank and (called < 0 or (called - act.SEQ) // 6 == lowest(suits))
    if rank == NONE:
        return not auto or best_set(final) == 0
    n = of_rank(final, 7 - rank % 8)
    if n < rank // 8 or (n == 4 and rank < 32 and not rules["understate"]):
        return False
    return not auto or best_set(final) == rank


@jit
def answer_fits(rules, view, category, final):
    """Younger's answer as elder knows it; conceding excludes nothing unless the answers are truthful."""
    outcome = view["outcome"][category]
    rank = np.int64(view["call_class"][category])
    if rank == NONE:
        return True
    if category == CATEGORY_POINT:
        mine = longest_suit(final)
        if view["call_pips"] != NONE:  # equal in number
            if mine != rank:
                return False
            mine, rank = best_pips(final, rank), view["call_pips"]
    else:
        mine = best_run(final) if category == CATEGORY_SEQ else best_set(final)
    if outcome == st.VOID:
        return mine == rank
    if outcome == st.BEATEN:
        return mine > rank
    return outcome != st.WON or not rules["auto"] or mine < rank


@jit
def counts_all(rules, view, other, final):
    """`declaration_mode=auto`: an owner of a category has counted everything in it, and of the points the best."""
    elder = other == elder_of(view)
    for category in range(3):
        outcome = view["outcome"][category]
        owns = outcome == st.WON if elder else view["younger_done"] and (outcome == st.OPEN or outcome == st.BEATEN)
        if not owns:
            continue
        if category == CATEGORY_SEQ:
            runs = 0
            for suit in range(4):
                for top in range(6):
                    runs |= run_cards(final, suit, top)
            if runs != view["counted_seq"][other]:
                return False
        elif category == CATEGORY_SET:
            ranks = 0
            for rank in range(5):
                if of_rank(final, rank) >= 3:
                    ranks |= 1 << rank
            if ranks != view["counted_set"][other]:
                return False
        elif point_counted(view, other) != best_point(rules, final):
            return False
    return True


@jit
def hides_a_blank(rules, view, other, dealt, final):
    """`declaration_mode=auto` shows every blank: one that was not shown cannot be."""
    if view["blank"][other] == st.SHOWN or not offer_is_past(rules, view, other):
        return False
    return not (final if rules["blank_final"] else dealt) & COURTS


@jit
def offer_is_past(rules, view, other):
    """Whether `other` was asked to show its blank, if it had one, before the decision now open."""
    elder = elder_of(view)
    if rules["blank_final"]:
        if other == elder:
            return view["exchanged"][1 - elder] != NONE
        return view["younger_at"] != NONE
    return other == elder or view["phase"] != st.BLANK


@jit
def suits_of_class(final, length, pips):
    """Bit s: suit s has `length` cards, and `pips` pips where these are known (not negative)."""
    suits = 0
    for suit in range(4):
        byte = suit_byte(final, suit)
        if count(byte) == length and (pips < 0 or SUIT_PIPS[byte] == pips):
            suits |= 1 << suit
    return suits


@jit
def suits_of_run(final, rank):
    """Bit s: suit s holds a sequence of this class."""
    top = 7 - rank % 8
    suits = 0
    for suit in range(4):
        if top < 6 and run_class(final, suit, top) == rank:
            suits |= 1 << suit
    return suits


@jit
def point_suits(rules, final, length, pips):
    """Bit s: suit s may be the point of this class; with `auto` the first of the best."""
    if rules["auto"]:
        return 1 << best_point(rules, final)
    return suits_of_class(final, length, pips)


@jit
def best_point(rules, hand):
    """The suit that `auto` calls: most cards, then pips, then the first of S H D C; NONE below the least length."""
    best, suit_of_best = 0, NONE
    for suit in range(4):
        byte = suit_byte(hand, suit)
        worth = 100 * count(byte) + SUIT_PIPS[byte]
        if count(byte) >= rules["point_min"] and worth > best:
            best, suit_of_best = worth, suit
    return suit_of_best


@jit
def point_counted(view, seat):
    """The suit that `seat` counted as its point, or NONE."""
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        if view["log_seat"][i] == seat and act.POINT <= action < act.SEQ and view["ledger"][seat, st.ITEM_POINT] > 0:
            return action - act.POINT
    return NONE


@jit
def drawn_by(view, seat, position):
    if view["exchanged"][seat] == NONE:
        return False
    elder = elder_of(view)
    first = 0 if seat == elder else view["exchanged"][elder]
    return first <= position < first + view["exchanged"][seat]
