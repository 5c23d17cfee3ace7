"""Duplicate evaluation: the same episodes in every seating, and an interval over episodes."""

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.engine.tables import Tables
from ..envs.faces.keys import Decisions
from ..envs.faces.opponents import Agent, decide

A, B = 0, 1
MOST_IDS = 10_000_000  # a number is kept of every episode in every seating


@dataclass(frozen=True)
class Evaluation:
    """A against B, in points per episode. The datum of one id: A's mean per seat minus B's, over all seatings of it; where
    both play against a third, by how much A is above it less by how much B is.

    mean; interval (low, high), 95%, over ids; n ids; sd of the datum; sd_single: of A's points minus B's in single games,
    no duplication, as if the same number of games were dealt anew; seatings of each id; seconds of wall clock; deals played in
    them, which the JSON leaves out.
    """

    mean: float
    interval: tuple[float, float]
    n: int
    sd: float
    sd_single: float
    seatings: int
    seconds: float
    deals: int = 0

    def to_json(self) -> dict[str, Any]:
        told = {**asdict(self), "interval": list(self.interval)}
        del told["deals"]
        return told


def seatings_of(seats: int) -> list[tuple[int, ...]]:
    """Who sits where: two seats both ways; more: one against the rest and the rest against one, in every seat."""
    if seats == 2:
        return [(A, B), (B, A)]
    one = [tuple(A if seat == alone else B for seat in range(seats)) for alone in range(seats)]
    return one + [tuple(1 - who for who in seating) for seating in one]


def check_ids(ids: int) -> None:
    """LomberError where `ids` is no number of episodes that an evaluation can have."""
    if isinstance(ids, bool) or not hasattr(ids, "__index__") or not 1 <= ids <= MOST_IDS:
        raise LomberError(f"ids is the number of episodes, an integer from 1 to {MOST_IDS:,}, not {ids!r}")


def evaluate(
    game: Game,
    a: Agent,
    b: Agent,
    ids: int = 1000,
    seed: int = 1,
    batch: int = 2048,
    against: Agent | None = None,
    first: int = 0,
) -> Evaluation:
    """Play `ids` episodes of `seed`, from `first` on, in every seating: A and B at one table, or with `against` each at tables
    with that agent. The result depends on no batch size.

    LomberError: `ids` is no integer from 1 to MOST_IDS.
    """
    check_ids(ids)
    started = time.perf_counter()
    duels = [(a, b)] if against is None else [(a, against), (b, against)]
    played = [_play_duel(game, one, other, range(first, first + ids), seed, batch) for one, other in duels]
    data = [apart.mean(axis=0) for apart, _ in played]
    datum = data[0] if against is None else data[0] - data[1]
    sd = float(datum.std(ddof=1)) if ids > 1 else float("nan")
    half = 1.96 * sd / math.sqrt(ids)
    mean = float(datum.mean())
    single = math.hypot(*(float(apart.std(ddof=1)) if apart.size > 1 else float("nan") for apart, _ in played))
    seconds, dealt = time.perf_counter() - started, sum(deals for _, deals in played)
    return Evaluation(mean, (mean - half, mean + half), ids, sd, single, len(seatings_of(game.seats)), seconds, dealt)


def _play_duel(game: Game, a: Agent, b: Agent, ids: range, seed: int, batch: int) -> tuple[NDArray[np.float64], int]:
    """A's mean points per seat less B's (seatings, ids), and the deals it took."""
    seatings = seatings_of(game.seats)
    apart = np.zeros((len(seatings), len(ids)))
    dealt = 0
    for begin in range(0, len(ids), batch):
        chunk = np.array(ids[begin : begin + batch])
        for k, seating in enumerate(seatings):
            _, points, deals = play_out(game, [(a, b)[who] for who in seating], chunk, seed)
            dealt += deals
            is_a = np.array(seating) == A
            apart[k, begin : begin + batch] = points[:, is_a].mean(axis=1) - points[:, ~is_a].mean(axis=1)
    return apart, dealt


def play_out(
    game: Game, agents: Sequence[Agent], ids: NDArray[np.int64], seed: int
) -> tuple[Tables, NDArray[np.float64], int]:
    """Play the episodes `ids` of `seed`, an agent in each seat: the finished tables, points (n, seats), deals it took."""
    tables = Tables(game, len(ids), seed, autoreset=False)
    tables.reset(ids=ids)
    decisions = Decisions(tables, seed)
    distinct = list({id(agent): agent for agent in agents}.values())
    sits = np.array([next(i for i, other in enumerate(distinct) if other is agent) for agent in agents])
    points, deals = tables.reward.astype(np.float64), int(tables.dealt.sum())
    while True:
        rows = np.flatnonzero(tables.seat >= 0)
        if not len(rows):
            return tables, points, deals
        actions = np.zeros(len(rows), np.int64)
        for i, agent in enumerate(distinct):
            chosen = sits[tables.seat[rows]] == i
            if chosen.any():
                actions[chosen] = decide(agent, tables, rows[chosen], decisions)
        tables.step(actions, rows)
        points[rows] += tables.reward[rows]
        deals += int(tables.dealt[rows].sum())
