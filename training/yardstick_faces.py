"""The yardstick as other libraries know environments: the least that their interfaces ask for, over compiled whist."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .yardstick import CARDS, SEATS, Whist, begin_round, step_one, step_round


def _spaces(width: int) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (width,), np.float32),
            "action_mask": spaces.Box(0, 1, (CARDS,), np.int8),
        }
    )


class WhistAEC(AECEnv):  # type: ignore[misc]
    """A bare AEC environment: its own bookkeeping, no checks, no wrappers."""

    metadata = {"name": "whist_yardstick", "is_parallelizable": False}
    render_mode = None

    def __init__(self, width: int):
        super().__init__()
        self._whist = Whist(1, width)
        self._spaces = _spaces(self._whist.width)
        self._action_space = spaces.Discrete(CARDS)
        self.possible_agents = [f"player_{seat}" for seat in range(SEATS)]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._whist.begin()
        self._turn()

    def _turn(self) -> None:
        self.agent_selection = self.possible_agents[self._whist.states[0]["seat"]]

    def observe(self, agent: str) -> dict[str, Any]:
        return {"observation": self._whist.observation[0].copy(), "action_mask": self._whist.mask[0].copy()}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        whist = self._whist
        self._cumulative_rewards[self.agent_selection] = 0.0
        if not step_one(whist.states, action, whist.mask, whist.observation, whist.reward):
            self._turn()
            return
        for agent, reward in zip(self.possible_agents, whist.reward[0].tolist(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent] = True
        self._deads_step_first()


def wrapped_aec(width: int) -> Any:
    """The bare environment in PettingZoo's three customary wrappers."""
    inner = wrappers.TerminateIllegalWrapper(WhistAEC(width), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class WhistSingle(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A bare Gymnasium environment: the learner in seat 0, the others play at random in compiled code."""

    def __init__(self, width: int):
        self._whist = Whist(1, width)
        self.observation_space = spaces.Box(0.0, 1.0, (self._whist.width,), np.float32)
        self.action_space = spaces.Discrete(CARDS)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        whist = self._whist
        begin_round(whist.states, whist.mask, whist.observation, whist.reward)
        return whist.observation[0].copy(), {"action_mask": whist.mask[0].copy()}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        whist = self._whist
        over = step_round(whist.states, action, whist.mask, whist.observation, whist.reward)
        info = {"action_mask": whist.mask[0].copy()}
        return whist.observation[0].copy(), whist.reward[0, 0].item() if over else 0.0, bool(over), False, info
