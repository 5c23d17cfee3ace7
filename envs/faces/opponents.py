"""Who sits in the other seats: agents by name or as objects, asked in batches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from os import PathLike, fspath
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import LomberError, UnknownName
from ..engine.game import Game
from ..engine.tables import Tables
from .keys import Decisions, draw_seats

LOADERS = "lomber.opponents"  # entry points: callables (name, game, seed) -> agent


@dataclass(frozen=True)
class Positions:
    """Decisions that stand open, one a row: all that an agent is told.

    observation (n, D) float32, action_mask (n, A) int8, seat (n,) int64, key (n,) uint64, and for an agent with `wants_view`
    view: hidden records (n,) of the game's state_dtype, else None. Read them, never write.
    """

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int64]
    key: NDArray[np.uint64]
    view: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.seat)


class Agent(Protocol):
    """Decides for a seat. Its answers depend on the positions alone: all its chance comes from their keys."""

    name: str
    seed: int
    wants_view: bool

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """A legal action for each position, (n,) int64."""
        ...


def load_opponents(opponents: Any, game: Game) -> list[Agent]:
    """The agents of the seats after the learner's, in order: one for all of them, or a list of seats - 1.

    Raises UnknownName for a name that no loader knows, LomberError for a list of another length or what is no agent, and for
    such a name where a loader cannot be imported.
    """
    others = game.seats - 1
    listed = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else None
    if listed is not None and len(listed) != others:
        raise LomberError(f"{game.name} has {others} seats beside the learner's, not {len(listed)}")
    if listed is None:
        return [_agent(opponents, game)] * others
    return [_agent(opponent, game) for opponent in listed]


def _agent(opponent: Any, game: Game) -> Agent:
    if isinstance(opponent, (str, PathLike)):
        return _load(fspath(opponent), game)
    if not callable(getattr(opponent, "act", None)):
        raise LomberError(f"an opponent is a name, the path of a policy, or has an act method, not {opponent!r}")
    check_plays(opponent, game)
    return cast(Agent, opponent)


def check_plays(agent: Any, game: Game) -> None:
    """LomberError where an agent was made for another game than this, or for other options of it."""
    made_for = getattr(agent, "game", None)
    if made_for is not None and made_for != game:
        raise LomberError(f"{_name_of(agent)} was made for {made_for!r}, and cannot play {game!r}")


def _name_of(agent: Any) -> str:
    return str(getattr(agent, "name", agent))


def _load(name: str, game: Game) -> Agent:
    """From the first loader that knows the name; one that cannot be imported is told where no other knows it."""
    refused: LomberError | None = None
    broken: LomberError | None = None
    for point in entry_points(group=LOADERS):
        try:
            loader: Callable[[str, Game, int], Agent] = point.load()
        except (Exception, SystemExit) as error:  # an import runs somebody else's code
            told = f"{package_of(point)} has a loader of opponents that cannot be imported from {point.value!r}"
            broken = LomberError(f"{told}: {cause(error)}")
            continue
        try:
            return loader(name, game, 0)
        except UnknownName as error:
            refused = refused or error
    told = f"no loader of opponents is installed (entry point {LOADERS}), so {name!r} is unknown"
    raise broken or refused or UnknownName(told)


def package_of(point: EntryPoint) -> str:
    """The name of the distribution that brings an entry point."""
    return point.dist.name if point.dist else "an unknown package"


def cause(error: BaseException) -> str:
    """What somebody else's code raised, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def decide(agent: Agent, tables: Tables, rows: NDArray[np.int64], decisions: Decisions) -> NDArray[np.int64]:
    """The agent's actions (k,) for the decisions that stand open at `rows` (k,).

    LomberError: it plays another game, or gives no integer for each of them; what is illegal the tables refuse.
    """
    check_plays(agent, tables.game)
    positions = Positions(
        tables.observation[rows], tables.action_mask[rows], tables.seat[rows],
        decisions.keys(tables, rows, getattr(agent, "seed", 0)),
        tables.views(rows) if getattr(agent, "wants_view", False) else None,
    )  # fmt: skip
    actions = np.asarray(agent.act(positions))
    if actions.shape != rows.shape or actions.dtype.kind not in "iu":
        told = f"{actions.dtype} {actions.shape}, not an integer for each of {len(rows)} positions"
        raise LomberError(f"{_name_of(agent)} gives {told}")
    return actions


class Others:
    """The agents of all seats but the learner's, playing until the learner is to act."""

    def __init__(self, agents: Sequence[Agent], tables: Tables, seed: int):
        self.decisions = Decisions(tables, seed)
        self._agents = list(agents)
        self._distinct = list({id(agent): agent for agent in agents}.values())
        self._which = np.array([next(i for i, a in enumerate(self._distinct) if a is agent) for agent in agents], np.int64)

    def play(self, tables: Tables, rows: NDArray[np.int64], learner: NDArray[np.int64], earned: NDArray[Any]) -> None:
        """Move at `rows` until at each the learner's seat (`learner[row]`) is to act or the table is finished.

        What the learner's seat earns meanwhile is added to `earned` (n,) float64.
        """
        while True:
            seats = tables.seat[rows]
            rows = rows[(seats >= 0) & (seats != learner[rows])]
            if not len(rows):
                return
            place = (tables.seat[rows] - learner[rows]) % tables.game.seats - 1  # seats after the learner's, from 0
            actions = np.zeros(len(rows), np.int64)
            for i, agent in enumerate(self._distinct):
                chosen = self._which[place] == i
                if chosen.any():
                    actions[chosen] = decide(agent, tables, rows[chosen], self.decisions)
            tables.step(actions, rows)
            earned[rows] += tables.reward[rows, learner[rows]]


def checked_seat(seat: int | str, game: Game) -> int | str:
    """`seat` as the faces take it: an integer, 'rotate' or 'random'; LomberError for anything else."""
    if isinstance(seat, str):
        if seat not in ("rotate", "random"):
            raise LomberError(f"seat is 0..{game.seats - 1}, 'rotate' or 'random', not {seat!r}")
    elif isinstance(seat, bool) or not hasattr(seat, "__index__") or not 0 <= int(seat) < game.seats:
        raise LomberError(f"seat is 0..{game.seats - 1}, 'rotate' or 'random', not {seat!r}")
    return seat if isinstance(seat, str) else int(seat)


def seats_of(seat: int | str, game: Game, key: np.uint64, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """The learner's seats (n,) in the episodes `ids` of a seed: a function of these alone."""
    if seat == "rotate":
        return ids % game.seats
    out = np.full(len(ids), 0 if seat == "random" else seat, np.int64)
    if seat == "random":
        draw_seats(key, np.ascontiguousarray(ids, np.int64), game.seats, out)
    return out
