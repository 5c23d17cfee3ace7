"""Placing the cards that a seat of piquet cannot know, so that the same public events would have followed by the rules.

The other seat's final hand F (the twelve cards after its exchange), its discards and the talon left are dealt at random
from the unseen cards until `fits` accepts; then the private choices that the placing leaves open are drawn.
"""

import numpy as np

from ..engine.cards import bit, count, list_cards, lowest
from ..engine.chance import LOT, WORLD, draw, hash_key, open_stream
from ..engine.jit import jit
from ..engine.state import NONE, UNKNOWN
from ..engine.unseen import MOST_TRIES, scatter
from . import actions as act
from . import state as st
from .consistency import (
    ALL,
    bounds_of_hand,
    drawn_by,
    fits,
    hides_a_blank,
    offer_is_past,
    point_suits,
    suits_of_run,
    void_suits,
)
from .knowledge import blank_is_public, known_held
from .legal import elder_of
from .scoring import COURTS, RANK_CARDS
from .state import CATEGORY_POINT, CATEGORY_SEQ


@jit
def redeal(rules, view, seat, key):
    """Turn the view of `seat` (to act) into a world, uniformly; returns the tries, or -1 when all were rejected."""
    other = 1 - seat
    stream = open_stream(key, 0, WORLD)
    must, closed = bounds_of_hand(rules, view, other)
    held = known_held(view, other) | must
    unseen = ALL & ~(view["hand"][seat] | view["discarded"][seat] | view["played"][seat] | held)
    for position in range(8):
        if view["talon"][position] >= 0:
            unseen &= ~bit(view["talon"][position])
    wanted = 12 - count(held)
    discards = view["marked"][other]
    void = void_suits(view, other)
    cards = np.empty(32, np.int64)
    drawn = np.empty(32, np.int64)
    for tries in range(1, MOST_TRIES + 1):
        left = deal_unseen(rules, view, stream, other, unseen, wanted, discards, cards)
        final = held
        for i in range(wanted):
            final |= bit(cards[i])
        if final & closed or final & ~view["played"][other] & void or not fits(rules, view, other, final):
            continue
        cards_drawn = draw_unseen(rules, view, stream, other, final, cards, wanted, drawn)
        discarded = 0
        for i in range(wanted, wanted + discards):
            discarded |= bit(cards[i])
        dealt = final & ~cards_drawn | discarded
        if rules["auto"] and hides_a_blank(rules, view, other, dealt, final):
            continue
        write_world(rules, view, stream, other, key, final, discarded, dealt, cards, wanted, left, drawn)
        return tries
    return -1


@jit
def deal_unseen(rules, view, stream, other, unseen, wanted, discards, cards):
    """Order the unseen cards in `cards`: `wanted` for the hand, then the discards, then the talon. Returns their number.

    A shown blank is dealt in two parts, so that no try is lost on it: discards come from the twelve shown cards; before they
    lie open, those twelve are dealt from the cards that are no courts, and what is drawn for the discards from all others.
    """
    if blank_is_public(rules, view, other):
        part = np.empty(32, np.int64)
        shown = scatter(stream, unseen & view["dealt"][other], part)
        kept = shown - discards
        for i in range(discards):
            cards[wanted + i] = part[i]
        for i in range(kept):
            cards[i] = part[discards + i]
        rest = scatter(stream, unseen & ~view["dealt"][other], part)
        for i in range(rest):
            cards[kept + i if kept + i < wanted else kept + i + discards] = part[i]
        return shown + rest
    if blank_will_be_public(rules, view, other):
        part = np.empty(32, np.int64)
        scatter(stream, unseen & ~COURTS, part)
        rest = unseen
        kept = wanted - discards
        for i in range(wanted):
            cards[i if i < kept else i + discards] = part[i]
            rest &= ~bit(part[i])
        n = scatter(stream, rest, part)
        for i in range(n):
            cards[kept + i if i < discards else wanted + i] = part[i]
        return wanted + n
    return scatter(stream, unseen, cards)


@jit
def draw_unseen(rules, view, stream, other, final, cards, wanted, drawn):
    """Choose which cards of its final hand `other` drew at the positions not known; the set of all that it drew."""
    if view["exchanged"][other] == NONE:
        return 0
    if blank_will_be_public(rules, view, other):
        n = view["exchanged"][other]
        late = 0
        for i in range(n):
            drawn[i] = cards[wanted - n + i]
            late |= bit(drawn[i])
        return late
    elder = elder_of(view)
    first = 0 if other == elder else view["exchanged"][elder]
    known = 0
    for position in range(first, first + view["exchanged"][other]):
        if view["talon"][position] >= 0:
            known |= bit(view["talon"][position])
    open_cards = final & ~known
    if blank_is_public(rules, view, other):
        open_cards &= ~view["dealt"][other]
    scatter(stream, open_cards, drawn)
    taken = known
    for i in range(view["exchanged"][other] - count(known)):
        taken |= bit(drawn[i])
    return taken


@jit
def blank_will_be_public(rules, view, other):
    """Whether `other` has told of a blank that does not lie open yet."""
    return view["blank"][other] == st.SHOWN and not rules["blank_final"] and not blank_is_public(rules, view, other)


@jit
def write_world(rules, view, stream, other, key, final, discarded, dealt, cards, wanted, left, drawn):
    """Put the placing into the view: a whole state, with a new key and lot."""
    elder = elder_of(view)
    next_left = wanted + view["marked"][other]
    next_drawn = 0
    for position in range(8):
        if view["talon"][position] == UNKNOWN:
            if drawn_by(view, other, position):
                view["talon"][position] = drawn[next_drawn]
                next_drawn += 1
            else:
                view["talon"][position] = cards[next_left]
                next_left += 1
    list_cards(discarded, view["marks"][other])  # in which order nobody else knows
    view["hand"][other] = final & ~view["played"][other]
    view["discarded"][other] = discarded
    view["dealt"][other] = dealt
    asked = view["blank"][other] == NONE and offer_is_past(rules, view, other)
    if asked and not (final if rules["blank_final"] else dealt) & COURTS:
        view["blank"][other] = st.DECLINED
    choose_hidden_calls(rules, view, stream, other, final)
    deck = view["deck"]
    list_cards(view["dealt"][elder], deck)
    list_cards(view["dealt"][1 - elder], deck[12:])
    for position in range(8):
        deck[24 + position] = view["talon"][position]
    view["key"] = hash_key(key, 1, WORLD)
    view["lot"] = hash_key(view["key"], view["deal"], LOT)


@jit
def choose_hidden_calls(rules, view, stream, other, final):
    """Draw, uniformly from the legal ones, the item behind each call that is known by its class only."""
    if other == elder_of(view):
        for category in range(3):
            at = view["call_at"][category]
            if at != NONE and view["log"][at] == UNKNOWN:
                view["log"][at] = choose_call(rules, view, stream, category, final)
    elif view["counter_at"] != NONE and view["log"][view["counter_at"]] == UNKNOWN:
        suits = point_suits(rules, final, view["counter_class"], view["counter_pips"])
        view["log"][view["counter_at"]] = act.POINT + pick(stream, suits)


@jit
def choose_call(rules, view, stream, category, final):
    rank = np.int64(view["call_class"][category])
    if category == CATEGORY_POINT:
        return act.POINT + pick(stream, point_suits(rules, final, rank, view["call_pips"]))
    top = 7 - rank % 8
    if category == CATEGORY_SEQ:
        suits = suits_of_run(final, rank)
        suit = lowest(suits) if rules["auto"] else pick(stream, suits)
        return act.SEQ + 6 * suit + top
    choices = 0
    held = (final >> top) & RANK_CARDS
    for suit in range(4):
        if held == RANK_CARDS or not held & bit(8 * suit):
            choices |= 1 << suit
    return act.TRIO + 4 * top + pick(stream, choices)


@jit
def pick(stream, choices):
    """One bit of a set, uniformly."""
    for _ in range(draw(stream, count(choices))):
        choices &= choices - 1
    return lowest(choices)
