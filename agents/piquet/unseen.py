"""What a seat can work out of the other's hand: the cards that it surely holds, and those that it may hold."""

from ...envs.engine.cards import bit, count
from ...envs.engine.jit import jit
from ...envs.piquet.knowledge import known_held
from ...envs.piquet.worlds import ALL, bounds_of_hand, void_suits


@jit
def their_cards(rules, view, seat):
    """(sure, possible): sets of cards in the other's hand now; `possible` includes `sure`."""
    other = 1 - seat
    must, closed = bounds_of_hand(rules, view, other)
    sure = (known_held(view, other) | must) & ~view["played"][other]
    away = view["hand"][seat] | view["discarded"][seat] | view["played"][0] | view["played"][1]
    for position in range(8):
        if view["talon"][position] >= 0:
            away |= bit(view["talon"][position])
    possible = sure | ALL & ~(away | closed | void_suits(view, other))
    if count(possible) == view["held"][other]:
        sure = possible
    return sure, possible
