"""What a run says of itself at the end: strength with intervals, the curve as a picture, how it was trained."""

import importlib.metadata
import os
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..agents.heuristic import HEURISTICS
from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.faces.opponents import Agent
from .evaluate import Evaluation, evaluate
from .recipe import Recipe

FINAL_DEALS = 2**32 + 1  # seed of the episodes of the final evaluation: neither a recipe's nor the curve's
_HOW = {"current": "self-play, every seat a learner", "frozen": "against frozen selves"}
WIDTH = 140  # of what goes to no terminal


def open_console() -> Console:
    """A console; where it writes to no terminal, wide enough for the tables."""
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    return console


def opponents_of(game: Game, goal: Iterable[str] = ()) -> list[str]:
    """Whom a trained policy is measured against: `random`, the rule-based agents of the game, and those of a recipe's goal."""
    own = (name for name in HEURISTICS if name.startswith(f"{game.name}/"))
    return list(dict.fromkeys(["random", *own, *goal]))


def strength(game: Game, agent: Agent, ids: int, goal: Iterable[str] = ()) -> dict[str, Evaluation]:
    """The agent against each of `opponents_of(game, goal)`, over the same episodes."""
    return {name: evaluate(game, agent, load_agent(name, game), ids, FINAL_DEALS) for name in opponents_of(game, goal)}


def missed(results: Mapping[str, Evaluation], recipe: Recipe, usual: int) -> list[str]:
    """What of the recipe's goal was not reached, in words; `usual` are the decisions of the game's own recipe.

    Reached: the interval lies above so many standard deviations per episode. Against random above zero says little: of ten
    untrained networks of piquet, played greedily, five lay above zero, up to +45.
    """
    told = []
    for name, deviations in recipe.goal.items():
        (low, high), bar = results[name].interval, deviations * results[name].sd
        if not low > bar:
            why = f" ({deviations:g} standard deviations)" if deviations else ""
            told.append(f"its points against {name}, {low:+.2f} to {high:+.2f}, do not lie above {bar:.2f}{why}")
    if told and recipe.decisions < usual:
        told.append(f"this run made {recipe.decisions:,} decisions; the game's own recipe makes {usual:,}")
    return told


def how_trained(decisions: int, seconds: float, recipe: Recipe) -> dict[str, Any]:
    """Plain facts for result.json and policy.json."""
    total = sum(recipe.pool.values())
    pool = ", ".join(
        f"{share / total:.0%} {_HOW.get(name, f'against {name}')}" for name, share in recipe.pool.items() if share
    )
    begun = f"the first {recipe.imitate.decisions:,} decisions imitate {recipe.imitate.agent}; " if recipe.imitate else ""
    packages = ("lomber", "torch", "stable-baselines3", "sb3-contrib", "numpy")
    return {
        "how": f"MaskablePPO, {begun}tables: {pool}; critic: {recipe.critic}",
        "decisions": decisions, "seconds": seconds, "threads": 1,
        "machine": f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores", "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in packages}, "recipe": recipe.model_dump(),
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
    axes.set(xlabel="decisions (millions)", ylabel="points an episode above random, 95% interval", title=title)
    figure.savefig(path, dpi=120)


def show(console: Console, results: list[tuple[str, str, Evaluation]]) -> None:
    """A table of (network, opponent, result). The untrained one too: only what is gained over it was learnt."""
    table = Table(title="greedy play in duplicate seatings")
    for heading in ("network", "against", "points an episode above it", "95% interval", "sd", "ids x seatings"):
        table.add_column(heading, justify="right")
    for name, opponent, result in results:
        low, high = result.interval
        interval, games = f"{low:+.2f} to {high:+.2f}", f"{result.n} x {result.seatings}"
        table.add_row(name, opponent, f"{result.mean:+.2f}", interval, f"{result.sd:.1f}", games)
    console.print(table)
