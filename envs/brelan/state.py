"""The records of brelan are those of bouillotte."""

from ..bouillotte import state as bouillotte

STATE, OBSERVATION, REVEAL = bouillotte.STATE, bouillotte.OBSERVATION, bouillotte.REVEAL
