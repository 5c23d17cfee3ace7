"""Agents by name: the built-in ones, and plug-ins found through the entry points of group `lomber.agents`.

A plug-in is an entry point whose name is the agent's and which loads to a callable (game, seed) -> agent:

    [project.entry-points."lomber.agents"]
    "piquet/mine" = "my_package:make_agent"
"""

from collections.abc import Callable
from importlib.metadata import entry_points

from ..envs.engine.errors import unknown
from ..envs.engine.game import Game
from .base import Agent
from .heuristic import HEURISTICS, HeuristicAgent
from .random import RandomAgent

PLUGINS = "lomber.agents"
Maker = Callable[[Game, int], Agent]

# Names of built-in agents; one that begins with "<game>/" plays that game only.
BUILT_IN: dict[str, Maker] = {
    "random": lambda game, seed: RandomAgent(seed),
    **{f"{name}/heuristic": HeuristicAgent for name in HEURISTICS},
}


def agent_names(game: Game) -> list[str]:
    """The names of all agents that can play `game`, plug-ins too."""
    names = [*BUILT_IN, *(point.name for point in entry_points(group=PLUGINS))]
    return [name for name in dict.fromkeys(names) if "/" not in name or name.partition("/")[0] == game.name]


def load_agent(name: str, game: Game, seed: int = 0) -> Agent:
    """The agent of this name for `game`, all its chance from `seed`; UnknownName tells the nearest that there are."""
    known = agent_names(game)
    if name not in known:
        raise unknown(f"agent for {game.name}", name, known)
    if name in BUILT_IN:
        return BUILT_IN[name](game, seed)
    (point, *_) = entry_points(group=PLUGINS, name=name)
    maker: Maker = point.load()
    return maker(game, seed)
