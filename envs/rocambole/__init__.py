"""Rocambole for three: ombre in a match of parts and tours, which feed a kon and play for it (see README.md)."""

from dataclasses import replace

from .. import ombre
from . import knowledge
from .options import PRESETS, Options, flatten
from .state import OBSERVATION, REVEAL

SPEC = replace(
    ombre.SPEC,
    name="rocambole",
    title="Rocambole",
    version=0,
    options=Options,
    presets=PRESETS,
    flatten=flatten,
    observation=OBSERVATION,
    reveal=REVEAL,
    functions={**ombre.SPEC.functions, "observe": knowledge.observe, "reveal": knowledge.reveal},
)
