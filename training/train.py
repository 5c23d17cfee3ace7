"""Train a policy by self-play, with stock sb3-contrib MaskablePPO, and show what it achieved.

Set-up, loop, report: a run leaves in its folder recipe.yaml, checkpoints/ to go on from, metrics.csv, curve.png,
TensorBoard's events if asked for, policy.zip (SB3's own file, for who made it), policy.onnx with policy.json (for everybody),
and result.json.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch is loaded: spinning threads cost more than they bring

import json
from pathlib import Path
from typing import Any, cast

import torch
import yaml
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from ..agents.registry import load_agent
from ..envs import LomberError, make_game
from ..envs.engine.game import Game
from .checkpoint import checkpoints, clear, decisions_of, load_checkpoint, unfinished
from .critic import SplitExtractor, StateCriticPolicy
from .curve import CURVE_DEALS, GreedyPolicy, Keeper, StopRequest, gives_numbers
from .evaluate import Evaluation
from .export import export_policy
from .files import write_whole
from .imitate import ImitatingPPO
from .pool import Pool, PoolVecEnv
from .recipe import Recipe, load_recipe
from .report import FINAL_DEALS, draw_curve, how_trained, open_console, show, strength
from .rollouts import SeatRolloutBuffer
from .vec_env import SelfPlayVecEnv

FINISHED = ("result.json", "policy.zip", "policy.onnx")  # any of them is worth keeping


def build_env(recipe: Recipe, game: Game) -> SelfPlayVecEnv:
    """The tables that the recipe trains at: self-play, with a pool of opponents where one has a share."""
    pool = Pool(game, recipe.pool, recipe.tables, recipe.seed, recipe.frozen_most)
    settings: dict[str, Any] = {"seed": recipe.seed, "scale": recipe.reward_scale, "reveal": recipe.critic == "state"}
    if pool.first == recipe.tables:
        return SelfPlayVecEnv(game, recipe.tables, **settings)
    return PoolVecEnv(game, recipe.tables, pool, **settings)


def build_model(recipe: Recipe, env: SelfPlayVecEnv) -> MaskablePPO:
    """Stock MaskablePPO with the per-seat buffer. The Keeper anneals its rate and entropy bonus."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    network: dict[str, Any] = {"net_arch": list(recipe.net), "activation_fn": torch.nn.ReLU}
    if recipe.critic == "state":
        split = {"view": env.tables.game.observation_size}
        network |= {"features_extractor_class": SplitExtractor, "features_extractor_kwargs": split}
    model = ImitatingPPO(
        StateCriticPolicy if recipe.critic == "state" else "MlpPolicy",
        env,
        n_steps=recipe.steps,
        batch_size=recipe.batch,
        n_epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gamma=1.0,
        gae_lambda=recipe.gae_lambda,
        clip_range=recipe.clip,
        ent_coef=recipe.entropy,
        seed=recipe.seed,
        rollout_buffer_class=SeatRolloutBuffer,
        rollout_buffer_kwargs={"source": env, "shuffle_seed": recipe.seed},
        policy_kwargs=network,
        device="cpu",
    )
    if recipe.imitate:
        model.teacher = load_agent(recipe.imitate.agent, env.tables.game, recipe.seed)
        model.imitated = recipe.imitate.decisions
    if isinstance(env, PoolVecEnv):
        env.pool.freeze(model.policy, 0)  # the first reset may already ask a frozen self
    return model


def train(
    recipe: Recipe, folder: Path, console: Console | None = None, resume: bool = False, overwrite: bool = False
) -> dict[str, Evaluation]:
    """Run a recipe, or go on with the run in `folder`; returns what the policy is worth against each opponent by name.

    KeyboardInterrupt tells where it stopped. LomberError: `folder` holds a run and neither `resume` nor
    `overwrite` is set; it holds none to resume, or one of another recipe; a checkpoint could not be written; an agent that
    the recipe names does not play the game.
    """
    console = console or open_console()
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    for opponent in recipe.goal:
        load_agent(opponent, game)  # before anything is trained
    saved = load_checkpoint(folder, game, recipe, console.print) if resume else None
    model = build_model(recipe, build_env(recipe, game))
    if not resume:
        _begin(folder, overwrite)
    write_whole(folder / "recipe.yaml", yaml.safe_dump(recipe.model_dump(), sort_keys=False).encode())
    try:
        with StopRequest(console.print) as stop:
            keeper = learn(model, recipe, game, folder, saved, stop, console)
            if stop.asked:
                raise KeyboardInterrupt
        return report(model, recipe, game, folder, keeper, console)
    except KeyboardInterrupt as stopped:
        done = decisions_of(checkpoints(folder)[0]) if checkpoints(folder) else 0
        told = f"stopped; the checkpoint is of {done:,} of {recipe.decisions:,} decisions, --resume goes on from it"
        raise KeyboardInterrupt(told) from stopped


def _begin(folder: Path, overwrite: bool) -> None:
    """Make the folder ready for a new run."""
    folder.mkdir(parents=True, exist_ok=True)
    left = None if overwrite else unfinished(folder)
    if left:
        told = f"{folder} holds an unfinished run, {left[0]:,} of {left[1]:,} decisions"
        raise LomberError(f"{told}: --resume goes on with it, --overwrite begins anew, --out names another folder")
    if not overwrite and (checkpoints(folder) or any((folder / name).exists() for name in FINISHED)):
        raise LomberError(f"{folder} holds a finished run: --overwrite begins anew, --out names another folder")
    clear(folder)
    (folder / "result.json").unlink(missing_ok=True)  # it would call the new run finished


def learn(
    model: MaskablePPO, recipe: Recipe, game: Game, folder: Path, saved: dict[str, Any] | None, stop: StopRequest,
    console: Console,
) -> Keeper:  # fmt: skip
    """Train, from the checkpoint `saved` if there is one, up to the recipe's decisions."""
    words = TextColumn("{task.description}")
    with Progress(BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(), words, console=console) as progress:
        task = progress.add_task("compiling", total=recipe.decisions)

        def told(decisions: int, result: Evaluation | None) -> None:
            progress.update(task, completed=min(decisions, recipe.decisions))
            if result:
                progress.update(task, description=f"{result.mean:+.1f} an episode above random")

        keeper = Keeper(recipe, game, folder, stop, told)
        if saved:
            keeper.resume(model, saved)
            told(model.num_timesteps, None)
            if recipe.anneal is None and saved["recipe"]["decisions"] != recipe.decisions:
                console.print(f"rate and entropy now fall over {recipe.decisions:,} decisions; `anneal` keeps another span")
        model.set_logger(_logger(recipe, folder, model.num_timesteps))
        env, done = model.get_env(), model.num_timesteps
        who = str(env.pool) if isinstance(env, PoolVecEnv) else "every seat learns"
        goal = f"{recipe.decisions:,} decisions at {recipe.tables} tables ({who}), into {folder}"
        console.print(f"{game!r}: {goal}" + (f"; {done:,} are made" if done else ""))
        try:
            model.learn(max(0, recipe.decisions - done), callback=keeper, reset_num_timesteps=False)
        except (ValueError, RuntimeError, LomberError) as error:
            if gives_numbers(model):
                raise
            left = next((f"that of {decisions_of(old):,} decisions is left" for old in checkpoints(folder)), "there is none")
            why = "training diverged, the network gives no numbers: lower learning_rate"
            raise LomberError(f"{why} (it is {recipe.learning_rate:g}); of its checkpoints {left}") from error
    return keeper


def report(
    model: MaskablePPO, recipe: Recipe, game: Game, folder: Path, keeper: Keeper, console: Console
) -> dict[str, Evaluation]:
    """Measure the policy, write what the run leaves, print it."""
    seconds = keeper.rows[-1]["seconds"]
    results = strength(game, GreedyPolicy(model.policy), recipe.final_ids, recipe.goal)
    untrained = cast(Evaluation, keeper.untrained)  # measured before the first rollout
    against = {"greedy": True, "seed": FINAL_DEALS}
    facts = {
        "trained": how_trained(model.num_timesteps, seconds, recipe),
        "strength": [{"opponent": name, **against, **result.to_json()} for name, result in results.items()],
        "untrained": {"opponent": "random", "greedy": True, "seed": CURVE_DEALS, **untrained.to_json()},
    }
    write_whole(folder / "result.json", (json.dumps(facts, indent=1) + "\n").encode())
    draw_curve(keeper.rows, folder / "curve.png", f"{game.id} {game.preset}: self-play")
    export_policy(model.policy, game, folder, facts)
    rows = [("trained", name, result) for name, result in results.items()]
    show(console, [*rows, ("untrained", "random", untrained)])
    speed = f"{model.num_timesteps / seconds:,.0f}/s, one thread"
    console.print(f"{model.num_timesteps:,} decisions in {seconds:.0f} s ({speed}); files in {folder}")
    return results


class _Events(TensorBoardOutputFormat):
    """TensorBoard's events; those that a run wrote after the checkpoint it goes on from do not count."""

    def __init__(self, folder: Path, done: int):
        from torch.utils.tensorboard import SummaryWriter

        self.writer = SummaryWriter(log_dir=str(folder), purge_step=done + 1 if done else None)
        self._is_closed = False


def _logger(recipe: Recipe, folder: Path, done: int) -> Logger:
    if not recipe.tensorboard:
        return Logger(None, [])
    if not done:
        for old in (folder / "tensorboard").glob("events.out.tfevents.*"):
            old.unlink()  # of a run that this one writes over
    return Logger(str(folder / "tensorboard"), [_Events(folder / "tensorboard", done)])


def resumed_recipe(game: str, folder: Path, overrides: list[str] | None = None) -> Recipe:
    """The recipe of the run in `folder`, with overrides; LomberError where there is none."""
    if not (folder / "recipe.yaml").is_file():
        raise LomberError(f"{folder} holds no run to go on with")
    return load_recipe(game, overrides, folder / "recipe.yaml")
