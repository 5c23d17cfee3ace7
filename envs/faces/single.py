"""Gymnasium's face of any game: one learner's seat, agents in the others.

    env = gymnasium.make("lomber/Piquet-v0", opponents="random", seat="rotate")
    observation, info = env.reset(seed=42)
    observation, reward, terminated, truncated, info = env.step(action)   # info["action_mask"][action] == 1

The trajectory is the learner's alone: each observation is at a decision of its seat, and the reward is all that the seat has
earned since the decision before, the end included when another seat makes the last move. Nothing is ever truncated.
"""

import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from ..engine.errors import LomberError, unknown
from ..engine.game import Game, seed_key
from ..engine.records import Record, View, record_of, view_of
from ..engine.registry import make_game
from ..engine.tables import Tables
from ..render import Scene
from .opponents import Others, checked_seat, load_opponents, seats_of
from .pictures import RENDER_MODES, render, scene_of
from .spaces import ILLEGAL_REWARD, checked_mode, observation_box
from .start import Start, start_of

ILLEGAL = ("raise", "end")
MOST_SKIPPED = 10_000  # episodes in a row in which the learner has no decision


def checked_illegal(illegal: str) -> str:
    """`illegal`, if there is such a way; UnknownName names the nearest."""
    if illegal not in ILLEGAL:
        raise unknown("way with illegal actions", illegal, ILLEGAL)
    return illegal


class SingleEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One table with the learner in one seat.

    game: a Game, or a name with `preset` and options. opponents: an agent or its name, or a list of them, one for each seat
    after the learner's in order of play. seat: the learner's, a number, "rotate" (episode number modulo seats) or "random"
    (a function of seed and episode number). illegal: "raise" IllegalAction with nothing changed, or "end" the episode with
    reward -1000. Observations: float32 (D,); actions: ids (names are understood too).

    info: action_mask int8 (A,), seat, id (of the episode; -1 for a given deal or a record); from reset also skipped and
    skipped_reward: episodes passed over because the learner had no decision in them, and what its seat earned there. The
    episodes of a seed are numbered from 0: `reset(seed=s)` begins with 0, `reset()` goes on with the next.
    `start.start_of` lists what `reset(options=...)` can ask for.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: "str | Game",
        preset: str | None = None,
        opponents: Any = "random",
        seat: "int | str" = "rotate",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ):
        self.game = make_game(game, preset, **options) if isinstance(game, str) else game
        self.render_mode = checked_mode(render_mode)
        self.illegal = checked_illegal(illegal)
        self._seat_rule = checked_seat(seat, self.game)
        self._agents = load_opponents(opponents, self.game)
        self.observation_space = observation_box(self.game)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.seed_used: int | None = None
        self._next = 0
        self._tables: Tables | None = None
        self._playing = False

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode, up to the learner's first decision; LomberError, nothing changed, for options that cannot be."""
        start = start_of(self.game, options)
        before = dict(vars(self))
        super().reset(seed=seed)
        fresh = seed is not None or self.seed_used is None
        if fresh:
            self.seed_used, self._next = int(self.np_random.integers(2**63)) if seed is None else seed, 0
        if fresh or start.state is not None:  # a given deal is tried on a table of its own
            self._tables = Tables(self.game, 1, self.seed_used or 0, autoreset=False)
            self._others = Others(self._agents, self._tables, self.seed_used or 0)
        self._earned = np.zeros(1)
        try:
            info = self._first_decision(start)
        except LomberError:
            vars(self).clear()
            vars(self).update(before)
            raise
        self._playing = True
        if start.state is None:
            self._next = self._episode + 1
        return self._observation(), info | self._info()

    def _first_decision(self, start: Start) -> dict[str, Any]:
        """Go to the learner's first decision, passing over episodes in which it has none."""
        skipped, lost = 0, 0.0
        self._episode = -1 if start.state is not None else self._next if start.id is None else start.id
        while not self._open(start):
            if start.state is not None:
                raise LomberError("the learner has no decision left in the given deal")
            skipped += 1
            lost += float(self._earned[0])
            if skipped == MOST_SKIPPED:
                raise LomberError(f"the learner had no decision in {MOST_SKIPPED} episodes")
            self._earned[0] = 0
            self._episode += 1
        return {"skipped": skipped, "skipped_reward": lost}

    def _open(self, start: Start) -> bool:
        """Begin an episode and let the others play; whether the learner comes to a decision."""
        tables = self._begun()
        if start.state is None:
            tables.reset(ids=[self._episode])
        else:
            tables.load(0, start.state)
        self._learner = seats_of(self._seat_rule, self.game, seed_key(self.seed_used or 0), tables.id)
        self._earned += tables.reward[0, self._learner]
        self._others.decisions.forget([0])
        self._others.play(tables, np.zeros(1, np.int64), self._learner, self._earned)
        return bool(tables.seat[0] >= 0)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play for the learner, then let the others play. Raises LomberError with nothing changed."""
        tables = self._begun()
        if not self._playing:
            raise LomberError("the episode is over: call reset()")
        chosen = self.game.action_id(action)
        if not tables.action_mask[0, chosen]:
            if self.illegal == "raise":
                raise self.game.illegal(tables.states, chosen)
            self._playing = False
            return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal": True}
        tables.step(np.array([chosen]))
        self._earned += tables.reward[0, self._learner]
        self._others.play(tables, np.zeros(1, np.int64), self._learner, self._earned)
        reward, self._earned[0] = float(self._earned[0]), 0
        self._playing = bool(tables.seat[0] >= 0)
        return self._observation(), reward, not self._playing, False, self._info()

    def _observation(self) -> NDArray[np.float32]:
        tables = self._begun()
        if tables.seat[0] >= 0:
            return tables.observation[0].copy()  # type: ignore[no-any-return]
        return tables.seen(self._learner)[0]  # type: ignore[no-any-return]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": int(self._learner[0]), "id": self._episode}

    def action_masks(self) -> NDArray[np.int8]:
        """What the learner may do now, int8 (A,): zeros once the episode is over. sb3-contrib asks for it by this name."""
        if not self._playing:
            return np.zeros(self.game.num_actions, np.int8)
        return self._begun().action_mask[0].copy()  # type: ignore[no-any-return]

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        self._begun()
        return int(self._learner[0])

    def record(self) -> Record:
        """The deal on the table so far, all cards; in a finished episode its last deal."""
        return record_of(self.game, self._begun().states)

    def view(self) -> View:
        """What the learner knows of the deal on the table, as a list of events."""
        return view_of(self.game, self._begun().states, self.seat)

    def render(self) -> Any:
        """The table as the learner sees it, by `render_mode`."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode")
            return None
        return render(self.game, self._begun().states, self.seat, self.render_mode)

    def scene(self) -> Scene:
        """The picture (`to_svg()`, `to_array()`) as the learner sees the table."""
        return scene_of(self.game, self._begun().states, self.seat)

    def clone(self) -> "SingleEnv":
        """An environment in the same position that shares nothing with this one."""
        return copy.deepcopy(self)

    def _begun(self) -> Tables:
        if self._tables is None:
            raise LomberError("call reset() first")
        return self._tables
