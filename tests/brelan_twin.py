"""Engine and slow twin of brelan side by side: the deals of bouillotte under brelan's presets."""

import functools

import bouillotte_twin

from lomber.envs.brelan.options import PRESETS

OWN = tuple(PRESETS)
LONG = bouillotte_twin.LONG
play = functools.partial(bouillotte_twin.play, name="brelan")
play_given = functools.partial(bouillotte_twin.play_given, name="brelan")
play_random = functools.partial(bouillotte_twin.play_random, name="brelan")
