"""Layers and transfers of table stakes against the plain definitions, and no jeton lost or made."""

import random

import numpy as np
import pytest

from lomber.envs.engine.pots import next_layer, put_in, transfer


def layers_of(stakes, live):
    """(level, jetons, contestants) of all layers, by the engine."""
    stake, below, found = np.array(stakes, np.int64), 0, []
    while True:
        level, jetons = plain(next_layer)(stake, live, below)
        if level == below:
            return found
        found.append((int(level), int(jetons), [s for s, n in enumerate(stakes) if live >> s & 1 and n >= level]))
        below = level


def plain(function):
    return getattr(function, "py_func", function)


@pytest.mark.parametrize(
    ("stakes", "live", "expected"),
    [
        ([5, 12, 12, 1], 0b0111, [(5, 16, [0, 1, 2]), (12, 14, [1, 2])]),
        ([30, 12, 0, 1], 0b0011, [(12, 25, [0, 1]), (30, 18, [0])]),
        ([3, 1, 3, 2], 0b1010, [(1, 4, [1, 3]), (2, 5, [3])]),  # what lies above the highest live stake is in the top layer
        ([4, 4, 4], 0b111, [(4, 12, [0, 1, 2])]),
        ([0, 0], 0b11, []),
    ],
)
def test_layers(stakes, live, expected):
    assert layers_of(stakes, live) == expected


def test_random_layers_hold_all_stakes():
    rng = random.Random(3)
    for _ in range(300):
        stakes = [rng.choice((0, 1, 2, 5, 7)) for _ in range(5)]
        live = rng.randrange(1, 32)
        levels = sorted({n for s, n in enumerate(stakes) if live >> s & 1 and n})
        found = layers_of(stakes, live)
        assert [level for level, _, _ in found] == levels
        below = 0
        for level, jetons, contestants in found:
            assert contestants and jetons >= sum(min(max(n - below, 0), level - below) for n in stakes)
            below = level
        if levels:
            assert sum(jetons for _, jetons, _ in found) == sum(stakes)


def test_nobody_pays_more_than_he_has():
    stack, stake = np.array([3, 10], np.int64), np.zeros(2, np.int64)
    assert plain(transfer)(stack, 0, 1, 5) == 3 and stack.tolist() == [0, 13]
    assert plain(transfer)(stack, 0, 1, 5) == 0 and plain(transfer)(stack, 1, 0, 4) == 4 and stack.tolist() == [4, 9]
    plain(put_in)(stack, stake, 1, 9)
    assert stack.tolist() == [4, 0] and stake.tolist() == [0, 9]
