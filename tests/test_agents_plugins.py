"""Agents of other packages: built, installed and seated by name in every face; a broken one is told and hurts no other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lomber.agents.heuristic import HeuristicAgent
from lomber.agents.random import RandomAgent
from lomber.agents.registry import agent_names, load_agent
from lomber.envs import LomberError, make_game
from lomber.envs.faces.opponents import load_opponents
from lomber.training import cli, commands, measure

EXAMPLE = Path(__file__).parent / "plugin_example"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The example package, built and installed into a folder of its own, without a network."""
    source, target = tmp_path_factory.mktemp("source") / "example", tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE, source)
    words = ["install", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(target), str(source)]
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


def fresh(site, *words, text=""):
    """What a fresh process prints in which the package is installed."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words], input=text, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


FACES = """
import gymnasium
import numpy as np
from lomber.agents.base import decide
from lomber.agents.keys import Decisions
from lomber.agents.registry import agent_names, load_agent
from lomber.envs import Tables, make_game, ombre_v0

game = make_game("ombre")
assert "ombre/miser" in agent_names(game) and "ombre/miser" not in agent_names(make_game("piquet"))
agent = load_agent("ombre/miser", game, 3)
assert (type(agent).__name__, agent.name, agent.seed, agent.game) == ("Miser", "ombre/miser", 3, game)
asked, act = [], type(agent).act
type(agent).act = lambda self, positions: asked.append(len(positions)) or act(self, positions)

def took_part(face):
    assert asked, face
    print(face)
    asked.clear()

env = gymnasium.make("lomber/Ombre-v0", opponents="ombre/miser", seat="rotate")
for seed in range(3):
    observation, info = env.reset(seed=seed)
    env.step(np.flatnonzero(info["action_mask"])[0])
took_part("single")
envs = gymnasium.make_vec("lomber/Ombre-v0", num_envs=4, opponents=["random", "ombre/miser"])
observations, infos = envs.reset(seed=1)
envs.step(infos["action_mask"].argmax(axis=1))
took_part("vector")
tables = Tables(game, 4, seed=1)
tables.reset()
decisions, rows = Decisions(tables, 1), np.arange(4)
for _ in range(8):
    actions = decide(agent, tables, rows, decisions)
    assert tables.action_mask[rows, actions].all()
    tables.step(actions)
took_part("Tables")
env = ombre_v0.env()
env.reset(seed=1)
for player in env.agent_iter():
    over = env.terminations[player] or env.truncations[player]
    env.step(None if over else game.action_id(agent.advise(env.unwrapped.view(player)).move))
took_part("AEC")
"""


def test_it_sits_down_in_every_face(site):
    assert fresh(site, "-c", FACES).split() == ["single", "vector", "Tables", "AEC"]


def test_the_commands_know_it(site, tmp_path):
    lomber = ("-m", "lomber.training.cli")
    told = json.loads(fresh(site, *lomber, "evaluate", "ombre/miser", "random", "--ids", "4", "--json"))
    assert told["n"] == 4 and told["seatings"] == 6
    words = [*lomber, "play", "ombre", "--against", "ombre/miser", "--seed", "4"]
    assert "ombre/miser" in fresh(site, *words, text="1\n" * 60)
    line = next(line for line in fresh(site, *lomber, "agents").splitlines() if "ombre/miser" in line)
    assert "lomber-example" in line and line.endswith("not measured")
    fresh(site, *lomber, "measure", "ombre/miser", "--ids", "2", "--against", "random", "--out", str(tmp_path / "m.json"))
    noted = json.loads((tmp_path / "m.json").read_text())["ombre"]["ombre/miser"]
    assert noted["speed"]["move_us"] > 0 and noted["strength"][0]["opponent"] == "random"


def test_without_the_package_there_is_no_such_agent():
    with pytest.raises(LomberError, match="unknown agent"):
        load_agent("ombre/miser", make_game("ombre"))


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """A maker of installed packages: a name, what its entry point leads to, a module's source."""

    def install(package, name, value, source="", group="lomber.agents"):
        folder = tmp_path / f"{package.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
        (tmp_path / f"{package.replace('-', '_')}.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, package.replace("-", "_"), raising=False)

    return install


def others_play():
    """The library's own agents, which a broken plug-in must not take down."""
    game = make_game("piquet")
    assert isinstance(load_agent("random", game), RandomAgent)
    assert isinstance(load_agent("piquet/heuristic", game), HeuristicAgent)


def listed():
    done = CliRunner().invoke(cli.app, ["agents", "--json"])
    assert done.exit_code == 0, done.output
    assert CliRunner().invoke(cli.app, ["agents"]).exit_code == 0
    return json.loads(done.output)


AT_IMPORT = {
    "no module": ("there_is_no_such_module:Agent", "", "ModuleNotFoundError: No module named 'there_is_no_such_module'"),
    "missing requirement": ("bad_one:Agent", "import no_such_requirement", "No module named 'no_such_requirement'"),
    "syntax": ("bad_one:Agent", "class:", "SyntaxError"),
    "exit": ("bad_one:Agent", "raise SystemExit(3)", "SystemExit: 3"),
    "no such name": ("bad_one:Agent", "", "AttributeError"),
    "a module": ("bad_one", "", "is <module 'bad_one'"),
    "another class": ("bad_one:Agent", "class Agent:\n def __init__(self, game, seed): pass", "BaseAgent"),
}


@pytest.mark.parametrize("fault", AT_IMPORT)
def test_one_that_cannot_be_imported_names_its_package(offer, fault):
    value, source, words = AT_IMPORT[fault]
    offer("bad-one", "piquet/bad", value, source)
    with pytest.raises(LomberError, match="piquet/bad, a plug-in of the package bad-one") as error:
        load_agent("piquet/bad", make_game("piquet"))
    assert words in str(error.value) and "\n" not in str(error.value)
    others_play()
    (row,) = [row for row in listed()["agents"] if row["name"] == "piquet/bad"]
    assert row["needs"] == "bad-one" and row["error"] == str(error.value)
    line = next(line for line in CliRunner().invoke(cli.app, ["agents"]).output.splitlines() if "piquet/bad" in line)
    assert "broken: " in line and "bad-one" in line


@pytest.mark.parametrize("fault", ["no module", "missing requirement", "syntax", "exit", "no such name"])
def test_a_loader_of_opponents_that_cannot_be_imported_names_its_package(offer, fault):
    value, source, words = AT_IMPORT[fault]
    offer("bad-one", "aaa", value, source, "lomber.opponents")
    assert isinstance(load_opponents("random", make_game("piquet"))[0], RandomAgent), "lomber's own loader knows it"
    with pytest.raises(LomberError, match="bad-one has a loader of opponents that cannot be imported") as error:
        load_opponents("piquet/unheard", make_game("piquet"))
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_broken_one_does_not_stop_the_measuring_of_all(offer, monkeypatch, tmp_path):
    offer("bad-one", "piquet/bad", "bad_one:Agent")
    measured = []
    monkeypatch.setattr(measure, "measure", lambda name, game, *_: measured.append(load_agent(name, game).name))
    words = ["measure", "--game", "piquet", "--out", str(tmp_path / "x.json")]
    monkeypatch.setattr(commands, "agent_names", lambda game: ["piquet/bad", "random"])
    done = CliRunner().invoke(cli.app, words)
    assert done.exit_code == 0 and measured == ["random"]
    assert "piquet/bad is passed over: piquet/bad, a plug-in of the package bad-one, cannot be imported" in done.output
    done = CliRunner().invoke(cli.app, [*words, "piquet/bad", "random"])
    assert isinstance(done.exception, LomberError) and measured == ["random"], "what is named has to be there"


WHEN_MADE = {
    "wants more": ("def make(game, seed, more): pass", "fails: TypeError"),
    "raises": ("def make(game, seed): raise RuntimeError('no\\nweights')", "fails: RuntimeError: no weights"),
    "no agent": ("def make(game, seed): return object()", "gives <object object"),
    "nothing": ("def make(game, seed): pass", "gives None"),
    "exits": ("def make(game, seed): raise SystemExit(3)", "fails: SystemExit: 3"),
    "own name": (
        "from lomber.agents.base import BaseAgent\nclass make(BaseAgent):\n name = property(lambda self: 'mine')",
        "fails: AttributeError",
    ),
    "no super": (
        "from lomber.agents.base import BaseAgent\nclass make(BaseAgent):\n def __init__(self, game, seed): pass",
        "has no game or no seed: its __init__ calls super().__init__(game, seed)",
    ),
}


@pytest.mark.parametrize("fault", WHEN_MADE)
def test_one_that_makes_no_agent_names_its_package(offer, fault):
    source, words = WHEN_MADE[fault]
    offer("bad-one", "piquet/bad", "bad_one:make", source)
    with pytest.raises(LomberError, match="piquet/bad, a plug-in of the package bad-one") as error:
        load_agent("piquet/bad", make_game("piquet"))
    assert words in str(error.value)
    others_play()
    assert "piquet/bad" in [row["name"] for row in listed()["agents"]]


SOUND = "from lomber.agents.random import RandomAgent\ndef make(game, seed): return RandomAgent(seed)"


def test_a_name_of_the_librarys_own_is_passed_over_with_a_warning(offer):
    offer("bad-one", "piquet/heuristic", "bad_one:make", SOUND)
    words = "piquet/heuristic, a plug-in of the package bad-one, is passed over: lomber has an agent of that name"
    with pytest.warns(UserWarning, match=words):
        assert isinstance(load_agent("piquet/heuristic", make_game("piquet")), HeuristicAgent)
    assert isinstance(load_agent("random", make_game("piquet")), RandomAgent), "and no warning, which would be an error"
    told = listed()
    assert told["passed_over"] == [words] and words in CliRunner().invoke(cli.app, ["agents"]).output
    assert [row["error"] for row in told["agents"] if row["name"] == "piquet/heuristic"] == [None]


def test_a_name_that_is_for_no_game_is_told(offer):
    offer("bad-one", "picket/mine", "bad_one:make", SOUND)
    words = "picket/mine, a plug-in of the package bad-one, is passed over: 'picket' is no game"
    (told,) = listed()["passed_over"]
    assert told.startswith(words) and words in CliRunner().invoke(cli.app, ["agents"]).output


def test_two_packages_with_one_name_are_both_named(offer):
    offer("bad-one", "piquet/twice", "bad_one:make", SOUND)
    offer("bad-two", "piquet/twice", "bad_two:make", SOUND)
    with pytest.raises(LomberError, match="piquet/twice is a plug-in of several packages: bad-one and bad-two"):
        load_agent("piquet/twice", make_game("piquet"))
    others_play()
    (row,) = [row for row in listed()["agents"] if row["name"] == "piquet/twice"]
    assert "several packages" in row["error"]


def test_a_name_without_a_game_plays_every_game(offer):
    offer("good-one", "lowest", "good_one:make", SOUND)
    for name in ("piquet", "ombre"):
        game = make_game(name)
        assert "lowest" in agent_names(game) and load_agent("lowest", game, 5).seed == 5
        assert load_agent("lowest", game).name == "lowest"
