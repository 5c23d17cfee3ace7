"""Suits, ranks, card names, and card sets as bit masks (int64: bit c is set where card c is in the set)."""

import numpy as np

from .jit import count_bits, inline, jit, lowest_bit

SUITS = "SHDC"
RANKS_32 = "AKQJT987"


_FLOATS = np.array([[byte >> j & 1 for j in range(8)] for byte in range(256)], np.float32)  # the bits of a byte


def card_names(ranks: str = RANKS_32, suits: str = SUITS) -> tuple[str, ...]:
    """Names in the order of ids, rank before suit: card id = len(ranks) * suit + rank."""
    return tuple(rank + suit for suit in suits for rank in ranks)


def mask_of(cards: "list[int] | tuple[int, ...]") -> int:
    """The set of these card ids."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask


def cards_of(mask: int) -> list[int]:
    """The card ids in a set, ascending."""
    return [card for card in range(63) if int(mask) >> card & 1]


@jit
def count(mask):
    """How many cards are in a set."""
    return count_bits(np.int64(mask))


@jit
def lowest(mask):
    """The smallest card id in a set that is not empty."""
    return lowest_bit(np.int64(mask))


@jit
def list_cards(mask, out):
    """Write the ids of a set into `out`, ascending; returns how many."""
    n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@inline
def write_cells(out, first, cards, size):
    """Set the floats out[first + c] for each c below `size` to 1 where card c is in the set, else to 0."""
    for k in range(size >> 3):
        byte = (cards >> (8 * k)) & 0xFF
        for j in range(8):
            out[first + 8 * k + j] = _FLOATS[byte, j]
    for c in range(size & ~7, size):
        out[first + c] = (cards >> c) & 1


@jit
def bit(card):
    """The set of one card."""
    return np.int64(1) << np.int64(card)
