"""A deal of bouillotte as a list: every move of the record, and the events that one seat knows, both ways.

All moves are public. Words of a view beside the action names (cards separated by blanks):
DEALT cards     own three cards, once the blind phase is over
RETOURNE card   the card turned, told of the dealer
SHOWED cards    another seat's hand, at the showdown or where it is paid for a brelan
TURNED card     the talon card that a seat has turned
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.cards import cards_of, mask_of
from ..engine.errors import RecordError
from ..engine.game import Game, row_of
from ..engine.jit import entry
from ..engine.reading import Reader
from ..engine.records import Event, start_fits
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .actions import ACTIONS, CARDS
from .play import open_deal, options
from .settlement import shows_brelans
from .showdown import categorize

_IDS = {name: i for i, name in enumerate(ACTIONS)}
_CARD_IDS = {name: i for i, name in enumerate(CARDS)}
_LISTS = {"stacks": "stack", "carried": "carried", "bank": "bank", "buyins": "buyins"}  # key of `start` -> field of MATCH
START_KEYS = ("dealer", *_LISTS)


@entry
def open_row(rules, states):
    """A deal without cards, as a view: the moves are then played one by one."""
    open_deal(rules[0], states[0])


@entry
def shows_row(rules, states, seat):
    """Whether `seat` is paid for a brelan at the end that has come."""
    state = states[0]
    category, _ = categorize(rules[0], state["hand"][seat], state["retourne"], state["turned"][seat])
    return category > 0 and shows_brelans(rules[0], state)


@entry
def options_row(rules, states):
    """What the seat to act in states[0] may do: a set of ids below STAKE, the smallest and the largest stake."""
    return options(rules[0], states[0])


def start_of(game: Game, state: Any) -> dict[str, Any]:
    """What the deal inherits, as JSON: dealer, and by seat stacks, carried stakes, bank and buy-ins."""
    start = state["start"]
    return {"dealer": int(start["dealer"]), **{key: start[name][: game.seats].tolist() for key, name in _LISTS.items()}}


def write_start(game: Game, state: Any, start: Mapping[str, Any]) -> None:
    """Write `start` into `match` before a deal; what it leaves out is as at the start of an episode.

    Where stacks or carried stakes are given and buy-ins are not, each seat has brought just these.
    """
    match = state["match"]
    for name, value in start.items():
        if name not in START_KEYS:
            raise RecordError(f"start has no {name!r}; known: {', '.join(START_KEYS)}")
        if not start_fits(value, game.seats if name in _LISTS else 0):
            told = f"{game.seats} integers, by seat" if name in _LISTS else "an integer"
            raise RecordError(f"start[{name!r}] is {told}, not {value!r}")
        if name == "dealer":
            if not NONE <= int(value) < game.seats:
                raise RecordError(f"start['dealer'] is a seat below {game.seats}, or -1 for the lot, not {value!r}")
            match["dealer"] = value
            continue
        if name in ("stacks", "carried") and min(value) < 0:
            raise RecordError(f"start[{name!r}] is not negative, not {value!r}")
        if sum(map(abs, value)) > st.MOST_GIVEN:
            raise RecordError(f"start[{name!r}] is {st.MOST_GIVEN} jetons together at most, not {value!r}")
        match[_LISTS[name]][: game.seats] = value
    if "buyins" not in start:
        match["buyins"] = match["stack"] + match["carried"] + match["bank"]
    seats = np.flatnonzero(match["stack"][: game.seats])
    if len(seats) < 2 or match["dealer"] not in (seats if len(seats) < game.seats else (NONE, *seats)):
        raise RecordError("start['stacks']: two seats have jetons at least, among them the dealer")


def view_events(game: Game, view: Any, seat: int) -> list[Event]:
    """What `seat` knows of the deal, in order, from its hidden record."""
    return list(_tell(game, view, seat))


def _tell(game: Game, view: Any, seat: int) -> Iterator[Event]:
    played = view_moves(game, view)
    blind = sum(action in (act.CARRE, act.NO_CARRE) for _, action in played)
    turns = sum(_turns_card(action) for _, action in played)
    yield from _named(played[:blind])
    if view["hand"][seat]:
        yield Event(seat, f"DEALT {_cards(view['hand'][seat])}")
    if view["retourne"] >= 0:
        yield Event(int(view["start"]["dealer"]), f"RETOURNE {CARDS[view['retourne']]}")
    yield from _named(played[blind : len(played) - turns])
    for other in range(game.seats):
        if other != seat and view["hand"][other] and view["phase"] >= st.TALON:
            yield Event(other, f"SHOWED {_cards(view['hand'][other])}")
    for who, action in played[len(played) - turns :]:
        yield Event(who, ACTIONS[action])
        if view["turned"][who] >= 0:
            yield Event(who, f"TURNED {CARDS[view['turned'][who]]}")


def view_moves(game: Game, view: Any) -> list[tuple[int, int]]:
    """The moves of a view: it is played anew as far as no cards are asked for, what is left are the cards turned."""
    played = game.moves(row_of(game, view))
    logged = sum(action != act.CALL for _, action in played)
    log = zip(view["log_seat"][logged : view["logged"]].tolist(), view["log"][logged : view["logged"]].tolist(), strict=True)
    return [*played, *log]


def _turns_card(action: int) -> bool:
    return action in (act.TALON_FIRST, act.TALON_LAST)


def _named(entries: Sequence[tuple[int, int]]) -> Iterator[Event]:
    for who, action in entries:
        yield Event(who, ACTIONS[action])


def _cards(mask: Any) -> str:
    return " ".join(CARDS[card] for card in cards_of(int(mask)))


def why_illegal(game: Game, view: Any, action: int) -> str:
    """The reason, in words, from what the seat to act knows; `action` is a choice."""
    phase = st.Phase(int(view["phase"]))
    _, low, high = options_row(game.rules, row_of(game, view))
    if action >= act.FIRST_RUNG:
        if low > high:
            return "no stake can be made now" if phase in (st.OPENING, st.BETTING) else f"this is the phase {phase.name}"
        if game.rules[0]["ladder"]:
            return "it is no stake of its own among the rungs"
        return f"stakes go to {low} at least and {high} at most"
    if action == act.FOLD and phase == st.BETTING:
        return "there is nothing to answer"
    if action == act.NO_CARRE and phase == st.BLIND:
        return "the first carre is forced"
    return f"this is the phase {phase.name}"


def from_events(game: Game, seat: int, deal: int, start: Mapping[str, Any], events: Sequence[Event]) -> NDArray[Any]:
    """The hidden record (1,) of the seat that knows these events. RecordError names the event that cannot be."""
    return _Reader(game, seat, deal, start, events).read_all(events)


class _Reader(Reader):
    """A view that is told event after event. What cards it will be told lies in it from the beginning, so that the end of
    the deal is settled when its last move is read."""

    def __init__(self, game: Game, seat: int, deal: int, start: Mapping[str, Any], events: Sequence[Event]):
        super().__init__(game, seat, deal, start)
        self.view["retourne"], self.view["turned"] = NONE, NONE
        self.told: set[int] = set()
        self.dealt = True  # a view may be of the blind phase
        self.automatic = {"DEALT": self._dealt, "RETOURNE": self._retourne, "SHOWED": self._showed, "TURNED": self._turned}
        for event in events:
            self._foresee(event)
        open_row(game.rules, self.views)

    def _foresee(self, event: Event) -> None:
        """Lay down the cards that an event tells; whether it may tell them is asked when it is read."""
        word, *names = event.text.split(" ")
        if not all(name in _CARD_IDS for name in names) or not 0 <= event.seat < self.game.seats:
            return
        cards = [_CARD_IDS[name] for name in names]
        if (word == "DEALT" and event.seat == self.seat) or word == "SHOWED":
            self.view["hand"][event.seat] = mask_of(cards)
        elif word == "RETOURNE" and len(cards) == 1:
            self.view["retourne"] = cards[0]
        elif word == "TURNED" and len(cards) == 1:
            self.view["turned"][event.seat] = cards[0]

    def read(self, event: Event, behind: Sequence[Event]) -> None:
        word, *rest = event.text.split(" ")
        if word in self.automatic:
            self.automatic[word](event.seat, [_CARD_IDS[name] for name in rest])
        else:
            self._move(event.seat, event.text)

    def _know(self, cards: Sequence[int], wanted: int) -> None:
        """Cards that are told once, and of this pack."""
        if len(cards) != wanted:
            raise RecordError(f"{wanted} card{'s' if wanted > 1 else ''}, not {len(cards)}")
        for card in cards:
            if not int(self.game.rules[0]["pack"]) >> card & 1:
                raise RecordError(f"{CARDS[card]} is not in the pack")
            if card in self.told:
                raise RecordError(f"{CARDS[card]} lies elsewhere, or is told twice")
            self.told.add(card)

    def _dealt(self, seat: int, cards: Sequence[int]) -> None:
        if self.view["phase"] == st.BLIND or seat != self.seat or not int(self.view["dealt"]) >> seat & 1:
            raise RecordError("the seat's own cards are dealt after the carres")
        self._know(cards, st.HAND)

    def _retourne(self, seat: int, cards: Sequence[int]) -> None:
        if self.view["phase"] == st.BLIND or seat != self.view["start"]["dealer"]:
            raise RecordError("the dealer turns a card after the carres")
        self._know(cards, 1)

    def _showed(self, seat: int, cards: Sequence[int]) -> None:
        view = self.view
        if view["phase"] < st.TALON or seat == self.seat or not int(view["dealt"]) >> seat & 1:
            raise RecordError("other hands are shown at the end")
        self._know(cards, st.HAND)
        if view["phase"] == st.END and view["end"] != st.SHOWN and not shows_row(self.game.rules, self.views, seat):
            raise RecordError("without a showdown only brelans that are paid are shown")

    def _turned(self, seat: int, cards: Sequence[int]) -> None:
        if (seat, True) not in [(who, _turns_card(action)) for who, action in self._log()]:
            raise RecordError(f"seat {seat} has turned no card")
        self._know(cards, 1)

    def _log(self) -> list[tuple[int, int]]:
        n = self.view["logged"]
        return list(zip(self.view["log_seat"][:n].tolist(), self.view["log"][:n].tolist(), strict=True))

    def _move(self, seat: int, name: str) -> None:
        view, action = self.view, _IDS[name]
        self.check_turn(seat)
        if view["phase"] != st.BLIND and not self._knows_own(view):
            raise RecordError("the cards dealt come first")
        word, low, high = options_row(self.game.rules, self.views)
        if not (low <= action - act.STAKE <= high if action > act.STAKE else word >> action & 1):
            raise RecordError(why_illegal(self.game, view, action))
        self.game.play_one(self.views, action)

    def _knows_own(self, view: Any) -> bool:
        known = mask_of(list(self.told))
        own = int(view["hand"][self.seat])
        return bool((own and not own & ~known or not int(view["dealt"]) >> self.seat & 1) and view["retourne"] != UNKNOWN)
