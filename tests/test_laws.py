"""The seven laws over every game and preset of the registry and the toy; and every law turned red by a planted fault."""

import importlib

import faults
import laws
import pytest
from conftest import TOYS, episodes

import lomber.envs
from lomber.envs.engine.jit import COMPILED

MODULES = {**lomber.envs.GAMES, "solo": TOYS["solo"]}
CASES = [
    (name, preset, episode)
    for name, module in MODULES.items()
    for preset in importlib.import_module(module).SPEC.presets
    for episode in episodes(name)
]
# Decisions looked at in each case; a partie holds hundreds, a full rocambole thousands.
MOST = {1: 15, 2: 10, 3: 12, 6: 12, 7: 8}
# At length: times as many, shared out among the presets of a game; and episodes, fewer where one holds many deals.
LONGER, LONG_IDS, LONG_EPISODES = 60, 12, {"deal": 64, "full": 2}
pytestmark = pytest.mark.usefixtures("toys")


@pytest.mark.parametrize("law", laws.LAWS)
@pytest.mark.parametrize(("name", "preset", "episode"), CASES)
def test_law(name, preset, episode, law):
    game = lomber.envs.make_game(name, preset, episode=episode)
    most = {"most": MOST[law] if COMPILED else 4} if law in MOST else {}
    if law == 3:
        most["enumerated"] = 1
    laws.LAWS[law](game, range(6 if COMPILED else 2), **most)


@pytest.mark.long
@pytest.mark.parametrize("law", laws.LAWS)
@pytest.mark.parametrize(("name", "preset", "episode"), CASES)
def test_law_at_length(name, preset, episode, law):
    game = lomber.envs.make_game(name, preset, episode=episode)
    most = {"most": MOST[law] * max(4, LONGER // len(game.spec.presets))} if law in MOST else {}
    laws.LAWS[law](game, range(LONG_EPISODES.get(episode, LONG_IDS)), **most)


def check(law, game):
    """The law on a little play, for games that run as plain Python."""
    effort = {"most": 6} if law in MOST else {}
    laws.LAWS[law](game, range(4), **effort, **({"enumerated": 1} if law == 3 else {}))


@pytest.mark.parametrize("fault", faults.FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("name", MODULES)
def test_a_planted_fault_turns_its_law_red(monkeypatch, name, fault):
    game = faults.plant(monkeypatch, name, fault)
    with pytest.raises((AssertionError, lomber.envs.LomberError)):
        check(faults.FAULTS[fault], game)


@pytest.mark.parametrize("law", laws.LAWS)
@pytest.mark.parametrize("name", MODULES)
def test_without_a_fault_the_same_play_keeps_the_law(monkeypatch, name, law):
    check(law, faults.plant(monkeypatch, name, faults.sound))
