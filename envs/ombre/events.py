"""A deal of ombre as a list: every move of the record, and the events that one seat knows, both ways.

Words of a view beside the action names (cards separated by blanks):
DEALT cards          own nine cards                 DREW position=card ...    own talon cards
EXCHANGED n          another seat's exchange        TURNED card               the turned card of a vuelta
SPADILLE             its holder is forced to play   SPADILLE_IN_TALON         nobody is (told of the dealer)
TALON position=card  the rest of the talon, looked at by all
SHOWED cards         the other defender's hand, once a vole is undertaken
MATADORS n           the ombre's matador run at the end, from three on
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ..engine.cards import SUITS, cards_of, mask_of
from ..engine.errors import RecordError
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.reading import Reader, mask_told, number_told
from ..engine.records import Event
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .actions import ACTIONS, CARDS
from .auction import compel, talon_used
from .exchange import most_exchanged
from .options import CASCO_THEN_SPADILLE, SPADILLE
from .play import open_deal, options
from .start import start_of, write_start
from .trumps import BLACK_ACES, SUIT_OF

__all__ = ["from_events", "start_of", "view_events", "why_illegal", "write_start"]  # what the engine asks for

_IDS = {name: i for i, name in enumerate(ACTIONS)}
_CARD_IDS = {name: i for i, name in enumerate(CARDS)}


@entry
def open_view(rules, states, seat, hand):
    """The view of `seat` in states[0] as it stands when the seat has been dealt `hand`."""
    state = states[0]
    open_deal(rules[0], state)
    state["hand"][seat] = state["dealt"][seat] = hand
    state["talon"][:] = UNKNOWN


@entry
def compel_row(rules, states, seat):
    """Spadille is with `seat`, or (NONE) in the talon."""
    compel(rules[0], states[0], seat)


@entry
def open_options(rules, states):
    """The legal actions in states[0], as a set, and the most cards that may be exchanged where that is asked."""
    state = states[0]
    most = most_exchanged(rules[0], state, state["seat"]) if state["phase"] == st.DISCARD else 0
    return options(rules[0], state), most, talon_used(state)


def _logged(state: Any, *spans: int) -> list[tuple[int, int]]:
    """Entries of the log with ids in the given spans (first, last, first, last, ...)."""
    entries = zip(state["log_seat"][: state["logged"]].tolist(), state["log"][: state["logged"]].tolist(), strict=True)
    pairs = list(zip(spans[::2], spans[1::2], strict=True))
    return [(seat, action) for seat, action in entries if any(low <= action <= high for low, high in pairs)]


def _defenders(state: Any) -> list[int]:
    """The defenders in the order in which they exchange, once that is known."""
    first = int(state["first"])
    return [] if first == NONE else [first, 3 - int(state["ombre"]) - first]


def _kept(game: Game, state: Any) -> int:
    """The card that the ombre of a lesser casco chose to keep; NONE where there was no choice, or none that is known."""
    if state["contract"] != st.CASCO_LESSER or state["exchanged"][state["ombre"]] == NONE:
        return NONE
    dealt, thrown = int(state["dealt"][state["ombre"]]), int(state["discarded"][state["ombre"]])
    choices = dealt if game.rules[0]["keep_any"] else dealt & BLACK_ACES
    return cards_of(dealt & ~thrown)[0] if choices.bit_count() > 1 else NONE


def _most(game: Game, state: Any, who: int, public: bool = False) -> int:
    """The most cards that a seat could exchange (4.3, 4.4); `public`: as far as others know."""
    rules, drawn = game.rules[0], [max(int(n), 0) for n in state["exchanged"]]
    if who == state["ombre"]:
        return int(rules["max_exchange"])
    left = st.TALON - drawn[int(state["ombre"])]
    if who != state["first"]:
        left -= drawn[int(state["first"])]
    most = min(int(rules["max_exchange"]), left)
    if who == state["first"] and rules["leave_min"] and not public and not _has_matador(state, who):
        most = min(most, max(left - int(rules["leave_min"]), 0))
    return most


def _has_matador(state: Any, who: int) -> bool:
    dealt = cards_of(int(state["dealt"][who]))
    return any(CARDS[card] in _matadors(int(state["trump"])) for card in dealt)


def _matadors(trump: int) -> tuple[str, ...]:
    return ("AS", ("2" if SUITS[trump] in "SC" else "7") + SUITS[trump], "AC")


def _exchange(game: Game, state: Any, who: int) -> list[tuple[int, int]]:
    """The moves of an exchange, as far as it has gone."""
    thrown = cards_of(int(state["discarded"][who]))
    made = [(who, card) for card in thrown]
    if state["exchanged"][who] != NONE and len(thrown) < _most(game, state, who):
        made.append((who, act.DONE))
    return made


def view_events(game: Game, view: Any, seat: int) -> list[Event]:
    """What `seat` knows of the deal, in order, from its hidden record."""
    return list(_tell(game, view, seat))


def _tell(game: Game, view: Any, seat: int) -> Iterator[Event]:
    """Of a view cut short between a move and what it made known, only what it has."""
    ombre, contract = int(view["ombre"]), int(view["contract"])
    yield Event(seat, "DEALT " + _cards(view["dealt"][seat]))
    yield from _named(_logged(view, act.PASS, act.CASCO_GREATER))
    yield from _spadille(game, view)
    if contract == st.VUELTA and view["talon"][0] >= 0:
        yield Event(ombre, f"TURNED {CARDS[view['talon'][0]]}")
    if contract >= st.CASCO_LESSER and seat == ombre:
        kept = _kept(game, view)
        if kept != NONE:
            yield Event(seat, CARDS[kept])
        yield from _drew(view, seat)
    yield from _named(_logged(view, act.TRUMP, act.REFUSE))
    if contract in (st.ENTRADA, st.VUELTA):
        yield from _told_exchange(game, view, seat, ombre)
    yield from _named(_logged(view, act.GO_FIRST, act.YIELD))
    for who in _defenders(view):
        yield from _told_exchange(game, view, seat, who)
    yield from _told_look(view)
    yield from _told_play(game, view, seat)
    if view["run"] > 0:
        yield Event(ombre, f"MATADORS {view['run']}")


def _named(entries: Iterable[tuple[int, int]]) -> Iterator[Event]:
    for who, action in entries:
        yield Event(who, ACTIONS[action])


def _spadille(game: Game, view: Any) -> Iterator[Event]:
    """Who was forced after all passed."""
    if view["contract"] == st.ENTRADA and view["holder"] == NONE:
        yield Event(int(view["ombre"]), "SPADILLE")
    elif view["outcome"] == st.PASSED_OUT and game.rules[0]["all_pass"] in (SPADILLE, CASCO_THEN_SPADILLE):
        yield Event(int(view["start"]["dealer"]), "SPADILLE_IN_TALON")


def _told_exchange(game: Game, view: Any, seat: int, who: int) -> Iterator[Event]:
    if who == seat:
        yield from _named(_exchange(game, view, who))
        yield from _drew(view, who)
    elif view["exchanged"][who] != NONE and _most(game, view, who, public=True):
        yield Event(who, f"EXCHANGED {view['exchanged'][who]}")


def _drew(view: Any, seat: int) -> Iterator[Event]:
    first = _draw_first(view, seat)
    yield from _positions(view, seat, "DREW", range(first, first + max(int(view["exchanged"][seat]), 0)))


def _draw_first(view: Any, seat: int) -> int:
    before = [int(view["ombre"]), *_defenders(view)]
    return sum(max(int(view["exchanged"][who]), 0) for who in before[: before.index(seat)]) if seat in before else 0


def _positions(view: Any, who: int, word: str, positions: range) -> Iterator[Event]:
    """Talon cards, once all of these positions are known."""
    told = [f"{p}={CARDS[view['talon'][p]]}" for p in positions if view["talon"][p] >= 0]
    if told and len(told) == len(positions):
        yield Event(who, f"{word} {' '.join(told)}")


def _told_look(view: Any) -> Iterator[Event]:
    for who, action in _logged(view, act.LOOK, act.LEAVE):
        yield Event(who, ACTIONS[action])
        if action == act.LOOK:
            yield from _positions(view, who, "TALON", range(sum(max(int(n), 0) for n in view["exchanged"]), st.TALON))


def _told_play(game: Game, view: Any, seat: int) -> Iterator[Event]:
    entries = _logged(view, 0, 39, act.STOP, act.SURRENDER)
    for number, (who, action) in enumerate(entries):
        yield Event(who, ACTIONS[action])
        if action == act.VOLE and seat != who and game.rules[0]["vole_see"]:
            other = 3 - who - seat
            shown = int(view["hand"][other]) | mask_of([card for player, card in entries[number + 1 :] if player == other])
            if shown.bit_count() == 4:  # a view cut short before it was shown has not all of it
                yield Event(other, "SHOWED " + _cards(shown))


def _cards(mask: Any) -> str:
    return " ".join(CARDS[card] for card in cards_of(int(mask)))


def why_illegal(game: Game, view: Any, action: int) -> str:
    """The reason, in words, from what the seat to act knows."""
    phase, seat = st.Phase(int(view["phase"])), int(view["seat"])
    name = ACTIONS[action]
    if action < 40 and phase in (st.PLAY, st.DISCARD, st.CASCO_KEEP):
        if not int(view["hand"][seat]) >> action & 1:
            return f"{name} is not in hand"
        if phase == st.DISCARD:
            return "cards are thrown in the order of their ids"
        if phase == st.CASCO_KEEP:
            return "a black ace is kept"
        led = int(view["led"])
        suit = int(SUIT_OF[view["trump"], led])
        return f"{CARDS[led]} asks for {'a trump' if suit == 4 else SUITS[suit]}"
    if phase in (st.AUCTION, st.CASCO_AUCTION) and act.ENTRADA <= action <= act.CASCO_GREATER:
        return "that cannot be bid now"
    if phase == st.DISCARD and action == act.DONE:
        return f"{int(view['discarded'][seat]).bit_count()} cards are too few"
    if phase == st.PLAY and action == act.SURRENDER:
        return "the hand cannot be given up now"
    return f"the question is {phase.name}"


def from_events(game: Game, seat: int, deal: int, start: Mapping[str, Any], events: Sequence[Event]) -> NDArray[Any]:
    """The hidden record (1,) of `seat` from what it knows; RecordError names the event that cannot be."""
    return _Reader(game, seat, deal, start).read_all(events)


class _Reader(Reader):
    """Rebuilds a view: each move is played by the rules themselves, then what became known is laid into the record."""

    def __init__(self, game: Game, seat: int, deal: int, start: Mapping[str, Any]):
        super().__init__(game, seat, deal, start)
        self.automatic = {
            "DREW": self._drew, "TURNED": self._turned, "SPADILLE": self._spadille, "SPADILLE_IN_TALON": self._no_spadille,
            "TALON": self._talon, "SHOWED": self._showed, "MATADORS": self._matadors,
        }  # fmt: skip

    def read(self, event: Event, behind: Sequence[Event]) -> None:
        word, *rest = event.text.split(" ")
        if word == "DEALT":
            self._deal(event.seat, rest)
        elif not self.dealt:
            raise RecordError("the seat's own cards come first")
        elif word in self.automatic:
            self.automatic[word](event.seat, rest)
        else:
            if behind and behind[0].text.startswith("MATADORS "):  # paid for by this move
                self.view["run"] = _run(behind[0].text)
            self._move(event.seat, word, rest)

    def _deal(self, seat: int, cards: Sequence[str]) -> None:
        if self.dealt or seat != self.seat or len(cards) != st.HAND:
            raise RecordError("nine cards are dealt once, to the seat whose view it is")
        hand = _mask(cards)
        self.dealt = True
        open_view(self.game.rules, self.views, self.seat, hand)

    def _seen(self) -> int:
        """All cards whose place the view knows."""
        view = self.view
        parts = (*view["hand"], *view["played"], view["discarded"][self.seat])
        seen = mask_of([card for card in view["talon"] if card >= 0])
        for part in parts:
            seen |= int(part)
        return seen

    def _lay(self, told: Sequence[str], first: int, last: int) -> int:
        """Lay cards into the talon between two positions; the set of those that are told."""
        cards = 0
        for item in told:
            position, _, name = item.partition("=")
            place, card = number_told([position]), _CARD_IDS[name]
            lies = self.view["talon"][place] if first <= place < last else NONE
            if lies not in (UNKNOWN, card) or (lies == UNKNOWN and self._seen() >> card & 1):
                raise RecordError(f"{item} cannot be: known already, or elsewhere")
            self.view["talon"][place] = card
            cards |= 1 << card
        return cards

    def _drew(self, seat: int, told: Sequence[str]) -> None:
        n = int(self.view["exchanged"][seat]) if seat == self.seat else 0
        if n < 1 or len(told) != n:
            raise RecordError("only the seat's own talon cards are known, as many as it drew")
        first = _draw_first(self.view, seat)
        self.view["hand"][seat] |= self._lay(told, first, first + n)

    def _turned(self, seat: int, told: Sequence[str]) -> None:
        (name,) = told
        if self.view["trump"] != UNKNOWN or seat != self.view["ombre"]:
            raise RecordError("a card is turned when a vuelta has won the auction")
        self._lay([f"0={name}"], 0, 1)
        self.view["trump"] = _CARD_IDS[name] // 10

    def _spadille(self, seat: int, told: Sequence[str]) -> None:
        view = self.view
        if view["phase"] == st.SPADILLE and seat != self.seat:
            compel_row(self.game.rules, self.views, seat)
        elif view["phase"] != st.NAME_TRUMP or seat != self.seat or view["ombre"] != seat or view["holder"] != NONE:
            raise RecordError("Spadille is not forced here")

    def _no_spadille(self, seat: int, told: Sequence[str]) -> None:
        if self.view["phase"] != st.SPADILLE:
            raise RecordError("Spadille is not asked for")
        compel_row(self.game.rules, self.views, NONE)

    def _talon(self, seat: int, told: Sequence[str]) -> None:
        first = sum(max(int(n), 0) for n in self.view["exchanged"])
        if self.view["looked"] != st.YES or len(told) != st.TALON - first:
            raise RecordError("the talon lies open, all of it, when it has been looked at")
        self._lay(told, first, st.TALON)

    def _showed(self, seat: int, cards: Sequence[str]) -> None:
        view = self.view
        asked = self.game.rules[0]["vole_see"] and view["premiers"] == st.YES and view["plays"] == 15
        if not asked or seat in (self.seat, view["ombre"]) or self.seat == view["ombre"]:
            raise RecordError("only the defenders of a vole see each other's hand")
        if len(cards) != 4:
            raise RecordError("a hand of four cards is shown")
        hand = _mask(cards)
        for card in cards_of(hand & self._seen()):
            raise RecordError(f"{CARDS[card]} lies elsewhere")
        view["hand"][seat] = hand

    def _matadors(self, seat: int, told: Sequence[str]) -> None:
        if self.view["outcome"] == NONE or seat != self.view["ombre"] or number_told(told) != self.view["run"]:
            raise RecordError("that is not the matador run of the ombre")

    def _move(self, seat: int, word: str, told: Sequence[str]) -> None:
        view = self.view
        self.check_turn(seat)
        if view["trump"] == UNKNOWN:
            raise RecordError("the turned card comes first")
        mine = int(view["hand"][self.seat]) | int(view["played"][self.seat])
        if mine.bit_count() != st.HAND and not (seat == self.seat and view["phase"] == st.DISCARD):
            raise RecordError("the cards drawn come first")
        action = act.HIDDEN_EXCHANGE + number_told(told) if word == "EXCHANGED" else _IDS[word]
        if told and word != "EXCHANGED":
            raise RecordError(f"{word} stands alone")
        self._check(seat, action)
        self.game.play_one(self.views, action)
        if action >= act.HIDDEN_EXCHANGE:
            view["hand"][seat] = 0  # a turned card is known by its place in the talon

    def _check(self, seat: int, action: int) -> None:
        """Own moves are legal; those of the others may have been."""
        view, phase = self.view, int(self.view["phase"])
        word, most, _ = open_options(self.game.rules, self.views)
        if seat != self.seat and phase == st.DISCARD:
            least = 0
            if seat == view["ombre"]:
                least = 1 if view["contract"] == st.VUELTA else int(self.game.rules[0]["min_exchange"])
            if not least <= action - act.HIDDEN_EXCHANGE <= most:
                raise RecordError("of another seat's exchange the number is known, as the rules allow it")
            return
        if seat != self.seat and phase == st.PLAY and action < 40 and not view["hand"][seat]:
            turned = seat == view["ombre"] and view["talon"][0] == action and not int(view["played"][seat]) >> action & 1
            if self._seen() >> action & 1 and not (turned and view["contract"] == st.VUELTA):
                raise RecordError(f"{ACTIONS[action]} is elsewhere")
            return
        if action >= len(ACTIONS) or not int(word) >> action & 1:
            raise RecordError(why_illegal(self.game, view, action) if action < len(ACTIONS) else "own moves are known")


def _run(text: str) -> int:
    run = int(text.split(" ")[1])
    if not 3 <= run <= st.HAND:
        raise RecordError(f"no matador run has {run} cards")
    return run


def _mask(cards: Iterable[str]) -> int:
    return mask_told(cards, _CARD_IDS)
