"""Calls and counted items: what they make public, and what they are worth (spec sections 4.3 to 4.5)."""

import numpy as np

from ..engine.cards import bit, count
from ..engine.jit import jit
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .scoring import RANK_CARDS, SUIT_PIPS, run_cards, run_class, suit_byte
from .state import CATEGORY_POINT, CATEGORY_SEQ, CATEGORY_SET

# A hidden move of the other seat, as a view tells it: ids that are no actions.
HIDDEN_EXCHANGE, HIDDEN_POINT, HIDDEN_SEQ, HIDDEN_SET = 128, 144, 160, 240  # plus the number, or the class


@jit
def call(state, seat, category, action):
    """Elder's contested call: its class becomes public."""
    hand = state["hand"][seat]
    state["call_at"][category] = state["logged"] - 1
    if action >= HIDDEN_SET:
        rank = action - HIDDEN_SET
    elif action >= HIDDEN_SEQ:
        rank = action - HIDDEN_SEQ
    elif action >= HIDDEN_POINT:
        rank = action - HIDDEN_POINT
    elif category == CATEGORY_POINT:
        rank = count(suit_byte(hand, action - act.POINT))
    elif category == CATEGORY_SEQ:
        rank = run_class(hand, (action - act.SEQ) // 6, (action - act.SEQ) % 6)
    elif action >= act.TRIO:
        rank = 24 + 7 - (action - act.TRIO) // 4
    else:
        rank = 32 + 7 - (action - act.QUATORZE)
        state["call_shown"][category] = 1  # a quatorze hides nothing
    state["call_class"][category] = rank


@jit
def count_call(rules, state, elder, category):
    """Elder's contested call is good: it counts, and its cards are shown."""
    state["call_shown"][category] = 1
    called = np.int64(state["log"][state["call_at"][category]])
    if called != UNKNOWN:
        count_item(rules, state, elder, called)
    else:
        credit_class(rules, state, elder, category, state["call_class"][category])


@jit
def credit_class(rules, state, seat, category, rank):
    if category == CATEGORY_POINT:
        state["ledger"][seat, st.ITEM_POINT] += rank
    elif category == CATEGORY_SEQ:
        state["ledger"][seat, st.ITEM_SEQ] += rules["seq_scores"][rank // 8]
    else:
        state["ledger"][seat, st.ITEM_SET] += 14 if rank >= 32 else 3


@jit
def count_item(rules, state, seat, action):
    """A seat counts an item of its own: points, and the cards are shown. `hand` in a view: cards told with the item."""
    hand = state["hand"][seat]
    if action < act.SEQ:
        suit = action - act.POINT
        cards = hand & (0xFF << (8 * suit))
        credit_class(rules, state, seat, CATEGORY_POINT, count(cards))
    elif action < act.QUATORZE:
        cards = run_cards(hand, (action - act.SEQ) // 6, (action - act.SEQ) % 6)
        credit_class(rules, state, seat, CATEGORY_SEQ, 8 * count(cards))
        state["counted_seq"][seat] |= cards
    else:
        if action < act.TRIO:
            rank = action - act.QUATORZE
            cards = RANK_CARDS << rank
        else:
            rank = (action - act.TRIO) // 4
            cards = (RANK_CARDS << rank) & ~bit(8 * ((action - act.TRIO) % 4) + rank)
        credit_class(rules, state, seat, CATEGORY_SET, 8 * count(cards))
        state["counted_set"][seat] |= 1 << rank
    state["counted"][seat] |= cards
    state["shown"][seat] |= cards


@jit
def call_counter(state, seat, action):
    """Younger names at once the suit he must count later (`point_counter=at_once`)."""
    state["counter_at"] = state["logged"] - 1
    to_pips = state["call_pips"] != NONE
    if action >= HIDDEN_POINT:
        state["counter_class"] = action - HIDDEN_POINT
        state["counter_pips"] = UNKNOWN if to_pips else NONE
    else:
        byte = suit_byte(state["hand"][seat], action - act.POINT)
        state["counter_class"] = count(byte)
        state["counter_pips"] = SUIT_PIPS[byte] if to_pips else NONE
