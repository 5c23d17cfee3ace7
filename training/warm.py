"""Compile games once: call every entry point on a tiny input, so that later starts find them in the cache."""

import importlib
import importlib.util
import os
import subprocess
import sys
import time

import numpy as np

from ..agents import heuristic, search
from ..agents.policy import draw_actions
from ..agents.random import RandomAgent
from ..envs import GAMES, LomberError, make_game
from ..envs.engine import records
from ..envs.engine.game import Game, Scratch, seed_key
from ..envs.engine.jit import COMPILED, cache_folder
from ..envs.engine.tables import Tables, random_actions
from ..envs.faces.opponents import seats_of
from .evaluate import evaluate


def is_cold(game: Game) -> bool:
    """Whether the game has to be compiled before it can be played: its cache holds nothing, or there is no cache."""
    if not COMPILED:
        return False
    folder = cache_folder(str(importlib.import_module(GAMES[game.name]).__file__))
    return folder is None or next(folder.rglob("*.nbi"), None) is None


def announce(*games: Game) -> None:
    """Tell, on standard error, which games are compiled now: else the first start is silent for a minute."""
    for game in games:
        if is_cold(game):
            print(f"lomber: compiling {game.name} for the first time, about a minute ...", file=sys.stderr, flush=True)


def warm_games(names: list[str]) -> None:
    """Compile games, a process each, as many at a time as there are cores; LomberError names the one that failed."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    waiting, failed = list(names), []
    running: dict[str, subprocess.Popen[bytes]] = {}
    while waiting or running:
        while waiting and len(running) < cores:
            name = waiting.pop(0)
            running[name] = subprocess.Popen([sys.executable, "-m", "lomber.training.cli", "warm", name])
        for name in [name for name, process in running.items() if process.poll() is not None]:
            if running.pop(name).returncode:
                failed.append(name)
        time.sleep(0.05)
    if failed:
        raise LomberError(f"compiling {' and '.join(failed)} failed")


def warm_game(name: str) -> float:
    """Compile all entry points of a game; returns the seconds it took."""
    started = time.perf_counter()
    game = make_game(name)
    game.fresh()
    tables = Tables(game, 2)
    tables.reset()
    actions = np.zeros(2, np.int64)
    for number in range(3):
        random_actions(tables.action_mask, np.array([2 * number, 2 * number + 1], np.uint64), actions)
        tables.step(actions)
    tables.seen(np.zeros(2, np.int64))
    states = tables.states[:1].copy()
    seat = int(states[0]["seat"])
    tables.load(0, states)
    view = game.hide(states, seat)
    game.observe(view, seat)
    game.reveal(states)
    game.points(states)
    game.consistent(view, game.redeal(view, seat, 1), seat)
    records.from_view(records.view_of(game, states, seat))
    choice = int(np.flatnonzero(game.legal(states)[0])[0])
    game.meant(states, choice)
    game.advance(states, [choice])
    records.replay(records.record_of(game, states))
    seats_of("random", game, seed_key(0), np.arange(2))
    evaluate(game, RandomAgent(), RandomAgent(1), ids=2)
    heuristic.warm(game)
    search.warm(game, game.begin())
    draw_actions(np.zeros((2, game.num_actions), np.float32), tables.action_mask.copy(), np.zeros(2, np.uint64), actions)
    _warm_play(game)
    _warm_own(name)
    return time.perf_counter() - started


def _warm_play(game: Game) -> None:
    scratch = Scratch(game, 1)
    game.loops.play_random(
        game.rules, np.zeros(1, game.state_dtype), scratch.view, scratch.final, scratch.mask, scratch.observation,
        scratch.seat, scratch.reward, scratch.paid, scratch.after, scratch.dealt, seed_key(0), 1, False,
    )  # fmt: skip


def _warm_own(name: str) -> None:
    """Entry points of the game's own: its `positions.warm(game)`, where it has one."""
    if importlib.util.find_spec(f"{GAMES[name]}.positions"):
        importlib.import_module(f"{GAMES[name]}.positions").warm(make_game(name))
