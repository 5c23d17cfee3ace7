"""Pots of table stakes: what is put in, the layers of an all-in pot, and transfers. Integers, and no jeton is lost or made.

`stack` and `stake` are integer arrays by seat: what lies in front of a player, and what he has put in.
"""

from .jit import inline


@inline
def put_in(stack, stake, seat, jetons):
    """A seat stakes jetons that it has."""
    stack[seat] -= jetons
    stake[seat] += jetons


@inline
def transfer(stack, payer, payee, due):
    """One seat pays another what is due, or all it has left; returns what it paid."""
    paid = min(due, stack[payer])
    stack[payer] -= paid
    stack[payee] += paid
    return paid


@inline
def next_layer(stake, live, below):
    """(level, jetons) of the lowest layer above the stake `below`; level == below where there is no more.

    `live`: the set of seats that contest the pot. A layer reaches up to the next stake of a live seat, is contested by the
    live seats that staked so much, and holds what all seats staked between; what lies above the highest belongs to it too.
    """
    level = highest = below
    for seat in range(stake.shape[0]):
        if live >> seat & 1 and stake[seat] > below:
            highest = max(highest, stake[seat])
            if level == below or stake[seat] < level:
                level = stake[seat]
    jetons = 0
    if level > below:
        for seat in range(stake.shape[0]):
            above = max(stake[seat] - below, 0)
            jetons += above if level == highest else min(above, level - below)
    return level, jetons
