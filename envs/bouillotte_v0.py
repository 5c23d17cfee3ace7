"""Bouillotte for PettingZoo: `bouillotte_v0.env()`. Rules, tables of actions and observations: bouillotte/README.md."""

from .faces.aec import factories

env, raw_env = factories("bouillotte")

__all__ = ["env", "raw_env"]
