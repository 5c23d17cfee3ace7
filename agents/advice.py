"""Advice on a view: what an agent answers (`BaseAgent.advise` in base.py), and the position that a view stands for."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import Game, seed_key
from ..envs.faces.opponents import Positions


@dataclass(frozen=True)
class Advice:
    """The move of an agent, and its ratings of all legal moves: probabilities, or with search values in points.

    details: what else it tells of its decision, numbers by name; of a search the worlds, from how many candidates they were
    drawn, as how many equally likely ones the candidates count, and the share of the worlds that was solved exactly.
    """

    move: str
    rated: str  # "probability" or "value"; "" where the agent tells no ratings
    ratings: dict[str, float]  # by the names of the legal moves, best first
    details: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def position_of(game: Game, hidden: NDArray[Any], key: int) -> Positions:
    """The one decision of a hidden record (1,) whose seat is to act."""
    seats = np.array(hidden["seat"], np.int64)
    return Positions(game.observe(hidden, seats), game.legal(hidden), seats, np.array([key], np.uint64), hidden)


def key_of(hidden: NDArray[Any], seed: int) -> int:
    """A key that depends on the view and the seed alone."""
    digest = hashlib.blake2b(hidden.tobytes() + int(seed_key(seed)).to_bytes(8, "little"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
