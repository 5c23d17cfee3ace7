"""Bouillotte twin: the episodes deal, coup and session over deals (bouillotte.md 5.5, 6).

episode = Episode(make_options("bouillotte4", {"episode": "session"}), dealer=0)
while not episode.over:
    deal = episode.new_deal(deck)                # played with deal.apply, as in bouillotte.py
    ...
    episode.finish(deal)
episode.returns()                                # stacks, bank, buyins, carried: as they lie before the refund
"""

from __future__ import annotations

from .bouillotte import Deal, make_options
from .bouillotte_rules import seats_after

__all__ = ["Deal", "Episode", "make_options"]


class Episode:
    """State before the ante of the next deal; `seats` are those in play, `dealers` those of the deals begun."""

    def __init__(self, options, dealer=0, stacks=None, carried=None):
        players = options["players"]
        self.options, self.dealer = options, dealer
        self.stacks = [options["cave"]] * players if stacks is None else list(stacks)
        self.carried = [0] * players if carried is None else list(carried)
        self.carried_before = list(self.carried)
        self.buyins, self.bank = list(self.stacks), [0] * players
        self.seats = set(range(players))
        self.dealt, self.over = 0, False
        self.dealers: list[int] = []

    def public(self) -> dict:
        """What is public of the match beside the stacks and what is carried."""
        return {"deal": self.dealt, "bank": tuple(self.bank), "buyins": tuple(self.buyins)}

    def new_deal(self, deck) -> Deal:
        return Deal(self.options, deck, self.dealer, self.stacks, self.carried, seats=sorted(self.seats), match=self.public())

    def finish(self, deal: Deal) -> None:
        if self.over or deal.seat is not None or deal.dealer != self.dealer:
            raise ValueError("not a finished deal of this episode")
        self.dealers.append(deal.dealer)
        self.dealt += 1
        self.stacks, self.carried = list(deal.stacks), list(deal.carried)
        self.skim()
        self.over = self.ends(deal.end)
        if not self.over:
            self.between_deals()
        self.move_dealer(deal.end)

    def balance(self) -> list[int]:
        """What each seat has won so far, what is carried left out."""
        return [stack + bank - paid for stack, bank, paid in zip(self.stacks, self.bank, self.buyins)]

    def returns(self) -> list[int]:
        """What each seat has won if the episode ends now: what it carries comes back."""
        carried = [now - before for now, before in zip(self.carried, self.carried_before)]
        return [won + back for won, back in zip(self.balance(), carried)]

    # ------------------------------------------------------------------ steps of 5.5

    def withdraw(self, seat: int) -> None:
        """All but a cave goes to the bank; it may be less than nothing."""
        self.bank[seat] += self.stacks[seat] - self.options["cave"]
        self.stacks[seat] = self.options["cave"]

    def buy(self, seat: int) -> None:
        """Up to a cave."""
        self.buyins[seat] += self.options["cave"] - self.stacks[seat]
        self.stacks[seat] = self.options["cave"]

    def skim(self) -> None:
        most = self.options["stack_max"]
        for seat in self.seats:
            if most and self.stacks[seat] >= most:
                self.withdraw(seat)

    def leaving(self) -> set[int]:
        if self.options["stack_policy"] == "reset" or self.options["bust_rule"] == "recave":
            return set()
        return {seat for seat in self.seats if self.stacks[seat] == 0}

    def ends(self, end: str) -> bool:
        kind = self.options["episode"]
        if kind == "deal" or len(self.seats - self.leaving()) < 2:
            return True
        if kind == "coup":
            return end != "pass_out" or self.dealt >= self.options["coup_max_deals"]
        return self.dealt >= self.options["session_deals"]

    def between_deals(self) -> None:
        options = self.options
        self.seats -= self.leaving()
        for seat in self.seats:
            if options["stack_policy"] == "reset":
                self.withdraw(seat)
            elif self.stacks[seat] == 0:
                self.buy(seat)
            if options["topup"] == "to_cave" and self.stacks[seat] < options["cave"]:
                self.buy(seat)

    def move_dealer(self, end: str) -> None:
        """To who would deal next (section 15), also behind the last deal; he stays if nobody is left."""
        seats = self.seats - self.leaving()
        across = self.options["dealer_rotation"] == "vis_a_vis" and end != "pass_out" and len(seats) == 4
        turn = seats_after(self.options, self.dealer, seats) or [self.dealer]
        self.dealer = turn[1] if across else turn[0]
