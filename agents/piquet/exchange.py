"""The exchange: of all discards that the rules allow, the one behind which the twelve cards are worth most on the mean.

Kept are what makes point, sequences and sets, or may make them with the cards drawn, aces, guarded kings and queens; what a
card is worth to elder and to younger stands in worth.py. The whole discard is thought out anew at each mark: the best one
is still the best of those that hold the cards already marked.
"""

import numpy as np

from ...envs.engine.cards import count, list_cards, lowest
from ...envs.engine.jit import jit
from ...envs.piquet.actions import DISCARD, PASS
from ...envs.piquet.legal import elder_of, exchange_sizes
from ...envs.piquet.scoring import of_rank, suit_byte
from .worth import ELDER, POINT_WORTH, SET_WORTH, SUIT_WORTH, YOUNGER


def _by_byte():
    digits, ranks = np.zeros(256, np.int64), np.zeros(256, np.int64)
    for byte in range(256):
        digits[byte] = sum(3**r for r in range(8) if byte >> r & 1)
        ranks[byte] = sum(1 << 4 * r for r in range(5) if byte >> r & 1)
    digits.flags.writeable = ranks.flags.writeable = False
    return digits, ranks


TERNARY, RANKS = _by_byte()  # a suit as digits of base three; its A K Q J T, four bits a rank

LEFT_BEHIND = 2.0  # what each card not taken is worth to the other


@jit
def weigh_exchange(rules, view, seat, out):
    """Mark the first card of the best discard, or stop."""
    hand = view["hand"][seat]
    marked = view["marked"][seat]
    role = ELDER if seat == elder_of(view) else YOUNGER
    zero, low, most = exchange_sizes(rules, view, seat)
    cards = np.empty(12, np.int64)
    n = list_cards(hand, cards)
    best, chosen = np.float32(-1e9), 0
    for size in range(most, -1, -1):
        if size < marked or (size < low and not (zero and size == 0)):
            continue
        worth, places = best_discard(view, seat, role, hand, n, size, size - marked)
        worth -= np.float32(LEFT_BEHIND * (most - size))
        if worth > best:
            best, chosen = worth, places
    if chosen:
        out[DISCARD + cards[lowest(chosen)]] = 1
    else:
        out[PASS] = 1


@jit
def best_discard(view, seat, role, hand, n, drawn, more):
    """The worth of the best discard of `more` further cards of the n in hand, and their places as bits."""
    gone = view["discarded"][seat]
    suits = np.empty((4, 256), np.float32)  # by suit and places discarded in it
    points = np.empty((4, 256), np.float32)
    ranks = np.empty((4, 256), np.int64)
    first = np.zeros(5, np.int64)
    for suit in range(4):
        byte = suit_byte(hand, suit)
        first[suit + 1] = first[suit] + count(byte)
        write_suit(role, drawn, byte, suit_byte(gone, suit), suits[suit], points[suit], ranks[suit])
    m0, m1 = (1 << first[1]) - 1, (1 << (first[2] - first[1])) - 1
    m2, m3 = (1 << (first[3] - first[2])) - 1, (1 << (first[4] - first[3])) - 1
    sets = np.empty((5, 5), np.float32)
    for rank in range(5):
        unseen = 4 - of_rank(hand | gone, rank)
        for kept in range(5):
            sets[rank, kept] = SET_WORTH[role, rank, drawn, kept, unseen]
    best, chosen = np.float32(-1e9), 0
    places = (1 << more) - 1
    while places < 1 << n:
        a, b = places & m0, (places >> first[1]) & m1
        c, d = (places >> first[2]) & m2, (places >> first[3]) & m3
        packed = ranks[0, a] + ranks[1, b] + ranks[2, c] + ranks[3, d]
        worth = suits[0, a] + suits[1, b] + suits[2, c] + suits[3, d]
        worth += max(max(points[0, a], points[1, b]), max(points[2, c], points[3, d]))
        for rank in range(5):
            worth += sets[rank, (packed >> (4 * rank)) & 15]
        if worth > best:
            best, chosen = worth, places
        if places == 0:
            break
        up = places + (places & -places)  # the next larger number with as many bits
        places = (((up ^ places) >> 2) >> lowest(places)) | up
    return best, chosen


@jit
def write_suit(role, drawn, byte, gone, suits, points, ranks):
    """For each choice of places to discard from a suit: its worth, its worth as the point, its ranks kept."""
    places = np.empty(8, np.int64)
    n = list_cards(byte, places)
    unseen = 8 - n - count(gone)
    for discard in range(1 << n):
        kept = byte
        for i in range(n):
            if discard >> i & 1:
                kept &= ~(1 << places[i])
        out = gone | byte & ~kept
        suits[discard] = SUIT_WORTH[role, drawn, TERNARY[kept] + 2 * TERNARY[out]]
        points[discard] = POINT_WORTH[role, drawn, count(kept), unseen]
        ranks[discard] = RANKS[kept]
