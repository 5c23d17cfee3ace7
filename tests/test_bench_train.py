"""`lomber bench train`: what it counts and prints. No test asserts a time."""

import json

import pytest
from typer.testing import CliRunner

from lomber.envs import make_game
from lomber.training import cli

pytest.importorskip("sb3_contrib")

import torch

from lomber.training import bench_train
from lomber.training import train as training
from lomber.training.recipe import load_recipe

TINY = ["tables=8", "steps=8", "batch=32", "net=[8]"]
runner = CliRunner()


@pytest.fixture
def ticks(monkeypatch):
    """A clock that goes on by one whenever it is read."""
    now = iter(range(10**9))
    monkeypatch.setattr(bench_train.time, "process_time", lambda: float(next(now)))


def test_what_a_part_calls_counts_for_the_inner_part(ticks):
    clock = bench_train.Clock()
    inner = clock.watched("inner", lambda: None)
    items = clock.watched("items", lambda: iter([1, 2]))
    with clock.part("outer"):
        inner()
        assert list(items()) == [1, 2]
    assert dict(clock.spent) == {"outer": 6.0, "inner": 1.0, "items": 4.0}
    assert clock.shares() == {"outer": 6 / 11, "items": 4 / 11, "inner": 1 / 11}


def test_learning_is_watched_and_left_as_it_was():
    recipe = load_recipe("piquet", TINY)
    game = make_game("piquet")

    def learnt(watched):
        model = training.build_model(recipe, training.build_env(recipe, game))
        model.set_logger(training.Logger(None, []))
        clock = bench_train.Clock()
        if watched:
            with bench_train.watching(clock, model), clock.part(bench_train.REST):
                model.learn(128)
        else:
            model.learn(128)
        assert "forward" not in vars(model.policy) and "step" not in vars(model.get_env())
        return clock, [p.clone() for p in model.policy.parameters()]

    backward = torch.Tensor.backward
    (clock, one), (_, two) = learnt(True), learnt(False)
    assert torch.Tensor.backward is backward
    assert all(torch.equal(a, b) for a, b in zip(one, two, strict=True))
    parts = {"inference", "tables", "buffer", "advantages", "drawing batches", "update: network", "update: gradient"}
    assert parts < set(clock.spent) and abs(sum(clock.shares().values()) - 1) < 1e-9


def test_the_bound_does_as_many_steps_and_batches_as_learning(monkeypatch):
    recipe = load_recipe("piquet", [*TINY, "epochs=3"])
    model = training.build_model(recipe, training.build_env(recipe, make_game("piquet")))
    bound, calls, before = bench_train.Bound(model), [], [p.clone() for p in model.policy.parameters()]
    forward, judge = model.policy.forward, model.policy.evaluate_actions
    monkeypatch.setattr(model.policy, "forward", lambda o, **k: (calls.append(("act", len(o))), forward(o, **k))[1])
    monkeypatch.setattr(
        model.policy, "evaluate_actions", lambda o, *a, **k: (calls.append(("learn", len(o))), judge(o, *a, **k))[1]
    )
    assert bound.rollout() == 64
    assert calls == [("act", 8)] * 8 + [("learn", 32)] * 2 * 3
    assert not all(torch.equal(a, b) for a, b in zip(before, model.policy.parameters(), strict=True))


def test_the_command_prints_figures_and_parts():
    result = runner.invoke(cli.app, ["bench", "train", "piquet", *TINY, "--seconds", "0.01"])
    assert result.exit_code == 0, result.output
    for words in ("of the bound", "75%", "where its time goes", "inference", "update: gradient", "8 tables x 8 steps"):
        assert words in result.output
    result = runner.invoke(cli.app, ["bench", "train", *TINY, "critic=state", "--seconds", "0.01", "--json"])
    told = json.loads(result.output)
    assert told["ratio"] > 0 and told["learn"] > 0 and told["aim"] == 0.75 and told["recipe"]["critic"] == "state"
    assert abs(sum(told["shares"].values()) - 1) < 1e-9


@pytest.mark.parametrize(
    ("words", "told"), [(["whist"], "unknown game"), (["nets=[8]"], "did you mean net"), (["--peers"], "no peers")]
)
def test_mistakes_are_told(words, told, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["lomber", "bench", "train", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2 and told in capsys.readouterr().err
