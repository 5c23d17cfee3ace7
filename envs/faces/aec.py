"""PettingZoo's turn-based face (AEC) of any game.

    env = piquet_v0.env(preset="rubicon", render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

A seat's reward is the change of its points; it comes when a deal ends, to every seat, and `last()` hands each seat all that
it has earned since its own last move. Nothing is ever truncated, except by the wrapper that ends an episode after an
illegal move.
"""

import copy
import operator
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ..engine.errors import LomberError, unknown
from ..engine.game import Game, copy_states
from ..engine.records import Record, View, record_of, view_of
from ..engine.registry import make_game
from ..engine.tables import Tables
from ..render import Scene
from .pictures import RENDER_MODES, render, scene_of
from .spaces import ILLEGAL_REWARD, checked_mode, mask_box, observation_box
from .start import start_of

Observation = dict[str, NDArray[Any]]


class RawEnv(AECEnv[str, Observation, int | None]):
    """One table of a game, its seats the agents `player_0`, `player_1`, ...

    Observations: {"observation": float32 (D,), "action_mask": int8 (A,)}, fresh arrays; the mask is all zeros for who is not
    to act, and stands in `infos[agent]["action_mask"]` too. Actions: ids, or names as `game.actions` has them. `observe` is
    right for every seat at any time. Mistakes raise LomberError (IllegalAction names seat, card and reason) and leave the
    table as it was.

    The episodes of a seed are numbered from 0: `reset(seed=s)` begins with number 0 (seeds are integers from 0), `reset()`
    goes on with the next, of a seed drawn at random if none was given. `start.start_of` lists what `reset(options=...)`
    can ask for. Attributes: game, render_mode, seed, episode (its number; None for a given deal or a record).
    """

    def __init__(self, game: Game, render_mode: str | None = None):
        super().__init__()
        self.game = game
        self.render_mode = checked_mode(render_mode)
        self.metadata = {
            "name": game.id, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1,
        }  # fmt: skip
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        both: dict[str, Any] = {"observation": observation_box(game), "action_mask": mask_box(game)}
        self.observation_spaces = {agent: spaces.Dict(copy.deepcopy(both)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-1.0, 1.0, (game.reveal_size,), np.float32)
        self.agents: list[str] = []
        self.seed: int | None = None
        self.episode: int | None = None
        self._next = 0
        self._tables: Tables | None = None
        self._action = np.zeros(1, np.int64)
        self._nothing = np.zeros(game.num_actions, np.int8)
        self._finals: list[NDArray[Any]] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same Dict space at each call."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]  # type: ignore[return-value]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same Discrete space at each call."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]  # type: ignore[return-value]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin an episode; LomberError, with nothing changed, for a seed or options that cannot be."""
        start = start_of(self.game, options)
        tables, number = self._tables, self._next
        if seed is not None or tables is None:
            seed, number = secrets.randbits(63) if seed is None else seed, 0
            tables = Tables(self.game, 1, seed, autoreset=False)
            self.seed = seed
        number = number if start.id is None else start.id
        if start.state is None:
            tables.reset(ids=[number])
            self.episode, self._next = number, number + 1
        else:
            tables.load(0, start.state)
            self.episode, self._next = None, number
        self._seat_down(tables)

    def _seat_down(self, tables: Tables) -> None:
        self._bind(tables)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._nothing.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._cut = self._owing = False
        self._finals = []
        self.agent_selection = self.agents[0]
        if tables.dealt.item():
            self._pay(tables)
        self._turn(tables.seat.item())

    def _bind(self, tables: Tables | None) -> None:
        """Hold on to row 0 of the tables' arrays: finding it anew costs more than copying it."""
        self._tables = tables
        if tables is not None:
            self._mask, self._seen = tables.action_mask[0], tables.observation[0]

    def step(self, action: "int | str | None") -> None:
        """Play for `agent_selection`; None once it is done. Raises LomberError with nothing changed."""
        tables = self._tables
        if tables is None or not self.agents:
            raise LomberError("call reset() first" if tables is None else "the episode is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise LomberError(f"{agent} is done: its only action is None, not {action!r}")
            self._was_dead_step(None)
            return
        chosen = action if type(action) is int and 0 <= action < self.game.num_actions else self.game.action_id(action)  # type: ignore[arg-type]
        if not self._mask[chosen]:
            raise self.game.illegal(tables.states, chosen)
        self._action[0] = chosen
        tables.step(self._action)
        self._cumulative_rewards[agent] = 0.0
        if self._owing:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._owing = False
        if tables.dealt.item():
            self._pay(tables)
        self._turn(tables.seat.item())

    def _pay(self, tables: Tables) -> None:
        self.rewards = dict(zip(self.agents, tables.reward[0].tolist(), strict=True))
        self._owing = True
        self._accumulate_rewards()
        self._finals.append(copy_states(tables.final))

    def _turn(self, seat: int) -> None:
        """The turn passes to `seat`, or the episode is over (-1)."""
        before = self.agent_selection
        if seat < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
            return
        agent = self.possible_agents[seat]
        if agent is not before:
            self.infos[before] = {"action_mask": self._nothing.copy()}
            self.agent_selection = agent
        self.infos[agent] = {"action_mask": self._mask.copy()}

    def _deads_step_first(self) -> str:
        """All seats are done, by the rules or by the wrapper for illegal moves: nobody may do anything."""
        self._cut = True
        self.infos = {agent: {"action_mask": self._nothing.copy()} for agent in self.agents}
        return super()._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """What `agent` sees now, at its turn or not, during the episode or after it."""
        seat = self._seat_of(agent)
        tables = self._begun()
        if seat == tables.seat.item():
            mask = self._nothing.copy() if self._cut else self._mask.copy()
            return {"observation": self._seen.copy(), "action_mask": mask}
        return {"observation": tables.seen([seat])[0], "action_mask": self._nothing.copy()}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last move, termination, truncation and info of the agent to step."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
            self.truncations[agent], self.infos[agent],
        )  # fmt: skip

    def state(self) -> NDArray[np.float32]:
        """The perfect state, float32 (R,): all cards, for critics; never for a player."""
        return self.game.reveal(self._begun().states)[0]

    def record(self) -> Record:
        """The deal on the table so far; in a finished episode its last deal."""
        return record_of(self.game, self._begun().states)

    @property
    def records(self) -> list[Record]:
        """The finished deals of this episode, in order."""
        return [record_of(self.game, final) for final in self._finals]

    def view(self, agent: str) -> View:
        """What `agent` knows of the deal on the table, as a list of events."""
        return view_of(self.game, self._begun().states, self._seat_of(agent))

    def render(self) -> "str | NDArray[np.uint8] | None":
        """The table as an onlooker sees it, all cards open, by `render_mode`."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode")
            return None
        return render(self.game, self._begun().states, None, self.render_mode)

    def scene(self, agent: str | None = None) -> Scene:
        """The picture (`to_svg()`, `to_array()`) as `agent` sees the table, or an onlooker."""
        return scene_of(self.game, self._begun().states, None if agent is None else self._seat_of(agent))

    def close(self) -> None:
        """Nothing is held open."""

    def clone(self) -> "RawEnv":
        """An environment in the same position that shares nothing with this one."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_mask", "_seen")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._bind(self._tables)

    def _begun(self) -> Tables:
        if self._tables is None:
            raise LomberError("call reset() first")
        return self._tables

    def _seat_of(self, agent: str) -> int:
        if agent not in self._seats:
            raise unknown("agent", agent, self._seats)
        return self._seats[agent]


def _of_raw(name: str) -> property:
    return property(operator.attrgetter(f"_raw.{name}"))


class _Near:
    """Finds at once what PettingZoo's wrappers hand down from one to the next, some thirty times a step."""

    def __init__(self, env: Any, **kwargs: Any):
        super().__init__(env, **kwargs)  # type: ignore[call-arg]
        self._raw = env.unwrapped

    agents, agent_selection, infos = _of_raw("agents"), _of_raw("agent_selection"), _of_raw("infos")
    terminations, truncations = _of_raw("terminations"), _of_raw("truncations")

    def __getattr__(self, name: str) -> Any:
        return super().__getattr__(name) if name.startswith("_") else getattr(self._raw, name)  # type: ignore[misc]


class _Legal(_Near, TerminateIllegalWrapper[str, Observation, int | None]):
    pass


class _Bounded(_Near, AssertOutOfBoundsWrapper[str, Observation, int | None]):
    pass


class Env(OrderEnforcingWrapper[str, Observation, int | None]):
    """The outermost of PettingZoo's three customary wrappers, with a `clone` of all of them."""

    def __init__(self, env: Any):
        super().__init__(env)
        self._raw = env.unwrapped

    def step(self, action: "int | str | None") -> None:
        """Play for `agent_selection`; a name is put as its id, which is all that the other wrappers know."""
        super().step(self._raw.game.action_id(action) if isinstance(action, str) else action)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """As PettingZoo has it: observation, reward since its last move, termination, truncation, info of who is to step."""
        agent, raw = self.agent_selection, self._raw
        return (
            self.observe(agent) if observe else None, raw._cumulative_rewards[agent], raw.terminations[agent],
            raw.truncations[agent], raw.infos[agent],
        )  # fmt: skip

    def clone(self) -> "Env":
        """An environment in the same position that shares nothing with this one, wrappers and all."""
        return copy.deepcopy(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self._has_reset:
            return super().__getattr__(name)
        return getattr(self._raw, name)

    def __str__(self) -> str:
        return str(self.env)


def factories(name: str) -> tuple[Callable[..., Env], Callable[..., RawEnv]]:
    """`env` and `raw_env` of a game."""

    def raw_env(preset: str | None = None, render_mode: str | None = None, **options: Any) -> RawEnv:
        """The bare environment: options are those of the game, laid over the preset (its first one by default)."""
        return RawEnv(make_game(name, preset, **options), render_mode)

    def env(illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> Env:
        """`raw_env(**kwargs)` in PettingZoo's wrappers: an illegal move ends the episode and costs `illegal_reward`.

        The other seats then get 0, so points no longer sum to zero, and the wrapper calls the episode truncated as well.
        """
        return Env(_Bounded(_Legal(raw_env(**kwargs), illegal_reward=illegal_reward)))

    return env, raw_env
