"""Deals of bouillotte in which everybody stays: who wins them, counted with the engine's own kernels."""

from itertools import combinations

import numpy as np

from lomber.envs.bouillotte.showdown import STRENGTH, byte, categorize, contest, strength_of, totals_of
from lomber.envs.engine.cards import bit, mask_of
from lomber.envs.engine.chance import DECK, open_stream, shuffle
from lomber.envs.engine.jit import jit
from lomber.envs.engine.state import NONE


class Counts:
    """Wins by seat; deals decided by a brelan and by privilege; how often each number won."""

    def __init__(self, game):
        self.game, self.states = game, game.fresh()
        right = game.options.direction == "right"
        self.order = range(game.seats) if right else range(game.seats - 1, -1, -1)
        self.states[0]["start"]["dealer"] = self.order[-1]
        self.states[0]["dealt"] = (1 << game.seats) - 1
        self.wins, self.kinds, self.numbers = np.zeros(5, np.int64), np.zeros(2, np.int64), np.zeros(80, np.int64)

    def told(self):
        """Wins by place in the order, and the rest as plain numbers."""
        return {
            "wins": [int(self.wins[seat]) for seat in self.order],
            "brelan": int(self.kinds[0]), "privilege": int(self.kinds[1]),
            "numbers": {number: int(count) for number, count in enumerate(self.numbers) if count},
        }  # fmt: skip


@jit
def _decide(rules, states, wins, kinds, numbers):
    """Count the one deal whose hands and retourne lie in states[0]."""
    state = states[0]
    strengths = 0
    for seat in range(rules[0]["players"]):
        category, rank = categorize(rules[0], state["hand"][seat], state["retourne"], NONE)
        strengths |= strength_of(rules[0], category, rank) << 8 * seat
    winner, decided = contest(rules[0], state, state["dealt"], strengths, totals_of(rules[0], state))
    wins[winner] += 1
    if byte(strengths, winner) >= STRENGTH:
        kinds[0] += 1
        return
    equal = 0
    for seat in range(rules[0]["players"]):
        equal += byte(decided, seat) == byte(decided, winner)
    kinds[1] += equal > 1
    numbers[byte(decided, winner)] += 1


@jit
def _count(rules, states, hands, deck, wins, kinds, numbers):
    """Of the hands of all seats but the last, which lie in states[0]: every hand of the last, every retourne."""
    last = rules[0]["players"] - 1
    used = 0
    for seat in range(last):
        used |= states[0]["hand"][seat]
    for hand in hands:
        if hand & used:
            continue
        states[0]["hand"][last] = hand
        for card in deck:
            if not (used | hand) >> card & 1:
                states[0]["retourne"] = card
                _decide(rules, states, wins, kinds, numbers)


@jit
def _sample(rules, states, deck, n, wins, kinds, numbers):
    """n deals of a pack that is shuffled anew each time."""
    seats = rules[0]["players"]
    for k in range(n):
        shuffle(open_stream(np.uint64(1), k, DECK), deck, deck.shape[0])
        for seat in range(seats):
            states[0]["hand"][seat] = bit(deck[3 * seat]) | bit(deck[3 * seat + 1]) | bit(deck[3 * seat + 2])
        states[0]["retourne"] = deck[3 * seats]
        _decide(rules, states, wins, kinds, numbers)


def enumerate_all_in(game):
    """Counts over all deals there are."""
    counts, deck = Counts(game), game.deck().astype(np.int64)
    hands = [mask_of(hand) for hand in combinations(deck.tolist(), 3)]
    given = np.array(hands, np.int64)
    for front in _fronts(hands, game.seats - 1):
        counts.states[0]["hand"][: game.seats - 1] = front
        _count(game.rules, counts.states, given, deck, counts.wins, counts.kinds, counts.numbers)
    return counts.told()


def sample_all_in(game, n):
    """Counts over n random deals."""
    counts, deck = Counts(game), game.deck().astype(np.int64)
    _sample(game.rules, counts.states, deck, n, counts.wins, counts.kinds, counts.numbers)
    return counts.told()


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
