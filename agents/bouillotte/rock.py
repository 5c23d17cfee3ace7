"""A stock opponent of bouillotte and brelan: it stakes on strong hands alone, and gives up all others."""

from ...envs.bouillotte import actions as act
from ...envs.bouillotte import state as st
from ...envs.bouillotte.play import options
from ...envs.bouillotte.settlement import live
from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from .chances import chance_of_winning
from .stakes import edge_of, pot_within_reach, price_of, stake_near

OPENS, CALLS, RAISES = 4.0, 3.0, 6.0  # the edge that does so (see agents/bouillotte)


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
    edge = edge_of(chance_of_winning(rules, view, seat, others), count(others))
    needed = OPENS if view["phase"] == st.OPENING else RAISES
    pot = pot_within_reach(rules, view, seat) + price_of(view, seat)
    if low <= high and edge > needed:
        out[stake_near(rules, view, mask, low - 1 + pot)] = 1
    elif mask[act.PASS]:
        out[act.PASS] = 1
    elif not mask[act.FOLD] or edge > CALLS:
        out[act.CALL] = 1
    else:
        out[act.FOLD] = 1
