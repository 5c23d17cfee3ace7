"""The list that `lomber agents` prints."""

from collections.abc import Sequence
from typing import Any

from ..envs.render.scene import printable

MOST_SHOWN = 40  # characters of a name that a stranger's file tells


def show(rows: Sequence[dict[str, Any]], passed_over: Sequence[str] = ()) -> str:
    """Rows of `list_agents` as lines, game by game, and what was passed over."""
    lines = []
    for game in dict.fromkeys(row["game"] for row in rows):
        table: list[tuple[str, ...]] = [(game, "plays", "size", "load", "move", "needs", "points an episode")]
        table += [_cells(row) for row in rows if row["game"] == game]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines += ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip() for cells in table]
    if any(row["settings"] for row in rows):
        settings = next(row["settings"] for row in rows if row["settings"])
        told = ",".join(f"{key}={value}" for key, value in settings.items() if value is not None)
        lines.append(f"A search takes settings behind its name, as ombre/search:worlds=1000; without them {told}")
    return "\n".join([*lines, *passed_over])


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    if row["error"]:
        return f"  {row['name']}", "-", "-", "-", "-", row["needs"], f"broken: {printable(row['error'])}"
    options = "".join(f" {key}={value}" for key, value in (row["options"] or {}).items())
    return (
        f"  {row['name']}",
        printable(f"{row['preset']}{options}") if row["preset"] else "every preset",
        f"{row['bytes'] / 2**20:.1f} MiB" if row["bytes"] else "-",
        f"{row['load_ms']:g} ms" if row["load_ms"] is not None else "-",
        f"{row['move_us']:g} us" if row["move_us"] is not None else "-",
        row["needs"] or "-",
        "; ".join(_strength(told) for told in row["strength"]) or "not measured",
    )


def _strength(told: dict[str, Any]) -> str:
    part = f" ({told['ids']:,} of {told['of']:,} ids)" if "of" in told else ""
    return f"{told['mean']:+.2f} +-{told['half']:.2f} against {printable(told['opponent'])[:MOST_SHOWN]}{part}"
