"""The per-seat rollout buffer against a slow one in plain Python, and the VecEnv whose steps fill it."""

from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium import spaces

from lomber.envs import make_game

pytest.importorskip("sb3_contrib")

from lomber.training.rollouts import SeatRolloutBuffer, seat_advantages
from lomber.training.vec_env import SelfPlayVecEnv

GAMMA, LAMBDA = 0.9, 0.8


def slow(acted, reward, done, values, to_act, last_values):
    """Advantages and samples of one table, seat by seat and forward: a second opinion."""
    steps, seats = reward.shape
    advantages, sample = np.zeros(steps), np.zeros(steps, int)
    episode = np.concatenate([[0], np.cumsum(done)[:-1]]).astype(int)
    for seat in range(seats):
        for number in range(episode[-1] + 1):
            rows = [t for t in range(steps) if episode[t] == number and acted[t] == seat]
            end = max(t for t in range(steps) if episode[t] == number)
            finished = bool(done[end])
            deltas, kept = [], []
            for k, t in enumerate(rows):
                last = k + 1 == len(rows)
                until = end + 1 if last else rows[k + 1]
                earned = sum(reward[u, seat] for u in range(t, until))
                if not last:
                    following = GAMMA * values[rows[k + 1]]
                elif finished:
                    following = 0.0
                elif seat == to_act:
                    following = GAMMA * last_values
                else:
                    continue  # no sample, only the bootstrap of the row before
                deltas.append(earned + following - values[t])
                kept.append(t)
            for k, t in enumerate(kept):
                sample[t] = 1
                advantages[t] = sum((GAMMA * LAMBDA) ** j * delta for j, delta in enumerate(deltas[k:]))
    return advantages, sample


def rollout(rng, seats, steps, tables):
    acted = rng.integers(0, seats, (steps, tables))
    if seats > 2:
        acted[acted == seats - 1] = 0  # a seat without any row
    reward = rng.normal(size=(steps, tables, seats)).astype(np.float32)
    done = (rng.random((steps, tables)) < 0.15).astype(np.int8)
    values = rng.normal(size=(steps, tables)).astype(np.float32)
    to_act = rng.integers(0, seats, tables)
    return acted, reward, done, values, to_act, rng.normal(size=tables).astype(np.float32)


def fast(acted, reward, done, values, to_act, last_values):
    advantages, sample = np.zeros(values.shape, np.float32), np.zeros(values.shape, np.int8)
    seat_advantages(acted, reward, done, values, to_act, last_values, GAMMA, LAMBDA, advantages, sample)
    return advantages, sample


def agrees(given, planted=None):
    acted, reward, done, values, to_act, last = given
    advantages, sample = fast(*(planted or given))
    for i in range(acted.shape[1]):
        wanted, kept = slow(acted[:, i], reward[:, i], done[:, i], values[:, i], to_act[i], last[i])
        if not (np.array_equal(kept, sample[:, i]) and np.allclose(wanted[kept == 1], advantages[kept == 1, i], atol=1e-4)):
            return False
    return True


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_advantages_are_those_of_the_slow_buffer(seats):
    assert agrees(rollout(np.random.default_rng(seats), seats, steps=40, tables=12))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_edges_of_a_rollout(seats):
    """Only one seat has rows; the seat to act has none in this deal; a deal ends with the rollout; a deal of one row."""
    rng = np.random.default_rng(10 + seats)
    acted, reward, done, values, to_act, last = rollout(rng, seats, steps=12, tables=5)
    acted[:, 0] = seats - 1
    to_act[0] = 0
    acted[6:, 1], done[5:, 1], to_act[1] = 0, 0, 1  # seat 1 is to act and has no row since the deal began
    done[5, 1] = 1
    done[-1, 2] = 1
    done[3:6, 3] = 1
    acted[-1, 4], to_act[4], done[-4:, 4] = 0, 0, 0
    given = acted, reward, done, values, to_act, last
    assert agrees(given)
    _, sample = fast(*given)
    assert not sample[-1, 0] and not sample[-1, 1] and sample[-1, 2] and sample[3:6, 3].all() and sample[-1, 4]
    late = np.where(np.arange(12)[:, None] < 11, done, 0).astype(np.int8)
    assert not agrees(given, (acted, reward, late, values, to_act, last)), "an end that comes with the rollout's is lost"


def test_rollouts_hold_what_is_to_be_tested():
    for seats in (2, 3, 4, 5):
        acted, _, done, *_ = rollout(np.random.default_rng(seats), seats, steps=40, tables=12)
        assert (done.sum(axis=0) >= 2).all(), "several deals at every table"
        assert len(np.unique(acted)) == max(2, seats - 1), "of three seats and more, one has no row"
        assert (np.diff(acted, axis=0) == 0).any(), "a seat moves twice running"


def test_planted_faults_are_seen():
    given = rollout(np.random.default_rng(7), 3, steps=40, tables=12)
    acted, reward, done, values, to_act, last = given
    assert not agrees(given, (acted, np.roll(reward, 1, axis=2), done, values, to_act, last)), "another seat's reward"
    assert not agrees(given, (np.roll(acted, 1, axis=0), reward, done, values, to_act, last)), "the next mover's row"
    assert not agrees(given, (acted, reward, done, values, (to_act + 1) % 3, last)), "a bootstrap across seats"
    assert not agrees(given, (acted, reward, np.zeros_like(done), values, to_act, last)), "a bootstrap across episodes"


@pytest.fixture
def env():
    return SelfPlayVecEnv(make_game("piquet"), 16, seed=3, scale=10.0)


def play(env, rng, steps):
    """Random play; yields what each step was given and gave."""
    observation = env.reset()
    for _ in range(steps):
        mask, seat = env.env_method("action_masks")[0].copy(), env.seat.copy()
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        following, reward, done, infos = env.step(actions)
        yield observation, mask, seat, actions, reward, done, infos
        observation = following


def test_every_step_shows_the_seat_to_act_and_credits_who_acted(env):
    game, rng = env.tables.game, np.random.default_rng(1)
    paid = np.zeros((16, 2))
    for observation, mask, seat, _, reward, done, infos in play(env, rng, 120):
        assert observation.dtype == np.float32 and mask.any(axis=1).all()
        assert (env.acted == seat).all()
        assert np.array_equal(reward, env.reward[np.arange(16), seat])
        paid += env.reward * 10
        for row in np.flatnonzero(done):
            assert np.array_equal(paid[row], game.points(env.tables.final[row : row + 1])[0])
            assert infos[row]["terminal_observation"].shape == (game.observation_size,)
            assert infos[row]["TimeLimit.truncated"] is False
            paid[row] = 0
        assert all(not infos[row] for row in np.flatnonzero(~done))
        assert np.array_equal(game.legal(env.tables.states), env.action_masks())


def test_observations_are_the_callers_own(env):
    first = env.reset()
    kept = first.copy()
    env.step(np.array([np.flatnonzero(row)[0] for row in env.action_masks()]))
    assert np.array_equal(first, kept)


def test_the_buffer_gives_each_seat_what_it_earned(env):
    """Returns of a whole deal without discount are the points of the seat, whoever ended the deal."""
    import torch

    steps, rng = 150, np.random.default_rng(2)
    buffer = SeatRolloutBuffer(
        steps, env.observation_space, env.action_space, "cpu", 1.0, 1.0, 16, source=env, shuffle_seed=1
    )  # fmt: skip
    buffer.reset()
    finals = []
    zero = torch.zeros(16)
    for observation, mask, _, actions, reward, done, _ in play(env, rng, steps):
        buffer.add(observation, actions.reshape(-1, 1), reward, done, zero, zero, action_masks=mask)
        finals.append([env.tables.game.points(env.tables.final[i : i + 1])[0] if done[i] else None for i in range(16)])
    buffer.compute_returns_and_advantage(zero, np.zeros(16, bool))
    checked = 0
    for i in range(16):
        end = None
        for t in range(steps - 1, -1, -1):
            end = finals[t][i] if finals[t][i] is not None else end
            if end is not None:
                assert buffer.is_sample[t, i] == 1
                assert buffer.advantages[t, i] * 10 == pytest.approx(end[buffer.acted[t, i]], abs=1e-3)
                checked += 1
    assert checked > 500
    got = sum(len(batch.observations) for batch in buffer.get(64))
    assert got == buffer.is_sample.sum() < steps * 16


def test_real_rollouts_of_three_seats_with_points_within_an_episode(toys):
    """Parties of solo: points come when a deal ends, the episode goes on, and the next mover is anybody."""
    env, rng, steps = SelfPlayVecEnv(make_game("solo", "high", episode="partie"), 16, seed=4), np.random.default_rng(6), 80
    rows = [(env.acted.copy(), env.reward, env.done.copy()) for _ in play(env, rng, steps)]
    acted, reward, done = (np.array(column) for column in zip(*rows, strict=True))
    values = rng.normal(size=(steps, 16)).astype(np.float32)
    given = acted, reward, done, values, env.seat.copy(), rng.normal(size=16).astype(np.float32)
    assert agrees(given)
    earned = reward.any(axis=2)
    assert (earned & (done == 0)).any() and (done.sum(axis=0) >= 2).all() and set(acted.flat) == {0, 1, 2}
    own = np.take_along_axis(reward, acted[:, :, None], 2) * np.eye(3, dtype=np.float32)[acted]
    assert not agrees(given, (acted, own, *given[2:])), "what a seat earns by others' moves is lost"


class Planted:
    """A source for the buffer that gives what it is told: rows of a synthetic rollout of `seats` seats."""

    def __init__(self, seats):
        self.tables = SimpleNamespace(game=SimpleNamespace(seats=seats))


def synthetic(given, steps, tables, seats, seed=0):
    """A full buffer; its observations are the flat numbers of their rows, so that samples can be told apart."""
    import torch

    acted, reward, done, values, to_act, last = given
    source = Planted(seats)
    box, actions = spaces.Box(-np.inf, np.inf, (1,), np.float32), spaces.Discrete(3)
    buffer = SeatRolloutBuffer(
        steps, box, actions, "cpu", gamma=GAMMA, gae_lambda=LAMBDA, n_envs=tables, source=source, shuffle_seed=seed
    )
    buffer.reset()
    for t in range(steps):
        source.acted, source.reward, source.done, source.seat = acted[t], reward[t], done[t], to_act
        own = reward[t][np.arange(tables), acted[t]]
        number = (t * tables + np.arange(tables, dtype=np.float32)).reshape(-1, 1)
        value = torch.as_tensor(values[t])
        mask = np.ones((tables, 3), np.int8)
        buffer.add(number, np.zeros((tables, 1)), own, np.zeros(tables), value, torch.zeros(tables), action_masks=mask)
    buffer.compute_returns_and_advantage(torch.as_tensor(last), np.zeros(tables, bool))
    return buffer


@pytest.mark.parametrize("seats", [2, 5])
def test_samples_are_those_of_the_slow_buffer_each_once(seats):
    steps, tables = 30, 8
    given = rollout(np.random.default_rng(seats), seats, steps, tables)
    acted, reward, done, values, to_act, last = given
    wanted = {}
    for i in range(tables):
        advantages, kept = slow(acted[:, i], reward[:, i], done[:, i], values[:, i], to_act[i], last[i])
        wanted |= {t * tables + i: (advantages[t], advantages[t] + values[t, i]) for t in np.flatnonzero(kept)}
    assert 0 < len(wanted) < steps * tables
    buffer = synthetic(given, steps, tables, seats)
    for _ in range(2):  # two epochs: in another order, the same samples
        numbers, pairs = [], []
        for batch in buffer.get(17):
            numbers += batch.observations.flatten().int().tolist()
            pairs += zip(batch.advantages.tolist(), batch.returns.tolist(), strict=True)
        assert len(numbers) == len(set(numbers)) and set(numbers) == set(wanted)
        assert np.allclose([wanted[number] for number in numbers], pairs, atol=1e-4)


def test_no_batch_is_a_left_over_row():
    """Stock PPO divides by the deviation of a batch: of a single row that is nan, and the network with it."""
    given = rollout(np.random.default_rng(3), 2, 30, 8)
    buffer = synthetic(given, 30, 8, 2)
    samples = int(buffer.is_sample.sum())
    sizes = [len(batch.observations) for batch in buffer.get(samples - 1)]
    assert sum(sizes) == samples and min(sizes) >= samples // 2
    assert [len(batch.observations) for batch in buffer.get(None)] == [samples]


def test_the_order_of_samples_is_the_generators_own():
    given = rollout(np.random.default_rng(5), 2, 20, 4)

    def order(seed):
        np.random.seed(seed)  # noqa: NPY002 - the global generator must not matter
        return [n for b in synthetic(given, 20, 4, 2, seed=1).get(16) for n in b.observations.flatten().tolist()]

    assert order(1) == order(2)
    other = [n for b in synthetic(given, 20, 4, 2, seed=2).get(16) for n in b.observations.flatten().tolist()]
    assert sorted(other) == sorted(order(1)) and other != order(1)


def test_masks_in_the_buffer_are_those_the_action_was_chosen_under(env):
    """The tables' mask is overwritten by the step, SB3 adds the row after it."""
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    assert is_masking_supported(env)
    env.reset()
    before = get_action_masks(env).reshape(16, -1)
    kept = before.copy()
    env.step(np.array([np.flatnonzero(row)[0] for row in kept]))
    assert np.array_equal(before, kept) and not np.array_equal(before, env.action_masks())


def test_quiet_steps_share_one_list_of_infos(env):
    quiet = [infos for *_, done, infos in play(env, np.random.default_rng(8), 12) if not done.any()]
    assert len(quiet) == 12 and all(infos is quiet[0] for infos in quiet)
