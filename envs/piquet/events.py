"""A deal of piquet as a list: every move of the record, and the events that one seat knows, both ways.

Words of a view beside the action names (cards separated by blanks):
DEALT cards         own twelve cards               DREW position=card ...   own talon cards
SAW position=card   talon cards looked at          EXCHANGED n              the other seat's exchange
POINT:?5 SEQ:?4K TRIO:K-?   a call known by its class: cards; cards and top; rank
PIPS 48             pips of the point just called  SHOWED call cards        a call that is good, or equal, lies open
BLANK cards         the other's blank, laid open   RED_HAND, FULL_HAND      credits that come by themselves
Items that the other seat counts carry their cards: `TRIO:K-H KS KD KC`.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ..engine.cards import RANKS_32, SUITS, cards_of
from ..engine.errors import RecordError
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.reading import Reader, mask_told, number_told
from ..engine.records import Event, start_fits
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .actions import ACTIONS, CARDS
from .items import HIDDEN_EXCHANGE, HIDDEN_POINT, HIDDEN_SEQ, HIDDEN_SET
from .options import LOOKS
from .play import ask_first, open_deal
from .scoring import RANK_CARDS
from .state import CATEGORY_POINT, CATEGORY_SEQ, MATCH

_IDS = {name: i for i, name in enumerate(ACTIONS)}
_CARD_IDS = {name: i for i, name in enumerate(CARDS)}
_PAIRS = ("written", "columns", "wrote", "records", "final_bonus", "through", "totals", "net")
START_KEYS = tuple(MATCH.names or ())


@entry
def open_view(rules, states, seat, hand):
    """The view of `seat` in states[0] as it stands when the seat has been dealt `hand`."""
    state = states[0]
    open_deal(state)
    state["hand"][seat] = state["dealt"][seat] = hand
    state["talon"][:] = UNKNOWN
    ask_first(rules[0], state)


def start_of(game: Game, state: Any) -> dict[str, Any]:
    """What the deal inherits, as JSON: the match scores at its start and the dealer."""
    return {name: _plain(state["start"][name]) for name in START_KEYS}


def _plain(value: Any) -> Any:
    return value.tolist()


def write_start(game: Game, state: Any, start: Mapping[str, Any]) -> None:
    """Write `start` into the match scores before a deal; what it leaves out is as at the start of an episode."""
    for name, value in start.items():
        if name not in START_KEYS:
            raise RecordError(f"start has no {name!r}; known: {', '.join(START_KEYS)}")
        if not start_fits(value, 2 if name in _PAIRS else 0):
            raise RecordError(f"start[{name!r}] is {'two integers' if name in _PAIRS else 'an integer'}, not {value!r}")
        if name == "dealer" and not NONE <= int(value) <= 1:
            raise RecordError(f"start['dealer'] is seat 0 or 1, or -1 for the lot, not {value!r}")
        state["match"][name] = value


def _elder(state: Any) -> int:
    return 1 - int(state["start"]["dealer"])


def _blank_answer(state: Any, seat: int) -> list[tuple[int, int]]:
    answer = state["blank"][seat]
    return [] if answer == NONE else [(seat, act.BLANK if answer == st.SHOWN else act.PASS)]


def _most(game: Game, state: Any, seat: int) -> int:
    """The most cards that a seat could exchange; 0 where the rules pass its exchange over (4.1)."""
    rules = game.rules[0]
    who = 0 if seat == _elder(state) else 1
    left = 8 - (int(state["exchanged"][1 - seat]) if who else 0)
    most = min(int(rules["exchange_high"][who]), left)
    return most if most >= rules["exchange_low"][who] else 0


def _stopped(game: Game, state: Any, seat: int) -> bool:
    """Whether the exchange ended by PASS: fewer cards than the most were marked."""
    return int(state["marked"][seat]) < _most(game, state, seat)


def view_events(game: Game, view: Any, seat: int) -> list[Event]:
    """What `seat` knows of the deal, in order, from its hidden record."""
    return list(_Teller(game, view, seat).tell())


class _Teller:
    """Walks through a view and tells it; of a view cut short between a move and what it made known, only what it has."""

    def __init__(self, game: Game, view: Any, seat: int):
        self.game, self.view, self.seat = game, view, seat
        self.elder = _elder(view)
        self.final = bool(game.rules[0]["blank_final"])

    def tell(self) -> Iterator[Event]:
        view, seat, elder = self.view, self.seat, self.elder
        yield Event(seat, "DEALT " + _cards(view["dealt"][seat]))
        if not self.final:
            for who in (elder, 1 - elder):
                yield from self._blank(who)
        for who in (elder, 1 - elder):
            yield from self._exchange(who)
        if not self.final and view["exchanged"][1 - elder] != NONE and self._open_blank():
            yield Event(1 - seat, "BLANK " + _cards(view["dealt"][1 - seat]))
        if self.final:
            yield from self._blank(elder)
        for i in range(view["logged"]):
            if self.final and i == view["younger_at"]:
                yield from self._blank(1 - elder)
            if i == view["younger_at"]:
                yield from self._counter()
            yield from self._logged(i)
            yield from self._reckoned(i + 1)
        if view["younger_at"] == view["logged"]:
            if self.final:
                yield from self._blank(1 - elder)
            yield from self._counter()

    def _open_blank(self) -> bool:
        return bool(self.view["blank"][1 - self.seat] == st.SHOWN and self.view["dealt"][1 - self.seat])

    def _blank(self, who: int) -> Iterator[Event]:
        for _, action in _blank_answer(self.view, who):
            cards = self.final and who != self.seat
            yield Event(who, ACTIONS[action] + (" " + _cards(self.view["shown"][who]) if cards else ""))

    def _exchange(self, who: int) -> Iterator[Event]:
        view = self.view
        n = int(view["exchanged"][who])
        if who != self.seat:
            if n != NONE and _most(self.game, view, who):
                yield Event(who, f"EXCHANGED {n}")
            return
        for card in view["marks"][who][: view["marked"][who]]:
            yield Event(who, ACTIONS[act.DISCARD + int(card)])
        if n == NONE:
            return
        if _stopped(self.game, view, who):
            yield Event(who, "PASS")
        first = 0 if who == self.elder else int(view["exchanged"][self.elder])
        yield from self._talon("DREW", first, first + n)
        if who == self.elder:
            yield from self._talon("SAW", n, 5)
        elif self.game.rules[0]["left_view"] != LOOKS:
            yield from self._talon("SAW", first + n, 8)

    def _talon(self, word: str, first: int, last: int) -> Iterator[Event]:
        talon = self.view["talon"]
        told = " ".join(f"{p}={CARDS[talon[p]]}" for p in range(first, last) if talon[p] >= 0)
        if told:
            yield Event(self.seat, f"{word} {told}")

    def _reckoned(self, length: int) -> Iterator[Event]:
        for who in (self.elder, 1 - self.elder):
            if self.view["reckoned"][who] == length:
                for item, word in ((st.ITEM_RED, "RED_HAND"), (st.ITEM_FULL, "FULL_HAND")):
                    if self.view["ledger"][who, item]:
                        yield Event(who, word)

    def _counter(self) -> Iterator[Event]:
        """A point named at once lies open when younger's declarations begin."""
        at = int(self.view["counter_at"])
        if at != NONE and self.view["counter_shown"] and self.seat == self.elder and self.view["log"][at] != UNKNOWN:
            yield self._showed(at)

    def _logged(self, i: int) -> Iterator[Event]:
        view = self.view
        who, action = int(view["log_seat"][i]), int(view["log"][i])
        contested = [c for c in range(3) if view["call_at"][c] == i]
        counter = view["counter_at"] == i
        if act.POINT <= action < act.GOOD or action == UNKNOWN:
            if who == self.seat or action == UNKNOWN or contested or counter:
                hidden = who != self.seat and not (act.QUATORZE <= action < act.TRIO)
                yield Event(who, self._class(contested, counter) if hidden else ACTIONS[action])
            else:
                yield Event(who, self._with_cards(who, action))
            if counter and view["counter_pips"] > 0:
                yield Event(who, f"PIPS {view['counter_pips']}")
            return
        yield Event(who, ACTIONS[action])
        if act.GOOD <= action <= act.NOT_GOOD:
            yield from self._answered(i, action)
        elif action == act.LOOK or (action >= act.NAME and self.seat == self.elder):
            yield from self._talon("SAW", int(view["exchanged"].sum()), 8)

    def _answered(self, i: int, action: int) -> Iterator[Event]:
        view = self.view
        category, at = max(((c, int(view["call_at"][c])) for c in range(3) if view["call_at"][c] < i), key=lambda x: x[1])
        first = i == at + 1
        if category == CATEGORY_POINT and action == act.EQUAL and first and view["call_pips"] > 0:
            yield Event(self.elder, f"PIPS {view['call_pips']}")
        elif self.seat != self.elder and view["log"][at] != UNKNOWN and not act.QUATORZE <= view["log"][at] < act.TRIO:
            yield self._showed(at)

    def _showed(self, at: int) -> Event:
        who, action = int(self.view["log_seat"][at]), int(self.view["log"][at])
        won = who != self.elder or self.view["outcome"][_category_of(action)] == st.WON
        return Event(who, "SHOWED " + (self._with_cards(who, action) if won else ACTIONS[action]))

    def _with_cards(self, who: int, action: int) -> str:
        return f"{ACTIONS[action]} {_cards(_item_cards(self.view, who, action))}"

    def _class(self, contested: list[int], counter: bool) -> str:
        if counter:
            return f"POINT:?{self.view['counter_class']}"
        rank = int(self.view["call_class"][contested[0]])
        if contested[0] == CATEGORY_POINT:
            return f"POINT:?{rank}"
        top = RANKS_32[7 - rank % 8]
        return f"SEQ:?{rank // 8}{top}" if contested[0] == CATEGORY_SEQ else f"TRIO:{top}-?"


def _category_of(action: int) -> int:
    return CATEGORY_POINT if action < act.SEQ else CATEGORY_SEQ if action < act.QUATORZE else st.CATEGORY_SET


def _item_cards(view: Any, who: int, action: int) -> int:
    """The cards of a counted item of the other seat, from those it has shown."""
    shown = int(view["shown"][who])
    if action < act.SEQ:
        return shown & (0xFF << (8 * (action - act.POINT)))
    if action < act.QUATORZE:
        suit, top = divmod(action - act.SEQ, 6)
        cards, card = 0, 8 * suit + top
        while card < 8 * suit + 8 and int(view["counted_seq"][who]) >> card & 1:
            cards |= 1 << card
            card += 1
        return cards
    if action < act.TRIO:
        return RANK_CARDS << (action - act.QUATORZE)
    rank, suit = divmod(action - act.TRIO, 4)
    return (RANK_CARDS << rank) & ~(1 << (8 * suit + rank))


def _cards(mask: Any) -> str:
    return " ".join(CARDS[card] for card in cards_of(int(mask)))


def why_illegal(game: Game, view: Any, action: int) -> str:
    """The reason, in words, from what the seat to act knows."""
    phase, seat = st.Phase(int(view["phase"])), int(view["seat"])
    kind, _, card = ACTIONS[action].partition(":")
    if kind == "PLAY" and phase in (st.LEAD, st.FOLLOW):
        if not int(view["hand"][seat]) >> _CARD_IDS[card] & 1:
            return f"{card} is not in hand"
        suit = SUITS[view["table"] // 8] if phase == st.FOLLOW else SUITS[view["named"]]
        return f"must follow {suit}" if phase == st.FOLLOW else f"the first lead is bound to {suit}"
    if phase == st.EXCHANGE and kind == "DISCARD":
        return f"{card} is not in hand" if view["marked"][seat] < 8 else "no more may be exchanged"
    if phase == st.EXCHANGE and kind == "PASS":
        return f"{view['marked'][seat]} cards is no number that may be exchanged"
    if kind in ("GOOD", "EQUAL", "NOT_GOOD") and phase.name.endswith(("REPLY", "LEN", "VAL")):
        return "that answer would not be true"
    if kind in ("POINT", "SEQ", "QUATORZE", "TRIO", "PASS") and st.POINT <= phase <= st.YSET:
        return "that cannot be called now"
    return f"the question is {phase.name}"


def from_events(game: Game, seat: int, deal: int, start: Mapping[str, Any], events: Sequence[Event]) -> NDArray[Any]:
    """The hidden record (1,) of `seat` from what it knows; RecordError names the event that cannot be."""
    return _Reader(game, seat, deal, start).read_all(events)


_AUTOMATIC = ("DREW", "SAW", "PIPS", "SHOWED", "RED_HAND", "FULL_HAND")
HAND = 12  # cards
MOST_LOGGED = 56  # of a deal: 24 cards, and 32 calls, answers and passes
_PASS, _SET = range(act.PASS, act.POINT), range(HIDDEN_SET + 24, HIDDEN_SET + 32)
_CALLS = {
    (st.POINT, st.COUNTER, st.YPOINT): (_PASS, range(act.POINT, act.SEQ), range(HIDDEN_POINT, HIDDEN_SEQ)),
    (st.SEQ, st.SEQ_EXTRA, st.YSEQ): (_PASS, range(act.SEQ, act.QUATORZE), range(HIDDEN_SEQ, HIDDEN_SET)),
    (st.SET, st.SET_EXTRA, st.YSET): (_PASS, range(act.QUATORZE, act.GOOD), _SET),
    (st.POINT_LEN, st.POINT_VAL, st.SEQ_REPLY, st.SET_REPLY): (range(act.GOOD, act.BLANK),),
    (st.BLANK,): (_PASS, range(act.BLANK, act.OPEN_CAPOT)),
    (st.CAPOT,): (_PASS, range(act.OPEN_CAPOT, act.LOOK)),
    (st.LOOK,): (_PASS, range(act.LOOK, act.NAME)),
    (st.NAME,): (_PASS, range(act.NAME, len(ACTIONS))),
    (st.LEAD, st.FOLLOW): (range(act.PLAY, act.PASS),),
}
_MAY_FOLLOW = {phase: spans for phases, spans in _CALLS.items() for phase in phases}  # what the other seat may answer
_ANSWERED = {st.POINT_LEN: 0, st.POINT_VAL: 0, st.SEQ_REPLY: 1, st.SET_REPLY: 2}  # the category, by phase


class _Reader(Reader):
    """Rebuilds a view: each move is played by the rules themselves, with what is told about it laid into the record first."""

    def __init__(self, game: Game, seat: int, deal: int, start: Mapping[str, Any]):
        super().__init__(game, seat, deal, start)
        self.other, self.elder = 1 - seat, 1 - int(self.view["match"]["dealer"])

    def read(self, event: Event, behind: Sequence[Event]) -> None:
        word, *rest = event.text.split(" ")
        if word == "DEALT":
            self._deal(event.seat, rest)
        elif not self.dealt:
            raise RecordError("the seat's own cards come first")
        elif word in ("DREW", "SAW"):
            self._talon(event.seat, rest)
            if word == "DREW" and len(rest) != self.view["exchanged"][self.seat]:
                raise RecordError("as many cards are drawn as exchanged")
        elif word == "PIPS":
            self.view["call_pips" if event.seat == self.elder else "counter_pips"] = number_told(rest)
        elif word == "SHOWED":
            self._lay_open(_call_id(rest[0]), rest[1:])
        elif word == "BLANK" and event.seat == self.other:
            self._other_blank(self._theirs(rest))
        elif word not in _AUTOMATIC:
            self._move(event.seat, word, rest, behind)

    def _deal(self, seat: int, cards: Sequence[str]) -> None:
        if self.dealt or seat != self.seat or len(cards) != HAND:
            raise RecordError("twelve cards are dealt once, to the seat whose view it is")
        hand = _mask(cards)
        self.dealt = True
        open_view(self.game.rules, self.views, self.seat, hand)

    def _talon(self, seat: int, told: Sequence[str]) -> None:
        if seat != self.seat:
            raise RecordError("only the seat's own talon cards are known")
        for item in told:
            position, _, name = item.partition("=")
            place, card = number_told([position]), _CARD_IDS[name]
            if not 0 <= place < 8 or self.view["talon"][place] not in (UNKNOWN, card):
                raise RecordError(f"{item} is no card of the talon, or another lies there")
            if self.view["talon"][place] == UNKNOWN and (self._seen() >> card & 1 or card in self.view["talon"]):
                raise RecordError(f"{name} lies elsewhere")
            self.view["talon"][place] = card

    def _seen(self) -> int:
        """All cards that were never in the other hand, or are no longer."""
        view, own = self.view, self.seat
        return int(view["hand"][own] | view["discarded"][own] | view["played"][own] | view["played"][self.other])

    def _theirs(self, cards: Sequence[str]) -> int:
        """Cards that the other seat has shown, the set of them."""
        shown, played = _mask(cards), int(self.view["played"][self.other])
        for card in cards_of(shown & self._seen() & ~played):
            raise RecordError(f"{CARDS[card]} lies elsewhere")
        return shown

    def _lay_open(self, action: int, cards: Sequence[str]) -> None:
        """A point named at once lies open (it has been credited); what an answer laid open came with the answer."""
        at = int(self.view["counter_at"])
        if self.seat == self.elder and at != NONE and self.view["log"][at] == UNKNOWN:
            self.view["log"][at] = action
            shown = self._theirs(cards)
            self.view["shown"][self.other] |= shown
            self.view["counted"][self.other] |= shown

    def _other_blank(self, cards: int) -> None:
        view, other = self.view, self.other
        if cards and not self.game.rules[0]["blank_final"]:
            view["dealt"][other] = cards  # shown before the exchange, laid open after it
            return
        view["blank"][other] = st.SHOWN
        view["shown"][other] |= cards
        view["ledger"][other, st.ITEM_BLANK] = self.game.rules[0]["blank_points"]

    def _move(self, seat: int, word: str, cards: Sequence[str], behind: Sequence[Event]) -> None:
        view = self.view
        self.check_turn(seat)
        own = int(view["hand"][self.seat] | view["played"][self.seat])
        if view["exchanged"][self.seat] != NONE and own.bit_count() != HAND:
            raise RecordError("the cards drawn come first")
        action = _IDS[word] if word in _IDS else _hidden_id(word, cards)
        if seat != self.seat:
            self._check_other(action)
        lent = self._theirs(cards) if act.POINT <= action < act.GOOD and seat != self.seat else 0
        if seat == self.seat and (action >= len(ACTIONS) or not self.game.legal(self.views)[0, action]):
            raise RecordError(why_illegal(self.game, view, action) if action < len(ACTIONS) else "own moves are known")
        lent |= self._look_ahead(action, behind)
        view["hand"][self.other] |= lent
        self.game.play_one(self.views, action)
        view["hand"][self.other] = 0

    def _check_other(self, action: int) -> None:
        """Of the other seat's move: that it answers what is asked, and by cards that may be there."""
        view, phase = self.view, int(self.view["phase"])
        if phase == st.EXCHANGE and HIDDEN_EXCHANGE <= action < HIDDEN_POINT:
            who, n = 0 if self.other == self.elder else 1, action - HIDDEN_EXCHANGE
            least = int(self.game.rules[0]["exchange_low"][who])
            none = n == 0 and self.game.rules[0]["exchange_zero"][who] == 1
            if not none and not least <= n <= _most(self.game, view, self.other):
                raise RecordError("of the other's exchange the number is known, as the rules allow it")
        elif not any(action in span for span in _MAY_FOLLOW.get(phase, ())):
            raise RecordError(f"the question is {st.Phase(phase).name}")
        if act.PLAY <= action < act.PASS and self._seen() >> action - act.PLAY & 1:
            raise RecordError(f"{CARDS[action - act.PLAY]} lies elsewhere")
        if view["logged"] > MOST_LOGGED:
            raise RecordError("there cannot be so many calls")

    def _look_ahead(self, action: int, behind: Sequence[Event]) -> int:
        """What becomes known by this move must lie in the record when it is played; returns cards that are shown."""
        lent = 0
        for event in behind:
            word, *rest = event.text.split(" ")
            if word not in _AUTOMATIC:
                break
            if word == "SHOWED" and act.GOOD <= action <= act.NOT_GOOD and event.seat == self.elder:
                self.view["log"][self.view["call_at"][_ANSWERED[int(self.view["phase"])]]] = _call_id(rest[0])
                lent |= self._theirs(rest[1:])
            elif word == "DREW":
                with contextlib.suppress(RecordError, KeyError):  # told when this event is read
                    self._talon(event.seat, rest)
            elif word == "RED_HAND":
                self.view["ledger"][event.seat, st.ITEM_RED] = self.game.rules[0]["red_hand"]
        return lent


def _mask(cards: Iterable[str]) -> int:
    return mask_told(cards, _CARD_IDS)


def _call_id(word: str) -> int:
    if not act.POINT <= _IDS[word] < act.GOOD:
        raise RecordError("calls are shown")
    return _IDS[word]


def _hidden_id(word: str, rest: Sequence[str]) -> int:
    if word == "EXCHANGED":
        return HIDDEN_EXCHANGE + min(number_told(rest), 9)
    if point := re.fullmatch(r"POINT:\?([1-8])", word):
        return HIDDEN_POINT + int(point[1])
    if run := re.fullmatch(r"SEQ:\?([3-8])([AKQJT98])", word):
        return HIDDEN_SEQ + 8 * int(run[1]) + 7 - RANKS_32.index(run[2])
    if alike := re.fullmatch(r"TRIO:([AKQJT])-\?", word):
        return HIDDEN_SET + 24 + 7 - RANKS_32.index(alike[1])
    raise RecordError(f"{word!r} is no move and no event of piquet")
