"""A pool of opponents: at some tables every seat learns, at others the learner has one seat and an agent the others.

`pool: {current: 0.6, frozen: 0.2, piquet/heuristic: 0.2}` are shares of the tables. `current` is plain self-play; `frozen`
are earlier selves, snapshots of the actor that sample as the learner did; other names are agents. An agent's rows are no
samples; what its moves earn the learner goes to the learner's row before them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import linear

from ..agents.registry import load_agent
from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game, seed_key
from ..envs.engine.tables import Tables
from ..envs.faces.keys import Decisions, draw_seats
from ..envs.faces.opponents import Agent, Positions, decide, seats_of
from .vec_env import SelfPlayVecEnv

CURRENT, FROZEN = "current", "frozen"
_SNAPSHOT = np.uint64(0x736E617073686F74)  # sets the draw of a snapshot apart from the draw of the learner's seat


class FrozenSelf:
    """An actor as it once was: samples from its distribution, each decision from its key.

    layers: weight (out, in) and bias (out,) of each layer in turn, ReLU between them.
    """

    name, wants_view = FROZEN, False

    def __init__(self, layers: Sequence[torch.Tensor], at: int = 0, seed: int = 0):
        self.layers, self.at, self.seed = list(layers), at, seed

    @classmethod
    def of(cls, policy: Any, at: int = 0, seed: int = 0) -> "FrozenSelf":
        """A copy of a policy's actor after `at` decisions."""
        linears = [m for m in (*policy.mlp_extractor.policy_net, policy.action_net) if isinstance(m, torch.nn.Linear)]
        return cls([tensor.detach().clone() for layer in linears for tensor in (layer.weight, layer.bias)], at, seed)

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """(n, A) float64: 0 for illegal actions."""
        with torch.no_grad():
            x = torch.as_tensor(positions.observation)
            for i in range(0, len(self.layers), 2):
                x = linear(x.relu() if i else x, self.layers[i], self.layers[i + 1])
            x = x.double().masked_fill(torch.as_tensor(positions.action_mask) == 0, -torch.inf)
            found: NDArray[np.float64] = x.softmax(dim=1).numpy()
            return found

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        reached = self.probabilities(positions).cumsum(axis=1)
        at = (positions.key >> np.uint64(11)).astype(np.float64) * 2.0**-53  # in [0, 1)
        return np.argmax(reached > (at * reached[:, -1])[:, None], axis=1)


def shared_out(shares: Mapping[str, float], tables: int) -> dict[str, int]:
    """Tables of each name, by shares; those with none are left out. LomberError where a share makes no whole table."""
    wanted = {name: share for name, share in shares.items() if share > 0}
    total = sum(wanted.values())
    if not total > 0:
        raise LomberError("recipe key pool: no share is above 0")
    exact = {name: tables * share / total for name, share in wanted.items()}
    counts = {name: int(share) for name, share in exact.items()}
    for name in sorted(exact, key=lambda name: counts[name] - exact[name])[: tables - sum(counts.values())]:
        counts[name] += 1
    for name, count in counts.items():
        if not count:
            raise LomberError(f"recipe key pool: the share of {name!r} is less than one of {tables} tables")
    return counts


class Pool:
    """The opponents of the tables that are not `current`, and which rows of n tables each has."""

    def __init__(self, game: Game, shares: Mapping[str, float], n: int, seed: int = 0, most: int = 8):
        self.game, self.most, self.seed, self.counts = game, most, seed, shared_out(shares, n)
        self.agents: dict[str, Agent] = {
            name: load_agent(name, game, seed) for name in self.counts if name not in (CURRENT, FROZEN)
        }
        self.frozen: list[FrozenSelf] = []
        self.first = self.counts.get(CURRENT, 0)  # rows from here on have an opponent
        self._names = [name for name in self.counts if name != CURRENT]
        self._who = np.repeat(np.arange(len(self._names)), [self.counts[name] for name in self._names])
        self._key = seed_key(seed) ^ _SNAPSHOT

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.counts.items())

    def freeze(self, policy: Any, at: int) -> None:
        """Keep a snapshot of the policy after `at` decisions, unless there is one; the oldest makes room."""
        if FROZEN in self.counts and not any(old.at == at for old in self.frozen):
            self.frozen = [*self.frozen, FrozenSelf.of(policy, at, self.seed)][-self.most :]

    def decide(self, tables: Tables, rows: NDArray[np.int64], decisions: Decisions) -> NDArray[np.int64]:
        """Actions (k,) of the opponents at `rows` (k,), one call an opponent."""
        actions = np.zeros(len(rows), np.int64)
        who = self._who[rows - self.first]
        for i, name in enumerate(self._names):
            chosen = np.flatnonzero(who == i)
            for agent, some in self._split(name, tables.id[rows[chosen]]):
                if len(some):
                    actions[chosen[some]] = decide(agent, tables, rows[chosen[some]], decisions)
        return actions

    def _split(self, name: str, ids: NDArray[np.int64]) -> list[tuple[Agent, NDArray[np.int64]]]:
        """The agents of a name and which of the episodes `ids` each plays: of snapshots a function of the id."""
        if name != FROZEN:
            return [(self.agents[name], np.arange(len(ids)))]
        if not self.frozen:
            raise LomberError("the pool has frozen selves, but none was kept yet: call freeze first")
        drawn = np.zeros(len(ids), np.int64)
        draw_seats(self._key, np.ascontiguousarray(ids), len(self.frozen), drawn)
        return [(agent, np.flatnonzero(drawn == i)) for i, agent in enumerate(self.frozen)]

    def state(self) -> list[dict[str, Any]]:
        return [{"at": agent.at, "layers": agent.layers} for agent in self.frozen]

    def restore(self, saved: list[dict[str, Any]]) -> None:
        self.frozen = [FrozenSelf(one["layers"], one["at"], self.seed) for one in saved]


class PoolVecEnv(SelfPlayVecEnv):
    """SelfPlayVecEnv in which the rows of a pool show the learner's decisions only.

    The learner's seat is drawn for each episode, a function of its id. A step of such a row goes on until the learner is to
    act again; `reward` is what was earned meanwhile in the episode in which it moved, `done` tells whether that one ended.
    What is earned in a new episode before the learner's first decision belongs to no decision and is dropped.
    """

    def __init__(self, game: Game, n: int, pool: Pool, seed: int = 0, scale: float = 1.0, reveal: bool = False):
        super().__init__(game, n, seed, scale, reveal)
        self.pool, self._key = pool, seed_key(seed)
        self._opposed = np.arange(pool.first, n)
        self._learner = np.full(n, -1, np.int64)
        self._decisions = Decisions(self.tables, seed)
        self._acted = np.zeros(n, np.int64)
        self._points = np.zeros((n, game.seats), np.float32)
        self._done = np.ones(n, np.int8)
        self._ended: list[tuple[NDArray[np.int64], NDArray[Any]]] = []

    @property
    def acted(self) -> NDArray[np.int64]:
        return self._acted

    @property
    def reward(self) -> NDArray[np.float32]:
        return (self._points / self.scale).astype(np.float32)

    @property
    def done(self) -> NDArray[np.int8]:
        return self._done

    def reset(self) -> NDArray[np.float32]:
        super().reset()
        self._done[:] = 1  # nothing that is earned before the first decision counts
        self._seat_learner(self._opposed)
        self._play_others()
        return self.observation()

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        tables = self.tables
        tables.step(self._actions)
        self._lengths += 1
        self._acted[:], self._points[:], self._done[:] = tables.acted, tables.reward, tables.done
        over = np.flatnonzero(tables.done)
        self._ended = [(over, tables.final[over])]
        self._seat_learner(over[over >= self.pool.first])
        self._play_others()
        rows, final = (np.concatenate(parts) for parts in zip(*self._ended, strict=True))
        own = self.reward[np.arange(self.num_envs), self._acted]
        return self.observation(), own, self._done.astype(bool), self._infos(rows, self._acted[rows], final)

    def _seat_learner(self, rows: NDArray[np.int64]) -> None:
        self._learner[rows] = seats_of("random", self.tables.game, self._key, np.ascontiguousarray(self.tables.id[rows]))

    def _play_others(self) -> None:
        """The opponents move until at each of the pool's rows the learner is to act."""
        tables, rows = self.tables, self._opposed
        while len(rows := rows[tables.seat[rows] != self._learner[rows]]):
            tables.step(self.pool.decide(tables, rows, self._decisions), rows)
            running = rows[self._done[rows] == 0]
            self._points[running] += tables.reward[running]
            over = running[tables.done[running] == 1]
            if len(over):
                self._ended.append((over, tables.final[over]))
                self._done[over] = 1
            self._seat_learner(rows[tables.done[rows] == 1])

    def state(self) -> dict[str, Any]:
        counted = {name: value.copy() for name, value in vars(self._decisions).items() if isinstance(value, np.ndarray)}
        own = {"learner": self._learner.copy(), "counted": counted, "frozen": self.pool.state()}
        return {**super().state(), "pool": own}

    def restore(self, saved: dict[str, Any]) -> None:
        super().restore(saved)
        own = saved["pool"]
        self._learner[:] = own["learner"]
        vars(self._decisions).update({name: value.copy() for name, value in own["counted"].items()})
        self.pool.restore(own["frozen"])
