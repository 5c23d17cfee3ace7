"""Tables: many tables of one game stepped in one compiled call."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chance import CHOICE, draw_once
from .errors import IllegalAction, LomberError
from .game import Game, Scratch, seed_key
from .jit import entry
from .masks import count_legal, nth_legal
from .state import NONE


class Tables:
    """`n` tables of a game. Each shows the seat to act: the next decision, whoever's it is.

    Arrays of n rows, read-only, overwritten by the next call:
    observation (n, D) float32 and action_mask (n, A) int8 of the seat to act; seat (n,) int64, NONE (-1) where the table is
    finished; acted (n,) int64, who made the last move, NONE where none was made in this call; reward (n, seats) float32,
    points earned in this call; done (n,) int8, with autoreset: an episode ended in this call, otherwise: the table is finished
    until reset; dealt (n,) int64, deals ended in this call; id (n,) int64, the episode; final (n,) records, the last ended
    deal of each row, valid where `dealt` or `done`; states (n,) records.

    Row i begins with episode i and goes on, under autoreset, with its id + n, so what it plays depends on no other row. An
    episode that ends without a decision is left finished, or under autoreset passed over: a step pays for it, a reset not.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, autoreset: bool = True):
        if isinstance(n, bool) or not hasattr(n, "__index__") or int(n) < 1:
            raise LomberError(f"the number of tables is an integer from 1, not {n!r}")
        self.game, self.n, self.seed, self.autoreset = game, int(n), seed, bool(autoreset)
        self._key = seed_key(seed)
        self._states = np.zeros(self.n, game.state_dtype)
        self._own = Scratch(game, self.n)
        self._id = np.arange(self.n, dtype=np.int64)
        self._all = np.arange(self.n, dtype=np.int64)
        self._begun = False
        self._publish()

    def _publish(self) -> None:
        own = self._own
        self.states, self.id, self.final = _shown(self._states), _shown(self._id), _shown(own.final)
        self.observation, self.action_mask, self.seat = _shown(own.observation), _shown(own.mask), _shown(own.seat)
        self.acted, self.reward, self.done, self.dealt = (
            _shown(own.acted), _shown(own.reward), _shown(own.done), _shown(own.dealt),
        )  # fmt: skip

    def reset(self, rows: ArrayLike | None = None, ids: ArrayLike | None = None) -> None:
        """Begin anew at `rows` (all if None) the episodes `ids`.

        ids default to 0..n-1 the first time, afterwards to each row's id + n.
        """
        chosen = self._rows(rows)
        if rows is not None:
            self._check_reset(chosen)
        if ids is None:
            wanted = self._id[chosen] + (self.n if self._begun else 0)
        else:
            wanted = _integers("ids", ids, len(chosen))
            if len(wanted) and wanted.min() < 0:
                raise LomberError(f"ids are integers from 0, not {ids!r}")
        own = self._own
        self._id[chosen] = wanted
        self._deal(chosen)
        while self.autoreset and (own.seat[chosen] < 0).any():  # an episode without a decision is passed over
            passed = chosen[own.seat[chosen] < 0]
            self._id[passed] += self.n
            self._deal(passed)
        self._begun = True

    def _check_reset(self, rows: NDArray[np.int64]) -> None:
        if len(np.unique(rows)) != len(rows) or (len(rows) and not 0 <= rows.min() <= rows.max() < self.n):
            raise LomberError(f"rows are distinct integers in 0..{self.n - 1}, not {rows.tolist()}")
        if not self._begun and len(rows) != self.n:
            raise LomberError("the first reset is of all rows")

    def _deal(self, rows: NDArray[np.int64]) -> None:
        own = self._own
        self.game.loops.reset_rows(
            self.game.rules, self._states, rows, self._key, self._id, own.view, own.final, own.mask, own.observation,
            own.seat, own.acted, own.reward, own.paid, own.after, own.done, own.dealt,
        )  # fmt: skip

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> None:
        """Play `actions[i]` at `rows[i]` (all rows in order if None); other rows do not move.

        Raises, with nothing moved, naming the row: IllegalAction for an action the rules do not allow, LomberError for a
        finished row or wrong shapes and dtypes.
        """
        if not self._begun:
            raise LomberError("call reset() before step()")
        chosen = self._rows(rows)
        played = _integers("actions", actions, len(chosen))
        own = self._own
        refused = self.game.loops.step_rows(
            self.game.rules, self._states, chosen, played, self._key, self.n if self.autoreset else 0, self._id, own.view,
            own.final, own.mask, own.observation, own.seat, own.acted, own.reward, own.paid, own.after, own.done, own.dealt,
            own.stamp,
        )  # fmt: skip
        if refused >= 0:
            raise self._refusal(int(chosen[refused]), int(played[refused]), chosen[:refused])

    def load(self, row: int, state: NDArray[Any]) -> None:
        """Put a state (a record, or an array of one) at a row: a given deal, a replayed record, a clone."""
        if not 0 <= row < self.n:
            raise LomberError(f"there is no row {row} among {self.n}")
        given = np.atleast_1d(np.asarray(state))
        if given.dtype != self.game.state_dtype or given.shape != (1,):
            raise LomberError(f"a row takes one record of the state_dtype of {self.game.name}")
        if not self._begun:
            self.reset()
        own = self._own
        self._states[row] = given[0]
        own.acted[row], own.reward[row], own.done[row], own.dealt[row] = NONE, 0, 0, 0
        own.paid[row] = self.game.points(given)[0]
        self.game.loops.look_rows(
            self.game.rules, self._states, self._all[row : row + 1], own.view, own.mask, own.observation, own.seat
        )
        own.done[row] = own.seat[row] < 0

    def seen(self, seats: ArrayLike, rows: ArrayLike | None = None) -> NDArray[np.float32]:
        """What `seats[i]` sees of the table at `rows[i]` (all if None), at its turn or not, or at the end: (n, D) float32."""
        chosen = self._rows(rows)
        viewers = _integers("seats", seats, len(chosen))
        out = np.empty((len(chosen), self.game.observation_size), np.float32)
        refused = self.game.loops.seen_rows(
            self.game.rules, self._states, chosen, viewers, self.game.seats, self._own.view, out
        )
        if refused >= 0:
            raise LomberError(f"there is no seat {viewers[refused]} at row {chosen[refused]} of {self.n} tables")
        return out

    def views(self, rows: ArrayLike | None = None) -> NDArray[Any]:
        """The hidden records of the seats to act at `rows` (all if None), none of them finished."""
        chosen = self._rows(rows)
        return self.game.hide(self._states[chosen], self._own.seat[chosen])

    def clone(self) -> "Tables":
        """Tables in the same position that share nothing with these."""
        twin = Tables.__new__(Tables)
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        own = {name: value.copy() for name, value in vars(self._own).items()}
        return {
            "game": self.game, "n": self.n, "seed": self.seed, "autoreset": self.autoreset, "begun": self._begun,
            "states": self._states.copy(), "id": self._id.copy(), "own": own,
        }  # fmt: skip

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(saved["game"], saved["n"], saved["seed"], saved["autoreset"])  # type: ignore[misc]
        self._begun = saved["begun"]
        self._states[:] = saved["states"]
        self._id[:] = saved["id"]
        for name, value in saved["own"].items():
            getattr(self._own, name)[...] = value

    def _rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        return self._all if rows is None else _integers("rows", rows, None)

    def _refusal(self, row: int, action: int, before: NDArray[np.int64]) -> LomberError:
        if not 0 <= row < self.n or row in before:
            return LomberError(f"rows are distinct integers in 0..{self.n - 1}; row {row} is not, nothing was played")
        if self._own.seat[row] < 0:
            return LomberError(f"row {row} is finished: reset it first; nothing was played")
        if not 0 <= action < self.game.num_actions:
            return LomberError(f"row {row}: there is no action {action} among {self.game.num_actions}; nothing was played")
        error = self.game.illegal(self._states[row : row + 1], action)
        return IllegalAction(f"row {row}: {error}", error.seat, error.action, error.reason, error.legal)


def _shown(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _integers(what: str, given: ArrayLike, length: int | None) -> NDArray[np.int64]:
    array = np.asarray(given)
    if array.dtype.kind not in "iu" and array.size:
        raise LomberError(f"{what} are integers, not {array.dtype}")
    if array.ndim != 1 or (length is not None and len(array) != length):
        wanted = "a 1-D array" if length is None else f"of shape ({length},)"
        raise LomberError(f"{what} are {wanted}, not of shape {array.shape}")
    if array.dtype == np.int64 and array.flags.carray:
        return array
    return np.array(array, np.int64)  # writeable and contiguous: else the loops would be compiled once more


@entry
def random_actions(mask, keys, actions):
    """A uniformly random legal action for each row of `mask`, from the row's key (uint64); -1 where nothing is legal."""
    for i in range(mask.shape[0]):
        n = count_legal(mask[i])
        actions[i] = nth_legal(mask[i], draw_once(keys[i], CHOICE, n)) if n else -1
