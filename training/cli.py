"""The command `lomber`. torch is loaded only inside the commands that train."""

import functools
import importlib.metadata
import math
import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..envs import GAMES, LomberError, make_game
from . import commands
from .files import read_text

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Card games of the old card table, for learning machines.")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"lomber {importlib.metadata.version('lomber')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and stop")
    ] = False,
) -> None:
    """Card games of the old card table, for learning machines."""


@app.command()
def games() -> None:
    """List the games, a line each: seats, actions, size of an observation, id, presets (the first is the default)."""
    for name in GAMES:
        game = make_game(name)
        seats = [make_game(name, preset).seats for preset in game.spec.presets]
        many = f"{min(seats)} to {max(seats)}" if min(seats) < max(seats) else f"{game.seats}"
        sizes = f"{many:>6} seats  {game.num_actions:4} actions  {game.observation_size:5} floats"
        print(f"{name:12}{sizes}  {game.id:14}{', '.join(game.spec.presets)}")


@app.command()
def warm(names: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None) -> None:
    """Compile every game once, into the cache: a process a game, as many at a time as there are cores."""
    from .warm import warm_game, warm_games

    wanted = list(dict.fromkeys(names or GAMES))
    for name in wanted:
        make_game(name)
    if len(wanted) > 1:
        warm_games(wanted)
    else:
        print(f"{wanted[0]}: compiled or found in {warm_game(wanted[0]):.1f} s", flush=True)


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="a record or a view, as text or JSON; - is standard input")],
    json: Annotated[bool, typer.Option("--json", help="print it as JSON instead, forced moves and points put in")] = False,
    until: Annotated[int | None, typer.Option(min=0, help="stop after so many moves (of a view: events)")] = None,
) -> None:
    """Play a recorded deal through the rules and show it move by move; of a view, show what its seat knows."""
    from ..envs.engine import records
    from .replay import show
    from .warm import announce

    document = records.loads(read_text(file))
    announce(records.game_of(document))
    unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    print(show(document, until, json, unicode), end="")


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="games, all if none is named; or: train GAME key=value ...")
    ] = None,
    seconds: Annotated[float, typer.Option(help="CPU seconds of each repeat of a row")] = 0.6,
    peers: Annotated[bool, typer.Option("--peers", help="measure the installed peers in the same run")] = False,
    peer_python: Annotated[str | None, typer.Option(help="a Python in which the peers are installed")] = None,
    json: Annotated[bool, typer.Option("--json", help="print rows as JSON")] = False,
) -> None:
    """Measure decisions per CPU second on one core, beside a yardstick of the same run.

    `lomber bench train piquet` measures learn() by the game's recipe, beside inference and update alone.
    """
    if not (math.isfinite(seconds) and seconds > 0):
        raise LomberError(f"--seconds is a number of CPU seconds above 0, not {seconds}")
    if peer_python is not None and not shutil.which(peer_python):
        raise LomberError(f"--peer-python: there is no program {peer_python!r}")
    from .warm import announce

    if names and names[0] == "train":
        if peers or peer_python:
            raise LomberError("bench train knows no peers")
        game, overrides = (names[1], names[2:]) if names[1:] and "=" not in names[1] else ("piquet", names[1:])
        played = make_game(game)
        try:
            from .bench_train import run as run_training
        except ImportError as error:
            raise LomberError(f"training needs more packages ({error}): pip install 'lomber[all]'") from error
        announce(played)
        raise typer.Exit(run_training(game, overrides, seconds, json))
    from .benchmark import run

    announce(*(make_game(name) for name in names or GAMES))
    raise typer.Exit(run(names or list(GAMES), seconds, peers, peer_python, json))


@app.command()
def train(
    game: Annotated[str, typer.Argument(help="a game; its recipe is configs/train/<game>.yaml")],
    overrides: Annotated[list[str] | None, typer.Argument(help="recipe keys to change: key=value")] = None,
    recipe: Annotated[
        str | None, typer.Option(metavar="VARIANT|FILE", help="a variant that the recipe has, as full; or another YAML file")
    ] = None,
    out: Annotated[str | None, typer.Option(help="the folder of the run; runs/<game> or runs/<game>-<variant>")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the run in the folder, exactly")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="begin anew over the run in the folder")] = False,
) -> None:
    """Train a policy by self-play and show what it achieved; exit status 1 if it misses the recipe's goal.

    The goal, unless the recipe has another: its points against random, their interval above half a standard deviation per
    deal. Ctrl-C leaves a checkpoint, status 130.
    """
    played = make_game(game)
    try:
        from .recipe import load_recipe, variants_of
        from .report import missed
        from .train import resumed_recipe
        from .train import train as run
        from .warm import announce
    except ImportError as error:
        raise LomberError(f"training needs more packages ({error}): pip install 'lomber[all]'") from error
    variant = f"-{recipe}" if recipe in variants_of(game) else ""
    if resume and (overwrite or (recipe and not variant)):
        raise LomberError("--resume keeps the recipe of its folder: it goes with neither a file as --recipe nor --overwrite")
    if out is not None and not out.strip():
        raise LomberError("--out names the folder of the run: it cannot be empty")
    folder = Path(out) if out else Path("runs") / f"{game}{variant}"
    wanted = resumed_recipe(game, folder, overrides) if resume else load_recipe(game, overrides, recipe)
    announce(played)
    try:
        results = run(wanted, folder, resume=resume, overwrite=overwrite)
    except KeyboardInterrupt as stopped:
        print(f"lomber: {str(stopped) or 'stopped before anything was learnt'}", file=sys.stderr)
        raise typer.Exit(130) from None
    if told := missed(results, wanted, load_recipe(game, [], recipe).decisions):
        print(f"lomber: the trained policy misses its goal: {'; '.join(told)}", file=sys.stderr)
        raise typer.Exit(1)


for command in (
    commands.evaluate, commands.measure, commands.exploit, commands.agents, commands.play, commands.advise, commands.plot,
    commands.export,
):  # fmt: skip
    app.command()(command)


def _stoppable(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with a Ctrl-C told in one line, status 130."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt as stopped:
            print(f"lomber: {str(stopped) or 'stopped'}", file=sys.stderr)
            raise typer.Exit(130) from None

    return run


for registered in app.registered_commands:
    registered.callback = _stoppable(registered.callback)  # type: ignore[arg-type]


def main() -> None:
    """Run the command; an error of the library is told in one line, exit status 2, a warning in one line too."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without some sign shows another: that stops no command
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: print(f"lomber: warning: {message}", file=sys.stderr)
            app()
    except (LomberError, OSError) as error:
        of_file = (
            f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.strerror and error.filename else None
        )
        print(f"lomber: {of_file or error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
