"""The pool of opponents: who sits where, that the learner's rows are those of the vector face, that selves stay frozen."""

import numpy as np
import pytest

from lomber.agents import registry
from lomber.agents.random import RandomAgent
from lomber.envs import LomberError, make_game
from lomber.envs.faces.opponents import Positions
from lomber.envs.faces.vector import TablesVectorEnv

pytest.importorskip("sb3_contrib")

import torch

from lomber.training import train as training
from lomber.training.pool import FrozenSelf, Pool, PoolVecEnv, shared_out
from lomber.training.recipe import load_recipe
from lomber.training.rollouts import SeatRolloutBuffer
from lomber.training.vec_env import SelfPlayVecEnv

N = 12


class Lowest:
    """The first legal action; asks for views, and may have no more than that."""

    name, seed, wants_view = "lowest", 0, True

    def __init__(self):
        self.asked = []

    def act(self, positions):
        self.asked.append(len(positions))
        assert not positions.view["deck"].any() and len(set(positions.key)) == len(positions)
        return positions.action_mask.argmax(axis=1)


def drawn(rng, masks):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def pool_env(game, shares, n=N, seed=5, **settings):
    return PoolVecEnv(game, n, Pool(game, shares, n, seed), seed, **settings)


def test_tables_are_shared_out():
    assert shared_out({"current": 0.6, "frozen": 0.2, "random": 0.2}, 512) == {"current": 307, "frozen": 103, "random": 102}
    assert shared_out({"current": 3, "random": 1, "frozen": 0}, 8) == {"current": 6, "random": 2}
    with pytest.raises(LomberError, match="'random' is less than one of 16 tables"):
        shared_out({"current": 1, "random": 0.01}, 16)
    with pytest.raises(LomberError, match="no share is above 0"):
        shared_out({"current": 0.0}, 16)


def test_all_weight_on_current_is_self_play():
    game = make_game("piquet")
    recipe = load_recipe("piquet", ["pool={current: 2, random: 0}", "tables=12"])
    assert type(training.build_env(recipe, game)) is SelfPlayVecEnv
    pooled, plain = pool_env(game, {"current": 1}), SelfPlayVecEnv(game, N, 5)
    assert np.array_equal(pooled.reset(), plain.reset())
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = drawn(rng, plain.action_masks())
        (one, paid, over, infos), (two, paid2, over2, infos2) = pooled.step(actions), plain.step(actions)
        assert np.array_equal(one, two) and np.array_equal(paid, paid2) and np.array_equal(over, over2)
        assert np.array_equal(pooled.reward, plain.reward) and np.array_equal(pooled.acted, plain.acted)
        assert [i.get("episode", {}).get("r") for i in infos] == [i.get("episode", {}).get("r") for i in infos2]


def agrees_with_the_vector_face(game, steps=150):
    """Do the learner's rows of a pool of `random` show and earn what Gymnasium's vector face does, over `steps`?"""
    env, face = pool_env(game, {"random": 1}), TablesVectorEnv(N, game, opponents=RandomAgent(5), seat="random")
    seen, infos = face.reset(seed=5)
    if not np.array_equal(env.reset(), seen):
        return False
    rng, ended = np.random.default_rng(2), 0
    for _ in range(steps):
        actions, learner = drawn(rng, infos["action_mask"]), infos["seat"]
        seen, wanted, over, _, infos = face.step(actions)
        got, paid, done, told = env.step(actions)
        same = (
            np.array_equal(got, seen) and np.array_equal(paid, wanted.astype(np.float32)) and np.array_equal(done, over)
            and np.array_equal(env.acted, learner) and np.array_equal(env.seat, infos["seat"])
        )  # fmt: skip
        if not same:
            return False
        for row in np.flatnonzero(over):
            assert np.array_equal(told[row]["terminal_observation"], infos["final_obs"][row])
        ended += over.sum()
    assert ended > 20
    return True


@pytest.mark.parametrize("name", ["piquet", "solo"])
def test_the_learners_rows_are_those_of_the_vector_face(toys, name):
    assert agrees_with_the_vector_face(make_game(name))


def test_planted_faults_are_seen(toys, monkeypatch):
    game = make_game("solo")
    play = PoolVecEnv._play_others

    def forgets(self):
        before = self._points.copy()
        play(self)
        self._points[:] = before

    def mixes(self):
        self._done[:] = 0
        play(self)

    def stays(self, rows):
        self._learner[self._opposed] = 0

    for name, planted in (("_play_others", forgets), ("_play_others", mixes), ("_seat_learner", stays)):
        with monkeypatch.context() as patched:
            patched.setattr(PoolVecEnv, name, planted)
            assert not agrees_with_the_vector_face(game), planted.__name__


def test_every_agent_is_asked_once_a_round_and_its_rows_are_no_samples(toys, monkeypatch):
    game, lowest = make_game("solo"), Lowest()
    monkeypatch.setitem(registry.BUILT_IN, "solo/lowest", lambda game, seed: lowest)
    env = pool_env(game, {"current": 1, "solo/lowest": 2})
    assert str(env.pool) == "4 current, 8 solo/lowest"
    env.reset()
    rng, rounds, seats = np.random.default_rng(3), [], set()
    for _ in range(40):
        lowest.asked.clear()
        before = env.seat[4:].copy()
        env.step(drawn(rng, env.action_masks()))
        rounds += lowest.asked
        assert np.array_equal(env.acted[4:], before), "what is stored is the learner's decision"
        seats |= set(env.acted[4:])
    assert max(rounds) > 2 and max(rounds) <= 8, "asked in batches, at its own tables only"
    assert seats == {0, 1, 2}


def test_a_step_counts_for_the_learner_alone(toys):
    """Every row is a sample but the last of seats at `current` tables that are not to move."""
    game, steps = make_game("solo"), 30
    env = pool_env(game, {"current": 1, "random": 1})
    buffer = SeatRolloutBuffer(steps, env.observation_space, env.action_space, "cpu", 1.0, 1.0, N, source=env)
    buffer.reset()
    seen, rng, zero = env.reset(), np.random.default_rng(4), torch.zeros(N)
    for _ in range(steps):
        masks = env.action_masks().copy()
        actions = drawn(rng, masks)
        following, paid, done, _ = env.step(actions)
        buffer.add(seen, actions.reshape(-1, 1), paid, done, zero, zero, action_masks=masks)
        seen = following
    buffer.compute_returns_and_advantage(zero, done)
    assert buffer.is_sample[:, 6:].all() and not buffer.is_sample[:, :6].all()


@pytest.fixture
def policy():
    recipe = load_recipe("piquet", ["tables=12", "steps=8", "net=[16, 8]"])
    torch.manual_seed(3)
    return training.build_model(recipe, SelfPlayVecEnv(make_game("piquet"), 12)).policy


def positions_of(game, n=200, seed=1):
    env = SelfPlayVecEnv(game, n, seed)
    env.reset()
    rng = np.random.default_rng(seed)
    for _ in range(9):
        env.step(drawn(rng, env.action_masks()))
    keys = rng.integers(0, 2**64, n, dtype=np.uint64)
    return Positions(env.observation(), env.action_masks().copy(), env.seat.copy(), keys)


def test_a_frozen_self_samples_as_the_policy_does(policy):
    positions, frozen = positions_of(make_game("piquet")), FrozenSelf.of(policy)
    with torch.no_grad():
        true = policy.get_distribution(torch.as_tensor(positions.observation), positions.action_mask).distribution.probs
    assert np.allclose(frozen.probabilities(positions), true.numpy(), atol=1e-6)
    assert np.array_equal(frozen.act(positions), np.concatenate([frozen.act(part(positions, i)) for i in range(200)]))
    row = part(positions, int(positions.action_mask.sum(axis=1).argmax()))
    n, keys = 20_000, np.random.default_rng(5).integers(0, 2**64, 20_000, dtype=np.uint64)
    many = Positions(*(np.repeat(x, n, axis=0) for x in (row.observation, row.action_mask, row.seat)), keys)
    counts = np.bincount(frozen.act(many), minlength=row.action_mask.shape[1])
    assert np.abs(counts / n - frozen.probabilities(row)[0]).max() < 0.015


def part(positions, i):
    return Positions(*(x[i : i + 1] for x in (positions.observation, positions.action_mask, positions.seat, positions.key)))


def test_snapshots_stay_as_they_were_and_the_last_are_kept(policy):
    game = make_game("piquet")
    pool = Pool(game, {"frozen": 1}, N, seed=1, most=3)
    with pytest.raises(LomberError, match="call freeze first"):
        PoolVecEnv(game, N, pool).reset()
    pool.freeze(policy, 0)
    before = [tensor.clone() for tensor in pool.frozen[0].layers]
    with torch.no_grad():
        for tensor in policy.parameters():
            tensor += 1
    assert all(torch.equal(one, two) for one, two in zip(before, pool.frozen[0].layers, strict=True))
    for at in (10, 10, 20, 30):
        pool.freeze(policy, at)
    assert [one.at for one in pool.frozen] == [10, 20, 30]
    ids = np.arange(3000)
    played = {agent.at: some for agent, some in pool._split("frozen", ids)}
    assert sorted(np.concatenate(list(played.values()))) == ids.tolist()
    assert all(900 < len(some) < 1100 for some in played.values())


def test_an_unknown_opponent_is_named():
    with pytest.raises(LomberError, match="did you mean random"):
        Pool(make_game("piquet"), {"current": 1, "randm": 1}, N)
