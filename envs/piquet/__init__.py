"""Piquet for two: elder and younger, 32 cards, exchange, declarations and twelve tricks (see README.md beside this file)."""

from ..engine.game import GameSpec
from . import consistency, events, knowledge, legal, picture, play, worlds
from .actions import ACTIONS, CARDS
from .options import PRESETS, Options, flatten
from .scoring import net_points
from .state import OBSERVATION, REVEAL, STATE

SPEC = GameSpec(
    name="piquet",
    title="Piquet",
    version=0,
    options=Options,
    presets=PRESETS,
    flatten=flatten,
    seats=lambda options: 2,
    most_seats=2,
    state=STATE,
    observation=OBSERVATION,
    reveal=REVEAL,
    cards=CARDS,
    actions=ACTIONS,
    functions={
        "begin": play.begin,
        "pack": play.pack,
        "deal": play.deal,
        "legal": legal.legal,
        "move": play.move,
        "forced": play.forced,
        "retrace": play.retrace,
        "points": net_points,
        "hide": knowledge.hide,
        "observe": knowledge.observe,
        "reveal": knowledge.reveal,
        "redeal": worlds.redeal,
        "consistent": consistency.consistent,
    },
    events=events,
    picture=picture,
)
