"""Pots of table stakes: what is put in, the layers of an all-in pot, and transfers. Integers, and no jeton is lost or made.

`stack` and `stake` are int64 arrays by seat: what lies in front of a player, and what he has put in.
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
def lay_layers(stake, live, reach, amount):
    """Divide what the seats have staked into layers, lowest first; returns how many, at least one if a live seat staked.

    `live`: the set of seats that contest the pot. Layer k is contested by the live seats that staked reach[k] or more, and
    holds amount[k]; stakes above the highest live one lie in the top layer.
    """
    n = 0
    below = 0
    while True:
        level = below
        for seat in range(stake.shape[0]):
            if live >> seat & 1 and stake[seat] > below and (level == below or stake[seat] < level):
                level = stake[seat]
        if level == below:
            break
        amount[n] = 0
        for seat in range(stake.shape[0]):
            amount[n] += min(max(stake[seat] - below, 0), level - below)
        reach[n] = below = level
        n += 1
    for seat in range(stake.shape[0]):
        if n:
            amount[n - 1] += max(stake[seat] - below, 0)
    return n
