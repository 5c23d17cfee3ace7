"""Positions written by hand: decks that deal given hands, categories, contests of one layer, rungs of the ladder."""

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from ..engine.cards import SUITS, mask_of
from ..engine.errors import LomberError
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.state import NONE
from . import actions as act
from . import events, picture
from . import state as st
from .betting import ladder_target
from .showdown import STRENGTH, byte, categorize, contest, pay_of, strength_of, totals_of


@entry
def _category_row(rules, hand, retourne):
    category, rank = categorize(rules[0], hand, retourne, NONE)
    return category, pay_of(rules[0], category, rank, retourne)


@entry
def _contest_row(rules, states, contestants):
    """(winner, its strength, numbers by seat, totals by suit): bytes of words but for the first two."""
    state = states[0]
    strengths = 0
    for seat in range(rules[0]["players"]):
        category, rank = categorize(rules[0], state["hand"][seat], state["retourne"], NONE)
        strengths |= strength_of(rules[0], category, rank) << 8 * seat
    totals = totals_of(rules[0], state)
    winner, numbers = contest(rules[0], state, contestants, strengths, totals)
    return winner, byte(strengths, winner), numbers, totals


@entry
def _rung_row(rung, low, high, pot, stack, stake):
    return ladder_target(rung, low, high, pot, stack, stake)


def deck_of(
    game: Game, hands: Sequence[Sequence[int]], retourne: int, dealer: int, talon: Iterable[int] = (), seats: int = 0
) -> list[int]:
    """A deck that deals these hands by seat (empty: not in the deal) and turns `retourne`; what is not given lies behind.

    `seats`: the set of seats dealt in, by default those with a hand.
    """
    step = int(game.rules[0]["step"])
    order = [(dealer + (k + 1) * step) % game.seats for k in range(game.seats)]
    dealt = [list(hands[seat]) for seat in order if (seats >> seat & 1 if seats else len(hands[seat]))]
    front = [card for round_ in range(st.HAND) for card in (hand[round_] for hand in dealt)] + [retourne, *talon]
    return front + [card for card in game.deck().tolist() if card not in front]


def category(game: Game, hand: Sequence[int], retourne: int) -> tuple[str, int]:
    """The category of a hand, and what an ordinary payer owes for it (5.1)."""
    found, pay = _category_row(game.rules, mask_of(list(hand)), retourne)
    return st.CATEGORIES[found], int(pay)


def one_layer(
    game: Game, hands: Sequence[Sequence[int]], retourne: int, dealer: int, contestants: Iterable[int]
) -> tuple[int, dict[int, int], dict[str, int]]:
    """Who wins one layer, the number of each contestant (none where a brelan decides), and T of each suit (5.3)."""
    chosen = sorted(contestants)
    if not chosen or not 0 <= chosen[0] <= chosen[-1] < game.seats:
        raise LomberError(f"contestants are seats in 0..{game.seats - 1}, not {chosen!r}")
    states = game.fresh()
    state = states[0]
    state["start"]["dealer"], state["retourne"] = dealer, retourne
    state["dealt"] = mask_of([seat for seat, hand in enumerate(hands) if len(hand)])
    for seat, hand in enumerate(hands):
        state["hand"][seat] = mask_of(list(hand))
    winner, strength, numbers, totals = (int(n) for n in _contest_row(game.rules, states, mask_of(chosen)))
    decided = {} if strength >= STRENGTH else {seat: numbers >> 8 * seat & 255 for seat in chosen}
    return winner, decided, {suit: totals >> 8 * k & 255 for k, suit in enumerate(SUITS)}


def ladder(low: int, high: int, pot: int, need: int, stack: int, stake: int) -> list[int | None]:
    """The stakes that the rungs mean, None where a lower rung means the same (4.8)."""
    targets = [int(_rung_row(rung, low, high, pot + need, stack, stake)) for rung in range(act.RUNGS)]
    return [None if stake in targets[:rung] else stake for rung, stake in enumerate(targets)]


def warm(game: Game) -> None:
    """Compile the entry points of this file, and those that only the end of a deal or a picture calls."""
    deck: NDArray[Any] = game.deck()
    hands = [deck[3 * seat : 3 * seat + 3].tolist() for seat in range(game.seats)]
    category(game, hands[0], int(deck[-1]))
    one_layer(game, hands, int(deck[-1]), 0, range(game.seats))
    ladder(1, 30, 2, 1, 30, 0)
    states = game.deal(deck.tolist(), {"dealer": 0})
    game.advance(states, ["NO_CARRE"] if "NO_CARRE" in game.legal_names(states) else ["PASS"])
    picture.table_picture(game, states[0], None)
    events.shows_row(game.rules, states, 0)
