"""Piquet twin: the match (spec section 6) over deal scores, or driven by whole deals."""

from __future__ import annotations


def round10(x: int) -> int:
    """6.1.3: nearest multiple of ten, 5 up."""
    return (x + 5) // 10 * 10


class Partie:
    """A partie of match=korolik, rubicon or cent; seats 0 and 1 are P1 and P2.

    For each deal: `next_dealer(bit)` tells who deals (bit = the seat that deals if a draw happens at this deal);
    then `add_scores((s0, s1))`, or `new_deal(deck, bit)`, play it, and `finish(deal)`. `points` are the points
    per seat so far (korolik: net records when a korolik ends, all with the last deal; others: only at the end).
    """

    def __init__(self, options: dict, refait_carry_in: int | None = None):
        self.options, self.kind = options, options["match"]
        self.pending = options["refait_carry_in"] if refait_carry_in is None else refait_carry_in
        self.over, self.deals_used, self.points = False, 0, (0, 0)
        self.totals = [0, 0]  # rubicon, cent: deal points; korolik: records and bonuses of 6.1.9 (with the last deal)
        self.net = None
        self.last_dealer: int | None = None
        # korolik
        self.koroliks: list[dict] = []
        self.written = [0, 0]  # of the running korolik
        self.deals_in_korolik = 0
        self.columns, self.records = [0, 0], [0, 0]
        self.final_bonus, self.through_bonus = [0, 0], [0, 0]
        # rubicon
        self.rubiconed: int | None = None
        # cent
        self.winner: int | None = None
        self.decided_by: str | None = None
        self.game_value: int | None = None

    # ------------------------------------------------------------------ dealers (section 3)

    def next_dealer(self, bit: int) -> int:
        """Who deals the next deal."""
        if self.last_dealer is None:
            return bit
        rule = self.options["korolik_dealer"] if self.kind == "korolik" else "rotate"
        if rule == "rotate":
            return 1 - self.last_dealer
        if self.deals_in_korolik == 0:
            return bit
        return self.last_dealer if rule == "draw_same" else 1 - self.last_dealer

    def new_deal(self, deck, bit: int):
        from .piquet import Deal

        totals = tuple(self.totals) if self.kind != "korolik" else (0, 0)
        return Deal(self.options, deck, self.next_dealer(bit), totals=totals, in_partie=True)

    def finish(self, deal) -> tuple[int, int]:
        return self.add_scores(deal.scores, deal.dealer, deal.decided_by)

    def add_scores(self, scores, dealer: int | None = None, decided_by: str | None = None) -> tuple[int, int]:
        """Enters the scores of one deal; returns the points per seat so far."""
        if self.over:
            raise ValueError("the partie is over")
        self.deals_used += 1
        self.last_dealer = dealer
        if self.kind == "korolik":
            self._korolik(scores)
        elif self.kind == "rubicon":
            self._rubicon(scores)
        else:
            self._cent(scores, decided_by)
        return self.points

    # ------------------------------------------------------------------ korolik (6.1)

    @property
    def factor(self) -> int:
        """6.1.5: f of the running korolik."""
        return 1 + self.pending if self.options["refait_mode"] == "scale" else 1

    @property
    def refait_carry(self) -> int:
        return self.pending

    def _korolik(self, scores) -> None:
        difference = scores[0] - scores[1]
        self.deals_in_korolik += 1
        if difference:
            self.written[0 if difference > 0 else 1] += abs(difference) * self.factor
        cuts = self.options["refait_mode"] != "none" and self.options["refait_on"] == "any"
        cut_short = cuts and difference == 0
        if cut_short or self.deals_in_korolik == 2:
            self._end_korolik(cut_short)

    def _end_korolik(self, cut_short: bool) -> None:
        s1, s2 = self.written
        margin = self.options["refait_margin"]
        within = not cut_short and abs(s1 - s2) <= margin
        record, winner = 0, None
        if s1 != s2 and not within:
            winner = 0 if s1 > s2 else 1
            extra = 20 * self.pending if self.options["refait_mode"] == "add20" else 0
            record = round10(100 * self.factor + abs(s1 - s2) + extra)
            self.records[winner] += record
        refait = cut_short or within
        self.koroliks.append(
            {"written": [s1, s2], "factor": self.factor, "record": record, "winner": winner, "refait": refait}
        )
        self.columns = [self.columns[0] + s1, self.columns[1] + s2]
        self.pending = self.pending + 1 if refait else 0
        self.written, self.deals_in_korolik = [0, 0], 0
        if len(self.koroliks) == self.options["koroliks_per_partie"]:
            self._end_partie()
        net = [self.records[p] + self.final_bonus[p] + self.through_bonus[p] for p in (0, 1)]
        self.points = (net[0] - net[1], net[1] - net[0])
        if self.over:
            self.totals, self.net = net, self.points

    def _end_partie(self) -> None:
        """6.1.7 and 6.1.8."""
        self.over = True
        c1, c2 = self.columns
        if c1 != c2:
            self.final_bonus[0 if c1 > c2 else 1] = round10(100 + abs(c1 - c2))
        if (c1 == 0) != (c2 == 0):  # a figure once written is at least 1
            self.through_bonus[0 if c2 == 0 else 1] = self.options["through_bonus"]

    # ------------------------------------------------------------------ rubicon (6.3)

    def _rubicon(self, scores) -> None:
        self.totals = [self.totals[0] + scores[0], self.totals[1] + scores[1]]
        t0, t1 = self.totals
        if self.deals_used not in (6, 8) or (self.deals_used == 6 and t0 == t1):
            return
        self.over = True
        value = 0
        if t0 != t1:
            winner = 0 if t0 > t1 else 1
            won, lost = self.totals[winner], self.totals[1 - winner]
            value = 100 + won - lost
            if lost < 100:
                value, self.rubiconed = 100 + won + lost, 1 - winner
            value = value if winner == 0 else -value
        self.points = self.net = (value, -value)

    # ------------------------------------------------------------------ cent (6.4)

    def _cent(self, scores, decided_by: str | None) -> None:
        self.totals = [self.totals[0] + scores[0], self.totals[1] + scores[1]]
        if decided_by is None:
            return
        self.over, self.decided_by = True, decided_by
        self.winner = 0 if self.totals[0] >= self.options["cent_target"] else 1
        self.game_value = 2 if self.totals[1 - self.winner] < 50 else 1
        value = self.game_value if self.winner == 0 else -self.game_value
        self.points = self.net = (value, -value)
