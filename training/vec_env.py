"""Tables as an SB3 VecEnv in which every seat is a learner: each table shows the seat to act, one decision a step."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.engine.tables import Tables


class SelfPlayVecEnv(VecEnv):
    """`n` tables of a game, all seats learning.

    Observation: flat Box (D,) float32 of the seat to act. `step_wait` gives the reward of the seat that acted in this step;
    what other seats earn stands in `reward`, and SeatRolloutBuffer gives each seat its own. Rewards are points / `scale`.

    With `reveal` the floats of the perfect state follow those of the view, (D + R,): a policy must keep its actor from them.

    Arrays of the last step, for the buffer: acted (n,), seat (n,) to act now, reward (n, seats) float32, done (n,). They are
    overwritten by the next step. `infos[i]["episode"]["r"]` is the most points that any seat got: their sum says nothing.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, scale: float = 1.0, reveal: bool = False):
        if not scale > 0:
            raise LomberError(f"the reward scale is above 0, not {scale!r}")
        self.tables, self.scale, self.reveal = Tables(game, n, seed), float(scale), reveal
        width = game.observation_size + (game.reveal_size if reveal else 0)
        observation = spaces.Box(-1.0, 1.0, (width,), np.float32)
        self.render_mode: str | None = None
        super().__init__(n, observation, spaces.Discrete(game.num_actions))
        self._actions: NDArray[np.int64] = np.zeros(n, np.int64)
        self._quiet: list[dict[str, Any]] = [{} for _ in range(n)]
        self._lengths = np.zeros(n, np.int64)
        self._started = time.time()

    @property
    def acted(self) -> NDArray[np.int64]:
        return self.tables.acted

    @property
    def seat(self) -> NDArray[np.int64]:
        return self.tables.seat

    @property
    def reward(self) -> NDArray[np.float32]:
        return (self.tables.reward / self.scale).astype(np.float32)

    @property
    def done(self) -> NDArray[np.int8]:
        return self.tables.done

    def reset(self) -> NDArray[np.float32]:
        self.tables.reset()
        self._lengths[:] = 0
        return self.observation()

    def observation(self) -> NDArray[np.float32]:
        """(n, D) float32 of the seats to act now, with `reveal` (n, D + R); the caller's own."""
        if self.reveal:
            return np.hstack([self.tables.observation, self.tables.game.reveal(self.tables.states)])
        return self.tables.observation.copy()

    def state(self) -> dict[str, Any]:
        """All that the next steps depend on, as nested dictionaries of arrays and numbers; `restore` takes it."""
        tables = self.tables.__getstate__()
        return {"tables": {key: tables[key] for key in ("begun", "states", "id", "own")}, "lengths": self._lengths.copy()}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on where `state` was asked, in an environment made with the same arguments."""
        self.tables.__setstate__({**self.tables.__getstate__(), **saved["tables"]})
        self._lengths[:] = saved["lengths"]

    def action_masks(self) -> NDArray[np.int8]:
        """(n, A) int8 of the seats to act, from the last step."""
        return self.tables.action_mask

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        tables = self.tables
        tables.step(self._actions)
        self._lengths += 1
        done = tables.done.astype(bool)
        own = self.reward[np.arange(self.num_envs), tables.acted]
        ended = np.flatnonzero(done)
        return self.observation(), own, done, self._infos(ended, tables.acted[ended], tables.final[ended])

    def _infos(self, ended: NDArray[np.int64], seats: NDArray[np.int64], final: NDArray[Any]) -> list[dict[str, Any]]:
        """Of the rows `ended` (k,): what `seats` (k,) saw last in the finished records `final` (k,)."""
        if not len(ended):
            return self._quiet
        infos = list(self._quiet)
        game = self.tables.game
        last, points = game.observe(game.hide(final, seats), seats), game.points(final)
        if self.reveal:
            last = np.hstack([last, game.reveal(final)])
        for k, row in enumerate(ended):
            episode = {"r": float(points[k].max()), "l": int(self._lengths[row]), "t": time.time() - self._started}
            infos[row] = {"terminal_observation": last[k], "episode": episode, "TimeLimit.truncated": False}
        self._lengths[ended] = 0
        return infos

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        if method_name == "action_masks":
            return [self.action_masks()]  # one array of all rows: no call per table
        raise LomberError(f"tables have no method {method_name!r} of single environments")

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(self._rows(indices))

    def _rows(self, indices: int | Sequence[int] | None) -> Sequence[int]:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices
