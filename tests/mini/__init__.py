"""The smallest game that the contract allows: two seats, one choice, and a worth that tests edit. Not a game to play."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from lomber.envs.engine.cards import bit, count
from lomber.envs.engine.game import GameSpec
from lomber.envs.engine.jit import jit
from lomber.envs.engine.state import HEADER, NONE, OVER, RUNNING

from .rules import worth


@dataclass(frozen=True)
class Options:
    """None."""


@jit
def begin(rules, state):
    state["won"] = 0


@jit
def pack(rules, deck):
    for card in range(2):
        deck[card] = card
    return 2


@jit
def deal(rules, state):
    state["won"] = 0
    state["stage"] = RUNNING
    state["seat"] = 0


@jit
def legal(rules, state, mask):
    if state["stage"] == RUNNING:
        mask[:] = 1


@jit
def move(rules, state, action):
    state["won"] = action + 1
    state["stage"] = OVER
    state["seat"] = NONE


@jit
def forced(rules, state):
    return NONE


@jit
def retrace(rules, end, state):
    return end["won"] - 1 if end["won"] else NONE


@jit
def points(rules, state, out):
    out[0] = worth(state) * count(bit(3))
    out[1] = -out[0]


@jit
def hide(rules, state, seat):
    state["deck"][:] = 0


@jit
def observe(rules, view, seat, out):
    out[0] = view["won"]


@jit
def reveal(rules, state, out):
    out[0] = state["won"]


@jit
def redeal(rules, view, seat, key):
    return 1


@jit
def consistent(rules, view, world, seat):
    return True


KERNELS = (begin, pack, deal, legal, move, forced, retrace, points, hide, observe, reveal, redeal, consistent)
MATCH = np.dtype([("nothing", np.int32)])
FLOAT = np.dtype([("won", np.float32)])
SPEC = GameSpec(
    name=__name__.rpartition(".")[2],
    title="Mini",
    version=0,
    options=Options,
    presets={"plain": {}},
    flatten=lambda options: np.zeros(1, np.dtype([("none", np.int32)])),
    seats=lambda options: 2,
    most_seats=2,
    state=np.dtype([*HEADER, ("deck", np.int32, (2,)), ("won", np.int32), ("match", MATCH), ("start", MATCH)]),
    observation=FLOAT,
    reveal=FLOAT,
    cards=("A", "B"),
    actions=("left", "right"),
    functions={kernel.__name__: kernel for kernel in KERNELS},
    events=SimpleNamespace(),
    picture=None,
)
