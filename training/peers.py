"""How fast other suites are on this machine: the nearest games of open-spiel, rlcard, pettingzoo and pgx.

Runs as a script of its own under any Python from 3.9 on, which needs no lomber, one peer a process, on one core:

    python peers.py --seconds 0.6 --repeats 5 pgx

It prints JSON lines {peer, version, game, mode, values}; `values` are decisions per CPU second, one of each repeat. A
decision is a choice of one seat; deals and other chance moves and the `step(None)` of finished agents take time and are
not counted. A peer that is not installed prints {peer, note}. `measure_peer` runs it for `lomber bench --peers`.
"""

import argparse
import contextlib
import importlib
import importlib.metadata
import json
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

PEERS = ("open-spiel", "rlcard", "pettingzoo", "pgx")
ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu",
    "PYTHONSAFEPATH": "1",  # else the modules beside this file could stand in for a peer's own
}  # fmt: skip
TIMEOUT = 900.0  # seconds beyond the measuring itself: imports, compilation

Run = Callable[[], int]  # play some decisions, say how many
Job = tuple[str, str, Run]  # game, mode, what to measure

_random = random.Random(1).random


def measure(runs: Sequence[Run], seconds: float, repeats: int) -> list[list[float]]:
    """Decisions per CPU second of this process for each run, one value a repeat of at least `seconds` CPU seconds.

    The runs take turns within a repeat, so that all of them see the machine in the same state.
    """
    for run in runs:
        run()
    values: list[list[float]] = [[] for _ in runs]
    for _ in range(repeats):
        for run, found in zip(runs, values):  # strict= needs Python 3.10
            decisions, spent, start = 0, 0.0, time.process_time()
            while not decisions or spent < seconds:
                decisions += run()
                spent = time.process_time() - start
            found.append(decisions / max(spent, 1e-9))
    return values


def measure_peer(python: str, peer: str, seconds: float, repeats: int) -> list[dict[str, Any]]:
    """The rows of a peer under `python`, the path of an interpreter; a note where it has none or fails."""
    command = [python, __file__, "--seconds", str(seconds), "--repeats", str(repeats), peer]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env={**os.environ, **ONE_THREAD, "TMPDIR": folder},
                timeout=TIMEOUT + 50 * repeats * seconds, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return [{"peer": peer, "note": f"failed: {type(error).__name__}"}]
    rows: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        rows.append({"peer": peer, "note": f"failed: {last[:120]}"})
    return rows


# OpenSpiel.


def open_spiel_jobs(seconds: float) -> Iterator[Job]:
    """Leduc poker and two trick-taking games: in C++, and one game from Python with mask and observation."""
    pyspiel = importlib.import_module("pyspiel")
    for name in ("leduc_poker", "hearts", "skat"):
        game = pyspiel.load_game(name)
        length = _mean_length(pyspiel, game, seconds)
        yield name, "C++ rollouts", _rollouts(pyspiel, game, length)
        yield name, "C++ bots", _bots(pyspiel, game, length)
        yield name, "Python", _python_games(pyspiel, game)


def _chance(pyspiel: Any, state: Any) -> int:
    outcomes = state.chance_outcomes()
    if outcomes[0][1] == outcomes[-1][1]:  # the deals of these games are uniform
        return int(outcomes[int(_random() * len(outcomes))][0])
    return int(pyspiel.sample_action(outcomes, _random())[0])


def _play(pyspiel: Any, game: Any, observe: "Callable[[Any], None] | None") -> int:
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_chance(pyspiel, state))
            continue
        if observe is not None:
            observe(state)
        legal = state.legal_actions()
        state.apply_action(legal[int(_random() * len(legal))])
        decisions += 1
    state.returns()
    return decisions


def _mean_length(pyspiel: Any, game: Any, seconds: float) -> float:
    """Mean number of decisions of a random game: C++ does not tell."""
    decisions = games = 0
    stop = time.process_time() + seconds
    while games < 100 or time.process_time() < stop:
        decisions += _play(pyspiel, game, None)
        games += 1
    return decisions / games


def _rollouts(pyspiel: Any, game: Any, length: float) -> Run:
    """Rollouts in C++ from one dealt state: no deals, no observation.

    The first of two simulations evaluates the root by `many` rollouts, the second a child of it, one decision shorter.
    """
    many = 500
    evaluator = pyspiel.RandomRolloutEvaluator(many, 5)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 2, 64, False, 3, False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_chance(pyspiel, state))

    def run() -> int:
        bot.step(state)
        return int(many * (2 * length - 1))

    return run


def _bots(pyspiel: Any, game: Any, length: float) -> Run:
    """Whole games in C++, deals included, by OpenSpiel's own uniform bots; no observation."""
    bots = [pyspiel.make_uniform_random_bot(player, 10 + player) for player in range(game.num_players())]
    many = 20

    def run() -> int:
        for _ in range(many):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, int(_random() * 2**31))
        return int(many * length)

    return run


def _python_games(pyspiel: Any, game: Any) -> Run:
    """Games through the bindings, mask and observation (or else the information state) as numpy arrays."""
    np = importlib.import_module("numpy")
    observation = importlib.import_module("open_spiel.python.observation")
    kind = None
    if not game.get_type().provides_observation_tensor:
        kind = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER)
    observer = observation.make_observation(game, kind)

    def observe(state: Any) -> None:
        np.array(state.legal_actions_mask(), np.int8)
        observer.set_from(state, state.current_player())

    return lambda: _play(pyspiel, game, observe)


# RLCard and PettingZoo.


def rlcard_jobs(seconds: float) -> Iterator[Job]:
    """Leduc hold'em: reset and step, which builds the observation."""
    env = importlib.import_module("rlcard").make("leduc-holdem", config={"seed": 1})

    def run() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(_random() * len(legal))])
            decisions += 1
        env.get_payoffs()
        return decisions

    yield "leduc-holdem", "reset and step", run


def pettingzoo_jobs(seconds: float) -> Iterator[Job]:
    """Leduc hold'em, bare and in the customary wrappers."""
    classic = importlib.import_module("pettingzoo.classic.leduc_holdem_v4")
    for mode, make in (("raw_env()", classic.raw_env), ("env()", classic.env)):
        env = make()
        env.reset(seed=1)
        yield "leduc_holdem_v4", mode, aec_games(env)


def aec_games(env: Any) -> Run:
    """One episode through the AEC interface, legal actions at random."""
    flatnonzero = importlib.import_module("numpy").flatnonzero

    def run() -> int:
        env.reset()
        decisions = 0
        while env.agents:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = flatnonzero(observation["action_mask"])
            env.step(int(legal[int(_random() * len(legal))]))
            decisions += 1
        return decisions

    return run


# Pgx.

PGX_GAMES, PGX_STEPS = 1024, 8


def pgx_jobs(seconds: float) -> Iterator[Job]:
    """Bridge bidding, 1024 games in a batch, observation and mask included: one step a call, and eight."""
    jax = importlib.import_module("jax")
    step = importlib.import_module("pgx.experimental.wrappers").auto_reset
    env = _bridge_bidding()
    steps = jax.vmap(step(env.step, env.init))

    def act(carry: Any, _: Any) -> Any:
        state, key = carry
        draws, resets, key = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(draws, logits, axis=-1)
        state = steps(state, action, jax.random.split(resets, PGX_GAMES))
        seen = state.observation.astype("float32").sum() + state.legal_action_mask.sum() + state.rewards.sum()
        return (state, key), seen  # asked for, so that nothing is left out

    def scan(carry: Any, _: Any) -> Any:
        return jax.lax.scan(act, carry, None, length=PGX_STEPS)

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), PGX_GAMES)), jax.random.PRNGKey(1)
    for mode, function, each in ((f"batch {PGX_GAMES}", act, 1), (f"batch {PGX_GAMES}, scan", scan, PGX_STEPS)):
        yield "bridge_bidding", mode, _pgx_run(jax, jax.jit(function), start, each)


def _pgx_run(jax: Any, function: Any, start: Any, each: int) -> Run:
    carry = [start]

    def run() -> int:
        carry[0], total = function(carry[0], None)
        jax.block_until_ready((carry[0], total))
        return each * PGX_GAMES

    return run


def _bridge_bidding() -> Any:
    """The game over a table of random deals: its real table of solved deals is a download, and plays no faster."""
    np = importlib.import_module("numpy")
    rng = np.random.default_rng(0)
    deals = 5000
    owner = np.repeat(np.arange(4), 13)[rng.permuted(np.tile(np.arange(52), (deals, 1)), axis=1)]  # card -> seat
    keys, values = np.zeros((deals, 4), np.int64), np.zeros((deals, 4), np.int64)
    tricks = rng.integers(0, 14, (deals, 4, 5))
    for suit in range(4):
        for card in range(13):
            keys[:, suit] = keys[:, suit] * 4 + owner[:, 13 * suit + card]
    for strain in range(5):
        values = values * 16 + tricks[:, :, strain]
    path = os.path.join(tempfile.gettempdir(), f"bridge_deals_{os.getpid()}.npy")
    np.save(path, np.stack([keys, values]).astype(np.int32))
    try:
        return importlib.import_module("pgx.bridge_bidding").BridgeBidding(path)
    finally:
        with contextlib.suppress(OSError):
            os.remove(path)


JOBS = {"open-spiel": open_spiel_jobs, "rlcard": rlcard_jobs, "pettingzoo": pettingzoo_jobs, "pgx": pgx_jobs}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure one peer; print JSON lines.")
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core: jax has a thread for each
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        version = importlib.metadata.version(given.peer)
        for game, mode, run in JOBS[given.peer](given.seconds):
            values = measure([run], given.seconds, given.repeats)[0]
            row = {"peer": given.peer, "version": version, "game": game, "mode": mode, "values": values}
            print(json.dumps(row), flush=True)
    except ImportError as error:  # PackageNotFoundError too
        print(json.dumps({"peer": given.peer, "note": f"not installed ({error})"}), flush=True)


if __name__ == "__main__":
    main()
