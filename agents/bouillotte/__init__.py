"""The rule-based player of bouillotte and brelan: a kernel that weighs the legal actions (see agents/heuristic.py).

It opens, calls and raises by its chance of winning (chances.py) against what that costs (stakes.py). How good a chance is
against so many others is its edge: the odds of winning, as many times those of an equal share.

The numbers below were tried, some fifty sets over 300 to 1,500 coups in all seatings, against random play, the maniac, the
rock and one another, in the presets bouillotte2 to bouillotte5 and brelan5.
"""

from ...envs.bouillotte import actions as act
from ...envs.bouillotte import state as st
from ...envs.bouillotte.play import options
from ...envs.bouillotte.settlement import live
from ...envs.engine.cards import count
from ...envs.engine.jit import inline, jit
from .chances import chance_of_winning
from .stakes import edge_of, pot_within_reach, price_of, stake_near

CARRE = 0.04  # the most of its stack that a seat pays to double the pot
OPEN, BEHIND = 1.1, 0.1  # the edge that opens: with nobody left to speak, and more for each who is
STRONG = 2.0  # the edge that opens with more
RAISE, ALL_IN = 5.0, 10.0  # the edge that raises, and with all it has
LITTLE, MUCH = 1, 2  # pots: what is staked on a good hand, and on a strong one
MARGIN, WAIT = 1.3, 0.1  # a call is to win so many times its price, and more for each who has still to answer
BLUFFS = 0.05  # how often a hand that would pass or fold, the last to speak or against one other, is staked on


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`, to act in its view.

    rules, view: records; mask int8 (A,), the legal actions; out float32 (A,), zeroed. The sum is 1.
    """
    phase = view["phase"]
    if phase == st.BLIND:
        takes = view["pot"] <= CARRE * view["match"]["stack"][seat] or not mask[act.NO_CARRE]
        out[act.CARRE if takes else act.NO_CARRE] = 1
    elif phase == st.OPENING:
        weigh_opening(rules, view, seat, mask, out)
    elif phase == st.BETTING:
        weigh_answer(rules, view, seat, mask, out)
    else:
        out[act.TALON_FIRST] = 1  # each card of the talon is as good as another


@inline
def weigh_opening(rules, view, seat, mask, out):
    """Pass, or open with a good hand; the earlier the seat speaks, the better a one."""
    _, low, high = options(rules, view)
    if low > high:
        out[act.PASS] = 1
        return
    others = live(view) & ~(1 << seat)
    edge = edge_of(chance_of_winning(rules, view, seat, others), count(others))
    behind = count(view["waiting"])
    pots = MUCH if edge > STRONG else LITTLE
    stakes = 0.0
    if edge > OPEN + BEHIND * behind:
        stakes = 1.0
    elif behind == 0:
        stakes = BLUFFS
    out[act.PASS] = 1 - stakes
    out[stake_near(rules, view, mask, low - 1 + pots * view["pot"])] = stakes


@inline
def weigh_answer(rules, view, seat, mask, out):
    """Raise with a strong hand, call where the pot is worth it, else fold. A carre wins every deal: it never folds."""
    _, low, high = options(rules, view)
    others = live(view) & ~(1 << seat)
    chance = chance_of_winning(rules, view, seat, others)
    edge = edge_of(chance, count(others))
    price = price_of(view, seat)
    pot = pot_within_reach(rules, view, seat) + price
    raises = 0.0
    if edge > RAISE:
        rest = act.CALL
        raises = 1.0
    elif not mask[act.FOLD] or chance * pot > price * (MARGIN + WAIT * count(view["waiting"])):
        rest = act.CALL
    else:
        rest = act.FOLD
        if view["waiting"] == 0 and count(others) == 1:
            raises = BLUFFS
    if low > high:
        raises = 0.0
    else:
        wanted = high if edge > ALL_IN else low - 1 + MUCH * pot
        out[stake_near(rules, view, mask, wanted)] = raises
    out[rest] = 1 - raises
