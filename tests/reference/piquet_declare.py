"""Piquet twin: the declarations of a deal (spec 4.3 to 4.6), a part of class Deal in piquet.py."""

from __future__ import annotations

from dataclasses import dataclass

from .piquet_rules import SUITS, best_class, best_name, items, longest, of_suit, point_class

PHASES_OF = {"sequence": "seq", "set": "set"}


@dataclass
class Event:
    """An entry of the public log: the other seat sees `public` until `open` (4.8)."""

    seat: int
    name: str
    public: str
    open: bool

    def seen_by(self, seat: int) -> str:
        return self.name if self.open or seat == self.seat else self.public


class Declarations:
    """The questions of phases 4 to 8; relies on the attributes of Deal."""

    # ------------------------------------------------------------------ point

    def _elder_point(self):
        """4.3, phases 4 and 5."""
        elder, younger = self.elder, self.dealer
        hand, other = self.final_hands[elder], self.final_hands[younger]
        suits = [s for s in SUITS if point_class(hand, s)[0] >= self.options["point_min_len"]]
        best = max(suits, key=lambda s: point_class(hand, s), default=None)
        answer = yield from self._ask(
            elder, "point", ["PASS"] + [f"POINT:{s}" for s in suits], f"POINT:{best}" if best else "PASS"
        )
        if answer == "PASS":
            self._note(elder, "PASS")
            self.state["point"] = "open"
            return
        suit = answer[-1]
        n, v = point_class(hand, suit)
        call = self._note(elder, answer, f"POINT:?{n}")
        answer = yield from self._reply("point_len", longest(other), n)
        minimum = (n + 1, 0)
        if answer == "EQUAL":
            self.pips = v
            best_pips = max(point_class(other, s)[1] for s in SUITS if point_class(other, s)[0] == n)
            answer = yield from self._reply("point_val", best_pips, v)
            minimum = (n, v + 1)
        if answer == "GOOD":
            self._count_point(elder, call)
        elif answer == "EQUAL":
            self.winners["point"] = "equal"
            call.open = self.options["show_equal"]
        else:
            self.state["point"], self.contested["point"] = "beaten", minimum
            if self.options["point_counter"] == "at_once":
                yield from self._counter_at_once(minimum)

    def _reply(self, phase: str, own, called):
        """Younger's answer: GOOD is always possible, the other one only if true."""
        legal = ["GOOD"] + (["EQUAL"] if own == called else ["NOT_GOOD"] if own > called else [])
        answer = yield from self._ask(self.dealer, phase, legal, legal[-1])
        self._note(self.dealer, answer)
        return answer

    def _counter_suits(self, minimum: tuple[int, int]) -> list[str]:
        """4.3: suits that beat: more cards (after the number), or as many cards and more pips (after the pips)."""
        hand = self.final_hands[self.dealer]
        if minimum[1] == 0:
            return [s for s in SUITS if point_class(hand, s)[0] >= minimum[0]]
        return [s for s in SUITS if point_class(hand, s)[0] == minimum[0] and point_class(hand, s)[1] >= minimum[1]]

    def _best_suit(self, suits: list[str]) -> str:
        return max(suits, key=lambda s: point_class(self.final_hands[self.dealer], s))

    def _counter_at_once(self, minimum):
        """4.3, point_counter=at_once."""
        suits = self._counter_suits(minimum)
        auto = f"POINT:{self._best_suit(suits)}"
        answer = yield from self._ask(self.dealer, "ypoint", [f"POINT:{s}" for s in suits], auto)
        n, v = point_class(self.final_hands[self.dealer], answer[-1])
        self.chosen_point = self._note(self.dealer, answer, f"POINT:?{n}")
        if minimum[1] > 0:
            self.pips_younger = v

    def _count_point(self, seat: int, call: Event) -> None:
        cards = of_suit(self.final_hands[seat], call.name[-1])
        self._credit(seat, "point", call, cards, len(cards))

    def _credit(self, seat: int, category: str, call: Event, cards, points: int) -> None:
        """An item is counted: points, cards shown (4.8)."""
        call.open = True
        self.ledger[seat][category] += points
        self.counted[seat] |= set(cards)
        self.shown[seat] |= set(cards)
        self.winners[category] = seat

    # ------------------------------------------------------------------ sequences and sets

    def _public(self, item) -> str:
        """4.8: the class of an item as called."""
        if item.name.startswith("SEQ"):
            return f"SEQ:?{item.cls[0]}{item.name[4]}"
        return item.name if item.name.startswith("QUATORZE") else item.name[:-1] + "?"

    def _elder_list(self, category: str):
        """4.4, phases 6 and 7."""
        elder, younger, phase = self.elder, self.dealer, PHASES_OF[category]
        own = items(category, self.final_hands[elder], self.options)
        answer = yield from self._ask(elder, phase, ["PASS"] + list(own), best_name(own))
        if answer == "PASS":
            self._note(elder, "PASS")
            self.state[category] = "open"
            return
        item = own[answer]
        call = self._note(elder, answer, self._public(item))
        theirs = best_class(items(category, self.final_hands[younger], self.options))
        answer = yield from self._reply(phase + "_reply", theirs, item.cls)
        if answer == "GOOD":
            self._credit(elder, category, call, item.cards, item.points)
            rest = {n: i for n, i in own.items() if i.key != item.key and i.cls <= item.cls}
            yield from self._further(elder, category, phase + "_extra", rest)
        elif answer == "EQUAL":
            self.winners[category] = "equal"
            call.open = self.options["show_equal"]
        else:
            self.state[category], self.contested[category] = "beaten", item.cls

    def _further(self, seat: int, category: str, phase: str, rest: dict):
        """Further items one by one, each rank or run once; the list always ends with a PASS."""
        while True:
            answer = yield from self._ask(seat, phase, ["PASS"] + list(rest), best_name(rest))
            if answer == "PASS":
                self._note(seat, "PASS")
                return
            item = rest[answer]
            self._credit(seat, category, self._note(seat, answer, self._public(item)), item.cards, item.points)
            rest = {n: i for n, i in rest.items() if i.key != item.key}

    # ------------------------------------------------------------------ younger's declarations

    def _younger_declares(self):
        """4.5, phase 8 or 8'; then the reckoning of the hands."""
        younger = self.dealer
        if self.options["carte_blanche_when"] == "final":
            yield from self._offer_blank(younger, self.final_hands[younger])
        yield from self._younger_point()
        for category in ("sequence", "set"):
            yield from self._younger_list(category)
        self._automatic_lines(younger)
        self._reckon_hands()

    def _younger_point(self):
        younger, state = self.dealer, self.state["point"]
        if self.chosen_point:
            self._count_point(younger, self.chosen_point)
            return
        if state is None:
            return
        if state == "beaten":
            suits = self._counter_suits(self.contested["point"])
        else:
            hand = self.final_hands[younger]
            suits = [s for s in SUITS if point_class(hand, s)[0] >= self.options["point_min_len"]]
        legal = [f"POINT:{s}" for s in suits] + (["PASS"] if state == "open" else [])
        auto = f"POINT:{self._best_suit(suits)}" if suits else "PASS"
        answer = yield from self._ask(younger, "ypoint", legal, auto)
        call = self._note(younger, answer)
        if answer != "PASS":
            self._count_point(younger, call)

    def _younger_list(self, category: str):
        younger, state, phase = self.dealer, self.state[category], "y" + PHASES_OF[category]
        if state is None:
            return
        own = items(category, self.final_hands[younger], self.options)
        if state == "beaten":
            above = {n: i for n, i in own.items() if i.cls > self.contested[category]}
            answer = yield from self._ask(younger, phase, list(above), best_name(above))
            item = above[answer]
            self._credit(younger, category, self._note(younger, answer), item.cards, item.points)
            own = {n: i for n, i in own.items() if i.key != item.key}
        yield from self._further(younger, category, phase, own)
