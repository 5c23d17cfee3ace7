"""Compiled code: its cache never answers with stale or other rules, and without a compiler the bytes are the same."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TOYS, episodes
from digest import digest

import lomber.envs
from lomber.envs.engine import jit, loops

HERE = Path(__file__).resolve().parent
ENGINE = Path(jit.__file__).parent
ALL_GAMES = {**lomber.envs.GAMES, "solo": TOYS["solo"]}
compiled_only = pytest.mark.jit
pytestmark = pytest.mark.usefixtures("toys")

# Prints each game's worth, and whether its machine code came from the cache.
WORTHS = """
import sys, numpy as np, lomber.envs
for name in sys.argv[1:]:
    lomber.envs.GAMES[name] = name
    game = lomber.envs.make_game(name)
    worth = game.points(np.zeros(1, game.state_dtype))[0, 0]
    print(name, worth, "cached" if game.loops.points_rows.stats.cache_hits else "compiled")
"""


def run(folder, *command, **environment):
    """Standard output of Python run in a clean environment that imports from `folder` first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "LOMBER_", "PYTHON"))}
    paths = os.pathsep.join([str(folder), str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    given = {"PYTHONPATH": paths, "LOMBER_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(
        [sys.executable, *command], env=kept | given, cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def worths(folder, *names, **environment):
    return run(folder, "-c", WORTHS, *names, **environment)[0].splitlines()


def mini(folder, name, worth=1):
    """A copy of mini under another name, where a win is worth so much."""
    shutil.copytree(HERE / "mini", folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    edit(folder / name / "rules.py", "return 1", f"return {worth}")


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@compiled_only
def test_games_of_equal_dtypes_never_run_each_others_rules(tmp_path):
    mini(tmp_path, "one", 11)
    mini(tmp_path, "two", 22)
    assert worths(tmp_path, "one", "two") == ["one 11 compiled", "two 22 compiled"]
    assert worths(tmp_path, "two", "one") == ["two 22 cached", "one 11 cached"]
    assert worths(tmp_path, "two") == ["two 22 cached"]


def test_the_toys_of_equal_dtypes_keep_their_rules():
    solo, low = (lomber.envs.make_game(name) for name in ("solo", "low"))
    assert solo.state_dtype == low.state_dtype and solo.rules.dtype == low.rules.dtype
    states = solo.deal(range(12), {"dealer": 2, "points": [3, -1, -2]})
    solo.advance(states, ["pass"])
    solo.advance(states, ["pass"])
    assert solo.points(states).tolist() == [[3, -1, -2]] and low.points(states).tolist() == [[-3, 1, 2]]
    assert "pass" in solo.legal_names(states) and "pass" not in low.legal_names(states)


@compiled_only
def test_an_edit_is_never_answered_by_stale_code(tmp_path):
    """In the game's second file, in the engine, in a game that borrows another's rules, and taken back."""
    shutil.copytree(ENGINE.parent, tmp_path / "lomber/envs", ignore=shutil.ignore_patterns("__pycache__"))
    mini(tmp_path, "one")
    borrower = "from dataclasses import replace\nfrom one import SPEC, deal\nfrom lomber.envs.engine.jit import jit\n"
    points = "@jit\ndef points(rules, state, out):\n    out[0] = 5\n"
    spec = "SPEC = replace(SPEC, name='three', functions={**SPEC.functions, 'points': points})\n"
    (tmp_path / "three").mkdir()
    (tmp_path / "three/__init__.py").write_text(borrower + points + spec)
    assert worths(tmp_path, "one", "three") == ["one 1 compiled", "three 5 compiled"]
    edit(tmp_path / "one/rules.py", "return 1", "return 7")
    edit(tmp_path / "three/__init__.py", "out[0] = 5", "out[0] = 6")
    assert worths(tmp_path, "one", "three") == ["one 7 compiled", "three 6 compiled"]
    edit(
        tmp_path / "lomber/envs/engine/cards.py",
        "return np.int64(1) << np.int64(card)",
        "return np.int64(3) << np.int64(card)",
    )
    assert worths(tmp_path, "one") == ["one 14 compiled"]
    edit(tmp_path / "lomber/envs/engine/cards.py", "np.int64(3) <<", "np.int64(1) <<")
    assert worths(tmp_path, "one", "three") == ["one 7 cached", "three 6 cached"]


def test_the_sources_of_a_game_are_its_folder_the_engine_and_what_they_import(tmp_path):
    for name in ("one", "two", "three", "four", "four/deep", "five"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "play.py").write_text("")
    (tmp_path / "one/play.py").write_text("from ..two.play import x\nfrom ..three import (\n    y,\n)\nfrom .. import four\n")
    (tmp_path / "two/play.py").write_text("from ..four.deep import play\n")
    found = {
        path.relative_to(tmp_path).as_posix()
        for path in jit.sources(str(tmp_path / "one/play.py"))
        if tmp_path in path.parents
    }
    assert found == {
        f"{name}/{file}.py" for name in ("one", "two", "three", "four", "four/deep") for file in ("__init__", "play")
    }
    assert set(ENGINE.glob("*.py")) <= set(jit.sources(str(tmp_path / "five/play.py")))


@compiled_only
def test_other_users_of_numba_keep_their_cache(tmp_path):
    mini(tmp_path, "one")
    (tmp_path / "theirs.py").write_text("import numba\n@numba.njit(cache=True)\ndef double(x):\n    return 2 * x\n")
    script = (
        "import numba; before = numba.config.CACHE_DIR\n" + WORTHS + "assert numba.config.CACHE_DIR == before\n"
        "import theirs; theirs.double(2)\n"
    )
    run(tmp_path, "-c", script, "one")
    assert list((tmp_path / "__pycache__").glob("theirs.double*.nbi"))
    assert not list((tmp_path / "cache").rglob("*theirs*")) and list((tmp_path / "cache").rglob("*points_rows*.nbi"))


@compiled_only
def test_a_bounds_check_has_its_own_folder_and_sees_an_index_out_of_range(tmp_path):
    mini(tmp_path, "one")
    edit(tmp_path / "one/rules.py", "return 1", "return 1 + state['deck'][len(state['deck']) + state['deal']]")
    worths(tmp_path, "one")
    plain = {path.name for path in (tmp_path / "cache").iterdir()}
    caught = WORTHS.replace(
        "    worth =", "    try: game.points(np.zeros(1, game.state_dtype))\n    except IndexError: sys.exit(0)\n    worth ="
    )
    assert run(tmp_path, "-c", caught, "one", NUMBA_BOUNDSCHECK="1")[0] == "", "the index was not checked"
    checked = {path.name for path in (tmp_path / "cache").iterdir()} - plain
    assert (
        checked and all(name.endswith("-bounds") for name in checked) and not any(name.endswith("-bounds") for name in plain)
    )


@compiled_only
def test_without_a_folder_to_write_each_start_compiles(tmp_path):
    mini(tmp_path, "one")
    (tmp_path / "file").write_text("")
    out, err = run(tmp_path, "-c", WORTHS, "one", LOMBER_CACHE_DIR=str(tmp_path / "file"))
    assert out == "one 1 compiled\n" and "no cache folder for compiled code" in err


def test_the_cache_lies_where_it_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("LOMBER_CACHE_DIR", str(tmp_path / "a"))
    assert jit.cache_base() == tmp_path / "a"
    monkeypatch.delenv("LOMBER_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert jit.cache_base() == tmp_path / "lomber"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert jit.cache_base() == Path.home() / ".cache/lomber"


BLOCKED = (
    "import runpy, sys; sys.modules['numba'] = None; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
)


@compiled_only
def test_without_numba_one_warning_and_the_same_bytes(tmp_path):
    wanted = digest("solo", "plain", "partie", [0, 1, 2])
    out, err = run(tmp_path, "-W", "always", "-c", BLOCKED, str(HERE / "digest.py"), "solo", "plain", "partie", "0", "1", "2")
    assert out.strip() == wanted
    assert err.count("numba is not installed") == 1 and err.count("Warning") == 1


@compiled_only
@pytest.mark.parametrize("name", ALL_GAMES)
def test_interpreted_in_another_process_the_same_bytes(tmp_path, name):
    preset = next(iter(lomber.envs.make_game(name).spec.presets))
    episode = episodes(name)[1]
    wanted = digest(name, preset, episode, [0, 1])
    arguments = [str(HERE / "digest.py"), name, preset, episode, "0", "1"]
    assert run(tmp_path, "-W", "error", *arguments, NUMBA_DISABLE_JIT="1")[0].strip() == wanted


def calls(function):
    """The functions of ours that a kernel calls by name."""
    plain = getattr(function, "py_func", function)
    found = [plain.__globals__.get(name) for name in plain.__code__.co_names]
    return [getattr(f, "py_func", f) for f in found if hasattr(getattr(f, "py_func", f), "__code__")]


@pytest.mark.parametrize("name", ALL_GAMES)
def test_no_kernel_calls_itself_even_by_way_of_others(name):
    """numba compiles such a circle, and crashes when it loads it from the cache."""
    done, open_ = set(), []

    def visit(function):
        assert function not in open_, "a circle: " + " ".join(f.__name__ for f in [*open_, function])
        if function not in done:
            open_.append(function)
            for called in calls(function):
                visit(called)
            done.add(open_.pop())

    spec = importlib.import_module(ALL_GAMES[name]).SPEC
    for kernel in [*spec.functions.values(), *(getattr(loops, entry) for entry in loops.ENTRIES)]:
        visit(getattr(kernel, "py_func", kernel))
    assert len(done) > 20
