"""The bids of ombre: what each seat bid, with which hand and from which place, and whether it won what it bid."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game
from ...envs.ombre import state as st
from ...envs.ombre.actions import ACTIONS, CASCO_GREATER, PASS
from ...envs.ombre.trumps import MATADORS, PLAIN_SUIT, TRUMPS
from .choices import OPEN, Choices

BIDS = ACTIONS[PASS : CASCO_GREATER + 1]
WEAKEST, STRONGEST = 3, 9
KINGS = sum(1 << (10 * suit + 9) for suit in range(4))


def strength(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of hands of nine cards (n,), as sets: trumps + matadors + 0.6 x kings beside them, rounded, in the best of the four
    suits (spec 10, soundness)."""
    suits = [np.bitwise_or.reduce([PLAIN_SUIT[trump, suit] for suit in range(4) if suit != trump]) for trump in range(4)]
    of_suits = [
        np.bitwise_count(hands & TRUMPS[trump]).astype(float)
        + np.bitwise_count(hands & MATADORS[trump])
        + 0.6 * np.bitwise_count(hands & suits[trump] & KINGS)
        for trump in range(4)
    ]
    return np.round(np.max(of_suits, axis=0)).astype(np.int64)


def bids(_: Game, states: NDArray[Any]) -> list[Choices]:
    """A row for each seat of each finished deal: its highest call. Won: it became ombre with that and won.

    A call that another seat outbid was neither won nor lost; nor was a pass, of who must play with Spadille either.
    """
    n, rows = len(states), np.arange(len(states))
    highest = np.zeros((n, st.SEATS), np.int64)
    for i in range(st.LOG_SIZE):
        call, seat = states["log"][:, i].astype(np.int64), states["log_seat"][:, i].astype(np.int64)
        is_bid = (i < states["logged"]) & (call > PASS) & (call <= CASCO_GREATER)
        highest[rows[is_bid], seat[is_bid]] = call[is_bid] - PASS  # a later call is a higher one
    won = np.full((n, st.SEATS), OPEN, np.int8)
    played = np.flatnonzero((states["ombre"] >= 0) & (highest[rows, states["ombre"]] == states["contract"] + 1))
    won[played, states["ombre"][played]] = states["outcome"][played] == st.WIN
    of_hand = np.clip(strength(states["dealt"]), WEAKEST, STRONGEST) - WEAKEST
    place = (np.arange(st.SEATS) - states["start"]["dealer"][:, None] - 1) % st.SEATS
    ranks = [f"{k}" for k in range(WEAKEST, STRONGEST + 1)]
    ranks[0], ranks[-1] = f"to {ranks[0]}", f"{ranks[-1]} up"
    told = highest.ravel(), won.ravel()
    return [
        Choices("strength of the hand", tuple(ranks), BIDS, of_hand.ravel(), *told),
        Choices("place", ("eldest", "middle", "dealer"), BIDS, place.ravel(), *told),
    ]
