"""A second reckoning of ombre's chips in plain Python, from what happened in each deal; the engine replays the play."""

from lomber.envs.engine import records
from lomber.envs.ombre.actions import CARDS

ORDER = {"S": "KQJ76543", "C": "KQJ76543", "H": "AKQJ23456", "D": "AKQJ23456"}


def points(deals):
    """Chips by seat after these deals of an episode, all finished (spec sections 5 and 6)."""
    totals, pot, queue = list(deals[0].start["totals"]), deals[0].start["pot"], list(deals[0].start["queue"])
    for record in deals:
        assert (record.start["pot"], sorted(record.start["queue"])) == (pot, sorted(queue))
        deal = _Deal(record, pot, queue)
        totals = [total + paid for total, paid in zip(totals, deal.chips, strict=True)]
        pot, queue = deal.pot, deal.queue
    options = records.game_of(deals[0]).options
    if options.episode == "deal" or len(deals) == options.partie_deals:
        left = pot + sum(queue)
        lowest = totals.index(min(totals))
        totals = [total + left // 3 + (left % 3 if seat == lowest else 0) for seat, total in enumerate(totals)]
    return totals


class _Deal:
    def __init__(self, record, pot, queue):
        self.options = records.game_of(record).options
        self.pot, self.queue, self.chips = pot, list(queue), [0, 0, 0]
        self.dealer = record.start["dealer"]
        self.stakes()
        self.passes([name for _, name in record.moves])
        state = records.replay(record)[0]
        if state["ombre"] < 0:
            for seat in range(3):
                self.pay(seat, self.options.pass_out_each)
        else:
            self.settle(record, state)

    def pay(self, seat, chips):
        self.chips[seat] -= chips
        self.pot += chips

    def take(self, seat):
        self.chips[seat] += self.pot
        self.pot = 0

    def stakes(self):
        if not self.pot and self.queue:
            self.pot = max(self.queue)
            self.queue.remove(self.pot)
        mode = self.options.ante_mode
        if mode == "dealer_every_deal":
            self.pay(self.dealer, self.options.dealer_ante)
        elif mode == "all_every_deal" or not self.pot:
            for seat in range(3):
                self.pay(seat, self.options.ante)

    def passes(self, names):
        for number, name in enumerate(names):
            if name != "PASS":
                return
            if number < 3 or self.options.paid_pass_casco:
                self.pay((self.dealer + 1 + number) % 3, self.options.paid_pass)

    def settle(self, record, state):
        ombre, options = int(state["ombre"]), self.options
        names = [name for _, name in record.moves]
        base = self.pot if options.bete_rule == "pot" else options.bete_fixed
        bete = max(options.bete_min, min(base, options.bete_cap) if options.bete_cap else base)
        if names[-1] == "REFUSE":
            return self.bete(ombre, bete)
        each = options.prem[int(state["contract"])] + (self.run(state, ombre) if options.matador_premium else 0)
        tricks = state["tricks"].tolist()
        others = [tricks[seat] for seat in range(3) if seat != ombre]
        if "SURRENDER" not in names and ("VOLE" in names or tricks[ombre] > max(others)):
            self.take(ombre)
            if "STOP" in names or "VOLE" in names:
                each += options.premiers_value
            if "VOLE" in names:
                each += options.vole_value if tricks[ombre] == 9 else -options.vole_value
        else:
            each = -each
            best = [seat for seat in range(3) if tricks[seat] == max(tricks)]
            if "SURRENDER" not in names and len(best) == 1 and options.codille_award == "pot":
                self.take(best[0])
            self.bete(ombre, bete)
        for seat in range(3):
            self.chips[seat] += 2 * each if seat == ombre else -each

    def bete(self, ombre, chips):
        if self.options.bete_pool == "queue":
            self.chips[ombre] -= chips
            self.queue.append(chips)
            self.queue = [bete for bete in self.queue if bete]
        else:
            self.pay(ombre, chips)

    def run(self, state, ombre):
        suit = "SHDC"[int(state["trump"])]
        order = ["AS", ("2" if suit in "SC" else "7") + suit, "AC", *(rank + suit for rank in ORDER[suit])]
        held = int(state["hand"][ombre]) | int(state["played"][ombre])
        found = next((n for n, card in enumerate(order) if not held >> CARDS.index(card) & 1), len(order))
        return found if found >= 3 else 0


def holdings(game, state):
    """What the seats have and what lies on the table: constant within a deal."""
    match = state[0]["match"]
    return int(match["totals"].sum() + state[0]["delta"].sum() + match["pot"] + match["queue"].sum() + match["kon"])


def relevant(game, view, seat):
    """All but what the match was before the deal, its dealer apart: what counts is what it is now."""
    bare = view.copy()
    for name in view["start"].dtype.names:
        if name != "dealer":
            bare["start"][name] = 0
    return bare.tobytes()
