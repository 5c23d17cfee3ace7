"""A game in the terminal, played by piped lines: what is shown, what is understood, and how it ends."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import lomber.envs
from lomber.agents.random import RandomAgent
from lomber.envs import LomberError, make_game
from lomber.envs.engine import records
from lomber.envs.engine.records import Event
from lomber.training import cli
from lomber.training.play import Play, listing, moves_of, news_of

runner = CliRunner()
FIRST = "1\n" * 60  # more than any deal asks for: the first legal move each time, then no other deal


def played(*words, text=FIRST, game="piquet"):
    result = runner.invoke(cli.app, ["play", game, "--against", "random", *words], input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("seat", ["0", "1"])
def test_a_deal_is_played_to_its_end_in_any_seat(seat):
    shown = played("--seat", seat, "--seed", "4")
    other = 1 - int(seat)
    assert f"You are player_{seat}." in shown and f"random is player_{other}." in shown
    assert "points: you " in shown and f"player_{other} " in shown and "another?" in shown
    assert max(len(line) for line in shown.splitlines() if "[" not in line) <= 80
    ledger = shown[shown.rindex("seats 0 : 1") :]
    assert "play " in ledger and "tricks" in ledger, "the whole ledger stands at the end"


def test_the_same_seed_and_answers_give_the_same_play():
    assert played("--seed", "6") == played("--seed", "6") != played("--seed", "7")
    drawn = played("--seat", "random", text="q\n")
    assert drawn != played("--seat", "random", text="q\n"), "without one a seed is drawn"


def test_a_random_seat_is_drawn_from_the_seed():
    seats = {played("--seat", "random", "--seed", str(seed), text="q\n").split("You are ")[1][:8] for seed in range(8)}
    assert seats == {"player_0", "player_1"}


def test_the_other_seats_cards_are_not_shown():
    """Nothing that is printed before the end names a card that the seat cannot know."""
    shown = played("--seed", "4", text="q\n")
    game = make_game("piquet")
    states = game.begin(seed=4)
    hidden = [game.spec.cards[i] for i in range(32) if states[0]["hand"][1] >> i & 1]
    assert len(hidden) == 12 and not [card for card in hidden if card in shown]
    signs = str.maketrans("SHDC", "♠♥♦♣")
    assert not [card for card in hidden if card.translate(signs).replace("T", "10") in shown]


def test_wrong_input_is_told_and_asked_again():
    lines = ["", "99", "0", "XX", "PLAY:AS", "AS", "loo", "Q", "?", ",", "q"]
    shown = played("--seed", "4", text="\n".join(lines) + "\n")
    for told in (
        "there is no number 99: they go from 1 to 13",
        "there is no number 0",
        "unknown move 'XX'",
        "PLAY:AS: the question is EXCHANGE",
        "DISCARD:AS: AS is not in hand",
        "LOOK: the question is EXCHANGE",
        "'Q' may be DISCARD:QH, DISCARD:QD",
        "a comma is no move",
        "any beginning of it that fits one move only",
        "The rules and all moves: ",
    ):
        assert told in shown, told
    assert shown.count("player_0> ") == len(lines)
    assert shown.count("last\n") == 1, "Enter shows the whole table again"
    assert shown.count("13 PASS") == 1, "the moves are listed once"


def test_end_of_input_and_q_end_it():
    for text in ("", "1\n", "q\n", "1\nquit\n"):
        shown = played("--seed", "4", text=text)
        assert "points:" not in shown and "unknown" not in shown


def test_what_the_other_did_is_told_once():
    shown = played("--seed", "4", text="PASS\n1\nq\n")
    assert shown.count("  player_1: EXCHANGED 5\n") == 1 and "  you: SAW 0=9D" in shown


def test_several_moves_in_a_line_are_numbered_as_listed():
    one, two = (played("--seed", "4", text=text + "q\n") for text in ("1 3 5\n", "DISCARD:9S\nQH\nDISCARD:9H\n"))
    told = "my discards (3): 9♠ Q♥ 9♥"
    assert [told in played("--seed", "4", text=text + "\nq\n") for text in ("1 3 5\n", "9S QH 9H\n")] == [True, True]
    assert one.count("player_0> ") == two.count("player_0> ") - 2


def test_the_rest_of_a_line_is_dropped_at_a_mistake():
    shown = played("--seed", "4", text="9S 9S QH\n\nq\n")
    assert "DISCARD:9S: 9S is not in hand" in shown and "my discards: 9♠\n" in shown


def test_another_deal_is_dealt_for_enter():
    shown = played("--seed", "4", text="1\n" * 30)  # the answer after the deal is no yes
    assert shown.count("points:") == 1 and shown.rstrip().endswith("1")
    answers = shown.count("player_0> ")
    again = played("--seed", "4", text="1\n" * answers + "\n" + "1\n" * 60)
    assert again.count("points:") == 2 and "episode 1" in again and "episode 0" in again


def test_deals_are_recorded_and_replay(tmp_path):
    file = tmp_path / "deal.txt"
    shown = played("--seed", "4", "--record", str(file))
    assert f"recorded in {file}" in shown
    record = records.loads(file.read_text())
    assert record.points is not None and f"you {record.points[0]:+d}, player_1 {record.points[1]:+d}" in shown
    told = " ".join(line for line in shown.splitlines() if line.startswith("  player_1: "))
    assert all(move in told for seat, move in record.moves if seat == 1 and move.startswith("PLAY")), "the last ones too"
    assert str(record) == str(records.record_of(make_game("piquet"), records.replay(record)))
    result = runner.invoke(cli.app, ["replay", str(file)])
    assert result.exit_code == 0 and "[Points" in result.output


def test_no_record_is_written_over(tmp_path):
    file = tmp_path / "deal.json"
    for _ in range(3):
        played("--seed", "4", "--record", str(file), text="1\n1\n")
    assert {path.name for path in tmp_path.iterdir()} == {"deal.json", "deal-2.json", "deal-3.json"}
    (tmp_path / "gone.json").symlink_to(tmp_path / "elsewhere.json")  # stands there, though nothing is behind it
    played("--seed", "4", "--record", str(tmp_path / "gone.json"), text="1\n")
    assert (tmp_path / "gone-2.json").exists() and not (tmp_path / "elsewhere.json").exists()
    begun = records.from_json(json.loads(file.read_text()))
    assert begun.points is None and len(begun.moves) == 2, "what was played of an unfinished deal"
    records.replay(begun)


def test_ctrl_c_while_another_decides_ends_the_line(capsys):
    class Pressed(RandomAgent):
        def act(self, positions):
            raise KeyboardInterrupt

    Play(make_game("piquet"), Pressed(), 1, 4, read=lambda _: "1").run()
    assert capsys.readouterr().out.endswith("\n\n")


def test_nothing_played_is_no_record(tmp_path):
    played("--seed", "4", "--record", str(tmp_path / "deal.txt"), text="q\n")
    assert not list(tmp_path.iterdir())


def test_a_partie_goes_on_to_its_next_deal(tmp_path):
    shown = played("--seed", "4", "--option", "episode=partie", "--preset", "cent", "--record", str(tmp_path / "d.txt"))
    assert "deal 2" in shown and shown.count("points:") >= 1 and "episode 1" not in shown
    assert records.loads((tmp_path / "d.txt").read_text()).deal == 0


def test_games_of_more_seats_and_other_names_are_played_too(toys, capsys):
    for name in ("solo", "low"):
        game = lomber.envs.make_game(name, episode="partie")
        lines = iter(["1"] * 500)
        Play(game, RandomAgent(), game.seats - 1, 3, read=lambda _, lines=lines: next(lines)).run()
        shown = capsys.readouterr().out
        assert "points: you" in shown and f"You are player_{game.seats - 1}." in shown


class First:
    """Plays the first legal action."""

    name, seed, wants_view = "first", 0, False

    def act(self, positions):
        return positions.action_mask.argmax(axis=1)


def test_every_deal_is_told_anew(capsys):
    lines = iter(["1"] * 500)
    Play(make_game("piquet", "korolik_literal", episode="partie"), First(), 0, 3, read=lambda _: next(lines)).run()
    shown = capsys.readouterr().out
    assert shown.count("points: ") > 2 and shown.count("player_1: EXCHANGED") == shown.count("points: ")


def test_the_seat_is_drawn_anew_for_every_episode():
    play = Play(make_game("piquet"), First(), "random", 3, read=lambda _: "1")
    seats = []
    for episode in range(6):
        play._episode(episode)
        seats.append(play.me)
    assert set(seats) == {0, 1}


def test_a_whole_name_goes_before_a_beginning():
    game = SimpleNamespace(actions=("GO", "GO:A", "GO:AB", "STAY:B"))
    assert [moves_of(word, game, [0, 1, 2]) for word in ("go", "a", "ab")] == [[0], [1], [2]]
    assert moves_of("b", game, [3]) == [3]


def test_names_with_blanks_are_understood(solo):
    legal = list(range(solo.num_actions))
    with_blank = [name for name in solo.actions if " " in name]
    assert with_blank and all(moves_of(name.lower(), solo, legal) == [solo.action_id(name)] for name in with_blank)


def test_every_legal_move_is_understood_by_number_name_and_tail():
    game, rng = make_game("piquet"), np.random.default_rng(1)
    states = game.begin(seed=5)
    while states[0]["stage"] == 0:
        legal = np.flatnonzero(game.legal(states)[0]).tolist()
        for number, action in enumerate(legal, 1):
            name = game.actions[action]
            assert moves_of(str(number), game, legal) == moves_of(name.lower(), game, legal) == [action]
            if ":" in name and sum(game.actions[a].endswith(name.partition(":")[2]) for a in legal) == 1:
                assert moves_of(name.partition(":")[2], game, legal) == [action]
        game.advance(states, [rng.choice(legal)])


def test_the_listing_numbers_every_move_in_80_columns():
    names = [f"PLAY:{i}{'S' * (i % 7)}" for i in range(40)] + ["PASS", "solo H", "solo C"]
    lines = listing(names)
    words = " ".join(lines).split()
    assert max(map(len, lines)) <= 80 and [w for w in words if w.isdecimal() and int(w) == 43]
    assert sum(line.startswith(" PLAY") for line in lines) == 1 and "PASS" in words


def test_news_are_what_came_between_and_behind():
    a, b, c = Event(0, "A"), Event(1, "B"), Event(0, "C")
    assert news_of([a, c], [a, b, c, a]) == [b, a] and news_of([], [a]) == [a] and news_of([a], [a]) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "piquett"], "did you mean piquet"),
        (["play", "piquet", "--against", "randm"], "did you mean random"),
        (["play", "piquet", "--seat", "2"], "seat is 0..1"),
        (["play", "piquet", "--seat", "left"], "seat is 0..1"),
        (["play", "piquet", "--preset", "rubikon"], "did you mean rubicon"),
        (["play", "piquet", "--option", "episode=party"], "partie"),
        (["play", "piquet", "--option", "episode"], "an option is KEY=VALUE"),
        (["play", "piquet", "--record", "no-such-folder/deal.txt"], "there is no folder"),
        (["play", "piquet", "--against", "no-such.onnx"], "there is no file no-such"),
    ],
)
def test_mistakes_are_told_in_one_line_before_anything_is_dealt(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lomber", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    seen = capsys.readouterr()
    assert stopped.value.code == 2 and told in seen.err and seen.err.count("\n") == 1 and not seen.out


def test_input_that_is_no_text_is_no_move():
    command = [sys.executable, "-m", "lomber.training.cli", "play", "piquet"]
    done = subprocess.run(command, input=b"\xff\nq\n", capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0 and b"unknown move" in done.stdout and not done.stderr


def test_letters_that_a_terminal_cannot_show_are_not_printed():
    command = [
        sys.executable,
        "-X",
        "utf8=0",
        "-m",
        "lomber.training.cli",
        "play",
        "piquet",
        "--against",
        "random",
        "--seed",
        "4",
    ]
    done = subprocess.run(command, input=b"\n1 3\nq\n", capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and b"9S 7S QH TH" in done.stdout, done.stderr


def test_a_play_can_be_interrupted(capsys):
    def read(_):
        raise KeyboardInterrupt

    Play(make_game("piquet"), RandomAgent(), 0, 3, read=read).run()
    shown = capsys.readouterr().out
    assert "points: " not in shown and shown.endswith("13 PASS\n\n"), "the line of the prompt is left"


def test_moves_that_mean_nothing_are_errors():
    game = make_game("piquet")
    for line in (",", "SEQ", "1 2 nothing", "-1", "9" * 5000):
        with pytest.raises(LomberError):
            moves_of(line, game, [0, 1])
