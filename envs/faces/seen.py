"""Fast looks at single tables: numpy copies a record field by field, so copies go through bytes here."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.game import Game


def copied(states: NDArray[Any]) -> NDArray[Any]:
    """A copy of states (n,) that can be written to: under 1 us a record, where `states.copy()` takes 45 us."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def seen_by(game: Game, states: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """What `seats` (n,) see of states (n,), at any moment of an episode or after it: float32 (n, D)."""
    views = copied(states)
    out = np.zeros((len(views), game.observation_size), np.float32)
    game.loops.hide_rows(game.rules, views, seats)
    game.loops.observe_rows(game.rules, views, seats, out)
    return out
