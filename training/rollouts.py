"""The rollout buffer of self-play: advantages per seat, so that no seat is credited with another's reward or value.

Of each seat, a row is followed by that seat's next own row of the same episode; its reward is all that the seat earned in
between, the end of the episode included. Where the rollout ends within an episode, the seat about to move bootstraps its
last own row from `last_values`; any other seat's last own row has no successor: it is no sample, only the bootstrap of the
row before it.
"""

import math
from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

from ..envs.engine.jit import entry

_NO_ROW, _ROW, _END = 0, 1, 2  # what follows, looking backward: nothing in this rollout, an own row, the episode's end


@entry
def seat_advantages(acted, reward, done, values, to_act, last_values, gamma, gae_lambda, advantages, sample):
    """GAE per seat, backward through a rollout.

    acted (T, n) int64; reward (T, n, seats) float32, earned in the step that acted made; done (T, n): the episode ended in
    it; values (T, n) of the acting seat's view; to_act, last_values (n,) after the last step. Writes advantages (T, n)
    float32 and sample (T, n) int8, 0 for a row that is no sample.
    """
    steps, n, seats = reward.shape
    follows = np.empty(seats, np.int64)
    value = np.empty(seats, np.float64)
    advantage = np.empty(seats, np.float64)
    earned = np.empty(seats, np.float64)
    for i in range(n):
        follows[:] = _NO_ROW
        earned[:] = 0
        for t in range(steps - 1, -1, -1):
            if done[t, i]:
                follows[:] = _END
                earned[:] = 0
            for s in range(seats):
                earned[s] += reward[t, i, s]
            s = acted[t, i]
            sample[t, i] = 1
            delta = earned[s] - values[t, i]
            if follows[s] == _ROW:
                delta += gamma * value[s] + gamma * gae_lambda * advantage[s]
            elif follows[s] == _NO_ROW:
                if s == to_act[i]:
                    delta += gamma * last_values[i]
                else:
                    sample[t, i] = 0
                    delta = 0.0
            advantages[t, i] = delta
            follows[s] = _ROW
            value[s] = values[t, i]
            advantage[s] = delta
            earned[s] = 0


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """MaskableRolloutBuffer whose advantages are per seat. `source` is the SelfPlayVecEnv that is stepped.

    `generator` shuffles the samples; `get` leaves out rows that are none, and divides the others evenly: a last batch of a
    row or two would make stock PPO divide its advantages by a deviation of nothing.
    """

    def __init__(self, *args: Any, source: Any, shuffle_seed: int = 0, **kwargs: Any):
        self.source = source
        self.seats = source.tables.game.seats
        self.generator = np.random.default_rng(shuffle_seed)
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        shape = (self.buffer_size, self.n_envs)
        self.acted = np.zeros(shape, np.int64)
        self.seat_rewards = np.zeros((*shape, self.seats), np.float32)
        self.done = np.zeros(shape, np.int8)
        self.is_sample = np.zeros(shape, np.int8)
        wide: dict[str, Any] = {name: vars(self)[name] for name in ("observations", "action_masks") if name in vars(self)}
        super().reset()
        vars(self).update(wide)  # every row is written anew: fresh memory would cost more than the writing

    def add(self, *args: Any, **kwargs: Any) -> None:
        """SB3 calls this after the step, so the row belongs to `source.acted`."""
        self.acted[self.pos] = self.source.acted
        self.seat_rewards[self.pos] = self.source.reward
        self.done[self.pos] = self.source.done
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: NDArray[np.bool_]) -> None:
        last = last_values.clone().cpu().numpy().flatten().astype(np.float32)
        self.advantages[:] = 0
        seat_advantages(
            self.acted, self.seat_rewards, self.done, np.ascontiguousarray(self.values), self.source.seat.copy(), last,
            float(self.gamma), float(self.gae_lambda), self.advantages, self.is_sample,
        )  # fmt: skip
        self.returns = self.advantages + self.values

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:  # type: ignore[override]
        """The samples in random order, in the fewest batches of at most `batch_size`, whose sizes differ by one at most."""
        if not self.generator_ready:
            self._samples = np.flatnonzero(self.is_sample)
            for name in ("actions", "values", "log_probs", "advantages", "returns"):
                setattr(self, name, _rows(getattr(self, name))[self._samples])
            self.generator_ready = True
        order = self.generator.permutation(len(self.actions))
        batches = max(1, math.ceil(len(order) / batch_size)) if batch_size else 1
        for batch in np.array_split(order, batches):
            yield self._get_samples(batch)

    def _get_samples(self, batch_inds: NDArray[np.int64], env: Any = None) -> MaskableRolloutBufferSamples:  # type: ignore[override]
        """The samples of these numbers. Wide rows are copied once, from where they were added, straight into the batch."""
        at = torch.from_numpy(self._samples[batch_inds])
        wide = (torch.from_numpy(_rows(array)).index_select(0, at) for array in (self.observations, self.action_masks))
        observations, masks = (rows.to(self.device) for rows in wide)
        narrow = (self.values, self.log_probs, self.advantages, self.returns)
        values, log_probs, advantages, returns = (self.to_torch(array[batch_inds].flatten()) for array in narrow)
        actions = self.to_torch(self.actions[batch_inds])
        return MaskableRolloutBufferSamples(observations, actions, values, log_probs, advantages, returns, masks)


def _rows(array: NDArray[Any]) -> NDArray[Any]:
    """(T, n, ...) as (T * n, width), without copying."""
    return array.reshape(array.shape[0] * array.shape[1], -1)
