"""A stock opponent of bouillotte and brelan: it stakes on strong hands alone, and gives up all others."""

from ...envs.bouillotte import actions as act
from ...envs.bouillotte import state as st
from ...envs.bouillotte.play import options
from ...envs.bouillotte.settlement import live
from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from .chances import chance_of_winning
from .stakes import pot_within_reach, price_of, stake_near

OPENS, CALLS, RAISES = 2.0, 1.6, 2.4  # times the share of the pot that would be fair


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`; see the kernel of agents/bouillotte."""
    if view["phase"] == st.BLIND:
        out[act.NO_CARRE if mask[act.NO_CARRE] else act.CARRE] = 1
        return
    if view["phase"] == st.TALON:
        out[act.TALON_FIRST] = 1
        return
    _, low, high = options(rules, view)
    others = live(view) & ~(1 << seat)
    chance = chance_of_winning(rules, view, seat, others)
    needed = OPENS if view["phase"] == st.OPENING else RAISES
    pot = pot_within_reach(rules, view, seat) + price_of(view, seat)
    if low <= high and is_strong(chance, count(others), needed):
        out[stake_near(rules, view, mask, low - 1 + pot)] = 1
    elif mask[act.PASS]:
        out[act.PASS] = 1
    elif not mask[act.FOLD] or is_strong(chance, count(others), CALLS):
        out[act.CALL] = 1
    else:
        out[act.FOLD] = 1


@jit
def is_strong(chance, others, needed):
    """Whether the odds of winning are so many times those of an equal share."""
    return chance * others > needed * (1 - chance)
