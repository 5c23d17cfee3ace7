"""Agents of other packages, found through the entry points of group `lomber.agents`.

A plug-in is an entry point whose name is the agent's and which loads to a callable (game, seed) -> BaseAgent, a class as a
rule. A name that begins with "<game>/" is for that game only; the library's own names are taken.

    [project.entry-points."lomber.agents"]
    "piquet/mine" = "my_package:MyAgent"

One that is broken says so, with its package's name, when it is asked for: it stands in no other agent's way.
"""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

from ..envs.engine.errors import LomberError, cut
from ..envs.engine.game import Game
from ..envs.engine.registry import GAMES
from ..envs.faces.opponents import cause, package_of
from .base import BaseAgent

GROUP = "lomber.agents"
Maker = Callable[[Game, int], BaseAgent]


def plug_ins(name: str | None = None) -> list[EntryPoint]:
    """All that are installed, or those of a name."""
    return [point for point in entry_points(group=GROUP) if name in (None, point.name)]


def load_plug_in(name: str, game: Game, seed: int) -> BaseAgent:
    """The agent that a plug-in makes; LomberError, naming its package, where it is broken."""
    maker = maker_of(name)
    told = _told(plug_ins(name)[0])
    try:
        agent = maker(game, seed)
        if isinstance(agent, BaseAgent):
            agent.name = name
    except LomberError:
        raise
    except (Exception, SystemExit) as error:  # whatever somebody else's code raises
        raise LomberError(f"{told}, fails: {cause(error)}") from error
    if not isinstance(agent, BaseAgent):
        raise LomberError(f"{told}, gives {cut(agent)}: an agent derives from lomber.agents.base.BaseAgent")
    if not hasattr(agent, "game") or not hasattr(agent, "seed"):
        raise LomberError(f"{told}, has no game or no seed: its __init__ calls super().__init__(game, seed)")
    return agent


def maker_of(name: str) -> Maker:
    """What makes the agents of a plug-in; LomberError, naming its package, where it cannot be imported or is none."""
    point, *others = plug_ins(name)
    if others:
        packages = " and ".join(sorted(package_of(one) for one in (point, *others)))
        raise LomberError(f"{name} is a plug-in of several packages: {packages}; one of them has to go")
    try:
        maker: Maker = point.load()
    except (Exception, SystemExit) as error:  # an import runs somebody else's code
        raise LomberError(f"{_told(point)}, cannot be imported from {point.value!r}: {cause(error)}") from error
    if not callable(maker) or (isinstance(maker, type) and not issubclass(maker, BaseAgent)):
        told = "it must be a class that derives from lomber.agents.base.BaseAgent, or a function that makes one"
        raise LomberError(f"{_told(point)}, is {cut(maker)}: {told}")
    return maker


def clashes(taken: Iterable[str]) -> list[str]:
    """What is wrong with the plug-ins whose names are taken by the library's own agents, a line each."""
    own = set(taken)
    return [f"{_told(point)}, is passed over: lomber has an agent of that name" for point in plug_ins() if point.name in own]


def strays() -> list[str]:
    """What is wrong with the plug-ins whose names are for no game, a line each."""
    parts = [(point, *point.name.partition("/")) for point in plug_ins()]
    return [
        f"{_told(point)}, is passed over: {cut(game)} is no game, and a name that has a / begins with its game's"
        for point, game, slash, _ in parts if slash and game not in GAMES
    ]  # fmt: skip


def _told(point: EntryPoint) -> str:
    return f"{point.name}, a plug-in of the package {package_of(point)}"
