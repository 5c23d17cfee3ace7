"""Rocambole for PettingZoo: `rocambole_v0.env()`. Rules, tables of actions and observations: rocambole/README.md."""

from .faces.aec import factories

env, raw_env = factories("rocambole")

__all__ = ["env", "raw_env"]
