"""Keys of decisions: all the chance an agent has, a function of who decides where, never of cards, batch or process."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engine.chance import hash_key
from ..engine.game import seed_key
from ..engine.jit import entry
from ..engine.tables import Tables

_AGENT, _EPISODE, _DEAL, _DECISION, _SEAT = range(101, 106)  # purposes, apart from those of engine/chance.py


@entry
def take_keys(seed, agent_seed, rows, ids, deals, seats, counted_id, counted_deal, counts, out):
    """Write the key of the next decision of `seats[j]` at `rows[j]`, and count it; a new deal counts from 0."""
    own = hash_key(seed, agent_seed, _AGENT)
    for j in range(rows.shape[0]):
        i = rows[j]
        if counted_id[i] != ids[i] or counted_deal[i] != deals[j]:
            counted_id[i] = ids[i]
            counted_deal[i] = deals[j]
            counts[i, :] = 0
        deal_key = hash_key(hash_key(own, ids[i], _EPISODE), deals[j], _DEAL)
        out[j] = hash_key(deal_key, counts[i, seats[j]] * counts.shape[1] + seats[j], _DECISION)
        counts[i, seats[j]] += 1


@entry
def draw_seats(seed, ids, seats, out):
    """A seat for each episode id, a function of seed and id."""
    for j in range(ids.shape[0]):
        out[j] = np.int64((hash_key(seed, ids[j], _SEAT) >> np.uint64(32)) % np.uint64(seats))


class Decisions:
    """Counts the decisions of every seat at n tables and makes their keys.

    The key of a decision is a hash of (seed, agent's seed, episode id, deal, seat, number of this seat's decision in the
    deal). Whoever drives the tables asks once for each decision of an agent, before it is made.
    """

    def __init__(self, tables: Tables, seed: int):
        self._seed = seed_key(seed)
        self._id = np.full(tables.n, -1, np.int64)
        self._deal = np.full(tables.n, -1, np.int64)
        self._counts = np.zeros((tables.n, tables.game.seats), np.int64)

    def forget(self, rows: ArrayLike) -> None:
        """Count anew at `rows`: an episode begins there."""
        self._id[np.asarray(rows)] = -1

    def keys(self, tables: Tables, rows: NDArray[np.int64], agent_seed: int) -> NDArray[np.uint64]:
        """Keys (k,) of the decisions that stand open at `rows` (k,), for an agent of this seed."""
        out = np.zeros(len(rows), np.uint64)
        deals = np.ascontiguousarray(tables.states["deal"][rows], np.int64)
        ids, seats = tables.id.copy(), tables.seat[rows]
        take_keys(
            self._seed,
            seed_key(agent_seed),
            np.ascontiguousarray(rows),
            ids,
            deals,
            seats,
            self._id,
            self._deal,
            self._counts,
            out,
        )
        return out
