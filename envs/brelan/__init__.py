"""Brelan: the parent of bouillotte, without a blind phase, with 32 cards (see README.md). Its rules are bouillotte's."""

from dataclasses import replace

from .. import bouillotte
from .options import PRESETS, Options

SPEC = replace(bouillotte.SPEC, name="brelan", title="Brelan", options=Options, presets=PRESETS)
