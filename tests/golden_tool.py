"""Golden records: deals that show one rule each. `python tests/golden_tool.py piquet [name ...]` writes those missing.

The rules to show stand in golden_<game>.py as RULES; a name given on the command line is written anew. A file holds the
record of one deal, or those of a partie one after another; beside the files, ledgers.json tells of each deal how many
decisions it had, how many actions were legal in all of them, and its ledger.
"""

import importlib
import itertools
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lomber.envs
from lomber.envs.engine import records
from lomber.envs.engine.state import RUNNING

FOLDER = Path(__file__).parent / "golden"
LEDGERS = "ledgers.json"
MOST_TRIES = 3_000


@dataclass(frozen=True)
class Rule:
    """A rule that is easy to get wrong, and where to look for a deal that shows it."""

    why: str
    shows: Callable[..., bool]  # of the deals of the file
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    wishes: Sequence[str] = ()  # what the players do where they may, in the words of the game's `choose`
    cards: Mapping[str, str] = field(default_factory=dict)  # who is dealt what, in the words of the game's `deck`
    start: Mapping[str, Any] | None = None  # what a given deal inherits; None: a whole episode of seed 0


def wished(wishes: Sequence[str], seat: int, phase: str, legal: Sequence[str], rng: random.Random) -> str | None:
    """The action that the first fitting wish takes; a wish is "seat phase beginning", * any seat, ? any action at random."""
    for wish in wishes:
        who, when, start = wish.split(maxsplit=2)
        if who in ("*", str(seat)) and when == phase:
            if start == "?":
                return rng.choice(legal)
            fitting = [name for name in legal if name.startswith(start)]
            if fitting:
                return fitting[0]
    return None


class Deal:
    """A record with all its states: before each decision, and at the end."""

    def __init__(self, record: records.Record):
        self.record = record
        self.game = lomber.envs.make_game(record.game, record.preset, **record.options)
        self.states = records.replay_states(record)
        self.final = self.states[-1][0]
        self.moves = [f"{seat}:{name}" for seat, name in record.moves]

    def decisions(self):
        """(state, names of the legal actions, the one chosen) of each decision."""
        for state in self.states[:-1]:
            _, name = self.record.moves[len(self.game.moves(state))]
            yield state[0], self.game.legal_names(state), name

    def view(self, seat):
        """What a seat knows in the end, as words."""
        return [str(event) for event in records.view_of(self.game, self.states[-1], seat).events]


def read(path: Path) -> list[records.Record]:
    """The records of a golden file."""
    parts = path.read_text(encoding="utf-8").split("[Game ")
    return [records.parse("[Game " + part) for part in parts[1:]]


def write(path: Path, deals: Sequence[Deal]) -> None:
    path.write_text("\n".join(str(deal.record) for deal in deals), encoding="utf-8")


def facts(deal: Deal, players: Any) -> dict[str, Any]:
    """What ledgers.json tells of a deal."""
    legal = [len(names) for _, names, _ in deal.decisions()]
    return {"decisions": len(legal), "legal": sum(legal), "ledger": players.ledger(deal)}


def play(game, states, choose, rng):
    """Play an episode to its end; its deals."""
    deals = []
    while True:
        while states[0]["stage"] == RUNNING:
            game.advance(states, [choose(states[0], game.legal_names(states), rng)], go_on=False)
        deals.append(records.record_of(game, states))
        deal = int(states[0]["deal"])
        game.next_deal(states)
        if states[0]["deal"] == deal:
            return [Deal(record) for record in deals]


def search(name: str, rule: Rule, players: Any) -> list[Deal]:
    """The deals of the first episode that shows the rule."""
    game = lomber.envs.make_game(name, rule.preset, **rule.options)
    for number in itertools.count():
        rng = random.Random(number)
        if rule.start is None:
            states = game.begin(0, number)
        else:
            states = game.deal(players.deck(game, rule.cards, rng), rule.start)
        deals = play(game, states, lambda *at: players.choose(rule.wishes, *at), rng)
        if rule.shows(*deals):
            return deals
        if number == MOST_TRIES:
            raise LookupError(f"no deal in {number} shows {rule.why}")
    raise AssertionError


def main(name: str, wanted: Sequence[str]) -> None:
    players = importlib.import_module(f"golden_{name}")
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for title, rule in players.RULES.items():
        path = folder / f"{title}.txt"
        if title in wanted or not path.exists():
            try:
                write(path, search(name, rule, players))
                print(f"wrote {path.name}", flush=True)
            except LookupError as error:
                print(f"{title}: {error}", flush=True)
    for path in folder.glob("*.txt"):
        if path.stem not in players.RULES:
            path.unlink()
    paths = sorted(folder.glob("*.txt"))
    ledgers = {path.stem: [facts(Deal(record), players) for record in read(path)] for path in paths}
    lines = [f"  {json.dumps(title)}: {json.dumps(deals)}" for title, deals in ledgers.items()]
    (folder / LEDGERS).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
