"""The command line: what it prints, and that every mistake is one line that names what would be right."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lomber.envs import LomberError, make_game
from lomber.envs.engine import records
from lomber.training import cli

runner = CliRunner()


@pytest.fixture
def deal():
    """A finished deal played at random."""
    game, rng = make_game("piquet"), np.random.default_rng(4)
    states = game.begin(seed=4)
    while states[0]["stage"] == 0:
        game.advance(states, [rng.choice(np.flatnonzero(game.legal(states)[0]))])
    return game, states


def test_games_lists_every_game():
    result = runner.invoke(cli.app, ["games"], env={"COLUMNS": "200"})
    assert result.exit_code == 0 and "piquet_v0" in result.output and "korolik_literal" in result.output


def test_replay_shows_records_and_views(deal, tmp_path):
    game, states = deal
    record = records.record_of(game, states)
    file = tmp_path / "deal.txt"
    file.write_text(str(record))
    shown = runner.invoke(cli.app, ["replay", str(file)])
    assert shown.exit_code == 0 and shown.output.startswith(str(record))
    as_json = runner.invoke(cli.app, ["replay", str(file), "--json"])
    assert records.from_json(json.loads(as_json.output)) == record
    part = runner.invoke(cli.app, ["replay", "-", "--until", "3"], input=json.dumps(record.to_json()))
    assert part.exit_code == 0 and record.moves[-1][1] not in part.output.split("[Deck")[1].split("\n\n")[1]
    view = records.view_of(game, states, 1)
    assert runner.invoke(cli.app, ["replay", "-"], input=str(view)).output.startswith(str(view))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "piquett"], "did you mean piquet"),
        (["warm", "whist"], "unknown game 'whist'"),
        (["replay", "no-such-file"], "No such file"),
        (["train", "piquet", "decision=5"], "did you mean decisions"),
        (["train", "piquet", "decisions=-5"], "recipe key decisions"),
        (["train", "piquet", "decisions"], "key=value"),
    ],
)
def test_mistakes_are_told_in_one_line(words, told, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["lomber", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    errors = capsys.readouterr().err
    assert stopped.value.code == 2 and told in errors and errors.count("\n") == 1


def test_a_broken_record_names_its_move(deal):
    game, states = deal
    record = records.record_of(game, states)
    broken = str(record).replace(f"{record.moves[0][0]}:{record.moves[0][1]}", "0:PLAY:AS", 1)
    with pytest.raises(LomberError, match="move 1, 0:PLAY:AS"):
        records.replay(records.loads(broken))


def test_a_small_training_leaves_its_files(tmp_path):
    pytest.importorskip("sb3_contrib")
    from lomber.training.recipe import load_recipe
    from lomber.training.train import train

    overrides = ["decisions=512", "tables=32", "steps=8", "batch=64", "net=[16]", "curve_ids=8", "final_ids=8"]
    result = train(load_recipe("piquet", overrides), tmp_path)
    assert result.n == 8 and result.seatings == 2 and result.interval[0] <= result.mean <= result.interval[1]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"policy.zip", "recipe.yaml", "metrics.csv", "curve.png", "result.json", "tensorboard"}
