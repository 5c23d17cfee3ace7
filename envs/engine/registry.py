"""Games by name. The table is filled by lomber.envs, so the engine knows no game."""

import importlib
from typing import Any

from .errors import unknown
from .game import Game

GAMES: dict[str, str] = {}  # name -> module that offers SPEC


def make_game(name: str, preset: str | None = None, **options: Any) -> Game:
    """A game under a preset (its first one by default) with `options` laid over it.

    Raises UnknownName for an unknown game, preset, option or value, naming the nearest that exist.
    """
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    return Game(importlib.import_module(GAMES[name]).SPEC, GAMES[name], preset, options)
