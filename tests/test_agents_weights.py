"""The trained policies that come with lomber: loaded by name without torch, small, and as strong as they say."""

import json
import subprocess
import sys

import numpy as np
import pytest

from lomber.agents import registry
from lomber.agents.policy import read_about
from lomber.agents.registry import POLICIES, WEIGHTS, agent_names, load_agent
from lomber.envs import LomberError, make_game
from lomber.envs.engine.game import Game
from lomber.training import commands
from lomber.training.evaluate import evaluate, play_out

pytest.importorskip("onnxruntime")


def game_of(name: str) -> Game:
    about = read_about(WEIGHTS / name)
    return make_game(about["game"], about["preset"], **about["options"])


@pytest.mark.parametrize("name", POLICIES)
def test_it_is_small_and_of_its_game(name):
    game = game_of(name)
    assert name.startswith(f"{game.name}/") and name in agent_names(game)
    assert sum(file.stat().st_size for file in (WEIGHTS / name).iterdir()) < 2**20
    assert {file.name for file in (WEIGHTS / name).iterdir()} == {"policy.onnx", "policy.json"}
    agent = load_agent(name, game)
    assert agent.name == name and repr(agent) == f"Policy({name!r}, seed=0, sample=False)"


@pytest.mark.jit
@pytest.mark.parametrize("name", POLICIES)
def test_it_is_as_strong_as_it_says(name):
    """Against each opponent of its JSON, over fewer deals than there: the intervals overlap."""
    game = game_of(name)
    told = read_about(WEIGHTS / name)["strength"]
    assert {one["opponent"] for one in told} >= {"random", f"{game.name}/heuristic"}
    for one in told:
        assert one["interval"][0] > 0 and one["n"] >= 2000
        found = evaluate(game, load_agent(name, game), load_agent(one["opponent"], game), 400, 7)
        low, high = found.interval
        assert low <= one["interval"][1] and one["interval"][0] <= high, one["opponent"]


@pytest.mark.parametrize("name", POLICIES)
def test_sample_draws(name):
    """Another agent seed plays otherwise where moves are drawn, and the same where the best is taken."""
    game = game_of(name)

    def points(word, seed):
        return play_out(game, [load_agent(word, game, seed)] * game.seats, np.arange(40), 1)[1].tolist()

    assert points(name, 1) == points(name, 2)
    assert points(f"{name}:sample", 1) != points(f"{name}:sample", 2)
    assert points(f"{name}:sample", 1) == points(f"{name}:sample", 1)


@pytest.mark.parametrize("name", POLICIES)
def test_it_is_listed_with_its_strength(name, capsys):
    commands.agents(None, game_of(name).name)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == [name]]
    assert "onnxruntime" in line and f"against {game_of(name).name}/heuristic" in line


@pytest.mark.parametrize("name", POLICIES)
def test_without_onnxruntime_it_is_told_what_to_install(name):
    game = game_of(name)
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from lomber.agents.registry import load_agent; from lomber.envs import LomberError, make_game\n"
        f"try: load_agent({name!r}, make_game({game.name!r}))\n"
        "except LomberError as error: print(error)\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"{name} is a trained policy, which needs onnxruntime: pip install 'lomber[agents]'" in done.stdout, done.stderr


def test_of_another_game_there_is_none():
    with pytest.raises(LomberError, match="agent for piquet"):
        load_agent("ombre/ppo", make_game("piquet"))
    with pytest.raises(LomberError, match="agent for piquet"):
        load_agent("ombre/ppo:sample", make_game("piquet"))


def test_another_preset_is_warned_of():
    with pytest.warns(UserWarning, match="ombre/ppo was trained on"):
        load_agent("ombre/ppo", make_game("ombre", "french"))


@pytest.mark.jit
def test_weaker_weights_than_the_json_says_are_noticed(monkeypatch, tmp_path):
    name = POLICIES[0]
    (tmp_path / name).mkdir(parents=True)
    about = json.loads((WEIGHTS / name / "policy.json").read_text())
    about["strength"] = [{**one, "interval": [x + 5 for x in one["interval"]]} for one in about["strength"]]
    (tmp_path / name / "policy.json").write_text(json.dumps(about))
    (tmp_path / name / "policy.onnx").write_bytes((WEIGHTS / name / "policy.onnx").read_bytes())
    monkeypatch.setattr(registry, "WEIGHTS", tmp_path)
    monkeypatch.setitem(globals(), "WEIGHTS", tmp_path)
    with pytest.raises(AssertionError, match="random"):
        test_it_is_as_strong_as_it_says(name)
