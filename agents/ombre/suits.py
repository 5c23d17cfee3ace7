"""Cards above and below each other by trump suit, and the chance that a hand of unseen cards beats a card."""

import numpy as np

from ...envs.engine.cards import count, lowest
from ...envs.engine.jit import jit
from ...envs.ombre.trumps import PLAIN_SUIT, STRENGTH, SUIT_OF, TRUMPS


def _tables():
    above = np.zeros((4, 40), np.int64)
    below = np.zeros((4, 40), np.int64)
    for trump in range(4):
        for card in range(40):
            for other in range(40):
                if SUIT_OF[trump, other] == SUIT_OF[trump, card]:
                    if STRENGTH[trump, other] > STRENGTH[trump, card]:
                        above[trump, card] |= 1 << other
                    elif other != card:
                        below[trump, card] |= 1 << other
    above.flags.writeable = below.flags.writeable = False
    return above, below


ABOVE, BELOW = _tables()  # by trump suit and card: the cards of its suit that beat it, that it beats


@jit
def without(n, p):
    """The chance that none of n cards lies in a hand that holds each with the chance p."""
    chance = 1.0
    for _ in range(n):
        chance *= 1.0 - p
    return chance


@jit
def holds_none(cards, sure, p):
    """The same for a set of cards, of which it is known to hold those in `sure`."""
    return 0.0 if cards & sure else without(count(cards), p)


@jit
def ruffs(trump, suit, hand):
    """The chance that a hand is out of a plain suit and has a trump; hand: (possible, sure, p, trump_p), as in play.py."""
    possible, sure, p, trump_p = hand
    void = holds_none(PLAIN_SUIT[trump, suit] & possible, sure, p)
    return void * (1.0 - holds_none(TRUMPS[trump] & possible, sure, trump_p))


@jit
def stands(trump, card, led, hand):
    """The chance that a card, the best to the suit `led` (0..3, trumps 4) so far, is not beaten by such a hand."""
    possible, sure, p, trump_p = hand
    higher = ABOVE[trump, card] & possible
    if led == 4:
        return holds_none(higher, sure, trump_p)
    if SUIT_OF[trump, card] == 4:
        void = holds_none(PLAIN_SUIT[trump, led] & possible, sure, p)
        return 1.0 - void * (1.0 - holds_none(higher, sure, trump_p))
    return max(holds_none(higher, sure, p) - ruffs(trump, led, hand), 0.0)


@jit
def top_of(trump, suit_cards):
    """The highest card of cards of one suit, not empty."""
    best = -1
    while suit_cards:
        card = lowest(suit_cards)
        if best < 0 or STRENGTH[trump, card] > STRENGTH[trump, best]:
            best = card
        suit_cards &= suit_cards - 1
    return best


@jit
def guarded(trump, suit_cards, unseen):
    """1 where the top of cards of one suit is beaten by some, but has a lower card to throw under each of them."""
    if not suit_cards:
        return 0
    over = count(ABOVE[trump, top_of(trump, suit_cards)] & unseen)
    return 1 if 0 < over < count(suit_cards) and over <= 2 else 0


@jit
def sure_tricks(trump, hand, theirs):
    """How many tricks a hand that leads surely makes if they hold all of `theirs`: trumps from the top, then masters."""
    tops, masters = 0, 0
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not ABOVE[trump, card] & theirs:
            tops += SUIT_OF[trump, card] == 4
            masters += SUIT_OF[trump, card] != 4
    if tops < count(TRUMPS[trump] & theirs):
        return tops
    return count(TRUMPS[trump] & hand) + masters
