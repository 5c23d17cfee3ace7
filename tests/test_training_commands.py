"""The commands evaluate, agents and export, and what works where nothing but the core is installed."""

import json
import os
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
from gymnasium import spaces
from typer.testing import CliRunner

from lomber.agents import registry
from lomber.agents.listing import strengths_of
from lomber.agents.random import RandomAgent
from lomber.envs import LomberError, make_game
from lomber.training import cli, commands
from lomber.training.evaluate import evaluate

runner = CliRunner()
KEYS = {"mean", "interval", "n", "sd", "sd_single", "seatings", "seconds"}


def run(*words, **kwargs):
    result = runner.invoke(cli.app, list(words), **kwargs)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(words, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["lomber", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    errors = capsys.readouterr().err
    assert stopped.value.code == 2 and errors.count("\n") == 1, errors
    return errors


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A policy for piquet under the preset rubicon, built by hand."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from policies import about_of, weights_of, write_policy

    game = make_game("piquet", "rubicon")
    about = about_of(game, weights_of(game))
    strength = [{"opponent": "random", "mean": 23.414, "interval": [22.9, 24], "n": 10}, {"opponent": "x"}, 3]
    return write_policy(tmp_path_factory.mktemp("runs") / "piquet", game, about={**about, "strength": strength})


def test_evaluate_tells_json():
    told = json.loads(run("evaluate", "random", "random", "--ids", "30", "--seed", "5", "--json"))
    assert set(told) == KEYS and told["n"] == 30 and told["seatings"] == 2 and told["seconds"] > 0
    result = evaluate(make_game("piquet"), RandomAgent(0), RandomAgent(1), 30, 5)
    assert told["mean"] == result.mean and told["interval"] == list(result.interval) and told["sd"] == result.sd > 0
    assert told["sd_single"] == result.sd_single > 0 and told["interval"][0] < told["mean"] < told["interval"][1]


def test_evaluate_tells_people():
    shown = run("evaluate", "random", "random", "--ids", "30", "--seed", "5", "--preset", "cent", "--option", "episode=deal")
    result = evaluate(make_game("piquet", "cent"), RandomAgent(0), RandomAgent(1), 30, 5)
    assert "piquet (cent): random against random, seed 5, 30 episodes in 2 seatings" in shown
    for number in (result.mean, *result.interval):
        assert f"{number:+.2f}" in shown
    half, alone = (result.interval[1] - result.interval[0]) / 2, 1.96 * result.sd_single / np.sqrt(60)
    for number in (result.sd, result.sd_single, half, alone):
        assert f"{number:.2f}" in shown
    assert "60 deals in" in shown and "deals/s" in shown


def test_evaluate_compares_two_against_a_third():
    given = ("evaluate", "random", "piquet/heuristic", "--against", "random", "--ids", "20", "--seed", "5")
    game = make_game("piquet")
    result = evaluate(game, RandomAgent(), registry.load_agent("piquet/heuristic", game), 20, 5, against=RandomAgent(1))
    told = json.loads(run(*given, "--json"))
    assert set(told) == KEYS and told["mean"] == result.mean < 0 and told["sd"] == result.sd > 0
    shown = run(*given)
    assert "random and piquet/heuristic, each against random, seed 5, 20 episodes in 2 seatings" in shown
    assert f"{result.mean:+.2f}" in shown
    assert (
        json.loads(run("evaluate", "random", "random", "--against", "piquet/heuristic", "--ids", "9", "--json"))["mean"] == 0
    )


def test_deals_are_counted_apart_from_episodes():
    result = evaluate(make_game("piquet", "cent", episode="partie"), RandomAgent(), RandomAgent(1), 4)
    assert result.deals > 8 and evaluate(make_game("piquet"), RandomAgent(), RandomAgent(1), 4).deals == 8


def test_evaluate_plays_what_a_policy_was_trained_on(folder):
    shown = run("evaluate", "random", str(folder), "--ids", "8")
    assert "piquet (rubicon): random against" in shown
    with pytest.warns(UserWarning, match="rubicon"):
        assert "piquet (cent)" in run("evaluate", str(folder), "random", "--ids", "8", "--preset", "cent")
    told = json.loads(run("evaluate", str(folder), "random", "--ids", "40", "--json"))
    game = make_game("piquet", "rubicon")
    assert told["mean"] == evaluate(game, registry.load_agent(str(folder), game), RandomAgent(1), 40).mean


def test_warnings_of_the_command_line_are_lines(folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["lomber", "evaluate", str(folder), "random", "--ids", "4", "--preset", "cent"])
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        with pytest.raises(SystemExit):
            cli.main()
    errors = capsys.readouterr().err
    assert errors.startswith("lomber: warning: ") and errors.count("\n") == 1 and "rubicon" in errors


@pytest.mark.parametrize(
    ("names", "game", "wanted"),
    [(["random"], None, "piquet"), (["random"], "solo", "solo"), (["x", "solo/mine"], None, "solo")],
)
def test_the_game_is_the_one_asked_for_or_the_agents_own(toys, names, game, wanted):
    assert commands.game_for(names, game, None, None) == make_game(wanted)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["episode=partie"], {"episode": "partie"}),
        (["show_equal=true", "point_min_len=4"], {"show_equal": True, "point_min_len": 4}),
        (["show_equal=True", "elder_exchange=1-5"], {"show_equal": True, "elder_exchange": "1-5"}),
        (["seq_scores=[3,4,5,6,7,8]"], {"seq_scores": (3, 4, 5, 6, 7, 8)}),
    ],
)
def test_options_are_read_as_json_where_they_are(words, wanted):
    assert commands.game_for(["random"], None, "rubicon", words) == make_game("piquet", "rubicon", **wanted)


def test_a_policys_game_gives_way_to_what_is_asked_for(folder, toys):
    own = make_game("piquet", "rubicon")
    assert commands.game_for(["random", str(folder)], None, None, None) == own
    assert commands.game_for([f"{folder}:sample"], "piquet", None, None) == own
    assert commands.game_for([str(folder)], None, "cent", None) == make_game("piquet", "cent")
    assert commands.game_for([str(folder)], None, None, ["episode=partie"]) == make_game("piquet", episode="partie")
    assert commands.game_for([str(folder)], "solo", None, None) == make_game("solo")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["evaluate", "randm", "random"], "did you mean random"),
        (["evaluate", "random", "random", "--against", "randm"], "did you mean random"),
        (["evaluate", "random", "random", "--game", "piquett"], "did you mean piquet"),
        (["evaluate", "random", "random", "--preset", "rubikon"], "did you mean rubicon"),
        (["evaluate", "random", "random", "--option", "episode=party"], "partie"),
        (["evaluate", "random", "random", "--option", "episode"], "KEY=VALUE"),
        (["evaluate", "random", "random", "--option", "preset=cent"], "KEY=VALUE"),
        (["evaluate", "random", "no/such.json"], "there is no file"),
        (["agents", "--game", "piquett"], "did you mean piquet"),
        (["agents", "no-such-folder"], "there is no file"),
        (["export", "no-such-folder"], "there is no checkpoint no-such-folder"),
    ],
)
def test_mistakes_are_told_in_one_line(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    if words[0] == "export":
        pytest.importorskip("sb3_contrib")
    assert told in refusal(words, capsys, monkeypatch)
    assert not list(tmp_path.iterdir())


def test_the_policies_of_a_folder_are_listed_with_their_strength(folder, monkeypatch, tmp_path):
    monkeypatch.chdir(folder.parents[1])
    (tmp_path / "runs" / "broken").mkdir(parents=True)
    (tmp_path / "runs" / "broken" / "policy.json").write_text("{")
    (tmp_path / "runs" / "half").mkdir()
    shutil.copy(folder / "policy.json", tmp_path / "runs" / "half")
    line = next(line for line in run("agents", str(folder)).splitlines() if str(folder) in line)
    assert line.split()[1:] == ["rubicon", "0.1", "MiB", "-", "-", "onnxruntime", "+23.41", "+-0.55", "against", "random"]
    shutil.copytree(folder, tmp_path / "runs" / "mine")
    monkeypatch.chdir(tmp_path)
    shown = run("agents").splitlines()
    assert any(os.path.join("runs", "mine") in line and line.endswith("+-0.55 against random") for line in shown)
    assert any("broken is passed over: " in line and "cut short" in line for line in shown)
    assert any("half is passed over: " in line and "policy.onnx: No such file" in line for line in shown)
    told = json.loads(run("agents", "--json"))
    assert "broken is passed over" in told["passed_over"][0]
    (row,) = [row for row in told["agents"] if row["name"].endswith("mine")]
    assert (row["game"], row["preset"], row["needs"]) == ("piquet", "rubicon", "onnxruntime") and row["bytes"] > 1000


def test_a_strangers_words_reach_no_terminal(folder, tmp_path):
    about = json.loads((folder / "policy.json").read_text())
    told = [{"mean": 1, "interval": [0, 2], "opponent": "\x1b[2J" + 80 * "x"}]
    shutil.copytree(folder, tmp_path / "p")
    (tmp_path / "p" / "policy.json").write_text(json.dumps({**about, "strength": told, "preset": "\x1b[3J"}))
    shown = run("agents", str(tmp_path / "p"), "--game", "piquet")
    assert "+1.00 +-1.00 against" in shown and "\x1b" not in shown and 60 * "x" not in shown


@pytest.mark.parametrize("strength", [None, 3, "x", [{"mean": "x", "interval": [1, 2], "opponent": "y"}], [{"interval": 3}]])
def test_a_strength_that_is_not_understood_is_left_out(strength):
    assert strengths_of({"strength": strength}) == []


# Export: a checkpoint of SB3 becomes two files that play as the network does.


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """What a training run leaves, of a network that was not trained: checkpoint, recipe and result."""
    torch = pytest.importorskip("torch")
    maskable = pytest.importorskip("sb3_contrib").MaskablePPO
    from lomber.training.vec_env import SelfPlayVecEnv

    torch.set_num_threads(1)
    path, game = tmp_path_factory.mktemp("run"), make_game("piquet", "rubicon")
    env = SelfPlayVecEnv(game, 2)
    given = {"n_steps": 8, "batch_size": 8, "policy_kwargs": {"net_arch": [24, 16]}, "device": "cpu"}
    env.observation_space = spaces.Box(-1, 1, (game.observation_size + game.reveal_size,), np.float32)
    maskable("MlpPolicy", env, **given).save(path / "seer.zip")
    env.observation_space = spaces.Box(-1, 1, (game.observation_size,), np.float32)
    model = maskable("MlpPolicy", env, seed=3, **given)
    with torch.no_grad():
        model.policy.action_net.weight *= 300  # a fresh one rates all actions nearly alike, which says nothing about parity
    model.save(path / "policy.zip")
    (path / "recipe.yaml").write_text("game: piquet\npreset: rubicon\noptions: {episode: partie}\n")
    facts = {"trained": {"decisions": 0, "how": "not"}, "strength": [{"opponent": "random", "mean": 1.0, "interval": [0, 2]}]}
    (path / "result.json").write_text(json.dumps(facts))
    return path


def test_an_exported_policy_does_what_torch_does(run_folder, tmp_path):
    """Parity over positions of random play that the test vectors do not hold: logits, greedy moves, both in any batch."""
    pytest.importorskip("onnxruntime")
    import torch
    from policies import positions
    from sb3_contrib import MaskablePPO

    from lomber.agents.base import Positions
    from lomber.agents.policy import load_policy

    shown = run("export", str(run_folder), "--out", str(tmp_path))
    assert [line.split()[0] for line in shown.splitlines()] == [
        str(tmp_path / name) for name in ("policy.onnx", "policy.json")
    ]
    game = make_game("piquet", "rubicon", episode="partie")
    agent = load_policy(tmp_path, game)
    assert agent.about["trained"]["how"] == "not" and agent.about["strength"][0]["mean"] == 1.0 and agent.blocks
    observation, mask = positions(game, 150, seed=9)
    policy = MaskablePPO.load(run_folder / "policy.zip", device="cpu").policy
    with torch.no_grad():
        told = policy.get_distribution(torch.as_tensor(observation), action_masks=mask)
    logits = agent.logits(observation, mask)
    wanted = told.distribution.logits.numpy()
    ours = logits - np.log(np.exp(np.where(mask > 0, logits, -np.inf)).sum(axis=1, keepdims=True))
    assert np.allclose(ours[mask > 0], wanted[mask > 0], atol=1e-4)
    chosen = agent.act(Positions(observation, mask, np.zeros(150, int), np.zeros(150, np.uint64)))
    assert (chosen == told.get_actions(deterministic=True).numpy()).mean() > 0.98, "but for near ties"


def test_what_an_earlier_run_measured_is_not_said_of_this_one(run_folder, tmp_path):
    from lomber.agents.policy import read_about
    from lomber.training.export import export_checkpoint

    (tmp_path / "policy.zip").write_bytes((run_folder / "policy.zip").read_bytes())
    (tmp_path / "result.json").write_text('{"trained": {"decisions": 512}, "strength": []}')
    export_checkpoint(tmp_path / "policy.zip", tmp_path / "out", make_game("piquet", "cent"))
    about = read_about(tmp_path / "out")
    assert about["trained"] == {"decisions": 0} and "strength" not in about and about["preset"] == "cent"


@pytest.mark.parametrize(
    ("recipe", "words", "told"),
    [
        (None, [], "recipe.yaml to tell the game"),
        ("game: [", [], "recipe.yaml is no recipe"),
        ("- piquet", [], "recipe.yaml is no recipe"),
        ("game: whist", [], "unknown game 'whist'"),
        ("preset: cent", [], "recipe.yaml is no recipe"),
        (None, ["--preset", "cent"], "go with --game"),
        (None, ["--game", "solo"], "is no policy for solo_v"),
    ],
)
def test_an_export_that_cannot_be_leaves_nothing(toys, run_folder, tmp_path, recipe, words, told, capsys, monkeypatch):
    (tmp_path / "policy.zip").write_bytes((run_folder / "policy.zip").read_bytes())
    if recipe:
        (tmp_path / "recipe.yaml").write_text(recipe)
    assert told in refusal(["export", str(tmp_path), "--out", str(tmp_path / "out"), *words], capsys, monkeypatch)
    assert not (tmp_path / "out").exists()


def test_a_policy_that_needs_the_perfect_state_is_told(run_folder, tmp_path, capsys, monkeypatch):
    words = ["export", str(run_folder / "seer.zip"), "--out", str(tmp_path)]
    assert "cannot play from a view of piquet_v0 alone" in refusal(words, capsys, monkeypatch)


def test_a_run_that_was_not_exported_is_told_how(tmp_path, capsys, monkeypatch):
    (tmp_path / "policy.zip").touch()
    told = refusal(["evaluate", str(tmp_path), "random"], capsys, monkeypatch)
    assert f"lomber export {tmp_path}" in told and "policy.zip" in told


def test_what_is_no_checkpoint_is_told(run_folder, tmp_path, capsys, monkeypatch):
    whole = (run_folder / "policy.zip").read_bytes()
    for data in (b"", b"PK", whole[: len(whole) // 2]):
        (tmp_path / "policy.zip").write_bytes(data)
        errors = refusal(["export", str(tmp_path / "policy.zip"), "--game", "piquet"], capsys, monkeypatch)
        assert "is no checkpoint of MaskablePPO" in errors


# The light core.

BLOCKED = ("torch", "stable_baselines3", "sb3_contrib", "onnxruntime", "onnx", "matplotlib", "yaml", "PIL")
LIGHT = f"""
import sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
from lomber.training import cli
sys.argv = ["lomber", *sys.argv[1:]]
cli.main()
"""


def lightly(*words, text="", status=0):
    done = subprocess.run([sys.executable, "-c", LIGHT, *words], input=text, capture_output=True, text=True)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_the_core_alone_lists_plays_records_and_replays(tmp_path):
    """With torch, stable-baselines3 and onnxruntime absent."""
    assert "piquet_v0" in lightly("games")
    shown = lightly(
        "play", "piquet", "--against", "piquet/heuristic", "--seed", "4", "--record", str(tmp_path / "d.txt"), text="1\n" * 60
    )
    assert "points: you" in shown
    assert "[Points" in lightly("replay", str(tmp_path / "d.txt"))


def test_a_game_in_the_place_of_a_policy_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LomberError, match="lomber agents --game piquet"):
        commands.agents(["piquet"])


def test_the_core_alone_evaluates_and_lists_agents():
    assert set(json.loads(lightly("evaluate", "piquet/heuristic", "random", "--ids", "4", "--json"))) == KEYS
    assert "piquet/heuristic" in lightly("agents")


def test_the_core_alone_counts_bids(tmp_path):
    words = ["plot", "bids", "ombre/heuristic", "--ids", "5"]
    assert lightly(*words).startswith("agent,by,class,")
    assert "pip install 'lomber[bench]'" in lightly(*words, "--out", str(tmp_path / "x.png"), status=2)


@pytest.mark.parametrize(("words", "extra"), [(["train", "piquet"], "all"), (["export", "runs/piquet"], "all")])
def test_the_core_alone_names_what_a_command_needs(words, extra):
    assert f"pip install 'lomber[{extra}]'" in lightly(*words, status=2)


def test_the_core_alone_names_what_a_policy_needs(folder):
    assert "pip install 'lomber[agents]'" in lightly("play", "piquet", "--against", str(folder), status=2)


def test_a_missing_game_of_a_policy_is_told(folder, tmp_path):
    about = json.loads((folder / "policy.json").read_text())
    (tmp_path / "policy.json").write_text(json.dumps({**about, "game": "whist"}))
    with pytest.raises(LomberError, match="a policy's JSON names .* unknown game 'whist'"):
        commands.game_for([str(tmp_path)], None, None, None)
