"""All deals of bouillotte in which everybody stays: who wins them, counted with the engine's own kernels."""

from itertools import combinations

import numpy as np

from lomber.envs.bouillotte.showdown import STRENGTH, categorize, contest, strength_of, write_totals
from lomber.envs.engine.cards import mask_of
from lomber.envs.engine.jit import jit
from lomber.envs.engine.state import NONE


@jit
def _count(rules, states, hands, deck, wins, kinds, numbers):
    """Of the hands of all seats but the last, which lie in states[0]: every hand of the last, every retourne."""
    state = states[0]
    seats = rules[0]["players"]
    strength, number, totals = np.zeros(5, np.int64), np.zeros(5, np.int64), np.zeros(4, np.int64)
    used = 0
    for seat in range(seats - 1):
        used |= state["hand"][seat]
    for hand in hands:
        if hand & used:
            continue
        state["hand"][seats - 1] = hand
        for card in deck:
            if (used | hand) >> card & 1:
                continue
            state["retourne"] = card
            for seat in range(seats):
                category, rank = categorize(rules[0], state["hand"][seat], card, NONE)
                strength[seat] = strength_of(rules[0], category, rank)
            write_totals(rules[0], state, totals)
            winner = contest(rules[0], state, state["dealt"], strength, totals, number)
            wins[winner] += 1
            if strength[winner] >= STRENGTH:
                kinds[0] += 1
                continue
            equal = 0
            for seat in range(seats):
                equal += number[seat] == number[winner]
            kinds[1] += equal > 1
            numbers[number[winner]] += 1


def enumerate_all_in(game):
    """Counts over all deals, the last seat dealing: wins by place, decided by a brelan, by privilege, winning numbers."""
    deck = game.deck().astype(np.int64)
    hands = [mask_of(hand) for hand in combinations(deck.tolist(), 3)]
    states = game.fresh()
    states[0]["start"]["dealer"], states[0]["dealt"] = game.seats - 1, (1 << game.seats) - 1
    wins, kinds, numbers = np.zeros(5, np.int64), np.zeros(2, np.int64), np.zeros(80, np.int64)
    given = np.array(hands, np.int64)
    for front in _fronts(hands, game.seats - 1):
        states[0]["hand"][: game.seats - 1] = front
        _count(game.rules, states, given, deck, wins, kinds, numbers)
    return {
        "wins": wins[: game.seats].tolist(), "brelan": int(kinds[0]), "privilege": int(kinds[1]),
        "numbers": {n: int(count) for n, count in enumerate(numbers) if count},
    }  # fmt: skip


def _fronts(hands, seats):
    """Disjoint hands of so many seats."""
    if seats == 0:
        yield ()
        return
    for front in _fronts(hands, seats - 1):
        used = sum(front)
        for hand in hands:
            if not hand & used:
                yield (*front, hand)
