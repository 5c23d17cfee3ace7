"""Brelan for PettingZoo: `brelan_v0.env()`. Rules, tables of actions and observations: brelan/README.md."""

from .faces.aec import factories

env, raw_env = factories("brelan")

__all__ = ["env", "raw_env"]
