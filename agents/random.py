"""The agent that plays a uniformly random legal action."""

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.tables import random_actions
from .base import Positions


class RandomAgent:
    """Every legal action with equal probability, drawn from the position's key; it looks at nothing else."""

    name = "random"
    wants_view = False

    def __init__(self, seed: int = 0):
        self.seed = seed

    def __repr__(self) -> str:
        return f"RandomAgent(seed={self.seed})"

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        actions = np.zeros(len(positions), np.int64)
        mask = np.ascontiguousarray(positions.action_mask)
        random_actions(mask, np.ascontiguousarray(positions.key), actions)
        return actions

    def rate(self, positions: Positions) -> tuple[str, NDArray[np.float64]]:
        """("probability", (n, A) float64): how likely each action is chosen."""
        return "probability", positions.action_mask / positions.action_mask.sum(axis=1, keepdims=True)
