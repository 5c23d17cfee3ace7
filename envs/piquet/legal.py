"""What the seat to act may do (spec sections 4.1 to 4.7), as four words of 32 action ids each."""

import numpy as np

from ..engine.cards import bit, count, lowest
from ..engine.jit import inline, jit
from ..engine.masks import write_legal
from ..engine.state import NONE, RUNNING
from ..engine.tricks import follow
from . import state as st
from .scoring import (
    SUIT_PIPS,
    best_pips,
    best_run,
    best_set,
    longest_suit,
    of_rank,
    run_class,
    suit_byte,
)
from .state import CATEGORY_POINT, CATEGORY_SEQ, CATEGORY_SET

# Bits of the third word (ids 64 to 95) and the fourth (96 to 127).
_PASS = 1
_GOOD, _EQUAL, _NOT_GOOD = 1 << 22, 1 << 23, 1 << 24
_BLANK, _OPEN_CAPOT, _LOOK = 1 << 25, 1 << 26, 1 << 27


@jit
def elder_of(state):
    return 1 - state["start"]["dealer"]


@inline
def legal(rules, state, mask):
    """Mark what the seat to act may do."""
    if state["stage"] != RUNNING:
        return
    w0, w1, w2, w3 = options(rules, state)
    write_legal(mask, 0, w0, 32)
    write_legal(mask, 32, w1, 32)
    write_legal(mask, 64, w2, 32)
    write_legal(mask, 96, w3, 32)


@inline
def options(rules, state):
    """The legal actions of the seat to act, as four words of 32 ids; one only where the move is forced."""
    phase = state["phase"]
    seat = state["seat"]
    hand = state["hand"][seat]
    if phase == st.FOLLOW:
        return 0, follow(hand, np.int64(state["table"]) // 8, 8), 0, 0
    if phase == st.LEAD:
        named = np.int64(state["named"])
        return 0, follow(hand, named, 8) if state["plays"] == 0 and 0 <= named < 4 else hand, 0, 0
    if phase == st.EXCHANGE:
        return exchange_options(rules, state, seat)
    if phase == st.BLANK:
        return 0, 0, 0 if rules["auto"] else _PASS, _BLANK
    if phase == st.CAPOT:
        return 0, 0, _PASS, _OPEN_CAPOT
    if phase == st.LOOK:
        return 0, 0, _PASS, _LOOK
    if phase == st.NAME:
        names = 0
        for suit in range(4):
            if suit_byte(hand, suit):
                names |= 1 << (28 + suit)
        return 0, 0, _PASS, names
    if phase == st.POINT_LEN or phase == st.POINT_VAL or phase == st.SEQ_REPLY or phase == st.SET_REPLY:
        return 0, 0, 0, reply_options(rules, state, hand)
    w2, w3 = call_options(rules, state, hand)
    if rules["auto"]:
        w2, w3 = best_call(state, hand, w2, w3)
    return 0, 0, w2, w3


@jit
def exchange_sizes(rules, state, seat):
    """A_e and A_y(n) of 4.1 as (none allowed, least otherwise, most)."""
    who = 0 if seat == elder_of(state) else 1
    left = 8 - (state["exchanged"][1 - seat] if who else 0)
    most = min(rules["exchange_high"][who], left)
    low = rules["exchange_low"][who]
    if most < low:
        return True, 0, 0
    return rules["exchange_zero"][who] == 1, low, most


@jit
def exchange_options(rules, state, seat):
    zero, low, most = exchange_sizes(rules, state, seat)
    marked = state["marked"][seat]
    stop = marked >= low if marked else zero
    return state["hand"][seat] if marked < most else 0, 0, _PASS if stop else 0, 0


@jit
def reply_options(rules, state, hand):
    """Younger's answers (4.3, 4.4): a true one, or conceding."""
    phase = state["phase"]
    if phase == st.POINT_LEN:
        mine, call = longest_suit(hand), state["call_class"][CATEGORY_POINT]
    elif phase == st.POINT_VAL:
        mine, call = best_pips(hand, state["call_class"][CATEGORY_POINT]), state["call_pips"]
    elif phase == st.SEQ_REPLY:
        mine, call = best_run(hand), state["call_class"][CATEGORY_SEQ]
    else:
        mine, call = best_set(hand), state["call_class"][CATEGORY_SET]
    if mine < call:
        return _GOOD
    true = _EQUAL if mine == call else _NOT_GOOD
    return true if rules["auto"] else true | _GOOD


@jit
def call_options(rules, state, hand):
    """Calls of elder and of younger (4.3 to 4.5), as the third and fourth word."""
    phase = state["phase"]
    seat = state["seat"]
    if phase == st.POINT:
        return _PASS | point_words(hand, rules["point_min"] - 1, 0, NONE), 0
    if phase == st.COUNTER or phase == st.YPOINT:
        if state["outcome"][CATEGORY_POINT] == st.OPEN:
            return _PASS | point_words(hand, rules["point_min"] - 1, 0, NONE), 0
        call = state["call_class"][CATEGORY_POINT]
        if state["call_pips"] == NONE:
            return point_words(hand, call, 0, NONE), 0
        return point_words(hand, call, call, state["call_pips"]), 0
    if phase == st.SEQ:
        return _PASS | seq_word(hand, 0, 0, 99), 0
    if phase == st.SEQ_EXTRA:
        return _PASS | seq_word(hand, state["counted_seq"][seat], 0, state["call_class"][CATEGORY_SEQ]), 0
    if phase == st.YSEQ:
        if state["outcome"][CATEGORY_SEQ] == st.BEATEN and not state["counted_seq"][seat]:
            return seq_word(hand, 0, state["call_class"][CATEGORY_SEQ], 99), 0
        return _PASS | seq_word(hand, state["counted_seq"][seat], 0, 99), 0
    low, high, passing = 0, 99, _PASS
    if phase == st.SET_EXTRA:
        high = state["call_class"][CATEGORY_SET]
    elif phase == st.YSET and state["outcome"][CATEGORY_SET] == st.BEATEN and not state["counted_set"][seat]:
        low, passing = state["call_class"][CATEGORY_SET], 0
    quatorzes, trios = set_words(rules, hand, state["counted_set"][seat], low, high)
    return passing | ((quatorzes & 7) << 29), (quatorzes >> 3) | (trios << 2)


@jit
def point_words(hand, above, length, pips):
    """POINT:s for suits of more than `above` cards, or of `length` cards with more than `pips`."""
    word = 0
    for suit in range(4):
        byte = suit_byte(hand, suit)
        n = count(byte)
        if n > above or (length and n == length and SUIT_PIPS[byte] > pips):
            word |= 2 << suit
    return word


@jit
def seq_word(hand, counted, above, most):
    """SEQ:c for maximal runs not yet counted, of a class in (above, most]."""
    word = 0
    for suit in range(4):
        byte = suit_byte(hand, suit)
        if byte & (byte >> 1) & (byte >> 2):
            for top in range(6):
                rank = run_class(hand, suit, top)
                if above < rank <= most and not counted & bit(8 * suit + top):
                    word |= 1 << (5 + 6 * suit + top)
    return word


@jit
def set_words(rules, hand, counted, above, most):
    """Quatorzes (bit r) and trios (bit 4 r + s) not yet counted, of a class in (above, most]."""
    quatorzes = 0
    trios = 0
    for rank in range(5):
        n = of_rank(hand, rank)
        if n < 3 or counted >> rank & 1:
            continue
        if n == 4 and above < 32 + 7 - rank <= most:
            quatorzes |= 1 << rank
        if (n == 3 or rules["understate"]) and above < 24 + 7 - rank <= most:
            for suit in range(4):
                if n == 4 or not hand & bit(8 * suit + rank):
                    trios |= 1 << (4 * rank + suit)
    return quatorzes, trios


@jit
def best_call(state, hand, w2, w3):
    """`declaration_mode=auto`: of the calls open, the best (the first of S H D C among equals); PASS if there is none."""
    phase = state["phase"]
    if phase == st.POINT or phase == st.YPOINT or phase == st.COUNTER:
        best, word = -1, w2
        for suit in range(4):
            byte = suit_byte(hand, suit)
            worth = 100 * count(byte) + SUIT_PIPS[byte]
            if w2 >> (1 + suit) & 1 and worth > best:
                best, word = worth, 2 << suit
        return word, 0
    if phase == st.SEQ or phase == st.SEQ_EXTRA or phase == st.YSEQ:
        best, word = -1, w2
        for suit in range(4):
            for top in range(6):
                if w2 >> (5 + 6 * suit + top) & 1 and run_class(hand, suit, top) > best:
                    best, word = run_class(hand, suit, top), 1 << (5 + 6 * suit + top)
        return word, 0
    quatorzes = (w2 >> 29) | (w3 & 3) << 3
    if quatorzes:
        first = quatorzes & -quatorzes
        return (first & 7) << 29, first >> 3
    for rank in range(5):  # a trio of a full four is never chosen: the quatorze was called or counted
        if (w3 >> 2) >> (4 * rank) & 15 and of_rank(hand, rank) == 3:
            return 0, w3 & (15 << (2 + 4 * rank))
    return _PASS, 0


@jit
def only_action(w0, w1, w2, w3):
    """The id of the one action in four words, or NONE where there are more."""
    if w1:
        return NONE if w1 & (w1 - 1) or w0 | w2 | w3 else 32 + lowest(w1)
    if w0:
        return NONE if w0 & (w0 - 1) or w2 | w3 else lowest(w0)
    if w2:
        return NONE if w2 & (w2 - 1) or w3 else 64 + lowest(w2)
    return NONE if w3 & (w3 - 1) else 96 + lowest(w3)
