"""The rule-based player of bouillotte and brelan: a kernel that weighs the legal actions (see agents/heuristic.py).

It opens, calls and raises by its chance of winning (chances.py) against what that costs (stakes.py). How good a chance is
against so many others is its edge: the odds of winning, as many times those of an equal share.
"""

from ...envs.bouillotte import actions as act
from ...envs.bouillotte import state as st
from ...envs.bouillotte.play import options
from ...envs.bouillotte.settlement import live
from ...envs.bouillotte.showdown import categorize
from ...envs.engine.cards import count
from ...envs.engine.jit import inline, jit
from ...envs.engine.state import NONE
from .chances import chance_of_winning
from .stakes import edge_of, pot_within_reach, price_of, stake_near

BLUFFS = 0.05  # how often a hand that would pass or fold in a late place is staked on
CARRE = 0.125  # the most of its stack that a seat pays to double the pot
OPEN, BEHIND = 1.1, 0.1  # the edge that opens: with nobody left to speak, and more for each who is
STRONG = 2.0  # the edge that opens with more than the least
SMALL, SIZE = 0.5, 1.0  # openings and raises as a share of the pot
RAISE, ALL_IN = 2.0, 6.0  # the edge that raises, and with all it has
MARGIN, WAIT = 1.1, 0.1  # a call is to win so many times its price, and more for each who may still raise


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
    _, low, high = options(rules, view)
    if low > high:
        out[act.PASS] = 1
        return
    others = live(view) & ~(1 << seat)
    edge = edge_of(chance_of_winning(rules, view, seat, others), count(others))
    behind = count(view["waiting"])
    if edge > OPEN + BEHIND * behind:
        out[stake_near(rules, view, mask, low - 1 + int((SIZE if edge > STRONG else SMALL) * view["pot"] + 0.5))] = 1
    elif behind == 0:
        out[stake_near(rules, view, mask, low - 1 + int(SMALL * view["pot"] + 0.5))] = BLUFFS
        out[act.PASS] = 1 - BLUFFS
    else:
        out[act.PASS] = 1


@inline
def weigh_answer(rules, view, seat, mask, out):
    _, low, high = options(rules, view)
    others = live(view) & ~(1 << seat)
    chance = chance_of_winning(rules, view, seat, others)
    edge = edge_of(chance, count(others))
    price = price_of(view, seat)
    pot = pot_within_reach(rules, view, seat) + price
    best, _ = categorize(rules, view["hand"][seat], view["retourne"], NONE)
    if best == st.CARRE or edge > RAISE:
        if low > high:
            out[act.CALL] = 1
        else:
            out[stake_near(rules, view, mask, high if edge > ALL_IN else low - 1 + int(SIZE * pot + 0.5))] = 1
    elif not mask[act.FOLD] or chance * pot > price * (MARGIN + WAIT * count(view["waiting"])):
        out[act.CALL] = 1
    elif low <= high and view["waiting"] == 0 and count(others) == 1:
        out[stake_near(rules, view, mask, low - 1 + int(SIZE * pot + 0.5))] = BLUFFS
        out[act.FOLD] = 1 - BLUFFS
    else:
        out[act.FOLD] = 1
