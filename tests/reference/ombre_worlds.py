"""Ombre twin: all placings of the cards a seat cannot see (ombre.md section 7), from `knows` alone.

A placing is (hands, discards, talon): two tuples of three frozensets by seat and one frozenset. The order of the talon and
which cards of a hand were dealt and which drawn are left open; a placing is kept if some such order and some choices of the
others give the same public events. That another seat could have chosen otherwise excludes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial

from .ombre_rules import BLACK_ACES, CARDS, is_trump, matador_run, matadors

PLACES = ("hand", "discards")


class View:
    """What a seat knows, arranged for counting: the unseen cards, the free slots, what cannot be where."""

    def __init__(self, options: dict, knows: dict):
        self.options, self.knows, self.seat = options, knows, knows["seat"]
        self.others = [(self.seat + 1) % 3, (self.seat + 2) % 3]
        self.played = {s: [card for who, card in knows["plays"] if who == s] for s in range(3)}
        self.count = {s: knows["exchanged"][s] or 0 for s in range(3)}
        self.known_talon = set(knows["talon"] or ())
        if knows["turned"] and knows["exchanged"][knows["ombre"]] is None:
            self.known_talon.add(knows["turned"])  # still on top
        if knows["outcome"] == "PASS_OUT" and knows["spadille_forced"]:
            self.known_talon.add("AS")
        seen = set(knows["hand"]) | set(knows["discards"]) | self.known_talon
        for other in self.others:
            seen |= set(knows["held"][other])
        seen |= {card for _, card in knows["plays"]}
        self.unseen = [c for c in CARDS if c not in seen]
        self.slots = {}  # (seat, place) -> number of unseen cards there
        for other in self.others:
            self.slots[other, "hand"] = 9 - len(self.played[other]) - len(knows["held"][other])
            self.slots[other, "discards"] = self.count[other]
        self.talon_slots = knows["talon_left"] - len(self.known_talon)
        if len(self.unseen) != sum(self.slots.values()) + self.talon_slots:
            raise AssertionError("cards do not add up")
        self.barred = {other: barred_cards(knows, other) for other in self.others}


def barred_cards(knows: dict, seat: int) -> set[str]:
    """Cards that the seat cannot hold any more, by what it did not play (4.5)."""
    trump, barred = knows["trump"], set()
    for first in range(0, len(knows["plays"]), 3):
        led = knows["plays"][first][1]
        for who, card in knows["plays"][first + 1 : first + 3]:
            if who != seat:
                continue
            if is_trump(led, trump):
                if not is_trump(card, trump):
                    best = matadors(trump)
                    lower = best[best.index(led) + 1 :] if led in best else []
                    barred |= {c for c in CARDS if is_trump(c, trump) and (c not in best or c in lower)}
            elif is_trump(card, trump) or card[1] != led[1]:
                barred |= {c for c in CARDS if c[1] == led[1] and not is_trump(c, trump)}
    return barred


def count_upper(options: dict, knows: dict) -> int:
    """Number of placings with no condition but the numbers of cards and the known ones."""
    view = View(options, knows)
    ways = factorial(len(view.unseen)) // factorial(view.talon_slots)
    for size in view.slots.values():
        ways //= factorial(size)
    return ways


def worlds(options: dict, knows: dict) -> Iterator[tuple]:
    view = View(options, knows)
    for placed in fill(view, list(view.slots), view.unseen, {}):
        yield placing_of(view, placed)


def fill(view: View, places: list, unseen: list[str], placed: dict):
    """All ways to put the unseen cards into the places; what is left over is the talon."""
    if not places:
        yield {**placed, "talon": frozenset(unseen)}
        return
    seat, place = places[0]
    fit = [c for c in unseen if place != "hand" or c not in view.barred[seat]]
    for chosen in combinations(fit, view.slots[seat, place]):
        now = {**placed, (seat, place): frozenset(chosen)}
        if place == "discards" and not seat_fits(view, seat, now[seat, "hand"], now[seat, "discards"]):
            continue
        yield from fill(view, places[1:], [c for c in unseen if c not in chosen], now)


def placing_of(view: View, placed: dict) -> tuple:
    """The placing with the known cards put in."""
    hands, discards = [view.knows["hand"]] * 3, [view.knows["discards"]] * 3
    for other in view.others:
        hands[other] = placed[other, "hand"] | view.knows["held"][other]
        discards[other] = placed[other, "discards"]
    return tuple(hands), tuple(discards), placed["talon"] | frozenset(view.known_talon)


def placing_fits(options: dict, knows: dict, placing: tuple) -> bool:
    """Is this placing among `worlds`? Asked of one placing with the right known cards and numbers."""
    view = View(options, knows)
    for other in view.others:
        hand, discards = placing[0][other], placing[1][other]
        if (hand - knows["held"][other]) & view.barred[other] or not seat_fits(view, other, hand, discards):
            return False
    return True


# ------------------------------------------------------------------ conditions on the cards of one other seat


def seat_fits(view: View, seat: int, hand: frozenset, discards: frozenset) -> bool:
    """Could this seat, with `discards` thrown, have said and done what it did, and end with `hand`?"""
    knows = view.knows
    full = hand | knows["held"][seat] | set(view.played[seat])  # as after its exchange
    if bid_needs_black_ace(view, seat) and not was_dealt_one_of(view, seat, full, discards, BLACK_ACES):
        return False
    if seat == knows["ombre"]:
        return ombre_fits(view, full, discards)
    limit = knows["first_limit"]
    if limit is not None and seat == knows["defenders"][0] and view.count[seat] > limit:
        return was_dealt_one_of(view, seat, full, discards, matadors(knows["trump"]))
    return True


def was_dealt_one_of(view: View, seat: int, full, discards, cards) -> bool:
    """A card held before the exchange was thrown, or is one of those not drawn."""
    return any(c in discards or (c in full and view.count[seat] < 9) for c in cards)


def bid_needs_black_ace(view: View, seat: int) -> bool:
    return view.options["casco_lesser_keep"] == "black_ace" and (seat, "CASCO_LESSER") in view.knows["calls"]


def ombre_fits(view: View, full, discards) -> bool:
    knows, seat = view.knows, view.knows["ombre"]
    if knows["spadille_forced"] and not was_dealt_one_of(view, seat, full, discards, ("AS",)):
        return False
    keeps_ace = knows["contract"] == "CASCO_LESSER" and view.options["casco_lesser_keep"] == "black_ace"
    if keeps_ace and not any(c in full for c in BLACK_ACES):
        return False
    if knows["matador_run"] is not None and knows["trump"] is not None:
        run = matador_run(knows["trump"], full)
        return (run if run >= 3 else 0) == knows["matador_run"]
    return True
