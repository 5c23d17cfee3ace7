"""One suit between the two hands: what it yields to whoever leads it, and to whoever guards it.

A suit is a byte, bit r = rank r, the ace 0. `theirs` is what the other may hold.
"""

from ...envs.engine.cards import count, lowest
from ...envs.engine.jit import jit


def _last_ranks():
    return (-1, *(max(r for r in range(8) if byte >> r & 1) for byte in range(1, 256)))


LAST = _last_ranks()  # the rank of the lowest card of a suit


@jit
def sure_tricks(mine, theirs):
    """How often in a row a suit can be led and surely won, if they hold all of `theirs`."""
    if not theirs:
        return count(mine)
    tops = count(mine & ((theirs & -theirs) - 1))
    return count(mine) if tops >= count(theirs) else tops


@jit
def guarded_tricks(mine, theirs):
    """How many tricks a suit makes that they lead from the top, the low cards thrown first."""
    won = 0
    while mine and theirs:
        if lowest(mine) < lowest(theirs):
            won += 1
            mine &= mine - 1
            theirs &= ~(1 << LAST[theirs])
        else:
            theirs &= theirs - 1
            mine &= ~(1 << LAST[mine])
    return won + count(mine)


@jit
def led_out(mine, theirs):
    """(won, lost) if the suit is led from the top until they have none left; what remains is won."""
    won, lost = 0, 0
    while mine and theirs:
        over = theirs & ((mine & -mine) - 1)
        mine &= mine - 1
        if over:
            lost += 1
            theirs &= ~(1 << LAST[over])
        else:
            won += 1
            theirs &= ~(1 << LAST[theirs])
    return won + count(mine), lost


@jit
def likely_run(mine, theirs, known, share):
    """How many tricks they may win in a row if they lead a suit: cards over our best, or all once ours are gone.

    They hold the cards `known`, and each other one of `theirs` with the chance `share`.
    """
    over = theirs & ((mine & -mine) - 1) if mine else theirs
    tops = likely_count(over, known, share)
    return tops if tops < count(mine) else likely_count(theirs, known, share)


@jit
def likely_count(theirs, known, share):
    return count(theirs & known) + share * count(theirs & ~known)


@jit
def touching(high, low, theirs):
    """No card of theirs lies between the ranks `high` and `low`."""
    return not theirs & ((1 << low) - 1) & ~((1 << high) - 1)
