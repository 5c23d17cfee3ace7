"""What agents choose with which hands, and what comes of it: tables and pictures of self-play (`lomber plot`).

A game has a function in PLOTS that reads finished records and tells its choices; playing, counting and drawing are the same
for all games.
"""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from ...envs.engine.game import Game
from . import bouillotte, ombre
from .choices import Choices

# kind of plot -> game -> the game and finished records (n,) as what was chosen in them, one Choices a row of pictures
PLOTS: dict[str, dict[str, Callable[[Game, NDArray[Any]], list[Choices]]]] = {
    "betting": {"bouillotte": bouillotte.betting, "brelan": bouillotte.betting},
    "bids": {"ombre": ombre.bids, "rocambole": ombre.bids},
}
