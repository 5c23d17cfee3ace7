"""Ombre twin: one deal (ombre.md sections 4, 5, 7) as a script of questions; slow, literal, independent of the engine.

How to use it (cards and actions by the names of sections 2 and 4.6, seats 0, 1, 2):

    options = make_options("french", {"second_leave_min": 3})
    deal = Deal(options, deck, dealer=2, pot=9)      # deck: x[0..39] of section 3; stakes are paid at once
    while deal.seat is not None:
        deal.apply(choose(deal.legal()))              # deal.phase, deal.knows(seat), deal.worlds(seat)
    deal.outcome, deal.tricks, deal.delta, deal.pot   # deal.returns(): the episode of one deal

- A state with one legal action is played by the deal itself and is no decision, but it stands in `history`, the list of
  (seat, name). With `auto=False` such states wait for `apply` too (the action lists of the worked cases).
- `Partie` (ombre_settle) carries pot, betes and totals from deal to deal; `Part`, `Full` (rocambole) do so for rocambole.
- `knows(seat)` is a dict of all that section 7 gives a seat, `worlds(seat)` yields every placing of the cards it cannot
  see (ombre_worlds), `count_upper(seat)` bounds their number, `placing()` is the true one.
- Files: ombre_rules (cards, options, auction, tricks), ombre_settle (chips, Partie), ombre_worlds, rocambole (the match);
  for the tests ombre_samples (deals at hand and at random) and ombre_replay (a second judge of placings).
- A seat that discards keeps its cards in `hands` until its exchange closes; others learn the number then.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import ombre_worlds
from .ombre_rules import (
    ACTIONS,
    BLACK_ACES,
    CARDS,
    PRESETS,
    TRUMP_NAMES,
    Auction,
    by_id,
    deal_cards,
    decided,
    is_rocambole,
    legal_play,
    make_deck,
    make_options,
    matador_run,
    matadors,
    outcome_of,
    trick_winner,
)
from .ombre_settle import Partie, Table, divide

__all__ = ["ACTIONS", "CARDS", "PRESETS", "Deal", "Partie", "divide", "make_deck", "make_options"]

SURRENDER_TRICKS = {"none": 0, "before_trick2_covered": 2, "before_trick4_card": 4}


class Deal:
    """One deal; see module text. `decisions` counts answers with at least two legal actions.

    pot, queue, kon and totals are those before the stakes. In rocambole `tour` (1 if not given) and `first_of_tour` rule
    the stakes; `match` is any further public state of the match, handed on by `knows`.
    """

    def __init__(
        self, options, deck, dealer, pot=0, queue=(), totals=(0, 0, 0), *, kon=0, tour=None, first_of_tour=True, match=None,
        auto=True,
    ):  # fmt: skip
        if sorted(deck) != sorted(CARDS):
            raise ValueError("deck must hold the 40 cards")
        self.options, self.dealer, self.auto = dict(options), dealer, auto
        self.tour = (tour or 1) if is_rocambole(options) else None
        self.match = dict(match or {})
        self.eldest = (dealer + 1) % 3
        self.deck, self.start_chips = list(deck), pot + sum(queue) + kon
        self.start = {"pot": pot, "queue": list(queue), "totals": list(totals), "kon": kon}
        self.start |= {"tour": tour, "first_of_tour": first_of_tour, "match": match}
        hands, self.talon = deal_cards(deck, dealer)
        self.dealt = [frozenset(hand) for hand in hands]
        self.hands = [set(hand) for hand in hands]
        self.marks: list[list[str]] = [[], [], []]  # chosen to be thrown
        self.discards: list[set[str]] = [set(), set(), set()]
        self.drawn: list[list[str]] = [[], [], []]
        self.exchanged: list[int | None] = [None, None, None]
        self.calls: list[tuple[int, str]] = []
        self.paid = [0, 0, 0]
        self.ombre: int | None = None
        self.contract: str | None = None
        self.trump: str | None = None
        self.turned: str | None = None  # VUELTA
        self.spadille_forced = False
        self.handover: str | None = None
        self.defenders: list[int] = []  # in the order of their exchange
        self.first_limit: int | None = None  # second_leave_min: what the first defender may take without a matador
        self.look: str | None = None
        self.final: list[frozenset[str]] = []  # hands when play starts
        self.plays: list[tuple[int, str]] = []
        self.trick: list[str] = []
        self.leader: int | None = None
        self.tricks = [0, 0, 0]
        self.run = 0  # mr of 5.3
        self.first_five, self.vole = False, "none"
        self.premiers: str | None = None
        self.outcome: str | None = None
        self.codille_by: int | None = None
        self.history: list[tuple[int, str]] = []
        self.decisions = 0
        self.seat: int | None = None
        self.phase = "END"
        self._legal: list[str] = []
        self.table = Table(options, pot, queue, kon)
        self.table.stakes(dealer, self.tour, first_of_tour)
        self._script = self._run()
        self._drive(None)

    # ------------------------------------------------------------------ driver

    def _drive(self, answer) -> None:
        """Runs the script up to the next decision."""
        try:
            while True:
                seat, phase, legal = self._script.send(answer)
                if len(legal) > 1 or not self.auto:
                    self.seat, self.phase, self._legal = seat, phase, by_id(legal)
                    return
                answer = legal[0]
                self.history.append((seat, answer))
        except StopIteration:
            self.seat, self.phase, self._legal = None, "END", []

    def legal(self) -> list[str]:
        return list(self._legal)

    def apply(self, name: str) -> None:
        if self.seat is None or name not in self._legal:
            raise ValueError(f"illegal action {name!r} in phase {self.phase}; legal: {self._legal}")
        self.history.append((self.seat, name))
        self.decisions += len(self._legal) > 1
        self._drive(name)

    @property
    def over(self) -> bool:
        return self.seat is None

    @property
    def pot(self) -> int:
        return self.table.pot

    @property
    def queue(self) -> list[int]:
        return list(self.table.queue)

    @property
    def kon(self) -> int:
        return self.table.kon

    @property
    def delta(self) -> list[int]:
        """Chips won minus chips paid since before the stakes, without the division."""
        return self.table.delta

    @property
    def payments(self) -> list[dict]:
        """The same by kind (ombre_settle.KINDS)."""
        return [dict(row) for row in self.table.ledger]

    @property
    def totals(self) -> list[int]:
        return [start + change for start, change in zip(self.start["totals"], self.delta)]

    def returns(self) -> list[int]:
        """Episode `deal` (section 6): the chips left are divided."""
        return divide(self.delta, self.table.chips)

    def result(self) -> dict:
        """With the keys of section 13."""
        return {
            "outcome": self.outcome,
            "ombre": self.ombre,
            "contract": self.contract,
            "codille_by": self.codille_by,
            "tricks": list(self.tricks),
            "matador_run": self.run,
            "first_five": self.first_five,
            "vole": self.vole,
            "paid_passes": [seat for seat in range(3) for _ in range(self.paid[seat] // (self.options["paid_pass"] or 1))],
        }

    # ------------------------------------------------------------------ the script of section 4

    def _run(self):
        yield from self._bidding()
        if self.ombre is None:
            self._end("PASS_OUT")
            return
        yield from self._ombre_exchange()
        if self.outcome:
            return
        yield from self._defenders_exchange()
        yield from self._play()

    def _auction(self, casco: bool):
        """4.1, and the same machine in 4.2."""
        holders = range(3)
        if self.options["casco_lesser_keep"] == "black_ace":
            holders = [seat for seat in range(3) if self.hands[seat] & set(BLACK_ACES)]
        auction = Auction(self.options, self.dealer, casco, holders)
        while auction.seat is not None:
            seat = auction.seat
            name = yield seat, "CASCO_AUCTION" if casco else "AUCTION", auction.legal()
            self.calls.append((seat, name))
            cost = auction.call(name)
            self.table.pay(seat, cost, "pass")
            self.paid[seat] += cost
        self.ombre, self.contract = auction.holder, auction.contract

    def _bidding(self):
        rule = self.options["all_pass"]
        yield from self._auction(casco=False)
        if self.ombre is None and rule in ("casco", "casco_then_spadille"):
            yield from self._auction(casco=True)
        if self.ombre is None and rule in ("spadille", "casco_then_spadille"):
            self.spadille_forced = True
            for seat in range(3):
                if "AS" in self.hands[seat]:
                    self.ombre, self.contract = seat, "ENTRADA"

    # ------------------------------------------------------------------ exchanges (4.2 to 4.4)

    def _ombre_exchange(self):
        ombre, options = self.ombre, self.options
        if self.contract in ("ENTRADA", "SOLO"):
            yield from self._name_trump("NAME_TRUMP", TRUMP_NAMES)
        if self.contract == "ENTRADA":
            yield from self._exchange(ombre, options["min_exchange_ombre"], options["max_exchange"])
        elif self.contract == "VUELTA":
            self.turned = self.talon[0]
            self.trump = self.turned[1]
            yield from self._exchange(ombre, 1, options["max_exchange"])
        elif self.contract == "SOLO":
            self.exchanged[ombre] = 0
        else:
            yield from self._casco_exchange()
            answer = yield from self._name_trump("CASCO_TRUMP", (*TRUMP_NAMES, "REFUSE"))
            if answer == "REFUSE":
                self._end("REFUSED")

    def _name_trump(self, phase: str, legal):
        answer = yield self.ombre, phase, list(legal)
        if answer != "REFUSE":
            self.trump = answer[-1]
        return answer

    def _casco_exchange(self):
        keep = None
        if self.contract == "CASCO_LESSER":
            fit = by_id(self.hands[self.ombre])
            if self.options["casco_lesser_keep"] == "black_ace":
                fit = [c for c in fit if c in BLACK_ACES]
            keep = fit[0]
            if len(fit) > 1:
                keep = yield self.ombre, "CASCO_KEEP", fit
        self.marks[self.ombre] = [c for c in by_id(self.hands[self.ombre]) if c != keep]
        self._draw(self.ombre)

    def _exchange(self, seat: int, least: int, most: int):
        """DISCARD of 4.3: ascending ids, DONE from the minimum on, closes by itself at the maximum."""
        marks = self.marks[seat]
        while len(marks) < most:
            last = ACTIONS.index(marks[-1]) if marks else -1
            legal = [c for c in by_id(self.hands[seat]) if ACTIONS.index(c) > last]
            if len(marks) >= least:
                legal.append("DONE")
            answer = yield seat, "DISCARD", legal
            if answer == "DONE":
                break
            marks.append(answer)
        self._draw(seat)

    def _draw(self, seat: int) -> None:
        count = len(self.marks[seat])
        self.drawn[seat], self.talon = self.talon[:count], self.talon[count:]
        self.discards[seat] = set(self.marks[seat])
        self.hands[seat] = (self.hands[seat] - self.discards[seat]) | set(self.drawn[seat])
        self.exchanged[seat] = count

    def _defenders_exchange(self):
        options = self.options
        first, second = (self.ombre + 1) % 3, (self.ombre + 2) % 3
        played = options["defenders_exchange"] and (self.contract != "SOLO" or options["solo_defenders_exchange"])
        if played:
            if options["handover"]:
                self.handover = yield first, "HANDOVER", ["GO_FIRST", "YIELD"]
                if self.handover == "YIELD":
                    first, second = second, first
            self.defenders = [first, second]
            yield from self._exchange(first, 0, self._first_maximum(first))
            yield from self._exchange(second, 0, self._maximum())
            if options["talon_rest"] == "last_may_show" and self.talon:
                self.look = yield second, "LOOK", ["LOOK", "LEAVE"]
        self.exchanged = [count or 0 for count in self.exchanged]

    def _maximum(self) -> int:
        return min(9, self.options["max_exchange"], len(self.talon))

    def _first_maximum(self, seat: int) -> int:
        most = self._maximum()
        if self.options["second_leave_min"]:
            self.first_limit = max(0, len(self.talon) - self.options["second_leave_min"])
            if not self.hands[seat] & set(matadors(self.trump)):
                most = min(most, self.first_limit)
        return most

    # ------------------------------------------------------------------ play (4.5)

    def _play(self):
        self.final = [frozenset(hand) for hand in self.hands]
        run = matador_run(self.trump, self.hands[self.ombre])
        self.run = run if run >= 3 else 0
        self.leader = self.eldest
        while self.outcome is None:
            for step in range(3):
                seat = (self.leader + step) % 3
                legal = legal_play(self.trump, self.hands[seat], self.trick)
                if seat == self.ombre and self._may_surrender():
                    legal.append("SURRENDER")
                answer = yield seat, "PLAY", legal
                if answer == "SURRENDER":
                    self._end("SURRENDER")
                    return
                self.hands[seat].remove(answer)
                self.trick.append(answer)
                self.plays.append((seat, answer))
            self.leader = trick_winner(self.trump, self.leader, self.trick)
            self.tricks[self.leader] += 1
            self.trick = []
            yield from self._after_trick()

    def _may_surrender(self) -> bool:
        rule = self.options["surrender"]
        if rule == "before_trick4_card" and self.contract == "SOLO":
            return False
        return sum(self.tricks) < SURRENDER_TRICKS[rule]

    def _after_trick(self):
        ombre, played = self.ombre, sum(self.tricks)
        if self.premiers == "VOLE":
            if self.leader != ombre:
                self.vole = "failed"
                self._end("WIN")
            elif played == 9:
                self.vole = "made"
                self._end("WIN")
            return
        if self.options["first_five_stop"] and played == 5 and self.tricks[ombre] == 5:
            self.first_five = True
            self.premiers = yield ombre, "PREMIERS", ["STOP", "VOLE"]
            if self.premiers == "STOP":
                self._end("WIN")
            return
        if played == 9:
            self._end(*outcome_of(ombre, self.tricks))
        elif self.options["stop_when_decided"] and self.tour != 1:
            found = decided(ombre, self.tricks)
            if found:
                self._end(*found)

    def _end(self, outcome: str, codille_by: int | None = None) -> None:
        self.outcome, self.codille_by = outcome, codille_by
        self.table.settle(outcome, self.ombre, self.contract, codille_by, self.run, self.first_five, self.vole)

    # ------------------------------------------------------------------ knowledge (section 7)

    def knows(self, seat: int) -> dict:
        """All that this seat may know now, and nothing else."""
        phase, exchanged, talon_left = self.phase, list(self.exchanged), len(self.talon)
        if phase == "CASCO_KEEP" and seat != self.ombre:  # that there is a choice tells of both black aces
            phase, exchanged[self.ombre], talon_left = "CASCO_TRUMP", 8, 5
        over = self.outcome is not None
        return {
            "seat": seat,
            "hand": frozenset(self.hands[seat]),
            "dealt": self.dealt[seat],
            "marks": tuple(self.marks[seat]),
            "discards": frozenset(self.discards[seat]),
            "drawn": frozenset(self.drawn[seat]),
            "held": self._held_by_others(seat),
            "legal": tuple(self._legal) if seat == self.seat else None,
            "phase": phase,
            "to_act": self.seat,
            "dealer": self.dealer,
            "calls": tuple(self.calls),
            "paid": tuple(self.paid),
            "ombre": self.ombre,
            "contract": self.contract,
            "spadille_forced": self.spadille_forced,
            "trump": self.trump,
            "turned": self.turned,
            "handover": self.handover,
            "defenders": tuple(self.defenders),
            "exchanged": tuple(exchanged),
            "first_limit": self.first_limit,
            "talon_left": talon_left,
            "look": self.look,
            "talon": frozenset(self.talon) if self.look == "LOOK" else None,
            "plays": tuple(self.plays),
            "trick": tuple(self.trick),
            "tricks": tuple(self.tricks),
            "leader": self.leader,
            "premiers": self.premiers,
            "outcome": self.outcome,
            "codille_by": self.codille_by,
            "matador_run": self.run if over else None,
            "first_five": self.first_five,
            "vole": self.vole,
            "pot": self.pot,
            "queue": tuple(self.queue),
            "kon": self.kon,
            "totals": tuple(self.totals),
            "tour": self.tour,
            "match": dict(self.match),
        }

    def _held_by_others(self, seat: int) -> dict:
        """Cards now in other hands and known to this seat."""
        held = {other: frozenset() for other in range(3) if other != seat}
        if self.turned and seat != self.ombre and self.exchanged[self.ombre] is not None:
            held[self.ombre] = frozenset({self.turned} & self.hands[self.ombre])
        if self.options["vole_defenders_see"] and self.premiers == "VOLE" and seat != self.ombre:
            partner = 3 - seat - self.ombre
            held[partner] = frozenset(self.hands[partner])
        return held

    def worlds(self, seat: int | None = None) -> Iterator[tuple]:
        """All placings that agree with what the seat (to act) knows: (hands, discards, talon), by seat, as frozensets."""
        seat = self.seat if seat is None else seat
        return ombre_worlds.worlds(self.options, self._knows_at_table(seat))

    def count_upper(self, seat: int | None = None) -> int:
        """Number of placings before any condition."""
        seat = self.seat if seat is None else seat
        return ombre_worlds.count_upper(self.options, self._knows_at_table(seat))

    def _knows_at_table(self, seat: int) -> dict:
        """`knows`, but placings are of the cards as they lie: while a card is kept the exchange is not yet made."""
        return {**self.knows(seat), "exchanged": tuple(self.exchanged), "talon_left": len(self.talon)}

    def placing(self) -> tuple:
        """The true placing."""
        return tuple(map(frozenset, self.hands)), tuple(map(frozenset, self.discards)), frozenset(self.talon)
