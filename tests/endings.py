"""The last tricks of deals of piquet: positions, the tree below them, their exact values, and what a policy loses there."""

import numpy as np

from lomber.envs.engine.game import copy_states
from lomber.envs.engine.state import RUNNING
from lomber.envs.faces.opponents import Positions
from lomber.training.vec_env import SelfPlayVecEnv


def endings(game, n, cards, seed=1):
    """States (n,) with `cards` cards in each hand and a card to be led, reached by random play."""
    rng = np.random.default_rng(seed)
    states = game.begin(seed, np.arange(n))
    while len(rows := np.flatnonzero(((states["held"] > cards).any(axis=1)) | (states["table"] >= 0))):
        some = copy_states(states[rows])
        game.advance(some, [rng.choice(np.flatnonzero(mask)) for mask in game.legal(some)])
        for row, state in zip(rows, some, strict=True):
            states[row] = state
    assert (states["held"] == cards).all() and (states["stage"] == RUNNING).all()
    return states


class Tree:
    """All that can follow `roots`, level by level: states, and of each the index of its parent and the action."""

    def __init__(self, game, roots):
        self.game = game
        self.levels = [(roots, np.zeros(0, np.int64), np.zeros(0, np.int64))]
        while True:
            states = self.levels[-1][0]
            parent, action = np.nonzero(game.legal(states))
            if not len(parent):
                break
            following = copy_states(states[parent])
            game.advance(following, action)
            self.levels.append((following, parent, action))
        self.exact = self.value(lambda depth, seats: np.full(len(seats), True))

    def value(self, may):
        """Points of seat 0 at the roots; who chooses among the moves that `may(depth, seats of the movers)` allows them."""
        below = None
        for depth in reversed(range(len(self.levels))):
            states = self.levels[depth][0]
            points = self.game.points(states)[:, 0].astype(float)
            if below is not None:
                parent = self.levels[depth + 1][1]
                sign = np.where(states["seat"] == 0, 1.0, -1.0)
                open_to = may(depth + 1, states["seat"][parent])
                best = np.full(len(states), -np.inf)
                np.maximum.at(best, parent[open_to], (sign[parent] * below)[open_to])
                points = np.where(states["stage"] == RUNNING, sign * best, points)
            below = points
        return below

    def regret(self, agent):
        """Points an ending that `agent` loses to an opponent that answers it best, mean over both seats and the roots."""
        chosen = [self._choices(agent, states) for states, _, _ in self.levels]

        def kept(seat):
            def may(depth, seats):
                _, parent, action = self.levels[depth]
                return (seats != seat) | (chosen[depth - 1][parent] == action)

            return may

        return float(np.mean([np.abs(self.exact - self.value(kept(seat))) for seat in (0, 1)]))

    def _choices(self, agent, states):
        actions = np.full(len(states), -1)
        rows = np.flatnonzero(states["stage"] == RUNNING)
        if len(rows):
            some = copy_states(states[rows])
            seats = some["seat"].copy()
            seen = self.game.observe(self.game.hide(some, seats), seats)
            actions[rows] = agent.act(Positions(seen, self.game.legal(some), seats, np.zeros(len(rows), np.uint64)))
        return actions


class EndingsVecEnv(SelfPlayVecEnv):
    """Self-play from the roots of a tree on, each at its own tables; earned is what is above the exact value."""

    def __init__(self, tree, n, seed, scale):
        super().__init__(tree.game, n, seed, scale)
        roots = tree.levels[0][0]
        self._bytes = roots.view(np.uint8).reshape(len(roots), -1)
        self._paid = np.outer(tree.exact, [1, -1]).astype(np.int64)

    def reset(self):
        super().reset()
        return self._place(np.arange(self.num_envs))

    def step_wait(self):
        _, reward, done, infos = super().step_wait()
        return self._place(np.flatnonzero(done)), reward, done, infos

    def _place(self, rows):
        """What Tables.load does, at many rows."""
        tables, own, which = self.tables, self.tables._own, rows % len(self._bytes)
        tables._states.view(np.uint8).reshape(tables.n, -1)[rows] = self._bytes[which]
        own.paid[rows] = self._paid[which]
        game = tables.game
        game.loops.look_rows(game.rules, tables._states, rows, own.view, own.mask, own.observation, own.seat)
        return self.observation()
