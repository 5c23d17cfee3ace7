"""The pages of the games and the JSON schemas are those that the code makes; what the pages show can be replayed."""

import json
import re
import subprocess
import sys
from dataclasses import fields

import golden_tool
import pytest

from lomber.agents.registry import BUILT_IN, search_settings
from lomber.envs import GAMES, LomberError, make_game
from lomber.envs.engine import records
from lomber.training import pages

SCHEMAS = {kind: pages.HOUSE / "docs" / "schema" / f"{kind}.json" for kind in pages.SCHEMAS}


@pytest.fixture(params=GAMES)
def game(request):
    return make_game(request.param)


@pytest.fixture
def page(game):
    return pages.page_of(game.name).read_text(encoding="utf-8")


def test_every_table_of_a_page_is_current(game, page):
    tables = pages.render(game.name)
    shown = {name: body for _, name, body, _ in pages._TABLE.findall(page)}
    assert set(shown) == set(tables), "every table stands on the page once"
    for name, body in shown.items():
        assert body == tables[name], f"the table {name} is stale: python -m lomber.training.pages"


def test_every_row_says_what_it_means(game):
    for name, table in pages.render(game.name).items():
        for row in table.splitlines()[2:]:
            assert row.split("|")[-2].strip(), f"{name}: {row}"


def test_tables_name_everything(game):
    tables = pages.render(game.name)
    for field in fields(game.spec.options):
        assert f"| `{field.name}` |" in tables["options"]
    for name, layout in (("observation", game.layout), ("state", game.reveal_layout)):
        assert [row.split("`")[1] for row in tables[name].splitlines()[2:]] == [segment.name for segment in layout]
    ids = [row.split("|")[2].strip().split("-") for row in tables["actions"].splitlines()[2:]]
    covered = [number for span in ids for number in range(int(span[0]), int(span[-1]) + 1)]
    assert covered == list(range(game.num_actions))


def test_a_page_has_its_parts_and_no_paths(game, page):
    headings = [line[3:] for line in page.splitlines() if line.startswith("## ")]
    wanted = ["Rules", "Options", "Actions", "Observation", "Rewards", "Information", "Records", "Version history"]
    assert headings[: len(wanted)] == wanted
    assert page.startswith(f"# {game.title}") and f"* v{game.spec.version}: " in page
    assert not re.search(r"(?<!docs)/rules/|/work|/home", page)
    assert f"(../../docs/rules/{game.name}.md)" in page and (pages.HOUSE / "docs" / "rules" / f"{game.name}.md").is_file()


def test_records_and_views_on_a_page_are_what_the_engine_writes(game, page):
    """Each record replays to its own text; each view is that of its seat, at some point of the record before it."""
    blocks = [block for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL) if block.startswith("[Game")]
    made = [records.parse(block) for block in blocks]
    assert {type(document) for document in made} == {records.Record, records.View}
    last = None
    for document, block in zip(made, blocks, strict=True):
        if isinstance(document, records.Record):
            last = document
            assert str(records.record_of(game, records.replay(document))) == block
        else:
            views = [str(records.view_of(game, state, document.seat)) for state in records.replay_states(last)]
            assert block in views


def test_update_rewrites_a_stale_table_and_keeps_the_words(game, page, tmp_path):
    path = tmp_path / game.name / "README.md"
    path.parent.mkdir()
    stale = re.sub(r"\| (\d+)-(\d+) \|", r"| 7-\2 |", page)
    path.write_text(stale, encoding="utf-8")
    assert stale != page and pages.update(path) and path.read_text(encoding="utf-8") == page
    assert not pages.update(path), "nothing is left to do"
    path.write_text("<!-- generated: colours -->\n<!-- end -->\n", encoding="utf-8")
    with pytest.raises(LomberError, match="no table 'colours'"):
        pages.update(path)


def test_a_new_page_begins_with_its_markers_alone(game, tmp_path):
    path = tmp_path / game.name / "README.md"
    path.parent.mkdir()
    path.write_text("".join(f"<!-- generated: {name} -->\n<!-- end -->\n" for name in pages.TABLES), encoding="utf-8")
    assert pages.update(path)
    assert path.read_text(encoding="utf-8").count("\n| ") > game.num_actions // 16


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schema_is_current(kind):
    assert json.loads(SCHEMAS[kind].read_text(encoding="utf-8")) == records.json_schema(kind)


def test_the_command_finds_nothing_to_rewrite():
    done = subprocess.run(
        [sys.executable, "-m", "lomber.training.pages"], capture_output=True, text=True, cwd=pages.HOUSE, check=True
    )
    assert done.stdout == ""


def test_real_records_and_views_fit_the_schema():
    schema = {kind: json.loads(path.read_text(encoding="utf-8")) for kind, path in SCHEMAS.items()}
    for path in golden_tool.FOLDER.glob("*/*.txt"):
        for record in golden_tool.read(path):
            half = len(record.moves) // 2
            state, game = records.replay(record, half), make_game(record.game, record.preset, **record.options)
            for document in (record, records.record_of(game, state)):
                assert misfit(schema["record"], json.loads(json.dumps(document.to_json()))) is None
            for seat in range(game.seats):
                view = records.view_of(game, state, seat)
                assert misfit(schema["view"], json.loads(json.dumps(view.to_json()))) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"key": "0x12"}, "key"),
        ({"deal": -1}, "deal"),
        ({"deal": True}, "deal"),
        ({"deck": "AS"}, "deck"),
        ({"moves": [[0]]}, "moves"),
        ({"moves": [[0, 1]]}, "moves"),
        ({"points": [0.5, 1]}, "points"),
        ({"seat": 0}, "seat"),
    ],
)
def test_what_does_not_fit_the_schema_is_no_record_either(change, told):
    path = min(golden_tool.FOLDER.glob("*/*.txt"))
    data = {**golden_tool.read(path)[0].to_json(), **change}
    assert told in misfit(records.json_schema("record"), data)
    with pytest.raises(records.RecordError, match=told):
        records.from_json(data)


TYPES = {"string": str, "integer": int, "object": dict, "array": list, "null": type(None)}


def misfit(schema, value, where="document"):
    """Where a value does not fit a schema made of the words that ours use, or None."""
    assert set(schema) <= {
        "$schema", "title", "description", "type", "properties", "required", "additionalProperties", "items",
        "prefixItems", "minItems", "maxItems", "minimum", "maximum", "pattern",
    }  # fmt: skip
    allowed = schema.get("type", list(TYPES))
    kinds = tuple(TYPES[name] for name in ([allowed] if isinstance(allowed, str) else allowed))
    if not isinstance(value, kinds) or isinstance(value, bool):
        return where
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return where
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return where
    if isinstance(value, list):
        return _misfit_list(schema, value, where)
    return _misfit_object(schema, value, where) if isinstance(value, dict) else None


def _misfit_list(schema, value, where):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return where
    first = schema.get("prefixItems", [])
    schemas = [*first, *[schema.get("items", {})] * len(value)]
    return next((found for part, item in zip(schemas, value) if (found := misfit(part, item, where))), None)


def _misfit_object(schema, value, where):
    known = schema.get("properties", {})
    wrong = [name for name in schema.get("required", []) if name not in value]
    if schema.get("additionalProperties") is False:
        wrong += [name for name in value if name not in known]
    wrong += [name for name in known if name in value and misfit(known[name], value[name], name)]
    return wrong[0] if wrong else None


def run_python_of(page):
    """Run its blocks one after another, as a reader would; what they leave."""
    blocks = re.findall(r"```python\n(.*?)```", (pages.HOUSE / page).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    space = {}
    for block in blocks:
        exec(block, space)
    return space


def test_the_python_of_the_readme_runs(capsys):
    run_python_of("README.md")
    told = capsys.readouterr().out
    assert "points a deal, 95% interval" in told and "0:DEALT" in told.replace("1:DEALT", "0:DEALT")


def test_the_python_of_the_page_of_agents_runs(capsys):
    """Whoever it seats has played: in Gymnasium, PettingZoo, Tables and an evaluation."""
    left = run_python_of("docs/agents.md")
    assert not left["env"].agents and left["tables"].acted.min() >= 0 and left["result"].n == 20
    assert left["advice"].move in capsys.readouterr().out and left["advice"].ratings
    for env, seats in ((left["envs"].unwrapped, ["heuristic"] * 2), (left["single"].unwrapped, ["random", "heuristic"])):
        assert [agent.name.rpartition("/")[2] for agent in env._agents] == seats
        env.reset(seed=1)


def test_the_page_of_agents_names_every_agent_and_setting():
    page = (pages.HOUSE / "docs" / "agents.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert told == {*search_settings(), "random"}
    for name in BUILT_IN:
        assert f"`{name}`" in page or f"`<game>/{name.partition('/')[2]}`" in page, name
    for key, default in search_settings().items():
        (row,) = re.findall(rf"^\| `{key}` \| (.*?) \|", page, re.MULTILINE)
        assert default is None or str(default) in row, key
