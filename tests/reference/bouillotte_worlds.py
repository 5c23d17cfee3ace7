"""Bouillotte twin: all placings of the cards a seat cannot see (section 7).

A placing is (hands, retourne, talon): frozensets of three in the order of privilege, a card, the frozenset of cards not
turned. All orders of the talon are as likely, so they are left open. Bets exclude nothing: what may be done never hangs on
cards. Only once cards were compared (a deal that is over) a placing must also lead to the same public events.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from .bouillotte_rules import make_deck, pack


def unseen(deal, knows: dict) -> list[str]:
    seen = {card for hand in knows["hands"].values() for card in hand}
    seen |= {knows["retourne"], *(card for _, card in knows["turned"])}
    return [card for card in pack(deal.options) if card not in seen]


def hidden(deal, knows: dict) -> list[int]:
    """Seats whose hands are unknown."""
    return [seat for seat in deal.order if seat not in knows["hands"]]


def count_upper(deal, seat: int) -> int:
    knows = deal.knows(seat)
    left, ways = len(unseen(deal, knows)), 1
    for _ in hidden(deal, knows):
        ways *= comb(left, 3)
        left -= 3
    return ways if knows["retourne"] else ways * left


def worlds(deal, seat: int) -> Iterator[tuple]:
    knows = deal.knows(seat)
    for hands, rest in fill(hidden(deal, knows), unseen(deal, knows), knows["hands"]):
        for retourne in [knows["retourne"]] if knows["retourne"] else rest:
            talon = frozenset(card for card in rest if card != retourne)
            placing = tuple(hands[other] for other in deal.order), retourne, talon
            if deal.seat is not None or agrees(deal, seat, placing):
                yield placing


def fill(places: list[int], cards: list[str], hands: dict):
    """All ways to give three of the cards to each place, and what is left."""
    if not places:
        yield hands, cards
        return
    for hand in combinations(cards, 3):
        yield from fill(places[1:], [card for card in cards if card not in hand], {**hands, places[0]: frozenset(hand)})


def deck_of(deal, placing: tuple) -> list[str]:
    """A deck that leads to the placing: cards turned from the talon lie where they were turned."""
    hands, retourne, talon = placing
    first, last = [], []
    names = [name for _, name in deal.history if name.startswith("TALON")]
    for (_, card), name in zip(deal.turned, names):
        (first if name == "TALON_FIRST" else last).append(card)
    given = {seat: sorted(hand) for seat, hand in zip(deal.order, hands)}
    return make_deck(deal.options, deal.order, given, retourne, [*first, *sorted(talon), *reversed(last)])


def agrees(deal, seat: int, placing: tuple) -> bool:
    """Does the deal, played again with this placing, lead to the same knowledge of the seat?"""
    try:
        other = deal.replay(deck_of(deal, placing))
    except ValueError:  # another seat would have been asked, or something else
        return False
    return other.placing() == placing and other.knows(seat) == deal.knows(seat)
