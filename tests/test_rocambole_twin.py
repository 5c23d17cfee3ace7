"""The engine's rocambole against the slow twin, written from the spec alone by another hand."""

import numpy as np
import pytest
import rocambole_twin

from lomber.envs.engine.jit import COMPILED
from lomber.envs.ombre import settle, tours

EPISODES = ("deal", "part", "full")


@pytest.mark.parametrize("preset", rocambole_twin.OWN)
def test_presets_agree_at_every_decision(preset):
    for tour in (1, 2, 3):
        assert (
            rocambole_twin.play(preset, {"start_tour": tour, "start_kon": 7 * tour}, deals=10, seed=tour, episode="deal") > 0
        )
    assert rocambole_twin.play(preset, {}, deals=2, seed=1) > 0


def test_a_full_match_agrees():
    assert rocambole_twin.play("rocambole", {}, deals=1, seed=2, episode="full") > 0


def random_options_agree(seed, rounds):
    rng = np.random.default_rng(seed)
    for number in range(rounds):
        episode = EPISODES[number % 3]
        options = rocambole_twin.random_options(rng, episode)
        rocambole_twin.play(
            rocambole_twin.OWN[number % 2], options, 4 if episode == "deal" else 1, seed=number, episode=episode
        )


def test_random_options_agree():
    random_options_agree(3, rounds=45)


@pytest.mark.long
@pytest.mark.parametrize("preset", rocambole_twin.OWN)
def test_presets_agree_over_two_thousand_deals(preset):
    assert rocambole_twin.play(preset, {}, deals=100, seed=4) > 0
    assert rocambole_twin.play(preset, {}, deals=10, seed=5, episode="full") > 0


@pytest.mark.long
def test_many_random_options_agree():
    random_options_agree(6, rounds=600)


@pytest.mark.skipif(COMPILED, reason="faults are planted into interpreted rules")
@pytest.mark.parametrize(
    ("module", "name", "fault"),
    [
        (tours, "tour_ends", lambda rules, match, outcome, tricks: match["deals_in_tour"] == 10),
        (settle, "feeds_kon", lambda match: False),
        (settle, "play_for_kon", lambda match: None),
    ],
)
def test_a_fault_in_the_rules_is_seen(module, name, fault, monkeypatch):
    monkeypatch.setattr(module, name, fault)
    with pytest.raises((AssertionError, IndexError, ValueError)):
        rocambole_twin.play("rocambole", {}, deals=1, seed=7)
