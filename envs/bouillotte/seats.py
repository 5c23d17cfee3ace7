"""The order of the seats (spec section 3). A set of seats has bit s set for seat s."""

from ..engine.jit import inline
from ..engine.state import NONE


@inline
def next_in(rules, seat, among):
    """The first seat of a set in order after `seat`, which itself comes last; NONE where the set is empty."""
    n, step = rules["players"], rules["step"]
    for _ in range(n):
        seat += step
        if seat >= n:
            seat -= n
        if among >> seat & 1:
            return seat
    return NONE


@inline
def distance(rules, seat, other):
    """How many places `other` sits after `seat` in order, 0 to players - 1."""
    n = rules["players"]
    away = other - seat if rules["step"] == 1 else seat - other
    return away if away >= 0 else away + n
