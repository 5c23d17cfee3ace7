"""Philox against its published answers, and that draws and shuffles are exact and uniform."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from lomber.envs.engine import chance

ONES = 0xFFFFFFFF
# Random123's kat_vectors: counter words, key words, answer.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((ONES,) * 4, (ONES,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_gives_its_known_answers(counter, key, answer):
    words = chance.philox(np.uint64(key[0] | key[1] << 32), *map(np.uint64, counter))
    assert " ".join(f"{int(word):08x}" for word in words) == answer


def test_a_stream_is_philox_block_by_block():
    stream = chance.open_stream(np.uint64(5), 3, chance.DECK)
    words = [int(chance.draw_word(stream)) for _ in range(10)]
    blocks = [chance.philox(np.uint64(5), *map(np.uint64, (block, 3, 0, chance.DECK))) for block in range(3)]
    assert words == [int(word) for block in blocks for word in block][:10]


def test_keys_differ_by_key_index_and_purpose():
    keys = {
        int(chance.hash_key(np.uint64(key), index, purpose))
        for key in (0, 1, 2**63)
        for index in (0, 1, 2**40)
        for purpose in (chance.LOT, chance.EPISODE)
    }
    assert len(keys) == 18


@pytest.mark.parametrize("n", [1, 2, 3, 7, 32, 2**31 + 1, 2**32 - 1])
def test_draws_lie_in_range(n):
    stream = chance.open_stream(np.uint64(n), 0, chance.CHOICE)
    drawn = [chance.draw(stream, n) for _ in range(200)]
    assert 0 <= min(drawn) <= max(drawn) < n
    assert len(set(drawn)) >= min(n, 30)


def test_a_draw_rejects_the_words_that_would_favour_some():
    stream = chance.open_stream(np.uint64(1), 0, chance.CHOICE)
    stream[-5] = 0  # words used
    stream[-4:] = [0, 2**31, 0, 0]  # of 2**32 words one too many falls to 0: the word 0 is drawn again
    assert chance.draw(stream, 3) == 1
    assert stream[-5] == 2


def test_draws_are_uniform():
    stream = chance.open_stream(np.uint64(2), 0, chance.CHOICE)
    counts = Counter(int(chance.draw(stream, 13)) for _ in range(13 * 400))
    assert chisquare([counts[i] for i in range(13)]).pvalue > 1e-3


@pytest.mark.parametrize("n", [2, 3, 4])
def test_shuffles_are_uniform(n):
    stream = chance.open_stream(np.uint64(3), n, chance.DECK)
    counts = Counter()
    for _ in range(24 * 150):
        cards = np.arange(6)
        chance.shuffle(stream, cards, n)
        assert cards[n:].tolist() == list(range(n, 6))
        counts[tuple(cards[:n].tolist())] += 1
    assert chisquare([counts[order] for order in permutations(range(n))]).pvalue > 1e-3


@pytest.mark.parametrize("before", range(6))
def test_a_shuffle_makes_the_draws_of_draw_and_leaves_the_stream_behind_them(before):
    """In every place of a block, and where words are rejected."""
    streams = [chance.open_stream(np.uint64(7), 5, chance.DECK) for _ in range(2)]
    for stream in streams:
        for _ in range(before):
            chance.draw(stream, 9)
        if before % 4:
            stream[-4:] = 0  # rejected by every bound that is no power of two
    cards, slow = np.arange(32), list(range(32))
    chance.shuffle(streams[0], cards, 27)
    for i in range(26, 0, -1):
        j = chance.draw(streams[1], i + 1)
        slow[i], slow[j] = slow[j], slow[i]
    assert cards.tolist() == slow and streams[0].tolist() == streams[1].tolist()


def test_a_shuffle_that_makes_no_stream_is_the_same():
    by_stream, once = np.arange(32), np.arange(32)
    chance.shuffle(chance.open_stream(np.uint64(7), 5, chance.DECK), by_stream, 27)
    chance.shuffle_once(np.uint64(7), 5, chance.DECK, once, 27)
    assert once.tolist() == by_stream.tolist() != list(range(32))
