"""CFR+ of our own kind: it finds an equilibrium of a small game, so that there is one to measure.

After Tammelin (2014): regrets are kept above 0, the seats learn in turn, and an iteration counts as its number in the average.
"""

import numpy as np

from lomber.training.exploit.response import end_values


def solve(small, iterations):
    """The average policy of so many iterations."""
    return [_Solver(tree).run(iterations) for tree in small.trees]


class _Solver:
    def __init__(self, tree):
        self.tree = tree
        shapes = [(tree.deals.types, len(node.actions)) for node in tree.nodes]
        self.regret = [np.zeros(shape) for shape in shapes]
        self.policy = [np.full(shape, 1 / shape[1]) for shape in shapes]
        self.total = [np.zeros(shape) for shape in shapes]

    def run(self, iterations):
        for weight in range(1, iterations + 1):
            for seat in (0, 1):
                self._learn(self.tree.root, seat, end_values(self.tree, self.policy, seat))
                self._add_up(self.tree.root, seat, np.full(self.tree.deals.types, float(weight)))
        return [_shares(total) for total in self.total]

    def _learn(self, number, seat, at_ends):
        """The values by type of what the policy brings from here on; regrets and policy move behind it."""
        if number < 0:
            return at_ends[:, ~number]
        node = self.tree.nodes[number]
        values = np.stack([self._learn(below, seat, at_ends) for below in node.below], axis=1)
        if node.seat != seat:
            return values.sum(axis=1)
        value = (values * self.policy[number]).sum(axis=1)
        together = np.stack([np.bincount(node.view, column) for column in (values - value[:, None]).T], axis=1)
        self.regret[number] = np.maximum(self.regret[number] + together[node.view], 0)
        self.policy[number] = _shares(self.regret[number])
        return value

    def _add_up(self, number, seat, reach):
        """Add the policy to the average, as often as the seat's own moves lead here."""
        if number < 0:
            return
        node, policy = self.tree.nodes[number], self.policy[number]
        if node.seat == seat:
            self.total[number] += reach[:, None] * policy
        for i, below in enumerate(node.below):
            self._add_up(below, seat, reach * policy[:, i] if node.seat == seat else reach)


def _shares(weights):
    """Rows as probabilities; all alike where there is nothing."""
    total = weights.sum(axis=1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / weights.shape[1])
