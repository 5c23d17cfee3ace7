"""Placing unknown cards uniformly: deal the unseen set into the free places at random, keep the placing or try again."""

from .cards import list_cards
from .chance import shuffle
from .jit import jit

MOST_TRIES = 1_000_000


@jit
def scatter(stream, unseen, out):
    """Write the cards of the set `unseen` into `out` in uniformly random order; returns how many."""
    n = list_cards(unseen, out)
    shuffle(stream, out, n)
    return n
