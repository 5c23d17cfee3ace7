"""Search: worlds drawn from the view, weighed by what the others did, and every action played out in each of them.

One implementation for every game: what it knows of a game are the kernels of its contract and its heuristic.
"""

import functools
import importlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine import loops
from ...envs.engine.errors import LomberError, unknown
from ...envs.engine.game import Game, copy_states
from ...envs.engine.jit import bind
from ...envs.engine.registry import GAMES, make_game
from ..base import BaseAgent, Considered, Positions, views_of
from ..heuristic import HEURISTICS, HeuristicAgent, kernel_of
from . import walks

POLICIES = ("heuristic", "random")  # who plays the deals out
BELIEFS = ("heuristic", "even")
WORLDS = 100  # of a decision, where neither their number nor a time is given
CHUNK = 16  # worlds between two looks at the clock
HOME = __package__.rpartition(".")[0]  # where the heuristics stand


@dataclass(frozen=True)
class Found:
    """What a search of one position found.

    chosen: the action to play; values: (A,) float64, points that each action is worth to the seat by the end of the deal, NaN
    where it is illegal;
    worlds: how many were drawn; effective: how many equally likely ones count as much; solved: the share of them in which
    the rest of the deal was solved exactly; tries: placings drawn, of which these fitted.
    """

    chosen: int
    values: NDArray[np.float64]
    worlds: int
    effective: float
    solved: float
    tries: int


class SearchAgent(BaseAgent):
    """Plays the action that comes to most over `worlds` placings of what is hidden, or as many as `milliseconds` allow; where
    both are given, over the fewer. What the heuristic would play is left only for what is surely better, see `caution`.

    playout: "heuristic" or "random", who plays all seats to the end of the deal.
    belief: "heuristic" weighs each placing by the probability that the others would have acted as they did under the
    heuristic, each decision at least `floor`; "even" takes all alike.
    least: the share of the placings that shall count; where fewer would, the probabilities are taken to a power below 1.
    caution: how many standard errors of its gain an action must be above what the heuristic would play; 0, or with random
    playouts: the highest value is played.
    nodes: in a game of two seats the rest of a deal is solved exactly, both hands open, where its tree has no more nodes.

    All chance comes from the position's key; with `milliseconds` the clock decides too. LomberError: settings that cannot be.
    """

    wants_view = True
    game: Game

    def __init__(
        self, game: Game, seed: int = 0, worlds: int | None = None, milliseconds: float | None = None,
        playout: str = "heuristic", belief: str = "heuristic", floor: float = 1e-3, least: float = 0.25, nodes: int = 2000,
        caution: float = 2.0,
    ):  # fmt: skip
        if playout not in POLICIES:
            raise unknown("playout policy of search", playout, POLICIES)
        if belief not in BELIEFS:
            raise unknown("belief of search", belief, BELIEFS)
        if worlds is None and milliseconds is None:
            worlds = WORLDS
        given = (number for number in (worlds, milliseconds, floor, least, nodes, caution) if number is not None)
        if (
            not all(isinstance(number, (int, float)) for number in given)
            or (worlds is not None and worlds < 1)
            or not 0 < floor <= 1
            or not 0 <= least <= 1
            or nodes < 0
            or not caution >= 0
            or (milliseconds is not None and not milliseconds > 0)
        ):
            raise LomberError(
                "search takes worlds from 1, floor in (0, 1], least in [0, 1], nodes and caution from 0, milliseconds above 0"
            )
        known = f"{game.name}/heuristic" in HEURISTICS
        super().__init__(game, seed)
        self._made_of = game, seed, worlds, milliseconds, playout, belief, floor, least, nodes, caution
        self.name = f"{game.name}/search"
        self.worlds, self.milliseconds = None if worlds is None else int(worlds), milliseconds
        self.floor, self.least = float(floor), float(least)
        self.even = belief == "even" or not known
        self.caution = float(caution)
        self._habit = HeuristicAgent(game, seed) if playout == "heuristic" and known else None
        self.nodes = nodes if game.seats == 2 else 0
        self._try_worlds = _loop_of(game.name, playout == "heuristic" and known)
        self._rules = game.rules, make_game(game.name, game.preset, **{**game.changed_options, "episode": "deal"}).rules
        self._scratch = _scratch(game)

    def __repr__(self) -> str:
        return f"SearchAgent({self.game!r}, seed={self.seed}, worlds={self.worlds})"

    def __reduce__(self) -> tuple[Any, ...]:
        return SearchAgent, self._made_of

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        return np.array([found.chosen for found in self.search(positions)], np.int64)

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position, from one search of it: the values, and what they rest on."""
        found = self._search(positions, 0)
        details = {"worlds": found.worlds, "effective": found.effective, "solved": found.solved}
        return Considered(found.chosen, "value", found.values, details)

    def search(self, positions: Positions) -> list[Found]:
        """What is found at each position."""
        return [self._search(positions, row) for row in range(len(positions))]

    def _search(self, positions: Positions, row: int) -> Found:
        view, seat = copy_states(views_of(positions, self.game)[row : row + 1]), int(positions.seat[row])
        mask, key = np.array(positions.action_mask[row], np.int8), np.uint64(positions.key[row])
        end = None if self.milliseconds is None else time.perf_counter() + self.milliseconds / 1000
        most = math.inf if self.worlds is None else self.worlds
        chunk = CHUNK if self.worlds is None or end is not None else self.worlds
        parts: list[tuple[NDArray[np.float64], ...]] = []
        tries = drawn = 0
        while not parts or (end is not None and time.perf_counter() < end and drawn < most):
            part = np.zeros(chunk), np.zeros((chunk, len(mask))), np.zeros(chunk)
            tried = self._try_worlds(
                *self._rules, view, seat, mask, key, drawn, self.even, self.floor, self.nodes, *self._scratch, *part
            )
            if tried < 0:
                raise LomberError("no placing of the hidden cards was found in 1,000,000 tries: the view cannot be")
            parts.append(part)
            tries, drawn = tries + tried, drawn + chunk
        likely, results, solved = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        weights = _weights(likely, self.least * drawn)
        values = np.where(mask > 0, weights @ results, np.nan)
        position = Positions(positions.observation[row : row + 1], mask[None], np.array([seat]), np.array([key]), view)
        chosen = self._choose(position, weights, results, values)
        return Found(chosen, values, drawn, _effective(weights), float(solved.mean()), tries)

    def _choose(
        self, position: Positions, weights: NDArray[np.float64], results: NDArray[np.float64], values: NDArray[np.float64]
    ) -> int:
        """The action whose gain on the habit, less `caution` standard errors of it, is highest: the first of equals.

        Worlds are few and results far apart: the best of fifteen means is often the luckiest one.
        """
        if self._habit is None or not self.caution:
            return int(np.nanargmax(values))
        habit = int(self._habit.act(position)[0])
        apart = results - results[:, habit : habit + 1]
        gain = weights @ apart
        freedom = 1 - float(weights @ weights)
        if freedom <= 0:  # one world tells no error
            return habit
        gain -= self.caution * np.sqrt((weights**2) @ (apart - gain) ** 2 / freedom)
        return int(np.nanargmax(np.where(np.isnan(values), np.nan, gain)))


def _effective(weights: NDArray[np.float64]) -> float:
    """How many equally weighted worlds tell as much."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def _weights(likely: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Weights (n,) that sum to 1 from logarithms of probabilities, flattened where fewer than `least` would count."""
    apart = likely - likely.max()
    low, high = 0.0, 1.0
    if _effective(np.exp(apart)) < least:
        for _ in range(20):
            power = (low + high) / 2
            low, high = (low, power) if _effective(np.exp(power * apart)) < least else (power, high)
        apart = low * apart
    weights: NDArray[np.float64] = np.exp(apart) / np.exp(apart).sum()
    return weights


def _scratch(game: Game) -> tuple[NDArray[Any], ...]:
    """The arrays that the loop works in, in its order."""
    depth, actions = walks.MOST_DEPTH, game.num_actions
    states = (np.zeros(1, game.state_dtype) for _ in range(3))
    return (
        *states, np.zeros(actions, np.int8), np.zeros(actions, np.float32), np.zeros(depth, game.state_dtype),
        np.zeros((depth, actions), np.int8), np.zeros(depth, np.int64), np.zeros((depth, 3)),
        np.zeros(game.seats, np.int64), np.zeros(game.seats, np.int64),
    )  # fmt: skip


@functools.cache
def _loop_of(name: str, by_heuristic: bool) -> Callable[..., Any]:
    """`try_worlds` of a game, with its heuristic or the even policy for the playouts."""
    owner = f"{name}_{'heuristic' if by_heuristic else 'random'}"
    bound: dict[str, Any] = {"meant": loops.as_it_is, **make_game(name).spec.functions}
    for leaf in ("play", "apply", "rewind"):
        bound[leaf] = bind(getattr(loops, leaf), name, bound)
    heuristic = f"{name}/heuristic"
    believed = kernel_of(heuristic) if heuristic in HEURISTICS else walks.weigh_evenly
    for leaf, policy in (("likelihood", believed), ("playout", believed if by_heuristic else walks.weigh_evenly)):
        answers = {**bound, "weigh": policy}
        answers["answer"] = bind(walks.answer, f"{owner}_{leaf}", answers)
        bound[leaf] = bind(getattr(walks, leaf), owner, answers)
    bound["solve"] = bind(walks.solve, owner, bound)
    file = str(importlib.import_module(HEURISTICS.get(heuristic, GAMES[name]), HOME).__file__)
    return bind(walks.try_worlds, owner, bound, file)


def warm(game: Game, states: NDArray[Any]) -> None:
    """Compile what a search of the decision in states (1,) runs."""
    seats, keys, unseen = np.array(states["seat"]), np.zeros(1, np.uint64), np.zeros((1, 0), np.float32)
    SearchAgent(game, worlds=1).act(Positions(unseen, game.legal(states), seats, keys, game.hide(states, seats)))
