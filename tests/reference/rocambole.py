"""Rocambole twin: the match over ombre deals (rocambole.md sections 3 and 4); a single deal is `ombre.Deal`.

match = Part(make_options("rocambole"), dealer=0)      # or Full: the parts of the options; Match: any number
while not match.over:
    deal = match.new_deal(deck)                          # played with deal.apply, as in ombre.py
    ...
    match.finish(deal)                                   # or match.add_result(result) with the keys of a `tour` case
match.totals, match.rewards                              # after the division
"""

from __future__ import annotations

from .ombre import Deal
from .ombre_rules import is_rocambole, make_options
from .ombre_settle import Table, divide

__all__ = ["Deal", "Full", "Match", "Part", "make_options"]


class Match:
    """State before the stakes of the next deal; names as in section 3 (`deals_in_tour` is n)."""

    def __init__(self, options, dealer=0, parts=None, *, part=1, tour=1, deals_in_tour=0, cum_tricks=(0, 0, 0), **chips):
        if not is_rocambole(options):
            raise ValueError("not the options of rocambole")
        self.options, self.dealer = options, dealer
        self.parts = options["parts"] if parts is None else parts
        self.part, self.tour, self.deals_in_tour, self.cum_tricks = part, tour, deals_in_tour, list(cum_tricks)
        self.pot, self.kon, self.queue = chips.get("pot", 0), chips.get("kon", 0), list(chips.get("queue", ()))
        self.totals = list(chips.get("totals", (0, 0, 0)))
        self.dealt, self.over = 0, False
        self.rewards: list[list[int]] = []

    @property
    def chips(self) -> int:
        return self.pot + self.kon + sum(self.queue)

    def public(self) -> dict:
        """The match state that is public beside the chips (section 5)."""
        return {"part": self.part, "deals_in_tour": self.deals_in_tour, "cum_tricks": tuple(self.cum_tricks)}

    def new_deal(self, deck, auto: bool = True) -> Deal:
        return Deal(
            self.options,
            deck,
            self.dealer,
            pot=self.pot,
            queue=self.queue,
            totals=self.totals,
            kon=self.kon,
            tour=self.tour,
            first_of_tour=self.deals_in_tour == 0,
            match=self.public(),
            auto=auto,
        )

    def finish(self, deal: Deal) -> None:
        if deal.seat is not None or (deal.dealer, deal.tour) != (self.dealer, self.tour):
            raise ValueError("not a finished deal of this match")
        self.enter(deal.table, deal.outcome, deal.tricks)

    def add_result(self, result: dict) -> None:
        table = Table(self.options, self.pot, self.queue, self.kon)
        table.stakes(self.dealer, self.tour, self.deals_in_tour == 0)
        table.settle_result(result)
        self.enter(table, result["outcome"], result.get("tricks", (0, 0, 0)))

    def enter(self, table: Table, outcome: str, tricks) -> None:
        if self.over:
            raise ValueError("the match is over")
        before = self.totals
        self.totals = [total + change for total, change in zip(before, table.delta)]
        self.pot, self.queue, self.kon = table.pot, list(table.queue), table.kon
        self.dealer = (self.dealer + 1) % 3
        self.dealt += 1
        self.deals_in_tour += 1
        if self.tour == 1 and outcome not in ("REFUSED", "PASS_OUT"):
            self.cum_tricks = [c + t for c, t in zip(self.cum_tricks, tricks)]
        if self.tour_ends(outcome, tricks):
            self.next_tour()
        self.rewards.append([now - then for now, then in zip(self.totals, before)])

    def tour_ends(self, outcome: str, tricks) -> bool:
        options = self.options
        if self.tour == 1:
            counted = self.cum_tricks if options["tour1_rule"] == "cumulative_tricks" else tricks
            return max(counted) >= options["tour1_tricks"] or self.deals_in_tour == options["tour1_max_deals"]
        if self.tour == 2:
            return self.deals_in_tour == options["tour2_deals"]
        taken = outcome == "WIN" or (outcome == "CODILLE" and options["codille_award"] == "pot")
        return taken or not options["tour3_until_taken"] or self.deals_in_tour == options["tour3_max_deals"]

    def next_tour(self) -> None:
        self.deals_in_tour = 0
        if self.tour < 3:
            self.tour += 1
            return
        self.cum_tricks = [0, 0, 0]
        if self.part < self.parts:
            self.part, self.tour = self.part + 1, 1
            return
        self.over = True
        self.totals = divide(self.totals, self.chips)
        self.pot, self.kon, self.queue = 0, 0, []


class Part(Match):
    """Episode `part`: one part."""

    def __init__(self, options, dealer=0, **start):
        super().__init__(options, dealer, 1, **start)


class Full(Match):
    """Episode `full`: all parts of the options."""
