"""Cards, tricks, placings, options, layouts and errors: the leaves of the engine."""

import copy
import pickle
from collections import Counter
from dataclasses import dataclass
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from lomber.envs import IllegalAction, LomberError, UnknownName
from lomber.envs.engine import cards, chance, layout, masks, options, tricks, unseen
from lomber.envs.engine.errors import cut, unknown

SETS = [0, 1, 0b1011, 2**31, 2**31 - 1, 2**62 - 1, 1 << 61, (1 << 40) | (1 << 31) | (1 << 30) | 5]


@pytest.mark.parametrize("mask", SETS)
def test_a_set_of_cards_is_counted_listed_and_written(mask):
    members = [card for card in range(63) if mask >> card & 1]
    assert cards.cards_of(mask) == members and cards.mask_of(members) == mask
    assert cards.count(np.int64(mask)) == len(members)
    out = np.full(63, -1)
    assert cards.list_cards(np.int64(mask), out) == len(members)
    assert out[: len(members)].tolist() == members
    for write, dtype in ((cards.write_cells, np.float32), (masks.write_legal, np.int8)):
        for size in (0, 7, 32, 63):
            cells = np.full(66, 7, dtype)
            write(cells, 1, np.int64(mask), size)
            assert cells.tolist() == [7, *(card in members for card in range(size)), *[7] * (65 - size)]
    if members:
        assert cards.lowest(np.int64(mask)) == members[0]
        assert sum(int(cards.bit(card)) for card in members) == mask


@pytest.mark.parametrize("size", [1, 8, 13, 59, 128])
def test_the_cells_of_a_mask_are_counted_and_found(size):
    rng = np.random.default_rng(size)
    for share in (0.05, 0.5, 1.0):
        row = (rng.random(size) < share).astype(np.int8)
        legal = np.flatnonzero(row).tolist()
        assert masks.count_legal(row) == len(legal)
        assert [masks.nth_legal(row, k) for k in range(len(legal))] == legal


def test_names_of_cards_go_rank_before_suit():
    names = cards.card_names()
    assert len(set(names)) == 32 and names[0] == "AS" and names[8] == "AH" and names[31] == "7C"
    assert cards.card_names("AKQ", "CD") == ("AC", "KC", "QC", "AD", "KD", "QD")


def test_suits_are_followed_where_they_can_be():
    hand = np.int64(cards.mask_of([0, 5, 7, 9]))
    assert int(tricks.suit_set(1, 8)) == cards.mask_of(list(range(8, 16)))
    assert int(tricks.follow(hand, 1, 8)) == cards.mask_of([9])
    assert int(tricks.follow(hand, 2, 8)) == hand


def test_unseen_cards_are_scattered_uniformly():
    stream = chance.open_stream(np.uint64(4), 0, chance.WORLD)
    out, counts = np.zeros(8, np.int64), Counter()
    mask = np.int64(cards.mask_of([1, 4, 6, 9, 20]))
    for _ in range(comb(5, 2) * 200):
        assert unseen.scatter(stream, mask, out) == 5
        assert set(out[:5].tolist()) == {1, 4, 6, 9, 20}
        counts[frozenset(out[:2].tolist())] += 1
    assert len(counts) == 10 and chisquare(list(counts.values())).pvalue > 1e-3


@dataclass(frozen=True)
class Options:
    kind: str = options.choice("long", "short")
    stake: int = options.integer(2, low=1, high=9)
    open: bool = options.switch(False)
    scores: tuple = options.integers(3, 4, low=0, high=20)


PRESETS = {"plain": {}, "rich": {"stake": 9, "open": True}}


def test_options_are_a_preset_and_what_is_laid_over_it():
    made = options.make_options(Options, PRESETS, "rich", {"stake": np.int64(3), "scores": [5, 6]})
    assert made == Options("long", 3, True, (5, 6)) and type(made.stake) is int
    assert options.changes(Options, PRESETS, "rich", made) == {"stake": 3, "scores": (5, 6)}
    assert options.changes(Options, PRESETS, "rich", options.make_options(Options, PRESETS, "rich", {})) == {}


@pytest.mark.parametrize(
    ("preset", "given", "told"),
    [
        ("rih", {}, "rich"),
        ("plain", {"stakes": 1}, "stake"),
        ("plain", {"kind": "shrt"}, "short"),
        ("plain", {"stake": 10}, r"\[1, 9\]"),
        ("plain", {"stake": True}, "integer"),
        ("plain", {"stake": 2.0}, "integer"),
        ("plain", {"open": 1}, "True or False"),
        ("plain", {"scores": (1,)}, "2 integers"),
        ("plain", {"scores": "12"}, "2 integers"),
        ("plain", {"scores": (1, 21)}, r"\[0, 20\]"),
    ],
)
def test_a_wrong_option_is_told_what_would_be_right(preset, given, told):
    with pytest.raises(UnknownName, match=told):
        options.make_options(Options, PRESETS, preset, given)


def test_an_observation_is_seen_flat_and_by_name():
    dtype = np.dtype([("a", np.float32), ("b", np.float32, (2, 3)), ("c", np.float32, (4,))])
    segments = layout.layout_of(dtype)
    assert [(s.name, s.start, s.stop, s.shape) for s in segments] == [
        ("a", 0, 1, ()), ("b", 1, 7, (2, 3)), ("c", 7, 11, (4,)),
    ]  # fmt: skip
    flat = np.arange(22, dtype=np.float32).reshape(2, 11)
    named = layout.unflatten(flat, segments)
    assert named["a"].shape == (2,) and named["b"].shape == (2, 2, 3) and named["b"][1, 1, 2] == 17
    records = flat.view(dtype)[:, 0]
    assert all(np.array_equal(named[name], records[name]) for name in dtype.names)
    named["c"][:] = 0
    assert not flat[:, 7:].any(), "named segments are views"
    with pytest.raises(TypeError, match="b is int8"):
        layout.layout_of(np.dtype([("a", np.float32), ("b", np.int8)]))


def test_a_fingerprint_names_one_layout():
    one = layout.layout_of(np.dtype([("a", np.float32, (2,)), ("b", np.float32)]))
    two = layout.layout_of(np.dtype([("a", np.float32), ("b", np.float32, (2,))]))
    assert layout.fingerprint(one) == layout.fingerprint(tuple(one)) != layout.fingerprint(two)
    assert layout.fingerprint(["pass", "solo"]) != layout.fingerprint(["solo", "pass"])


def test_errors_name_the_nearest():
    assert "did you mean piquet?" in str(unknown("game", "picket", ["ombre", "piquet"]))
    assert "known: ombre, piquet" in str(unknown("game", "xyz", ["ombre", "piquet"]))


def test_errors_list_the_nearest_few_and_cut_what_was_given():
    many = [f"PLAY:{rank}{suit}" for rank in "AKQJT987" for suit in "SHDC"]
    told = str(unknown("action", "zzz", many))
    assert "of 32 the nearest: " in told and told.count("PLAY:") == 5
    for given in ("x" * 100_000, "é" * 5000, ["x"] * 5000):
        assert len(str(unknown("action", given, many))) < 200 and cut(given).endswith("...")
    assert cut("AS") == "'AS'" and cut(3) == "3"


def test_errors_survive_a_pickle():
    error = IllegalAction("row 3: no", 1, "QS", "must follow", ("KH", "QH"))
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(twin), twin.seat, twin.action, twin.reason, twin.legal) == (
            "row 3: no", 1, "QS", "must follow", ("KH", "QH"),
        )  # fmt: skip
    assert issubclass(IllegalAction, LomberError) and issubclass(LomberError, Exception)
