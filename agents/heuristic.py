"""Rule-based players: for each of them a compiled kernel that weighs the legal actions of a view.

A player's kernel is `weigh(rules, view, seat, mask, out)` of the module in HEURISTICS: it reads one hidden record and writes
probabilities. The agent draws from them by the decision's key; search may call the kernel itself.
"""

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.chance import CHOICE, philox
from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game, copy_states
from ..envs.engine.jit import bind
from .base import BaseAgent, Positions, views_of

# Agent, "<game>/<what it is>" -> module, in this package, that has its kernel `weigh`.
HEURISTICS = {
    "bouillotte/heuristic": ".bouillotte",
    "bouillotte/maniac": ".bouillotte.maniac",
    "bouillotte/rock": ".bouillotte.rock",
    "brelan/heuristic": ".bouillotte",
    "brelan/maniac": ".bouillotte.maniac",
    "brelan/rock": ".bouillotte.rock",
    "ombre/heuristic": ".ombre",
    "piquet/heuristic": ".piquet",
    "rocambole/heuristic": ".ombre",
}

weigh = None  # bound per game; here so that readers and linters know it


def weigh_rows(rules, views, seats, mask, out):
    """Write the probabilities of each row."""
    for i in range(views.shape[0]):
        out[i, :] = 0
        weigh(rules[0], views[i], seats[i], mask[i], out[i])


def choose_rows(rules, views, seats, mask, keys, weights, actions):
    """Draw an action for each row from its probabilities, by its key; `weights` (1, A) is scratch."""
    for i in range(views.shape[0]):
        weights[0, :] = 0
        weigh(rules[0], views[i], seats[i], mask[i], weights[0])
        word, _, _, _ = philox(keys[i], np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(CHOICE))
        point = word / 4294967296.0
        total = 0.0
        for action in range(mask.shape[1]):
            if weights[0, action] > 0:
                actions[i] = action  # the last one, should the sum fall short of 1 by rounding
                total += weights[0, action]
                if point < total:
                    break


def kernel_of(name: str) -> Callable[..., Any]:
    """The kernel `weigh` of an agent; LomberError where there is none."""
    if name not in HEURISTICS:
        raise LomberError(f"{name} is no rule-based agent; there are {', '.join(HEURISTICS)}")
    found: Callable[..., Any] = importlib.import_module(HEURISTICS[name], __package__).weigh
    return found


@functools.cache
def _loops_of(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    bound = {"weigh": kernel_of(name)}
    file = str(importlib.import_module(HEURISTICS[name], __package__).__file__)
    owner = name.replace("/", ".")
    return bind(weigh_rows, owner, bound, file), bind(choose_rows, owner, bound, file)


class HeuristicAgent(BaseAgent):
    """A rule-based player: the kernel of its name, and the decision's key where that leaves a choice.

    name: one in HEURISTICS; by default "<game>/heuristic".
    """

    wants_view = True

    game: Game

    def __init__(self, game: Game, seed: int = 0, name: str | None = None):
        super().__init__(game, seed)
        self.name = name or f"{game.name}/heuristic"
        self._weigh_rows, self._choose_rows = _loops_of(self.name)

    def __repr__(self) -> str:
        return f"HeuristicAgent({self.game!r}, seed={self.seed}, name={self.name!r})"

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        actions = np.zeros(len(positions), np.int64)
        weights = np.zeros((1, self.game.num_actions), np.float32)
        self._choose_rows(self.game.rules, *self._arrays(positions), np.array(positions.key, np.uint64), weights, actions)
        return actions

    def probabilities(self, positions: Positions) -> NDArray[np.float32]:
        """(n, A) float32: how likely each action is chosen; rows sum to 1, illegal actions have 0."""
        out = np.zeros((len(positions), self.game.num_actions), np.float32)
        self._weigh_rows(self.game.rules, *self._arrays(positions), out)
        return out

    def _arrays(self, positions: Positions) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int8]]:
        """Views, seats and masks as the loops were compiled for."""
        views = views_of(positions, self.game)
        if not (views.flags.writeable and views.flags.c_contiguous):
            views = copy_states(views)
        return views, np.array(positions.seat, np.int64), np.array(positions.action_mask, np.int8, order="C")


def warm(game: Game) -> None:
    """Compile the entry points of a game's rule-based players."""
    for name in HEURISTICS:
        if name.partition("/")[0] == game.name:
            states, agent = game.begin(), HeuristicAgent(game, name=name)
            seats, keys, unseen = np.array(states["seat"]), np.zeros(1, np.uint64), np.zeros((1, 0), np.float32)
            positions = Positions(unseen, game.legal(states), seats, keys, game.hide(states, seats))
            agent.act(positions)
            agent.probabilities(positions)
