"""A run that stops and goes on gives the weights of one that does not; whatever stops it, a whole checkpoint is left."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
import yaml

from lomber.envs import LomberError, make_game
from lomber.training import cli

pytest.importorskip("sb3_contrib")

import torch
from rich.console import Console

from lomber.training import checkpoint, curve, files, pool
from lomber.training import train as training
from lomber.training.recipe import load_recipe
from lomber.training.vec_env import SelfPlayVecEnv

TINY = ["tables=16", "steps=8", "batch=64", "net=[8]", "curve_ids=2", "final_ids=2", "tensorboard=false", "learning_rate=0.01"]
ROLLOUT = 128
QUIET = Console(quiet=True)


def run(folder, *keys, resume=False):
    """Train without the report; returns the last checkpoint."""
    recipe = load_recipe("piquet", [*TINY, f"anneal={8 * ROLLOUT}", "checkpoint_every=2", "evaluate_every=3", *keys])
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    folder.mkdir(exist_ok=True)
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe.model_dump()))
    saved = checkpoint.load_checkpoint(folder, game, recipe) if resume else None
    model = training.build_model(recipe, training.build_env(recipe, game))
    with curve.StopRequest(lambda _: None) as stop:
        training.learn(model, recipe, game, folder, saved, stop, QUIET)
    return last(folder)


def last(folder):
    return torch.load(checkpoint.checkpoints(folder)[0], weights_only=True)


def flat(value, name=""):
    """{path: bytes or plain value} of a checkpoint, clocks and the recipe left out."""
    if isinstance(value, torch.Tensor):
        return {name: value.numpy().tobytes()}
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else None
    if items is None:
        return {name: repr(value)}
    left_out = {"recipe", "seconds", "t", "rows"}
    return {key: got for k, item in items if k not in left_out for key, got in flat(item, f"{name}/{k}").items()}


def weights(saved):
    return flat(saved["policy"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of six rollouts without a stop."""
    return run(tmp_path_factory.mktemp("whole"), f"decisions={6 * ROLLOUT}")


def test_three_rollouts_and_three_more_are_six(whole, tmp_path):
    half = run(tmp_path, f"decisions={3 * ROLLOUT}")
    assert weights(half) != weights(whole)
    again = run(tmp_path, f"decisions={6 * ROLLOUT}", resume=True)
    assert flat(again) == flat(whole)
    measured = [{**row, "seconds": 0} for row in again["rows"]]
    assert repr(measured) == repr([{**row, "seconds": 0} for row in whole["rows"]]) and len(measured) == 3
    with (tmp_path / "metrics.csv").open() as lines:
        assert len(list(lines)) == 4


def imitating(rollouts):
    return [f"imitate={{agent: piquet/heuristic, decisions: {rollouts * ROLLOUT}}}", "critic=state"]


@pytest.mark.parametrize(
    "keys",
    [
        ["critic=state"],
        ["pool={current: 2, frozen: 1, random: 1}", "freeze_every=2"],
        imitating(2),
        imitating(3),
        imitating(5),
    ],
)
def test_critic_pool_and_imitation_go_on_as_well(tmp_path, keys, monkeypatch):
    one = run(tmp_path / "whole", f"decisions={6 * ROLLOUT}", *keys)
    run(tmp_path / "parts", f"decisions={3 * ROLLOUT}", *keys)
    with monkeypatch.context() as patched:
        if "pool" in keys[0]:
            true = pool.Pool.restore
            patched.setattr(pool.Pool, "restore", lambda self, saved: true(self, saved[1:]))
            shutil.copytree(tmp_path / "parts", tmp_path / "planted")
            assert weights(run(tmp_path / "planted", f"decisions={6 * ROLLOUT}", *keys, resume=True)) != weights(one)
    assert flat(run(tmp_path / "parts", f"decisions={6 * ROLLOUT}", *keys, resume=True)) == flat(one)


def forget(saved, part):
    fresh = {
        "torch": lambda: torch.manual_seed(0).get_state(),
        "optimizer": lambda: {**saved["optimizer"], "state": {}},
        "shuffle": lambda: json.dumps({**json.loads(saved["shuffle"]), "state": {"state": 1, "inc": 1}}),
    }
    if part in fresh:
        return {**saved, part: fresh[part]()}
    tables = saved["env"]["tables"]
    blank = {**tables[part], "bytes": torch.zeros_like(tables[part]["bytes"])}
    return {**saved, "env": {**saved["env"], "tables": {**tables, part: blank}}}


@pytest.mark.parametrize("part", ["torch", "optimizer", "shuffle", "id"])
def test_a_part_that_is_forgotten_is_seen(whole, tmp_path, monkeypatch, part):
    run(tmp_path, f"decisions={3 * ROLLOUT}")
    restore = checkpoint.restore
    monkeypatch.setattr(curve, "restore", lambda model, saved: restore(model, forget(saved, part)))
    assert weights(run(tmp_path, f"decisions={6 * ROLLOUT}", resume=True)) != weights(whole)


def test_the_rate_falls_to_zero_and_never_below(tmp_path, monkeypatch):
    rates = []
    monkeypatch.setattr(
        training.MaskablePPO, "train", lambda self: rates.append((self.lr_schedule(1.0), self.ent_coef)), raising=True
    )
    keys = ["anneal=300", f"decisions={3 * ROLLOUT}", "learning_rate=0.5", "entropy=0.25", "entropy_end=0.05"]
    run(tmp_path, *keys)
    (first, bonus), *_, (rate, end) = rates
    assert (first, bonus) == (0.5, 0.25) and rates == sorted(rates, reverse=True) and 0 < rate < first and end > 0.05


def test_arrays_come_back_as_they_were():
    game = make_game("piquet")
    env = SelfPlayVecEnv(game, 4, seed=2)
    env.reset()
    state = env.state()
    memory = io.BytesIO()
    torch.save(checkpoint.encode(state), memory)
    back = checkpoint.decode(torch.load(io.BytesIO(memory.getvalue()), weights_only=True))
    assert back["tables"]["states"].dtype == game.state_dtype
    assert back["tables"]["states"].tobytes() == state["tables"]["states"].tobytes()
    assert back["tables"]["own"]["mask"].shape == (4, game.num_actions)


def test_the_last_two_are_kept_and_a_damaged_one_is_passed_over(tmp_path):
    run(tmp_path, f"decisions={5 * ROLLOUT}")
    found = checkpoint.checkpoints(tmp_path)
    assert [checkpoint.decisions_of(path) for path in found] == [5 * ROLLOUT, 4 * ROLLOUT]
    content = bytearray(found[0].read_bytes())
    content[len(content) // 2] ^= 255
    found[0].write_bytes(content)
    recipe = load_recipe("piquet", [], tmp_path / "recipe.yaml")
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    told = []
    assert checkpoint.load_checkpoint(tmp_path, game, recipe, told.append)["decisions"] == 4 * ROLLOUT
    found[0].write_bytes(content[:1000])
    assert checkpoint.load_checkpoint(tmp_path, game, recipe, told.append)["decisions"] == 4 * ROLLOUT
    assert told == [f"{found[0]} cannot be read: the run goes on from {4 * ROLLOUT} decisions"] * 2
    for broken in (b"", b"x" * 1000, content[:1000]):
        found[1].write_bytes(broken)
        with pytest.raises(LomberError, match=f"no checkpoint .* can be read: {found[0].name}, {found[1].name}"):
            checkpoint.load_checkpoint(tmp_path, game, recipe)


def test_a_run_over_a_finished_one_leaves_none_of_its_checkpoints(tmp_path):
    """Else the old run's, of more decisions, would count as the newest."""
    recipes = [load_recipe("piquet", [*TINY, f"decisions={n * ROLLOUT}", f"seed={n}"]) for n in (3, 2)]
    for recipe in recipes:
        training.train(recipe, tmp_path, QUIET, overwrite=True)
    assert [checkpoint.decisions_of(path) for path in checkpoint.checkpoints(tmp_path)] == [2 * ROLLOUT, 0]
    assert last(tmp_path)["recipe"]["seed"] == 2
    policy = training.MaskablePPO.load(tmp_path / "policy.zip", device="cpu").policy
    saved = last(tmp_path)["policy"]
    assert all(torch.equal(tensor, saved[name]) for name, tensor in policy.state_dict().items())


class FullDisk:
    """Stands for an open file of a disk that is full after `room` bytes."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, content):
        self.file.write(content[: self.room])
        raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_the_last_checkpoint_whole(whole, tmp_path, monkeypatch):
    opened = files.Path.open

    def full(path, *mode, **given):
        file = opened(path, *mode, **given)
        return FullDisk(file, 1000) if path.name.endswith(f"-{4 * ROLLOUT:012}.pt") else file

    with monkeypatch.context() as patched:
        patched.setattr(files.Path, "open", full)
        with pytest.raises(LomberError, match="512 decisions .*No space left.*the one of 256 decisions is left"):
            run(tmp_path, f"decisions={6 * ROLLOUT}")
    assert not list(tmp_path.rglob("part-*")) and last(tmp_path)["decisions"] == 2 * ROLLOUT
    assert weights(run(tmp_path, f"decisions={6 * ROLLOUT}", resume=True)) == weights(whole)


def test_kill_9_in_the_middle_of_a_run_loses_no_checkpoint(whole, tmp_path):
    """The process is killed once it has a checkpoint; what is left goes on to the same weights."""
    keys = [*TINY, f"anneal={8 * ROLLOUT}", "checkpoint_every=2", "evaluate_every=3", f"decisions={10**7}"]
    command = [sys.executable, "-m", "lomber.training.cli", "train", "piquet", *keys, "--out", str(tmp_path / "run")]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while child.poll() is None and len(checkpoint.checkpoints(tmp_path / "run")) < 2:
            time.sleep(0.01)
    finally:
        child.kill()
        child.wait()
    left = checkpoint.checkpoints(tmp_path / "run")
    assert left and all(torch.load(path, weights_only=True)["decisions"] % (2 * ROLLOUT) == 0 for path in left)
    goal = checkpoint.decisions_of(left[0]) + ROLLOUT
    one = run(tmp_path / "run", f"decisions={goal}", resume=True)
    assert weights(one) == weights(run(tmp_path / "other", f"decisions={goal}"))


def press(monkeypatch, at, times=1):
    """Ctrl-C, pressed in the middle of the rollout that ends at `at` decisions."""
    step = SelfPlayVecEnv.step_wait
    made = []

    def pressed(env):
        made.append(1)
        if len(made) * env.num_envs == at - ROLLOUT // 2:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
        return step(env)

    monkeypatch.setattr(SelfPlayVecEnv, "step_wait", pressed)


@pytest.mark.parametrize(("times", "left"), [(1, 3 * ROLLOUT), (2, 2 * ROLLOUT)])
def test_ctrl_c_leaves_a_checkpoint_and_exits_with_130(whole, tmp_path, monkeypatch, capsys, times, left):
    before = signal.getsignal(signal.SIGINT)  # ignored where the tests run in the background
    keys = [*TINY, f"anneal={8 * ROLLOUT}", "checkpoint_every=2", "evaluate_every=3", f"decisions={6 * ROLLOUT}"]
    with monkeypatch.context() as patched:
        press(patched, 3 * ROLLOUT, times)
        patched.setattr("sys.argv", ["lomber", "train", "piquet", *keys, "--out", str(tmp_path)])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
    assert stopped.value.code == 130
    told = capsys.readouterr().err
    assert f"the checkpoint is of {left} of {6 * ROLLOUT} decisions, --resume goes on" in told and told.count("\n") == 1
    assert signal.getsignal(signal.SIGINT) is before
    assert weights(run(tmp_path, f"decisions={6 * ROLLOUT}", resume=True)) == weights(whole)


def test_events_written_after_the_checkpoint_do_not_count(tmp_path, monkeypatch):
    """TensorBoard shows each step of a run that was stopped and went on once."""
    event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        press(patched, 4 * ROLLOUT, times=2)
        run(tmp_path, f"decisions={6 * ROLLOUT}", "tensorboard=true")
    assert last(tmp_path)["decisions"] == 2 * ROLLOUT
    run(tmp_path, f"decisions={6 * ROLLOUT}", "tensorboard=true", resume=True)
    events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    steps = [event.step for event in events.Scalars("time/fps")]
    assert len(list((tmp_path / "tensorboard").iterdir())) == 2
    assert steps == [k * ROLLOUT for k in range(1, 7)]


def told_of(capsys, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["lomber", "train", "piquet", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_mistakes_about_runs_are_told(tmp_path, capsys, monkeypatch):
    out = ["--out", str(tmp_path)]
    assert "holds no run to go on with" in told_of(capsys, monkeypatch, "--resume", *out)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        press(patched, 2 * ROLLOUT)
        run(tmp_path, "decisions=900")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pt")}
    assert "an unfinished run, 256 of 900 decisions: --resume" in told_of(capsys, monkeypatch, *TINY, *out)
    assert "recipe key gae_lambda: the run" in told_of(capsys, monkeypatch, "--resume", "gae_lambda=0.5", *out)
    assert "goes with neither" in told_of(capsys, monkeypatch, "--resume", "--overwrite", *out)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pt")} == before
    for path in before:
        os.remove(path)
    assert "holds no checkpoint" in told_of(capsys, monkeypatch, "--resume", *out)


@pytest.mark.parametrize("left", ["result.json", "policy.zip", "policy.onnx", "checkpoints/000000000900.pt"])
def test_a_finished_run_is_written_over_only_if_asked_to(tmp_path, capsys, monkeypatch, left):
    (tmp_path / left).parent.mkdir(exist_ok=True)
    (tmp_path / left).write_bytes(b"of an earlier run")
    told = told_of(capsys, monkeypatch, *TINY, "--out", str(tmp_path))
    assert "holds a finished run: --overwrite begins anew, --out names another folder" in told
    assert (tmp_path / left).read_bytes() == b"of an earlier run" and len(list(tmp_path.iterdir())) == 1
    training._begin(tmp_path, True)
    assert not (tmp_path / "result.json").exists() and not checkpoint.checkpoints(tmp_path)


def test_a_run_that_diverges_is_told_in_words(tmp_path, capsys, monkeypatch):
    out = ["--out", str(tmp_path)]
    told = told_of(capsys, monkeypatch, *TINY, "learning_rate=1e30", f"decisions={9 * ROLLOUT}", "checkpoint_every=1", *out)
    assert "training diverged" in told and "lower learning_rate" in told and "decisions is left" in told
    left = last(tmp_path)
    assert all(torch.isfinite(tensor).all() for tensor in left["policy"].values())
