"""What seats see of states, at any moment of an episode or after it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.game import Game


def seen_by(game: Game, states: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """What `seats` (n,) see of states (n,): float32 (n, D)."""
    return game.observe(game.hide(states, seats), seats)
