"""Gymnasium's vector face of any game: many tables in one call, the learner in one seat of each.

    envs = gymnasium.make_vec("lomber/Piquet-v0", num_envs=1024, opponents="random")
    observations, infos = envs.reset(seed=42)
    observations, rewards, terminations, truncations, infos = envs.step(actions)   # legal by infos["action_mask"]

Table i plays the episodes i, i + n, i + 2n, ... of the seed, each exactly as the single environment plays it.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..engine.errors import LomberError
from ..engine.game import Game, seed_key
from ..engine.registry import make_game
from ..engine.tables import Tables
from .opponents import Others, checked_seat, load_opponents, seats_of
from .single import MOST_SKIPPED, checked_illegal
from .spaces import ILLEGAL_REWARD, observation_box
from .start import checked_options


class TablesVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` tables; game, opponents, seat and illegal as in `single.SingleEnv`.

    autoreset_mode: SAME_STEP (a table that ends shows its next episode at once; `infos["final_obs"]` and `["final_info"]`
    keep the end) or DISABLED (it shows its end and takes no action until `reset(options={"reset_mask": mask})`).
    `reset(options={"ids": ids})` gives the episodes, (num_envs,). infos: action_mask (n, A) int8, seat, id; skipped and
    skipped_reward where an episode began; illegal where "end" ended one.
    """

    def __init__(
        self,
        num_envs: int,
        game: "str | Game",
        preset: str | None = None,
        opponents: Any = "random",
        seat: "int | str" = "rotate",
        illegal: str = "raise",
        autoreset_mode: "AutoresetMode | str" = AutoresetMode.SAME_STEP,
        **options: Any,
    ):
        self.game = make_game(game, preset, **options) if isinstance(game, str) else game
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.NEXT_STEP:
            raise LomberError("autoreset_mode is SAME_STEP or DISABLED: a step that only resets would waste a decision")
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.illegal = checked_illegal(illegal)
        self._seat_rule = checked_seat(seat, self.game)
        self._agents = load_opponents(opponents, self.game)
        if isinstance(num_envs, bool) or not hasattr(num_envs, "__index__") or num_envs < 1:
            raise LomberError(f"num_envs is the number of tables, an integer from 1, not {num_envs!r}")
        self.num_envs = num_envs
        self.single_observation_space = observation_box(self.game)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seed_used: int | None = None
        self._tables: Tables | None = None
        self._all = np.arange(num_envs)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin episodes at all tables, or at those of options["reset_mask"] (n,) bool.

        With a seed table i begins episode i; without, each goes on with its number + n.
        """
        rows, ids = self._asked(options)
        if seed is not None and (isinstance(seed, (list, tuple)) or len(rows) < self.num_envs):
            raise LomberError("one seed is for all tables: table i plays its episodes i, i + n, ...")
        super().reset(seed=seed)
        if seed is not None or self._tables is None:
            self.seed_used = int(self.np_random.integers(2**63)) if seed is None else seed
            tables = Tables(self.game, self.num_envs, self.seed_used, autoreset=False)
            self._others = Others(self._agents, tables, self.seed_used)
            self._learner, self._earned = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs)
            self._playing = np.zeros(self.num_envs, np.bool_)
            begins, self._tables = self._all, tables
        else:
            begins = self._tables.id[rows] + self.num_envs
        return self._shown(self._begin(rows, begins if ids is None else ids))

    def _asked(self, options: Any) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """Rows to begin at, and their episodes if they are given."""
        options = checked_options(options, ("reset_mask", "ids"))
        mask, rows = options.get("reset_mask"), self._all
        if mask is not None:
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise LomberError(f"reset_mask is a bool array of shape ({self.num_envs},), not all False")
            rows = np.flatnonzero(mask)
        if len(rows) < self.num_envs and self._tables is None:
            raise LomberError("the first reset is of all tables")
        ids = options.get("ids")
        if ids is None:
            return rows, None
        given = np.asarray(ids)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,) or given.min() < 0:
            raise LomberError(f"ids are integers from 0, of shape ({self.num_envs},)")
        return rows, given[rows].astype(np.int64)

    def _begin(self, rows: NDArray[np.int64], ids: NDArray[np.int64]) -> dict[str, Any]:
        """Begin episodes up to the learner's first decisions; what was skipped, as infos."""
        tables = self._begun()
        skipped, lost = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs)
        self._playing[rows] = True
        began = np.zeros(self.num_envs, np.bool_)
        began[rows] = True
        while len(rows):
            tables.reset(rows if len(rows) < self.num_envs else None, ids)
            self._learner[rows] = seats_of(self._seat_rule, self.game, seed_key(self.seed_used or 0), ids)
            self._earned[rows] = tables.reward[rows, self._learner[rows]]
            self._others.decisions.forget(rows)
            self._others.play(tables, rows, self._learner, self._earned)
            rows = rows[tables.seat[rows] < 0]
            skipped[rows] += 1
            lost[rows] += self._earned[rows]
            if len(rows) and skipped.max() == MOST_SKIPPED:
                raise LomberError(f"the learner had no decision in {MOST_SKIPPED} episodes")
            ids = tables.id[rows] + self.num_envs
        return {"skipped": skipped, "_skipped": began, "skipped_reward": lost, "_skipped_reward": began.copy()}

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the learner's actions (n,), then let the others play. LomberError names the table; then nothing has moved."""
        tables, chosen = self._begun(), self._checked(actions)
        legal = tables.action_mask[self._all, chosen] == 1
        rows = self._all if self.illegal == "raise" else np.flatnonzero(legal)
        tables.step(chosen[rows], rows)
        self._earned[rows] += tables.reward[rows, self._learner[rows]]
        self._others.play(tables, rows, self._learner, self._earned)
        rewards = np.where(legal, self._earned, ILLEGAL_REWARD)
        self._earned[:] = 0
        ended = (tables.seat < 0) | ~legal
        extra = {"illegal": ~legal, "_illegal": ~legal} if not legal.all() else {}
        if ended.any():
            self._playing[ended] = False
            if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
                extra = self._final(ended, extra)
                over = np.flatnonzero(ended)
                extra |= self._begin(over, tables.id[over] + self.num_envs)
        observations, infos = self._shown(extra)
        return observations, rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" or chosen.shape != (self.num_envs,):
            raise LomberError(f"actions are integers of shape ({self.num_envs},), not {chosen.dtype} {chosen.shape}")
        if not self._playing.all():
            raise LomberError(f"table {self._playing.argmin()} is finished: reset it with options={{'reset_mask': mask}}")
        outside = (chosen < 0) | (chosen >= self.game.num_actions)
        if outside.any():
            row = int(outside.argmax())
            raise LomberError(f"table {row}: there is no action {chosen[row]} among {self.game.num_actions}")
        return chosen.astype(np.int64)

    def _final(self, ended: NDArray[np.bool_], extra: dict[str, Any]) -> dict[str, Any]:
        """The ends of episodes, as infos, before the next ones begin."""
        tables, over = self._begun(), np.flatnonzero(ended)
        finals = np.full(self.num_envs, None, object)
        for row, seen in zip(over, tables.seen(self._learner[over], over), strict=True):
            finals[row] = seen.copy()
        nothing = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        info: dict[str, Any] = {"action_mask": nothing, "seat": self._learner.copy(), "id": tables.id.copy()}
        info |= {f"_{name}": ended.copy() for name in tuple(info)}
        return {"final_obs": finals, "_final_obs": ended.copy(), "final_info": info | extra, "_final_info": ended.copy()}

    def _shown(self, extra: dict[str, Any]) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Observations and infos of all tables, fresh arrays; a table that is over shows its end."""
        tables = self._begun()
        observations, mask = tables.observation.copy(), tables.action_mask.copy()
        over = np.flatnonzero(~self._playing)
        if len(over):
            observations[over] = tables.seen(self._learner[over], over)
            mask[over] = 0
        infos: dict[str, Any] = {"action_mask": mask, "seat": self._learner.copy(), "id": tables.id.copy()}
        infos |= {f"_{name}": np.ones(self.num_envs, np.bool_) for name in tuple(infos)}
        return observations, infos | extra

    def action_masks(self) -> NDArray[np.int8]:
        """What the learner may do now at each table, int8 (n, A); zeros where the episode is over."""
        return self._begun().action_mask * self._playing[:, None]

    def _begun(self) -> Tables:
        if self._tables is None:
            raise LomberError("call reset() first")
        return self._tables
