"""Piquet for PettingZoo: `piquet_v0.env()`. Rules, tables of actions and observations: piquet/README.md."""

from .faces.aec import factories

env, raw_env = factories("piquet")

__all__ = ["env", "raw_env"]
