"""The only chance: Philox4x32-10, a counter-based generator, and what is drawn from it.

Every draw is a function of (key, index, purpose, position), never of what was drawn before elsewhere. Products are of 32-bit
halves, so nothing overflows and compiled and interpreted runs give the same bits.
Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011); its known answers are tested.
"""

import numpy as np

from .jit import inline, jit

DECK, LOT, EPISODE, WORLD, CHOICE = range(1, 6)  # purposes: the fourth word of the counter

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_STREAM_KEY, _STREAM_INDEX, _STREAM_PURPOSE, _STREAM_BLOCK, _STREAM_USED, _STREAM_WORDS = range(6)
STREAM_SIZE = _STREAM_WORDS + 4


@jit
def philox(key, c0, c1, c2, c3):
    """One block: four uint64 below 2**32 from a 64-bit key and four 32-bit counter words (all np.uint64)."""
    k0 = key & _LOW
    k1 = key >> _32
    for _ in range(10):
        p0 = _MULTIPLIER_0 * c0
        p1 = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ k0, p1 & _LOW, (p0 >> _32) ^ c3 ^ k1, p0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@jit
def hash_key(key, index, purpose):
    """A 64-bit key (np.uint64) that depends on `key`, `index` and `purpose`."""
    i = np.uint64(index)
    a, b, _, _ = philox(key, np.uint64(0), i & _LOW, i >> _32, np.uint64(purpose))
    return a | (b << _32)


@jit
def open_stream(key, index, purpose):
    """A stream of draws: uint64 array of STREAM_SIZE."""
    stream = np.zeros(STREAM_SIZE, np.uint64)
    stream[_STREAM_KEY] = key
    stream[_STREAM_INDEX] = np.uint64(index)
    stream[_STREAM_PURPOSE] = np.uint64(purpose)
    stream[_STREAM_USED] = np.uint64(4)
    return stream


@jit
def draw_word(stream):
    """The next 32 random bits, as np.uint64."""
    used = np.int64(stream[_STREAM_USED])
    if used == 4:
        index = stream[_STREAM_INDEX]
        a, b, c, d = philox(stream[_STREAM_KEY], stream[_STREAM_BLOCK], index & _LOW, index >> _32, stream[_STREAM_PURPOSE])
        stream[_STREAM_WORDS] = a
        stream[_STREAM_WORDS + 1] = b
        stream[_STREAM_WORDS + 2] = c
        stream[_STREAM_WORDS + 3] = d
        stream[_STREAM_BLOCK] += np.uint64(1)
        used = 0
    stream[_STREAM_USED] = np.uint64(used + 1)
    return stream[_STREAM_WORDS + used]


@jit
def draw(stream, n):
    """A uniform integer in [0, n), n below 2**32, exactly: rejection (Lemire 2019)."""
    bound = np.uint64(n)
    product = draw_word(stream) * bound
    low = product & _LOW
    if low < bound:
        threshold = ((_LOW - bound) + np.uint64(1)) % bound
        while low < threshold:
            product = draw_word(stream) * bound
            low = product & _LOW
    return np.int64(product >> _32)


@jit
def draw_once(key, purpose, n):
    """A uniform integer in [0, n) that depends on `key` and `purpose` alone; needs no stream."""
    bound = np.uint64(n)
    threshold = ((_LOW - bound) + np.uint64(1)) % bound
    block = np.uint64(0)
    while True:
        word, _, _, _ = philox(key, block, np.uint64(0), np.uint64(0), np.uint64(purpose))
        product = word * bound
        if product & _LOW >= threshold:
            return np.int64(product >> _32)
        block += np.uint64(1)


@jit
def shuffle(stream, cards, n):
    """Put the first `n` entries of `cards` into a uniformly random order, in place (Fisher-Yates): the draws of `draw`."""
    words = stream[_STREAM_WORDS], stream[_STREAM_WORDS + 1], stream[_STREAM_WORDS + 2], stream[_STREAM_WORDS + 3]
    key, index, purpose = stream[_STREAM_KEY], stream[_STREAM_INDEX], stream[_STREAM_PURPOSE]
    block, used, words = _shuffle(key, index, purpose, stream[_STREAM_BLOCK], np.int64(stream[_STREAM_USED]), words, cards, n)
    stream[_STREAM_BLOCK], stream[_STREAM_USED] = block, np.uint64(used)
    for i in range(4):
        stream[_STREAM_WORDS + i] = words[i]


@jit
def shuffle_once(key, index, purpose, cards, n):
    """`shuffle` with a stream of its own; to make the stream would take half as long as to shuffle."""
    zero = np.uint64(0)
    _shuffle(key, np.uint64(index), np.uint64(purpose), zero, np.int64(4), (zero, zero, zero, zero), cards, n)


@inline
def _shuffle(key, index, purpose, block, used, words, cards, n):
    """Shuffle with the stream held in registers: eight times as fast. Returns its new block, used and words."""
    a, b, c, d = words
    for i in range(n - 1, 0, -1):
        bound = np.uint64(i + 1)
        while True:
            if used == 4:
                a, b, c, d = philox(key, block, index & _LOW, index >> _32, purpose)
                block += np.uint64(1)
                used = 0
            word = a if used == 0 else b if used == 1 else c if used == 2 else d
            used += 1
            product = word * bound
            if product & _LOW >= bound or product & _LOW >= ((_LOW - bound) + np.uint64(1)) % bound:
                break
        j = np.int64(product >> _32)
        swapped = cards[i]
        cards[i] = cards[j]
        cards[j] = swapped
    return block, used, (a, b, c, d)
