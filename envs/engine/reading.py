"""A view read back into the hidden record that it tells of: what the readers of all games share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from .errors import LomberError, RecordError
from .game import Game
from .records import Event
from .state import NONE, RUNNING


class Reader:
    """A record without cards, `view`, into which a game's own reader lays event after event by `read`.

    It sets `dealt` once the view may end. `start` must name the dealer: RecordError.
    """

    def __init__(self, game: Game, seat: int, deal: int, start: Mapping[str, Any]):
        self.game, self.seat = game, seat
        self.views = game.fresh()
        self.view = self.views[0]
        game.spec.events.write_start(game, self.view, start)
        if self.view["match"]["dealer"] == NONE:
            raise RecordError("the dealer of a view is known: start['dealer'] is a seat")
        self.view["deal"] = deal
        self.view["deck"] = 0
        self.dealt = False

    def read(self, event: Event, behind: Sequence[Event]) -> None:
        """Lay one event into the view; `behind` are those that follow it. RecordError says why it cannot be."""
        raise NotImplementedError

    def read_all(self, events: Sequence[Event]) -> NDArray[Any]:
        """The hidden record (1,) of these events; RecordError names the one that cannot be."""
        for i, event in enumerate(events):
            try:
                if not 0 <= event.seat < self.game.seats:
                    raise RecordError(f"{self.game.name} has seats 0..{self.game.seats - 1}")
                self.read(event, events[i + 1 :])
            except (LomberError, KeyError, ValueError, IndexError) as error:
                reason = f"unknown card or word {error}" if isinstance(error, KeyError) else error
                raise RecordError(f"event {i + 1}, {event.seat}:{event.text}: {reason}") from error
        if not self.dealt:
            raise RecordError("a view begins with the seat's own cards: DEALT ...")
        return self.views

    def check_turn(self, seat: int) -> None:
        """RecordError where `seat` has no move to make now."""
        if self.view["stage"] != RUNNING:
            raise RecordError("the deal is over")
        if self.view["seat"] != seat:
            acting = self.view["seat"]
            raise RecordError(f"seat {acting} is to act" if acting >= 0 else "cards are to be told first")


def mask_told(names: Iterable[str], ids: Mapping[str, int]) -> int:
    """The set of cards that an event names; RecordError where it names one twice, KeyError where one is no card."""
    mask = 0
    for name in names:
        if mask >> ids[name] & 1:
            raise RecordError(f"{name} twice")
        mask |= 1 << ids[name]
    return mask


def number_told(words: Sequence[str]) -> int:
    """The one number that an event tells; RecordError where it tells something else."""
    if len(words) != 1 or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 10):
        raise RecordError("this tells one number")
    return int(words[0])
