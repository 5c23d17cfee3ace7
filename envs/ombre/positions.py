"""Positions written by hand: deals before the stakes, auctions, results to settle, and seats drawn by lot."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ..engine.errors import LomberError
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.state import NONE
from . import state as st
from .actions import CARDS
from .auction import open_auction
from .play import open_deal
from .settle import close_deal, divide, pay, settle
from .start import write_start
from .trumps import BASTO, MANILLES, SPADILLE


@entry
def _open_row(rules, states):
    open_deal(rules[0], states[0])


@entry
def _auction_row(states, phase):
    open_auction(states[0], phase)


@entry
def _settle_row(rules, states, closed):
    if closed:
        close_deal(rules[0], states[0])
    else:
        settle(rules[0], states[0])


@entry
def _pay_row(rules, states, seat):
    pay(states[0], seat, rules[0]["paid_pass"])


@entry
def _divide_row(states):
    divide(states[0]["match"])


def staked(game: Game, start: Mapping[str, Any]) -> NDArray[Any]:
    """A state (1,) with the stakes of a deal that inherits `start` paid and nothing dealt (5.1)."""
    states = game.fresh()
    write_start(game, states[0], start)
    _open_row(game.rules, states)
    return states


def auction(game: Game, dealer: int, casco: bool = False, black_aces: Sequence[int] = ()) -> NDArray[Any]:
    """A dealt state (1,) at the start of an auction; the seats in `black_aces` hold one each, or one seat both."""
    aces = [SPADILLE, BASTO]
    hands: list[list[int]] = [[], [], []]
    for seat in black_aces:
        hands[seat].append(aces.pop(0))
    others = [card for card in range(40) if card not in (SPADILLE, BASTO)]
    for hand in hands:
        while len(hand) < st.HAND:
            hand.append(others.pop(0))
    states = game.deal(deck_of(hands, [*aces, *others], dealer), {"dealer": dealer})
    if casco:
        _auction_row(states, st.CASCO_AUCTION)
    return states


def deck_of(hands: Sequence[Sequence[int]], talon: Sequence[int], dealer: int) -> list[int]:
    """The deck that deals these hands (by seat) and this talon, top first (section 3)."""
    order = [list(hands[(dealer + 1 + k) % 3]) for k in range(3)]
    deck = [card for packet in range(3) for hand in order for card in hand[3 * packet : 3 * packet + 3]]
    return [*deck, *talon]


def write_result(game: Game, states: NDArray[Any], result: Mapping[str, Any], closed: bool = False) -> None:
    """Settle a result in states[0], in place (5.3); `closed`: add it to the totals and pass the deal on.

    Keys: outcome, ombre, contract, codille_by, matador_run, first_five, vole, tricks, paid_passes (seats that paid for a
    pass); what is missing is none.
    """
    state = states[0]
    for seat in result.get("paid_passes", ()):
        _pay_row(game.rules, states, seat)
    state["tricks"] = result.get("tricks", 0)
    state["outcome"] = st.OUTCOMES.index(result["outcome"])
    state["ombre"] = _or_none(result.get("ombre"))
    contract = result.get("contract")
    state["contract"] = NONE if contract is None else st.CONTRACTS.index(contract)
    state["codille"] = _or_none(result.get("codille_by"))
    state["run"] = result.get("matador_run", 0)
    state["first_five"] = int(result.get("first_five", False))
    state["vole"] = st.VOLES.index(result.get("vole", "none"))
    _settle_row(game.rules, states, closed)


def _or_none(seat: int | None) -> int:
    return NONE if seat is None else seat


def next_stakes(game: Game, states: NDArray[Any]) -> None:
    """Pay the stakes of the next deal, in place: the dealer, pot, queue and totals are those of `match`."""
    _open_row(game.rules, states)


def divide_pot(states: NDArray[Any]) -> None:
    """Divide what lies on the table of states[0], in place (section 6)."""
    _divide_row(states)


def seating(draw: Mapping[str, str]) -> dict[str, int]:
    """Seats by agent where Spadille, a manille and Basto were drawn (section 3, `seat_draw`): seat 0 deals."""
    seats = {"AS": 0, "AC": 2, **dict.fromkeys(MANILLES.values(), 1)}
    if any(card not in CARDS or card not in seats for card in draw.values()) or len({seats[c] for c in draw.values()}) != 3:
        raise LomberError(f"Spadille, a manille and Basto are drawn, not {draw!r}")
    return {agent: seats[card] for agent, card in draw.items()}


def warm(game: Game) -> None:
    """Compile the entry points of this file."""
    auction(game, 0, casco=True)
    states = staked(game, {"dealer": 0})
    write_result(game, states, {"outcome": "PASS_OUT", "paid_passes": [0]})
    divide_pot(states)
