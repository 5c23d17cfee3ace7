"""Search: worlds drawn from the view, weighed by what the others did, and every action played out in each of them.

One implementation for every game: what it knows of a game are the kernels of its contract and its heuristic.
"""

import functools
import importlib
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine import loops
from ...envs.engine.errors import LomberError, cut, unknown
from ...envs.engine.game import Game, copy_states
from ...envs.engine.jit import bind
from ...envs.engine.registry import GAMES, make_game
from ..base import BaseAgent, Considered, Positions, views_of
from ..heuristic import HEURISTICS, HeuristicAgent, kernel_of
from . import walks

EVENLY = {"playout": "random", "belief": "even"}  # the settings that ask no rule-based player
WORLDS = 100  # of a decision, where neither their number nor a time is given
CHUNK = 16  # worlds between two looks at the clock
ENOUGH = 0.99  # the share of the worlds at which the candidates' effective number will do: weights are rarely quite alike
MOST = 10**6  # worlds, candidates for each, nodes
TINY = math.ulp(0.0)  # the least number above 0
DOUBT = 1  # worlds not seen, in which every other action than the habit does as badly as any did in those seen
HOME = __package__.rpartition(".")[0]  # where the heuristics stand


@dataclass(frozen=True)
class Found:
    """What a search of one position found.

    chosen: the action to play; values: (A,) float64, points that each action is worth to the seat by the end of the deal, NaN
    where it is illegal;
    worlds: how many each legal action was played out in, each as often as it was drawn; candidates: from how many weighed ones
    they were drawn; effective: as how many equally likely ones the candidates count, before their weights are flattened;
    solved: the share of the worlds in which the rest of the deal was solved exactly; tries: placings drawn, of which the
    candidates fitted.
    """

    chosen: int
    values: NDArray[np.float64]
    worlds: int
    candidates: int
    effective: float
    solved: float
    tries: int


@dataclass(frozen=True)
class Group:
    """Worlds that were drawn and played out together, of which n differ.

    counts (n,) int64, how often each was drawn; results (n, A) float64, points; solved (n,) float64, 0 or 1; likely: of each
    candidate the logarithm of its probability; tries as in `Found`.
    """

    counts: NDArray[np.int64]
    results: NDArray[np.float64]
    solved: NDArray[np.float64]
    likely: NDArray[np.float64]
    tries: int


class SearchAgent(BaseAgent):
    """Plays the action that comes to most over `worlds` placings of what is hidden, or as many as `milliseconds` allow; where
    both are given, over the fewer. With `milliseconds` worlds come in groups of 16, each from candidates of its own. What the
    playout's player would do, the habit, is left only for what is surely better, see `caution`.

    playout: who plays all seats to the end of the deal: "heuristic", another rule-based player of the game by the second part
    of its name ("rock"), or "random".
    belief: who the others are taken to be. Each placing is weighed by the probability that they would have acted as they did,
    each decision at least `floor`; "even" takes all alike.
    candidates: placings weighed for each world at most; the worlds are drawn from them by weight.
    least: the candidates shall count as `least` times the square root of their worlds, at most as many as the worlds; where
    they count as fewer, their weights are taken to a power below 1.
    caution: how many standard errors of its gain an action must be above the habit; 0, or with random playouts: the highest
    value is played.
    nodes: in a game of two seats the rest of a deal is solved exactly, both hands open, where its tree has no more nodes.

    All chance comes from the position's key; with `milliseconds` the clock decides too. LomberError: settings that cannot be.
    """

    wants_view = True
    game: Game

    def __init__(
        self, game: Game, seed: int = 0, worlds: int | None = None, milliseconds: float | None = None,
        playout: str = "heuristic", belief: str = "heuristic", candidates: int = 4, floor: float = 1e-3, least: float = 3.0,
        nodes: int = 200, caution: float = 1.0,
    ):  # fmt: skip
        plays, believed = _player(game.name, "playout", playout), _player(game.name, "belief", belief)
        if worlds is None and milliseconds is None:
            worlds = WORLDS
        for setting, told, low in (("worlds", worlds, 1), ("candidates", candidates, 1), ("nodes", nodes, 0)):
            if told is not None and not (_is_whole(told) and low <= told <= MOST):
                raise LomberError(f"{setting} of search is a whole number from {low} to {MOST:,}, not {cut(told)}")
        for setting, number, lowest, high in (
            ("floor", floor, TINY, 1), ("least", least, 0, math.inf), ("caution", caution, 0, math.inf),
            ("milliseconds", milliseconds, TINY, math.inf),
        ):  # fmt: skip
            if number is not None and not (_is_finite(number) and lowest <= number <= high):
                within = f"{'above' if lowest else 'from'} 0{' to 1' if high == 1 else ''}"
                raise LomberError(f"{setting} of search is a number {within}, not {cut(number)}")
        super().__init__(game, seed)
        self._made_of = game, seed, worlds, milliseconds, playout, belief, candidates, floor, least, nodes, caution
        self.name = f"{game.name}/search"
        self.worlds, self.milliseconds = None if worlds is None else int(worlds), milliseconds
        self.floor, self.least = float(floor), float(least)
        self.even = believed is None
        self.candidates = int(candidates)
        self.caution = float(caution)
        self._habit = None if plays is None else HeuristicAgent(game, seed, plays)
        self.nodes = int(nodes) if game.seats == 2 else 0
        self._try_worlds = _loop_of(game.name, believed or _player(game.name, "belief", "heuristic"), plays)
        self._rules = game.rules, make_game(game.name, game.preset, **{**game.changed_options, "episode": "deal"}).rules
        self._scratch = _scratch(game)

    def __repr__(self) -> str:
        return f"SearchAgent({self.game!r}, seed={self.seed}, worlds={self.worlds})"

    def __reduce__(self) -> tuple[Any, ...]:
        return SearchAgent, self._made_of

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        actions = np.asarray(positions.action_mask).argmax(axis=1)
        for row in np.flatnonzero(np.asarray(positions.action_mask).sum(axis=1) > 1):  # one alone wants no search
            actions[row] = self._search(positions, int(row)).chosen
        return actions

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position, from one search of it: the values, and what they rest on."""
        found = self._search(positions, 0)
        told = ("worlds", "candidates", "effective", "solved")
        return Considered(found.chosen, "value", found.values, {name: getattr(found, name) for name in told})

    def search(self, positions: Positions) -> list[Found]:
        """What is found at each position."""
        return [self._search(positions, row) for row in range(len(positions))]

    def _search(self, positions: Positions, row: int) -> Found:
        view, seat = copy_states(views_of(positions, self.game)[row : row + 1]), int(positions.seat[row])
        mask, key = np.array(positions.action_mask[row], np.int8), np.uint64(positions.key[row])
        end = None if self.milliseconds is None else time.perf_counter() + self.milliseconds / 1000
        groups: list[Group] = []
        most, drawn, weighed = self.worlds or MOST, 0, 0
        while not groups or (end is not None and time.perf_counter() < end and drawn < most):
            size = most if end is None else min(CHUNK, most - drawn)
            groups.append(self._group(view, seat, mask, key, weighed, size))
            drawn, weighed = drawn + size, weighed + len(groups[-1].likely)
        weights = np.concatenate([group.counts for group in groups]) / drawn
        results = np.concatenate([group.results for group in groups])
        values = np.where(mask > 0, weights @ results, np.nan)
        position = Positions(positions.observation[row : row + 1], mask[None], np.array([seat]), np.array([key]), view)
        return Found(
            self._choose(position, weights, results, values), values, drawn, weighed,
            _effective(np.concatenate([group.likely for group in groups])),
            float(weights @ np.concatenate([group.solved for group in groups])), sum(group.tries for group in groups),
        )  # fmt: skip

    def _group(self, view: NDArray[Any], seat: int, mask: NDArray[np.int8], key: np.uint64, first: int, size: int) -> Group:
        """`size` worlds drawn from candidates, which are numbered from `first` on."""
        likely, tries = np.zeros(size if self.even else 0), 0
        while not len(likely) or (_effective(likely) < ENOUGH * size and len(likely) < self.candidates * size):
            part = np.zeros(size)
            numbers = first + len(likely) + np.arange(size)
            tries += self._try(view, seat, mask, key, numbers, part, np.zeros((0, 0)), np.zeros(0))
            likely = np.concatenate([likely, part])
        picks, counts = _pick(_weights(likely, min(self.least * math.sqrt(size), ENOUGH * size)), size)
        results, solved = np.zeros((len(picks), len(mask))), np.zeros(len(picks))
        played = self._try(view, seat, mask, key, first + picks, np.zeros(0), results, solved)
        return Group(counts, results, solved, likely, tries or played)

    def _try(
        self, view: NDArray[Any], seat: int, mask: NDArray[np.int8], key: np.uint64, numbers: NDArray[np.int64],
        *out: NDArray[np.float64],
    ) -> int:  # fmt: skip
        """What `try_worlds` writes into likely, or where that is empty into results and solved; returns the tries."""
        tries: int = self._try_worlds(
            *self._rules, view, seat, mask, key, numbers, self.floor, self.nodes, *self._scratch, *out
        )
        if tries < 0:
            raise LomberError("no placing of the hidden cards was found in 1,000,000 tries: the view cannot be")
        return tries

    def _choose(
        self, position: Positions, weights: NDArray[np.float64], results: NDArray[np.float64], values: NDArray[np.float64]
    ) -> int:
        """The action whose gain on the habit, less `caution` standard errors of it, is highest, if that is above 0; else the
        habit. Without a habit, or caution: the highest value.

        Worlds are few and results far apart: the best of fifteen means is often the luckiest one. What was not seen to fail in
        a few worlds may yet fail in others, hence DOUBT.
        """
        if self._habit is None or not self.caution:
            return int(np.nanargmax(values))
        habit = int(self._habit.act(position)[0])
        apart = np.where(np.isnan(values), 0.0, results - results[:, habit : habit + 1])
        unseen = np.full((1, len(values)), apart.min())
        unseen[0, habit] = 0
        apart = np.concatenate([apart, unseen])
        weights = np.append(weights / (weights @ weights), DOUBT)
        weights /= weights.sum()
        gain = weights @ apart
        gain -= self.caution * np.sqrt((weights**2) @ (apart - gain) ** 2 / (1 - weights @ weights))
        best = int(np.nanargmax(np.where(np.isnan(values), np.nan, gain)))
        return best if gain[best] > 0 else habit


def _player(game: str, setting: str, told: str) -> str | None:
    """The rule-based player that a setting names, None where it asks none, or the game has no heuristic; LomberError."""
    players = [name for name in HEURISTICS if name.startswith(f"{game}/")]
    known = [name.partition("/")[2] for name in players] or ["heuristic"]
    if told not in (*known, EVENLY[setting]):
        raise unknown(f"{setting} of search", told, (*known, EVENLY[setting]))
    return f"{game}/{told}" if f"{game}/{told}" in players else None


def _is_whole(told: Any) -> bool:
    return not isinstance(told, bool) and hasattr(told, "__index__")


def _is_finite(told: Any) -> bool:
    return not isinstance(told, bool) and isinstance(told, (int, float)) and abs(told) <= sys.float_info.max


def _effective(likely: NDArray[np.float64]) -> float:
    """As how many equally likely worlds those of these logarithms of probabilities count."""
    weights = np.exp(likely - likely.max())
    return float(weights.sum() ** 2 / (weights**2).sum())


def _weights(likely: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Weights (n,) that sum to 1 from logarithms of probabilities, flattened where fewer than `least` would count."""
    low, high = 0.0, 1.0
    if _effective(likely) < least:
        for _ in range(20):
            power = (low + high) / 2
            low, high = (low, power) if _effective(power * likely) < least else (power, high)
        likely = low * likely
    weights: NDArray[np.float64] = np.exp(likely - likely.max())
    return weights / weights.sum()


def _pick(weights: NDArray[np.float64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which worlds stand for the weighted ones, and for how many of `size` each: its share of them, rounded up or down."""
    bounds = np.cumsum(weights)
    picks = np.searchsorted(bounds, (np.arange(size) + 0.5) / size * bounds[-1])
    numbers, counts = np.unique(picks, return_counts=True)
    return numbers, counts


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
def _loop_of(name: str, believed: str | None, plays: str | None) -> Callable[..., Any]:
    """`try_worlds` of a game, with the players who answer for the others and who play the deals out."""
    owner = f"{name}_{_label(believed, 'belief')}_{_label(plays, 'playout')}"
    bound: dict[str, Any] = {"meant": loops.as_it_is, **make_game(name).spec.functions}
    for module, leaf in ((loops, "play"), (loops, "apply"), (loops, "rewind"), (walks, "solve")):
        bound[leaf] = bind(getattr(module, leaf), owner, bound)
    for leaf, player in (("likelihood", believed), ("playout", plays)):
        answers = {**bound, "weigh": kernel_of(player) if player else walks.weigh_evenly}
        answers["answer"] = bind(walks.answer, f"{owner}_{leaf}", answers)
        bound[leaf] = bind(getattr(walks, leaf), owner, answers)
    rules = HEURISTICS.get(believed or "", GAMES[name])
    return bind(walks.try_worlds, owner, bound, str(importlib.import_module(rules, HOME).__file__))


def _label(player: str | None, setting: str) -> str:
    return player.partition("/")[2] if player else EVENLY[setting]


def warm(game: Game, states: NDArray[Any]) -> None:
    """Compile what a search of the decision in states (1,) runs."""
    seats, keys, unseen = np.array(states["seat"]), np.zeros(1, np.uint64), np.zeros((1, 0), np.float32)
    SearchAgent(game, worlds=1).act(Positions(unseen, game.legal(states), seats, keys, game.hide(states, seats)))
