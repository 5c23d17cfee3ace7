"""Measured figures: what `lomber measure` notes is what evaluate says, goes on where it was, and `lomber agents` tells it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lomber.agents.listing import STRENGTHS, list_agents, read_measured
from lomber.agents.random import RandomAgent
from lomber.agents.registry import POLICIES, agent_names, load_agent
from lomber.envs import GAMES, LomberError, make_game
from lomber.training import cli, ladder, measure
from lomber.training.evaluate import evaluate

FIGURES = {"opponent", "mean", "half", "ids", "seed", "preset", "options", "machine", "date"}
SPEED = {"load_ms", "move_us", "moves", "preset", "options", "machine", "date"}


@pytest.fixture
def quick(monkeypatch):
    """No move is timed, and no loading: the tests below look at these."""
    monkeypatch.setattr(measure, "time_loading", lambda game, name: 45.4)
    monkeypatch.setattr(measure, "time_moves", lambda game, agent, seed: (12.3456, 7))


def run(file, *words):
    done = CliRunner().invoke(cli.app, ["measure", *words, "--out", str(file)])
    assert done.exit_code == 0, done.output
    return done.output


def test_what_is_noted_is_what_an_evaluation_says(quick, tmp_path):
    file, game = tmp_path / "figures.json", make_game("rocambole", episode="deal")
    run(file, "rocambole/heuristic", "--ids", "6", "--seed", "4")
    told = json.loads(file.read_text())
    assert list(told) == ["rocambole"] and list(told["rocambole"]) == ["rocambole/heuristic"]
    (figure,) = told["rocambole"]["rocambole/heuristic"]["strength"]  # it is no opponent of its own
    result = evaluate(game, load_agent("rocambole/heuristic", game), RandomAgent(1), 6, 4)
    assert set(figure) == FIGURES and figure["options"] == {"episode": "deal"} and figure["preset"] == game.preset
    assert (figure["opponent"], figure["ids"], figure["seed"]) == ("random", 6, 4)
    assert figure["mean"] == round(result.mean, 4)
    assert figure["half"] == pytest.approx((result.interval[1] - result.interval[0]) / 2, abs=1e-4)
    speed = told["rocambole"]["rocambole/heuristic"]["speed"]
    assert set(speed) == SPEED and (speed["move_us"], speed["moves"]) == (12.3, 7) and speed["load_ms"] == 45
    assert file.read_text().count("\n") < 20, "a line a figure"


def test_only_what_is_not_there_is_measured(quick, tmp_path):
    file = tmp_path / "figures.json"
    words = ["random", "--game", "piquet", "--ids", "6"]
    assert "against piquet/heuristic, 6 ids" in run(file, *words)
    assert run(file, *words) == "" == run(file, "random", "--game", "piquet", "--ids", "5"), "fewer ids tell no more"
    before = read_measured(file)["piquet"]["random"]["strength"]
    for more in (["--ids", "7"], ["--seed", "2"], ["--preset", "cent"], ["--option", "show_equal=true"], ["--again"]):
        assert "against piquet/heuristic" in run(file, *words, *more), more
        run(file, *words, "--again")
    after = read_measured(file)["piquet"]["random"]["strength"]
    assert after == before, "a new figure takes the old one's place, and the same words give the same figure"
    run(file, "ombre/heuristic", "--ids", "2")
    run(file, "piquet/heuristic", "--ids", "2")
    assert {game: list(agents) for game, agents in read_measured(file).items()} == {
        "piquet": ["random", "piquet/heuristic"],
        "ombre": ["ombre/heuristic"],
    }
    run(file, "bouillotte/rock", "--ids", "2", "--against", "random")
    run(file, "bouillotte/rock", "--ids", "2", "--against", "bouillotte/maniac")
    told = read_measured(file)["bouillotte"]["bouillotte/rock"]["strength"]
    assert [one["opponent"] for one in told] == ["random", "bouillotte/maniac"]


def test_what_another_process_notes_meanwhile_is_kept(quick, tmp_path, monkeypatch):
    """While the moves of an agent are timed, and its figure is played."""
    file = tmp_path / "figures.json"

    def meanwhile(game, name):
        monkeypatch.setattr(measure, "time_loading", lambda game, name: 45.4)
        run(file, "piquet/heuristic", "--ids", "6", "--seed", "2")
        return 45.4

    monkeypatch.setattr(measure, "time_loading", meanwhile)
    run(file, "piquet/heuristic", "--ids", "6")
    told = read_measured(file)["piquet"]["piquet/heuristic"]
    assert [one["seed"] for one in told["strength"]] == [2] and "speed" in told


@pytest.fixture
def stopped(monkeypatch):
    """A list of (opponent, first id, ids) of the parts played; the part at the place that is put into it first is stopped."""
    played = []

    def evaluated(game, agent, opponent, ids, seed, first):
        played.append((opponent.name, first, ids))
        if played[0] == len(played) - 1:
            raise KeyboardInterrupt
        return evaluate(game, agent, opponent, ids, seed, first=first)

    monkeypatch.setattr(measure, "evaluate", evaluated)
    return played


def test_figures_that_are_there_are_kept_when_the_next_is_stopped(quick, tmp_path, stopped):
    file, words = tmp_path / "figures.json", ["measure", "bouillotte/rock", "--ids", "2", "--out"]
    stopped.append(2)
    assert CliRunner().invoke(cli.app, [*words, str(file)]).exit_code == 130
    noted = read_measured(file)["bouillotte"]["bouillotte/rock"]
    assert [one["opponent"] for one in noted["strength"]] == ["random"] and "speed" not in noted
    run(file, *words[1:-1])
    assert stopped[1:] == [("random", 0, 2), ("bouillotte/heuristic", 0, 2), ("bouillotte/heuristic", 0, 2)]
    noted = read_measured(file)["bouillotte"]["bouillotte/rock"]
    assert [one["opponent"] for one in noted["strength"]] == ["random", "bouillotte/heuristic"] and "speed" in noted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json"]


def test_a_figure_goes_on_where_it_was_stopped(quick, tmp_path, stopped):
    file, whole = tmp_path / "figures.json", tmp_path / "whole.json"
    words = ["ombre/heuristic", "--against", "random", "--seed", "3", "--ids", "31"]
    stopped.append(4)
    assert CliRunner().invoke(cli.app, ["measure", *words, "--out", str(file)]).exit_code == 130
    (figure,) = read_measured(file)["ombre"]["ombre/heuristic"]["strength"]
    assert (figure["ids"], figure["of"]) == (14, 31) and set(figure) == FIGURES | {"of"}
    game = make_game("ombre")
    half_way = evaluate(game, load_agent("ombre/heuristic", game), RandomAgent(1), 14, 3)
    assert figure["mean"] == pytest.approx(half_way.mean)
    assert figure["half"] == pytest.approx(half_way.interval[1] - half_way.mean)
    row = next(row for row in list_agents(game, file=file) if row["name"] == "ombre/heuristic")
    assert ladder.show([row]).splitlines()[1].endswith("against random (14 of 31 ids)")
    run(file, *words)
    assert [first for _, first, _ in stopped[1:]] == [0, 2, 6, 14, 14, 16, 20, 28] and stopped[-1][2] == 3
    run(whole, *words)
    assert read_measured(file) == read_measured(whole)
    result = evaluate(game, load_agent("ombre/heuristic", game), RandomAgent(1), 31, 3)
    (figure,) = read_measured(file)["ombre"]["ombre/heuristic"]["strength"]
    assert figure["mean"] == round(result.mean, 4) and figure["half"] == round(result.interval[1] - result.mean, 4)


@pytest.mark.parametrize("again", [["--again"], ["--ids", "20"], ["--seed", "2"]])
def test_a_figure_stands_until_the_next_is_whole(quick, tmp_path, stopped, again):
    file, words = tmp_path / "figures.json", ["random", "--game", "piquet", "--ids", "10"]
    run(file, *words)
    (before,) = read_measured(file)["piquet"]["random"]["strength"]
    stopped[:] = [3]
    assert CliRunner().invoke(cli.app, ["measure", *words, *again, "--out", str(file)]).exit_code == 130
    kept, begun = read_measured(file)["piquet"]["random"]["strength"]
    assert kept == before and "of" in begun
    assert run(file, *words) == "", "what was begun hides no figure that is whole"
    run(file, *words, *again)
    (after,) = read_measured(file)["piquet"]["random"]["strength"]
    assert "of" not in after and (after == before) == (again == ["--again"])


def test_what_was_begun_may_be_enough(quick, tmp_path, stopped):
    file, words = tmp_path / "figures.json", ["random", "--game", "piquet", "--ids"]
    stopped.append(3)
    assert CliRunner().invoke(cli.app, ["measure", *words, "10", "--out", str(file)]).exit_code == 130
    assert "6 ids" in run(file, *words, "5") and len(stopped) == 4
    (figure,) = read_measured(file)["piquet"]["random"]["strength"]
    assert figure["ids"] == 6 and "of" not in figure


@pytest.mark.parametrize("name", ["runs/piquet", "piquet/heuristik", "./random"])
def test_only_names_are_measured(tmp_path, name):
    with pytest.raises(LomberError, match="agents are measured by their names"):
        measure.measure(name, make_game("piquet"), ["random"], 2, 1, tmp_path / "x.json", False)
    assert not list(tmp_path.iterdir())


def test_where_all_are_measured_each_plays_what_it_does_by_its_name(monkeypatch, tmp_path):
    measured = []
    monkeypatch.setattr(measure, "measure", lambda name, game, *_: measured.append((name, game)))
    run(tmp_path / "x.json")
    every = dict(measured)
    measured.clear()
    run(tmp_path / "x.json", *POLICIES)
    assert dict(measured) == {name: every[name] for name in POLICIES} and "random" in every


def test_moves_are_timed_one_by_one():
    game, sizes = make_game("piquet"), []

    class Watched(RandomAgent):
        def act(self, positions):
            sizes.append(len(positions))
            return super().act(positions)

    median, moves = measure.time_moves(game, Watched(), 1, moves=30)
    assert set(sizes) == {1} and len(sizes) == moves >= 30 and 0 < median < 1e6


def test_the_clock_of_a_move_is_the_agents_alone(monkeypatch):
    now = iter(range(0, 10**9, 5000))
    monkeypatch.setattr(measure.time, "process_time_ns", lambda: next(now))
    assert measure.time_moves(make_game("piquet"), RandomAgent(), 1, moves=10)[0] == 5.0


def test_loading_is_timed_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(measure, "LOADS", 1)
    assert measure.time_loading(make_game("piquet"), "random") > 0
    with pytest.raises(LomberError, match="piquet/heuristik did not load: .*did you mean"):
        measure.time_loading(make_game("piquet"), "piquet/heuristik")


def figure(opponent, mean):
    return {"opponent": opponent, "mean": mean, "half": 0.5, "ids": 9, "seed": 1, "machine": "m"}


def test_the_list_tells_what_was_measured_and_what_was_not(tmp_path):
    file, game = tmp_path / "figures.json", make_game("ombre")
    measured = {
        "ombre/heuristic": {"strength": [figure("random", 12.0)], "speed": {"load_ms": 80, "move_us": 6.1}},
        "ombre/search:worlds=7": {"strength": [figure("random", 13.0), figure("ombre/heuristic", -1.25)]},
        "ombre/gone": {"strength": [figure("random", 99.0)]},
    }
    file.write_text(json.dumps({"piquet": {"random": {"strength": [figure("random", 77.0)]}}, "ombre": measured}))
    rows = list_agents(game, file=file)
    assert [row["name"] for row in rows] == [*agent_names(game), "ombre/search:worlds=7"]
    of = {row["name"]: row for row in rows}
    assert of["random"]["strength"] == [] and of["random"]["move_us"] is None
    assert of["ombre/ppo"]["strength"][0]["ids"] == 10_000, "of a policy its JSON tells"
    assert of["ombre/search"]["settings"]["worlds"] == 100 and of["ombre/ppo"]["bytes"] > 10_000
    shown = {line.split()[0]: line for line in ladder.show(rows).splitlines()}
    assert shown["random"].endswith("not measured") and "99.00" not in str(shown) and "77.00" not in str(shown)
    assert "6.1 us" in shown["ombre/heuristic"] and "80 ms" in shown["ombre/heuristic"]
    assert shown["ombre/search:worlds=7"].endswith("+13.00 +-0.50 against random; -1.25 +-0.50 against ombre/heuristic")
    json.dumps(rows)
    assert of["ombre/search"]["strength"] == []
    measured["ombre/search:worlds=100"] = {"strength": [figure("random", 14.0)], "speed": {"load_ms": 90, "move_us": 1234}}
    file.write_text(json.dumps({"ombre": measured}))
    rows = [row for row in list_agents(game, file=file) if row["name"].startswith("ombre/search")]
    assert [row["strength"][0]["mean"] for row in rows] == [14.0, 13.0, 14.0], "without settings it is the one of 100 worlds"


@pytest.mark.parametrize("text", ["", "[", "[]", "3", '{"piquet": 3}', '{"piquet": {"random": []}}', "\xff"])
def test_a_file_of_something_else_is_told(tmp_path, text):
    (tmp_path / "x.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(LomberError, match="x.json is no file that lomber measure has written"):
        list_agents(make_game("piquet"), file=tmp_path / "x.json")


@pytest.mark.parametrize("name", GAMES)
def test_the_figures_that_come_with_lomber_are_of_its_agents(name):
    """None of a run too small to say something; the ladder's first step is clear of zero."""
    told = read_measured(STRENGTHS)[name]
    for agent, noted in told.items():
        game = make_game(name, noted["speed"]["preset"], **noted["speed"]["options"])
        assert agent.partition(":")[0] in agent_names(game) and set(noted["speed"]) == SPEED
        for one in noted["strength"]:
            assert one["opponent"].partition(":")[0] in agent_names(make_game(name, one["preset"], **one["options"]))
            assert set(one) == FIGURES and one["ids"] >= 100 and one["half"] > 0 and np.isfinite(one["mean"])
        if not agent.startswith(f"{name}/search"):
            assert noted["speed"]["load_ms"] < 300 and noted["speed"]["move_us"] < 1000, "what is promised of all but search"
    (first,) = [one for one in told[f"{name}/heuristic"]["strength"] if one["opponent"] == "random"]
    assert first["mean"] - first["half"] > 0 and first["ids"] >= 2000
