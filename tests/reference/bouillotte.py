"""Bouillotte and brelan twin: one deal (bouillotte.md 3 to 5, 7) as a script of questions; slow, literal, independent.

How to use it (actions by the names of section 4, "STAKE_TO 5"; cards "AS"; seats and jetons are integers):

    options = make_options("bouillotte4", {"cave": 10})
    deal = Deal(options, deck, dealer=3)                 # deck: hands one card at a time, retourne, talon; see make_deck
    while deal.seat is not None:
        deal.apply(choose(deal.legal()))                 # deal.phase, deal.menu(), deal.ids(), deal.knows(seat)
    deal.end, deal.winner, deal.layers, deal.payments, deal.net, deal.carried, deal.returns()

- A decision is a state with two actions or more. The deal plays all else by itself: `history` holds all moves as (seat,
  name), `chosen` the decisions alone. Seats that are skipped (no jetons) leave no trace in either.
- Lists by seat (stacks, stakes, dead, carried, net) have a cell for each player of the options, also for one that has left;
  `order` = first hand, ..., dealer holds the seats in play.
- `legal()` are names, `ids()` the same by number (7 + S of them, 15 with the ladder, where only the rungs' stakes are legal),
  `menu()` the same as the worked cases write it, with prices; `interval` = (lo, hi) of STAKE_TO or None.
- `knows(seat)` is a dict of all that section 7 gives a seat; `worlds(seat)` yields every placing of the cards it cannot see,
  `count_upper(seat)` bounds their number, `placing()` is the true one, `replay(deck)` the same deal with other cards.
- `bouillotte_episode.Episode` carries stacks, carried pot and dealer from deal to deal (section 6).
- Files: bouillotte_rules (options, packs, actions), bouillotte_showdown (section 5), bouillotte_knowledge, bouillotte_episode,
  bouillotte_counts (section 11); for the tests bouillotte_samples (deals at random and what every state must keep).
"""

from __future__ import annotations

from collections.abc import Iterator

from . import bouillotte_knowledge as knowledge
from .bouillotte_rules import (
    PRESETS,
    RUNGS,
    action_id,
    deal_cards,
    ladder_targets,
    make_deck,
    make_options,
    pack,
    seats_after,
    stake_to,
    staked,
)
from .bouillotte_showdown import Category, Contest, brelan_payments, category, contest, pot_layers

__all__ = ["PRESETS", "Deal", "make_deck", "make_options"]


class Deal:
    """One deal; see module text. `stacks` and `carried` are those before the ante, `match` any further public state."""

    def __init__(self, options, deck, dealer, stacks=None, carried=None, *, seats=None, match=None):
        players = options["players"]
        if sorted(deck) != sorted(pack(options)):
            raise ValueError("deck must hold the pack")
        self.options, self.dealer, self.match = options, dealer, dict(match or {})
        self.order = seats_after(options, dealer, range(players) if seats is None else seats)
        if dealer not in self.order or len(self.order) < 2:
            raise ValueError("the dealer and another seat must be in play")
        self.deck = list(deck)
        self.stacks = [options["cave"] if seat in self.order else 0 for seat in range(players)]
        self.stacks = self.stacks if stacks is None else list(stacks)
        if any(self.stacks[seat] < 1 for seat in self.order):
            raise ValueError("a seat in play has at least one jeton")
        self.carried = [0] * players if carried is None else list(carried)
        self.start = {"stacks": tuple(self.stacks), "carried": tuple(self.carried)}
        self.stakes, self.dead = [0] * players, [0] * players
        self.hands, self.retourne, self.talon = deal_cards(deck, self.order)
        self.dealt = False  # the cards are seen from OPENING on
        self.turned: list[tuple[int, str]] = []  # (seat, card) of TALON
        self.categories: dict[int, Category] = {}  # once they are asked for
        self.last: int | None = None  # last carreur
        self.displaced: int | None = None
        self.doublings = 0
        self.opener: int | None = None
        self.aggressor: int | None = None
        self.raises = 0
        self.passed: set[int] = set()
        self.folded: set[int] = set()
        self.end: str | None = None
        self.winner: int | None = None
        self.layers: list[tuple[int, int]] = []  # (amount, winner) from the lowest
        self.contests: list[Contest] = []  # one a layer of a showdown
        self.payments: list[tuple[int, int, int]] = []  # (payer, holder, amount)
        self.shown: set[int] = set()  # seats whose cards all may see
        self.net: list[int] | None = None  # change of stack, once the deal is over
        self.final: dict[str, tuple[int, ...]] = {}  # stakes, dead and carried as they were before the end
        self.history: list[tuple[int, str]] = []
        self.chosen: list[tuple[int, str]] = []
        self.seat: int | None = None
        self.phase = "END"
        self.interval: tuple[int, int] | None = None
        self._legal: list[str] = []
        self._script = self._run()
        self._drive(None)

    # ------------------------------------------------------------------ driver

    def _drive(self, answer) -> None:
        """Runs the script up to the next decision."""
        try:
            while True:
                seat, phase, words, interval = self._script.send(answer)
                self.seat, self.phase, self.interval = seat, phase, interval
                self._legal = words + [stake_to(t) for t in self._targets()]
                if len(self._legal) > 1:
                    return
                answer = self._legal[0]
                self.history.append((seat, answer))
        except StopIteration:
            self.seat, self.phase, self.interval, self._legal = None, "END", None, []

    def _targets(self) -> list[int]:
        """Stakes that may be chosen."""
        if self.interval is None:
            return []
        if self.options["action_abstraction"] == "ladder":
            return sorted(t for t in self.ladder() if t is not None)
        lo, hi = self.interval
        return list(range(lo, hi + 1))

    def ladder(self) -> list[int | None]:
        """4.8: the stakes of the rungs 7..14, None where masked; whatever the options say."""
        if self.interval is None:
            return [None] * RUNGS
        need = max(0, self.level - self.stakes[self.seat])
        return ladder_targets(*self.interval, self.pot, need, self.stacks[self.seat], self.stakes[self.seat])

    def legal(self) -> list[str]:
        return list(self._legal)

    def ids(self) -> dict[int, str]:
        """Number of each legal action in the flat action space of the options."""
        if self.options["action_abstraction"] == "ladder":
            rungs = {7 + rung: stake_to(t) for rung, t in enumerate(self.ladder()) if t is not None}
            return {action_id(name): name for name in self._legal if staked(name) is None} | rungs
        return {action_id(name): name for name in self._legal}

    def menu(self) -> dict:
        """The legal actions as the worked cases write them: prices of CARRE and CALL, the interval of STAKE_TO."""
        found = {name: True for name in self._legal if staked(name) is None}
        if "CARRE" in found:
            found["CARRE"] = self.pot
        if "CALL" in found:
            found["CALL"] = self.price(self.seat)
        return found | ({"STAKE_TO": list(self.interval)} if self.interval else {})

    def apply(self, name: str) -> None:
        if self.seat is None or name not in self._legal:
            raise ValueError(f"illegal action {name!r} in phase {self.phase}; legal: {self.menu()}")
        self.history.append((self.seat, name))
        self.chosen.append((self.seat, name))
        self._drive(name)

    # ------------------------------------------------------------------ jetons (section 3)

    @property
    def level(self) -> int:
        return max(self.stakes)

    @property
    def pot(self) -> int:
        return sum(self.stakes) + sum(self.dead) + sum(self.carried)

    @property
    def unfolded(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.folded]

    def after(self, seat: int) -> list[int]:
        """The seats in play from the one behind this to this one itself."""
        return seats_after(self.options, seat, self.order)

    def price(self, seat: int) -> int:
        """Of CALL."""
        return min(max(0, self.level - self.stakes[seat]), self.stacks[seat])

    def is_tapissier(self, seat: int) -> bool:
        return 0 < self.stacks[seat] <= self.options["tapissier_threshold"]

    def _stake(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.stakes[seat] += amount

    def _fee(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.dead[seat] += amount

    def returns(self) -> list[int]:
        """Episode `deal` (section 6): what is carried comes back."""
        carried = [after - before for after, before in zip(self.carried, self.start["carried"])]
        return [change + back for change, back in zip(self.net, carried)]

    # ------------------------------------------------------------------ the script of section 4

    def _run(self):
        self._ante()
        yield from self._blind()
        self.dealt = True
        opened = yield from self._opening()
        if opened:
            yield from self._betting()
            end = "uncontested"
        elif self.last is not None:
            self.folded |= {seat for seat in self.order if seat != self.last and self.stacks[seat] > 0}
            end = "carre_take"
        else:
            end = "pass_out"
        if end != "pass_out" and len(self.unfolded) > 1:
            end = "showdown"
            yield from self._showdown()
        self._settle(end)

    def _ante(self) -> None:
        """4.1."""
        options, mode = self.options, self.options["ante_mode"]
        for seat in self.order:
            due = options["ante"]
            if seat == self.dealer and mode == "all_plus_dealer":
                due *= 2
            elif seat == self.dealer and mode == "dealer" and options["pass_out"] == "double":
                due = max(due, sum(self.carried))
            elif seat != self.dealer and mode == "dealer":
                due = 0
            self._stake(seat, min(due, self.stacks[seat], options["stake_cap"]))

    # ------------------------------------------------------------------ carre (4.2)

    def _blind(self):
        options = self.options
        if options["carre_mode"] == "dealer_ante":
            self.last = self.dealer
        if options["carre_mode"] in ("dealer_ante", "none"):
            return
        front = -1
        while self.doublings < options["carre_max"]:
            bought_back = False
            if options["carre_buyback"] and self.displaced is not None and self._able(self.displaced):
                bought_back = yield from self._ask_carre(self.displaced)
            if bought_back:
                self.last, self.displaced = self.displaced, self.last
                continue
            if front + 1 == len(self.order) or not self._able(self.order[front + 1]):
                return
            seat = self.order[front + 1]
            forced = options["carre_mode"] == "forced_first" and front == -1
            if not (yield from self._ask_carre(seat, forced)):
                return
            self.displaced, self.last = self.last, seat
            front += 1

    def _able(self, seat: int) -> bool:
        stack, cost = self.stacks[seat], self.pot
        threshold, cap = self.options["tapissier_threshold"], self.options["stake_cap"]
        return stack >= cost and stack > threshold and self.stakes[seat] + cost <= cap

    def _ask_carre(self, seat: int, forced: bool = False):
        answer = yield seat, "BLIND", ["CARRE"] if forced else ["NO_CARRE", "CARRE"], None
        if answer == "CARRE":
            self._stake(seat, self.pot)
            self.doublings += 1
        return answer == "CARRE"

    # ------------------------------------------------------------------ opening (4.4)

    def _opening(self):
        """True once somebody opens."""
        options = self.options
        for seat in self.after(self.dealer if self.last is None else self.last):
            if self.stacks[seat] == 0:
                continue
            if seat == self.last:
                return False
            if self.is_tapissier(seat):
                yield seat, "OPENING", ["PASS"], None
                self.passed.add(seat)
                continue
            lo, hi = self._opening_interval(seat)
            answer = yield seat, "OPENING", ["PASS"], (lo, hi) if lo <= hi else None
            if answer != "PASS":
                self.opener = seat
                self._stake_to(seat, answer)
                return True
            self.passed.add(seat)
            if lo <= hi and self.stacks[seat] > options["pass_fee"]:
                self._fee(seat, options["pass_fee"])
            if not options["passe_parole"]:
                self.folded.add(seat)
        return False

    def _opening_interval(self, seat: int) -> tuple[int, int]:
        lo = max(self.level, self.stakes[seat] + 1)
        if self.options["open_min"] == "pot":
            lo = max(lo, self.stakes[seat] + self.pot)
        hi = self._highest(seat)
        increment = self.options["raise_increment_max"]
        return lo, min(hi, max(lo, self.level + increment)) if increment else hi

    def _highest(self, seat: int) -> int:
        return min(self.stakes[seat] + self.stacks[seat] - self.options["raise_fee"], self.options["stake_cap"])

    def _stake_to(self, seat: int, name: str) -> None:
        self._fee(seat, self.options["raise_fee"])
        self._stake(seat, staked(name) - self.stakes[seat])
        self.aggressor = seat

    # ------------------------------------------------------------------ betting (4.5)

    def _betting(self):
        threshold = self.options["tapissier_threshold"]
        while True:
            others = [seat for seat in self.after(self.aggressor)[:-1] if seat not in self.folded]
            if (yield from self._answers(seat for seat in others if self.stacks[seat] > 0)):
                continue
            others = [seat for seat in others if seat not in self.folded]
            if not self.options["callers_may_reopen"] or len(self.unfolded) < 3:
                return
            if not (yield from self._answers(seat for seat in others if self.stacks[seat] > threshold)):
                return

    def _answers(self, queue):
        """Asks the seats of the queue in turn; True as soon as one raises. One that is asked has the aggressor against him."""
        for seat in queue:
            need = self.level - self.stakes[seat]
            interval = None if self.is_tapissier(seat) else self._raise_interval(seat)
            words = ["FOLD", "CALL"] if need > 0 and not self.is_tapissier(seat) else ["CALL"]
            answer = yield seat, "BETTING", words, interval
            if answer == "FOLD":
                self.folded.add(seat)
            elif answer == "CALL":
                self._stake(seat, self.price(seat))
            else:
                self._stake_to(seat, answer)
                self.raises += 1
                return True
        return False

    def _raise_interval(self, seat: int) -> tuple[int, int] | None:
        options = self.options
        if options["max_raises"] and self.raises == options["max_raises"]:
            return None
        others = [other for other in self.unfolded if other != seat]
        if all(self.stacks[other] <= max(0, self.level - self.stakes[other]) for other in others):
            return None  # nobody could answer
        lo, hi = self.level + options["raise_min"], self._highest(seat)
        if options["raise_increment_max"]:
            hi = min(hi, self.level + options["raise_increment_max"])
        return (lo, hi) if lo <= hi else None

    # ------------------------------------------------------------------ ends (4.6, 4.7, 5)

    def _categories(self) -> None:
        self.categories = {seat: category(self.options, self.hands[seat], self.retourne) for seat in self.order}

    def _showdown(self):
        """All cards are turned up; then the cards of the talon (4.6)."""
        self.shown = set(self.order)
        self._categories()
        names = {seat: self.categories[seat].name for seat in self.unfolded}
        if self.options["carre_anglais"] == "off" or "carre" not in names.values():
            return
        for seat in [seat for seat in self.unfolded if names[seat] == "simple"]:
            if not self.talon:
                return
            choice = self.options["carre_anglais"] == "choice" and len(self.talon) > 1
            answer = yield seat, "TALON", ["TALON_FIRST", "TALON_LAST"] if choice else ["TALON_FIRST"], None
            card = self.talon.pop(0 if answer == "TALON_FIRST" else -1)
            self.turned.append((seat, card))
            if card[0] == self.categories[seat].rank:
                self.categories[seat] = Category("carre", card[0])

    def _settle(self, end: str) -> None:
        self.end = end
        self.final = {name: tuple(getattr(self, name)) for name in ("stakes", "dead", "carried")}
        if not self.categories:
            self._categories()
        if end == "pass_out":
            self.carried = [sum(jetons) for jetons in zip(self.carried, self.stakes, self.dead)]
        else:
            self._pay_layers()
            self.carried = [0] * len(self.stacks)
        self.stakes, self.dead = [0] * len(self.stacks), [0] * len(self.stacks)
        scope = self.options["brelan_scope"]
        if scope == "always" or (scope == "showdown" and end == "showdown"):
            folded = set() if end == "pass_out" else self.folded
            self.payments = brelan_payments(self.options, self.order, self.categories, self.retourne, self.stacks, folded)
            self.shown |= {seat for seat in self.order if self.categories[seat].name != "point"}  # 5.4: the holders' hands
        self.net = [after - before for after, before in zip(self.stacks, self.start["stacks"])]

    def _pay_layers(self) -> None:
        extra = sum(self.dead) + sum(self.carried)
        for amount, contestants in pot_layers(dict(enumerate(self.stakes)), self.unfolded, extra):
            winner = contestants[0]
            if self.end == "showdown":
                found = contest(self.options, self.order, self.hands, self.retourne, contestants, self.categories)
                self.contests.append(found)
                winner = found.winner
            self.stacks[winner] += amount
            self.layers.append((amount, winner))
        self.winner = self.layers[0][1]

    # ------------------------------------------------------------------ knowledge (section 7)

    def knows(self, seat: int) -> dict:
        """All that this seat may know now, and nothing else: public things, own cards once dealt, cards turned up."""
        return knowledge.knows(self, seat)

    def public(self) -> dict:
        """What all know, whatever their cards."""
        return knowledge.public(self)

    def replay(self, deck) -> Deal:
        """The deal with another deck and the same choices."""
        other = Deal(self.options, deck, self.dealer, **self.start, seats=self.order, match=self.match)
        for seat, name in self.chosen:
            if other.seat != seat:
                raise ValueError(f"{seat} is not to act")
            other.apply(name)
        return other

    def worlds(self, seat: int | None = None) -> Iterator[tuple]:
        """All placings that agree with what the seat (to act) knows: (hands by seat in `order`, retourne, talon)."""
        return knowledge.worlds(self, self.seat if seat is None else seat)

    def count_upper(self, seat: int | None = None) -> int:
        """Number of placings before any condition."""
        return knowledge.count_upper(self, self.seat if seat is None else seat)

    def placing(self) -> tuple:
        """The true placing: hands as frozensets in `order`, retourne, the talon's cards not turned as a frozenset."""
        return tuple(frozenset(self.hands[seat]) for seat in self.order), self.retourne, frozenset(self.talon)
