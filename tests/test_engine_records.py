"""Records and views as text and JSON: round trips, replays with and without forced moves, and errors that name the move."""

import json
from dataclasses import replace

import laws
import pytest

import lomber.envs
from lomber.envs import GAMES, LomberError, RecordError, make_game
from lomber.envs.engine import records
from lomber.envs.engine.state import RUNNING

DECK = ["AS", "KH", "QD", "KS", "QS", "AH", "AD", "KD", "QH", "AC", "KC", "QC"]
MOVES = "0:solo+S 0:lay+QD 0:AS 1:KS 2:AD 0:KH 1:AH 2:QH 1:QS 2:KD 0:AC"


@pytest.fixture
def record(solo):
    """A finished deal: seat 0 plays alone in spades, takes one trick of three, and loses."""
    moves = tuple((int(word[0]), word[2:].replace("+", " ")) for word in MOVES.split())
    return records.Record("solo", "plain", {"episode": "partie"}, 0, 0, {"dealer": 2, "points": [0, 0, 0]}, tuple(DECK), moves)


def test_a_record_is_text_that_reads_like_the_deal(record):
    finished = records.record_of(lomber.envs.make_game("solo", episode="partie"), records.replay(record))
    assert finished == replace(record, points=(-2, 1, 1))
    assert str(finished) == (
        '[Game solo]\n[Preset plain]\n[Options {"episode":"partie"}]\n[Key 0000000000000000]\n[Deal 0]\n'
        '[Start {"dealer":2,"points":[0,0,0]}]\n'
        f"[Deck {' '.join(DECK)}]\n[Points -2 1 1]\n\n{MOVES}\n"
    )


def test_a_view_is_the_same_list_as_one_seat_knows_it(solo, record):
    state = records.replay(record, 4)
    told = [str(records.view_of(solo, state, seat)).splitlines()[-1] for seat in range(3)]
    assert told == [
        "0:dealt+AS+KH+QD 0:solo+S 0:draws+AC 0:lay+QD 0:AS 1:KS",
        "1:dealt+KS+QS+AH 0:solo+S 0:lays+away 0:AS 1:KS",
        "2:dealt+QH+AD+KD 0:solo+S 0:lays+away 0:AS 1:KS",
    ]


def test_a_long_record_keeps_its_lines_short(record):
    text = str(replace(record, moves=record.moves * 5))
    assert max(map(len, text.splitlines())) <= 100 and records.parse(text).moves == record.moves * 5


@pytest.mark.parametrize(
    "layout", [str, lambda made: json.dumps(made.to_json()), lambda made: "\n" + str(made).replace(" ", "  ")]
)
def test_records_and_views_are_read_from_text_and_json(solo, record, layout):
    state = records.replay(record, 6)
    for made in (records.record_of(solo, state), record, records.view_of(solo, state, 1)):
        assert records.loads(layout(made)) == made


def test_every_prefix_replays_to_the_state_before_the_next_decision(solo, record):
    states = records.replay_states(record)
    assert states[0][0]["count"] == 0 and states[-1][0]["stage"] != RUNNING and states[-1][0]["tricks"].tolist() == [1, 2, 0]
    for number in range(len(record.moves) + 1):
        state = records.replay(record, number)
        listed = tuple((seat, solo.actions[action]) for seat, action in solo.moves(state))
        assert listed[:number] == record.moves[:number], "forced moves may lie behind"
    assert records.replay(replace(record, moves=())).tobytes() == states[0].tobytes()


def test_forced_moves_may_be_left_out(solo, record):
    states = records.replay_states(record)
    before = [len(solo.moves(state)) for state in states[:-1]]
    bare = replace(record, moves=tuple(record.moves[number] for number in before))
    assert len(bare.moves) < len(record.moves), "some move was forced"
    assert records.replay(bare).tobytes() == states[-1].tobytes()
    half = replace(record, moves=bare.moves[:4])
    assert records.replay(half)[0]["seat"] == states[4][0]["seat"]


@pytest.mark.parametrize(
    ("at", "move", "told"),
    [
        (0, (1, "solo S"), "move 1, 1:solo S: seat 0 is to act"),
        (0, (0, "solo T"), "move 1, 0:solo T: unknown action of solo 'solo T'; did you mean solo"),
        (1, (0, "lay KS"), "move 2, 0:lay KS: .*does not hold KS"),
        (3, (1, "AH"), "move 4, 1:AH: .*must follow AS"),
        (10, (0, "KC"), "move 11, 0:KC: the rules play 0:AC"),
        (11, (1, "AS"), "move 12, 1:AS: the deal is over"),
    ],
)
def test_a_move_that_cannot_be_is_named(record, at, move, told):
    moves = [*record.moves]
    moves[at : at + 1] = [move]
    with pytest.raises(RecordError, match=told):
        records.replay(replace(record, moves=tuple(moves)))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"game": "sola"}, "did you mean solo"),
        ({"preset": "plan"}, "did you mean plain"),
        ({"options": {"stakes": 1}}, "did you mean stake"),
        ({"options": {"spec": 1}}, "unknown option 'spec'"),
        ({"deck": ("AS",)}, "12 cards once each, in order of dealing: it lacks"),
        ({"deck": ("XX", *DECK[1:])}, "no card 'XX'"),
        ({"deck": ("KH", *DECK[1:])}, "12 cards once each"),
        ({"start": {"dealer": 3}}, "the dealer is a seat"),
        ({"start": {"points": [1, 1]}}, "sum to zero"),
        ({"start": {"colour": 1}}, "keys dealer and points"),
        ({"points": (1, 1, -2)}, r"states points \(1, 1, -2\), its moves give \(-2, 1, 1\)"),
        ({"points": (0, 0, 0), "moves": ((0, "pass"),)}, "do not finish the deal"),
    ],
)
def test_a_record_that_cannot_be_is_told_why(record, changes, told):
    with pytest.raises(RecordError, match=told):
        records.replay(replace(record, **changes))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("0:AS", "0-AS", "line 10: '0-AS' is not 'seat:WORD'"),
        ("[Deal 0]", "[Deal x]", "tag Deal"),
        ("[Deal 0]", "[Deal -1]", "key 'deal'"),
        ("[Deal 0]\n", "", "key 'deal' is missing"),
        ('{"episode":"partie"}', "{episode}", "tag Options"),
        ('{"episode":"partie"}', "[1]", "key 'options'"),
        ("[Key 0000000000000000]", "[Key 0x12]", "key 'key'"),
        ("[Key 0000000000000000]", "[Key 11112222333344445]", "key 'key'"),
        ("[Points -2 1 1]", "[Points -2 1 one]", "tag Points"),
        ("[Game solo]", "[Game solo]\n[Colour red]", "unknown key 'colour'"),
        ("[Game solo]", "[Game solo", r"line 1: '\[Game'"),
    ],
)
def test_text_that_is_no_record_is_told_where(record, old, new, told):
    text = str(replace(record, points=(-2, 1, 1)))
    assert old in text
    with pytest.raises(RecordError, match=told):
        records.parse(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"moves": [[0]]}, "key 'moves'"),
        ({"moves": [[True, "AS"]]}, "key 'moves'"),
        ({"moves": "AS"}, "key 'moves'"),
        ({"deck": [1]}, "key 'deck'"),
        ({"points": [0.5]}, "key 'points'"),
        ({"key": 5}, "key 'key'"),
        ({"start": []}, "key 'start'"),
        ({"game": None}, "key 'game'"),
        ({"seat": 1}, "unknown key 'seat'"),
    ],
)
def test_json_that_is_no_record_is_told_which_key(record, change, told):
    with pytest.raises(RecordError, match=told):
        records.from_json({**record.to_json(), **change})


@pytest.mark.parametrize("text", ["{", "[1]", "{}", "", "null", '{"game": "solo"}', "nonsense"])
def test_other_text_is_refused(text):
    with pytest.raises(RecordError):
        records.loads(text)
    with pytest.raises(RecordError):
        records.from_json(text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("1:dealt+KS+QS+AH ", "", "begins with '1:dealt'"),
        ("1:dealt+KS", "0:dealt+KS", "begins with '1:dealt'"),
        ("dealt+KS+QS+AH", "dealt+KS+QS", "is dealt 3 cards"),
        ("dealt+KS+QS+AH", "dealt+KS+QS+KS", "12 cards once each"),
        ("dealt+KS+QS+AH", "dealt+KS+QS+XX", "no card 'XX'"),
        ("0:solo+S", "1:solo+S", "1:solo\\+S: seat 0 is to act"),
        ("0:solo+S", "0:AS", "not a move of this phase"),
        ("0:lays+away", "0:solo+H", "not a move of this phase"),
        ("0:lays+away", "0:draws+KS", "cannot be drawn"),
        ("0:AS", "0:KS", "0:KS: this card is elsewhere"),
        ("1:KS", "1:AH", "1:AH: .*must follow AS"),
        ("1:KS", "1:KS 2:AS", "2:AS: this card is elsewhere"),
        ('"dealer":2', '"dealer":-1', "does not state the dealer"),
        ("[Seat 1]", "[Seat 3]", "seats 0..2"),
        ("[Game solo]", "[Game sola]", "did you mean solo"),
    ],
)
def test_a_view_that_cannot_be_is_told_which_event(solo, record, old, new, told):
    text = str(records.view_of(solo, records.replay(record, 4), 1))
    assert old in text
    with pytest.raises(RecordError, match=told):
        records.from_view(records.parse(text.replace(old, new, 1)))


def test_a_view_that_ends_before_a_forced_move_is_not_whole(solo, record):
    state = records.replay(record)
    view = records.view_of(solo, state, 0)
    with pytest.raises(RecordError, match="the forced move behind it is missing"):
        records.from_view(replace(view, events=view.events[:-1]))


def test_a_view_of_another_front_end_needs_no_key(solo, record):
    """From the words alone: the seat to act is asked, and its world is as likely as ours."""
    state = records.replay(record, 4)
    seat = int(state[0]["seat"])
    view = records.from_view(records.parse(str(records.view_of(solo, state, seat))))
    assert solo.legal(view).tobytes() == solo.legal(state).tobytes()
    assert solo.redeal(view, seat, 5).tobytes() == solo.redeal(solo.hide(state, seat), seat, 5).tobytes()


@pytest.mark.parametrize("kind", ["record", "view"])
def test_the_schema_lists_what_is_written(solo, record, kind):
    schema = records.json_schema(kind)
    made = record if kind == "record" else records.view_of(solo, records.replay(record), 0)
    assert list(schema["properties"]) and set(schema["properties"]) == set(made.to_json()) == set(schema["required"])
    assert json.loads(json.dumps(schema)) == schema


def test_a_partie_is_a_list_of_records(solo):
    for episode in laws.play(solo, tuple(range(8))):
        made = [records.record_of(solo, final) for final in episode.finals]
        assert [record.deal for record in made] == [0, 1] and len({record.key for record in made}) == 1
        assert made[1].start["points"] == list(made[0].points)
        assert made[1].start["dealer"] == (made[0].start["dealer"] + 1) % 3


def test_errors_are_the_librarys_own(record):
    assert issubclass(RecordError, LomberError) and issubclass(RecordError, ValueError)


STRANGE = (
    None, True, -1, 1.5, 10**30, -(10**30), 2**31, float("nan"), "", "x", "1" * 5000, [], [[]], [1, [2]], [1, 2, 3], [None, 1],
    [10**30, 0], {}, {"a": {}}, [0] * 9, ["AS"] * 4, [[0, "PASS"]], [[10**30, "PASS"]], [[0, "?5"]], [[-1, ""]],
)  # fmt: skip


def places(data, path=()):
    """Every path to a value in a JSON document."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.parametrize("name", GAMES)
def test_a_strange_value_anywhere_is_read_or_refused_as_a_record_error(name):
    """Never a traceback of another kind: what a front-end sends may be anything."""
    game = make_game(name)
    states = game.begin(4)
    while states[0]["stage"] == RUNNING:
        game.advance(states, [game.legal_names(states)[0]], go_on=False)
    whole = records.record_of(game, states)
    for made in (whole, records.view_of(game, states, 0), records.view_of(game, records.replay(whole, 12), 1)):
        for path in places(made.to_json()):
            if path[0] in ("deck", "moves", "events") and len(path) > 1 and path[1] > 9:
                continue
            for value in STRANGE:
                data = json.loads(json.dumps(made.to_json()))
                held = data
                for key in path[:-1]:
                    held = held[key]
                held[path[-1]] = value
                try:
                    read = records.loads(json.dumps(data))
                    records.replay(read) if isinstance(read, records.Record) else records.from_view(read)
                except RecordError:
                    pass


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" + '"a":{' * 100_000, '{"deal":' + "1" * 5000 + "}", "[Options " + "[" * 100_000 + "]"]
)
def test_text_that_json_itself_chokes_on_is_refused(text):
    with pytest.raises(RecordError):
        records.loads(text)


@pytest.mark.parametrize("word", ["9" * 5000 + ":PASS", "1234567890:PASS", "0:" + "A" * 10**6])
def test_a_word_too_long_is_refused(record, word):
    with pytest.raises(RecordError):
        records.replay(records.parse(f"{record} {word}"))


def test_an_option_of_several_numbers_is_read_as_it_was_written():
    game = make_game("piquet", seq_scores=(3, 4, 5, 6, 7, 8))
    record = records.record_of(game, game.begin(0))
    assert records.parse(str(record)) == record == records.from_json(record.to_json())
    assert records.game_of(record) == game


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "no empty text"), (" \n", "no empty text"), ("[]", "is an object, not list"), ("null", "is an object, not NoneType"),
     ("3", "is an object"), ('"x"', "is an object"), ("x" * 100_000, r"line 1: 'x{70,80}\.\.\. is not")],
    ids=range(7),
)  # fmt: skip
def test_a_text_that_is_no_record_is_told_in_short(text, told):
    with pytest.raises(RecordError, match=told) as caught:
        records.loads(text)
    assert len(str(caught.value)) < 200
