"""Counting and drawing choices: how often each is made in each class of hands, and how often it then wins."""

import csv
import importlib.util
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.errors import LomberError

OPEN = -1  # neither won nor lost
COLUMNS = (
    "agent", "by", "class", "hands", "choice", "times", "share", "share_low", "share_high",
    "decided", "won", "rate", "rate_low", "rate_high",
)  # fmt: skip
LEAST = 10  # decided choices that a win rate in the picture stands on


@dataclass(frozen=True)
class Choices:
    """One choice a row. `by` says what the classes are; classes and choices are names in order, the arrays (n,) count in them.

    won: 1, 0, or OPEN where the choice was neither won nor lost.
    """

    by: str
    classes: tuple[str, ...]
    choices: tuple[str, ...]
    of_class: NDArray[np.int64]
    chosen: NDArray[np.int64]
    won: NDArray[np.int8]


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95% interval of a share of which k of n were seen (Wilson's score); of nothing seen (0, 1)."""
    if not n:
        return 0.0, 1.0
    z2 = 1.96**2
    middle, half = (k + z2 / 2) / (n + z2), 1.96 * math.sqrt(k * (n - k) / n + z2 / 4) / (n + z2)
    return middle - half, middle + half


def count(agent: str, choices: Choices) -> list[dict[str, Any]]:
    """The table of one agent: a row for each class and each choice that was made at all; rates of nothing are None."""
    rows = []
    made = [c for c in range(len(choices.choices)) if (choices.chosen == c).any()]
    for i, name in enumerate(choices.classes):
        here = choices.of_class == i
        hands = int(here.sum())
        for c in made:
            chosen = here & (choices.chosen == c)
            times, won = int(chosen.sum()), int((choices.won[chosen] == 1).sum())
            decided = int((choices.won[chosen] != OPEN).sum())
            share, rate = wilson(times, hands), wilson(won, decided)
            rows.append({
                "agent": agent, "by": choices.by, "class": name, "hands": hands, "choice": choices.choices[c], "times": times,
                "share": times / hands if hands else None, "share_low": share[0], "share_high": share[1],
                "decided": decided, "won": won, "rate": won / decided if decided else None,
                "rate_low": rate[0], "rate_high": rate[1],
            })  # fmt: skip
    return rows


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: round(value, 5) if isinstance(value, float) else value for key, value in row.items()} for row in rows
    )
    return text.getvalue()


def drawable(path: Path) -> None:
    """LomberError where no picture can be written to `path`."""
    if path.suffix not in (".png", ".svg"):
        raise LomberError(f"--out names a picture, .png or .svg, not {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise LomberError(f"there is no folder {path.absolute().parent} to write {path.name} into")
    if not importlib.util.find_spec("matplotlib"):
        raise LomberError("a picture needs matplotlib: pip install 'lomber[bench]'; without --out the numbers are printed")


def draw(rows: list[dict[str, Any]], path: Path, title: str) -> None:
    """A picture: of each agent a column, of each `by` a row of how often and one of win rates, with intervals."""
    from matplotlib.figure import Figure

    agents, bys = list(dict.fromkeys(row["agent"] for row in rows)), list(dict.fromkeys(row["by"] for row in rows))
    names = list(dict.fromkeys(row["choice"] for row in rows))
    figure = Figure(figsize=(5.5 * len(agents), 6 * len(bys)), layout="constrained")
    figure.suptitle(title)
    grid = figure.subplots(2 * len(bys), len(agents), squeeze=False, sharey="row")
    for x, agent in enumerate(agents):
        for y, by in enumerate(bys):
            here = [row for row in rows if row["agent"] == agent and row["by"] == by]
            shares, rates = grid[2 * y, x], grid[2 * y + 1, x]
            for k, name in enumerate(names):
                curve = [row for row in here if row["choice"] == name]
                _draw_curve(shares, curve, "share", f"C{k}", 0)
                _draw_curve(rates, curve, "rate", f"C{k}", LEAST)
            classes = list(dict.fromkeys(row["class"] for row in here))
            for axes, label in ((shares, "share of the hands"), (rates, f"win rate, from {LEAST} decided")):
                axes.set(
                    xlabel=by,
                    ylabel=label if x == 0 else "",
                    ylim=(0, 1.02),
                    xlim=(-0.3, len(classes) - 0.7),
                    xticks=range(len(classes)),
                )
                axes.set_xticklabels(classes)
                axes.grid(alpha=0.3)
            shares.set_title(agent if y == 0 else "")
    labelled = {label: curve for axes in grid.flat for curve, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend([labelled[name] for name in names], names, loc="outside lower center", ncols=len(names))
    figure.savefig(path, dpi=120)


def _draw_curve(axes: Any, curve: list[dict[str, Any]], key: str, colour: str, least: int) -> None:
    """The points of one choice with their intervals; those of nothing, or of less than `least` decided, are left out."""
    told = [(i, row) for i, row in enumerate(curve) if row[key] is not None and (not least or row["decided"] >= least)]
    name = curve[0]["choice"] if curve else None
    at, middle = [i for i, _ in told], np.array([row[key] for _, row in told], float)
    low, high = (np.array([row[f"{key}_{end}"] for _, row in told], float) for end in ("low", "high"))
    reach = np.maximum([middle - low, high - middle], 0)
    axes.errorbar(at, middle, reach, color=colour, marker="o", markersize=3, linewidth=1.2, capsize=2, label=name)
