"""Gymnasium's vector face: the same episodes as the single one, table by table."""

import gymnasium
import numpy as np
import pytest
from conftest import TOYS, episodes
from gymnasium.vector import AutoresetMode
from test_faces_single import pick

import lomber.envs
from lomber.envs import IllegalAction, LomberError
from lomber.envs.engine.jit import COMPILED
from lomber.envs.faces.single import SingleEnv
from lomber.envs.faces.spaces import ILLEGAL_REWARD
from lomber.envs.faces.vector import TablesVectorEnv

MODULES = {**lomber.envs.GAMES, **TOYS}
N = 5 if COMPILED else 2
pytestmark = pytest.mark.usefixtures("toys")
every_game = pytest.mark.parametrize("name", MODULES)
every_episode = pytest.mark.parametrize(("name", "episode"), [(name, e) for name in MODULES for e in episodes(name)[:2]])


def picks(observations, masks):
    return np.array([pick(*row) if row[1].any() else 0 for row in zip(observations, masks, strict=True)])


def trajectory(env, number):
    """One episode of the single environment: observations, masks, rewards, seat."""
    observation, info = env.reset(options={"id": number})
    seen, masks, rewards, over = [observation], [info["action_mask"]], [], False
    while not over:
        observation, reward, over, _, info = env.step(pick(seen[-1], masks[-1]))
        seen.append(observation)
        masks.append(info["action_mask"])
        rewards.append(reward)
    return seen, masks, rewards, info


@every_episode
@pytest.mark.parametrize("seat", [0, "rotate", "random"])
def test_every_table_plays_what_the_single_environment_plays(name, episode, seat):
    envs, single = TablesVectorEnv(N, name, episode=episode, seat=seat), SingleEnv(name, episode=episode, seat=seat)
    single.reset(seed=11)
    observations, infos = envs.reset(seed=11)
    ongoing = [trajectory(single, int(number)) for number in infos["id"]]  # some may have been skipped
    place, ended = [0] * N, 0
    while ended < 3 * N:
        for row, (seen, masks, _, last) in enumerate(ongoing):
            assert (observations[row] == seen[place[row]]).all() and infos["seat"][row] == last["seat"]
            assert (infos["action_mask"][row] == masks[place[row]]).all() and infos["id"][row] == last["id"]
        assert (envs.action_masks() == infos["action_mask"]).all()
        observations, rewards, over, truncated, infos = envs.step(picks(observations, infos["action_mask"]))
        assert not truncated.any() and infos["_action_mask"].all() and over.any() == ("final_obs" in infos)
        for row, (seen, _, earned, last) in enumerate(ongoing):
            assert rewards[row] == earned[place[row]]
            place[row] += 1
            assert over[row] == (place[row] == len(earned))
            if over[row]:
                assert infos["_final_obs"][row] and (infos["final_obs"][row] == seen[-1]).all()
                final = infos["final_info"]
                assert final["id"][row] == last["id"] and not final["action_mask"][row].any()
                assert final["seat"][row] == last["seat"] and final["_seat"][row] and infos["_skipped"][row]
                ongoing[row], place[row] = trajectory(single, int(infos["id"][row])), 0
                ended += 1
            elif over.any():
                assert infos["final_obs"][row] is None and not infos["_final_obs"][row] and not infos["_skipped"][row]


@every_game
def test_rewards_of_whole_episodes_are_the_points_of_the_seat(name):
    envs = TablesVectorEnv(N, name, episode=episodes(name)[1], seat="random", autoreset_mode="Disabled")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    observations, infos = envs.reset(seed=2)
    for _ in range(3):
        earned, over = np.zeros(N), np.zeros(N, bool)
        first = infos["id"].copy()
        while not over.all():
            played = picks(observations, infos["action_mask"])
            if over.any():
                with pytest.raises(LomberError, match="finished"):
                    envs.step(played)
                observations, infos = envs.reset(options={"reset_mask": over, "ids": infos["id"]})
                break
            observations, rewards, over, _, infos = envs.step(played)
            earned += rewards
            points = envs.game.points(envs._tables.states)
            for row in np.flatnonzero(over):
                assert earned[row] == points[row, infos["seat"][row]] and not infos["action_mask"][row].any()
                states, seat = envs._tables.states[row : row + 1], int(infos["seat"][row])
                assert observations[row].tobytes() == envs.game.observe(envs.game.hide(states, seat), seat).tobytes()
        observations, infos = envs.reset(options={"ids": first + 1})
        assert (infos["id"] == first + 1).all()
    envs.reset()
    assert (envs._tables.id == first + 1 + N).all()


@every_game
def test_mistakes_raise_and_move_nothing(name):
    envs = TablesVectorEnv(N, name)
    with pytest.raises(LomberError, match="reset"):
        envs.step(np.zeros(N, int))
    _, infos = envs.reset(seed=1)
    before = envs._tables.states.tobytes()
    legal = infos["action_mask"].argmax(1)
    illegal = legal.copy()
    illegal[-1] = (infos["action_mask"][-1] == 0).argmax()
    with pytest.raises(IllegalAction, match=f"row {N - 1}"):
        envs.step(illegal)
    for wrong in (legal[1:], legal.astype(float), np.full(N, -1), np.full(N, envs.game.num_actions)):
        with pytest.raises(LomberError):
            envs.step(wrong)
    some = np.arange(N) == 0
    for options in ({"reset_mask": [True] * N}, {"reset_mask": ~(some | ~some)}, {"ids": [0]}, {"ids": [-1] * N}):
        with pytest.raises(LomberError):
            envs.reset(options=options)
    for seed in (list(range(N)), 3):
        with pytest.raises(LomberError):
            envs.reset(seed=seed, options={"reset_mask": some})
    with pytest.raises(LomberError):
        TablesVectorEnv(N, name, autoreset_mode=AutoresetMode.NEXT_STEP)
    for number in (0, -1, 2.5, True, None):
        with pytest.raises(LomberError, match="num_envs"):
            TablesVectorEnv(number, name)
    assert envs._tables.states.tobytes() == before


@every_game
@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_an_illegal_action_ends_one_table_at_the_stated_price(name, mode):
    envs, fair = (TablesVectorEnv(N, name, illegal="end", autoreset_mode=mode) for _ in range(2))
    observations, infos = envs.reset(seed=1)
    fair.reset(seed=1)
    actions = picks(observations, infos["action_mask"])
    expected = fair.step(actions)
    actions[0] = (infos["action_mask"][0] == 0).argmax()
    seen, rewards, over, _, infos = envs.step(actions)
    assert rewards[0] == ILLEGAL_REWARD and over[0] and infos["illegal" if mode == "Disabled" else "_final_obs"][0]
    assert (rewards[1:] == expected[1][1:]).all() and (seen[1:] == expected[0][1:]).all()
    if mode == "SameStep":
        assert (infos["final_obs"][0] == observations[0]).all() and infos["id"][0] == N
        assert infos["final_info"]["illegal"][0]
    else:
        assert (seen[0] == observations[0]).all() and not infos["action_mask"][0].any()


@pytest.mark.parametrize("name", lomber.envs.GAMES)
def test_make_vec_gives_it_without_a_warning(name):
    identity = f"lomber/{name.capitalize()}-v{lomber.envs.VERSIONS[name]}"
    envs = gymnasium.make_vec(identity, num_envs=3, opponents="random", episode="deal")
    assert isinstance(envs, TablesVectorEnv) and envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space and observations.dtype == np.float32
    over = np.zeros(3, bool)
    while not over.any():
        actions = picks(observations, infos["action_mask"])
        assert actions in envs.action_space
        observations, rewards, over, _, infos = envs.step(actions)
        assert rewards.dtype == np.float64 and over.dtype == np.bool_
    assert infos["id"] is not None
    envs.close()


def test_arrays_are_fresh_at_every_call():
    envs = TablesVectorEnv(2, "piquet")
    observations, infos = envs.reset(seed=1)
    kept = observations.copy()
    again = envs.step(picks(observations, infos["action_mask"]))
    assert not np.shares_memory(observations, again[0]) and not np.shares_memory(infos["action_mask"], again[4]["action_mask"])
    assert (observations == kept).all()
