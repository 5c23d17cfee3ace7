"""Train a policy by self-play, with stock sb3-contrib MaskablePPO, and show what it achieved.

Set-up, loop, report: a run leaves in its folder recipe.yaml, metrics.csv, curve.png, TensorBoard's events if asked for,
policy.zip (SB3's own checkpoint, for who made it), policy.onnx with policy.json (for everybody), and result.json.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch is loaded: spinning threads cost more than they bring

import csv
import importlib.metadata
import json
import platform
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import yaml
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, configure

from ..agents.random import RandomAgent
from ..envs import make_game
from ..envs.engine.game import Game
from ..envs.faces.opponents import Positions
from .evaluate import Evaluation, evaluate
from .export import export_policy
from .recipe import Recipe
from .rollouts import SeatRolloutBuffer
from .vec_env import SelfPlayVecEnv

CURVE_DEALS, FINAL_DEALS = 2**32, 2**32 + 1  # seeds of the episodes that are measured on: no recipe can train on them
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


class Curve(BaseCallback):
    """Anneals the entropy bonus, measures against random every few rollouts, keeps metrics, curve and checkpoint."""

    def __init__(self, recipe: Recipe, game: Game, folder: Path, progress: Progress, task: TaskID):
        super().__init__()
        self.recipe, self.game, self.folder, self.progress, self.task = recipe, game, folder, progress, task
        self.rows: list[dict[str, float]] = []
        self.rollouts, self.started = 0, 0.0
        self.untrained: Evaluation | None = None

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        recipe, done = self.recipe, min(1.0, self.num_timesteps / self.recipe.decisions)
        self.model.ent_coef = recipe.entropy + (recipe.entropy_end - recipe.entropy) * done  # type: ignore[attr-defined]
        if self.rollouts % recipe.evaluate_every == 0:
            self.measure()

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        self.progress.update(self.task, completed=min(self.num_timesteps, self.recipe.decisions))

    def _on_training_end(self) -> None:
        self.measure()

    def measure(self) -> None:
        result = evaluate(self.game, GreedyPolicy(self.model.policy), RandomAgent(), self.recipe.curve_ids, CURVE_DEALS)
        if not self.rows:
            self.started = time.perf_counter()  # all is compiled by now: that is no training
            self.untrained = result
        logged = self.model.logger.name_to_value
        self.rows.append({
            "decisions": self.num_timesteps, "seconds": round(time.perf_counter() - self.started, 2), "mean": result.mean,
            "low": result.interval[0], "high": result.interval[1],
            "entropy": -logged.get("train/entropy_loss", float("nan")),
            "value_loss": logged.get("train/value_loss", float("nan")),
            "explained_variance": logged.get("train/explained_variance", float("nan")),
        })  # fmt: skip
        self.progress.update(self.task, description=f"{result.mean:+.1f} a deal above random")
        with _replacing(self.folder / "metrics.csv") as path, path.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(self.rows)
        with _replacing(self.folder / "policy.zip") as path:
            self.model.save(path, exclude=["rollout_buffer_class", "rollout_buffer_kwargs"])


class _replacing:
    """Write to a file beside the old one and put it in its place when it is whole."""

    def __init__(self, path: Path):
        self.path, self.part = path, path.with_name(f"part-{path.name}")

    def __enter__(self) -> Path:
        return self.part

    def __exit__(self, failed: Any, *_: Any) -> None:
        if failed is None:
            os.replace(self.part, self.path)


def build_model(recipe: Recipe, env: SelfPlayVecEnv) -> MaskablePPO:
    """Stock MaskablePPO with the per-seat buffer."""
    rollout = recipe.tables * recipe.steps / recipe.decisions

    def rate(left: float) -> float:
        """Falling to 0; SB3 asks after a rollout, and below 0 where the last one goes past the end."""
        return recipe.learning_rate * min(1.0, max(0.0, left + rollout))

    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=recipe.steps,
        batch_size=recipe.batch,
        n_epochs=recipe.epochs,
        learning_rate=rate,
        gamma=1.0,
        gae_lambda=recipe.gae_lambda,
        clip_range=recipe.clip,
        ent_coef=recipe.entropy,
        seed=recipe.seed,
        rollout_buffer_class=SeatRolloutBuffer,
        rollout_buffer_kwargs={"source": env, "shuffle_seed": recipe.seed},
        policy_kwargs={"net_arch": list(recipe.net), "activation_fn": torch.nn.ReLU},
        device="cpu",
    )


def train(recipe: Recipe, folder: Path, console: Console | None = None) -> Evaluation:
    """Run a recipe; returns the evaluation of the policy against `random`."""
    console = console or Console()
    begun = time.perf_counter()
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe.model_dump(), sort_keys=False), encoding="utf-8")
    env = SelfPlayVecEnv(game, recipe.tables, recipe.seed, recipe.reward_scale)
    model = build_model(recipe, env)
    model.set_logger(_logger(recipe, folder))
    console.print(f"{game!r}: {recipe.decisions:,} decisions of self-play at {recipe.tables} tables, into {folder}")
    words = TextColumn("{task.description}")
    with Progress(BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(), words, console=console) as progress:
        task = progress.add_task("compiling", total=recipe.decisions)
        curve = Curve(recipe, game, folder, progress, task)
        model.learn(recipe.decisions, callback=curve)
    seconds = curve.rows[-1]["seconds"]
    result = evaluate(game, GreedyPolicy(model.policy), RandomAgent(), recipe.final_ids, FINAL_DEALS)
    untrained = cast(Evaluation, curve.untrained)  # measured before the first rollout
    facts = {
        "trained": {
            **_trained(model.num_timesteps, seconds),
            "start_up_seconds": round(curve.started - begun, 2),
            "recipe": recipe.model_dump(),
        },
        "strength": [{"opponent": "random", "greedy": True, "seed": FINAL_DEALS, **result.to_json()}],
        "untrained": {"opponent": "random", "greedy": True, "seed": CURVE_DEALS, **untrained.to_json()},
    }
    (folder / "result.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    draw_curve(curve.rows, folder / "curve.png", f"{game.id} {game.preset}: self-play")
    export_policy(model.policy, game, folder, facts)
    _show(console, {"trained": result, "untrained": untrained})
    speed = f"{model.num_timesteps / seconds:,.0f}/s, one thread"
    console.print(f"{model.num_timesteps:,} decisions in {seconds:.0f} s ({speed}); files in {folder}")
    return result


def _logger(recipe: Recipe, folder: Path) -> Logger:
    if not recipe.tensorboard:
        return Logger(None, [])
    for old in (folder / "tensorboard").glob("events.out.tfevents.*"):
        old.unlink()  # of a run that this one writes over
    return configure(str(folder / "tensorboard"), ["tensorboard"])


def _trained(decisions: int, seconds: float) -> dict[str, Any]:
    packages = ("lomber", "torch", "stable-baselines3", "sb3-contrib", "numpy")
    return {
        "how": "self-play, MaskablePPO, every seat a learner", "decisions": decisions, "seconds": seconds, "threads": 1,
        "machine": f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores", "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in packages},
    }  # fmt: skip


def draw_curve(rows: list[dict[str, float]], path: Path, title: str) -> None:
    """The learning curve as a PNG: mean against random with its interval, by decisions."""
    from matplotlib.figure import Figure

    decisions = [row["decisions"] / 1e6 for row in rows]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(decisions, [row["mean"] for row in rows])
    axes.fill_between(decisions, [row["low"] for row in rows], [row["high"] for row in rows], alpha=0.25)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(xlabel="decisions (millions)", ylabel="points a deal above random, 95% interval", title=title)
    figure.savefig(path, dpi=120)


def _show(console: Console, results: dict[str, Evaluation]) -> None:
    """The policies against `random`. The untrained one too: always choosing the same way is strong or weak by itself.

    Of ten untrained networks of piquet, five lay above zero; only what is gained over that row was learnt.
    """
    table = Table(title="greedy play against random, in duplicate seatings")
    for heading in ("network", "points a deal above it", "95% interval", "sd", "ids x seatings"):
        table.add_column(heading, justify="right")
    for name, result in results.items():
        low, high = result.interval
        interval, games = f"{low:+.2f} to {high:+.2f}", f"{result.n} x {result.seatings}"
        table.add_row(name, f"{result.mean:+.2f}", interval, f"{result.sd:.1f}", games)
    console.print(table)
