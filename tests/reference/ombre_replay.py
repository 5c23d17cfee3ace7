"""Ombre twin: a second way to judge a placing of unseen cards, by running the deal with it (check of ombre_worlds)."""

from __future__ import annotations

import random

from .ombre import Deal
from .ombre_rules import CARDS, by_id, make_deck, matadors
from .ombre_worlds import View


def again(deal: Deal, deck=None) -> Deal:
    """The deal from its start, forced moves waiting, perhaps with another deck."""
    start = deal.start
    return Deal(deal.options, deck or deal.deck, deal.dealer, **start, auto=False)


def seen_moves(deal: Deal, seat: int) -> list[tuple[int, str]]:
    """The history but for what other seats do in private."""
    trial, moves = again(deal), []
    for who, name in deal.history:
        if who == seat or trial.phase not in ("DISCARD", "CASCO_KEEP"):
            moves.append((who, name))
        trial.apply(name)
    return moves


def drawn_cards(deal: Deal, placing: tuple, seat: int) -> list[str]:
    """A choice of the cards this seat drew: those that tell most were held before."""
    full = placing[0][seat] | {card for who, card in deal.plays if who == seat}
    best = ["AS", "AC", *(matadors(deal.trump) if deal.trump else ())]
    order = [c for c in best[:2] if c in full]
    order += [c for c in best[2:] if c in full and c not in order]
    order += [c for c in by_id(full) if c not in order]
    if deal.turned and seat == deal.ombre and deal.turned in full:
        order.remove(deal.turned)
        order.append(deal.turned)
    count = deal.exchanged[seat] or 0
    return order[9 - count :][::-1]


def deck_of(deal: Deal, seat: int, placing: tuple) -> list[str]:
    """A deck that leads to the placing."""
    hands, talon = [], []
    drawn = [deal.drawn[s] if s == seat else drawn_cards(deal, placing, s) for s in range(3)]
    for s in range(3):
        full = placing[0][s] | {card for who, card in deal.plays if who == s}
        hands.append(by_id(deal.dealt[seat] if s == seat else (full - set(drawn[s])) | placing[1][s]))
    order = [deal.ombre, *deal.defenders] if deal.ombre is not None else []
    for s in order:
        talon += drawn[s]
    rest = by_id(placing[2])
    if deal.turned in rest:
        rest.remove(deal.turned)
        rest.insert(0, deal.turned)
    return make_deck(hands, talon + rest, deal.dealer)


def replay_agrees(deal: Deal, seat: int, placing: tuple) -> bool:
    """Does the deal lead to this placing, the others choosing as they must, and this seat to the same knowledge?"""
    deck = deck_of(deal, seat, placing)
    if sorted(deck) != sorted(CARDS):
        return False
    trial, moves = again(deal, deck), seen_moves(deal, seat)
    while True:
        if trial.phase in ("DISCARD", "CASCO_KEEP") and trial.seat != seat:
            name = private_move(trial, placing)
        elif moves:
            who, name = moves.pop(0)
            if who != trial.seat:
                return False
        else:
            break
        if name not in trial.legal():
            return False
        trial.apply(name)
    return trial.placing() == placing and trial.knows(seat) == deal.knows(seat)


def private_move(trial: Deal, placing: tuple) -> str:
    discards = by_id(placing[1][trial.seat])
    if trial.phase == "CASCO_KEEP":
        kept = [c for c in trial.legal() if c not in discards]
        return kept[0] if kept else ""
    done = len(trial.marks[trial.seat])
    return discards[done] if done < len(discards) else "DONE"


def mixed(deal: Deal, seat: int, rng: random.Random, swaps: int) -> tuple:
    """A placing made from the true one by exchanging unseen cards: a few, or so many that nothing is left of it."""
    view = View(deal.options, deal.knows(seat))
    true = deal.placing()
    hands, discards, talon = [set(h) for h in true[0]], [set(d) for d in true[1]], set(true[2])
    places = [hands[o] for o in view.others] + [discards[o] for o in view.others] + [talon]
    unseen = set(view.unseen)
    spots = [(place, card) for place in places for card in by_id(place & unseen)]
    for _ in range(swaps if len(spots) > 1 else 0):
        (a, x), (b, y) = rng.sample(spots, 2)
        a.remove(x)
        b.remove(y)
        a.add(y)
        b.add(x)
        spots = [(place, card) for place in places for card in by_id(place & unseen)]
    return tuple(map(frozenset, hands)), tuple(map(frozenset, discards)), frozenset(talon)
