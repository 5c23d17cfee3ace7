"""Advice on a view is the move at the table; what contradicts itself is refused with what cannot be."""

import json

import numpy as np
import pytest
from phases import decisions_by_phase
from typer.testing import CliRunner

from lomber.agents.abstracted import Abstracted
from lomber.agents.advice import key_of, position_of
from lomber.agents.base import BaseAgent
from lomber.agents.random import RandomAgent
from lomber.agents.registry import load_agent
from lomber.envs import GAMES, LomberError, RecordError, make_game
from lomber.envs.engine import records
from lomber.envs.engine.jit import COMPILED
from lomber.training.cli import app, main

AGENTS = ("random", "heuristic", "search:worlds=4", "search:worlds=4,caution=0") if COMPILED else ("random", "heuristic")


def views(name, seed=1):
    """(state before, view of the seat to act) of each decision of a deal played at random."""
    game, rng = make_game(name), np.random.default_rng(seed)
    states = game.begin(seed)
    while states[0]["stage"] == 0:
        seat = int(states[0]["seat"])
        yield game, states.copy(), records.view_of(game, states, seat)
        game.advance(states, [rng.choice(np.flatnonzero(game.legal(states)[0]))], go_on=False)


@pytest.mark.parametrize("name", GAMES)
def test_advice_is_the_move_at_the_table_in_every_phase(name):
    asked = [(game, states, view) for seed in range(4 if COMPILED else 1) for game, states, view in views(name, seed)]
    for game, states in decisions_by_phase(name, 2 if COMPILED else 1):
        asked.append((game, states, records.view_of(game, states, int(states[0]["seat"]))))
    for game, states, view in asked:
        at_table = position_of(game, game.hide(states, np.array(states["seat"])), 77)
        for kind in AGENTS:
            agent = load_agent(kind if kind == "random" else f"{name}/{kind}", game, 3)
            for read in (records.loads(str(view)), records.loads(json.dumps(view.to_json()))):
                advice = agent.advise(read, key=77)
                assert game.action_id(advice.move) == agent.act(at_table)[0]
                rated = set(game.legal_names(states))
                if isinstance(agent, Abstracted):
                    choices = np.flatnonzero(game.abstracted.legal(states)[0])
                    rated = {game.actions[game.abstracted.meant(states, choice)[0]] for choice in choices}
                assert set(advice.ratings) == rated
            if advice.rated == "probability":
                assert sum(advice.ratings.values()) == pytest.approx(1) and advice.ratings[advice.move] > 0
            elif kind.endswith("caution=0"):
                assert advice.move == next(iter(advice.ratings))
            assert agent.advise(view) == agent.advise(view)


def test_an_agent_that_tells_no_probabilities_gives_its_move():
    class First(BaseAgent):
        def act(self, positions):
            return positions.action_mask.argmax(axis=1)

    for game, states, view in views("piquet"):
        advice = First().advise(view)
        assert (advice.move, advice.rated, advice.ratings) == (game.legal_names(states)[0], "", {})


@pytest.mark.parametrize("action", [2, -1, 10**6])
def test_advice_that_is_no_legal_move_names_the_agent(action):
    class Wrong(BaseAgent):
        name = "mine"

        def act(self, positions):
            return np.full(len(positions), action)

    game = make_game("piquet")
    view = records.view_of(game, game.begin(1), int(game.begin(1)[0]["seat"]))
    assert game.legal(game.begin(1))[0, 2] == 0
    with pytest.raises(LomberError, match=f"mine gives the action {action}, which is not legal here"):
        Wrong().advise(view)


def test_a_search_that_the_clock_ends_is_made_once():
    """Its move is the best of the values that it tells, and they rest on the worlds that it tells."""
    for game, _, view in list(views("ombre"))[:4]:
        agent, calls = load_agent("ombre/search:worlds=40,milliseconds=5,caution=0", game), []
        search = agent._search
        agent._search = lambda *asked, search=search, calls=calls: calls.append(1) or search(*asked)
        advice = agent.advise(view)
        assert len(calls) == 1 and advice.move == next(iter(advice.ratings)) and advice.rated == "value"
        assert set(advice.details) == {"worlds", "candidates", "effective", "solved"}
        assert 16 <= advice.details["worlds"] <= 48 and 1 <= advice.details["effective"] <= advice.details["candidates"]


def test_the_key_depends_on_the_view_and_the_seed():
    keys = set()
    for game, states, _ in views("ombre"):
        hidden = game.hide(states, states["seat"])
        keys |= {key_of(hidden, 1), key_of(hidden, 2)}
    assert len(keys) % 2 == 0 and len(keys) > 4


def seen(name="ombre", seed=1):
    """A view in the middle of a deal, as JSON."""
    *_, (_, _, view) = list(views(name, seed))[:12]
    return view.to_json()


def changed(data, event, text):
    data["events"][event][1] = text
    return data


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: changed(d, 0, "DEALT AS AS 3S 4S 5S 6S 7S KS 2H"), "event 1"),
        (lambda d: changed(d, 1, "SOLO SOLO"), "event 2"),
        (lambda d: {**d, "events": [d["events"][0], [(d["events"][1][0] + 1) % 3, "PASS"]]}, "is to act"),
        (lambda d: {**d, "events": d["events"][:1] + [[d["events"][1][0], "CASCO_GREATER"]]}, "event 2"),
        (lambda d: {**d, "events": [*d["events"], [d["seat"], "SHOWED AS 2S 3S 4S"]]}, "event"),
        (lambda d: {**d, "seat": 3}, "seats"),
        (lambda d: {**d, "events": []}, "begins with"),
    ],
    ids=["a card twice", "no such call", "out of turn", "an illegal call", "a hidden card shown", "no such seat", "nothing"],
)
def test_a_view_that_cannot_be_is_refused_with_the_reason(change, told):
    with pytest.raises(RecordError, match=told):
        RandomAgent().advise(records.from_json(change(seen())))


def test_whose_turn_it_is_not_gets_no_advice():
    for game, states, _ in views("ombre"):
        other = (int(states[0]["seat"]) + 1) % 3
        with pytest.raises(RecordError, match="is not to act"):
            RandomAgent().advise(records.view_of(game, states, other))
    with pytest.raises(LomberError, match="the view is of"):
        load_agent("piquet/heuristic", make_game("piquet")).advise(records.view_of(game, states, 0))


def test_a_finished_deal_gets_no_advice():
    game = make_game("ombre")
    states = game.begin(1)
    while states[0]["stage"] == 0:
        game.advance(states, [game.legal_names(states)[0]])
    with pytest.raises(RecordError, match="over"):
        RandomAgent().advise(records.view_of(game, states, 0))


def test_the_command_reads_text_and_json_and_writes_both(tmp_path):
    *_, (game, _, view) = list(views("ombre"))[:3]
    legal = game.legal_names(records.from_view(view))
    for text in (str(view), json.dumps(view.to_json())):
        (tmp_path / "view").write_text(text)
        plain = CliRunner().invoke(app, ["advise", str(tmp_path / "view"), "--agent", "random"])
        assert plain.exit_code == 0 and plain.output.splitlines()[0] in legal
        told = CliRunner().invoke(app, ["advise", "-", "--json"], input=text)
        data = json.loads(told.output)
        assert data["move"] in data["ratings"] and data["rated"] == "probability"
        searched = CliRunner().invoke(app, ["advise", "-", "--agent", "ombre/search:worlds=3"], input=text)
        assert searched.output.splitlines()[-1].startswith("  worlds 3, candidates ")


@pytest.mark.parametrize("command", ["advise", "replay"])
def test_a_file_that_cannot_be_read_is_named_with_the_reason(command, tmp_path, monkeypatch, capsys):
    for file, reason in ((tmp_path / "none", "No such file or directory"), (tmp_path, "Is a directory")):
        monkeypatch.setattr("sys.argv", ["lomber", command, str(file)])
        with pytest.raises(SystemExit) as error:
            main()
        assert error.value.code == 2 and capsys.readouterr().err == f"lomber: {file}: {reason}\n"


@pytest.mark.parametrize("text", ["", "nonsense", "{}"])
def test_the_command_refuses_what_is_no_view(tmp_path, text):
    (tmp_path / "view").write_text(text)
    assert CliRunner().invoke(app, ["advise", str(tmp_path / "view")]).exit_code


@pytest.mark.parametrize("name", ["ombre/search:worlds=x", "ombre/search:world=3", "random:x=1", "ombre/search:worlds"])
def test_settings_that_an_agent_does_not_take_are_refused(name):
    with pytest.raises(LomberError):
        load_agent(name, make_game("ombre"))
