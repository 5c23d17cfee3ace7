"""Bouillotte: blind stakes, betting with three cards and a turned one, a showdown by brelan or point (see README.md)."""

from ..engine.game import GameSpec
from . import events, knowledge, picture, play, settlement, worlds
from .actions import ACTIONS, CARDS
from .options import PRESETS, Options, choices, flatten
from .state import OBSERVATION, REVEAL, SEATS, STATE

SPEC = GameSpec(
    name="bouillotte",
    title="Bouillotte",
    version=0,
    options=Options,
    presets=PRESETS,
    flatten=flatten,
    seats=lambda options: options.players,
    most_seats=SEATS,
    state=STATE,
    observation=OBSERVATION,
    reveal=REVEAL,
    cards=CARDS,
    actions=ACTIONS,
    choices=choices,
    abstraction={"action_abstraction": "ladder"},
    functions={
        "begin": play.begin,
        "pack": play.pack,
        "deal": play.deal,
        "legal": play.legal,
        "meant": play.meant,
        "move": play.move,
        "forced": play.forced,
        "retrace": play.retrace,
        "points": settlement.points,
        "hide": knowledge.hide,
        "observe": knowledge.observe,
        "reveal": knowledge.reveal,
        "redeal": worlds.redeal,
        "consistent": worlds.consistent,
    },
    events=events,
    picture=picture,
)
