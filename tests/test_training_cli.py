"""The command line: what it prints, and that every mistake is one line that names what would be right."""

import importlib.metadata
import io
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from lomber.agents.random import RandomAgent
from lomber.envs import GAMES, LomberError, make_game
from lomber.envs.engine import records
from lomber.training import cli, commands, warm
from lomber.training.evaluate import Evaluation

runner = CliRunner()


@pytest.fixture
def deal():
    """A finished deal played at random."""
    game, rng = make_game("piquet"), np.random.default_rng(4)
    states = game.begin(seed=4)
    while states[0]["stage"] == 0:
        game.advance(states, [rng.choice(np.flatnonzero(game.legal(states)[0]))])
    return game, states


def test_games_lists_every_game_in_a_line():
    result = runner.invoke(cli.app, ["games"])
    assert result.exit_code == 0 and len(result.output.splitlines()) == len(GAMES)
    game = make_game("piquet")
    line = next(line for line in result.output.splitlines() if line.startswith("piquet "))
    told = set(line.replace(",", "").split())
    assert {"piquet_v0", "rubicon", "2", str(game.num_actions), str(game.observation_size)} <= told
    assert "  2 to 5 seats" in next(line for line in result.output.splitlines() if line.startswith("brelan "))


def replayed(*words, text=None):
    result = runner.invoke(cli.app, ["replay", *words], input=text)
    assert result.exit_code == 0, result.output
    return result.output


def test_replay_shows_a_record_move_by_move(deal, tmp_path):
    game, states = deal
    record = records.record_of(game, states)
    (tmp_path / "deal.txt").write_text(str(record))
    shown = replayed(str(tmp_path / "deal.txt"))
    tags, moves, *_ = shown.split("\n\n")
    assert tags == str(record).split("\n\n")[0]
    assert [(int(line.split()[2]), line.split()[3]) for line in moves.splitlines()] == list(record.moves)
    decisions = sum(not line.endswith("(forced)") for line in moves.splitlines())
    assert decisions == len(records.replay_states(record)) - 1 < len(record.moves)
    part = replayed("-", "--until", "3", text=json.dumps(record.to_json()))
    assert len(part.split("\n\n")[1].splitlines()) == 3 and "[Points" not in part


def test_replay_writes_canonical_json(deal):
    game, states = deal
    record = records.record_of(game, states)
    assert records.from_json(json.loads(replayed("-", "--json", text=str(record)))) == record
    seen = records.replay_states(record)
    chosen = [record.moves[len(game.moves(state))] for state in seen[:-1]]
    short = replace(record, moves=tuple(chosen), points=None)
    assert len(chosen) < len(record.moves)
    assert records.from_json(json.loads(replayed("-", "--json", text=str(short)))) == record, "without the forced moves"
    part = records.from_json(json.loads(replayed("-", "--json", "--until", "5", text=str(record))))
    assert part.moves == record.moves[:5] and part.points is None
    assert replayed("-", "--json", text=json.dumps(part.to_json())) == replayed("-", "--json", text=str(part))


def test_replay_shows_a_view_as_its_seat_knows_it(deal):
    game, states = deal
    early = records.replay(records.record_of(game, states), 8)
    view = records.view_of(game, early, 1)
    shown = replayed("-", text=str(view))
    assert shown.startswith(str(view).split("\n\n")[0]) and "hidden" in shown and "[Seat 1]" in shown
    assert [line.split(maxsplit=3)[3] for line in shown.split("\n\n")[1].splitlines()] == [e.text for e in view.events]
    assert records.from_json(json.loads(replayed("-", "--json", text=str(view)))) == view


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "piquett"], "did you mean piquet"),
        (["warm", "whist"], "unknown game 'whist'"),
        (["replay", "no-such-file"], "No such file"),
        (["train", "piquet", "decision=5"], "did you mean decisions"),
        (["train", "piquet", "decisions=-5"], "recipe key decisions"),
        (["train", "piquet", "decisions"], "key=value"),
        (["train", "piquet", "net=["], "recipe key net"),
        (["train", "piquet", "net=[8, -1]"], "recipe key net.1"),
        (["train", "piquet", "seed=99999999999"], "recipe key seed"),
        (["train", "piquet", "learning_rate=.nan"], "recipe key learning_rate"),
        (["train", "piquet", "critic=all"], "recipe key critic"),
        (["train", "piquet", "pool={randm: 1}"], "did you mean random"),
        (["train", "piquet", "pool={random: -1}"], "recipe key pool.random"),
        (["train", "piquet", "pool={random: 0}"], "recipe key pool: no share"),
        (["train", "piquet", "pool={current: 1, random: 0.0001}"], "recipe key pool: the share of 'random'"),
        (["train", "piquet", "game=whist"], "recipe key game"),
        (["train", "piquet", "preset=rubikon"], "did you mean rubicon"),
        (["train", "piquet", "options={episode: party}"], "partie"),
        (["train", "piquet", "--recipe", "no-such.yaml"], "no-such.yaml"),
        (["train", "piquet", "--out", ""], "--out names the folder"),
        (["train", "piquet", "--out", " "], "--out names the folder"),
        (["bench", "--seconds", "-1"], "--seconds is a number"),
        (["bench", "--seconds", "0"], "--seconds is a number"),
        (["bench", "piquet", "--seconds", "nan"], "--seconds is a number"),
        (["bench", "train", "--seconds", "inf"], "--seconds is a number"),
        (["bench", "--peer-python", "/nope"], "there is no program '/nope'"),
        (["bench", "--peer-python", ""], "there is no program ''"),
        (["play", "--record", ""], "--record names a file"),
        (["play", "--record", "."], "--record names a file"),
        (["play", "--against", "runs/nothing"], "there is no folder 'runs/nothing'"),
        (["evaluate", "runs/nothing", "random"], "there is no folder 'runs/nothing'"),
        (["evaluate", "random", "piquet/heuristi"], "did you mean piquet/heuristic"),
        (["evaluate", "random", "random", "--ids", "3000000000"], "an integer from 1 to 10,000,000"),
    ],
)
def test_mistakes_are_told_in_one_line(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lomber", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    errors = capsys.readouterr().err
    assert stopped.value.code == 2 and told in errors and errors.count("\n") == 1
    assert not list(tmp_path.iterdir()), "a mistake leaves no run behind"


def test_a_file_that_is_no_text_is_told_in_one_line(tmp_path, capsys, monkeypatch):
    (tmp_path / "deal").write_bytes(b"\xff\xfe\x00")
    monkeypatch.setattr("sys.argv", ["lomber", "replay", str(tmp_path / "deal")])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2 and "UTF-8" in capsys.readouterr().err


def test_a_broken_record_names_its_move(deal):
    game, states = deal
    record = records.record_of(game, states)
    broken = str(record).replace(f"{record.moves[0][0]}:{record.moves[0][1]}", "0:PLAY:AS", 1)
    with pytest.raises(LomberError, match="move 1, 0:PLAY:AS"):
        records.replay(records.loads(broken))


SMALL = ["decisions=512", "tables=32", "steps=8", "batch=64", "net=[16]", "curve_ids=8", "final_ids=8"]
LEFT = {"policy.zip", "policy.onnx", "policy.json", "recipe.yaml", "metrics.csv", "curve.png", "result.json", "checkpoints"}


def test_a_small_training_leaves_its_files(tmp_path):
    pytest.importorskip("sb3_contrib")
    from lomber.training.recipe import load_recipe
    from lomber.training.train import train

    recipe = load_recipe("piquet", [*SMALL, "preset=rubicon"])
    results = train(recipe, tmp_path)
    result = results["random"]
    assert list(results) == ["random", "piquet/heuristic"]
    assert result.n == 8 and result.seatings == 2 and result.interval[0] <= result.mean <= result.interval[1]
    assert {path.name for path in tmp_path.iterdir()} == LEFT | {"tensorboard"}
    assert load_recipe("piquet", source=tmp_path / "recipe.yaml") == recipe
    told = json.loads((tmp_path / "result.json").read_text())
    assert told["trained"]["decisions"] == 512 and told["strength"][0]["mean"] == result.mean
    assert told["untrained"]["n"] == 8 and told["untrained"]["seed"] != told["strength"][0]["seed"]
    check_export(tmp_path)


def test_the_rule_based_agents_of_a_game_are_opponents():
    """Of the game's own only: the final table has a row for each."""
    report = pytest.importorskip("lomber.training.report", exc_type=ImportError)
    assert report.opponents_of(make_game("piquet")) == ["random", "piquet/heuristic"]
    assert report.opponents_of(make_game("piquet"), ["random", "mine"]) == ["random", "piquet/heuristic", "mine"]
    game = make_game("brelan")
    results = report.strength(game, RandomAgent(3), 6)
    assert list(results) == ["random", "brelan/heuristic", "brelan/maniac", "brelan/rock"]
    assert len({result.mean for result in results.values()}) == 4


def check_export(folder):
    """The network alone, without torch, gives the JSON's test vectors; the JSON says what it is for."""
    onnxruntime = pytest.importorskip("onnxruntime")
    game, about = make_game("piquet", "rubicon"), json.loads((folder / "policy.json").read_text())
    assert (about["game"], about["preset"]) == ("piquet", "rubicon")
    assert (about["layout_hash"], about["actions_hash"]) == (game.layout_hash, game.actions_hash)
    session = onnxruntime.InferenceSession(str(folder / "policy.onnx"), providers=["CPUExecutionProvider"])
    for vector in about["test_vectors"]:
        mask = np.zeros((1, game.num_actions), np.int8)
        mask[0, vector["legal"]] = 1
        observation = np.array([vector["observation"]], np.float32)
        (logits,) = session.run(["logits"], {"observation": observation, "action_mask": mask})
        assert np.allclose(logits[0, vector["legal"]], vector["logits"], atol=1e-3)
        assert (logits[0, mask[0] == 0] < -1e7).all()


def test_training_that_misses_its_goal_exits_with_one(tmp_path, capsys, monkeypatch):
    training = pytest.importorskip("lomber.training.train", exc_type=ImportError)
    results = {"random": Evaluation(0.4, (0.1, 0.9), 10, 1.0, 1.0, 2, 0.1)}
    monkeypatch.setattr(training, "train", lambda *_, **__: results)
    monkeypatch.setattr("sys.argv", ["lomber", "train", "piquet", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 1
    assert "points against random, +0.10 to +0.90, do not lie above 0.50 (0.5 standard" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", [*sys.argv, "goal={random: 0}"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert not stopped.value.code
    results["random"] = Evaluation(0.4, (0.0, 0.9), 10, 1.0, 1.0, 2, 0.1)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 1 and "+0.00 to +0.90, do not lie above 0.00\n" in capsys.readouterr().err


def test_a_goal_against_nobody_is_refused_before_training(tmp_path):
    training = pytest.importorskip("lomber.training.train", exc_type=ImportError)
    from lomber.training.recipe import load_recipe

    with pytest.raises(LomberError, match="ombre/heuristic"):
        training.train(load_recipe("piquet", ["goal={ombre/heuristic: 0}"]), tmp_path)
    assert not list(tmp_path.iterdir())


WARMED = """
import numpy as np
from lomber.envs import Tables, make_game
from lomber.envs.engine.loops import ENTRIES
from lomber.training.warm import warm_game

def compiled():
    return {name: len(getattr(game.loops, name).signatures) for name in ENTRIES}

warm_game("piquet")
game = make_game("piquet")
before = compiled()
"""


def in_a_process_of_its_own(script):
    """Elsewhere other tests may have compiled what is missing."""
    done = subprocess.run([sys.executable, "-c", WARMED + script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.jit
def test_warm_calls_every_entry_point():
    in_a_process_of_its_own("assert all(before.values()), before")


@pytest.mark.jit
def test_warm_compiles_what_play_calls():
    """After it, evaluation, a rollout of the VecEnv, tables and records add no signature to any loop of the game."""
    pytest.importorskip("stable_baselines3")
    in_a_process_of_its_own("""
from lomber.agents.random import RandomAgent
from lomber.envs.engine import records
from lomber.training.evaluate import evaluate
from lomber.training.vec_env import SelfPlayVecEnv

evaluate(game, RandomAgent(), RandomAgent(2), ids=5)
env = SelfPlayVecEnv(game, 3)
env.reset()
for _ in range(100):
    env.step(env.action_masks().argmax(axis=1))
records.view_of(game, env.tables.states[:1], 0)
tables = Tables(game, 4)
tables.reset()
tables.seen([0, 1], [2, 3])
tables.seen(tables.seat, np.arange(4, dtype=np.int32))
tables.views([1])
assert compiled() == before, (before, compiled())
""")


def test_a_failed_warming_names_the_game(toys, monkeypatch):
    from lomber.training import warm

    class Failed:
        returncode = 1

        def __init__(self, words):
            self.words = words

        def poll(self):
            return 1

    monkeypatch.setattr(warm.subprocess, "Popen", Failed)
    with pytest.raises(LomberError, match="solo and low failed"):
        warm.warm_games(["solo", "low"])


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "the file is empty"), (" \n", "the file is empty"), ("[]", "is an object"), ("null", "is an object")],
    ids=range(4),
)
def test_a_file_that_holds_no_record_is_told(text, told, tmp_path, capsys, monkeypatch):
    (tmp_path / "deal").write_text(text)
    monkeypatch.setattr("sys.argv", ["lomber", "replay", str(tmp_path / "deal")])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2 and told in capsys.readouterr().err


def test_a_terminal_without_the_signs_of_the_suits_shows_letters(deal, tmp_path):
    game, states = deal
    (tmp_path / "deal").write_text(str(records.record_of(game, states)))
    env = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "lomber.training.cli", "replay", str(tmp_path / "deal")]
    done = subprocess.run(command, env=env, capture_output=True)
    assert done.returncode == 0 and done.stdout.isascii() and b"?" not in done.stdout, done.stderr


def test_a_sign_that_a_terminal_has_not_stops_no_command(monkeypatch):
    narrow = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stderr", narrow)
    monkeypatch.setattr("sys.argv", ["lomber", "warm", "pik\u00e9t"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2


@pytest.mark.parametrize("words", [["games"], ["warm"], ["train", "piquet"], ["evaluate", "random", "random"], ["play"]])
def test_ctrl_c_at_any_time_is_told(words, capsys, monkeypatch):
    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "make_game", pressed)
    monkeypatch.setattr(commands, "make_game", pressed)
    monkeypatch.setattr("sys.argv", ["lomber", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 130 and capsys.readouterr().err == "lomber: stopped\n"


def test_ctrl_c_before_the_first_checkpoint_is_told(tmp_path, capsys, monkeypatch):
    pytest.importorskip("sb3_contrib")
    from lomber.training import train as training

    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", pressed)
    monkeypatch.setattr("sys.argv", ["lomber", "train", "piquet", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 130 and "lomber: stopped before anything was learnt" in capsys.readouterr().err


def test_the_version_is_told():
    result = runner.invoke(cli.app, ["--version"])
    assert result.exit_code == 0 and result.output == f"lomber {importlib.metadata.version('lomber')}\n"


def test_a_cold_start_is_told_once_on_standard_error(tmp_path, monkeypatch, capsys):
    games = [make_game(name) for name in GAMES]
    monkeypatch.setattr(warm, "COMPILED", True)
    monkeypatch.setattr(warm, "cache_folder", lambda file: tmp_path)
    warm.announce(*games)
    shown = capsys.readouterr()
    assert [line.split()[2] for line in shown.err.splitlines()] == list(GAMES) and not shown.out
    (tmp_path / "piquet").mkdir()
    (tmp_path / "piquet" / "loops.nbi").touch()
    warm.announce(*games)
    assert not capsys.readouterr().err
    monkeypatch.setattr(warm, "cache_folder", lambda file: None)
    assert warm.is_cold(games[0])
    monkeypatch.setattr(warm, "COMPILED", False)
    assert not warm.is_cold(games[0])


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "{}"],
        ["advise", "{}"],
        ["evaluate", "random", "random", "--ids", "2"],
        ["play", "piquet"],
        ["bench", "piquet"],
    ],
)
def test_a_command_that_plays_tells_of_a_cold_start_first(words, tmp_path, monkeypatch, capsys):
    class Told(Exception):
        pass

    def announce(*games):
        assert [game.name for game in games] == ["piquet"]
        raise Told

    game = make_game("piquet")
    states = game.begin(1)
    (tmp_path / "view.txt").write_text(str(records.view_of(game, states, int(states[0]["seat"]))))
    monkeypatch.setattr(warm, "announce", announce)
    with pytest.raises(Told):
        runner.invoke(cli.app, [word.format(tmp_path / "view.txt") for word in words], catch_exceptions=False)
    assert not capsys.readouterr().out
