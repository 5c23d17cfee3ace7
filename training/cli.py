"""The command `lomber`. torch is loaded only inside the commands that train."""

import json as jsons
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..envs import GAMES, LomberError, make_game

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Card games of the old card table, for learning machines.")


@app.command()
def games() -> None:
    """List the games: presets, seats, actions, size of an observation."""
    table = Table()
    for heading in ("game", "presets (first: default)", "seats", "actions", "observation", "id"):
        table.add_column(heading)
    for name in GAMES:
        game = make_game(name)
        presets = ", ".join(game.spec.presets)
        table.add_row(name, presets, str(game.seats), str(game.num_actions), str(game.observation_size), game.id)
    Console().print(table)


@app.command()
def warm(names: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None) -> None:
    """Compile every game once, into the cache; each game in a process of its own, two at a time."""
    from .warm import warm_game

    wanted = names or list(GAMES)
    for name in wanted:
        make_game(name)
    if len(wanted) == 1:
        seconds = warm_game(wanted[0])
        print(f"{wanted[0]}: compiled or found in {seconds:.1f} s")
        return
    waiting = list(wanted)
    running: dict[str, subprocess.Popen[bytes]] = {}
    while waiting or running:
        while waiting and len(running) < 2:
            name = waiting.pop(0)
            running[name] = subprocess.Popen([sys.executable, "-m", "lomber.training.cli", "warm", name])
        for name, process in list(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode:
                    raise LomberError(f"compiling {name} failed")
        time.sleep(0.05)


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="a record or a view, as text or JSON; - is standard input")],
    json: Annotated[bool, typer.Option("--json", help="print it as JSON instead")] = False,
    until: Annotated[int | None, typer.Option(help="stop after so many moves")] = None,
) -> None:
    """Play a recorded deal through the rules and show it; of a view, show what its seat knows."""
    from ..envs.engine import records
    from ..envs.render import table_text

    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    document = records.loads(text)
    if json:
        print(jsons.dumps(document.to_json()))
        return
    game = make_game(document.game, document.preset, **document.options)
    if isinstance(document, records.View):
        view = records.from_view(document)
        print(document)
        print(table_text(game.spec.picture.table_picture(game, view[0], document.seat)))
        return
    states = records.replay(document, until)
    print(records.record_of(game, states))
    print(table_text(game.spec.picture.table_picture(game, states[0], None)))


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None,
    seconds: Annotated[float, typer.Option(help="CPU seconds of each repeat of a row")] = 0.6,
    peers: Annotated[bool, typer.Option("--peers", help="measure the installed peers in the same run")] = False,
    peer_python: Annotated[str | None, typer.Option(help="a Python in which the peers are installed")] = None,
    json: Annotated[bool, typer.Option("--json", help="print rows as JSON")] = False,
) -> None:
    """Measure decisions per CPU second on one core, beside a yardstick of the same run."""
    from .benchmark import run

    raise typer.Exit(run(names or list(GAMES), seconds, peers, peer_python, json))


@app.command()
def train(
    game: Annotated[str, typer.Argument(help="a game; its recipe is configs/train/<game>.yaml")],
    overrides: Annotated[list[str] | None, typer.Argument(help="recipe keys to change: key=value")] = None,
    out: Annotated[Path | None, typer.Option(help="the folder of the run; runs/<game> by default")] = None,
) -> None:
    """Train a policy by self-play and show what it achieved against random."""
    if game not in GAMES:
        make_game(game)
    try:
        from .recipe import load_recipe
        from .train import train as run
    except ImportError as error:
        raise LomberError(f"training needs more packages ({error}): pip install 'lomber[all]'") from error
    result = run(load_recipe(game, overrides), out or Path("runs") / game)
    if result.interval[0] <= 0:
        print("the policy is not clearly better than random: the interval does not lie above zero", file=sys.stderr)
        raise typer.Exit(1)


def main() -> None:
    """Run the command; an error of the library is told in one line, exit status 2."""
    try:
        app()
    except (LomberError, OSError) as error:
        print(f"lomber: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
