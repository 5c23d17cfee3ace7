"""Agents of a game's action abstraction, seated where every move is an action: they play what their choices mean.

Bouillotte's stakes are a hundred; whoever learnt, or searches, among the eight rungs of the ladder can so sit at any table.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import Game
from .base import BaseAgent, Considered, Positions, views_of
from .search import Found, SearchAgent


class Abstracted(BaseAgent):
    """`agent`, of `game.abstracted`, at tables of `game`. Its views, keys and chance are those of the table."""

    wants_view = True
    game: Game

    def __init__(self, game: Game, agent: BaseAgent):
        super().__init__(game, agent.seed)
        assert game.abstracted is not None
        self.name, self.agent, self._fewer = agent.name, agent, game.abstracted
        if hasattr(agent, "probabilities"):
            self.probabilities = self._probabilities
        if isinstance(agent, SearchAgent):
            self.search = self._search

    def __repr__(self) -> str:
        return repr(self.agent)

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        views = views_of(positions, self.game)
        return self._fewer.meant(views, self.agent.act(self._asked(positions, views)))

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position; the moves that no choice means are not rated."""
        views = views_of(positions, self.game)
        asked, first = self._asked(positions, views), views[:1]
        told = self.agent.consider(asked)
        ratings = self._spread(first, np.where(asked.action_mask[0] > 0, told.ratings, np.nan))
        return Considered(int(self._fewer.meant(first, told.action)[0]), told.rated, ratings, told.details)

    def _search(self, positions: Positions) -> list[Found]:
        """What a search finds at each position; the moves that no choice means have no value."""
        assert isinstance(self.agent, SearchAgent)
        views = views_of(positions, self.game)
        found = zip(views[:, None], self.agent.search(self._asked(positions, views)), strict=True)
        return [
            replace(one, chosen=int(self._fewer.meant(view, one.chosen)[0]), values=self._spread(view, one.values))
            for view, one in found
        ]

    def _spread(self, view: NDArray[Any], ratings: NDArray[np.float64]) -> NDArray[np.float64]:
        """(A,) float64: ratings of the choices at the moves they mean, NaN elsewhere."""
        out = np.full(self.game.num_actions, np.nan)
        for choice in np.flatnonzero(~np.isnan(ratings)):
            out[self._fewer.meant(view, choice)] = ratings[choice]
        return out

    def _probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """(n, A) float64: how likely each action is chosen; those that no choice means are not."""
        views = views_of(positions, self.game)
        asked = self._asked(positions, views)
        told = np.where(asked.action_mask > 0, self.agent.probabilities(asked), 0)  # type: ignore[attr-defined]
        out = np.zeros((len(views), self.game.num_actions))
        rows, choices = np.nonzero(told)
        out[rows, self._fewer.meant(views[rows], choices)] = told[rows, choices]
        return out

    def _asked(self, positions: Positions, views: NDArray[Any]) -> Positions:
        seats = positions.seat
        return Positions(self._fewer.observe(views, seats), self._fewer.legal(views), seats, positions.key, views)
