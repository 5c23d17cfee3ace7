"""The exchange: which cards to throw, and who of the defenders goes first."""

from ...envs.engine.cards import bit, count, lowest
from ...envs.engine.jit import inline, jit
from ...envs.ombre import actions as act
from ...envs.ombre.exchange import most_exchanged
from ...envs.ombre.trumps import STRENGTH, SUIT_OF, TRUMPS
from .suits import ABOVE


@jit
def worth_keeping(trump, hand, card):
    """What a card is worth above the one drawn in its place, in chips by and by; below 0 it is thrown.

    Kept are trumps, kings, queens and knaves under them; the others go, first those with nothing above them in the hand.
    """
    suit = SUIT_OF[trump, card]
    if suit == 4:
        return STRENGTH[trump, card] / 10.0
    over = count(ABOVE[trump, card])
    if over == 0:
        return 0.5
    with_mine = count(ABOVE[trump, card] & hand)
    if over <= 2 and with_mine == over:
        return 0.2
    return -1.0 + 0.15 * with_mine + STRENGTH[trump, card] / 100.0


@inline
def best_discard(rules, view, seat, legal):
    """The next card to throw, or DONE. All cards of no worth are thrown, the worst first where not all may be."""
    trump, hand = view["trump"], view["dealt"][seat]
    most = most_exchanged(rules, view, seat)
    thrown = 0
    for n in range(most):
        worst, chosen = 1e9, 0
        cards = hand & ~thrown
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            worth = worth_keeping(trump, hand, card)
            if worth < worst:
                worst, chosen = worth, card
        if worst >= 0 and (n > 0 or legal & bit(act.DONE)):
            break
        thrown |= bit(chosen)
    if thrown & legal:
        return lowest(thrown & legal)
    return act.DONE if legal & bit(act.DONE) else lowest(legal)


@jit
def goes_first(view, seat):
    """Who draws first draws more, and every trump that he holds makes that worth more: without one he yields."""
    return count(view["hand"][seat] & TRUMPS[view["trump"]]) >= 1
