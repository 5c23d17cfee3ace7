"""The PettingZoo face over every game and preset of the registry, and the toys."""

import copy
import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from conftest import TOYS, episodes
from pettingzoo.test import api_test, render_test, seed_test

import lomber.envs
from lomber.envs import IllegalAction, LomberError, UnknownName
from lomber.envs.engine import records
from lomber.envs.engine.jit import COMPILED
from lomber.envs.faces.aec import factories
from lomber.envs.faces.single import SingleEnv
from lomber.envs.faces.spaces import ILLEGAL_REWARD
from lomber.envs.faces.vector import TablesVectorEnv

MODULES = {**lomber.envs.GAMES, **TOYS}
EPISODES = 6 if COMPILED else 2
EXPECTED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
pytestmark = pytest.mark.usefixtures("toys")
every_game = pytest.mark.parametrize("name", MODULES)
every_episode = pytest.mark.parametrize(("name", "episode"), [(name, e) for name in MODULES for e in episodes(name)[:2]])


def raw(name, **kwargs):
    return factories(name)[1](**kwargs)


def presets(name):
    return list(lomber.envs.make_game(name).spec.presets)


def choose(env, rng):
    """A legal action for the agent to step, None when it is done."""
    agent = env.agent_selection
    if env.terminations[agent]:
        return None
    return int(rng.choice(np.flatnonzero(env.observe(agent)["action_mask"]).tolist()))


def play_on(env, seed, steps=10_000):
    """Play at random; what each `last()` told, in bytes."""
    rng, told = random.Random(seed), []
    for _ in range(steps):
        if not env.agents:
            break
        observation, reward, termination, truncation, info = env.last()
        told.append((env.agent_selection, observation["observation"].tobytes(), reward, termination, truncation,
                     info["action_mask"].tobytes(), env.state().tobytes()))  # fmt: skip
        env.step(choose(env, rng))
    return told


def looks(env):
    """All that an environment shows, and the bytes of its table."""
    raw_env = env.unwrapped
    return (
        list(env.agents), dict(env.rewards), dict(raw_env._cumulative_rewards), dict(env.terminations), env.agent_selection,
        {agent: info["action_mask"].tolist() for agent, info in env.infos.items()},
        raw_env._tables.states.tobytes(), [final.tobytes() for final in raw_env._finals], raw_env.seed, raw_env.episode,
        raw_env._next,
    )  # fmt: skip


@every_episode
def test_pettingzoo_accepts_the_environment(name, episode, capsys):
    for preset in presets(name):
        for make in factories(name):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                api_test(make(preset=preset, episode=episode), num_cycles=100)
                seed_test(lambda make=make, preset=preset: make(preset=preset, episode=episode), num_cycles=50)
            messages = {str(warning.message) for warning in caught}
            assert all(any(message.startswith(words) for words in EXPECTED) for message in messages), messages
            assert len(messages) == len(EXPECTED), "a warning that is excused in pyproject.toml no longer comes"


@every_game
def test_pettingzoo_accepts_the_pictures(name, capsys):
    env, _ = factories(name)
    render_test(env)
    made = env(render_mode="ansi")
    made.reset(seed=1)
    text = made.render()
    assert text and max(map(len, text.splitlines())) <= 80
    assert made.scene("player_0").to_svg().startswith("<svg")


def test_a_module_and_the_registry_make_the_environment():
    from lomber.envs import piquet_v0

    assert str(piquet_v0.env()) == "piquet_v0" == piquet_v0.raw_env().metadata["name"]
    assert {name: lomber.envs.make_game(name).spec.version for name in lomber.envs.GAMES} | lomber.envs.VERSIONS == {
        name: lomber.envs.make_game(name).spec.version for name in lomber.envs.GAMES
    }
    assert set(lomber.envs.VERSIONS) <= set(MODULES)
    if hasattr(pettingzoo, "make"):
        made = pettingzoo.make("aec", "lomber/piquet-v0", preset="rubicon", episode="partie")
        assert str(made) == "piquet_v0" and made.game == lomber.envs.make_game("piquet", "rubicon", episode="partie")


@every_episode
def test_what_every_seat_sees_is_right_at_every_moment(name, episode):
    env, rng = raw(name, episode=episode), random.Random(1)
    game = env.game
    for _ in range(EPISODES):
        env.reset(seed=3) if env.seed is None else env.reset()
        while env.agents:
            states = env._tables.states
            before = looks(env)
            for seat, agent in enumerate(env.possible_agents):  # also those already removed
                seen = env.observe(agent)
                acting = seat == states[0]["seat"] and not env.terminations.get(agent, True)
                mask = game.legal(states)[0] if acting else np.zeros(game.num_actions, np.int8)
                assert (seen["action_mask"] == mask).all()
                assert seen["observation"].tobytes() == game.observe(game.hide(states, seat), seat).tobytes()
                assert env.observation_space(agent).contains(seen)
                if agent in env.agents:
                    assert (env.infos[agent]["action_mask"] == mask).all()
                again = env.observe(agent)
                assert not any(np.shares_memory(seen[key], again[key]) for key in seen)
                seen["observation"][:], seen["action_mask"][:] = -9, 9
                del seen["action_mask"]
            assert env.state_space.contains(env.state()) and (env.state() == game.reveal(states)[0]).all()
            assert looks(env) == before, "a look changed something"
            env.step(choose(env, rng))


@every_episode
@pytest.mark.parametrize("kind", [0, 1], ids=["env", "raw_env"])
def test_what_last_pays_is_what_the_game_settles(name, episode, kind):
    for preset in presets(name):
        env, rng = factories(name)[kind](preset=preset, episode=episode), random.Random(2)
        for number in range(EPISODES):
            env.reset(seed=4 if number == 0 else None)
            paid = dict.fromkeys(env.agents, 0.0)
            waiting = dict.fromkeys(env.agents, 0.0)
            points = dict.fromkeys(env.agents, 0)
            for agent in env.agent_iter():
                _, reward, _, truncation, _ = env.last()
                assert reward == waiting[agent] and not truncation, "a reward that its seat did not earn"
                paid[agent] += reward
                waiting[agent] = 0.0
                env.step(choose(env, rng))
                settled = env.unwrapped.game.points(env.unwrapped._tables.states)[0].tolist()
                for seat, each in enumerate(points):  # the last deal may be running: points are those of finished ones
                    waiting[each] += settled[seat] - points[each]
                    points[each] = settled[seat]
            assert list(paid.values()) == settled


@every_game
@pytest.mark.parametrize("kind", [0, 1], ids=["env", "raw_env"])
@pytest.mark.parametrize("how", [lambda e: e.clone(), copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_in_mid_deal_plays_on_alike_and_apart(name, kind, how):
    env = factories(name)[kind](episode=episodes(name)[1])
    env.reset(seed=5)
    play_on(env, 0, 3)
    before = looks(env)
    made = how(env)
    assert type(made) is type(env) and looks(made) == before
    played = play_on(made, 1)
    assert looks(env) == before, "the copy moved the original"
    assert play_on(env, 1) == played
    for each in (env, made):
        each.reset()
    assert play_on(env, 2) == play_on(made, 2)


@every_game
def test_an_unplayed_environment_can_be_copied(name):
    env = pickle.loads(pickle.dumps(factories(name)[0]()))
    env.reset(seed=1)
    assert play_on(env, 0)


@every_game
def test_seeds_and_ids_name_the_episodes(name):
    env, other = raw(name), raw(name)
    env.reset(seed=7)
    played = []
    for number in range(4):
        assert env.episode == number
        played.append(play_on(env, 1))
        env.reset()
    assert len({told[0] for told in played}) > 1
    other.reset(seed=7, options={"id": 2})
    assert play_on(other, 1) == played[2]
    other.reset()
    assert other.episode == 3 and play_on(other, 1) == played[3]
    other.reset(seed=7)
    assert play_on(other, 1) == played[0]
    unseeded, another = raw(name), raw(name)
    unseeded.reset()
    another.reset()
    assert unseeded.seed != another.seed


@every_game
def test_options_survive_a_seeded_reset(name):
    for preset in presets(name):
        env = factories(name)[0](preset=preset, episode=episodes(name)[1])
        game = env.game
        for seed in (1, 2):
            env.reset(seed=seed)
            assert env.game is game and game == lomber.envs.make_game(name, preset, episode=episodes(name)[1])


@every_episode
def test_an_episode_begins_from_a_record(name, episode):
    env = raw(name, episode=episode)
    env.reset(seed=8)
    play_on(env, 1)
    assert [record.points is None for record in env.records] == [False] * len(env.records) and env.records
    assert env.record() == env.records[-1]
    record, other = env.records[0], raw(name, episode=episode)
    for given in (record, str(record), record.to_json()):
        for stop in (0, 2, len(record.moves) - 1):
            other.reset(seed=1, options={"record": given, "stop": stop})
            expected = records.replay(record, stop)
            other.game.next_deal(expected)
            assert other._tables.states.tobytes() == expected.tobytes() and other.episode is None
            assert not any(other.rewards.values())
    other.reset(options={"record": record})
    if len(env.records) == 1:
        assert all(other.terminations.values()) and not any(other._cumulative_rewards.values())
    else:  # the record is played to its end, so the next deal lies on the table
        assert other._tables.states[0]["deal"] == 1 and str(other.record().deck) == str(env.records[1].deck)
    other.reset()
    assert other.episode == 0, "a given deal uses up no id"


@every_game
def test_an_episode_begins_from_a_deal(name):
    env = raw(name, episode="deal")
    env.reset(seed=9)
    play_on(env, 1)
    record, other = env.record(), raw(name, episode="deal")
    for deck in (list(record.deck), " ".join(record.deck)):
        other.reset(options={"deal": {"deck": deck, "start": record.start}})
        assert other.record().deck == record.deck and other.record().start == record.start
    told = play_on(other, 1)
    assert [step[1] for step in told] == [step[1] for step in replayed(env, record, 1)]


def replayed(env, record, seed):
    env.reset(options={"record": record, "stop": 0})
    return play_on(env, seed)


@every_game
@pytest.mark.parametrize(
    "options",
    [
        {"id": -1}, {"id": "x"}, {"id": True}, {"id": 0, "record": ""}, {"deal": {"deck": ["??"]}}, {"deal": {}},
        {"deal": {"deck": [], "dealer": 1}}, {"id": 0, "stop": 1},
        {"record": "nonsense"}, {"record": 5}, {"record": {"game": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_a_reset_that_cannot_be_changes_nothing(name, options):
    env = raw(name)
    env.reset(seed=1)
    play_on(env, 0, 2)
    before = looks(env)
    with pytest.raises(LomberError):
        env.reset(seed=2, options=options)
    with pytest.raises(LomberError):
        env.reset(seed=-1)
    assert looks(env) == before


def test_a_record_of_another_game_or_other_options_is_refused():
    solo, low, rubicon = raw("solo"), raw("low"), raw("solo", stake=3)
    solo.reset(seed=1)
    for env in (low, rubicon):
        with pytest.raises(LomberError, match="does not fit"):
            env.reset(options={"record": solo.record()})


@every_game
@pytest.mark.parametrize("options", [{"options": 1}, {}, None, {"id": None}])
def test_options_that_ask_for_nothing_are_passed_over(name, options):
    env = raw(name)
    env.reset(seed=1, options=options)
    assert env.episode == 0


@pytest.mark.parametrize("face", [raw, SingleEnv, lambda name: TablesVectorEnv(2, name)], ids=["aec", "single", "vector"])
@pytest.mark.parametrize("options", [{"foo": 1}, {"deck": []}, {"seed": 3}, {5: 1}, [], ["id"], 3, "id", {"id": 1, "x": 2}])
def test_options_of_reset_that_there_are_not_are_refused(face, options):
    env = face("solo")
    with pytest.raises(LomberError, match=r"option of reset|options of reset"):
        env.reset(seed=1, options=options)
    with pytest.raises(LomberError, match="call reset"):
        env.step(0)


@every_game
def test_a_wrapped_environment_takes_names(name):
    env, bare = factories(name)[0](), raw(name)
    for table in (env, bare):
        table.reset(seed=1)
    rng = random.Random(1)
    for _ in range(30):
        if not env.agents:
            break
        with pytest.raises(UnknownName):
            env.step("NONSENSE")
        action = choose(bare, rng)
        env.step(None if action is None else env.unwrapped.game.actions[action])
        bare.step(action)
        assert looks(env) == looks(bare)


@every_game
def test_mistakes_raise_and_change_nothing(name):
    env, rng = raw(name), random.Random(1)
    with pytest.raises(LomberError):
        env.step(0)
    with pytest.raises(LomberError):
        env.observe("player_0")
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        before, mask = looks(env), env.last()[0]["action_mask"]
        illegal = int(rng.choice(np.flatnonzero(mask == 0).tolist()))
        with pytest.raises(IllegalAction) as caught:
            env.step(illegal)
        assert caught.value.action == env.game.actions[illegal] and caught.value.seat == int(env.agent_selection[-1])
        for wrong in (-1, env.game.num_actions, None, "NONSENSE", 0.5, True):
            with pytest.raises(LomberError):
                env.step(wrong)
        assert looks(env) == before
        action = choose(env, rng)
        env.step(rng.choice([action, np.int32(action), np.int64(action), env.game.actions[action]]))
    with pytest.raises(LomberError):
        env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(LomberError):
        env.step(None)
    with pytest.raises(UnknownName, match="player_"):
        env.observe("player_l")


@every_game
def test_an_illegal_move_ends_a_wrapped_episode_at_the_stated_price(name):
    env = factories(name)[0]()
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    offender = env.agent_selection
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert {agent: env.last()[1] for agent in [env.agent_selection]} and all(env.terminations.values())
    for agent in list(env.agents):
        assert not env.observe(agent)["action_mask"].any() and not env.infos[agent]["action_mask"].any()
    paid = {}
    for agent in env.agent_iter():
        paid[agent] = env.last()[1]
        env.step(None)
    assert paid == {agent: ILLEGAL_REWARD if agent == offender else 0 for agent in env.possible_agents}


def test_unknown_options_name_the_nearest():
    with pytest.raises(UnknownName, match="rubicon"):
        raw("piquet", preset="rubikon")
    with pytest.raises(UnknownName, match="ansi"):
        raw("piquet", render_mode="ascii")
