"""What a decision costs and may win, and how a stake of some size is named."""

import numpy as np

from ...envs.bouillotte import actions as act
from ...envs.bouillotte.betting import rung_stake
from ...envs.bouillotte.play import options
from ...envs.engine.jit import inline, jit


@jit
def price_of(view, seat):
    """What a call costs."""
    return max(0, min(view["level"] - view["stake"][seat], view["match"]["stack"][seat]))


@jit
def pot_within_reach(rules, view, seat):
    """What lies there that the seat wins if it calls and has the best hand; its call itself is not counted."""
    reach = view["stake"][seat] + price_of(view, seat)
    pot = view["pot"]
    for other in range(rules["players"]):
        pot -= max(0, view["stake"][other] - reach)
    return pot


@inline
def stake_near(rules, view, mask, wanted):
    """The choice that makes the stake as nearly as may be `wanted`; asked only where a stake is legal."""
    _, low, high = options(rules, view)
    if not rules["ladder"]:
        return act.STAKE + min(max(wanted, low), high)
    best = act.FIRST_RUNG
    nearest = np.int64(1) << 40
    for rung in range(act.RUNGS):
        if mask[act.FIRST_RUNG + rung]:
            away = abs(rung_stake(view, rung, low, high) - wanted)
            if away < nearest:
                nearest = away
                best = act.FIRST_RUNG + rung
    return best


@jit
def edge_of(chance, others):
    """The odds of winning, as many times those of an equal share with so many others."""
    return chance * others / max(1 - chance, 1 / 256)
