"""What an agent is: `agent.act(positions) -> actions`, over a batch of positions.

An agent is handed no state. All its chance comes from the key of each position, so what it plays does not depend on batch
size, order or process. `Positions` and the protocol `Agent` stand with the faces, which ask opponents in the same way;
`BaseAgent` is what an agent of this library, or of a plug-in, is made from.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine import records
from ..envs.engine.errors import LomberError, RecordError
from ..envs.engine.game import Game
from ..envs.engine.state import RUNNING
from ..envs.faces.opponents import Agent, Positions, decide
from .advice import Advice, key_of, position_of

__all__ = ["Advice", "Agent", "BaseAgent", "Considered", "Positions", "decide"]


@dataclass(frozen=True)
class Considered:
    """One decision and what led to it.

    ratings: (A,) float64, of legal actions; NaN where nothing is told. rated: what they are, "probability" or "value" (in
    points), "" where the agent tells none. details: numbers by name, such as how many worlds were looked at.
    """

    action: int
    rated: str
    ratings: NDArray[np.float64]
    details: dict[str, float] = field(default_factory=dict)


def views_of(positions: Positions, game: Game) -> NDArray[Any]:
    """The views (n,) of positions of this game; LomberError where they have none, or are another game's."""
    views = positions.view
    if views is None:
        raise LomberError(f"an agent for {game.name} that reads views was asked with positions that have none")
    if views.dtype is not game.state_dtype and views.dtype != game.state_dtype:
        sizes = f"{views.dtype.itemsize} bytes each, not {game.state_dtype.itemsize}"
        raise LomberError(f"an agent for {game.name} was asked with views of another game: {sizes}")
    if positions.action_mask.shape != (len(views), game.num_actions):
        shapes = f"{positions.action_mask.shape}, not {(len(views), game.num_actions)}"
        raise LomberError(f"an agent for {game.name} was asked with masks that are not its game's: {shapes}")
    return views


class BaseAgent:
    """An agent for `game` (None: for any game) whose chance comes from `seed` and the decisions' keys.

    A subclass writes `act`, with `wants_view` if it reads `positions.view`; one that can tell how likely it plays each action
    writes `probabilities(positions) -> (n, A)` too.
    """

    name = "agent"
    wants_view = False

    def __init__(self, game: Game | None = None, seed: int = 0):
        self.game = game
        self.seed = seed

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """A legal action for each position, (n,) int64."""
        raise NotImplementedError

    def advise(self, view: records.View, key: int | None = None) -> Advice:
        """What the agent plays for the seat whose view this is, and how it rates each legal move.

        The same move as at a table where the seat has this view and the decision this key; without one the key is a hash of
        the view and the agent's seed. The view may come from anywhere, as text or JSON (envs/engine/records.py).
        RecordError: the view cannot be, or its seat is not to act; LomberError: it is of another game than the agent's.
        """
        game = records.game_of(view)
        if self.game not in (None, game):
            raise LomberError(f"the view is of {game!r}, the agent plays {self.game!r}")
        hidden = records.from_view(view)
        if hidden[0]["stage"] != RUNNING:
            raise RecordError("the deal is over: there is no move to advise")
        if hidden[0]["seat"] != view.seat:
            raise RecordError(f"seat {view.seat} is not to act: seat {hidden[0]['seat']} is")
        told = self.consider(position_of(game, hidden, key_of(hidden, self.seed) if key is None else key))
        legal = np.flatnonzero(game.legal(hidden)[0]).tolist()
        if told.action not in legal:
            raise LomberError(f"{self.name} gives the action {told.action!r}, which is not legal here")
        rated = [action for action in legal if not np.isnan(told.ratings[action])]
        best_first = sorted(rated, key=lambda action: (-told.ratings[action], action != told.action))
        ratings = {game.actions[action]: float(told.ratings[action]) for action in best_first}
        return Advice(game.actions[told.action], told.rated, ratings, told.details)

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position, with what `probabilities` tells, if the agent has it."""
        action, told = int(self.act(positions)[0]), getattr(self, "probabilities", None)
        if told is None:
            return Considered(action, "", np.full(positions.action_mask.shape[1], np.nan))
        return Considered(action, "probability", np.asarray(told(positions)[0], np.float64))
