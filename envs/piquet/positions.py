"""Positions written by hand: final hands before the declarations, and match scores after given deals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.cards import mask_of
from ..engine.errors import LomberError
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.state import NONE
from . import state as st
from .actions import CARDS
from .events import write_start
from .play import begin_calls, open_deal, show_blank
from .scoring import settle


@entry
def _call_row(rules, states, blank):
    if blank != NONE:
        states[0]["blank"][blank] = st.SHOWN
        show_blank(rules[0], states[0], blank)
    begin_calls(rules[0], states[0])


@entry
def _open_row(states):
    open_deal(states[0])


@entry
def _settle_row(rules, states, scores):
    settle(rules[0], states[0], scores)


def final_hands(
    game: Game,
    elder: Sequence[str],
    younger: Sequence[str],
    blank: int | None = None,
    start: dict[str, Any] | None = None,
) -> NDArray[Any]:
    """A state (1,) before the declarations (phase 4) with these hands of twelve and nothing left in the talon.

    Seat 0 is elder unless `start` names another dealer; `blank` is a seat that showed one. Five and three cards count as
    exchanged; which of the eight others were whose discards is made up. Raises LomberError for hands that cannot be.
    """
    hands = [list(elder), list(younger)]
    if any(len(hand) != 12 for hand in hands) or len({*elder, *younger}) != 24 or not {*elder, *younger} <= set(CARDS):
        raise LomberError("two hands are twelve cards of piquet each, with none in common")
    rest = [card for card in CARDS if card not in elder and card not in younger]
    states = game.fresh()
    state = states[0]
    write_start(game, state, {"dealer": 1, **(start or {})})
    _open_row(states)
    seat = 1 - int(state["start"]["dealer"])
    ids = [CARDS.index(card) for card in (*elder[7:], *younger[9:])]
    state["talon"] = ids
    for who, hand, marks, drawn in ((seat, elder, rest[:5], elder[7:]), (1 - seat, younger, rest[5:], younger[9:])):
        n = len(marks)
        state["hand"][who] = mask_of([CARDS.index(card) for card in hand])
        state["discarded"][who] = mask_of([CARDS.index(card) for card in marks])
        state["dealt"][who] = mask_of([CARDS.index(card) for card in {*hand, *marks} - set(drawn)])
        state["marks"][who, :n] = [CARDS.index(card) for card in marks]
        state["marked"][who] = state["exchanged"][who] = n
    dealt = [*elder[:7], *rest[:5], *younger[:9], *rest[5:]]
    state["deck"] = [*(CARDS.index(card) for card in dealt), *ids]
    _call_row(game.rules, states, NONE if blank is None else blank)
    game.play_forced(states)
    return states


def settle_deal(game: Game, states: NDArray[Any], scores: Sequence[int]) -> None:
    """Enter the scores (by seat) of one more deal into the match of states[0], in place (section 6)."""
    _settle_row(game.rules, states, np.asarray(scores, np.int64))


def warm(game: Game) -> None:
    """Compile the entry points of this file."""
    settle_deal(game, final_hands(game, CARDS[:12], CARDS[12:24]), (0, 0))
