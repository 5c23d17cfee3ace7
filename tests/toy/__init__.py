"""Solo, a teaching toy for three seats (no historical game).

Twelve cards, three to each seat, three to the talon. In turn from the dealer's left each seat passes, or names trumps and
plays alone: it draws the top card of the talon and lays one card away, unseen by the others. The dealer's left leads; suit
led must be followed. The soloist wins the stake from both others with two tricks of three, else pays it to both. If all pass
the deal is void. A partie is two or three deals; the first dealer is drawn by lot, then the deal goes to the left.
"""

from dataclasses import dataclass

import numpy as np

from lomber.envs.engine.game import GameSpec
from lomber.envs.engine.options import choice, integer

from . import events, knowledge, play
from .state import ACTIONS, CARD_NAMES, OBSERVATION, REVEAL, SEATS, STATE


@dataclass(frozen=True)
class Options:
    """Options of solo: how long an episode is, and what is played for."""

    episode: str = choice("deal", "partie")
    deals: int = integer(2, low=2, high=3)  # of a partie
    stake: int = integer(1, low=1, high=10)


PRESETS = {"plain": {}, "high": {"stake": 5, "deals": 3}}
RULES = np.dtype([("deals", np.int32), ("stake", np.int32)])


def flatten(options: Options) -> np.ndarray:
    """The options as rules: one record."""
    deals = options.deals if options.episode == "partie" else 1
    return np.array([(deals, options.stake)], RULES)


SPEC = GameSpec(
    name="solo",
    title="Solo",
    version=0,
    options=Options,
    presets=PRESETS,
    flatten=flatten,
    seats=lambda options: SEATS,
    most_seats=SEATS,
    state=STATE,
    observation=OBSERVATION,
    reveal=REVEAL,
    cards=CARD_NAMES,
    actions=ACTIONS,
    functions={
        "begin": play.begin, "pack": play.pack, "deal": play.deal, "legal": play.legal, "move": play.move,
        "forced": play.forced, "retrace": play.retrace, "points": play.points, "hide": knowledge.hide,
        "observe": knowledge.observe, "reveal": knowledge.reveal, "redeal": knowledge.redeal,
        "consistent": knowledge.consistent,
    },
    events=events,
    picture=None,
)  # fmt: skip
