"""A head start: the first rollouts of a run are played by an agent, and the network learns to play as it does.

The rows are those of every other rollout, so all that a run does between rollouts stays as it is, checkpoints included. Of
each row the actor learns the agent's action (cross-entropy), the critic what the seat came to (the rollout's returns).
"""

from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

from ..envs.faces.opponents import Agent, Positions


class ImitatingPPO(MaskablePPO):
    """MaskablePPO whose first `imitated` decisions are those of `teacher`; from there on it is the stock algorithm.

    Its environment is a SelfPlayVecEnv. The teacher's chance comes from torch's generator, as that of the policy does.
    """

    teacher: Agent | None = None
    imitated = 0
    _rollout_began = 0

    @property
    def imitating(self) -> bool:
        return self.teacher is not None and self._rollout_began < self.imitated

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "teacher"]

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """As in stock PPO, but while it imitates the teacher decides."""
        self._rollout_began = self.num_timesteps
        if not self.imitating:
            return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, use_masking)
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            seen, masks = self._last_obs, get_action_masks(env)
            actions = self._ask_teacher(env)
            with torch.no_grad():
                values = self.policy.predict_values(torch.as_tensor(seen))
            after, rewards, ended, infos = env.step(actions)
            self.num_timesteps += env.num_envs
            if not callback.on_step():
                return False
            self._update_info_buffer(infos, ended)
            unknown = torch.zeros(env.num_envs)  # how likely the teacher was to do this
            rollout_buffer.add(seen, actions[:, None], rewards, self._last_episode_starts, values, unknown, action_masks=masks)
            self._last_obs, self._last_episode_starts = after, ended
        with torch.no_grad():
            last = self.policy.predict_values(torch.as_tensor(self._last_obs))
        rollout_buffer.compute_returns_and_advantage(last_values=last, dones=self._last_episode_starts)
        callback.on_rollout_end()
        return True

    def _ask_teacher(self, env: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        teacher, tables = cast(Agent, self.teacher), env.tables
        keys = torch.randint(-(2**63), 2**63 - 1, (tables.n,)).numpy().view(np.uint64)
        views = tables.views(np.arange(tables.n)) if teacher.wants_view else None
        return teacher.act(Positions(tables.observation, tables.action_mask, tables.seat, keys, views))

    def train(self) -> None:
        """Learn from the rollout: from the teacher's as it played, from its own as PPO does."""
        if not self.imitating:
            super().train()
            return
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        losses = []
        for _ in range(self.n_epochs):
            for batch in self.rollout_buffer.get(self.batch_size):
                actions = batch.actions.long().flatten()
                values, log_probs, entropy = self.policy.evaluate_actions(
                    batch.observations, actions, action_masks=batch.action_masks
                )
                value_loss = torch.nn.functional.mse_loss(values.flatten(), batch.returns)
                loss = self.vf_coef * value_loss - log_probs.mean()
                self.policy.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                losses.append([-log_probs.mean().item(), value_loss.item(), -cast(torch.Tensor, entropy).mean().item()])
            self._n_updates += 1
        names = ("imitation_loss", "value_loss", "entropy_loss")
        for name, loss in zip(names, np.mean(losses, axis=0), strict=True):
            self.logger.record(f"train/{name}", loss)
