"""What a run does between rollouts: keeps snapshots, measures, checkpoints, stops when asked to, anneals rate and entropy."""

import csv
import io
import math
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from ..agents.random import RandomAgent
from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.faces.opponents import Positions
from .checkpoint import capture, restore, save_checkpoint, table_of
from .evaluate import Evaluation, evaluate
from .files import write_whole
from .pool import PoolVecEnv
from .recipe import Recipe

CURVE_DEALS = 2**32  # seed of the episodes that the curve is measured on: no recipe can train on them
COLUMNS = ("decisions", "seconds", "mean", "low", "high", "entropy", "value_loss", "explained_variance")


class GreedyPolicy:
    """The trained network as an agent: the legal action of the highest logit, no chance."""

    name, seed, wants_view = "policy", 0, False

    def __init__(self, policy: Any):
        self.policy = policy

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64."""
        with torch.no_grad():
            observation = torch.as_tensor(positions.observation)
            distribution = self.policy.get_distribution(observation, action_masks=positions.action_mask)
            actions: NDArray[np.int64] = distribution.get_actions(deterministic=True).numpy()
            return actions


class StopRequest:
    """While entered, the first Ctrl-C is a request that `asked` shows, the second one stops at once."""

    def __init__(self, tell: Callable[[str], None]):
        self.asked, self._tell = False, tell

    def __enter__(self) -> "StopRequest":
        self._mine = threading.current_thread() is threading.main_thread()  # signals reach no other
        if self._mine:
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._mine:
            signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._tell("stopping when this rollout is learnt from; Ctrl-C again stops at once, at the last checkpoint")


def gives_numbers(model: Any) -> bool:
    """Whether the network's weights, and what it says of the positions on the tables now, are numbers."""
    with torch.no_grad():
        seen = torch.as_tensor(model._last_obs)
        told = [model.policy.get_distribution(seen).distribution.logits, model.policy.predict_values(seen)]
        return all(bool(torch.isfinite(tensor).all()) for tensor in (*model.policy.parameters(), *told))


class Keeper(BaseCallback):
    """All that happens between rollouts, in this order: freeze, measure, checkpoint, stop if asked to, anneal.

    Rows of the curve are measured greedily against `random`; `told` hears of each. Rollouts are counted by decisions, so
    that a run that goes on does all this where it would have, had it not stopped.
    """

    def __init__(
        self, recipe: Recipe, game: Game, folder: Path, stop: StopRequest, told: Callable[[int, Evaluation | None], None]
    ):
        super().__init__()
        self.recipe, self.game, self.folder, self.stop, self.told = recipe, game, folder, stop, told
        self.rows: list[dict[str, float]] = []
        self.untrained: Evaluation | None = None
        self._begun = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds spent since the first measurement, when all was compiled; of earlier parts of the run too."""
        return time.perf_counter() - self._begun

    def resume(self, model: MaskablePPO, saved: dict[str, Any]) -> None:
        """Put model and curve where the checkpoint was written."""
        restore(model, saved)
        self.rows = [dict(row) for row in saved["rows"]]
        self.untrained = Evaluation(**{**saved["untrained"], "interval": tuple(saved["untrained"]["interval"])})
        self._begun = time.perf_counter() - saved["seconds"]

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self._check_numbers()
        recipe = self.recipe
        rollout = self.num_timesteps // (recipe.tables * recipe.steps)
        env: Any = self.training_env
        if rollout % recipe.freeze_every == 0 and isinstance(env, PoolVecEnv):
            env.pool.freeze(self.model.policy, self.num_timesteps)
        if rollout % recipe.evaluate_every == 0:
            self.measure()
        if rollout % recipe.checkpoint_every == 0 or self.stop.asked:
            self.checkpoint()
        self._stop_if_asked()
        rate, left = self._annealed()
        model: Any = self.model
        model.ent_coef = recipe.entropy_end + (recipe.entropy - recipe.entropy_end) * left
        model.lr_schedule = lambda _: rate  # SB3 counts what is left anew in each part of a run: not exactly the same

    def _annealed(self) -> tuple[float, float]:
        """The rate now, and how much is left of the way that it and the entropy bonus fall: imitating has a way of its own."""
        recipe, done = self.recipe, self.num_timesteps
        begun = recipe.imitate.decisions if recipe.imitate else 0
        if recipe.imitate and done < begun:
            left = 1 - done / begun
            return recipe.imitate.learning_rate * left, left
        left = 1 - min(1.0, (done - begun) / ((recipe.anneal or recipe.decisions) - begun))
        return recipe.learning_rate * left, left

    def _on_rollout_end(self) -> None:
        self.told(self.num_timesteps, None)

    def _on_training_end(self) -> None:
        self._check_numbers()
        self.measure()
        self.checkpoint()
        self._stop_if_asked()

    def _check_numbers(self) -> None:
        if not gives_numbers(self.model):
            raise LomberError(f"at {self.num_timesteps:,} decisions the network gives no numbers")

    def _stop_if_asked(self) -> None:
        if self.stop.asked:
            raise KeyboardInterrupt

    def checkpoint(self) -> None:
        """Write a checkpoint of the run as it is now."""
        saved = {
            **capture(self.model),  # type: ignore[arg-type]
            "rows": self.rows, "untrained": asdict(self.untrained) if self.untrained else {},
            "seconds": self.seconds, "recipe": self.recipe.model_dump(), "table": table_of(self.game),
        }  # fmt: skip
        save_checkpoint(self.folder, saved)

    def measure(self) -> None:
        """Add a row to the curve, unless this very point has one; rewrite metrics.csv and policy.zip."""
        if self.rows and self.rows[-1]["decisions"] == self.num_timesteps:
            return
        result = evaluate(self.game, GreedyPolicy(self.model.policy), RandomAgent(), self.recipe.curve_ids, CURVE_DEALS)
        if not self.rows:
            self._begun = time.perf_counter()  # all is compiled by now: that is no training
            self.untrained = result
        logged = self.model.logger.name_to_value
        self.rows.append({
            "decisions": self.num_timesteps, "seconds": round(self.seconds, 2), "mean": result.mean,
            "low": result.interval[0], "high": result.interval[1],
            "entropy": float(-logged.get("train/entropy_loss", math.nan)),
            "value_loss": float(logged.get("train/value_loss", math.nan)),
            "explained_variance": float(logged.get("train/explained_variance", math.nan)),
        })  # fmt: skip
        self.told(self.num_timesteps, result)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(self.rows)
        write_whole(self.folder / "metrics.csv", text.getvalue().encode())
        memory = io.BytesIO()
        self.model.save(memory, exclude=["rollout_buffer_class", "rollout_buffer_kwargs"])
        write_whole(self.folder / "policy.zip", memory.getvalue())
