"""Tables: ids, rows, autoreset, refusals that leave everything as it was, and copies."""

import pickle
from dataclasses import replace

import faults
import numpy as np
import pytest

import lomber.envs
from lomber.envs import IllegalAction, LomberError, Tables
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.state import DEAL_ENDED, NONE, OVER, RUNNING
from lomber.envs.engine.tables import random_actions

ARRAYS = ("observation", "action_mask", "seat", "acted", "reward", "done", "dealt", "id", "final", "states")


@pytest.fixture
def deals(toys):
    """Solo, one deal an episode."""
    return lomber.envs.make_game("solo")


def everything(tables):
    """All bytes of tables, and of what they show."""
    return pickle.dumps(tables.__getstate__()), [getattr(tables, name).tobytes() for name in ARRAYS]


def first_legal(tables):
    return tables.action_mask.argmax(1)


def started(game, n=4, **options):
    tables = Tables(game, n, **options)
    tables.reset()
    return tables


def test_what_is_shown_is_of_n_rows_and_read_only(solo):
    tables = started(solo, 5)
    shapes = {name: (getattr(tables, name).shape, getattr(tables, name).dtype) for name in ARRAYS}
    assert shapes["observation"] == ((5, solo.observation_size), np.float32)
    assert shapes["action_mask"] == ((5, 29), np.int8) and shapes["reward"] == ((5, 3), np.float32)
    assert shapes["seat"] == shapes["id"] == shapes["acted"] == shapes["dealt"] == ((5,), np.int64)
    assert shapes["states"] == shapes["final"] == ((5,), solo.state_dtype) and shapes["done"] == ((5,), np.int8)
    for name in ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(tables, name)[0] = getattr(tables, name)[1]


def test_the_arrays_stay_the_same_objects(solo):
    tables = started(solo)
    before = [getattr(tables, name) for name in ARRAYS]
    tables.step(first_legal(tables))
    tables.reset()
    assert all(getattr(tables, name) is array for name, array in zip(ARRAYS, before, strict=True))


def test_ids_go_on_by_n_or_are_given(solo):
    tables = started(solo)
    assert tables.id.tolist() == [0, 1, 2, 3]
    tables.reset()
    assert tables.id.tolist() == [4, 5, 6, 7]
    tables.reset(rows=[2, 0], ids=[100, 7])
    assert tables.id.tolist() == [7, 5, 100, 7] and tables.states[0].tobytes() == tables.states[3].tobytes()
    tables.reset(rows=[1])
    assert tables.id.tolist() == [7, 9, 100, 7]
    assert tables.states.tobytes() == solo.begin(0, tables.id).tobytes()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rows": [0, 0]}, "distinct"), ({"rows": [4]}, "distinct"), ({"rows": [-1]}, "distinct"), ({"rows": 1}, "1-D"),
        ({"rows": [0.0]}, "integers"), ({"ids": [1, 2]}, "shape"), ({"ids": [1, 2, 3, -1]}, "from 0"),
        ({"ids": [0.5] * 4}, "integers"),
    ],
)  # fmt: skip
def test_a_wrong_reset_changes_nothing(solo, given, told):
    tables = started(solo)
    before = everything(tables)
    with pytest.raises(LomberError, match=told):
        tables.reset(**given)
    assert everything(tables) == before


def test_tables_begin_with_a_reset_of_all(solo):
    tables = Tables(solo, 4)
    with pytest.raises(LomberError, match="call reset"):
        tables.step([0] * 4)
    with pytest.raises(LomberError, match="first reset is of all"):
        tables.reset(rows=[1])
    for n in (0, -1, 1.5, True, None):
        with pytest.raises(LomberError, match="an integer from 1"):
            Tables(solo, n)


def _refusals(tables):
    """(actions, rows, what is told) that a step refuses; row 3 is finished."""
    good = first_legal(tables).tolist()
    return [
        ([good[0], good[1], 28], [0, 1, 2], "row 2: seat .* cannot play QC in solo_v0"),
        ([28, good[1]], [2, 1], "row 2: seat"),
        (good, None, "row 3 is finished"),
        ([good[0], 99], [0, 1], "row 1: there is no action 99"),
        ([good[0], -1], [0, 1], "row 1: there is no action -1"),
        ([good[0], good[1], good[0]], [0, 1, 0], "row 0 is not, nothing was played"),
        ([good[0], good[1]], [0, 4], "row 4 is not"),
        ([good[0], good[1]], [0, -1], "row -1 is not"),
        (good[:3], None, "shape"),
        ([good[:2]], [0], "shape"),
        ([0.5], [0], "integers"),
        ([good[0]], [0.0], "integers"),
        (["pass"], [0], "integers"),
    ]


def test_a_refused_step_leaves_everything_as_it_was(deals):
    tables = started(deals, autoreset=False)
    for _ in range(3):
        tables.step([0], rows=[3])
    assert tables.seat[3] == NONE
    for actions, rows, told in _refusals(tables):
        before = everything(tables)
        with pytest.raises(LomberError, match=told):
            tables.step(actions, rows)
        assert everything(tables) == before, told
    with pytest.raises(IllegalAction) as caught:
        tables.step([28], rows=[1])
    assert caught.value.seat == tables.seat[1] and caught.value.action == "QC" and "pass" in caught.value.legal
    tables.step(first_legal(tables)[:3], rows=[0, 1, 2])


def test_rows_that_do_not_move_stay_and_earn_nothing(deals):
    tables = started(deals, autoreset=False)
    for _ in range(3):
        tables.step([0, 0], rows=[3, 1])
    before = [getattr(tables, name)[[0, 1, 3]].tobytes() for name in ("states", "observation", "action_mask", "seat", "final")]
    seat = tables.seat[2]
    tables.step([1], rows=[2])
    assert [
        getattr(tables, name)[[0, 1, 3]].tobytes() for name in ("states", "observation", "action_mask", "seat", "final")
    ] == before
    assert tables.acted.tolist() == [NONE, NONE, seat, NONE] and not tables.reward.any() and not tables.dealt.any()
    assert tables.done.tolist() == [0, 1, 0, 1], "without autoreset done holds until reset"
    tables.step([], rows=[])
    assert (tables.acted == NONE).all()
    tables.reset(rows=[3])
    assert tables.done.tolist() == [0, 1, 0, 0] and tables.id[3] == 7


def test_what_is_earned_is_paid_when_a_deal_ends(solo):
    tables, total = started(solo, 6, autoreset=False), np.zeros((6, 3))
    ended = np.zeros(6, int)
    while (rows := np.flatnonzero(tables.seat >= 0)).size:
        tables.step(tables.action_mask[rows].argmax(1), rows)
        ended += tables.dealt
        assert not tables.reward[tables.dealt == 0].any()
        total += tables.reward
        for row in np.flatnonzero(tables.dealt):
            assert tables.final[row]["stage"] == (OVER if tables.done[row] else DEAL_ENDED)
            assert tables.final[row]["deal"] == ended[row] - 1
            assert (solo.points(tables.final[row : row + 1])[0] == total[row]).all()
    assert (ended == 2).all() and tables.done.all() and not tables.action_mask.any()


def test_under_autoreset_a_row_goes_on(deals):
    tables = started(deals, 3)
    for _ in range(2):
        tables.step([0, 1, 0])
        assert not tables.done.any()
        tables.step([0, tables.action_mask[1].argmax(), 0])
        tables.step([0, tables.action_mask[1].argmax(), 0])
        assert tables.done.tolist() == [1, 0, 1] and (tables.seat >= 0).all()
        break
    assert tables.id.tolist() == [3, 1, 5]
    assert tables.states[[0, 2]].tobytes() == deals.begin(0, [3, 5]).tobytes()
    assert (tables.final[[0, 2]]["stage"] == OVER).all() and tables.final[0]["bids"].tolist() == [0, 0, 0]
    tables.step([0], rows=[0])
    assert not tables.done.any(), "under autoreset done is of this call"


def test_a_state_is_loaded(solo):
    source = started(solo, 8, seed=5)
    while not (source.states["deal"] == 1).any():
        source.step(first_legal(source))
    tables = Tables(solo, 3, autoreset=False)
    states = source.states.copy()
    row = int(states["deal"].argmax())
    tables.load(1, states[row])
    tables.load(2, states[row : row + 1])
    assert (
        tables.id.tolist() == [0, 1, 2] and tables.states[1].tobytes() == tables.states[2].tobytes() == states[row].tobytes()
    )
    assert tables.seat[1] == states[row]["seat"] and tables.observation[1].tobytes() == source.observation[row].tobytes()
    before, total = solo.points(states[row : row + 1])[0], np.zeros(3)
    while tables.seat[1] >= 0:
        tables.step([tables.action_mask[1].argmax()], rows=[1])
        total += tables.reward[1]
    assert (total == solo.points(tables.final[1:2])[0] - before).all(), "earlier points are not paid again"
    tables.load(0, tables.final[1])
    assert tables.seat[0] == NONE and tables.done[0] and not tables.action_mask[0].any()
    for wrong, told in (((3, states[0]), "no row 3"), ((0, states[:2]), "one record"), ((0, np.zeros(1)), "one record")):
        with pytest.raises(LomberError, match=told):
            tables.load(*wrong)


def test_views_are_those_of_the_seats_to_act(solo):
    tables = started(solo)
    tables.step([1, 0, 1, 0])
    assert tables.views().tobytes() == solo.hide(tables.states.copy(), tables.seat).tobytes()
    assert tables.views(rows=[2]).tobytes() == tables.views()[2:3].tobytes()
    seen = solo.observe(tables.views(), tables.seat)
    assert seen.tobytes() == tables.observation.tobytes()


def test_what_any_seat_sees_is_its_own_view(solo):
    tables = started(solo)
    rows, seats = [3, 0, 3], [0, 1, 2]
    seen = solo.observe(solo.hide(tables.states[rows].copy(), seats), seats)
    assert tables.seen(seats, rows).tobytes() == seen.tobytes()
    assert tables.seen(tables.seat).tobytes() == tables.observation.tobytes()
    for seat, row in ((3, 0), (-1, 0), (0, 4), (0, -1)):
        with pytest.raises(LomberError, match=f"no seat {seat} at row {row} of 4"):
            tables.seen([0, seat], [0, row])


def test_random_actions_are_legal_and_each_row_has_its_own(solo):
    tables = started(solo, 300)
    keys, actions = np.arange(300, dtype=np.uint64), np.zeros(300, np.int64)
    random_actions(tables.action_mask, keys, actions)
    assert tables.action_mask[np.arange(300), actions].all() and set(actions.tolist()) == set(range(5))
    again = np.zeros(1, np.int64)
    random_actions(tables.action_mask[200:201], keys[200:201], again)
    assert again[0] == actions[200]
    random_actions(np.zeros((1, 29), np.int8), keys[:1], again)
    assert again[0] == -1


def test_any_play_under_autoreset_stays_in_step_with_itself(solo):
    """Two tables, one stepped row by row: the same bytes."""
    one, two = started(solo), started(solo)
    for number in range(60):
        actions = np.zeros(4, np.int64)
        random_actions(one.action_mask, np.arange(4, dtype=np.uint64) + np.uint64(100 * number), actions)
        one.step(actions)
        done = np.zeros(4, np.int8)
        for row in (2, 0, 3, 1):
            two.step(actions[row : row + 1], rows=[row])
            done[row] = two.done[row]
        for name in ("states", "observation", "action_mask", "seat", "id"):
            assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
        assert (done == one.done).all()


def without_decisions(spec):
    """A deal whose first card is in hearts is over at once, at a point for each of the others."""

    def deal(real, rules, state):
        real(rules, state)
        if state["deck"][0] // 3 == 1:
            state["match"]["points"][:] += np.array([2, -1, -1], np.int32)
            state["stage"] = DEAL_ENDED if state["deal"] + 1 < rules["deals"] else OVER
            state["seat"] = NONE

    return faults.instead(replace(spec, name="solo"), "deal", deal)


@pytest.mark.parametrize("episode", ["deal", "partie"])
def test_episodes_without_a_decision_are_passed_over(toys, monkeypatch, episode):
    game = faults.plant(monkeypatch, "solo", without_decisions, episode=episode)
    tables, paid, ended = started(game, 8), np.zeros(8), 0
    for _ in range(80):
        assert (tables.states["stage"] == RUNNING).all() and (tables.action_mask.sum(1) > 1).all()
        tables.step(first_legal(tables))
        paid += tables.reward.sum(1)
        ended += int((tables.dealt > 1).sum())
        assert (tables.id % 8 == np.arange(8)).all()
    assert ended > 0 and not paid.any()
    bare = Tables(game, 40, autoreset=False)
    bare.reset()
    finished = np.flatnonzero(bare.seat < 0)
    assert finished.size and bare.done[finished].all() and (bare.reward[finished] != 0).all() and bare.dealt[finished].all()
    with pytest.raises(LomberError, match="is finished"):
        bare.step([0], rows=finished[:1])


@pytest.mark.skipif(not COMPILED, reason="counts compiled versions")
def test_every_call_runs_the_same_machine_code(solo):
    """Presets, options, seeds and batch sizes compile nothing new."""
    tables = started(solo)
    tables.step(first_legal(tables))
    loops = solo.loops
    assert len(loops.reset_rows.signatures) == len(loops.step_rows.signatures) == 1
    other = started(lomber.envs.make_game("solo", "high", stake=3), 2, seed=2**70)
    other.step(list(first_legal(other)))
    other.step(first_legal(other)[::-1].astype(np.int8), rows=np.array([1, 0], np.uint8))
    other.reset(rows=other.seat[:0], ids=other.id[:0])
    for states in (tables.states, tables.states[::2], tables.states[::-1].copy()):
        solo.legal(states), solo.points(states), solo.observe(states, 0), solo.hide(states, tables.seat[: len(states)])
    solo.begin(0, tables.id)
    for name in ("legal_rows", "points_rows", "observe_rows", "hide_rows"):
        assert len(getattr(loops, name).signatures) == 1, name
    assert other.game.loops is loops and len(loops.step_rows.signatures) == len(loops.reset_rows.signatures) == 1
