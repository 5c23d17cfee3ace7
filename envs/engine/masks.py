"""Writing, counting and choosing the cells of an action mask, eight at a time."""

import numpy as np

from .jit import inline

_BYTES = np.array([[byte >> j & 1 for j in range(8)] for byte in range(256)], np.int8)  # the bits of a byte as cells


@inline
def write_legal(row, first, cards, size):
    """Set row[first + c] for each c below `size` to 1 where bit c of `cards` is set, else to 0."""
    for k in range(size >> 3):
        byte = (cards >> (8 * k)) & 0xFF
        for j in range(8):
            row[first + 8 * k + j] = _BYTES[byte, j]
    for c in range(size & ~7, size):
        row[first + c] = (cards >> c) & 1


@inline
def count_legal(row):
    """How many cells of a row (A,) int8 of zeros and ones are set."""
    n = np.int32(0)
    for a in range(row.shape[0]):
        n = np.int32(n + row[a])
    return np.int64(n)


@inline
def nth_legal(row, k):
    """The index of the k-th set cell of such a row, from 0; there must be more than k."""
    k = np.int64(k)
    a = 0
    while a + 8 <= row.shape[0]:
        here = np.int64(0)
        for j in range(8):
            here += row[a + j]
        if k < here:
            break
        k -= here
        a += 8
    while k or not row[a]:
        k -= row[a]
        a += 1
    return a
