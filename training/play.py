"""A game in the terminal: a person in one seat, an agent in the others."""

import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.errors import LomberError, unknown
from ..envs.engine.game import Game, seed_key
from ..envs.engine.records import Event, record_of, view_of
from ..envs.engine.registry import GAMES
from ..envs.engine.tables import Tables
from ..envs.faces.keys import Decisions
from ..envs.faces.opponents import Agent, decide, seats_of
from ..envs.faces.pictures import picture_of
from ..envs.render import table_text
from ..envs.render.words import COLUMNS

HELP = """\
  a move   by its number, its name, or any beginning of it that fits one move only;
           what stands behind the colon is enough: 3, PLAY:AS, play:a or AS
  several  in one line, numbered as they are listed now: 9S 7S PASS
  Enter    the whole table, with all that was played
  ?        this help
  q        stop
Cards are written rank and suit, T for ten: TD is the ten of diamonds."""
TOLD = ("tricks", "last")  # sections of a table's notes that were told as they happened
ROW = np.zeros(1, np.int64)


class Stopped(Exception):
    """The person has had enough, or the input has ended."""


class Play:
    """A session: one table, a person at one of its seats, `agent` at all others.

    `seat` is a number or 'random'; `read(prompt)` gives a line and raises EOFError at the end; `record` is the file that the
    first deal is written to, later ones beside it. All chance comes from `seed`: the same answers give the same play.
    """

    def __init__(
        self, game: Game, agent: Agent, seat: int | str, seed: int, record: Path | None = None,
        read: Callable[[str], str] | None = None,
    ):  # fmt: skip
        self.game, self.agent, self.seat, self.seed, self.record = game, agent, seat, seed, record
        self.read = read or _reader()
        self.tables = Tables(game, 1, seed, autoreset=False)
        self.decisions = Decisions(self.tables, seed)
        self.me, self.deal, self.told, self.waiting = 0, -1, list[Event](), list[int]()
        self.unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")

    def run(self) -> None:
        """Play episodes until the person stops."""
        episode, wanted = 0, True
        try:
            while wanted:
                self._episode(episode)
                wanted = self._asked("another? Enter for yes, q for no: ").lower() in ("", "y", "yes")
                episode += 1
        except (Stopped, KeyboardInterrupt) as stopped:
            if isinstance(stopped, KeyboardInterrupt):
                print()
            if self.tables.seat[0] >= 0 and record_of(self.game, self.tables.states).moves:
                self._keep(self.tables.states.copy())

    def _episode(self, number: int) -> None:
        self.me = int(seats_of(self.seat, self.game, seed_key(self.seed), np.array([number]))[0])
        others = " and ".join(f"player_{seat}" for seat in self._seats()[1:])
        print(f"{self.game.title} ({self.game.preset}), seed {self.seed}, episode {number}: {self.agent.name} is {others}.")
        print(f"You are player_{self.me}. Type ? for help, q to stop.")
        tables = self.tables
        tables.reset(ids=[number])
        self.deal = -1
        self._settle()
        while tables.seat[0] >= 0:
            action = self._decide() if tables.seat[0] == self.me else int(decide(self.agent, tables, ROW, self.decisions)[0])
            tables.step([action])
            self._settle()

    def _settle(self) -> None:
        """Show and keep a deal that has just ended."""
        if not self.tables.dealt[0]:
            return
        final = self.tables.final.copy()
        self._tell(final)
        print()
        print(self._table(final, skip=TOLD[1:]), end="")
        points = self.game.points(final)[0]
        print("points: " + ", ".join(f"{self._name(seat)} {points[seat]:+d}" for seat in self._seats()))
        self._keep(final)
        self.waiting = []

    def _decide(self) -> int:
        """The person's move: asked for until it is legal."""
        state = self.tables.states.copy()
        legal = np.flatnonzero(self.tables.action_mask[0]).tolist()
        if self._tell(state) or not self.told:
            print()
            print(self._table(state), end="")
        self.told = self._events(state)
        listed = False
        while True:
            if not self.waiting:
                if not listed:
                    print()
                    print("\n".join(listing([self.game.actions[a] for a in legal])))
                self.waiting, listed = self._answer(state, legal), True
                continue
            action = self.waiting.pop(0)
            if action in legal:
                self.told.append(Event(self.me, self.game.actions[action]))
                return action
            print(f"  {self.game.actions[action]}: {self.game.illegal(state, action).reason}")
            self.waiting = []

    def _answer(self, state: NDArray[Any], legal: list[int]) -> list[int]:
        """The moves of one line; none where the line asked for something else, or for nothing that there is."""
        line = self._asked(f"player_{self.me}> ")
        if line == "?":
            print(HELP)
            page = Path(str(importlib.import_module(GAMES[self.game.name]).__file__)).with_name("README.md")
            if page.is_file():
                print(f"The rules and all moves: {page}")
        elif not line:
            print(self._table(state, skip=()))
        else:
            try:
                return moves_of(line, self.game, legal)
            except LomberError as error:
                print(f"  {error}")
        return []

    def _asked(self, prompt: str) -> str:
        try:
            line = self.read(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            print()
            line = "q"
        if line in ("q", "quit"):  # Q may be a queen
            raise Stopped
        return line

    def _tell(self, state: NDArray[Any]) -> bool:
        """Print what has become known since the last time; whether there was anything."""
        if self.deal != state[0]["deal"]:
            self.deal, self.told = int(state[0]["deal"]), []
        news = news_of(self.told, self._events(state))
        for seat, texts in _runs(news):
            for line in wrap(f"  {self._name(seat)}: {', '.join(texts)}", COLUMNS, subsequent_indent="      "):
                print(line)
        return bool(news)

    def _events(self, state: NDArray[Any]) -> list[Event]:
        return list(view_of(self.game, state, self.me).events)

    def _table(self, state: NDArray[Any], skip: Sequence[str] = TOLD) -> str:
        """The table as the person sees it, without the sections of its notes that begin with a word of `skip`."""
        picture = picture_of(self.game, state, self.me)
        notes, kept = [], True
        for i, note in enumerate(picture.notes):
            if not note:
                kept = picture.notes[i + 1 : i + 2] != [] and picture.notes[i + 1] not in skip
            if kept:
                notes.append(note)
        return table_text(replace(picture, notes=notes), self.unicode)

    def _seats(self) -> list[int]:
        return [(self.me + i) % self.game.seats for i in range(self.game.seats)]

    def _name(self, seat: int) -> str:
        return "you" if seat == self.me else f"player_{seat}"

    def _keep(self, state: NDArray[Any]) -> None:
        if self.record is None:
            return
        record = record_of(self.game, state)
        file = write_beside(self.record, str(record), record.to_json())
        print(f"the deal is recorded in {file}: lomber replay {file}")


def news_of(before: Sequence[Event], now: Sequence[Event]) -> list[Event]:
    """The events of `now` that were not there before, in order; an event may come in between earlier ones."""
    left, news = Counter(before), []
    for event in now:
        if left[event]:
            left[event] -= 1
        else:
            news.append(event)
    return news


def _runs(events: Sequence[Event]) -> Iterator[tuple[int, list[str]]]:
    """Events of one seat that follow each other."""
    texts: list[str] = []
    for i, event in enumerate(events):
        texts.append(event.text)
        if i + 1 == len(events) or events[i + 1].seat != event.seat:
            yield event.seat, texts
            texts = []


def listing(names: Sequence[str]) -> list[str]:
    """Numbered moves in lines of at most 80 columns, those of one kind (the word before the colon) together."""
    groups: dict[str, list[str]] = {}
    for number, name in enumerate(names, 1):
        kind, tail = _parts(name)
        groups.setdefault(kind, []).append(f"{number:2} {tail or name}")
    head = max((len(kind) for kind in groups), default=0)
    lines = []
    for kind, cells in groups.items():
        width = max(len(cell) for cell in cells) + 2
        room = max(1, (COLUMNS - head - 3) // width)
        for first in range(0, len(cells), room):
            shown = "".join(cell.ljust(width) for cell in cells[first : first + room])
            lines.append(f" {'' if first else kind:{head}} {shown}".rstrip())
    return lines


def _parts(name: str) -> tuple[str, str]:
    """The kind of a move and what is played: ('PLAY', 'AS'), or ('', '') of a single word."""
    found = re.fullmatch(r"([^: ]+)[: ](.+)", name)
    return (found[1], found[2]) if found else ("", "")


def moves_of(line: str, game: Game, legal: Sequence[int]) -> list[int]:
    """The actions that a line means, not all of them legal: one, or several words of one each.

    LomberError for a word that means nothing or more than one move.
    """
    words = line.replace(",", " ").split()
    if not words:
        raise LomberError("a comma is no move: ? for help")
    if len(words) > 1:
        with suppress(LomberError):  # some names have blanks
            return [move_of(" ".join(words), game, legal)]
    return [move_of(word, game, legal) for word in words]


def move_of(word: str, game: Game, legal: Sequence[int]) -> int:
    """The action that one word means; one that is not legal only where it could mean no other."""
    text, names = word.casefold(), [name.casefold() for name in game.actions]
    if text in names:
        return names.index(text)
    if text.isdecimal():
        if 1 <= int(text[:9]) <= len(legal):
            return legal[int(text[:9]) - 1]
        raise LomberError(f"there is no number {word[:9]}: they go from 1 to {len(legal)}")
    tails = [_parts(name)[1] for name in names]
    kinds = {_parts(names[a])[0] for a in legal}
    everything = range(len(names))
    for fitting in (
        [a for a in legal if names[a].startswith(text)],
        [a for a in legal if tails[a] == text],
        [a for a in legal if tails[a].startswith(text)],
    ):
        if len(fitting) > 1:
            some = ", ".join(game.actions[a] for a in fitting[:6]) + (", ..." if len(fitting) > 6 else "")
            raise LomberError(f"{word!r} may be {some}")
        if fitting:
            return fitting[0]
    for fitting in (
        [a for a in everything if tails[a] == text and _parts(names[a])[0] in kinds],
        [a for a in everything if names[a].startswith(text)],
    ):
        if len(fitting) == 1:
            return fitting[0]
    raise unknown("move", word, [game.actions[a] for a in legal])


def write_beside(file: Path, text: str, data: Any) -> Path:
    """Write a record, as JSON if the file ends so, into `file` or, where there is one, file-2, file-3, ...; which it was."""
    number, free = 1, file
    while True:
        try:
            with free.open("x", encoding="utf-8") as out:
                out.write(json.dumps(data) + "\n" if file.suffix == ".json" else text)
            return free
        except FileExistsError:
            number += 1
            free = file.with_stem(f"{file.stem}-{number}")


def _reader() -> Callable[[str], str]:
    """Lines from the terminal, editable where that is possible; from a pipe they are shown as if they were typed."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no move, and stops no game
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  input() then remembers and edits lines
        return input

    def read(prompt: str) -> str:
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(line.rstrip("\n"))
        return line

    return read
