"""Low, the twin of solo: equal dtypes, other rules. The last to bid may not pass, and what solo loses, low wins."""

from dataclasses import replace

from lomber.envs.engine.jit import jit
from lomber.envs.engine.state import NONE

from . import SPEC as SOLO
from .play import BID
from .play import legal as solo_legal
from .state import PASS, SEATS


@jit
def legal(rules, state, mask):
    solo_legal(rules, state, mask)
    if state["phase"] == BID and state["bids"][SEATS - 2] != NONE:
        mask[PASS] = 0


@jit
def points(rules, state, out):
    for seat in range(SEATS):
        out[seat] = -state["match"]["points"][seat]


SPEC = replace(SOLO, name="low", title="Low", functions={**SOLO.functions, "legal": legal, "points": points})
