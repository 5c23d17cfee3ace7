"""Bouillotte twin: what a seat knows, and all placings of the cards it cannot see (section 7).

A placing is (hands, retourne, talon): frozensets of three in the order of privilege, a card, the frozenset of cards not
turned. All orders of the talon are as likely, so they are left open. Bets exclude nothing: what may be done never hangs on
cards. Only once cards were compared (a deal that is over) a placing must also lead to the same public events.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from .bouillotte_rules import make_deck, pack


def knows(deal, seat: int) -> dict:
    """Own cards from OPENING on, never during BLIND; others' only when they are turned up."""
    hands = {}
    for other in deal.order:
        if other in deal.shown or (other == seat and deal.dealt):
            hands[other] = frozenset(deal.hands[other])
    return {
        **public(deal),
        "seat": seat,
        "hand": hands.get(seat),
        "hands": hands,  # by seat, the own and those turned up
        "retourne": deal.retourne if deal.dealt else None,
        "legal": tuple(deal.legal()) if seat == deal.seat else None,
    }


def public(deal) -> dict:
    everybody = range(deal.options["players"])
    acting = deal.seat is not None
    return {
        "phase": deal.phase,
        "to_act": deal.seat,
        "dealer": deal.dealer,
        "order": tuple(deal.order),
        "stacks": tuple(deal.stacks),
        "stakes": tuple(deal.stakes),
        "dead": tuple(deal.dead),
        "carried": tuple(deal.carried),
        "pot": deal.pot,
        "level": deal.level,
        "need": max(0, deal.level - deal.stakes[deal.seat]) if acting else None,
        "interval": deal.interval,
        "folded": tuple(seat in deal.folded for seat in everybody),
        "passed": tuple(seat in deal.passed for seat in everybody),
        "all_in": tuple(seat in deal.order and deal.stacks[seat] == 0 for seat in everybody),
        "tapissier": tuple(deal.is_tapissier(seat) for seat in everybody),
        "last": deal.last,
        "displaced": deal.displaced,
        "doublings": deal.doublings,
        "opener": deal.opener,
        "aggressor": deal.aggressor,
        "raises": deal.raises,
        "history": tuple(deal.history),
        "turned": tuple(deal.turned),
        "talon_left": len(deal.talon),
        "end": deal.end,
        "winner": deal.winner,
        "layers": tuple(deal.layers),
        "payments": tuple(deal.payments),
        "net": tuple(deal.net) if deal.net is not None else None,
        "match": dict(deal.match),
    }


# ------------------------------------------------------------------ placings


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
    other = deal.replay(deck_of(deal, placing))
    return other.placing() == placing and other.knows(seat) == deal.knows(seat)
