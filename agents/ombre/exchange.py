"""The exchange: which cards to throw, and who of the defenders goes first."""

import numpy as np

from ...envs.engine.cards import bit, count, lowest
from ...envs.engine.jit import inline, jit
from ...envs.ombre import actions as act
from ...envs.ombre.exchange import most_exchanged
from ...envs.ombre.trumps import STRENGTH, SUIT_OF, TRUMPS
from .suits import ABOVE, BELOW

LEAST_KEPT = 0.0
_KEEP = np.array([[9.0, -0.5, -2.0, -3.0], [9.0, 0.5, -1.0, -2.0]])
_KEEP.flags.writeable = False


@jit
def worth_keeping(trump, hand, card, role):
    """What a card is worth above the card drawn in its place; negative: it is thrown. role: 0 the ombre, 1 a defender."""
    suit = SUIT_OF[trump, card]
    if suit == 4:
        return 10.0 + STRENGTH[trump, card] / 10.0
    above = ABOVE[trump, card]
    over = count(above)
    if over == 0:
        return 9.0
    low = STRENGTH[trump, card] / 100.0
    if over == 1:  # a queen
        if hand & above:
            return 3.0 + low if role == 1 else 1.0 + low
        if hand & BELOW[trump, card]:
            return -0.5 + low
    return -3.0 + low


@inline
def best_discard(rules, view, seat, legal):
    """The next card to throw, or DONE. All cards of no worth are thrown, the worst first where not all may be."""
    trump, hand = view["trump"], view["dealt"][seat]
    role = 0 if seat == view["ombre"] else 1
    most = most_exchanged(rules, view, seat)
    thrown = 0
    for n in range(most):
        worst, chosen = 1e9, 0
        cards = hand & ~thrown
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            worth = worth_keeping(trump, hand, card, role)
            if worth < worst:
                worst, chosen = worth, card
        if worst >= LEAST_KEPT and (n > 0 or legal & bit(act.DONE)):
            break
        thrown |= bit(chosen)
    if thrown & legal:
        return lowest(thrown & legal)
    return act.DONE if legal & bit(act.DONE) else lowest(legal)


@jit
def goes_first(view, seat):
    """The stronger defender should draw first: with a matador or three trumps this one does."""
    trump, hand = view["trump"], view["hand"][seat]
    return count(hand & TRUMPS[trump]) >= 2
