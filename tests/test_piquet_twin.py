"""The engine against the slow twin, written from the spec alone by another hand."""

import numpy as np
import piquet_twin
import pytest

from lomber.envs.piquet.options import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_agree_at_every_decision(preset):
    assert piquet_twin.play(preset, {}, deals=40, seed=1) > 0


@pytest.mark.parametrize("preset", PRESETS)
def test_parties_agree(preset):
    assert piquet_twin.play(preset, {}, deals=3, seed=2, episode="partie") > 0


def test_random_options_agree():
    rng = np.random.default_rng(3)
    for number in range(60):
        preset = list(PRESETS)[number % len(PRESETS)]
        options = piquet_twin.random_options(rng)
        piquet_twin.play(preset, options, deals=1, seed=number, episode=("deal", "partie")[number % 4 == 0])


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_agree_over_two_thousand_deals(preset):
    assert piquet_twin.play(preset, {}, deals=2000, seed=4) > 0


@pytest.mark.long
def test_many_random_options_agree():
    rng = np.random.default_rng(5)
    for number in range(1000):
        preset = list(PRESETS)[number % len(PRESETS)]
        options = piquet_twin.random_options(rng)
        piquet_twin.play(preset, options, deals=2, seed=number, episode=("deal", "partie")[number % 4 == 0])


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_those_of_the_spec(preset):
    """Rare options would not show in play: the two readings of section 8 must be equal."""
    from dataclasses import asdict

    from reference.piquet import PRESETS as TWINS

    from lomber.envs import make_game

    ours = asdict(make_game("piquet", preset).options)
    assert {name: ours[name] for name in TWINS[preset]} == TWINS[preset]
