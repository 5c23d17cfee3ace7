"""Following suit and who wins a trick, for games whose suits lie in one run of ids each."""

from .cards import bit
from .jit import jit


@jit
def suit_set(suit, ranks):
    """All cards of a suit of `ranks` cards."""
    return (bit(ranks) - 1) << (suit * ranks)


@jit
def follow(hand, led_suit, ranks):
    """The cards of a hand that may be played to a lead of `led_suit`: of that suit where there are any, else all."""
    of_suit = hand & suit_set(led_suit, ranks)
    return of_suit if of_suit else hand
