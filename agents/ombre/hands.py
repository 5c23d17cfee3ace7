"""What a hand is worth to an ombre: the chances to win and to lose by codille, by contract and trump suit."""

import numpy as np

from ...envs.engine.cards import bit, count
from ...envs.engine.jit import jit
from ...envs.engine.state import NONE
from ...envs.ombre import state as st
from ...envs.ombre.trumps import ALL, BASTO, BY_STRENGTH, PLAIN_SUIT, SPADILLE, TRUMPS
from .weights import CASCO_CHANCES, CHANCE_WEIGHTS

KING, QUEEN = 9, 8  # ranks
KINGS = sum(1 << (10 * suit + KING) for suit in range(4))
_STEPS = 16  # of the table of the logistic curve, a unit
_CURVE = 1.0 / (1.0 + np.exp(-np.arange(-8 * _STEPS, 8 * _STEPS + 1) / _STEPS))
_CURVE.flags.writeable = False
WON, CODILLE = 0, 1  # which chance


@jit
def logistic(x):
    return _CURVE[int(min(max(x, -8.0), 8.0) * _STEPS + 8.5 * _STEPS) - _STEPS // 2]


@jit
def mark_side_suits(hand, trump):
    """(kings, queens beside their king, other queens with a card below, empty suits) outside trumps."""
    kings, pairs, queens, voids = 0, 0, 0, 0
    for suit in range(4):
        cards = hand & PLAIN_SUIT[trump, suit]
        if suit == trump:
            continue
        king, queen = cards >> (10 * suit + KING) & 1, cards >> (10 * suit + QUEEN) & 1
        kings += king
        pairs += king & queen
        queens += queen and not king and count(cards) > 1
        voids += cards == 0
    return kings, pairs, queens, voids


@jit
def chance(hand, trump, place, overcalled, contract, which):
    """One chance of a contract, with nine cards and a trump suit; place: 0 eldest, 1 middle, 2 dealer."""
    weights = CHANCE_WEIGHTS
    kings, pairs, queens, voids = mark_side_suits(hand, trump)
    high = 0
    for k in range(3, 6):
        high += (hand & bit(BY_STRENGTH[trump, k])) != 0
    n = count(hand & TRUMPS[trump])
    x = weights[which, contract, 0]
    x += weights[which, contract, 1] * ((hand & bit(SPADILLE)) != 0)
    x += weights[which, contract, 2] * ((hand & bit(BY_STRENGTH[trump, 1])) != 0)
    x += weights[which, contract, 3] * ((hand & bit(BASTO)) != 0)
    x += weights[which, contract, 4] * high
    x += weights[which, contract, 5] * n
    x += weights[which, contract, 6] * n * n
    x += weights[which, contract, 7] * kings
    x += weights[which, contract, 8] * pairs
    x += weights[which, contract, 9] * queens
    x += weights[which, contract, 10] * voids
    x += weights[which, contract, 11] * (trump == 1 or trump == 2)
    x += weights[which, contract, 12] * (place == 0)
    x += weights[which, contract, 13] * overcalled
    return logistic(x)


@jit
def chances_of(view, seat, contract, trump):
    """(won, codille) if `seat` plays this contract with its hand; CASCO_LESSER, CASCO_GREATER: once the cards are changed."""
    place = (seat - view["start"]["dealer"] + 2) % 3
    overcalled = view["holder"] != NONE and view["holder"] != seat
    won = chance(view["hand"][seat], trump, place, overcalled, contract, WON)
    return won, (1.0 - won) * chance(view["hand"][seat], trump, place, overcalled, contract, CODILLE)


@jit
def vuelta_chances(view, seat):
    """The same before the card is turned: the mean over the suits that it may have."""
    unseen = ALL & ~view["hand"][seat]
    won, codille = 0.0, 0.0
    for trump in range(4):
        share = count(unseen >> (10 * trump) & 1023) / 31.0
        w, c = chances_of(view, seat, st.VUELTA, trump)
        won += share * w
        codille += share * c
    return won, codille


@jit
def casco_chances(view, seat, contract):
    """(won, codille) before the cards are changed; refusals count as remises."""
    row = 2
    if contract == st.CASCO_LESSER:
        row = 0 if view["hand"][seat] & bit(SPADILLE) else 1
    return CASCO_CHANCES[row, 0], CASCO_CHANCES[row, 1]
