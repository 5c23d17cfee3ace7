"""Agents by name: the library's own, plug-ins of other packages (plugins.py), and policies by path."""

import inspect
import os
import warnings
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..envs.engine.errors import LomberError, UnknownName, cut, unknown
from ..envs.engine.game import Game
from ..envs.engine.registry import GAMES
from .abstracted import Abstracted
from .base import BaseAgent
from .heuristic import HEURISTICS, HeuristicAgent
from .plugins import Maker, clashes, load_plug_in, plug_ins
from .random import RandomAgent
from .search import WORLDS, SearchAgent

WEIGHTS = Path(__file__).parent / "weights"
POLICIES = ("bouillotte/ppo", "ombre/ppo")  # trained policies that come with lomber: folders of WEIGHTS


def _load_weights(name: str, game: Game, seed: int, sample: bool = False) -> BaseAgent:
    from .policy import load_policy

    return load_policy(WEIGHTS / name, game, seed, sample, called=name)


def _search(game: Game, seed: int, **settings: Any) -> BaseAgent:
    """A search among the choices of the game's action abstraction where it has one: a hundred stakes are too many."""
    fewer = game.abstracted
    return Abstracted(game, SearchAgent(fewer, seed, **settings)) if fewer else SearchAgent(game, seed, **settings)


# Names of built-in agents; one that begins with "<game>/" plays that game only.
BUILT_IN: dict[str, Maker] = {
    "random": lambda game, seed: RandomAgent(seed),
    **{name: partial(HeuristicAgent, name=name) for name in HEURISTICS},
    **{f"{name}/search": _search for name in GAMES},
    **{name: partial(_load_weights, name) for name in POLICIES},
}


def agent_names(game: Game) -> list[str]:
    """The names of all agents that can play `game`, plug-ins too."""
    names = [*BUILT_IN, *(point.name for point in plug_ins())]
    return [name for name in dict.fromkeys(names) if "/" not in name or name.partition("/")[0] == game.name]


def load_agent(name: str | PathLike[str], game: Game, seed: int = 0) -> BaseAgent:
    """The agent of this name for `game`, all its chance from `seed`; UnknownName tells the nearest that there are.

    Settings of a search stand behind its name: "ombre/search:worlds=1000,belief=even".
    A name that no agent has may be the path of a trained policy: a folder, or one of its two files (agents/policy.py).
    `:sample` behind a policy's name or path asks for moves drawn by its probabilities. LomberError: a policy's file or a
    plug-in is broken; a plug-in under a name of the library's own is passed over with a warning.
    """
    from .policy import SAMPLE, is_policy, load_policy

    if not isinstance(name, (str, PathLike)):
        raise LomberError(f"an agent is given by its name or the path of a policy, not by {cut(name)}")
    name, known = fspath(name), agent_names(game)
    plain, colon, settings = name.partition(":")
    for told in clashes(BUILT_IN.keys() & {plain}):
        warnings.warn(told, stacklevel=2)
    if colon and plain in POLICIES and plain in known and name == plain + SAMPLE:
        return _load_weights(plain, game, seed, sample=True)
    if colon and plain in known and plain == f"{game.name}/search":
        return _search(game, seed, **_settings(plain, settings))
    if name not in known:
        if is_policy(name):
            return load_policy(name, game, seed)
        if ("/" in name or os.sep in name) and name.partition("/")[0] not in GAMES:
            told = f"there is no folder {cut(name)}: an agent is a name ({', '.join(known[:5])}) or a policy's folder"
            raise UnknownName(told)
        raise unknown(f"agent for {game.name} (a name, or the folder of a policy)", name, known)
    if name in BUILT_IN:
        return BUILT_IN[name](game, seed)
    return load_plug_in(name, game, seed)


def search_settings() -> dict[str, Any]:
    """What can stand behind the name of a search, with what is taken where it does not."""
    parameters = inspect.signature(SearchAgent).parameters
    taken = {key: parameter.default for key, parameter in parameters.items() if key not in ("game", "seed")}
    return {**taken, "worlds": WORLDS}


def _settings(name: str, told: str) -> dict[str, Any]:
    """The settings of a search from key=value,key=value; LomberError names what it does not take."""
    known = search_settings()
    found: dict[str, Any] = {}
    for part in told.split(","):
        key, equals, value = part.partition("=")
        if not equals or key not in known:
            raise LomberError(f"{name} takes {', '.join(f'{key}=...' for key in known)}, not {cut(part)}")
        found[key] = _number(value)
    return found


def _number(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value
