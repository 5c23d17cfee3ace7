"""Placing the cards that a seat of bouillotte cannot know. No rule ties a move to cards, so every placing is a world."""

from ..engine.cards import bit, count, list_cards
from ..engine.chance import LOT, WORLD, hash_key, open_stream
from ..engine.jit import inline, jit
from ..engine.state import NONE
from ..engine.unseen import scatter
from . import actions as act
from . import state as st
from .seats import next_in


@jit
def known_cards(rules, view):
    """The set of cards that lie open to the viewer."""
    known = 0
    for seat in range(rules["players"]):
        known |= view["hand"][seat]
        if view["turned"][seat] >= 0:
            known |= bit(view["turned"][seat])
    return known | bit(view["retourne"]) if view["retourne"] >= 0 else known


@jit
def redeal(rules, view, seat, key):
    """Turn the view of `seat` (to act) into a world, uniformly: the unseen cards shuffled into the free places."""
    unseen = rules["pack"] & ~known_cards(rules, view)
    deck = view["deck"]
    deck[:] = NONE
    n = count(view["dealt"])
    lay_known(rules, view, n)
    cards = unseen_order(unseen, key, deck)
    at = 0
    for i in range(count(rules["pack"])):
        if deck[i] == NONE:
            deck[i] = cards[at]
            at += 1
    if view["phase"] != st.BLIND:
        place = view["start"]["dealer"]
        for k in range(n):
            place = next_in(rules, place, view["dealt"])
            view["hand"][place] = bit(deck[k]) | bit(deck[n + k]) | bit(deck[2 * n + k])
    view["key"] = hash_key(key, 1, WORLD)
    view["lot"] = hash_key(view["key"], view["deal"], LOT)
    return 1


@inline
def unseen_order(unseen, key, deck):
    """The unseen cards in uniformly random order."""
    cards = deck.copy()
    scatter(open_stream(key, 0, WORLD), unseen, cards)
    return cards


@inline
def lay_known(rules, view, n):
    """Put the cards that are known where they lay in the deck."""
    deck = view["deck"]
    cards = deck.copy()
    place = view["start"]["dealer"]
    for k in range(n):
        place = next_in(rules, place, view["dealt"])
        if view["hand"][place]:
            list_cards(view["hand"][place], cards)
            for j in range(3):
                deck[j * n + k] = cards[j]
    if view["retourne"] >= 0:
        deck[3 * n] = view["retourne"]
    first, last = 3 * n + 1, count(rules["pack"]) - 1
    for i in range(view["logged"]):
        action = view["log"][i]
        if action == act.TALON_FIRST:
            deck[first] = view["turned"][view["log_seat"][i]]
            first += 1
        elif action == act.TALON_LAST:
            deck[last] = view["turned"][view["log_seat"][i]]
            last -= 1


@jit
def consistent(rules, view, world, seat):
    """Whether the world's cards are a pack, dealt as its deck says; that `hide(world)` is the view is asked apart."""
    deck = world["deck"]
    size, n = count(rules["pack"]), count(world["dealt"])
    cards = 0
    for i in range(size):
        if deck[i] < 0:
            return False
        cards |= bit(deck[i])
    if cards != rules["pack"] or (size < st.PACK and deck[size] != NONE):
        return False
    if world["phase"] == st.BLIND:
        return True
    place = world["start"]["dealer"]
    for k in range(n):
        place = next_in(rules, place, world["dealt"])
        if world["hand"][place] != bit(deck[k]) | bit(deck[n + k]) | bit(deck[2 * n + k]):
            return False
    return world["retourne"] == deck[3 * n]
