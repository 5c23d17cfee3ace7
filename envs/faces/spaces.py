"""The spaces and names that all faces share."""

import numpy as np
from gymnasium import spaces

from ..engine.errors import unknown
from ..engine.game import Game
from .pictures import RENDER_MODES

ILLEGAL_REWARD = -1000.0  # where an illegal action ends the episode: below what a deal of any game can cost


def observation_box(game: Game) -> spaces.Box:
    """The flat observation: float32 (D,) in [-1, 1]."""
    return spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32)


def mask_box(game: Game) -> spaces.Box:
    """The action mask: int8 (A,), 1 = legal."""
    return spaces.Box(0, 1, (game.num_actions,), np.int8)


def checked_mode(render_mode: str | None) -> str | None:
    """`render_mode`, if there is such a mode; UnknownName names the nearest."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise unknown("render mode", render_mode, RENDER_MODES)
    return render_mode
