"""A stock opponent of bouillotte and brelan: it doubles, opens and raises whenever it may, by much, on any cards."""

from ...envs.bouillotte import actions as act
from ...envs.bouillotte.play import options
from ...envs.engine.jit import jit
from .stakes import stake_near

RAISES = 0.8  # of the decisions where it may stake
FOLDS = 0.05  # of the others that a fold may answer
SIZES = 4  # one pot, two pots, half the stack and the whole of it, as often as each other


@jit
def weigh(rules, view, seat, mask, out):
    """Write the probability of each action of `seat`; see the kernel of agents/bouillotte."""
    word, low, high = options(rules, view)
    rest = 1.0
    if low <= high:
        rest -= RAISES
        stack, stake = view["match"]["stack"][seat], view["stake"][seat]
        pot = view["pot"] + max(0, view["level"] - stake)
        for wanted in (low - 1 + pot, low - 1 + 2 * pot, stake + (stack + 1) // 2, high):
            out[stake_near(rules, view, mask, wanted)] += RAISES / SIZES
    if mask[act.FOLD]:
        out[act.FOLD] = rest * FOLDS
        rest -= rest * FOLDS
    if mask[act.CARRE]:
        out[act.CARRE] = rest
    elif mask[act.CALL]:
        out[act.CALL] = rest
    elif mask[act.PASS]:
        out[act.PASS] = rest
    else:
        out[act.TALON_FIRST] = rest
