"""A move for a view: what an agent would play where a seat knows just this, and how it rates what it may do.

The view may come from a front-end that dealt the cards itself: a record's text or JSON as one seat knows it
(envs/engine/records.py). What contradicts itself is refused with the event that cannot be.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine import records
from ..envs.engine.errors import LomberError, RecordError
from ..envs.engine.game import Game, seed_key
from ..envs.engine.state import RUNNING
from .base import Agent, Positions


@dataclass(frozen=True)
class Advice:
    """The move of an agent, and its ratings of all legal moves: probabilities, or with search values in points."""

    move: str
    rated: str  # "probability" or "value"; "" where the agent tells no ratings
    ratings: dict[str, float]  # by the names of the legal moves, best first

    def to_json(self) -> dict[str, Any]:
        return {"move": self.move, "rated": self.rated, "ratings": self.ratings}


def advise(agent: Agent, game: Game, view: records.View, key: int | None = None) -> Advice:
    """What `agent` plays for the seat whose view this is.

    The same move as at a table where the seat has this view and the decision this key; without one the key is a hash of the
    view and the agent's seed. RecordError: the view cannot be, or its seat is not to act; LomberError: it is of another game.
    """
    if (view.game, records.game_of(view)) != (game.name, game):
        raise LomberError(f"the view is of {records.game_of(view)!r}, the agent plays {game!r}")
    hidden = records.from_view(view)
    if hidden[0]["stage"] != RUNNING:
        raise RecordError("the deal is over: there is no move to advise")
    if hidden[0]["seat"] != view.seat:
        raise RecordError(f"seat {view.seat} is not to act: seat {hidden[0]['seat']} is")
    positions = position_of(game, hidden, key_of(hidden, agent.seed) if key is None else key)
    choice = int(agent.act(positions)[0])
    rated, ratings = _ratings(agent, positions)
    legal = [action for action in np.flatnonzero(positions.action_mask[0]) if not np.isnan(ratings[action])]
    best_first = sorted(legal, key=lambda action: -ratings[action])
    return Advice(game.actions[choice], rated, {game.actions[action]: float(ratings[action]) for action in best_first})


def _ratings(agent: Any, positions: Positions) -> tuple[str, NDArray[np.float64]]:
    """What an agent tells of the actions: by its `rate`, else by its `probabilities`; a plug-in may have neither."""
    if hasattr(agent, "rate"):
        rated, rows = agent.rate(positions)
        return rated, rows[0]
    if hasattr(agent, "probabilities"):
        return "probability", np.asarray(agent.probabilities(positions)[0], np.float64)
    return "", np.full(positions.action_mask.shape[1], np.nan)


def position_of(game: Game, hidden: NDArray[Any], key: int) -> Positions:
    """The one decision of a hidden record (1,) whose seat is to act."""
    seats = np.array(hidden["seat"], np.int64)
    return Positions(game.observe(hidden, seats), game.legal(hidden), seats, np.array([key], np.uint64), hidden)


def key_of(hidden: NDArray[Any], seed: int) -> int:
    """A key that depends on the view and the seed alone."""
    digest = hashlib.blake2b(hidden.tobytes() + int(seed_key(seed)).to_bytes(8, "little"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
