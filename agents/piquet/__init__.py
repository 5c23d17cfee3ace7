"""The rule-based player of piquet: a kernel that reads a view and weighs the legal actions (see agents/heuristic.py)."""

from ...envs.engine.jit import jit
from ...envs.piquet import actions as act
from ...envs.piquet import state as st
from ...envs.piquet.legal import options
from .announcements import weigh_announcement
from .declarations import weigh_declaration
from .exchange import weigh_exchange
from .play import best_card


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`, to act in its view.

    rules, view: records; mask int8 (A,), the legal actions; out float32 (A,), zeroed. The sum is 1.
    """
    phase = view["phase"]
    if phase == st.LEAD or phase == st.FOLLOW:
        _, cards, _, _ = options(rules, view)
        out[act.PLAY + best_card(rules, view, seat, cards)] = 1
    elif phase == st.EXCHANGE:
        weigh_exchange(rules, view, seat, out)
    elif phase == st.BLANK:
        out[act.BLANK] = 1
    elif phase < st.CAPOT:
        weigh_declaration(view, seat, mask, out)
    else:
        weigh_announcement(rules, view, seat, out)
