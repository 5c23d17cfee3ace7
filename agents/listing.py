"""The agents there are, and what was measured of them: what `lomber agents` prints and a front-end may ask for.

Figures stand in strengths.json, which `lomber measure` writes: by game and agent's name `speed` (load_ms: wall milliseconds
from the name to the first move in a fresh process with a filled cache; move_us: median CPU microseconds of a move asked for
alone) and `strength`, for each opponent the mean of points an episode above it and half its 95% interval, with the number of
ids, the seed, the game's options, machine and date; `of` tells of one that was stopped how many ids it shall have.
"""

import json
from pathlib import Path
from typing import Any

from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.faces.opponents import package_of
from .plugins import maker_of, plug_ins
from .policy import policy_files, read_about
from .registry import BUILT_IN, POLICIES, WEIGHTS, agent_names, search_settings
from .search import WORLDS

STRENGTHS = Path(__file__).parent / "strengths.json"


def read_measured(file: Path = STRENGTHS) -> dict[str, dict[str, dict[str, Any]]]:
    """What was measured, by game and agent; nothing where there is no file. LomberError: it is none of `lomber measure`."""
    if not file.is_file():
        return {}
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if all(isinstance(one, dict) for agents in told.values() for one in agents.values()):
            return dict(told)
    except (ValueError, AttributeError):
        pass
    raise LomberError(f"{file} is no file that lomber measure has written")


def list_agents(game: Game, file: Path = STRENGTHS) -> list[dict[str, Any]]:
    """A row for each agent of the game, measured settings of a search too; `policy_row` gives those of policies by path.

    Keys: name, game; preset and options that a policy was trained on (None: it plays them all); settings that may stand
    behind its name; needs (a package, or None); bytes of its files; load_ms, move_us; strength, a list; error: why a plug-in
    is broken. None stands for what is not known.
    """
    measured = read_measured(file).get(game.name, {})
    names = agent_names(game)
    more = [name for name in measured if name not in names and name.partition(":")[0] in names]
    search = f"{game.name}/search"
    measured[search] = {**measured.get(f"{search}:worlds={WORLDS}", {}), **measured.get(search, {})}  # the same agent
    return [_with_figures(_row(name, game), measured.get(name, {})) for name in names + more]


def _row(name: str, game: Game) -> dict[str, Any]:
    plain = name.partition(":")[0]
    if plain in POLICIES:
        row = policy_row(str(WEIGHTS / plain), name)
        return row if name == plain else {**row, "strength": None}  # the JSON tells of greedy play
    row = {**_EMPTY, "name": name, "game": game.name}
    if name == f"{game.name}/search":
        row["settings"] = search_settings()
    elif plain not in BUILT_IN:
        row["needs"] = " and ".join(package_of(point) for point in plug_ins(name))
        try:
            maker_of(name)
        except LomberError as error:
            row["error"] = str(error)
    return row


def policy_row(path: str, name: str) -> dict[str, Any]:
    """The row of a policy under this name, with the strength that its JSON tells; LomberError: a file is missing or none."""
    about = read_about(path)
    try:
        size = sum(file.stat().st_size for file in policy_files(path))
    except OSError as error:
        raise LomberError(f"{error.filename}: {error.strerror}") from error
    told = {"preset": about["preset"], "options": about["options"], "needs": "onnxruntime", "bytes": size}
    return {**_EMPTY, "name": name, "game": about["game"], **told, "strength": strengths_of(about)}


_EMPTY = dict.fromkeys(
    ("name", "game", "preset", "options", "settings", "needs", "bytes", "load_ms", "move_us", "strength", "error")
)


def _with_figures(row: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """A row with what was measured of it; a policy's own JSON tells its strength where nothing was."""
    speed = told.get("speed", {})
    strength = told.get("strength") or row["strength"] or []
    return {**row, "load_ms": speed.get("load_ms"), "move_us": speed.get("move_us"), "strength": strength}


def strengths_of(about: dict[str, Any]) -> list[dict[str, Any]]:
    """What a policy's JSON tells of its strength, as strengths.json has it; what is not understood is left out."""
    found = []
    measured = about.get("strength")
    for told in measured if isinstance(measured, list) else ():
        try:
            low, high = (float(bound) for bound in told["interval"])
            figures = {"opponent": str(told["opponent"]), "mean": float(told["mean"]), "half": (high - low) / 2}
            found.append({**figures, "ids": told.get("n"), "seed": told.get("seed")})
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
            continue
    return found
