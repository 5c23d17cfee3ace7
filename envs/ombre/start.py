"""What a deal inherits, as JSON, both ways: the match as it is before the stakes."""

from collections.abc import Mapping
from typing import Any

from ..engine.errors import RecordError
from ..engine.game import Game
from ..engine.records import LARGEST, start_fits
from ..engine.state import NONE
from . import state as st

# Of the numbers by name: how many (0: one alone), the least and the most.
_DEAL = {"dealer": (0, NONE, 2), "pot": (0, 0, LARGEST), "totals": (3, -LARGEST, LARGEST)}
_TOURS = {
    "kon": (0, 0, LARGEST), "part": (0, 1, 3), "tour": (0, 1, 3), "deals_in_tour": (0, 0, 11), "cum_tricks": (3, 0, 9 * 12),
}  # fmt: skip


def _numbers(game: Game) -> dict[str, tuple[int, int, int]]:
    return {**_DEAL, **_TOURS} if game.rules[0]["parts"] else _DEAL


def start_of(game: Game, state: Any) -> dict[str, Any]:
    """Dealer, pot, totals and the betes that wait, before the stakes; in rocambole the kon and how far the match is."""
    start = {name: state["start"][name].tolist() for name in _numbers(game)}
    start["queue"] = [int(bete) for bete in state["start"]["queue"] if bete]
    return start


def write_start(game: Game, state: Any, start: Mapping[str, Any]) -> None:
    """Write `start` into `match` before a deal; what it leaves out is as at the start of an episode."""
    numbers = _numbers(game)
    for name, value in start.items():
        if name == "queue":
            _write_queue(state, value)
            continue
        if name not in numbers:
            raise RecordError(f"start has no {name!r}; known: {', '.join((*numbers, 'queue'))}")
        length, low, high = numbers[name]
        if not start_fits(value, length) or not all(low <= number <= high for number in (value if length else [value])):
            told = f"{length} integers" if length else "an integer"
            raise RecordError(f"start[{name!r}] is {told} from {low} to {high}, not {value!r}")
        state["match"][name] = value


def _write_queue(state: Any, value: Any) -> None:
    listed = isinstance(value, (list, tuple)) and len(value) <= st.MOST_DEALS
    if not listed or not all(start_fits(bete) and 0 < bete <= LARGEST for bete in value):
        raise RecordError(f"start['queue'] is at most {st.MOST_DEALS} betes, integers from 1, not {value!r}")
    state["match"]["queue"] = 0
    state["match"]["queue"][: len(value)] = sorted(value, reverse=True)
