"""Card games of the old card table for reinforcement learning: the registry.

import lomber.envs
game = lomber.envs.make_game("piquet", preset="rubicon")
tables = lomber.envs.Tables(game, 1024, seed=1)
"""

import importlib
from typing import Any

from .engine.errors import IllegalAction, LomberError, RecordError, UnknownName, unknown
from .engine.game import Game
from .engine.tables import Tables

GAMES = {
    "piquet": "lomber.envs.piquet",
}


def make_game(name: str, preset: str | None = None, **options: Any) -> Game:
    """A game under a preset (its first one by default) with `options` laid over it.

    Raises UnknownName for an unknown game, preset, option or value, naming the nearest that exist.
    """
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    return Game(importlib.import_module(GAMES[name]).SPEC, GAMES[name], preset, options)


__all__ = ["GAMES", "Game", "IllegalAction", "LomberError", "RecordError", "Tables", "UnknownName", "make_game"]
