"""`lomber plot`: its numbers are those that a count of the deals' records gives, its pictures show them, mistakes are told."""

import csv
import dataclasses
import io
import json
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from lomber.agents.registry import load_agent
from lomber.envs import LomberError, make_game
from lomber.envs.engine import records
from lomber.training import cli
from lomber.training.evaluate import play_out
from lomber.training.plots import PLOTS, choices, ombre
from lomber.training.plots.run import measure

runner = CliRunner()
CALLS = ("PASS", "ENTRADA", "VUELTA", "SOLO", "CASCO_LESSER", "CASCO_GREATER")


def strength(hand):
    """Of nine names of cards: the docstring's words once more."""
    best = 0
    for suit in "SHDC":
        trumps = [card for card in hand if card[1] == suit or card in ("AS", "AC")]
        matadors = [card for card in hand if card in ("AS", "AC", ("7" if suit in "HD" else "2") + suit)]
        kings = [card for card in hand if card[0] == "K" and card[1] != suit]
        best = max(best, len(trumps) + len(matadors) + 0.6 * len(kings))
    return round(best)


def counted(game, agent, ids, seed):
    """{(by, class, choice): [times, decided, won]} of the records of self-play."""
    tables, _, _ = play_out(game, [agent] * 3, np.arange(ids), seed)
    found = {}
    for i in range(ids):
        record = records.record_of(game, tables.states[i])
        dealer, deck = record.start["dealer"], record.deck
        order = [(dealer + 1 + k) % 3 for k in range(3)]
        calls = [(seat, move) for seat, move in record.moves if move in CALLS]
        given_up, tricks = "SURRENDER" in [move for _, move in record.moves], tables.states[i]["tricks"].tolist()
        bids = [(seat, move) for seat, move in calls if move != "PASS"]
        for place, seat in enumerate(order):
            hand = [deck[9 * part + 3 * place + k] for part in range(3) for k in range(3)]
            own = [move for caller, move in calls if caller == seat]
            bid = max(own, key=CALLS.index, default="PASS")
            played = bid != "PASS" and bids[-1] == (seat, bid)
            classes = (
                ("strength of the hand", min(max(strength(hand), 3), 9)),
                ("place", ("eldest", "middle", "dealer")[place]),
            )
            for by, one in classes:
                told = found.setdefault((by, {3: "to 3", 9: "9 up"}.get(one, str(one)), bid), [0, 0, 0])
                told[0] += 1
                told[1] += played
                told[2] += played and not given_up and tricks[seat] > max(tricks[:seat] + tricks[seat + 1 :])
    return found


@pytest.mark.jit
@pytest.mark.parametrize(
    ("game", "preset", "name"),
    [
        ("ombre", "default", "ombre/heuristic"),
        ("ombre", "default", "random"),
        ("ombre", "espadille_force", "random"),  # one who passed must play
        ("rocambole", None, "random"),
    ],
)
def test_the_numbers_are_those_of_the_records(game, preset, name):
    game = make_game(game, preset, episode="deal")
    agent = load_agent(name, game)
    rows = measure("bids", game, {name: agent}, 600, 5, batch=250)
    told = {(row["by"], row["class"], row["choice"]): [row["times"], row["decided"], row["won"]] for row in rows}
    assert {key: value for key, value in told.items() if value[0]} == counted(game, agent, 600, 5)
    for by in ("strength of the hand", "place"):
        here = [row for row in rows if row["by"] == by]
        assert sum(row["times"] for row in here) == 1800
        hands = Counter({row["class"]: row["hands"] for row in here})
        assert hands.total() == 1800 and all(row["share"] == row["times"] / row["hands"] for row in here)


def test_a_bid_that_is_raised_counts_once_and_a_bid_outbid_is_open():
    game = make_game("ombre")
    states = game.deal(np.arange(40), {"dealer": 2})
    for seat, move in ((0, "ENTRADA"), (1, "VUELTA"), (2, "PASS"), (0, "SOLO")):
        assert states[0]["seat"] == seat
        game.advance(states, [game.action_id(move)], go_on=False)
    states["outcome"] = 0
    by_hand, by_place = ombre.bids(game, states)
    seen = [by_hand.choices[k] for k in by_hand.chosen]
    assert seen == ["SOLO", "VUELTA", "PASS"] and by_hand.won.tolist() == [1, choices.OPEN, choices.OPEN]
    assert by_place.of_class.tolist() == [0, 1, 2]
    states["outcome"] = 1
    assert ombre.bids(game, states)[0].won.tolist() == [0, choices.OPEN, choices.OPEN]


def test_the_interval_is_wilsons():
    assert np.allclose(choices.wilson(8, 10), (0.4902, 0.9433), atol=1e-4)  # Newcombe 1998 and any textbook
    assert choices.wilson(0, 0) == (0, 1) and choices.wilson(0, 50)[0] == 0
    assert np.allclose(choices.wilson(3, 7), [1 - x for x in choices.wilson(4, 7)][::-1])


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_command_writes_a_picture_and_its_numbers(tmp_path, suffix):
    pytest.importorskip("matplotlib")
    out = tmp_path / f"bids{suffix}"
    words = ["plot", "bids", "ombre/heuristic", "random", "--ids", "60", "--seed", "3"]
    done = runner.invoke(cli.app, [*words, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_bytes()[:6] in (b"\x89PNG\r\n", b"<?xml ")
    text = out.with_suffix(".csv").read_text()
    assert text == runner.invoke(cli.app, words).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["agent"] for row in rows} == {"ombre/heuristic", "random"} and tuple(rows[0]) == choices.COLUMNS
    told = json.loads(runner.invoke(cli.app, [*words, "--json"]).stdout)
    assert [str(row["times"]) for row in told] == [row["times"] for row in rows]


def test_the_picture_shows_the_numbers(tmp_path, monkeypatch):
    figure = pytest.importorskip("matplotlib.figure")
    saved = []
    monkeypatch.setattr(figure.Figure, "savefig", lambda self, path, **_: saved.append(self))
    won = np.array([1] * 12 + [0] * 3 + [choices.OPEN] * 5, np.int8)
    two = choices.Choices("hand", ("weak", "good"), ("no", "yes"), np.repeat([1, 0], [15, 5]), np.repeat([1, 0], [15, 5]), won)
    few = dataclasses.replace(two, won=np.full(20, choices.OPEN, np.int8))
    choices.draw(choices.count("a", two) + choices.count("b", few), tmp_path / "x.png", "t")
    shares, other, rates, none = saved[0].axes
    lines = {bars.get_label(): bars.lines[0].get_xydata().tolist() for bars in shares.containers}
    assert lines == {"no": [[0, 1], [1, 0]], "yes": [[0, 0], [1, 1]]}
    assert [bars.lines[0].get_xydata().tolist() for bars in rates.containers] == [[], [[1, 0.8]]]
    assert not any(len(bars.lines[0].get_xydata()) for bars in none.containers) and len(other.containers) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["moves", "ombre/heuristic"], "plot"),
        (["bids", "piquet/heuristic"], "no plot of the bids of piquet: there is one for ombre"),
        (["bids", "ombre/nobody"], "ombre/nobody"),
        (["bids", "ombre/heuristic", "--option", "episode=partie"], "episode=deal, not partie"),
        (["bids", "ombre/heuristic", "--out", "bids.pdf"], ".png or .svg, not 'bids.pdf'"),
        (["bids", "ombre/heuristic", "--out", "nowhere/bids.png"], "there is no folder"),
    ],
)
def test_mistakes_are_told_in_a_line(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lomber", "plot", *words, "--ids", "5"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    error = capsys.readouterr().err
    assert stopped.value.code == 2 and told in error and error.count("\n") == 1


def test_a_number_of_episodes_that_is_none_is_refused():
    game = make_game("ombre")
    with pytest.raises(LomberError, match="ids is the number of episodes"):
        measure("bids", game, {"random": load_agent("random", game)}, 0, 1)


def test_every_plot_is_of_a_game_that_there_is():
    assert all(make_game(name).name == name for games in PLOTS.values() for name in games)
