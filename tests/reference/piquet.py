"""Piquet twin: one deal (spec sections 4, 5, 7), written as a script of questions; slow, literal, independent.

The deal is a generator that asks (seat, phase, legal actions) in the order of section 4; the driver answers by itself
wherever only one action is legal. Fair knowledge of a seat is `knows`, possible placings of unseen cards `worlds`.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import piquet_worlds
from .piquet_declare import Declarations, Event
from .piquet_match import Partie
from .piquet_rules import (
    CARDS,
    LEDGER_KEYS,
    LINES,
    PRESETS,
    exchange_sizes,
    is_blank,
    is_red,
    legal_exchange,
    legal_follow,
    legal_lead,
    legal_name,
    make_options,
    trick_winner_is_leader,
)
from .piquet_scoring import (
    cards_line,
    hand_total,
    last_extra,
    muette,
    pique_possible,
    repique_line,
    running_count,
    trick_points,
)

__all__ = [
    "CARDS",
    "PRESETS",
    "Deal",
    "Partie",
    "hand_total",
    "legal_exchange",
    "legal_follow",
    "legal_lead",
    "legal_name",
    "make_options",
    "muette",
    "running_count",
]


class Deal(Declarations):
    """One deal; see module text. `decisions` counts answers with at least two legal actions."""

    def __init__(self, options: dict, deck: list[str], dealer: int, totals=(0, 0), in_partie=False, start=None):
        if sorted(deck) != sorted(CARDS):
            raise ValueError("deck must hold the 32 cards")
        self.options, self.dealer, self.elder = dict(options), dealer, 1 - dealer
        self.cent = in_partie and options["match"] == "cent"
        self.totals = [totals[0], totals[1]]
        self.deck, self.talon = list(deck), list(deck[24:32])
        self.dealt = [None, None]
        self.dealt[self.elder], self.dealt[dealer] = frozenset(deck[:12]), frozenset(deck[12:24])
        self.hands = [set(self.dealt[0]), set(self.dealt[1])]
        self.final_hands: list[set[str]] = [set(), set()]
        self.marks: list[list[str]] = [[], []]
        self.taken: list[int | None] = [None, None]
        self.seen: list[dict[int, str]] = [{}, {}]
        self.drawn: list[list[int]] = [[], []]
        self.shown: list[set[str]] = [set(), set()]  # final-hand cards made public by counting, blank or play
        self.counted: list[set[str]] = [set(), set()]  # cards of counted items II-IV
        self.blank: list[str | None] = [None, None]
        self.opponent_dealt_public = False
        self.ledger = {seat: dict.fromkeys(LEDGER_KEYS, 0) for seat in (0, 1)}
        self.bonus: tuple[int, str] | None = None
        self.winners: dict = {"point": "none", "sequence": "none", "set": "none"}
        self.state = {"point": None, "sequence": None, "set": None}  # 'open' | 'beaten' | None, for younger (4.5)
        self.contested: dict = {}
        self.chosen_point: Event | None = None  # point_counter=at_once
        self.pips: int | None = None
        self.pips_younger: int | None = None
        self.announced = [False, False]
        self.named: str | None = None
        self.table: str | None = None
        self.leader = self.elder
        self.trick_count = [0, 0]
        self.reckoned = False
        self.can_pique = False
        self.waiting: list[tuple[int, int]] = []  # play events before younger has declared (6.4)
        self.played: list[list[str]] = [[], []]
        self.decided_by: str | None = None
        self.log: list[Event] = []
        self.history: list[tuple[int, str]] = []
        self.decisions = 0
        self.seat: int | None = None
        self.phase = "over"
        self._legal: list[str] = []
        if start:
            start(self)
        self._script = self._run(skip_exchange=start is not None)
        self._drive(None)

    # ------------------------------------------------------------------ driver

    def _drive(self, answer) -> None:
        """Runs the script up to the next real decision; forced moves are logged like chosen ones."""
        try:
            while True:
                seat, phase, legal = self._script.send(answer)
                if len(legal) > 1:
                    self.seat, self.phase, self._legal = seat, phase, sorted(legal)
                    return
                answer = legal[0]
                self.history.append((seat, answer))
        except StopIteration:
            self.seat, self.phase, self._legal = None, "over", []

    def legal(self) -> list[str]:
        return list(self._legal)

    def apply(self, name: str) -> None:
        if self.seat is None or name not in self._legal:
            raise ValueError(f"illegal action {name!r} in phase {self.phase}")
        self.history.append((self.seat, name))
        self.decisions += 1
        self._drive(name)

    @property
    def over(self) -> bool:
        return self.seat is None

    @property
    def scores(self) -> tuple[int, int]:
        return tuple(sum(self.ledger[seat].values()) for seat in (0, 1))

    @property
    def tricks(self) -> tuple[int, int]:
        return tuple(self.trick_count)

    def result(self) -> tuple[int, int]:
        """5.5."""
        mine, other = self.scores
        return mine - other, other - mine

    def match_totals(self) -> tuple[int, int]:
        """Totals before the deal plus the points of this deal (cent: at the moment the game was decided)."""
        return self.totals[0] + self.scores[0], self.totals[1] + self.scores[1]

    # ------------------------------------------------------------------ the script of section 4

    def _run(self, skip_exchange=False):
        elder, younger, options = self.elder, self.dealer, self.options
        before = options["younger_declares"] == "before_lead"
        if not skip_exchange:
            if options["carte_blanche_when"] == "dealt":
                for seat in (elder, younger):
                    yield from self._offer_blank(seat, self.dealt[seat])
            yield from self._exchange(elder)
            yield from self._exchange(younger)
            self.opponent_dealt_public = options["carte_blanche_when"] == "dealt" and "shown" in self.blank
        if options["carte_blanche_when"] == "final":
            yield from self._offer_blank(elder, self.final_hands[elder])
        yield from self._elder_point()
        for category in ("sequence", "set"):
            yield from self._elder_list(category)
        self._automatic_lines(elder)
        if before:
            yield from self._younger_declares()
            if self.decided_by:
                return
        if options["capot_open"] > 0:
            for seat in (younger, elder):
                answer = yield from self._ask(seat, "capot", ["OPEN_CAPOT", "PASS"])
                self._note(seat, answer)
                self.announced[seat] = answer == "OPEN_CAPOT"
        yield from self._name()
        answer = yield from self._ask(elder, "lead", legal_lead(self.hands[elder], self.named))
        self._lead(elder, answer)
        if not before and not self.decided_by:
            yield from self._younger_declares()
        if self.decided_by:
            return
        yield from self._look()
        yield from self._play()

    def _ask(self, seat: int, phase: str, legal: list[str], auto: str | None = None):
        """A question; with declaration_mode=auto (4.6) a declaration has one answer only."""
        if auto is not None and self.options["declaration_mode"] == "auto":
            legal = [auto]
        answer = yield seat, phase, legal
        return answer

    def _note(self, seat: int, name: str, public: str | None = None) -> Event:
        event = Event(seat, name, public or name, public is None)
        self.log.append(event)
        return event

    # ------------------------------------------------------------------ blank and exchange

    def _offer_blank(self, seat: int, cards):
        """Phase 1, or with carte_blanche_when=final before phases 4 and 8."""
        if self.blank[seat] is not None or not is_blank(cards):
            return
        answer = yield from self._ask(seat, "blank", ["BLANK", "PASS"], "BLANK")
        self.blank[seat] = "shown" if answer == "BLANK" else "declined"
        if answer == "BLANK":
            self.ledger[seat]["blank"] += self.options["carte_blanche"]
            if self.options["carte_blanche_when"] == "final":
                self._note(seat, "BLANK")
                self.shown[seat] |= set(cards)

    def _exchange(self, seat: int):
        """4.1 and 4.2."""
        rule = "elder_exchange" if seat == self.elder else "younger_exchange"
        position = 0 if seat == self.elder else self.taken[self.elder]
        allowed = exchange_sizes(self.options[rule], 8 - position)
        marks = self.marks[seat]
        while len(marks) < max(allowed):
            answer = yield from self._ask(seat, "exchange", legal_exchange(allowed, self.hands[seat], marks))
            if answer == "PASS":
                break
            marks.append(answer.split(":")[1])
        self.draw(seat)

    def draw(self, seat: int) -> None:
        """Draws as many as marked from the lowest free position; then the private look of 4.2."""
        first = 0 if seat == self.elder else self.taken[self.elder]
        count = len(self.marks[seat])
        self.taken[seat] = count
        self.hands[seat] -= set(self.marks[seat])
        self.drawn[seat] = list(range(first, first + count))
        for position in self.drawn[seat]:
            self.hands[seat].add(self.talon[position])
            self.seen[seat][position] = self.talon[position]
        self.final_hands[seat] = set(self.hands[seat])
        if seat == self.elder:
            self._see(seat, range(count, 5))
        elif self.options["younger_left_view"] != "look":
            self._see(seat, range(first + count, 8))

    def _see(self, seat: int, positions) -> None:
        for position in positions:
            self.seen[seat][position] = self.talon[position]

    def _left(self) -> range:
        return range(self.taken[0] + self.taken[1], 8)

    # ------------------------------------------------------------------ V, VI, repique, cent

    def _automatic_lines(self, seat: int) -> None:
        """5.1 V and VI."""
        if is_red(self.final_hands[seat]):
            self.ledger[seat]["red"] += self.options["red_hand"]
        if self.counted[seat] == self.final_hands[seat]:
            self.ledger[seat]["full"] += self.options["full_hand"]

    def _reckon_hands(self) -> None:
        """5.4 repique, then (cent in a partie) the walk of 6.4, then the lead that may lie on the table."""
        equal = "equal" in self.winners.values()
        shown = [b == "shown" for b in self.blank]
        found = repique_line(self.options, self.ledger, self.elder, equal, shown)
        if self.cent:
            self._walk_cent(found)
            if self.decided_by:
                return
        if found:
            self.bonus = (found[0], "repique")
            self.ledger[found[0]]["bonus"] = self.options["repique_bonus"]
        self.can_pique = pique_possible(self.options, self.ledger, self.elder, equal, bool(found), shown)
        self.reckoned = True
        for seat, points in self.waiting:
            self._play_event(seat, points)

    def _walk_cent(self, found) -> None:
        """6.4: lines I..VI in order, elder first, bonus with the item that completes it; the first at the target."""
        full = self.ledger
        cut = {seat: dict.fromkeys(LEDGER_KEYS, 0) for seat in (0, 1)}
        for line in LINES:
            for seat in (self.elder, self.dealer):
                cut[seat][line] = full[seat][line]
                if found == (seat, line):
                    cut[seat]["bonus"] = self.options["repique_bonus"]
                    self.bonus = (seat, "repique")
                if self.totals[seat] + sum(cut[seat].values()) >= self.options["cent_target"]:
                    self.ledger, self.decided_by = cut, line
                    return

    def _check_cent(self, seat: int, line: str) -> None:
        if self.cent and not self.decided_by and self.match_totals()[seat] >= self.options["cent_target"]:
            self.decided_by = line

    # ------------------------------------------------------------------ play

    def _name(self):
        """Phase 10."""
        if self.options["younger_left_view"] != "elder_names_suit" or not self._left():
            return
        answer = yield from self._ask(self.elder, "name", legal_name(self.hands[self.elder]))
        self._note(self.elder, answer)
        if answer != "PASS":
            self.named = answer[-1]
            self._see(self.elder, self._left())

    def _look(self):
        """Phase 12."""
        if self.options["younger_left_view"] != "look" or not self._left():
            return
        answer = yield from self._ask(self.dealer, "look", ["LOOK", "PASS"])
        self._note(self.dealer, answer)
        if answer == "LOOK":
            for seat in (0, 1):
                self._see(seat, self._left())

    def _play_event(self, seat: int, points: int) -> None:
        """5.2, one event of the play; pique (5.4) and the target of cent are looked at after each."""
        if not self.reckoned:
            self.waiting.append((seat, points))
            return
        if self.decided_by or points == 0:
            return
        self.ledger[seat]["play"] += points
        younger_counts = self.ledger[self.dealer]["play"]
        if self.can_pique and self.options["pique_block"] == "hand_and_play" and younger_counts > 0:
            self.can_pique = False
        reached = hand_total(self.ledger[self.elder]) + self.ledger[self.elder]["play"]
        if self.can_pique and seat == self.elder and reached >= self.options["pique_at"]:
            self.can_pique = False
            self.bonus = (self.elder, "pique")
            self.ledger[self.elder]["bonus"] = self.options["pique_bonus"]
        self._check_cent(seat, "play")

    def _put(self, seat: int, answer: str) -> str:
        card = answer.split(":")[1]
        self._note(seat, answer)
        self.hands[seat].discard(card)
        self.played[seat].append(card)
        self.shown[seat].add(card)
        return card

    def _lead(self, seat: int, answer: str) -> None:
        self.table = self._put(seat, answer)
        self.leader = seat
        self._play_event(seat, 1)

    def _play(self):
        """4.7, from the answer to the first lead on."""
        while True:
            leader = self.leader
            follower = 1 - leader
            answer = yield from self._ask(follower, "follow", legal_follow(self.hands[follower], self.table))
            card = self._put(follower, answer)
            winner = leader if trick_winner_is_leader(self.table, card) else follower
            self.table, self.leader = None, winner
            self.trick_count[winner] += 1
            self._play_event(winner, trick_points(self.options, winner == leader))
            if self.decided_by:
                return
            if sum(self.trick_count) == 12:
                self._end(winner)
                return
            answer = yield from self._ask(winner, "lead", legal_lead(self.hands[winner]))
            self._lead(winner, answer)
            if self.decided_by:
                return

    def _end(self, winner: int) -> None:
        """The last-trick extra, then cards or capot (5.3)."""
        self._play_event(winner, last_extra(self.options, self.trick_count[winner] == 12))
        if self.decided_by:
            return
        points = cards_line(self.options, self.trick_count, self.announced)
        for seat in (self.elder, self.dealer):
            if not self.decided_by:
                self.ledger[seat]["cards"] += points[seat]
                self._check_cent(seat, "capot" if 12 in self.trick_count else "cards")

    # ------------------------------------------------------------------ knowledge

    def _public_next(self) -> tuple[str, int]:
        """Phase and seat as publicly known while the other seat is privately asked for a blank (public data only)."""
        elder, younger, options = self.elder, self.dealer, self.options
        if self.taken[younger] is None:
            return "exchange", elder
        if self.seat == elder:
            return "point", elder
        if self.state["point"] and not self.chosen_point:
            return "ypoint", younger
        for category, phase in (("sequence", "yseq"), ("set", "yset")):
            if self.state[category]:
                return phase, younger
        if options["younger_declares"] == "after_lead":
            look = options["younger_left_view"] == "look" and len(self._left()) > 0
            return ("look" if look else "follow"), younger
        if options["capot_open"] > 0:
            return "capot", younger
        if options["younger_left_view"] == "elder_names_suit" and self._left():
            return "name", elder
        return "lead", elder

    def knows(self, seat: int) -> dict:
        """Section 7 and 4.8: all that this seat may know now, and nothing else."""
        other = 1 - seat
        phase, to_act = self.phase, self.seat
        if phase == "blank" and to_act == other:
            phase, to_act = self._public_next()
        opponent = set(self.shown[other])
        opponent |= {c for p, c in self.seen[seat].items() if p in self.drawn[other]}
        dealt_public = frozenset()
        if self.opponent_dealt_public and self.blank[other] == "shown":
            dealt_public = self.dealt[other]
            if self.taken[other] == 0:
                opponent |= dealt_public
        answers = [b if b != "declined" or s == seat else None for s, b in enumerate(self.blank)]
        return {
            "hand": frozenset(self.hands[seat]),
            "dealt": self.dealt[seat],
            "discards": tuple(self.marks[seat]),
            "talon": dict(self.seen[seat]),
            "exchanged": (self.taken[0], self.taken[1]),
            "opponent_cards": frozenset(opponent),
            "opponent_dealt": dealt_public,
            "log": tuple((event.seat, event.seen_by(seat)) for event in self.log),
            "pips": self.pips,
            "pips_younger": self.pips_younger,
            "blank": tuple(answers),
            "phase": phase,
            "to_act": to_act,
            "scores": {s: dict(self.ledger[s]) for s in (0, 1)},
            "tricks": self.tricks,
            "dealer": self.dealer,
            "table": self.table,
            "leader": self.leader,
        }

    def worlds(self, seat: int | None = None) -> Iterator[tuple[frozenset, frozenset, tuple]]:
        """All placings of the cards unknown to the seat to act under which the same public events would follow."""
        seat = self.seat if seat is None else seat
        return piquet_worlds.worlds(self.options, seat, self.knows(seat))

    def count_upper(self, seat: int | None = None) -> int:
        """Number of placings before any filter."""
        seat = self.seat if seat is None else seat
        return piquet_worlds.count_upper(self.options, seat, self.knows(seat))

    # ------------------------------------------------------------------ from hands

    @classmethod
    def from_final_hands(cls, options, elder, younger, dealer, blank=None, **kw):
        """Starts at phase 4; hands as after both exchanges (5 and 3 taken, nothing left); blank = seat or None.

        Which of the cards were drawn and which of the other eight were whose discards is made up.
        """
        elder, younger = list(elder), list(younger)
        rest = [c for c in CARDS if c not in elder and c not in younger]
        deck = elder[:7] + rest[:5] + younger[:9] + rest[5:] + elder[7:] + younger[9:]

        def start(deal):
            deal.marks[1 - dealer].extend(rest[:5])
            deal.marks[dealer].extend(rest[5:])
            deal.draw(1 - dealer)
            deal.draw(dealer)
            if blank is not None:
                deal.blank[blank] = "shown"
                deal.ledger[blank]["blank"] += options["carte_blanche"]
                if options["carte_blanche_when"] == "final":
                    deal.shown[blank] |= deal.final_hands[blank]

        return cls(options, deck, dealer, start=start, **kw)
