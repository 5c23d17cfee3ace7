"""Ombre for three: auction, exchange with the talon, nine tricks of one against two (see README.md beside this file)."""

from ..engine.game import GameSpec
from . import events, knowledge, picture, play, worlds
from .actions import ACTIONS, CARDS
from .options import PRESETS, Options, flatten
from .settle import points
from .state import OBSERVATION, REVEAL, STATE

SPEC = GameSpec(
    name="ombre",
    title="Ombre",
    version=0,
    options=Options,
    presets=PRESETS,
    flatten=flatten,
    seats=lambda options: 3,
    most_seats=3,
    state=STATE,
    observation=OBSERVATION,
    reveal=REVEAL,
    cards=CARDS,
    actions=ACTIONS,
    functions={
        "begin": play.begin,
        "pack": play.pack,
        "deal": play.deal,
        "legal": play.legal,
        "move": play.move,
        "forced": play.forced,
        "retrace": play.retrace,
        "points": points,
        "hide": knowledge.hide,
        "observe": knowledge.observe,
        "reveal": knowledge.reveal,
        "redeal": worlds.redeal,
        "consistent": worlds.consistent,
    },
    events=events,
    picture=picture,
)
