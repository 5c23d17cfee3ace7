"""An agent in a package of its own: what its pyproject.toml names under `lomber.agents` can be seated by that name."""

import numpy as np

from lomber.agents.base import BaseAgent


class Miser(BaseAgent):
    """Passes where it may, else plays the first of its legal actions."""

    def act(self, positions):
        """Actions (n,) int64."""
        passing = self.game.action_id("PASS")
        return np.where(positions.action_mask[:, passing] > 0, passing, positions.action_mask.argmax(axis=1))

    def probabilities(self, positions):
        """(n, A) float64: how likely each action is chosen."""
        return np.eye(self.game.num_actions)[self.act(positions)]
