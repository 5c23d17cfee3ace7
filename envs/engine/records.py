"""A deal as text and as JSON: the record (all of it) and the view (what one seat knows), written, parsed and replayed.

A record is game, options, `start` (what the deal inherits), the deck, every move by name, forced ones too, and the points.
A view is the same list as one seat knows it. Both are made from the game's events.py, so they cannot disagree.
"""

import bisect
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import LomberError, RecordError, cut
from .game import Game
from .registry import make_game
from .state import RUNNING

Move = tuple[int, str]  # seat, action name
LARGEST = 10**9  # of what a record may state: fields of 32 bits hold it, and what a deal adds


@dataclass(frozen=True)
class Event:
    """A move, or what the rules make known by themselves, as one seat knows it: whom it concerns, and the words."""

    seat: int
    text: str

    def __str__(self) -> str:
        return _word(self.seat, self.text)


@dataclass(frozen=True)
class Record:
    """One deal, whole. `key` is 0 where the deck was given; `points` is None while the deal is not finished."""

    game: str
    preset: str
    options: Mapping[str, Any]
    key: int
    deal: int
    start: Mapping[str, Any]
    deck: tuple[str, ...]
    moves: tuple[Move, ...]
    points: tuple[int, ...] | None = None

    def __str__(self) -> str:
        tags = _tags(self.game, self.preset, self.options)
        tags += [("Key", f"{self.key:016x}"), ("Deal", str(self.deal)), ("Start", _dumps(self.start))]
        tags += [("Deck", " ".join(self.deck))]
        if self.points is not None:
            tags.append(("Points", " ".join(str(p) for p in self.points)))
        return _document(tags, [_word(seat, name) for seat, name in self.moves])

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game, "preset": self.preset, "options": _plain(self.options), "key": f"{self.key:016x}",
            "deal": self.deal, "start": _plain(self.start), "deck": list(self.deck), "moves": [list(m) for m in self.moves],
            "points": None if self.points is None else list(self.points),
        }  # fmt: skip


@dataclass(frozen=True)
class View:
    """What one seat knows of a deal: the events in order, and what the deal inherited."""

    game: str
    preset: str
    options: Mapping[str, Any]
    seat: int
    deal: int
    start: Mapping[str, Any]
    events: tuple[Event, ...] = field(default=())

    def __str__(self) -> str:
        tags = _tags(self.game, self.preset, self.options)
        tags += [("Seat", str(self.seat)), ("Deal", str(self.deal)), ("Start", _dumps(self.start))]
        return _document(tags, [str(event) for event in self.events])

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game, "preset": self.preset, "options": _plain(self.options), "seat": self.seat, "deal": self.deal,
            "start": _plain(self.start), "events": [[event.seat, event.text] for event in self.events],
        }  # fmt: skip


def record_of(game: Game, state: NDArray[Any]) -> Record:
    """The record of a state (a record of state_dtype, or an array of one)."""
    states = np.atleast_1d(state)
    state = states[0]
    size = len(game.deck())
    moves = tuple((seat, game.spec.actions[action]) for seat, action in game.moves(states))
    points = None if state["stage"] == RUNNING else tuple(int(p) for p in game.points(states)[0])
    deck = tuple(game.spec.cards[card] for card in state["deck"][:size])
    start = game.spec.events.start_of(game, state)
    return Record(
        game.name, game.preset, _plain(game.changed_options), int(state["key"]), int(state["deal"]), start, deck, moves, points
    )


def view_of(game: Game, state: NDArray[Any], seat: int) -> View:
    """The view of `seat` as a list of events, from a state or from that seat's hidden record."""
    view = game.hide(np.atleast_1d(state), seat)[0]
    events = tuple(game.spec.events.view_events(game, view, seat))
    start = game.spec.events.start_of(game, view)
    return View(game.name, game.preset, _plain(game.changed_options), seat, int(view["deal"]), start, events)


def from_view(view: View, whole: bool = True) -> NDArray[Any]:
    """The hidden record (1,) of a view; RecordError names the event that cannot be.

    whole: the view is to be one that a deal gives, told to the end. A cut one may lack what its last move made known.
    """
    game = game_of(view)
    if not 0 <= view.seat < game.seats:
        raise RecordError(f"{game.name} has seats 0..{game.seats - 1}, not {view.seat}")
    hidden = _read(game, view)
    if whole:
        try:
            _check_told(view.events, view_of(game, hidden, view.seat).events)
            possible = _is_possible(game, hidden, view.seat)
        except LomberError:
            raise
        except (LookupError, ValueError):  # calls that the cards shown are none of
            possible = False
        if not possible:
            raise RecordError(f"{_last_possible(game, view)}: no deal gives what comes then")
    return hidden


def _read(game: Game, view: View) -> NDArray[Any]:
    return game.spec.events.from_events(game, view.seat, view.deal, view.start, view.events)


def _check_told(given: Sequence[Event], known: Sequence[Event]) -> None:
    """RecordError where a view's record tells other events than the view. The order in which a seat discards, and in which an
    event names cards, may be gone.
    """
    at, none = 0, list[Event]()
    for told, wanted in itertools.zip_longest(_runs(given), _runs(known), fillvalue=none):
        missing, extra = Counter(wanted) - Counter(told), Counter(told) - Counter(wanted)
        at = next((i for i in range(at, at + len(told)) if _plainly(given[i]) in extra), at + len(told))
        if extra:
            wants = f"here comes {next(iter(missing))}" if missing else "nothing tells that here"
            raise RecordError(f"event {at + 1}, {given[at]}: {wants}")
        if missing:
            raise RecordError(f"event {at + 1} is missing: {next(iter(missing))}")


def _runs(events: Sequence[Event]) -> list[list[Event]]:
    """Events of one seat and one kind that follow each other, told plainly."""
    return [
        list(map(_plainly, run)) for _, run in itertools.groupby(events, lambda one: (one.seat, re.split("[ :]", one.text)[0]))
    ]


def _plainly(event: Event) -> Event:
    word, *cards = event.text.split(" ")
    return Event(event.seat, " ".join([word, *sorted(cards)]))


def _is_possible(game: Game, hidden: NDArray[Any], seat: int) -> bool:
    """Whether there is a deal that gives this view, by the rules from its cards on; of one that is over it is not asked."""
    if hidden[0]["stage"] != RUNNING:
        return True
    try:
        world = game.redeal(hidden, [seat], [0])
        replay(record_of(game, world))
    except LomberError:  # no placing was found, or none in which the moves are legal
        return False
    return bool(game.consistent(hidden, world, [seat])[0])


def _last_possible(game: Game, view: View) -> str:
    """The last event before a move up to which a view can be, in words. What can be can be up to each event of it."""

    def is_beyond(n: int) -> bool:
        try:
            return not _is_possible(game, _read(game, replace(view, events=view.events[:n])), view.seat)
        except (LomberError, LookupError, ValueError):
            return True

    whole = [n for n in range(1, len(view.events)) if view.events[n].text in game.spec.actions]
    last = bisect.bisect_left(whole, True, key=is_beyond)
    return f"after event {whole[last - 1]}, {view.events[whole[last - 1] - 1]}" if last else "after event 1"


def replay(record: Record, stop: int | None = None) -> NDArray[Any]:
    """The state (1,) after all moves of a record, or after the first `stop` of them.

    A list that leaves out the forced moves is accepted too. RecordError names the move that cannot be.
    """
    return replay_states(record, stop)[-1]


def replay_states(record: Record, stop: int | None = None) -> list[NDArray[Any]]:
    """The states (1,) before each decision of a record and after its last move."""
    game = game_of(record)
    moves = _action_ids(game, record.moves[:stop])
    try:
        return _replay(game, record, moves, forced_listed=True)
    except RecordError as full:
        try:
            return _replay(game, record, moves, forced_listed=False)
        except RecordError:
            raise full from None


def _action_ids(game: Game, moves: Sequence[Move]) -> list[tuple[int, int]]:
    ids = []
    for number, (seat, name) in enumerate(moves, 1):
        try:
            ids.append((seat, game.move_id(name)))
        except LomberError as error:
            raise RecordError(f"move {number}, {seat}:{name}: {error}") from error
    return ids


def _replay(game: Game, record: Record, moves: list[tuple[int, int]], forced_listed: bool) -> list[NDArray[Any]]:
    states = _dealt(game, record)
    seen = [states.copy()]
    done = 0
    played = len(game.moves(states))
    if forced_listed:
        done = _match(game, moves, 0, game.moves(states))
    while done < len(moves):
        seat, action = moves[done]
        told = f"move {done + 1}, {seat}:{game.spec.actions[action]}"
        if states[0]["stage"] != RUNNING:
            raise RecordError(f"{told}: the deal is over")
        if seat != states[0]["seat"]:
            raise RecordError(f"{told}: seat {states[0]['seat']} is to act")
        try:
            game.advance(states, [game.choice_of(states, action)], go_on=False)
        except LomberError as error:
            raise RecordError(f"{told}: {error}") from error
        seen.append(states.copy())
        now = game.moves(states)
        done = _match(game, moves, done, now[played:]) if forced_listed else done + 1
        played = len(now)
    if record.points is not None:
        points = tuple(int(p) for p in game.points(states)[0])
        if states[0]["stage"] == RUNNING and len(moves) == len(record.moves):
            raise RecordError("the record states points, but its moves do not finish the deal")
        if len(moves) == len(record.moves) and points != tuple(record.points):
            raise RecordError(f"the record states points {tuple(record.points)}, its moves give {points}")
    return seen


def _match(game: Game, moves: list[tuple[int, int]], done: int, played: Sequence[tuple[int, int]]) -> int:
    for move in played:
        if done == len(moves):
            return done  # a prefix of a record may end between a move and the forced ones behind it
        if moves[done] != tuple(move):
            listed, wanted = moves[done], move
            names = game.spec.actions
            raise RecordError(
                f"move {done + 1}, {listed[0]}:{names[listed[1]]}: the rules play {wanted[0]}:{names[wanted[1]]}"
            )
        done += 1
    return done


def _dealt(game: Game, record: Record) -> NDArray[Any]:
    try:
        return game.deal(game.card_ids(record.deck), record.start, record.key, record.deal)
    except LomberError as error:
        raise RecordError(str(error)) from error


def parse(text: str) -> "Record | View":
    """A record or a view from its text. RecordError names the line."""
    tags, words = _read_document(text)
    return from_json(_json_of(tags, words))


def loads(text: str) -> "Record | View":
    """A record or a view from text or JSON, whichever it is."""
    if not text.strip():
        raise RecordError("a record or a view is no empty text")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: integers of too many digits, too
        if text.lstrip().startswith("{"):
            raise RecordError(f"not JSON: {error}") from error
        return parse(text)
    return from_json(data)


def from_json(data: Mapping[str, Any]) -> "Record | View":
    """A record (has a deck) or a view (has a seat) from its JSON. RecordError names the key that is wrong."""
    if not isinstance(data, Mapping):
        raise RecordError(f"a record or a view is an object, not {type(data).__name__}")
    cls: type = Record if "deck" in data else View
    schema = RECORD_KEYS if cls is Record else VIEW_KEYS
    for key, check in schema.items():
        if key not in data:
            raise RecordError(f"key {key!r} is missing")
        if not check(data[key]):
            raise RecordError(f"key {key!r} has a value that does not fit: {str(data[key])[:80]!r}")
    extra = sorted(set(data) - set(schema))
    if extra:
        raise RecordError(f"unknown key {extra[0]!r}; known: {', '.join(schema)}")
    common = (data["game"], data["preset"], dict(data["options"]))
    if cls is View:
        events = tuple(Event(seat, text) for seat, text in data["events"])
        return View(*common, data["seat"], data["deal"], dict(data["start"]), events)
    points = None if data["points"] is None else tuple(data["points"])
    moves = tuple((seat, name) for seat, name in data["moves"])
    return Record(*common, int(data["key"], 16), data["deal"], dict(data["start"]), tuple(data["deck"]), moves, points)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def start_fits(value: Any, length: int = 0) -> bool:
    """Whether a value of `start` is an integer, or with `length` a list of so many, that a state's fields can hold."""
    numbers = [value] if length == 0 else list(value) if isinstance(value, (list, tuple)) else []
    return len(numbers) == max(length, 1) and all(_is_int(n) and abs(n) <= LARGEST for n in numbers)


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, (list, tuple)) and len(item) == 2 and _is_int(item[0]) and isinstance(item[1], str) for item in value
    )


_COMMON: dict[str, Callable[[Any], bool]] = {
    "game": lambda v: isinstance(v, str),
    "preset": lambda v: isinstance(v, str),
    "options": lambda v: isinstance(v, dict),
    "deal": lambda v: _is_int(v) and 0 <= v <= LARGEST,
    "start": lambda v: isinstance(v, dict),
}
RECORD_KEYS: dict[str, Callable[[Any], bool]] = {
    **_COMMON,
    "key": lambda v: isinstance(v, str) and re.fullmatch(r"[0-9a-f]{1,16}", v) is not None,
    "deck": lambda v: isinstance(v, list) and all(isinstance(card, str) for card in v),
    "moves": _is_pairs,
    "points": lambda v: v is None or (isinstance(v, list) and all(_is_int(p) for p in v)),
}
VIEW_KEYS: dict[str, Callable[[Any], bool]] = {**_COMMON, "seat": lambda v: _is_int(v) and v >= 0, "events": _is_pairs}


def json_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a 'record' or a 'view'."""
    pair = {
        "type": "array",
        "prefixItems": [{"type": "integer", "minimum": 0}, {"type": "string"}],
        "minItems": 2,
        "maxItems": 2,
    }
    words: dict[str, Any] = {
        "game": {"type": "string"},
        "preset": {"type": "string"},
        "options": {"type": "object", "description": "what differs from the preset"},
        "deal": {"type": "integer", "minimum": 0, "maximum": LARGEST, "description": "number of the deal in its episode"},
        "start": {"type": "object", "description": "all that the deal inherits"},
    }
    if kind == "record":
        words["key"] = {"type": "string", "pattern": "^[0-9a-f]{1,16}$", "description": "0 where the deck was given"}
        words["deck"] = {"type": "array", "items": {"type": "string"}, "description": "in order of dealing"}
        words["moves"] = {"type": "array", "items": pair, "description": "[seat, action], forced ones too"}
        words["points"] = {"type": ["array", "null"], "items": {"type": "integer"}}
    else:
        words["seat"] = {"type": "integer", "minimum": 0}
        words["events"] = {"type": "array", "items": pair, "description": "[seat, what it did or what became known of it]"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"lomber {kind}", "type": "object",
        "properties": words, "required": list(words), "additionalProperties": False,
    }  # fmt: skip


def game_of(record: "Record | View") -> Game:
    """The game under the options that a record or a view names; RecordError where there is none such."""
    try:
        return make_game(record.game, record.preset, **record.options)
    except (LomberError, TypeError) as error:
        raise RecordError(str(error)) from error


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def _dumps(value: Any) -> str:
    return json.dumps(_plain(value), separators=(",", ":"))


def _word(seat: int, text: str) -> str:
    """A move or an event as one word: names have underscores and may have spaces, so a space becomes a plus."""
    return f"{seat}:{text.replace(' ', '+')}"


def _tags(game: str, preset: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [("Game", game), ("Preset", preset), ("Options", _dumps(options))]


def _document(tags: list[tuple[str, str]], words: list[str]) -> str:
    lines, line = [f"[{name} {value}]" for name, value in tags] + [""], ""
    for word in words:
        if line and len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line] if line else lines) + "\n"


_TAG = re.compile(r"\[([A-Z][a-z]*)\s+(.*?)\s*\]")
_WORD = re.compile(r"(\d{1,9}):(\S+)")


def _read_document(text: str) -> tuple[dict[str, str], list[list[Any]]]:
    tags: dict[str, str] = {}
    words: list[list[Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        tag = _TAG.fullmatch(line)
        if tag:
            tags[tag[1]] = tag[2]
            continue
        for word in line.split():
            match = _WORD.fullmatch(word)
            if match is None:
                raise RecordError(f"line {number}: {cut(word)} is not 'seat:WORD'")
            words.append([int(match[1]), match[2].replace("+", " ")])
    return tags, words


def _json_of(tags: Mapping[str, str], words: list[list[Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    try:
        for name, value in tags.items():
            key = name.lower()
            if key in ("options", "start"):
                data[key] = json.loads(value)
            elif key in ("seat", "deal"):
                data[key] = int(value)
            elif key == "points":
                data[key] = [int(word) for word in value.split()]
            else:
                data[key] = value.split() if key == "deck" else value
    except (ValueError, RecursionError) as error:
        raise RecordError(f"tag {name}: {error}") from error
    if "deck" in data:
        data["moves"] = words
        data.setdefault("points", None)
    else:
        data["events"] = words
    return data
