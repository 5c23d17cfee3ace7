"""Agents of a game's action abstraction, seated where every move is an action: they play what their choices mean.

Bouillotte's stakes are a hundred; whoever learnt, or searches, among the eight rungs of the ladder can so sit at any table.
"""

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import Game
from .base import BaseAgent, Considered, Positions, views_of


class Abstracted(BaseAgent):
    """`agent`, of `game.abstracted`, at tables of `game`. Its views, keys and chance are those of the table."""

    wants_view = True
    game: Game

    def __init__(self, game: Game, agent: BaseAgent):
        super().__init__(game, agent.seed)
        self.name, self.agent = agent.name, agent

    def __repr__(self) -> str:
        return repr(self.agent)

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        return self._fewer.meant(views_of(positions, self.game), self.agent.act(self._asked(positions)))

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position; the moves that no choice means are not rated."""
        told, views = self.agent.consider(self._asked(positions)), views_of(positions, self.game)[:1]
        ratings = np.full(self.game.num_actions, np.nan)
        rated = np.flatnonzero(~np.isnan(told.ratings) & (self._fewer.legal(views)[0] > 0))
        for choice in rated:
            ratings[self._fewer.meant(views, choice)] = told.ratings[choice]
        return Considered(int(self._fewer.meant(views, told.action)[0]), told.rated, ratings, told.details)

    @property
    def _fewer(self) -> Game:
        assert self.game.abstracted is not None
        return self.game.abstracted

    def _asked(self, positions: Positions) -> Positions:
        views, seats = views_of(positions, self.game), positions.seat
        return Positions(self._fewer.observe(views, seats), self._fewer.legal(views), seats, positions.key, views)
