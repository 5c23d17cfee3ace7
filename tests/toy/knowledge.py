"""Who knows what: hide, observe, reveal, redeal, consistent. The soloist alone knows the card drawn and the card laid away."""

import numpy as np

from lomber.envs.engine.cards import bit, count, list_cards, write_cells
from lomber.envs.engine.chance import LOT, WORLD, draw, hash_key, open_stream
from lomber.envs.engine.jit import jit
from lomber.envs.engine.state import NONE, UNKNOWN
from lomber.envs.engine.tricks import suit_set
from lomber.envs.engine.unseen import MOST_TRIES, scatter

from .state import AT, CARDS, HAND, MOST_POINTS, PASS, PLAYS, RANKS, REVEAL_AT, SEATS, SUITS, TALON

PHASE, DEAL, DEALER, POINTS, BIDS, PLAYED, TRICKS = (
    AT[name] for name in ("phase", "deal", "dealer", "points", "bids", "plays", "tricks")
)  # fmt: skip
OWN, DRAWN, LAID = AT["hand"], AT["drawn"], AT["laid"]
ALL_HANDS, ALL_TALON, TRUE_LAID = REVEAL_AT["hands"], REVEAL_AT["talon"], REVEAL_AT["laid"]
BIDDINGS = 1 + SUITS
ALL_CARDS = (1 << CARDS) - 1


@jit
def hide(rules, state, seat):
    """Blank what `seat` cannot know."""
    state["key"] = state["lot"] = np.uint64(0)
    state["deck"][:] = 0
    drew = state["soloist"] == seat
    for i in range(TALON):
        if i > 0 or not drew:
            state["talon"][i] = UNKNOWN
    if state["laid"] != NONE and not drew:
        state["laid"] = UNKNOWN
    for other in range(SEATS):
        if other != seat:
            state["hands"][other] = 0


@jit
def _observe_public(state, viewer, out):
    out[PHASE + state["phase"]] = 1
    out[DEAL + state["deal"]] = 1
    out[DEALER + (state["start"]["dealer"] - viewer) % SEATS] = 1
    for i in range(SEATS):
        other = (viewer + i) % SEATS
        out[POINTS + i] = state["match"]["points"][other] / MOST_POINTS
        out[TRICKS + i] = state["tricks"][other] / HAND
        if state["bids"][i] != NONE:
            out[BIDS + i * BIDDINGS + state["bids"][i] - PASS] = 1
    for i in range(state["count"]):
        out[PLAYED + i * CARDS + state["plays"][i]] = 1


@jit
def observe(rules, view, seat, out):
    _observe_public(view, seat, out)
    write_cells(out, OWN, view["hands"][seat], CARDS)
    if view["talon"][0] >= 0:
        out[DRAWN + view["talon"][0]] = 1
    if view["laid"] >= 0:
        out[LAID + view["laid"]] = 1


@jit
def reveal(rules, state, out):
    _observe_public(state, 0, out)
    for seat in range(SEATS):
        write_cells(out, ALL_HANDS + seat * CARDS, state["hands"][seat], CARDS)
    for i in range(TALON):
        out[ALL_TALON + i * CARDS + state["talon"][i]] = 1
    if state["laid"] >= 0:
        out[TRUE_LAID + state["laid"]] = 1


@jit
def played_by(state, seat):
    """The set of cards a seat has played."""
    cards = np.int64(0)
    for i in range(state["count"]):
        if state["players"][i] == seat:
            cards |= bit(state["plays"][i])
    return cards


@jit
def _voids(view, seat):
    """The suits in which a seat has shown that it has no card left, as a set of cards."""
    void = np.int64(0)
    for i in range(view["count"]):
        led = view["plays"][i - i % SEATS] // RANKS
        if view["players"][i] == seat and view["plays"][i] // RANKS != led:
            void |= suit_set(led, RANKS)
    return void


@jit
def _dealt(world, seat):
    """The three cards a seat was dealt, in a state that knows them."""
    cards = world["hands"][seat] | played_by(world, seat)
    if world["soloist"] == seat:
        if world["laid"] >= 0:
            cards |= bit(world["laid"])
        cards &= ~bit(world["talon"][0])
    return cards


@jit
def redeal(rules, view, seat, key):
    """Scatter the unseen cards over hands, talon and the card laid away, until every void shown holds."""
    stream = open_stream(key, 0, WORLD)
    cards = np.zeros(CARDS + HAND + 1, np.int32)  # the unseen ones, and room for the four of the soloist
    soloist, drew = view["soloist"], view["soloist"] == seat
    unseen = ALL_CARDS & ~view["hands"][seat]
    for other in range(SEATS):
        unseen &= ~played_by(view, other)
    if drew and view["laid"] != NONE:
        unseen &= ~(bit(view["laid"]) | bit(view["talon"][0]))
    for tries in range(1, MOST_TRIES + 1):
        scatter(stream, unseen, cards)
        n, fits = 0, True
        for other in range(SEATS):
            if other != seat:
                hand = np.int64(0)
                for _ in range(view["held"][other]):
                    hand |= bit(cards[n])
                    n += 1
                view["hands"][other] = hand
                fits = fits and not hand & _voids(view, other)
        if not fits:
            continue
        if view["laid"] != NONE and not drew:
            view["laid"] = cards[n]
            n += 1
        first = 0
        if soloist != NONE:
            first = 1
            if not drew:
                _draw_from_hand(view, stream, cards[CARDS:])
        for i in range(first, TALON):
            view["talon"][i] = cards[n]
            n += 1
        _write_deck(view)
        view["key"] = hash_key(key, 1, WORLD)
        view["lot"] = hash_key(view["key"], view["deal"], LOT)
        return tries
    return -1


@jit
def _draw_from_hand(view, stream, scratch):
    """Which of the soloist's four cards came from the talon: each is as likely."""
    soloist = view["soloist"]
    four = view["hands"][soloist] | played_by(view, soloist)
    if view["laid"] >= 0:
        four |= bit(view["laid"])
    list_cards(four, scratch)
    view["talon"][0] = scratch[draw(stream, HAND + 1)]


@jit
def _write_deck(world):
    eldest = world["start"]["dealer"] + 1
    for i in range(SEATS):
        list_cards(_dealt(world, (eldest + i) % SEATS), world["deck"][i * HAND :])
    world["deck"][SEATS * HAND :] = world["talon"]


@jit
def consistent(rules, view, world, seat):
    """Same public events, own cards and choices; every card in one place; each void shown holds."""
    if view["deal"] != world["deal"] or view["phase"] != world["phase"] or view["start"]["dealer"] != world["start"]["dealer"]:
        return False
    if view["hands"][seat] != world["hands"][seat] or (view["laid"] == NONE) != (world["laid"] == NONE):
        return False
    if view["laid"] >= 0 and view["laid"] != world["laid"]:
        return False
    if view["talon"][0] >= 0 and view["talon"][0] != world["talon"][0]:
        return False
    for i in range(SEATS):
        if view["start"]["points"][i] != world["start"]["points"][i] or view["bids"][i] != world["bids"][i]:
            return False
    for i in range(PLAYS):
        if view["plays"][i] != world["plays"][i]:
            return False
    return _is_placing(view, world)


@jit
def _is_placing(view, world):
    first = 0 if world["soloist"] == NONE else 1
    placed = np.int64(0) if world["laid"] == NONE else bit(world["laid"])
    for i in range(first, TALON):
        placed |= bit(world["talon"][i])
    for seat in range(SEATS):
        hand = world["hands"][seat]
        if count(hand) != view["held"][seat] or hand & _voids(view, seat):
            return False
        placed |= hand | played_by(view, seat)
    return placed == ALL_CARDS and (first == 0 or count(_dealt(world, world["soloist"])) == HAND)
