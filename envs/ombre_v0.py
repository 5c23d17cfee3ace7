"""Ombre for PettingZoo: `ombre_v0.env()`. Rules, tables of actions and observations: ombre/README.md."""

from .faces.aec import factories

env, raw_env = factories("ombre")

__all__ = ["env", "raw_env"]
