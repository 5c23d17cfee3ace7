"""The benchmark runs and gives every row; how fast anything is, is no matter of a test."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import lomber.envs
from lomber.training import benchmark, peers, yardstick

TINY = 1e-4  # CPU seconds of a repeat: each run is called once or twice
NAMES = [
    "compiled loop", "compiled loop, observation and mask", "Tables 1", "Tables 64", "AEC raw_env()", "AEC env()",
    "Gymnasium single", "Gymnasium vector 1024", "start-up, filled cache", "start-up, empty cache",
]  # fmt: skip


@pytest.fixture
def small(toys, monkeypatch):
    """Two repeats, batches of at most 64."""
    monkeypatch.setattr(benchmark, "REPEATS", 2)
    monkeypatch.setattr(benchmark, "BATCHES", (1, 64))


@pytest.fixture
def starts(monkeypatch):
    """Start-ups are only noted: (code, whether into an empty cache)."""
    noted = []

    def start_seconds(code, cache=None):
        noted.append((code, cache is not None and not os.listdir(cache)))
        return 0.5

    monkeypatch.setattr(benchmark, "start_seconds", start_seconds)
    return noted


@pytest.mark.jit
def test_every_row_is_measured_beside_the_yardstick(small, starts, capsys):
    assert benchmark.run(["solo"], TINY, peers=False, peer_python=None, json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["machine"]) == ["date", "cpu", "python", "versions", "load at the start", "load at the end"]
    assert [row["row"] for row in told["rows"]] == NAMES
    for row in told["rows"]:
        assert (row["game"], row["against"], row["note"]) == ("solo", "yardstick", "")
        assert row["value"] > 0 and row["yardstick"] > 0 and row["ratio"] > 0
    assert [cold for _, cold in starts] == [False] * 6 + [True] * 2  # two to fill the cache, two pairs; one pair


@pytest.mark.jit
def test_peers_stand_beside_our_nearest_rows(small, starts, monkeypatch, capsys):
    def measure_peer(python, peer, seconds, repeats):
        assert python == "another python"
        if peer != "rlcard":
            return [{"peer": peer, "note": "not installed"}]
        return [{"peer": peer, "version": "1", "game": "leduc-holdem", "mode": "reset and step", "values": [2.0, 4.0]}]

    monkeypatch.setattr(benchmark, "measure_peer", measure_peer)
    assert benchmark.run(["solo"], TINY, peers=True, peer_python="another python", json=True) == 0
    rows = json.loads(capsys.readouterr().out)["rows"][len(NAMES) :]
    told = [row["against"] for row in rows]
    assert told == ["open-spiel", "rlcard 1 leduc-holdem, reset and step", "pettingzoo", "pgx"]
    assert rows[0]["note"] == "not installed" and rows[0]["value"] is None
    assert (rows[1]["row"], rows[1]["yardstick"]) == ("Tables 1", 3.0) and rows[1]["ratio"] > 0


def test_the_tables_in_words_name_all_rows(capsys):
    rows = [
        benchmark.Row("solo", "compiled loop", 3.14e6, 0.05, 35.2e6, 0.02, 0.0892, 0.4),
        benchmark.Row("solo", "start-up, filled cache", 0.61, 0.05, 0.5, 0.02, 1.22, 1.0),
        benchmark.Row("solo", "AEC env()", note="not built (no faces)"),
        benchmark.Row("solo", "Tables 1024", 2e6, 0.1, 1e5, 0.1, 20.0, 15.0, against="pgx 2 bridge_bidding"),
        benchmark.Row("", "", against="rlcard", note="not installed"),
    ]
    benchmark.show({"cpu": "a machine"}, rows)
    told = capsys.readouterr().out
    for words in (
        "cpu: a machine",
        "3.14M",
        "35.2M",
        "0.09",
        "0.61 s",
        "not built",
        "20.00",
        "pgx 2",
        "rlcard: not installed",
    ):
        assert words in told
    assert all(len(line) <= benchmark.WIDTH for line in told.splitlines())


def test_a_peer_that_is_missing_or_has_no_python_is_a_note(tmp_path):
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')  # without site-packages: no peers
    bare.chmod(0o755)
    (row,) = peers.measure_peer(str(bare), "rlcard", TINY, 1)
    assert row["peer"] == "rlcard" and row["note"].startswith("not installed")
    (row,) = peers.measure_peer(str(tmp_path / "none"), "rlcard", TINY, 1)
    assert row["note"] == "failed: FileNotFoundError"


def test_every_nearest_row_exists():
    known = {*NAMES, *(benchmark.batch_row(n) for n in benchmark.BATCHES)}
    assert {name for *_, name, _ in benchmark.NEAREST} <= known
    assert {name for aims in benchmark.AIMS.values() for name in aims} <= known
    assert {peer for peer, *_ in benchmark.NEAREST} == set(peers.PEERS) == set(peers.JOBS)


@pytest.mark.jit
@pytest.mark.long
def test_start_ups_in_processes_of_their_own(toys, monkeypatch):
    monkeypatch.setattr(benchmark, "REPEATS", 1)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    for cold in (False, True):
        (ours,), (theirs,) = benchmark.measure_starts(lomber.envs.make_game("solo"), cold)
        assert ours > 0 and theirs > 0


def test_the_yardstick_plays_whist():
    whist = yardstick.Whist(53, 300)
    assert whist.observation.shape == (53, 300)
    whist.begin()
    ended = 0
    for _ in range(60):
        held = whist.states["hand"].copy()
        hands = np.array([[int(cards).bit_count() for cards in row] for row in held]).sum(axis=1)
        laid = whist.states["laid"].copy()
        for row in range(whist.n):
            state, seat = whist.states[row], whist.seat[row]
            own = [card for card in range(52) if held[row, seat] >> card & 1]
            if state["laid"]:
                led = state["table"][state["leader"]] // 13
                own = [card for card in own if card // 13 == led] or own
            assert np.flatnonzero(whist.mask[row]).tolist() == own
        whist.step()
        over = whist.done == 1
        ended += int(over.sum())
        assert (hands[over] == 1).all() and (hands[~over] > 1).all() and (laid[over] == 3).all()
        assert (whist.reward[over].sum(axis=1) == 0).all() and (np.abs(whist.reward[over]) % 2 == 1).all()
        assert not whist.reward[~over].any()
    assert ended >= whist.n
    assert whist.play(2, True) == 104 and whist.play(1, False) == 52
