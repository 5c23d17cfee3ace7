"""The engine's ombre against the slow twin, written from the spec alone by another hand."""

import numpy as np
import ombre_twin
import pytest

from lomber.envs.engine.jit import COMPILED
from lomber.envs.ombre import auction, knowledge, play, settle


@pytest.mark.parametrize("preset", ombre_twin.OWN)
def test_presets_agree_at_every_decision(preset):
    assert ombre_twin.play(preset, {}, deals=60, seed=1) > 0


@pytest.mark.parametrize("preset", ombre_twin.OWN)
def test_parties_agree(preset):
    assert ombre_twin.play(preset, {}, deals=2, seed=2, episode="partie") > 0


def test_random_options_agree():
    rng = np.random.default_rng(3)
    for number in range(100):
        options = ombre_twin.random_options(rng)
        episode, deals = ("partie", 1) if number % 4 == 0 else ("deal", 2)
        ombre_twin.play(ombre_twin.OWN[number % 5], options, deals, seed=number, episode=episode)


@pytest.mark.long
@pytest.mark.parametrize("preset", ombre_twin.OWN)
def test_presets_agree_over_two_thousand_deals(preset):
    assert ombre_twin.play(preset, {}, deals=2000, seed=4) > 0


@pytest.mark.long
def test_many_random_options_agree():
    rng = np.random.default_rng(5)
    for number in range(1000):
        options = ombre_twin.random_options(rng)
        episode, deals = ("partie", 1) if number % 4 == 0 else ("deal", 3)
        ombre_twin.play(ombre_twin.OWN[number % 5], options, deals, seed=number, episode=episode)


@pytest.mark.skipif(COMPILED, reason="faults are planted into interpreted rules")
@pytest.mark.parametrize(
    ("module", "name", "fault"),
    [
        (settle, "bete_of", lambda rules, pot: 1),
        (knowledge, "hide_talon", lambda state, seat: None),
        (play, "playable", lambda hand, trump, led: hand),
        (auction, "is_senior", lambda state, seat, holder: False),
        (play, "premiers_due", lambda rules, state: False),
    ],
)
def test_a_fault_in_the_rules_is_seen(module, name, fault, monkeypatch):
    monkeypatch.setattr(module, name, fault)
    with pytest.raises((AssertionError, IndexError, ValueError)):
        ombre_twin.play("default", {}, deals=60, seed=7)
