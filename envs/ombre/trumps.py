"""Suits, ranks and matadors: sets and strengths by trump suit, who wins a trick, what may be played (spec sections 2, 4.5)."""

import numpy as np

from ..engine.cards import SUITS, bit, count, mask_of
from ..engine.jit import inline, jit
from ..engine.state import NONE
from .actions import CARDS

SPADILLE, BASTO = CARDS.index("AS"), CARDS.index("AC")
BLACK_ACES = (1 << SPADILLE) | (1 << BASTO)
ALL = (1 << 40) - 1
ORDINARY = {"S": "KQJ76543", "C": "KQJ76543", "H": "AKQJ23456", "D": "AKQJ23456"}  # trumps below the matadors, high to low
MANILLES = {"S": "2S", "C": "2C", "H": "7H", "D": "7D"}
PLAIN = {"S": "KQJ765432", "C": "KQJ765432", "H": "KQJA234567", "D": "KQJA234567"}  # high to low


def order_of(trump: str, suit: str) -> tuple[str, ...]:
    """The cards of "trump" or of a plain suit by name, high to low, where `trump` is the trump suit."""
    if suit == "trump":
        return ("AS", MANILLES[trump], "AC", *(rank + trump for rank in ORDINARY[trump]))
    return tuple(rank + suit for rank in PLAIN[suit])


def _tables():
    trumps = np.zeros(4, np.int64)
    matadors = np.zeros(4, np.int64)
    lower = np.zeros((4, 40), np.int64)  # the matadors below a matador led; none below any other card
    plain = np.zeros((4, 4), np.int64)  # the set of a plain suit; empty for the trump suit
    suit_of = np.full((4, 40), NONE, np.int64)  # effective suit: 0..3, trumps 4
    strength = np.zeros((4, 40), np.int64)  # plain 1..10, trumps from 11
    by_strength = np.full((4, 12), NONE, np.int64)  # trumps, high to low
    for t, trump in enumerate(SUITS):
        order = [CARDS.index(card) for card in order_of(trump, "trump")]
        trumps[t], matadors[t] = mask_of(order), mask_of(order[:3])
        by_strength[t, : len(order)] = order
        for place, card in enumerate(order):
            suit_of[t, card], strength[t, card] = 4, 30 - place
            if place < 3:
                lower[t, card] = mask_of(order[place + 1 : 3])
        for s, suit in enumerate(SUITS):
            if s != t:
                cards = [CARDS.index(card) for card in order_of(trump, suit)]
                plain[t, s] = mask_of(cards)
                for place, card in enumerate(cards):
                    suit_of[t, card], strength[t, card] = s, 10 - place
    made = trumps, matadors, lower, plain, suit_of, strength, by_strength
    for table in made:
        table.flags.writeable = False
    return made


TRUMPS, MATADORS, LOWER, PLAIN_SUIT, SUIT_OF, STRENGTH, BY_STRENGTH = _tables()


@inline
def beats(trump, card, best, led):
    """Whether a card played to a trick takes it over from the best so far."""
    suit = SUIT_OF[trump, card]
    return (suit == 4 or suit == SUIT_OF[trump, led]) and STRENGTH[trump, card] > STRENGTH[trump, best]


@inline
def playable(hand, trump, led):
    """The cards of a hand that may be played to a card led, or NONE to lead (4.5)."""
    if led == NONE:
        return hand
    suit = SUIT_OF[trump, led]
    if suit < 4:
        same = hand & PLAIN_SUIT[trump, suit]
        return same if same else hand
    held = hand & TRUMPS[trump]
    return held if held & (~MATADORS[trump] | LOWER[trump, led]) else hand


@jit
def refused(trump, card, led):
    """The cards that a seat has shown not to hold by playing `card` to `led`."""
    suit = SUIT_OF[trump, led]
    if SUIT_OF[trump, card] == suit:
        return 0
    if suit < 4:
        return PLAIN_SUIT[trump, suit]
    return TRUMPS[trump] & ~MATADORS[trump] | LOWER[trump, led]


@jit
def trump_run(trump, cards):
    """The number of trumps in unbroken sequence from Spadille."""
    run = 0
    while run < count(TRUMPS[trump]) and cards & bit(BY_STRENGTH[trump, run]):
        run += 1
    return run


@jit
def matador_run(trump, cards):
    """mr of 5.3: that number, 0 below three."""
    run = trump_run(trump, cards)
    return run if run >= 3 else 0
