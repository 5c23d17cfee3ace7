"""Gymnasium's face with one learner, over every game of the registry and the toys."""

import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import TOYS, episodes
from gymnasium.utils.env_checker import check_env

import lomber.envs
from lomber.envs import IllegalAction, LomberError, Tables, UnknownName
from lomber.envs.engine import records
from lomber.envs.engine.jit import COMPILED
from lomber.envs.faces.single import SingleEnv
from lomber.envs.faces.spaces import ILLEGAL_REWARD

MODULES = {**lomber.envs.GAMES, **TOYS}
EPISODES = 8 if COMPILED else 2
pytestmark = pytest.mark.usefixtures("toys")
every_game = pytest.mark.parametrize("name", MODULES)
every_episode = pytest.mark.parametrize(("name", "episode"), [(name, e) for name in MODULES for e in episodes(name)[:2]])


def pick(observation, mask):
    """A legal action, a function of what is seen alone."""
    legal = np.flatnonzero(mask)
    return int(legal[int(np.abs(observation).sum() * 997) % len(legal)])


def play_on(env, observation, info):
    """Play to the end; each step as (observation, reward, over, mask)."""
    told, over = [], False
    while not over:
        action = pick(observation, info["action_mask"])
        observation, reward, over, truncated, info = env.step(action)
        assert not truncated and (info["action_mask"] == env.action_masks()).all() and info["action_mask"].any() != over
        told.append((observation.tobytes(), reward, over, info["action_mask"].tobytes()))
    return told


def looks(env):
    return pickle.dumps((env._tables.__getstate__(), env._earned, env._playing, env._next, env._episode, env.seed_used))


@pytest.mark.parametrize("name", lomber.envs.GAMES)
def test_gymnasium_accepts_the_environment(name, capsys):
    version = lomber.envs.VERSIONS[name]
    for preset in lomber.envs.make_game(name).spec.presets:
        check_env(gymnasium.make(f"lomber/{name.capitalize()}-v{version}", preset=preset, illegal="end").unwrapped)


@pytest.mark.parametrize("name", TOYS)
def test_gymnasium_accepts_the_toys(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(SingleEnv(name, illegal="end"))
    assert [True for warning in caught if "not having a spec" in str(warning.message)] == [True] and len(caught) == 1


def test_the_id_works_after_an_import_and_by_the_module_name():
    code = "import gymnasium; print(gymnasium.make('lomber.envs:lomber/Piquet-v0').unwrapped.game.id)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "piquet_v0", done.stderr


def test_an_import_of_the_registry_loads_no_face_and_no_agent():
    late = ("lomber.agents", "lomber.envs.faces", "torch")
    code = f"import sys, lomber.envs; print([name for name in sys.modules if name.startswith({late})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@every_episode
@pytest.mark.parametrize("seat", [0, 1, "rotate", "random"])
def test_the_learner_is_paid_what_its_seat_earns(name, episode, seat):
    env = SingleEnv(name, episode=episode, seat=seat)
    seats = set()
    for number in range(EPISODES):
        observation, info = env.reset(seed=5 if number == 0 else None)
        assert info["id"] >= number and env.observation_space.contains(observation)
        assert seat in ("rotate", "random", info["seat"]) and (seat != "rotate" or info["seat"] == info["id"] % env.game.seats)
        seats.add(info["seat"])
        told = play_on(env, observation, info)
        states = env._tables.states
        assert sum(reward for _, reward, _, _ in told) == env.game.points(states)[0, info["seat"]]
        final = env.game.observe(env.game.hide(states, info["seat"]), info["seat"])
        assert told[-1][0] == final.tobytes(), "the last observation is not the learner's"
    assert len(seats) > 1 or seat in (0, 1) or not COMPILED


@every_game
def test_each_observation_is_at_a_decision_of_the_learner(name):
    env = SingleEnv(name, seat="random", episode=episodes(name)[1])
    observation, info = env.reset(seed=6)
    over = False
    while not over:
        states = env._tables.states
        assert states[0]["seat"] == info["seat"] == env.seat
        assert (info["action_mask"] == env.game.legal(states)[0]).all()
        assert observation.tobytes() == env.game.observe(env.game.hide(states, env.seat), env.seat).tobytes()
        observation, _, over, _, info = env.step(pick(observation, info["action_mask"]))


@every_game
@pytest.mark.parametrize("how", [lambda e: e.clone(), copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_in_mid_deal_plays_on_alike_and_apart(name, how):
    env = SingleEnv(name, episode=episodes(name)[1], seat="random")
    over, seed = True, 3
    while over:  # a deal of bets may be over with the learner's first decision
        observation, info = env.reset(seed=seed)
        observation, _, over, _, info = env.step(pick(observation, info["action_mask"]))
        seed += 1
    before = looks(env)
    made = how(env)
    played = play_on(made, observation, info)
    assert looks(env) == before
    assert play_on(env, observation, info) == played
    assert play_on(env, *env.reset()) == play_on(made, *made.reset())


@every_game
def test_seeds_and_ids_name_the_episodes(name):
    env, other = SingleEnv(name), SingleEnv(name)
    played = [play_on(env, *env.reset(seed=7 if number == 0 else None)) for number in range(4)]
    assert len({str(told) for told in played}) > 1
    assert play_on(other, *other.reset(seed=7, options={"id": 2})) == played[2]
    assert play_on(other, *other.reset()) == played[3]
    assert play_on(other, *other.reset(seed=7)) == played[0]
    dealt = Tables(env.game, 1, 7, autoreset=False)
    dealt.reset(ids=[0])
    assert env.reset(seed=7)[1]["id"] == 0 and env.record().deck == records.record_of(env.game, dealt.states).deck


@every_game
def test_an_episode_begins_from_a_record_or_a_deal(name):
    env = SingleEnv(name, seat=0)
    play_on(env, *env.reset(seed=7))
    record = env.record()
    first = int(records.replay(record, 0)[0]["seat"])  # of another seat it is not sure that it comes to decide
    other = SingleEnv(name, seat=first)
    start = other.reset(seed=1, options={"record": record, "stop": 0})
    assert other.record().deck == record.deck and start[1]["id"] == -1
    play_on(other, *start)
    other.reset(options={"deal": {"deck": record.deck, "start": record.start}})
    assert other.record().deck == record.deck and other.view().seat == first
    before = looks(other)
    with pytest.raises(LomberError, match="no decision"):
        other.reset(options={"record": record})
    assert looks(other) == before
    assert other.reset()[1]["id"] == 0


@every_game
def test_an_illegal_action_raises_and_changes_nothing(name):
    env = SingleEnv(name)
    with pytest.raises(LomberError, match="reset"):
        env.step(0)
    observation, info = env.reset(seed=1)
    before = looks(env)
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    for wrong in (-1, env.game.num_actions, None, "NONSENSE", 0.5, [0], np.array([0]), np.bool_(False)):
        with pytest.raises(LomberError):
            env.step(wrong)
    with pytest.raises(LomberError):
        env.reset(options={"id": -1})
    assert looks(env) == before
    play_on(env, observation, info)
    with pytest.raises(LomberError, match="over"):
        env.step(0)


@every_game
def test_an_illegal_action_ends_the_episode_at_the_stated_price(name):
    env = SingleEnv(name, illegal="end")
    observation, info = env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (seen == observation).all() and (reward, terminated, truncated) == (ILLEGAL_REWARD, True, False)
    assert info["illegal"] and not info["action_mask"].any() and not env.action_masks().any()
    with pytest.raises(LomberError, match="over"):
        env.step(0)


class Passive:
    """Always the first legal action; counts what it is asked."""

    name, seed, wants_view = "passive", 0, True

    def __init__(self):
        self.asked = 0

    def act(self, positions):
        assert len(positions.view) == len(positions) and (positions.view["seat"] == positions.seat).all()
        self.asked += len(positions)
        return positions.action_mask.argmax(1)


@every_game
def test_opponents_are_names_objects_or_lists_of_them(name):
    others = lomber.envs.make_game(name).seats - 1
    agent = Passive()
    env = SingleEnv(name, opponents=agent, seat=0)
    play_on(env, *env.reset(seed=1))
    assert agent.asked > 0
    SingleEnv(name, opponents=["random"] * others).reset(seed=1)
    for wrong in (["random"] * (others + 1), 5, None):
        with pytest.raises(LomberError):
            SingleEnv(name, opponents=wrong)
    with pytest.raises(UnknownName, match="random"):
        SingleEnv(name, opponents="randon")
    for wrong in (env.game.seats, -1, "rotated", True, 0.5):
        with pytest.raises(LomberError):
            SingleEnv(name, seat=wrong)


def test_an_opponents_view_hides_what_it_cannot_know():
    class Spy(Passive):
        def act(self, positions):
            hidden = game.hide(positions.view, positions.seat)
            assert hidden.tobytes() == positions.view.tobytes() and not positions.view["deck"].any()
            return super().act(positions)

    game = lomber.envs.make_game("piquet")
    env = SingleEnv(game, opponents=Spy())
    play_on(env, *env.reset(seed=2))


def test_episodes_without_a_decision_of_the_learner_are_passed_over(monkeypatch):
    env = SingleEnv("solo", seat=0)
    begun = SingleEnv._open

    def open_most(self, start):
        return begun(self, start) and self._episode % 3 == 2

    monkeypatch.setattr(SingleEnv, "_open", open_most)
    for seed, episode in ((1, 2), (None, 5), (None, 8)):
        info = env.reset(seed=seed)[1]
        assert (info["skipped"], info["id"]) == (2, episode)


@every_game
def test_pictures_show_what_the_learner_knows(name, capsys):
    env = SingleEnv(name, render_mode="ansi", seat=0)
    env.reset(seed=1)
    text = env.render()
    world = env.game.redeal(env.game.hide(env._tables.states, 0), 0, 5)
    env._tables.load(0, world)
    assert env.render() == text and env.scene().to_svg().startswith("<svg")
