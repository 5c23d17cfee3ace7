"""How fast learn() is, where its time goes, and how near it comes to what the network alone costs.

    lomber bench train piquet net=[64,64] --seconds 10

The bound, measured in turns with learn() at the same sizes, is inference and update alone: the network asked for actions
once a step, then PPO's loss, its gradient and Adam's step on batches that lie ready; no tables, buffer, advantages or logs.
CPU time of one thread; the second figure is wall clock, which other processes slow down.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # as in train.py

import json as jsons
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from ..envs import make_game
from .benchmark import REPEATS, machine_state
from .recipe import Recipe, load_recipe
from .report import open_console
from .train import build_env, build_model

AIM = 0.75  # of the bound
REST = "the rest of SB3's loop"


@dataclass(frozen=True)
class Measured:
    """Medians over repeats: decisions per CPU second and per second of wall clock of learn(), the bound's per CPU second,
    the ratio of the two, its spread ((max - min) / median), and shares of learn()'s CPU time by part."""

    learn: float
    wall: float
    bound: float
    ratio: float
    spread: float
    shares: dict[str, float]


class Clock:
    """CPU seconds by part; what a part calls counts for the inner part alone."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._parts: list[str] = []
        self._since = 0.0

    def _turn(self) -> None:
        now = time.process_time()
        if self._parts:
            self.spent[self._parts[-1]] += now - self._since
        self._since = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count for `name` while entered."""
        self._turn()
        self._parts.append(name)
        try:
            yield
        finally:
            self._turn()
            self._parts.pop()

    def watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, counting for `name`; of a generator each step."""

        def watching(*args: Any, **kwargs: Any) -> Any:
            with self.part(name):
                found = function(*args, **kwargs)
            return self._steps(name, found) if isinstance(found, Iterator) else found

        return watching

    def _steps(self, name: str, items: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while True:
            with self.part(name):
                item = next(items, end)
            if item is end:
                return
            yield item

    def shares(self) -> dict[str, float]:
        """The share of each part, the largest first."""
        total = sum(self.spent.values())
        return {name: spent / total for name, spent in sorted(self.spent.items(), key=lambda item: -item[1])}


@contextmanager
def watching(clock: Clock, model: MaskablePPO) -> Iterator[None]:
    """While entered, the parts of this model's learn() are counted."""
    policy, buffer, env = model.policy, model.rollout_buffer, model.get_env()
    parts: list[tuple[str, Any, str]] = [
        ("inference", policy, "forward"), ("inference", policy, "predict_values"), ("tables", env, "step"),
        ("buffer", buffer, "reset"), ("buffer", buffer, "add"), ("advantages", buffer, "compute_returns_and_advantage"),
        ("drawing batches", buffer, "get"), ("update: network", policy, "evaluate_actions"),
        ("update: gradient", torch.Tensor, "backward"), ("update: clipping", torch.nn.utils, "clip_grad_norm_"),
        ("update: Adam", policy.optimizer, "step"), ("update: loss and logs", model, "train"),
    ]  # fmt: skip
    with ExitStack() as stack:
        for name, owner, attribute in parts:
            own, true = attribute in vars(owner), getattr(owner, attribute)
            setattr(owner, attribute, clock.watched(name, true))
            stack.callback(setattr, owner, attribute, true) if own else stack.callback(delattr, owner, attribute)
        yield


class Bound:
    """Inference and update of a recipe's network, on observations and masks that lie ready."""

    def __init__(self, model: MaskablePPO):
        env, self.model = model.get_env(), model
        observation = torch.as_tensor(env.reset())  # type: ignore[union-attr, arg-type]
        self.masks = np.array(env.env_method("action_masks")[0], np.int8)  # type: ignore[union-attr]
        self.observation, rows = observation, model.n_steps * model.n_envs
        count = max(1, math.ceil(rows / (model.batch_size or rows)))
        sizes = [len(part) for part in np.array_split(np.arange(rows), count)]
        legal = torch.as_tensor(self.masks.argmax(axis=1))
        self.batches = [self._batch(torch.arange(size) % model.n_envs, legal) for size in sizes]

    def _batch(self, rows: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, ...]:
        noise = torch.linspace(-1.0, 1.0, len(rows))
        masks = torch.as_tensor(self.masks, dtype=torch.float32)[rows]
        return self.observation[rows].clone(), legal[rows], masks, noise, noise.flip(0), torch.full_like(noise, -1.0)

    def rollout(self) -> int:
        """What one rollout costs at least; returns its decisions."""
        model, policy = self.model, self.model.policy
        with torch.no_grad():
            for _ in range(model.n_steps):
                policy(self.observation, action_masks=self.masks)
            policy.predict_values(self.observation)
        for _ in range(model.n_epochs):
            for observation, actions, masks, advantages, returns, old in self.batches:
                values, logs, entropy = policy.evaluate_actions(observation, actions, action_masks=masks)
                ratio = torch.exp(logs - old)
                gain = torch.min(advantages * ratio, advantages * torch.clamp(ratio, 0.8, 1.2)).mean()
                loss = 0.5 * torch.nn.functional.mse_loss(returns, values.flatten()) - gain - 0.05 * entropy.mean()  # type: ignore[union-attr]
                policy.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
                policy.optimizer.step()
        return model.n_steps * model.n_envs


def measure_training(recipe: Recipe, seconds: float, repeats: int = REPEATS) -> Measured:
    """learn() and its bound in turns, each for `seconds` of CPU a repeat and one rollout at least."""
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    model, other = (build_model(recipe, build_env(recipe, game)) for _ in range(2))
    for one in (model, other):
        one.set_logger(Logger(None, []))
    bound, clock = Bound(other), Clock()
    rollout = recipe.tables * recipe.steps
    model.learn(rollout)  # compiled, and the tables well mixed
    bound.rollout()
    learnt: list[float] = []
    walls: list[float] = []
    bounds: list[float] = []
    for _ in range(repeats):
        with watching(clock, model), clock.part(REST):
            speed, wall = _speed(lambda: model.learn(rollout, reset_num_timesteps=False).n_steps * recipe.tables, seconds)
        learnt.append(speed)
        walls.append(wall)
        bounds.append(_speed(bound.rollout, seconds)[0])
    ratios = [mine / theirs for mine, theirs in zip(learnt, bounds, strict=True)]
    middle = statistics.median
    spread = (max(ratios) - min(ratios)) / middle(ratios)
    return Measured(middle(learnt), middle(walls), middle(bounds), middle(ratios), spread, clock.shares())


def _speed(run: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Decisions per second of CPU and of wall clock."""
    decisions, begun, wall = 0, time.process_time(), time.perf_counter()
    while not decisions or time.process_time() - begun < seconds:
        decisions += run()
    return decisions / max(time.process_time() - begun, 1e-9), decisions / (time.perf_counter() - wall)


def run(game: str, overrides: list[str], seconds: float, json: bool) -> int:
    """Measure training by the game's recipe and print it."""
    recipe = load_recipe(game, overrides)
    measured = measure_training(recipe, seconds)
    if json:
        rows = {"machine": machine_state(), "recipe": recipe.model_dump(), "aim": AIM, **asdict(measured)}
        print(jsons.dumps(rows, indent=1))
    else:
        show(recipe, measured)
    return 0


def show(recipe: Recipe, measured: Measured) -> None:
    """Print the figures and the parts."""
    console = open_console()
    for name, value in machine_state().items():
        console.print(f"{name}: {value}", highlight=False)
    sizes = f"{recipe.tables} tables x {recipe.steps} steps, batches of {recipe.batch}, {recipe.epochs} epochs"
    console.print(f"{recipe.game}, net {recipe.net}, {sizes}; median of {REPEATS}", highlight=False)
    table = Table("learn()", "decisions per CPU second", "per second", "bound", "of the bound", "spread", "aim")
    table.add_row(
        recipe.game, f"{measured.learn:,.0f}", f"{measured.wall:,.0f}", f"{measured.bound:,.0f}", f"{measured.ratio:.0%}",
        f"{measured.spread:.0%}", f"{AIM:.0%}" + ("" if measured.ratio >= AIM else " missed"),
    )  # fmt: skip
    console.print(table)
    parts = Table("where its time goes", "share")
    for name, share in measured.shares.items():
        parts.add_row(name, f"{share:.1%}")
    console.print(parts)
