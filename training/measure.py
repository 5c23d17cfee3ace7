"""What `lomber measure` does: an agent's points against its yardsticks, the time of its moves, the time it takes to load.

What is known of a figure is written into the file every minute, in one step: what was stopped goes on where it was.
"""

import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent, Positions
from ..agents.listing import read_measured
from ..agents.registry import agent_names, load_agent
from ..envs.engine.errors import LomberError, cut
from ..envs.engine.game import Game
from .benchmark import cpu_model
from .evaluate import evaluate, play_out
from .files import write_whole

MOVES, SECONDS = 300, 20.0  # of a move's time: as many moves, or so much of CPU
PART = 60.0  # seconds of play between two notes of a figure, about
LOADS = 3  # processes that load the agent; the median counts
LOAD = """
import json, sys, time
from lomber.agents.advice import position_of
from lomber.agents.registry import load_agent
from lomber.envs import make_game
name, game, preset, options = json.loads(sys.argv[1])
game = make_game(game, preset, **options)
states = game.begin(1)
position = position_of(game, game.hide(states, states["seat"]), 1)
started = time.perf_counter()
load_agent(name, game).act(position)
print(time.perf_counter() - started)
"""


class Timed:
    """An agent, and the CPU seconds of each time it was asked."""

    def __init__(self, agent: Agent):
        self.name, self.seed, self.wants_view = agent.name, agent.seed, agent.wants_view
        self.agent = agent
        self.spent: list[float] = []

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """What the agent plays."""
        started = time.process_time_ns()
        actions = self.agent.act(positions)
        self.spent.append((time.process_time_ns() - started) / 1e9)
        return actions


def time_moves(game: Game, agent: Agent, seed: int, moves: int = MOVES) -> tuple[float, int]:
    """(median CPU microseconds of a move, how many were made): each asked for alone, in episodes against itself."""
    timed = Timed(agent)
    number = 0
    while len(timed.spent) < moves and sum(timed.spent) < SECONDS:
        play_out(game, [timed] * game.seats, np.array([number]), seed)
        number += 1
    return 1e6 * statistics.median(timed.spent), len(timed.spent)


def time_loading(game: Game, name: str) -> float:
    """Wall milliseconds from an agent's name to its first move, in a fresh process; the median of LOADS."""
    told = json.dumps([name, game.name, game.preset, game.changed_options])
    found = []
    for _ in range(LOADS):
        done = subprocess.run([sys.executable, "-c", LOAD, told], capture_output=True, text=True, check=False)
        if done.returncode:
            raise LomberError(f"{name} did not load: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        found.append(float(done.stdout.split()[-1]))
    return 1e3 * statistics.median(found)


def yardsticks(game: Game) -> list[str]:
    """Whom an agent is measured against: random, and the game's heuristic where there is one."""
    return [name for name in ("random", f"{game.name}/heuristic") if name in agent_names(game)]


def measure(name: str, game: Game, against: Sequence[str], ids: int, seed: int, file: Path, again: bool) -> None:
    """Measure one agent and note each figure in `file`; with not `again`, what it holds of that many ids is left as it is, and
    what it holds of a part of them is gone on with.

    LomberError: there is no such agent, or it is the path of a policy, whose JSON tells its strength.
    """
    known = agent_names(game)
    if name.partition(":")[0] not in known:
        hint = "a policy's folder says in its JSON how strong it is"
        raise LomberError(f"agents are measured by their names ({', '.join(known)}), not {cut(name)}; {hint}")
    agent = load_agent(name, game)
    measured = False
    for opponent in against:
        held = [] if again else _held(_noted(file, game, name), opponent, game, seed)
        if opponent == name or any(one["ids"] >= ids for one in held if "of" not in one):
            continue
        started = time.perf_counter()
        begun = next((one for one in held if "of" in one), None)
        for figure in _parts(game, agent, load_agent(opponent, game, 1), ids, seed, begun):
            noted = _noted(file, game, name)
            told = {"opponent": opponent, **figure, "seed": seed, **_circumstances(game)}
            others = [
                one for one in noted.get("strength", ()) if one["opponent"] != opponent or ("of" in told and "of" not in one)
            ]
            _note(file, game, name, {**noted, "strength": [*others, told]})
        shown = f"{told['mean']:+.2f} +-{told['half']:.2f} points an episode against {opponent}"
        print(f"{name}: {shown}, {told['ids']:,} ids, {time.perf_counter() - started:.0f} s", flush=True)
        measured = True
    if measured or again or "speed" not in _noted(file, game, name):
        median, moves = time_moves(game, agent, seed)
        speed = {"load_ms": round(time_loading(game, name)), "move_us": float(f"{median:.3g}"), "moves": moves}
        _note(file, game, name, {**_noted(file, game, name), "speed": {**speed, **_circumstances(game)}})
        shown = f"{speed['move_us']:g} us of CPU a move (median of {moves}), {speed['load_ms']} ms to load and make the first"
        print(f"{name}: {shown}", flush=True)


def _circumstances(game: Game) -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    date = datetime.datetime.now(datetime.UTC)
    played = {"preset": game.preset, "options": game.changed_options}
    return {**played, "machine": f"{cpu_model()}, {cores} cores", "date": f"{date:%Y-%m-%d}"}


def _noted(file: Path, game: Game, name: str) -> dict[str, Any]:
    return read_measured(file).get(game.name, {}).get(name, {})


def _held(noted: dict[str, Any], opponent: str, game: Game, seed: int) -> list[dict[str, Any]]:
    """What the file has of these deals: a figure, one that was not played to its end, both or none."""
    given = {"opponent": opponent, "seed": seed, "preset": game.preset, "options": game.changed_options}
    wanted = json.loads(json.dumps(given))
    return [one for one in noted.get("strength", ()) if {key: one.get(key) for key in wanted} == wanted]


def _parts(
    game: Game, agent: Agent, opponent: Agent, ids: int, seed: int, begun: dict[str, Any] | None
) -> Iterator[dict[str, float]]:
    """mean, half and ids after each part of the play, the next part of what `begun` holds; all but the last tell with `of` how
    many ids there shall be.
    """
    done, mean, half = (begun["ids"], begun["mean"], begun["half"]) if begun else (0, 0.0, 0.0)
    squares = (done - 1) * done * (half / 1.96) ** 2
    size = 2
    while done < ids:
        result = evaluate(game, agent, opponent, min(size, ids - done), seed, first=done)
        if result.seconds < PART / 2:
            size *= 2
        apart, done = result.mean - mean, done + result.n
        mean += apart * result.n / done
        squares += apart**2 * result.n * (done - result.n) / done + ((result.n - 1) * result.sd**2 if result.n > 1 else 0)
        half = 1.96 * math.sqrt(squares / (done - 1) / done)
        if done < ids:
            yield {"mean": mean, "half": half, "ids": done, "of": ids}
    yield {"mean": round(mean, 4), "half": round(half, 4), "ids": done}


def _note(file: Path, game: Game, name: str, noted: dict[str, Any]) -> None:
    """Write what is known of one agent into the file, in one step."""
    told = read_measured(file)
    told.setdefault(game.name, {})[name] = noted
    write_whole(file, f"{_as_text(told)}\n".encode())


def _as_text(told: Any, indent: str = "") -> str:
    """As JSON, a line a figure."""
    inner = f"{indent} "
    if isinstance(told, dict) and "machine" not in told:
        lines = [f"{inner}{json.dumps(key)}: {_as_text(value, inner)}" for key, value in told.items()]
        return "\n".join(["{", ",\n".join(lines), f"{indent}}}"])
    if isinstance(told, list):
        return "\n".join(["[", ",\n".join(f"{inner}{_as_text(value, inner)}" for value in told), f"{indent}]"])
    return json.dumps(told)
