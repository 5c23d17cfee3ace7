"""Where an episode begins, from the options given to a face's reset: a given deal, a record, or an id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import LomberError, RecordError, cut, unknown
from ..engine.game import Game
from ..engine.records import Record, from_json, game_of, loads, replay

WAYS = ("deal", "record", "id")
KEYS = (*WAYS, "stop")
STRAYS = ("options",)  # {"options": 1} is what PettingZoo's own tests give: it is passed over


@dataclass(frozen=True)
class Start:
    """The episode `id` (None: the next one), or a `state` (1,) to put on the table."""

    id: int | None = None
    state: NDArray[Any] | None = None


def start_of(game: Game, options: object) -> Start:
    """What `reset(options=...)` asks for, of any game; None is an empty mapping.

    {"id": k}                          episode k of the environment's seed
    {"deal": {"deck": [...], ...}}     a given deck: names in the spec's order of dealing, or one string of them; beside it
                                       "start", what the deal inherits, and "key", from which later deals follow (0)
    {"record": r, "stop": k}           a Record, its text or its JSON, replayed to its end or to the first k of its moves

    Raises LomberError (RecordError for what a record cannot be, UnknownName for another key).
    """
    options = checked_options(options, KEYS, STRAYS)
    ways = [way for way in WAYS if options.get(way) is not None]
    if len(ways) > 1:
        raise LomberError(f"an episode begins from one of {', '.join(WAYS)}, not from {' and '.join(ways)}")
    if options.get("stop") is not None and ways != ["record"]:
        raise LomberError("stop goes with a record")
    if not ways:
        return Start()
    given = options[ways[0]]
    if ways[0] == "id":
        if not _is_count(given):
            raise LomberError(f"an id is an integer from 0, not {given!r}")
        return Start(id=int(given))
    state = _dealt(game, given) if ways[0] == "deal" else _replayed(game, given, options.get("stop"))
    game.next_deal(state)
    return Start(state=state)


def checked_options(options: object, known: Sequence[str], strays: Sequence[str] = ()) -> Mapping[str, Any]:
    """The options given to a reset; LomberError for what is no mapping, UnknownName for a key that is not in `known`."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise LomberError(f"options of reset are a mapping with the keys {', '.join(known)}, not {cut(options)}")
    for key in options:
        if key not in known and key not in strays:
            raise unknown("option of reset", key, known)
    return options


def _is_count(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_)) and int(value) >= 0


def _dealt(game: Game, given: Any) -> NDArray[Any]:
    deal = given if isinstance(given, Mapping) else {"deck": given}
    extra = sorted(set(deal) - {"deck", "start", "key"})
    if extra or "deck" not in deal:
        raise LomberError(f"a deal has deck, start and key; it {f'has {extra[0]!r}' if extra else 'lacks its deck'}")
    deck, key = deal["deck"], deal.get("key", 0)
    names = deck.split() if isinstance(deck, str) else list(deck)
    cards = game.card_ids(names)
    if not _is_count(key) or int(key) >= 2**64:
        raise LomberError(f"a key is an integer below 2**64, not {key!r}")
    return game.deal(cards, deal.get("start"), int(key))


def _replayed(game: Game, given: Any, stop: Any) -> NDArray[Any]:
    record = loads(given) if isinstance(given, str) else from_json(given) if isinstance(given, Mapping) else given
    if not isinstance(record, Record):
        raise RecordError(f"an episode begins from a record, not from a {type(record).__name__}")
    if stop is not None and not _is_count(stop):
        raise LomberError(f"stop is a number of moves, not {stop!r}")
    told = game_of(record)
    if told != game:
        raise RecordError(f"a record of {told!r} does not fit {game!r}")
    return replay(record, None if stop is None else int(stop))
