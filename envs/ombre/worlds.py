"""Placing the cards that a seat of ombre cannot know, so that the same public events would have followed by the rules.

A world is a whole deal: what each other seat was dealt, what it threw, and which card lay at each position of the talon. The
hands are dealt first, each from the cards that its player may still hold (with the acceptance that keeps this uniform), then
the discards and the rest of the talon; then it is drawn which cards of each hand came from the talon.
"""

import math

import numpy as np

from ..engine.cards import bit, count, list_cards
from ..engine.chance import LOT, WORLD, draw, hash_key, open_stream
from ..engine.jit import inline, jit
from ..engine.state import NONE, UNKNOWN
from ..engine.unseen import MOST_TRIES, scatter
from . import actions as act
from . import state as st
from .auction import talon_used
from .knowledge import draw_first
from .play import place_of
from .trumps import ALL, BASTO, BLACK_ACES, MATADORS, SPADILLE, refused

BINOMIAL = np.array([[math.comb(n, k) for k in range(10)] for n in range(41)], np.int64)
BINOMIAL.flags.writeable = False


@jit
def closed_to(view, seat):
    """The cards that a seat cannot hold any more, by what it has not followed to."""
    closed = 0
    led = NONE
    plays = 0
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        if action < 40:
            if plays % 3 == 0:
                led = action
            elif view["log_seat"][i] == seat:
                closed |= refused(view["trump"], action, led)
            plays += 1
    return closed


@jit
def known_held(view, seat):
    """The cards in the hand of another seat that all, or the viewer, have seen: shown, or turned."""
    cards = view["hand"][seat]
    if view["contract"] == st.VUELTA and seat == view["ombre"] and view["exchanged"][seat] > 0:
        cards |= bit(view["talon"][0]) & ~view["played"][seat]
    return cards


@jit
def redeal(rules, view, seat, key):
    """Turn the view of `seat` (to act) into a world, uniformly; returns the tries, or -1 when all were rejected."""
    one, two = (seat + 1) % 3, (seat + 2) % 3
    stream = open_stream(key, 0, WORLD)
    held_1, held_2 = known_held(view, one), known_held(view, two)
    need_1 = st.HAND - count(view["played"][one]) - count(held_1)
    need_2 = st.HAND - count(view["played"][two]) - count(held_2)
    unseen = ALL & ~(view["hand"][seat] | view["discarded"][seat] | view["played"][seat] | held_1 | held_2)
    unseen &= ~(view["played"][one] | view["played"][two])
    for position in range(st.TALON):
        if view["talon"][position] >= 0:
            unseen &= ~bit(view["talon"][position])
    open_1, open_2 = unseen & ~closed_to(view, one), unseen & ~closed_to(view, two)
    most = count(open_2) - max(0, need_1 - count(open_1 & ~open_2))
    cards = np.empty(40, np.int64)
    drawn = np.empty((2, 9), np.int64)
    for tries in range(1, MOST_TRIES + 1):
        hand_1 = choose(stream, open_1, need_1, cards)
        left = count(open_2 & ~hand_1)
        if left < need_2:
            continue
        if left < most and draw(stream, BINOMIAL[most, need_2]) >= BINOMIAL[left, need_2]:
            continue
        hand_2 = choose(stream, open_2 & ~hand_1, need_2, cards)
        rest = unseen & ~(hand_1 | hand_2)
        thrown_1 = choose(stream, rest, thrown_by(view, one), cards)
        thrown_2 = choose(stream, rest & ~thrown_1, thrown_by(view, two), cards)
        hand_1 |= held_1
        hand_2 |= held_2
        dealt_1 = draw_back(rules, view, stream, one, hand_1 | view["played"][one], thrown_1, drawn[0], cards)
        if not dealt_1:
            continue
        dealt_2 = draw_back(rules, view, stream, two, hand_2 | view["played"][two], thrown_2, drawn[1], cards)
        if not dealt_2:
            continue
        scatter(stream, rest & ~(thrown_1 | thrown_2), cards)
        lay(view, one, hand_1, thrown_1, dealt_1, drawn[0])
        lay(view, two, hand_2, thrown_2, dealt_2, drawn[1])
        finish_world(view, key, cards)
        return tries
    return -1


@jit
def choose(stream, pool, n, cards):
    """n cards of a set, uniformly, as a set; `cards` is scratch."""
    if n == 0:
        return 0
    size = scatter(stream, pool, cards)
    chosen = 0
    for i in range(min(n, size)):
        chosen |= bit(cards[i])
    return chosen


@jit
def thrown_by(view, seat):
    """How many cards a seat has thrown in an exchange that is over."""
    return max(view["exchanged"][seat], 0)


@jit
def draw_back(rules, view, stream, seat, final, thrown, drawn, cards):
    """Choose which of its final cards a seat drew, by position, into `drawn`; its dealt cards, or 0 where they cannot be."""
    n = thrown_by(view, seat)
    turned = view["contract"] == st.VUELTA and seat == view["ombre"] and n > 0
    first = 1 if turned else 0
    from_talon = 0
    if turned:
        drawn[0] = view["talon"][0]
        from_talon = bit(view["talon"][0])
    if n > first:
        scatter(stream, final & ~from_talon, cards)
        for i in range(first, n):
            drawn[i] = cards[i - first]
            from_talon |= bit(drawn[i])
    dealt = final & ~from_talon | thrown
    return dealt if could_be_dealt(rules, view, seat, dealt, dealt & ~thrown) else 0


@jit
def could_be_dealt(rules, view, seat, dealt, kept):
    """Whether nine dealt cards, some of them kept, agree with what the rules made of them in public."""
    if view["contract"] == st.ENTRADA and view["holder"] == NONE and seat == view["ombre"] and not dealt & bit(SPADILLE):
        return False
    if not rules["keep_any"]:
        if view["contract"] == st.CASCO_LESSER and seat == view["ombre"] and view["exchanged"][seat] > 0:
            return kept == bit(SPADILLE) or kept == bit(BASTO)
        if not dealt & BLACK_ACES and bid_lesser(view, seat):
            return False
    if seat == view["first"] and rules["leave_min"] and view["exchanged"][seat] > 0:
        left = st.TALON - view["exchanged"][view["ombre"]]
        if view["exchanged"][seat] > max(left - rules["leave_min"], 0) and not dealt & MATADORS[view["trump"]]:
            return False
    return True


@jit
def bid_lesser(view, seat):
    for i in range(view["logged"]):
        if view["log"][i] == act.CASCO_LESSER and view["log_seat"][i] == seat:
            return True
    return False


@inline
def lay(view, seat, hand, thrown, dealt, drawn):
    """Put the cards of one seat into the view."""
    view["hand"][seat] = hand
    view["discarded"][seat] = thrown
    view["dealt"][seat] = dealt
    n = thrown_by(view, seat)
    if n:
        first = draw_first(view, seat)
        for i in range(n):
            view["talon"][first + i] = drawn[i]


@inline
def finish_world(view, key, cards):
    """The rest of the talon, the deck that was dealt, a new key and lot."""
    next_card = 0
    for position in range(talon_used(view), st.TALON):
        if view["talon"][position] == UNKNOWN:
            view["talon"][position] = cards[next_card]
            next_card += 1
    deck = view["deck"]
    for k in range(3):
        list_cards(view["dealt"][(view["start"]["dealer"] + 1 + k) % 3], cards)
        for j in range(9):
            deck[place_of(k, j)] = cards[j]
    for position in range(st.TALON):
        deck[27 + position] = view["talon"][position]
    view["key"] = hash_key(key, 1, WORLD)
    view["lot"] = hash_key(view["key"], view["deal"], LOT)


@jit
def consistent(rules, view, world, seat):
    """Whether the world's placing would have given this view; that `hide(world)` is the view is asked apart."""
    placed = world["hand"][seat] | world["discarded"][seat] | world["played"][seat]
    cards = count(placed)
    for k in range(1, 3):
        other = (seat + k) % 3
        hand, thrown, played = world["hand"][other], world["discarded"][other], world["played"][other]
        if count(hand) + count(played) != st.HAND or hand & closed_to(view, other):
            return False
        n = thrown_by(world, other)
        from_talon = 0
        if n > 0:
            first = draw_first(world, other)
            for position in range(first, first + n):
                from_talon |= bit(world["talon"][position])
        final = hand | played
        dealt = world["dealt"][other]
        if count(thrown) != n or count(from_talon) != n or from_talon & ~final or dealt != final & ~from_talon | thrown:
            return False
        if not could_be_dealt(rules, view, other, dealt, dealt & ~thrown):
            return False
        placed |= hand | thrown | played
        cards += count(hand) + count(thrown) + count(played)
    for position in range(talon_used(world), st.TALON):
        placed |= bit(world["talon"][position])
        cards += 1
    return placed == ALL and cards == 40
