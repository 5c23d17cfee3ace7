"""The rule-based player of ombre: a kernel that reads a view and weighs the legal actions (see agents/heuristic.py)."""

from ...envs.engine.cards import bit
from ...envs.engine.jit import jit
from ...envs.ombre import actions as act
from ...envs.ombre import state as st
from ...envs.ombre.play import options
from ...envs.ombre.trumps import ALL
from .auction import best_bid, best_trump, card_to_keep
from .exchange import best_discard, goes_first
from .play import best_card
from .premiers import gives_up, undertakes_vole


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`, to act in its view.

    rules, view: records; mask int8 (A,), the legal actions; out float32 (A,), zeroed. The sum is 1.
    """
    phase = view["phase"]
    legal = options(rules, view)
    if phase == st.PLAY:
        if legal & bit(act.SURRENDER) and gives_up(view, seat):
            chosen = act.SURRENDER
        else:
            chosen = best_card(rules, view, seat, legal & ALL)
    elif phase == st.DISCARD:
        chosen = best_discard(rules, view, seat, legal)
    elif phase <= st.CASCO_AUCTION:
        chosen = best_bid(rules, view, seat, legal)
    elif phase == st.NAME_TRUMP or phase == st.CASCO_TRUMP:
        chosen = best_trump(rules, view, seat)
    elif phase == st.CASCO_KEEP:
        chosen = card_to_keep(legal)
    elif phase == st.HANDOVER:
        chosen = act.GO_FIRST if goes_first(view, seat) else act.YIELD
    elif phase == st.LOOK:
        chosen = act.LEAVE
    else:
        chosen = act.VOLE if undertakes_vole(rules, view, seat) else act.STOP
    out[chosen] = 1
