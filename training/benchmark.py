"""How fast the games are: decisions per CPU second on one core, each row beside the yardstick of the same run.

    lomber bench piquet --seconds 0.6 --peers --json

A row and its yardstick (yardstick.py) take turns, five repeats each. The value is the median, the spread (max - min)
over the median, the ratio the median of the repeats' own ratios. The yardstick of a row does the same with plain whist
and an observation as wide: compiled loops beside compiled loops, batches beside batches of as many tables, a bare AEC
environment, the same in PettingZoo's three wrappers, a bare Gymnasium environment. Actions are random everywhere. CPU
time leaves out what other processes take, but not what they do to caches and clocks: measure on a quiet machine.
"""

import datetime
import importlib.metadata
import json as jsons
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from ..envs import GAMES, Tables, make_game
from ..envs.engine.game import Game, Scratch
from ..envs.engine.tables import random_actions
from .peers import ONE_THREAD, PEERS, Run, aec_games, measure, measure_peer
from .yardstick import Whist

REPEATS = 5
BATCHES = (1, 64, 1024, 8192)
VECTOR = 1024  # tables of the vector row
ROUNDS = 16  # calls of step in one turn of a batch
WIDTH = 140  # of tables that go to no terminal
YARDSTICK = "yardstick"

LOOP, LOOP_SEEN = "compiled loop", "compiled loop, observation and mask"
RAW_AEC, AEC = "AEC raw_env()", "AEC env()"
SINGLE, VECTORS = "Gymnasium single", f"Gymnasium vector {VECTOR}"
WARM, COLD = "start-up, filled cache", "start-up, empty cache"


def batch_row(n: int) -> str:
    return f"Tables {n}"


# What to reach for: a share of the yardstick; for start-up seconds.
AIMS = {
    "piquet": {LOOP: 0.4, LOOP_SEEN: 0.6, batch_row(1024): 0.6, batch_row(8192): 0.6, WARM: 1.0},
    "ombre": {LOOP_SEEN: 0.6, batch_row(1024): 0.6},
    "bouillotte": {LOOP_SEEN: 0.6, batch_row(1024): 0.6},
}

# Peer, its game and mode; our nearest row; how many times as fast the games of AIMS should be.
NEAREST: tuple[tuple[str, str, str, str, float | None], ...] = (
    ("open-spiel", "leduc_poker", "C++ rollouts", LOOP, None),
    ("open-spiel", "leduc_poker", "C++ bots", LOOP, None),
    ("open-spiel", "leduc_poker", "Python", batch_row(1), None),
    ("open-spiel", "hearts", "C++ rollouts", LOOP, 4.0),
    ("open-spiel", "hearts", "C++ bots", LOOP, 4.0),
    ("open-spiel", "hearts", "Python", batch_row(1), None),
    ("open-spiel", "skat", "C++ rollouts", LOOP, 4.0),
    ("open-spiel", "skat", "C++ bots", LOOP, 4.0),
    ("open-spiel", "skat", "Python", batch_row(1), None),
    ("rlcard", "leduc-holdem", "reset and step", batch_row(1), None),
    ("pettingzoo", "leduc_holdem_v4", "raw_env()", RAW_AEC, 3.0),
    ("pettingzoo", "leduc_holdem_v4", "env()", AEC, 2.0),
    ("pgx", "bridge_bidding", "batch 1024", batch_row(1024), 15.0),
    ("pgx", "bridge_bidding", "batch 1024", batch_row(8192), 15.0),
    ("pgx", "bridge_bidding", "batch 1024, scan", LOOP_SEEN, 15.0),
)


@dataclass(frozen=True)
class Row:
    """A measured row: decisions per CPU second, or start-up seconds. `against` a peer, the yardstick is the peer's."""

    game: str
    row: str
    value: float | None = None
    spread: float | None = None
    yardstick: float | None = None
    yardstick_spread: float | None = None
    ratio: float | None = None
    aim: float | None = None  # of the ratio; start-up: of the value
    against: str = YARDSTICK
    note: str = ""

    @property
    def seconds(self) -> bool:
        return self.row in (WARM, COLD)


def run(games: list[str], seconds: float, peers: bool, peer_python: str | None, json: bool) -> int:
    """Measure `games`, `seconds` of CPU a repeat, and print; `peers` as `peer_python`, or this Python, has them."""
    chosen = [make_game(name) for name in games]
    machine = machine_state()
    progress = Console(stderr=True)
    rows: list[Row] = []
    with progress.status("") as status:
        for game in chosen:
            rows += measure_game(game, seconds, status.update)
        for peer in PEERS if peers or peer_python else ():
            status.update(f"peer: {peer}")
            rows += compare(peer, peer_python or sys.executable, chosen, seconds)
    machine["load at the end"] = load()
    if json:
        print(jsons.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}, indent=1))
    else:
        show(machine, rows)
    return 0


def measure_game(game: Game, seconds: float, told: Callable[[str], None]) -> Iterator[Row]:
    """All rows of a game, one after the other; `told` hears which is next."""
    for name, ours, yardstick in pairs(game):
        told(f"{game.name}: {name}")
        try:
            runs = [ours(), yardstick()]
        except ImportError as error:
            yield Row(game.name, name, note=f"not built ({error})")
            continue
        mine, theirs = measure(runs, seconds, REPEATS)
        yield _row(game, name, mine, theirs, AIMS.get(game.name, {}).get(name))
    for name in (WARM, COLD):
        told(f"{game.name}: {name}")
        mine, theirs = measure_starts(game, name == COLD)
        yield _row(game, name, mine, theirs, AIMS.get(game.name, {}).get(name))


def _row(
    game: Game, name: str, mine: Sequence[float], theirs: Sequence[float], aim: float | None, against: str = YARDSTICK
) -> Row:
    ratio = statistics.median(a / b for a, b in zip(mine, theirs, strict=True))
    return Row(game.name, name, *_summary(mine), *_summary(theirs), ratio, aim, against)


def _summary(values: Sequence[float]) -> tuple[float, float]:
    middle = statistics.median(values)
    return middle, (max(values) - min(values)) / middle


# What is measured: our run and the yardstick's, made when their turn comes.


def pairs(game: Game) -> list[tuple[str, Callable[[], Run], Callable[[], Run]]]:
    """(row, our run, the yardstick's), all but start-up."""
    width = game.observation_size
    return [
        (LOOP, partial(loop_run, game, False), partial(whist_loop, width, False)),
        (LOOP_SEEN, partial(loop_run, game, True), partial(whist_loop, width, True)),
        *((batch_row(n), partial(tables_run, game, n), partial(whist_batch, width, n)) for n in BATCHES),
        (RAW_AEC, partial(raw_aec_run, game), partial(whist_aec, width, False)),
        (AEC, partial(aec_run, game), partial(whist_aec, width, True)),
        (SINGLE, partial(single_run, game), partial(whist_single, width)),
        (VECTORS, partial(vector_run, game), partial(whist_batch, width, VECTOR)),
    ]


def loop_run(game: Game, seen: bool, episodes: int = 100) -> Run:
    """Whole episodes in compiled code, other ones each time."""
    own, states = Scratch(game, 1), np.zeros(1, game.state_dtype)
    played = 0

    def run() -> int:
        nonlocal played
        played += 1
        decisions, _ = game.loops.play_random(
            game.rules, states, own.view, own.final, own.mask, own.observation, own.seat, own.reward, own.paid, own.after,
            own.dealt, np.uint64(played), episodes, seen,
        )  # fmt: skip
        return int(decisions)

    return run


class Draws:
    """Random legal actions for n tables, drawn in compiled code."""

    def __init__(self, n: int):
        self._keys = np.arange(n, dtype=np.uint64) << np.uint64(32)
        self.actions = np.zeros(n, np.int64)

    def __call__(self, mask: NDArray[np.int8]) -> NDArray[np.int64]:
        np.add(self._keys, np.uint64(1), out=self._keys)
        random_actions(mask, self._keys, self.actions)
        return self.actions


def tables_run(game: Game, n: int) -> Run:
    """Tables stepped from Python, well mixed: no two need be at the same point of a deal."""
    tables, draws = Tables(game, n, seed=1), Draws(n)
    tables.reset()

    def run() -> int:
        for _ in range(ROUNDS):
            tables.step(draws(tables.action_mask))
        return ROUNDS * n

    for _ in range(4):
        run()
    return run


def raw_aec_run(game: Game) -> Run:
    from ..envs.faces.aec import RawEnv

    return aec_games(RawEnv(game))


def aec_run(game: Game) -> Run:
    from ..envs.faces.aec import factories

    env, _ = factories(game.name)
    return aec_games(env())


def single_games(env: Any) -> Run:
    """One episode of a Gymnasium environment; the learner's decisions alone count."""
    draw = random.Random(1).random

    def run() -> int:
        _, info = env.reset()
        decisions, over = 0, False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(legal[int(draw() * len(legal))]))
            decisions += 1
        return decisions

    return run


def single_run(game: Game) -> Run:
    from ..envs.faces.single import SingleEnv

    return single_games(SingleEnv(game, opponents="random"))


def vector_run(game: Game) -> Run:
    """Gymnasium's vector face; the learners' decisions alone count, the agent `random` makes the others'."""
    from ..envs.faces.vector import TablesVectorEnv

    envs, draws = TablesVectorEnv(VECTOR, game, opponents="random"), Draws(VECTOR)
    _, first = envs.reset(seed=1)
    infos = [first]

    def run() -> int:
        for _ in range(ROUNDS):
            _, _, _, _, infos[0] = envs.step(draws(infos[0]["action_mask"]))
        return ROUNDS * VECTOR

    return run


def whist_loop(width: int, seen: bool) -> Run:
    whist = Whist(1, width)
    return lambda: whist.play(200, seen)


def whist_batch(width: int, n: int) -> Run:
    whist = Whist(n, width)
    whist.begin()

    def run() -> int:
        for _ in range(ROUNDS):
            whist.step()
        return ROUNDS * n

    return run


def whist_aec(width: int, wrapped: bool) -> Run:
    from .yardstick_faces import WhistAEC, wrapped_aec

    return aec_games(wrapped_aec(width) if wrapped else WhistAEC(width))


def whist_single(width: int) -> Run:
    from .yardstick_faces import WhistSingle

    return single_games(WhistSingle(width))


# Start-up, each in a process of its own: wall-clock seconds from before the first import until after the first step.

_TIMED = "import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"
_OURS = (
    "import numpy, lomber.envs; lomber.envs.GAMES[{name!r}] = {module!r}; "
    "tables = lomber.envs.Tables(lomber.envs.make_game({name!r}), 1); tables.reset(); "
    "tables.step([int(numpy.flatnonzero(tables.action_mask[0])[0])])"
)
_WHIST = "from lomber.training.yardstick import Whist; whist = Whist(1, {width}); whist.begin(); whist.step()"


def measure_starts(game: Game, cold: bool) -> tuple[list[float], list[float]]:
    """Seconds of our start and of the yardstick's: once with an empty cache, or five times with a filled one."""
    ours = _OURS.format(name=game.name, module=GAMES[game.name])
    whist = _WHIST.format(width=game.observation_size)
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            return [start_seconds(ours, folder)], [start_seconds(whist, folder)]
    for code in (ours, whist):
        start_seconds(code)
    taken = [(start_seconds(ours), start_seconds(whist)) for _ in range(REPEATS)]
    return [mine for mine, _ in taken], [theirs for _, theirs in taken]


def start_seconds(code: str, cache: str | None = None) -> float:
    environment = {**os.environ, **ONE_THREAD} | ({"LOMBER_CACHE_DIR": cache} if cache else {})
    command = [sys.executable, "-c", _TIMED.format(code=code)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"a start-up failed: {done.stderr.strip()}")
    return float(done.stdout.split()[-1])


# Peers.


def compare(peer: str, python: str, games: Sequence[Game], seconds: float) -> list[Row]:
    """Our nearest rows, measured anew right after the peer's, against it."""
    found = measure_peer(python, peer, seconds, REPEATS)
    rows = [Row("", "", against=peer, note=row["note"]) for row in found if "note" in row]
    values = {(row["game"], row["mode"]): row for row in found if "values" in row}
    for game in games:
        runs = {name: ours for name, ours, _ in pairs(game)}
        fresh: dict[str, list[float]] = {}
        for nearest, theirs, mode, name, aim in NEAREST:
            if nearest != peer or (theirs, mode) not in values:
                continue
            if name not in fresh:
                fresh[name] = measure([runs[name]()], seconds, REPEATS)[0]
            told = values[theirs, mode]
            against = f"{peer} {told['version']} {theirs}, {mode}"
            wanted = aim if game.name in AIMS else None
            rows.append(_row(game, name, fresh[name], told["values"], wanted, against))
    return rows


# What is printed.


def machine_state() -> dict[str, str]:
    """What a number depends on: when, on what, with which versions."""
    names = ("lomber", "numpy", "numba", "gymnasium", "pettingzoo")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": f"{cpu_model()}, {cores} cores",
        "python": platform.python_version(),
        "versions": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names),
        "load at the start": load(),
    }


def cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def load() -> str:
    """How many processes ran or waited, over the last minute and the last five."""
    if not hasattr(os, "getloadavg"):
        return "unknown"
    one, five, _ = os.getloadavg()
    return f"{one:.2f} {five:.2f}"


def show(machine: dict[str, str], rows: Sequence[Row]) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    for name, value in machine.items():
        console.print(f"{name}: {value}", highlight=False)
    console.print(f"decisions per CPU second on one core, median of {REPEATS}; start-up in seconds", highlight=False)
    for game in dict.fromkeys(row.game for row in rows if row.game):
        own = [row for row in rows if row.game == game]
        console.print(_table(game, "yardstick", [row for row in own if row.against == YARDSTICK]))
        compared = [row for row in own if row.against != YARDSTICK]
        if compared:
            console.print(_table(f"{game} and the nearest of other suites", "theirs", compared))
    for row in rows:
        if not row.game:
            console.print(f"{row.against}: {row.note}", highlight=False)


def _table(title: str, theirs: str, rows: Sequence[Row]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in ("row", "ours", "spread", theirs, "spread", "ratio", "to reach"):
        table.add_column(heading, justify="left" if heading == "row" else "right", no_wrap=True)
    table.add_column("against" if theirs != YARDSTICK else "note")
    for row in rows:
        table.add_row(row.row, *_cells(row), row.note or ("" if row.against == YARDSTICK else row.against))
    return table


def _cells(row: Row) -> list[str]:
    if row.value is None or row.yardstick is None:
        return ["-"] * 6
    shown = (lambda x: f"{x:.2f} s") if row.seconds else readable
    aim = "" if row.aim is None else f"{row.aim:g} s" if row.seconds else f"{row.aim:g}"
    spreads = f"{row.spread:.0%}", f"{row.yardstick_spread:.0%}"
    return [shown(row.value), spreads[0], shown(row.yardstick), spreads[1], f"{row.ratio:.2f}", aim]


def readable(rate: float) -> str:
    """Three digits: 3.14M, 31.4k."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= unit:
            return f"{rate / unit:.3g}{letter}"
    return f"{rate:.3g}"
