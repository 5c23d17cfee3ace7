"""The commands that seat agents: evaluate, measure, agents, play, ... torch and onnxruntime are imported when used."""

import json as jsons
import math
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..agents.listing import STRENGTHS, list_agents, policy_row
from ..agents.plugins import clashes, strays
from ..agents.policy import SAMPLE, is_policy, read_about
from ..agents.registry import BUILT_IN, POLICIES, WEIGHTS, agent_names, load_agent
from ..envs import GAMES, LomberError, make_game
from ..envs.engine import records
from ..envs.engine.game import Game
from .files import read_text, write_whole

GameName = Annotated[str | None, typer.Option("--game", help="a game; by default the one that the agents play, else piquet")]
Preset = Annotated[str | None, typer.Option(help="a preset; by default the one that a policy was trained on")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="an option of the game, repeatable")]
Seed = Annotated[int, typer.Option(min=0, help="seed of the deals and of the agents' chance")]
Json = Annotated[bool, typer.Option("--json", help="print it as JSON")]


def evaluate(
    a: Annotated[str, typer.Argument(metavar="A", help="an agent's name, or the folder of a policy")],
    b: Annotated[str, typer.Argument(metavar="B", help="another; the folder with :sample behind it draws its moves")],
    ids: Annotated[int, typer.Option(min=2, help="episodes, each played in every seating")] = 10_000,
    seed: Seed = 1,
    json: Json = False,
    game: GameName = None,
    preset: Preset = None,
    option: Options = None,
    against: Annotated[
        str | None, typer.Option(metavar="C", help="play each of them against C instead: how much more A is above it")
    ] = None,
) -> None:
    """Play A against B in duplicate: the same episodes in every seating; how much A is above B, with a 95% interval."""
    from .evaluate import check_ids
    from .evaluate import evaluate as run
    from .warm import announce

    check_ids(ids)
    played = game_for([a, b] if against is None else [a, b, against], game, preset, option)
    third = None if against is None else load_agent(against, played, 1)
    first, second = load_agent(a, played), load_agent(b, played, 1 if third is None else 0)  # one place, one chance
    announce(played)
    result = run(played, first, second, ids, seed, against=third)
    if json:
        print(jsons.dumps(result.to_json()))
        return
    low, high = result.interval
    games = result.n * result.seatings
    alone = 1.96 * result.sd_single / math.sqrt(games)
    who = f"{a} against {b}" if third is None else f"{a} and {b}, each against {against}"
    print(f"{describe(played)}: {who}, seed {seed}, {result.n:,} episodes in {result.seatings} seatings")
    print(f"mean difference     {result.mean:+.2f} points an episode, 95% interval {low:+.2f} to {high:+.2f}")
    print(f"standard deviation  {result.sd:.2f} of an episode's seatings together: +-{(high - low) / 2:.2f}")
    print(f"  not in duplicate  {result.sd_single:.2f} of a game: +-{alone:.2f} from as many games, each dealt anew")
    print(
        f"speed               {result.deals:,} deals in {result.seconds:.1f} s: {result.deals / result.seconds:,.0f} deals/s"
    )


def exploit(
    game: Annotated[str, typer.Argument(help="a game for two seats, small enough: bouillotte with the preset mini")],
    agent: Annotated[
        list[str] | None, typer.Option(help="an agent's name or a policy's folder, repeatable; random if none")
    ] = None,
    preset: Preset = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """How much a best response wins from an agent, in points a deal: exact, over all deals and all positions of a small game.

    The folder of a policy with :sample behind it is measured as it draws its moves, without as it takes the best.
    """
    from .exploit.deals import check_listed
    from .exploit.run import run
    from .warm import announce

    played = make_game(game, preset, **options_of(option))
    check_listed(played)
    named = [(name, load_agent(name, played)) for name in agent or ["random"]]
    announce(played)
    run(played, named, describe(played), json)


def agents(
    policies: Annotated[list[str] | None, typer.Argument(help="folders of policies; those in runs/ if none is named")] = None,
    game: Annotated[str | None, typer.Option(help="of this game only")] = None,
    json: Json = False,
) -> None:
    """List the agents of each game: options, size, time to load and of a move, what they need, and their measured strength.

    The figures are those that `lomber measure` noted; the strength is in points an episode more than the opponent.
    """
    from .ladder import show

    wanted = [make_game(name) for name in ([game] if game else GAMES)]
    found: dict[str, list[dict[str, Any]]] = {}
    passed_over = clashes(BUILT_IN) + strays()
    for folder in policies or sorted(str(file.parent) for file in Path("runs").glob("*/policy.json")):
        if folder in GAMES and not Path(folder).exists():
            raise LomberError(f"{folder} is a game, not a policy's folder: lomber agents --game {folder}")
        try:
            row = policy_row(folder, folder)
        except LomberError as error:
            if policies:
                raise
            passed_over.append(f"{folder} is passed over: {error}")
        else:
            found.setdefault(row["game"], []).append(row)
    rows = [row for played in wanted for row in (*list_agents(played), *found.get(played.name, ()))]
    if json:
        print(jsons.dumps({"agents": rows, "passed_over": passed_over}))
    else:
        print(show(rows, passed_over))


def measure(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT...", help="names, as ombre/search:worlds=1000; all there are if none")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="an opponent, repeatable; random and the game's heuristic if none")
    ] = None,
    ids: Annotated[int, typer.Option(min=2, help="episodes, each played in every seating")] = 10_000,
    seed: Seed = 1,
    game: GameName = None,
    preset: Preset = None,
    option: Options = None,
    out: Annotated[
        Path, typer.Option(help="the file that holds the figures; by default the one that agents prints")
    ] = STRENGTHS,
    again: Annotated[bool, typer.Option("--again", help="measure anew what the file holds already")] = False,
) -> None:
    """Measure agents for the list that `lomber agents` prints: strength, time of a move, time to load.

    Single deals, unless --option or a policy's own options say otherwise. What is known of a figure is written every minute:
    what was stopped goes on where it was.
    """
    from .evaluate import check_ids
    from .measure import measure as run
    from .measure import yardsticks
    from .warm import announce

    check_ids(ids)
    deals = ["episode=deal", *(option or ())]  # the last of a key counts
    asked = [(name, game) for name in names or ()]
    if not names:
        asked = [(name, one) for one in ([game] if game else GAMES) for name in agent_names(make_game(one))]
    jobs = [(name, game_for([name], one, preset, option if about_of(name) else deals)) for name, one in asked]
    announce(*{played.name: played for _, played in jobs}.values())
    for name, played in jobs:
        try:
            run(name, played, against or yardsticks(played), ids, seed, out, again)
        except LomberError as error:
            if names:
                raise
            print(f"{name} is passed over: {error}", flush=True)


def play(
    game: Annotated[str, typer.Argument(help="a game")] = "piquet",
    against: Annotated[str | None, typer.Option(help="an agent's name or the folder of a policy: all other seats")] = None,
    seat: Annotated[str, typer.Option(help="your seat: 0, 1, ... or random")] = "0",
    seed: Annotated[int | None, typer.Option(min=0, help="seed of the deals and of the agents' chance; drawn if none")] = None,
    preset: Preset = None,
    option: Options = None,
    record: Annotated[
        Path | None, typer.Option(help="write the deals here, for lomber replay; never over another file")
    ] = None,
) -> None:
    """Play in the terminal. Moves by number, name or beginning of a name; ? explains, q stops."""
    from ..envs.faces.opponents import checked_seat
    from .play import Play
    from .warm import announce

    played = game_for([against] if against else [], game, preset, option)
    names = agent_names(played)
    other = against or next((name for name in (f"{played.name}/heuristic",) if name in names), "random")
    chosen = checked_seat(int(seat) if seat.isdecimal() else seat, played)
    if record and record.is_dir():
        raise LomberError(f"--record names a file to write, and {record} is a folder")
    if record and not record.absolute().parent.is_dir():
        raise LomberError(f"there is no folder {record.absolute().parent} to write {record.name} into")
    drawn = secrets.randbits(31) if seed is None else seed
    agent = load_agent(other, played)
    announce(played)
    Play(played, agent, chosen, drawn, record).run()


def advise(
    file: Annotated[str, typer.Argument(help="a view, as text or JSON; - is standard input")],
    agent: Annotated[str | None, typer.Option(help="an agent's name or the folder of a policy; its game's heuristic")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the agent's chance")] = 0,
    json: Json = False,
) -> None:
    """What an agent would play where a seat knows just this, and how it rates each legal move."""
    from .warm import announce

    view = records.loads(read_text(file))
    if not isinstance(view, records.View):
        raise LomberError(f"{file} is the record of a deal: advice is given on a view, as env.view(agent) writes it")
    game = records.game_of(view)
    announce(game)
    advice = load_agent(agent or f"{game.name}/heuristic", game, seed).advise(view)
    if json:
        print(jsons.dumps(advice.to_json()))
        return
    print(advice.move)
    wide = max((len(name) for name in advice.ratings), default=0)
    for name, rating in advice.ratings.items():
        print(f"  {name:{wide}}  {advice.rated} {rating:.3f}")
    if advice.details:
        print("  " + ", ".join(f"{name} {number:.4g}" for name, number in advice.details.items()))


def plot(
    kind: Annotated[
        str, typer.Argument(help="what to plot: betting or bids (how often each is made with which hands, how often it wins)")
    ],
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="names of agents or folders of policies")],
    out: Annotated[
        Path | None, typer.Option(help="the picture to write, .png or .svg; its numbers go beside it as .csv")
    ] = None,
    ids: Annotated[int, typer.Option(min=2, help="episodes that each agent plays against itself")] = 10_000,
    seed: Seed = 1,
    json: Json = False,
    game: GameName = None,
    preset: Preset = None,
    option: Options = None,
) -> None:
    """Show what agents choose in self-play by the class of the hand, and how often it wins; without --out, as CSV.

    Every share and rate has its 95% interval (Wilson); the classes are told in the game's module of lomber.training.plots.
    """
    from .plots.choices import as_csv, draw, drawable
    from .plots.run import measure
    from .warm import announce

    played = game_for(agents, game, preset, option)
    if not option:  # a policy may have learnt on longer episodes
        played = make_game(played.name, played.preset, **{**played.changed_options, "episode": "deal"})
    seated = {name: load_agent(name, played) for name in agents}
    if out:
        drawable(out)
    announce(played)
    rows = measure(kind, played, seated, ids, seed)
    text = jsons.dumps(rows, indent=1) + "\n" if json else as_csv(rows)
    if not out:
        print(text, end="")
        return
    draw(rows, out, f"{kind} of {describe(played)}: {ids:,} episodes of self-play, seed {seed}, 95% intervals")
    numbers = out.with_suffix(".json" if json else ".csv")
    write_whole(numbers, text.encode())
    print(f"{out}\n{numbers}")


def export(
    checkpoint: Annotated[Path, typer.Argument(help="policy.zip of a run, or its folder")],
    out: Annotated[Path | None, typer.Option(help="the folder to write into; by default that of the checkpoint")] = None,
    game: Annotated[str | None, typer.Option(help="a game; by default what recipe.yaml beside the checkpoint says")] = None,
    preset: Annotated[str | None, typer.Option(help="the preset it was trained on, with --game")] = None,
    option: Options = None,
) -> None:
    """Write a checkpoint's network as policy.onnx and policy.json, which everybody may load, without torch."""
    try:
        from .export import export_checkpoint
    except ImportError as error:
        raise LomberError(f"exporting needs more packages ({error}): pip install 'lomber[all]'") from error
    if not game and (preset or option):
        raise LomberError("--preset and --option go with --game; without it, recipe.yaml beside the checkpoint says them")
    played = make_game(game, preset, **options_of(option)) if game else None
    for file in export_checkpoint(checkpoint, out, played):
        print(f"{file}  {file.stat().st_size:,} bytes")


def game_for(names: Sequence[str], game: str | None, preset: str | None, option: Sequence[str] | None) -> Game:
    """The game asked for; by default what the first policy among `names` was trained on, or a name's prefix, else piquet."""
    abouts = [about for name in names if (about := about_of(name))]
    prefixes = [name.partition("/")[0] for name in names if name.partition("/")[0] in GAMES]
    about = next((about for about in abouts if game in (None, about["game"])), None)
    if about and not preset and not option:
        try:
            return make_game(about["game"], about["preset"], **about["options"])
        except (LomberError, TypeError) as error:
            raise LomberError(f"a policy's JSON names a game or options that there are not: {error}") from error
    chosen = game or (about["game"] if about else next(iter(prefixes), "piquet"))
    return make_game(chosen, preset, **options_of(option))


def about_of(name: str) -> dict[str, Any] | None:
    """What a policy's JSON tells, of one that comes with lomber or of a path; None for other agents."""
    if name.removesuffix(SAMPLE) in POLICIES:
        return read_about(WEIGHTS / name.removesuffix(SAMPLE))
    return read_about(name) if is_policy(name) and name not in BUILT_IN else None


def options_of(given: Sequence[str] | None) -> dict[str, Any]:
    """`key=value` words as options: numbers, true, false and lists as in JSON, all else as it stands."""
    options: dict[str, Any] = {}
    for word in given or ():
        key, equals, value = word.partition("=")
        if not equals or not key or key in ("name", "preset"):
            raise LomberError(f"an option is KEY=VALUE, not {word!r}")
        try:
            options[key] = jsons.loads(value.lower() if value in ("True", "False") else value)
        except ValueError:
            options[key] = value
    return options


def describe(game: Game) -> str:
    """`piquet (rubicon, episode=partie)`."""
    changed = "".join(f", {key}={value}" for key, value in game.changed_options.items())
    return f"{game.name} ({game.preset}{changed})"
