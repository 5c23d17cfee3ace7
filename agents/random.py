"""The agent that plays a uniformly random legal action."""

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.tables import random_actions
from .base import BaseAgent, Positions


class RandomAgent(BaseAgent):
    """Every legal action with equal probability, drawn from the position's key; it looks at nothing else."""

    name = "random"

    def __init__(self, seed: int = 0):
        super().__init__(None, seed)

    def __repr__(self) -> str:
        return f"RandomAgent(seed={self.seed})"

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        actions = np.zeros(len(positions), np.int64)
        mask = np.ascontiguousarray(positions.action_mask)
        random_actions(mask, np.ascontiguousarray(positions.key), actions)
        return actions

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """(n, A) float64: how likely each action is chosen; rows sum to 1, illegal actions have 0."""
        legal = np.asarray(positions.action_mask, np.float64)
        found: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
        return found
