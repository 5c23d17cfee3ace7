"""Second opinions, by game: what the laws ask of slow plain Python written from the rules and not from the code.

Each function is optional; a law that has no second opinion to ask checks what it can without.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bouillotte_chips
import numpy as np
import ombre_chips
import piquet_twin
import rocambole_chips
import toy_twin
from reference import bouillotte, bouillotte_episode, piquet
from reference.piquet_rules import make_options

from lomber.envs.engine.records import Record
from lomber.envs.engine.state import RUNNING


@dataclass(frozen=True)
class Twin:
    """The second opinion on one game. `record` is a deal so far, whole; a placing is any hashable."""

    legal: Callable[[Record], set[str]] | None = None  # names of what the seat to act may do
    points: Callable[[Sequence[Record]], Sequence[int]] | None = None  # of the deals of an episode so far, all finished
    knows: Callable[[Record, int], Any] | None = None  # all that a seat knows of the deal, comparable with ==
    worlds: Callable[[Record, int, int], Iterable[Any] | None] | None = None  # every placing, None if over the given number
    placing: Callable[[Record, int], Any] | None = None  # the one of them that is this record's
    holdings: Callable[[Any, Any], int] | None = None  # (game, state) -> seats' holdings and the table, where there are stakes
    relevant: Callable[[Any, Any, int], Any] | None = None  # (game, view, seat) -> what an observation has to tell
    most_decisions: int = 1000  # of one deal, by the spec


def twins() -> dict[str, Twin]:
    """The second opinions by name of game."""
    solo = Twin(
        legal=toy_twin.legal, points=toy_twin.points, knows=toy_twin.knows, worlds=toy_twin.worlds, placing=toy_twin.placing,
        most_decisions=3 + 1 + 9,
    )  # fmt: skip
    piquet = Twin(
        legal=piquet_legal, points=piquet_points, knows=piquet_knows, worlds=piquet_worlds, placing=piquet_placing,
        relevant=piquet_relevant, most_decisions=51,
    )  # fmt: skip
    ombre = Twin(points=ombre_chips.points, holdings=ombre_chips.holdings, relevant=ombre_chips.relevant, most_decisions=52)
    bouillotte = Twin(
        legal=bouillotte_legal, points=bouillotte_points, knows=bouillotte_knows, worlds=bouillotte_worlds,
        placing=bouillotte_placing, holdings=bouillotte_chips.holdings, relevant=bouillotte_chips.relevant,
        most_decisions=612,
    )  # fmt: skip
    low = replace(solo, legal=toy_twin.legal_low, points=toy_twin.points_low)
    rocambole = replace(ombre, points=rocambole_chips.points)
    return {
        "solo": solo, "low": low, "piquet": piquet, "ombre": ombre, "rocambole": rocambole, "bouillotte": bouillotte,
        "brelan": bouillotte,
    }  # fmt: skip


def _piquet_rules(record):
    return make_options(record.preset, {name: value for name, value in record.options.items() if name != "episode"})


def _fed(deal, record):
    """A slow twin's deal, fed with the moves of a record but for those it plays by itself."""
    while len(deal.history) < len(record.moves):
        seat, name = record.moves[len(deal.history)]
        if seat != deal.seat:
            raise ValueError(f"{seat}:{name} cannot be")
        deal.apply(name)
    return deal


def _piquet_deal(record):
    """The slow twin's deal of a record."""
    partie = record.options.get("episode") == "partie"
    start = record.start
    deal = piquet.Deal(_piquet_rules(record), list(record.deck), start["dealer"], start["totals"], partie)
    return _fed(deal, record)


def piquet_legal(record):
    return set(_piquet_deal(record).legal())


def piquet_points(deals):
    rules = _piquet_rules(deals[0])
    if deals[0].options.get("episode") != "partie":
        return _piquet_deal(deals[0]).result()
    partie = piquet.Partie(rules)
    for record in deals:
        partie.finish(_piquet_deal(record))
    return partie.points


def piquet_knows(record, seat):
    return record.start, piquet_twin.expected(_piquet_deal(record), seat)


def piquet_placing(record, seat):
    deal, other = _piquet_deal(record), 1 - seat
    marks = deal.marks[other] if deal.taken[other] is not None else ()
    return frozenset(deal.hands[other]), frozenset(marks), tuple(deal.talon[sum(taken or 0 for taken in deal.taken) :])


def piquet_worlds(record, seat, most):
    deal = _piquet_deal(record)
    return set(deal.worlds(seat)) if deal.count_upper(seat) <= most else None


def piquet_relevant(game, view, seat):
    """All but what is reckoned only when the partie ends (no match state of section 7), and the order of marking cards.

    Once the deal is finished, the match state is that behind it.
    """
    bare = view.copy()
    bare["marks"] = np.sort(view["marks"])
    for side in ("match", "start"):
        for name in ("final_bonus", "through", "net"):
            bare[side][name] = 0
    if view["stage"][0] != RUNNING:
        for name in set(bare["start"].dtype.names) - {"dealer"}:
            bare["start"][name] = 0
    return bare.tobytes()


def _bouillotte_deal(record):
    """The slow twin's deal of a record of bouillotte or brelan."""
    options, start = bouillotte.make_options(record.preset, record.options), record.start
    seats = [seat for seat, stack in enumerate(start["stacks"]) if stack]
    match = {"deal": record.deal, "bank": tuple(start["bank"]), "buyins": tuple(start["buyins"])}
    deal = bouillotte.Deal(
        options, list(record.deck), start["dealer"], start["stacks"], start["carried"], seats=seats, match=match
    )
    return _fed(deal, record)


def bouillotte_legal(record):
    return set(_bouillotte_deal(record).legal())


def bouillotte_points(deals):
    start = deals[0].start
    options = bouillotte.make_options(deals[0].preset, deals[0].options)
    episode = bouillotte_episode.Episode(options, start["dealer"], start["stacks"], start["carried"])
    for record in deals:
        episode.finish(_bouillotte_deal(record))
    return episode.returns() if episode.over else episode.balance()


def bouillotte_knows(record, seat):
    return record.start, _bouillotte_deal(record).knows(seat)


def bouillotte_placing(record, seat):
    return _bouillotte_deal(record).placing()


def bouillotte_worlds(record, seat, most):
    deal = _bouillotte_deal(record)
    return set(deal.worlds(seat)) if deal.count_upper(seat) <= most else None
