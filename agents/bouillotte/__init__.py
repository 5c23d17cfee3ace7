"""The rule-based player of bouillotte and brelan: a kernel that weighs the legal actions (see agents/heuristic.py).

It opens, calls and raises by its chance of winning (chances.py) against what that costs (stakes.py).
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
from .stakes import pot_within_reach, price_of, stake_near

BLUFFS = 0.05  # how often a hand that would pass or fold in a late place is staked on


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`, to act in its view.

    rules, view: records; mask int8 (A,), the legal actions; out float32 (A,), zeroed. The sum is 1.
    """
    phase = view["phase"]
    if phase == st.BLIND:
        out[act.CARRE if mask[act.CARRE] and takes_carre(rules, view, seat) or not mask[act.NO_CARRE] else act.NO_CARRE] = 1
    elif phase == st.OPENING:
        weigh_opening(rules, view, seat, mask, out)
    elif phase == st.BETTING:
        weigh_answer(rules, view, seat, mask, out)
    else:
        out[act.TALON_FIRST] = 1  # each card of the talon is as good as another


@inline
def takes_carre(rules, view, seat):
    return 8 * view["pot"] <= view["match"]["stack"][seat]


@inline
def weigh_opening(rules, view, seat, mask, out):
    _, low, high = options(rules, view)
    if low > high:
        out[act.PASS] = 1
        return
    others = live(view) & ~(1 << seat)
    chance = chance_of_winning(rules, view, seat, others)
    share = chance * (1 + count(others))
    behind = count(view["waiting"])
    pot = view["pot"]
    if share > 1.1 + 0.1 * behind:
        wanted = low
        if share > 1.5:
            wanted = low + pot
        if share > 2.0:
            wanted = low + 2 * pot
        out[stake_near(rules, view, mask, wanted)] = 1
    elif behind == 0:
        out[stake_near(rules, view, mask, low + pot)] = BLUFFS
        out[act.PASS] = 1 - BLUFFS
    else:
        out[act.PASS] = 1


@inline
def weigh_answer(rules, view, seat, mask, out):
    _, low, high = options(rules, view)
    others = live(view) & ~(1 << seat)
    chance = chance_of_winning(rules, view, seat, others)
    price = price_of(view, seat)
    pot = pot_within_reach(rules, view, seat)
    share = chance * (1 + count(others))
    best, _ = categorize(rules, view["hand"][seat], view["retourne"], NONE)
    if best == st.CARRE or share > 1.5 and chance > 0.6:
        if low <= high:
            wanted = low + pot + price
            if chance > 0.8:
                wanted = high
            out[stake_near(rules, view, mask, wanted)] = 1
        else:
            out[act.CALL] = 1
    elif not mask[act.FOLD] or chance * (pot + price) > 1.1 * price:
        out[act.CALL] = 1
    elif low <= high and view["waiting"] == 0 and count(others) == 1:
        out[stake_near(rules, view, mask, low + pot + price)] = BLUFFS
        out[act.FOLD] = 1 - BLUFFS
    else:
        out[act.FOLD] = 1
