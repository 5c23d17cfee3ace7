"""Keys of decisions, for whoever drives tables and asks agents: see envs/faces/keys.py, which the faces use too."""

from ..envs.faces.keys import Decisions

__all__ = ["Decisions"]
