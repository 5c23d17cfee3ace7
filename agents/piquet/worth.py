"""What cards are worth to elder and to younger, in points of the deal: fitted numbers, and tables made of them.

The worth of a hand is that of its four suits, of a long suit as the point, and of its sets. The numbers come from a linear
regression of the result on the final hands of 400,000 deals of self-play, one mark in seven at random, with all the cards
that went through the hand held fixed: so they tell what keeping a card brings, not what being dealt it does.

Tables of expectations say what these are worth once k of the twenty unseen cards have been drawn, each with the chance k / 20.
"""

import numpy as np
from numpy.typing import NDArray

ELDER, YOUNGER = 0, 1
MOST_DRAWN = 8
_UNSEEN = 20

# (elder, younger). Features of a suit, as `suit_features` tells them; a longest suit of five or more; three, four of a rank.
# fmt: off
SUIT = {
    "A": (4.5, 2.9),
    "K": (-0.5, -5.3),
    "Q": (-0.1, -2.2),
    "J": (-1.0, -2.5),
    "T": (-0.7, -2.4),
    "9": (-1.3, -2.5),
    "8": (-1.6, -2.6),
    "guarded K": (4.0, 7.9),
    "guarded Q": (0.6, 1.1),
    "guarded J": (0.3, 0.7),
    "AK": (-1.6, -2.5),
    "AKQ": (3.0, 1.7),
    "AKQJ": (9.2, 2.4),
    "long 4": (-0.2, -0.9),
    "long 5": (3.3, -0.4),
    "long 6": (10.7, 6.9),
    "long 7": (12.4, 5.4),
    "void": (0.6, -5.1),
    "run 3": (1.1, 0.6),
    "run 4": (1.3, 3.4),
    "run 5": (22.7, 20.6),
    "run 6": (26.9, 26.2),
    "run 7": (26.4, 30.7),
    "run 8": (37.0, 33.2),
}
LONG_POINT = (4.1, 5.6)
SETS = {
    "A": ((4.9, 5.6), (26.9, 25.9)),
    "K": ((1.7, 1.7), (25.1, 20.5)),
    "Q": ((1.1, 1.0), (24.7, 20.0)),
    "J": ((1.5, 0.9), (23.7, 18.5)),
    "T": ((1.0, 0.3), (19.2, 15.8)),
}
# fmt: on


def suit_features(byte: int) -> dict[str, int]:
    """How often a suit (bit r = rank r, the ace 0) shows each feature of SUIT."""
    held = [byte >> r & 1 for r in range(8)]
    length = sum(held)
    found = {rank: held[r] for r, rank in enumerate("AKQJT98")}
    found["guarded K"] = int(held[1] and length >= 2)
    found["guarded Q"] = int(held[2] and length >= 3)
    found["guarded J"] = int(held[3] and length >= 4)
    for top in (2, 3, 4):
        found["AKQJ"[:top]] = int(all(held[:top]))
    for n in range(4, 8):
        found[f"long {n}"] = int(length >= n)
    found["void"] = int(length == 0)
    run = 0
    for r in range(9):
        if r < 8 and held[r]:
            run += 1
        else:
            if run >= 3:
                found[f"run {run}"] = found.get(f"run {run}", 0) + 1
            run = 0
    return found


def _suit_worth() -> NDArray[np.float64]:
    """(2, 256): by role and suit."""
    out = np.zeros((2, 256))
    for byte in range(256):
        for name, times in suit_features(byte).items():
            out[:, byte] += times * np.array(SUIT[name])
    return out


def _point_worth() -> NDArray[np.float64]:
    """(2, 9): by role and number of cards."""
    out = np.zeros((2, 9))
    out[:, 5:] = np.array(LONG_POINT)[:, None]
    return out


def _set_worth() -> NDArray[np.float64]:
    """(2, 5, 5): by role, rank and number of cards."""
    out = np.zeros((2, 5, 5))
    for rank, worths in enumerate(SETS.values()):
        out[:, rank, 3], out[:, rank, 4] = worths
    return out


def _expected_suits(worth: NDArray[np.float64]) -> NDArray[np.float32]:
    """(2, k + 1, 3**8): by role, cards drawn, and what is kept (digit 1) and gone (digit 2) of a suit; digit 0 is unseen."""
    chance = (np.arange(MOST_DRAWN + 1) / _UNSEEN)[None, :, None]
    table = np.zeros((2, MOST_DRAWN + 1) + (3,) * 8)
    for byte in range(256):  # all cards kept or gone
        table[(slice(None), slice(None), *(1 if byte >> r & 1 else 2 for r in range(7, -1, -1)))] = worth[:, byte, None]
    for axis in range(2, 10):  # an unseen card is drawn, or as good as gone
        cells = np.moveaxis(table, axis, 0)
        p = chance.reshape(1, -1, *[1] * 7)
        cells[0] = p * cells[1] + (1 - p) * cells[2]
    return table.reshape(2, MOST_DRAWN + 1, -1).astype(np.float32)


def _expected_counts(worth: NDArray[np.float64], most: int) -> NDArray[np.float32]:
    """(..., k + 1, most + 1, most + 1): worth[..., kept + drawn], by cards drawn, kept and unseen of a suit or rank."""
    chance = np.arange(MOST_DRAWN + 1) / _UNSEEN
    table = np.zeros((*worth.shape[:-1], MOST_DRAWN + 1, most + 1, most + 1))
    for kept in range(most + 1):
        table[..., kept, 0] = worth[..., kept, None]
    for unseen in range(1, most + 1):
        for kept in range(most + 1 - unseen):
            drawn, left = table[..., kept + 1, unseen - 1], table[..., kept, unseen - 1]
            table[..., kept, unseen] = chance * drawn + (1 - chance) * left
    return table.astype(np.float32)


def _frozen(table: NDArray[np.float32]) -> NDArray[np.float32]:
    table.flags.writeable = False
    return table


SUIT_WORTH = _frozen(_expected_suits(_suit_worth()))
POINT_WORTH = _frozen(_expected_counts(_point_worth(), 8))
SET_WORTH = _frozen(_expected_counts(_set_worth(), 4))
