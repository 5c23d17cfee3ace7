"""The tables of a game's page and the JSON schemas, made from the code: `python -m lomber.training.pages` writes them.

In envs/<game>/README.md a table stands between `<!-- generated: NAME -->` and `<!-- end -->`; the NAMEs are in TABLES.
Of actions and options the last column, what they mean, is written by hand: it is kept, by the name in the first column.
What the cells of an observation mean is the comment of the field in the game's state.py.
"""

import ast
import importlib
import inspect
import io
import json
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from ..envs import GAMES, LomberError, make_game
from ..envs.engine.game import Game
from ..envs.engine.layout import Segment
from ..envs.engine.records import json_schema
from ..envs.faces.pictures import RENDER_MODES

HOUSE = Path(__file__).resolve().parents[1]
SCHEMAS = ("record", "view")
_TABLE = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

Meanings = Mapping[str, str]  # by the first cell of a row


def page_of(game_name: str) -> Path:
    """Where the page of a game stands."""
    if game_name not in GAMES:
        make_game(game_name)
    return Path(str(importlib.import_module(GAMES[game_name]).__file__)).with_name("README.md")


def render(game_name: str, page: str | None = None) -> dict[str, str]:
    """The tables of a game's page by name; meanings written by hand are those in the text `page` (its page now)."""
    game = make_game(game_name)
    if page is None:
        path = page_of(game_name)
        page = path.read_text(encoding="utf-8") if path.exists() else ""
    return {name: make(game, _meanings(page, name)) for name, make in TABLES.items()}


def update(path: Path) -> bool:
    """Rewrite the tables of the page at `path`, envs/<game>/README.md; whether anything changed."""
    text = path.read_text(encoding="utf-8")
    tables = render(path.parent.name, text)

    def table(found: re.Match[str]) -> str:
        if found[2] not in tables:
            raise LomberError(f"{path}: there is no table {found[2]!r}; known: {', '.join(tables)}")
        return found[1] + tables[found[2]] + found[4]

    return _write(path, _TABLE.sub(table, text))


def write_schema(kind: str, folder: Path = HOUSE / "docs" / "schema") -> bool:
    """Write the JSON schema of a 'record' or a 'view'; whether anything changed."""
    return _write(folder / f"{kind}.json", json.dumps(json_schema(kind), indent=2) + "\n")


def _write(path: Path, text: str) -> bool:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def _meanings(page: str, name: str) -> Meanings:
    """The last column of a table as it stands on a page, by the first."""
    for _, found, body, _ in _TABLE.findall(page):
        if found == name:
            rows = [line.strip().strip("|").split("|") for line in body.splitlines()]
            return {row[0].strip(): row[-1].strip() for row in rows if len(row) > 1}
    return {}


def facts_table(game: Game, meanings: Meanings) -> str:
    """How to make the environment, and its spaces, as PettingZoo's pages show them."""
    name, version = game.name, game.spec.version
    seats = sorted({make_game(name, preset).seats for preset in game.spec.presets})
    rows = [
        ("Creation, PettingZoo", f"`from lomber.envs import {game.id}`, then `{game.id}.env(preset=..., **options)`"),
        ("Creation, Gymnasium", f'`import lomber.envs`, `gymnasium.make("lomber/{name.capitalize()}-v{version}")`'),
        ("Creation, many tables", f'`Tables(make_game("{name}"), 1024)` of `lomber.envs`'),
        ("Presets", ", ".join(f"`{p}`{' (default)' if i == 0 else ''}" for i, p in enumerate(game.spec.presets))),
        ("Actions", "Discrete, masked"),
        ("Parallel API", "No"),
        ("Manual Control", "No"),
        ("Agents", " or ".join(str(n) for n in seats) + f": `player_0` ... `player_{seats[-1] - 1}`"),
        ("Action Shape", f"`Discrete({game.num_actions})`"),
        ("Action Values", f"`[0, {game.num_actions - 1}]`"),
        ("Observation Shape", f"`({game.observation_size},)`, beside it `action_mask` `({game.num_actions},)`"),
        ("Observation Values", "`float32` in `[-1, 1]`; mask `int8`, 1 = legal"),
        ("State Shape", f"`({game.reveal_size},)`, all cards open, for critics"),
        ("Render Modes", ", ".join(f"`{mode}`" for mode in RENDER_MODES)),
        ("Layout, Action Table", f"`{game.layout_hash}`, `{game.actions_hash}`"),
    ]
    return _table(("", ""), rows)


def actions_table(game: Game, meanings: Meanings) -> str:
    """Runs of actions of one kind, with their ids; actions that are cards alone are one kind."""
    cards = set(game.spec.cards)
    rows, first = [], 0
    for _, group in groupby(game.actions, key=lambda action: "" if action in cards else re.split(r"[: ]", action)[0]):
        names = list(group)
        last = first + len(names) - 1
        told = f"`{names[0]}`" if len(names) == 1 else f"`{names[0]}` ... `{names[-1]}`"
        rows.append((told, str(first) if last == first else f"{first}-{last}", meanings.get(told, "")))
        first = last + 1
    return _table(("Action", "Ids", "Meaning"), rows)


def options_table(game: Game, meanings: Meanings) -> str:
    """What each option takes, its value in the first preset, and in the others where it differs."""
    presets = list(game.spec.presets)
    made = [make_game(game.name, preset).options for preset in presets]
    rows = []
    for field in fields(game.spec.options):
        told = f"`{field.name}`"
        values = [_value(getattr(options, field.name)) for options in made]
        shown = [values[0], *("" if value == values[0] else value for value in values[1:])]
        rows.append((told, _accepted(field.metadata), *shown, meanings.get(told, "")))
    return _table(("Option", "Values", *(f"`{preset}`" for preset in presets), "Meaning"), rows)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    return ", ".join(str(item) for item in value) if isinstance(value, tuple) else str(value)


def _accepted(metadata: Mapping[str, Any]) -> str:
    if "values" in metadata:
        return ", ".join(f"`{value}`" for value in metadata["values"])
    if "switch" in metadata:
        return "bool"
    if "alphabet" in metadata:
        return f"of `{metadata['alphabet']}`"
    span = f"{metadata['low']}..{metadata['high']}"
    return f"{metadata['length']} of {span}" if "length" in metadata else span


def observation_table(game: Game, meanings: Meanings) -> str:
    """The named segments of a flat observation."""
    return _segments(game, "OBSERVATION", game.layout)


def state_table(game: Game, meanings: Meanings) -> str:
    """The named segments of the perfect state."""
    return _segments(game, "REVEAL", game.reveal_layout)


def _segments(game: Game, name: str, layout: Sequence[Segment]) -> str:
    state = importlib.import_module(f"{GAMES[game.name]}.state")
    comments: dict[str, str] = {}
    for module in (*vars(state).values(), state):  # a game that varies another has that one's fields too
        if isinstance(module, ModuleType):
            comments |= field_comments(module, name)
    rows = []
    for part in layout:
        cells = str(part.start) if part.stop == part.start + 1 else f"{part.start}-{part.stop - 1}"
        shape = " x ".join(str(n) for n in part.shape) or "1"
        rows.append((f"`{part.name}`", cells, shape, comments.get(part.name, "")))
    return _table(("Segment", "Cells", "Shape", "Meaning"), rows)


def field_comments(module: ModuleType, name: str) -> dict[str, str]:
    """The comments behind the fields of the dtype `name` in a module's source, by field."""
    source = inspect.getsource(module)
    words = {
        token.start[0]: token.string.lstrip("# ").strip()
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    found = {}
    for field in _dtype_fields(ast.parse(source), name):
        if field.elts and isinstance(field.elts[0], ast.Constant) and field.end_lineno in words:
            found[str(field.elts[0].value)] = words[field.end_lineno]
    return found


def _dtype_fields(tree: ast.Module, name: str) -> Iterator[ast.Tuple]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield from (part for part in ast.walk(node.value) if isinstance(part, ast.Tuple))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


TABLES: dict[str, Callable[[Game, Meanings], str]] = {
    "facts": facts_table,
    "options": options_table,
    "actions": actions_table,
    "observation": observation_table,
    "state": state_table,
}


def main() -> None:
    """Rewrite the pages of all games and the schemas; tell which changed."""
    for name in GAMES:
        if page_of(name).exists() and update(page_of(name)):
            print(f"rewrote the page of {name}")
    for kind in SCHEMAS:
        if write_schema(kind):
            print(f"rewrote the schema of a {kind}")


if __name__ == "__main__":
    try:
        main()
    except LomberError as error:
        sys.exit(f"pages: {error}")
