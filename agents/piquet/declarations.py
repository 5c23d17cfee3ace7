"""Declarations: call the best of each kind, answer with the truth, count everything, sink nothing.

A blank is shown: ten points, and it bars pique and repique. Of several calls the one of the best class comes first, so that
the lower ones may be counted behind it.
"""

from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from ...envs.piquet import actions as act
from ...envs.piquet import state as st
from ...envs.piquet.scoring import SUIT_PIPS, run_class, suit_byte


@jit
def weigh_declaration(view, seat, mask, out):
    """Answers and calls, for the phases from the point to younger's sets."""
    phase = view["phase"]
    if phase == st.POINT_LEN or phase == st.POINT_VAL or phase == st.SEQ_REPLY or phase == st.SET_REPLY:
        out[act.NOT_GOOD if mask[act.NOT_GOOD] else act.EQUAL if mask[act.EQUAL] else act.GOOD] = 1
    elif phase == st.POINT or phase == st.COUNTER or phase == st.YPOINT:
        out[best_point(view["hand"][seat], mask)] = 1
    elif phase == st.SEQ or phase == st.SEQ_EXTRA or phase == st.YSEQ:
        out[best_sequence(view["hand"][seat], mask)] = 1
    else:
        out[best_set(mask)] = 1


@jit
def best_point(hand, mask):
    """The legal POINT of most cards, then most pips; PASS if there is none."""
    best, chosen = -1, act.PASS
    for suit in range(4):
        byte = suit_byte(hand, suit)
        worth = 100 * count(byte) + SUIT_PIPS[byte]
        if mask[act.POINT + suit] and worth > best:
            best, chosen = worth, act.POINT + suit
    return chosen


@jit
def best_sequence(hand, mask):
    best, chosen = -1, act.PASS
    for suit in range(4):
        for top in range(6):
            if mask[act.SEQ + 6 * suit + top] and run_class(hand, suit, top) > best:
                best, chosen = run_class(hand, suit, top), act.SEQ + 6 * suit + top
    return chosen


@jit
def best_set(mask):
    """The highest legal quatorze, else the highest legal trio, else PASS."""
    for action in range(act.QUATORZE, act.GOOD):
        if mask[action]:
            return action
    return act.PASS
