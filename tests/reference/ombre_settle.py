"""Ombre twin: the chips (ombre.md sections 5.1, 5.3 and 6; rocambole.md section 3 for the kon)."""

from __future__ import annotations

from .ombre_rules import is_rocambole

KINDS = ("stake", "kon", "pass", "pass_out", "pot", "bete", "premium")


def bete(options: dict, pot: int) -> int:
    """B of 5.3."""
    size = options["bete_fixed"] if options["bete_rule"] == "fixed" else pot
    if options["bete_cap"]:
        size = min(size, options["bete_cap"])
    return max(options["bete_min"], size)


def divide(totals, chips: int) -> list[int]:
    """Section 6: a third each, the odd chips to the lowest total, of equal ones to the lowest seat."""
    lowest = min(range(3), key=lambda seat: (totals[seat], seat))
    return [totals[seat] + chips // 3 + (chips % 3 if seat == lowest else 0) for seat in range(3)]


def premium_of_run(options: dict, run: int) -> int:
    """m of 5.3."""
    return run if run >= 3 and options["matador_premium"] else 0


class Table:
    """The chips of one deal: pot P, queue Q, kon K, and what each seat paid (-) and got (+), by kind."""

    def __init__(self, options: dict, pot: int = 0, queue=(), kon: int = 0):
        self.options, self.pot, self.queue, self.kon = options, pot, sorted(queue), kon
        self.queue_add: list[int] = []  # betes laid into Q by this deal
        self.ledger = [dict.fromkeys(KINDS, 0) for _ in range(3)]

    @property
    def delta(self) -> list[int]:
        return [sum(row.values()) for row in self.ledger]

    @property
    def chips(self) -> int:
        """All that lies on the table."""
        return self.pot + sum(self.queue) + self.kon

    def pay(self, seat: int, chips: int, kind: str) -> None:
        """Into the pot, or into the kon."""
        self.ledger[seat][kind] -= chips
        if kind == "kon":
            self.kon += chips
        else:
            self.pot += chips

    # ------------------------------------------------------------------ before the deal

    def stakes(self, dealer: int, tour: int | None = None, first_of_tour: bool = True) -> None:
        """Rules 1 and 2 of 5.1; with a tour of rocambole also what section 3 there adds."""
        options = self.options
        if tour == 3 and first_of_tour:
            self.pot, self.kon = self.pot + self.kon, 0
        if self.pot == 0 and self.queue:
            self.pot = self.queue.pop()
        if tour != 2 or options["kon_rule"] == "both":
            self.antes(dealer)
        if tour == 2:
            self.pay(dealer, options["kon_contribution"], "kon")

    def antes(self, dealer: int) -> None:
        mode = self.options["ante_mode"]
        if mode == "dealer_every_deal":
            self.pay(dealer, self.options["dealer_ante"], "stake")
        elif mode == "all_every_deal" or self.pot == 0:
            for seat in range(3):
                self.pay(seat, self.options["ante"], "stake")

    # ------------------------------------------------------------------ settlement

    def settle(self, outcome, ombre=None, contract=None, codille_by=None, run=0, first_five=False, vole="none") -> None:
        """5.3."""
        options = self.options
        if outcome == "PASS_OUT":
            for seat in range(3):
                self.pay(seat, options["pass_out_each"], "pass_out")
            return
        size = bete(options, self.pot)
        each = 0
        if outcome != "REFUSED":
            each = options["prem"][contract] + premium_of_run(options, run)
        if outcome == "WIN":
            self.take_pot(ombre)
            each += options["premiers_value"] if first_five else 0
            each += {"none": 0, "made": options["vole_value"], "failed": -options["vole_value"]}[vole]
            self.premiums(ombre, each)
            return
        if outcome == "CODILLE" and options["codille_award"] == "pot":
            self.take_pot(codille_by)
        self.lay_bete(ombre, size)
        self.premiums(ombre, -each)

    def take_pot(self, seat: int) -> None:
        self.ledger[seat]["pot"] += self.pot
        self.pot = 0

    def lay_bete(self, ombre: int, size: int) -> None:
        if self.options["bete_pool"] == "queue":
            self.ledger[ombre]["bete"] -= size
            self.queue_add.append(size)
            self.queue = sorted([*self.queue, size])
        else:
            self.pay(ombre, size, "bete")

    def premiums(self, ombre: int, each: int) -> None:
        """Each opponent pays `each` to the ombre."""
        for seat in range(3):
            self.ledger[seat]["premium"] += 2 * each if seat == ombre else -each

    def settle_result(self, result: dict) -> None:
        """Paid passes and settlement from a result with the keys of section 13 (rocambole.md section 10)."""
        for seat in result.get("paid_passes", ()):
            self.pay(seat, self.options["paid_pass"], "pass")
        names = {"matador_run": "run"}
        keys = ("outcome", "ombre", "contract", "codille_by", "matador_run", "first_five", "vole")
        self.settle(**{names.get(key, key): result[key] for key in keys if key in result})


class Partie:
    """A partie of ombre: pots, betes, totals and dealer from deal to deal.

    `new_deal(deck)` gives the next Deal and `finish(deal)` enters it; `add_result(result)` enters a result instead.
    With seat_draw=spadille the first dealer is seat 0 (ombre_rules.seats_of_draw); the caller says who deals first.
    `rewards` has one list of chips per deal, the division added to the last one.
    """

    def __init__(self, options: dict, dealer: int = 0, deals: int | None = None, pot: int = 0, queue=()):
        if is_rocambole(options):
            raise ValueError("rocambole has its own match: reference.rocambole")
        self.options, self.dealer = options, dealer
        self.deals = options["partie_deals"] if deals is None else deals
        self.pot, self.queue, self.totals = pot, sorted(queue), [0, 0, 0]
        self.dealt, self.over = 0, False
        self.rewards: list[list[int]] = []

    @property
    def chips(self) -> int:
        return self.pot + sum(self.queue)

    def new_deal(self, deck, auto: bool = True):
        from .ombre import Deal

        return Deal(self.options, deck, self.dealer, pot=self.pot, queue=self.queue, totals=self.totals, auto=auto)

    def finish(self, deal) -> None:
        if deal.seat is not None or deal.dealer != self.dealer:
            raise ValueError("not a finished deal of this partie")
        self.enter(deal.table)

    def add_result(self, result: dict) -> None:
        table = Table(self.options, self.pot, self.queue)
        table.stakes(self.dealer)
        table.settle_result(result)
        self.enter(table)

    def enter(self, table: Table) -> None:
        if self.over:
            raise ValueError("the partie is over")
        before = self.totals
        self.totals = [total + change for total, change in zip(before, table.delta)]
        self.pot, self.queue = table.pot, list(table.queue)
        self.dealer = (self.dealer + 1) % 3
        self.dealt += 1
        if self.dealt == self.deals:
            self.over = True
            self.totals = divide(self.totals, self.chips)
            self.pot, self.queue = 0, []
        self.rewards.append([now - then for now, then in zip(self.totals, before)])
