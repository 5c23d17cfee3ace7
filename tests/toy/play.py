"""The course of a deal: begin, pack, deal, legal, move, forced, retrace, points."""

import numpy as np

from lomber.envs.engine.cards import bit, count, lowest
from lomber.envs.engine.jit import jit
from lomber.envs.engine.masks import write_legal
from lomber.envs.engine.state import DEAL_ENDED, NONE, OVER, RUNNING, UNKNOWN
from lomber.envs.engine.tricks import follow

from .state import CARDS, HAND, LAY, PASS, PLAY, PLAYS, RANKS, SEATS, SOLO, Phase

# numba freezes plain integers, not members of an enum, into compiled code without a cast
BID, LAYING, PLAYING, END = (int(phase) for phase in Phase)


@jit
def begin(rules, state):
    """Nobody has points; the first dealer is drawn by lot."""
    state["match"]["dealer"] = NONE
    state["match"]["points"][:] = 0


@jit
def pack(rules, deck):
    for card in range(CARDS):
        deck[card] = card
    return CARDS


@jit
def deal(rules, state):
    """Three cards to each seat from the dealer's left, three to the talon."""
    if state["match"]["dealer"] == NONE:
        state["match"]["dealer"] = np.int64(state["lot"] % np.uint64(SEATS))
    state["start"]["dealer"] = state["match"]["dealer"]
    state["start"]["points"][:] = state["match"]["points"]
    eldest = (state["start"]["dealer"] + 1) % SEATS
    state["hands"][:] = 0
    for i in range(SEATS * HAND):
        state["hands"][(eldest + i // HAND) % SEATS] |= bit(state["deck"][i])
    state["talon"][:] = state["deck"][SEATS * HAND :]
    state["held"][:] = HAND
    state["bids"][:] = NONE
    state["plays"][:] = NONE
    state["players"][:] = NONE
    state["tricks"][:] = 0
    state["soloist"] = state["trump"] = state["laid"] = NONE
    state["count"] = 0
    state["phase"] = BID
    state["stage"] = RUNNING
    state["seat"] = eldest


@jit
def playable(state):
    """The cards the seat to act may play: of the suit led where it has any."""
    hand = state["hands"][state["seat"]]
    n = state["count"]
    if n % SEATS == 0:
        return hand
    return follow(hand, state["plays"][n - n % SEATS] // RANKS, RANKS)


@jit
def legal(rules, state, mask):
    """Bid once each; lay away one of four cards; follow suit."""
    if state["phase"] == BID:
        mask[PASS:LAY] = 1
    elif state["phase"] == LAYING:
        write_legal(mask, LAY, state["hands"][state["seat"]], CARDS)
    elif state["phase"] == PLAYING:
        write_legal(mask, PLAY, playable(state), CARDS)


@jit
def move(rules, state, action):
    """Bid, lay a card away, or play one."""
    if state["phase"] == BID:
        _bid(rules, state, action)
    elif state["phase"] == LAYING:
        seat = state["seat"]
        state["hands"][seat] ^= bit(action - LAY)
        state["held"][seat] -= 1
        state["laid"] = action - LAY
        open_play(state)
    else:
        _play(rules, state, action - PLAY)


@jit
def forced(rules, state):
    """The only card that the seat may play, where it has but one."""
    if state["phase"] == PLAYING and count(playable(state)) == 1:
        return PLAY + lowest(playable(state))
    return NONE


@jit
def retrace(rules, end, state):
    """What led from `state` on to `end`."""
    if state["phase"] == BID:
        n = 0
        while state["bids"][n] != NONE:
            n += 1
        return np.int64(end["bids"][n])
    if state["phase"] == LAYING:
        return LAY + np.int64(end["laid"]) if end["laid"] >= 0 else NONE
    n = state["count"]
    return PLAY + np.int64(end["plays"][n]) if n < end["count"] else NONE


@jit
def _bid(rules, state, action):
    n = 0
    while state["bids"][n] != NONE:
        n += 1
    state["bids"][n] = action
    seat = state["seat"]
    if action != PASS:
        state["soloist"] = seat
        state["trump"] = action - SOLO
        state["held"][seat] += 1
        if state["talon"][0] != UNKNOWN:  # events.py plays on views, where it may be
            state["hands"][seat] |= bit(state["talon"][0])
        state["phase"] = LAYING
    elif n + 1 == SEATS:
        _end(rules, state)
    else:
        state["seat"] = (seat + 1) % SEATS


@jit
def open_play(state):
    """The dealer's left leads to the first trick."""
    state["phase"] = PLAYING
    state["seat"] = (state["start"]["dealer"] + 1) % SEATS


@jit
def _play(rules, state, card):
    seat = state["seat"]
    n = state["count"]
    state["plays"][n] = card
    state["players"][n] = seat
    state["count"] = n + 1
    state["hands"][seat] &= ~bit(card)
    state["held"][seat] -= 1
    state["seat"] = (seat + 1) % SEATS
    if (n + 1) % SEATS == 0:
        first = n + 1 - SEATS
        best = first
        for i in range(first + 1, n + 1):
            if beats(state["plays"][i], state["plays"][best], state["trump"]):
                best = i
        winner = state["players"][best]
        state["tricks"][winner] += 1
        state["seat"] = winner
    if n + 1 == PLAYS:
        _end(rules, state)


@jit
def beats(card, best, trump):
    """Does a card take the trick from the best one before it?"""
    suit = card // RANKS
    return card < best if suit == best // RANKS else suit == trump


@jit
def _end(rules, state):
    """The soloist wins the stake from both others with two tricks or more, else pays it to both."""
    match = state["match"]
    soloist = state["soloist"]
    if soloist != NONE:
        won = rules["stake"] if 2 * state["tricks"][soloist] > HAND else -rules["stake"]
        match["points"][:] -= won
        match["points"][soloist] += SEATS * won
    match["dealer"] = (state["start"]["dealer"] + 1) % SEATS
    state["phase"] = END
    state["stage"] = DEAL_ENDED if state["deal"] + 1 < rules["deals"] else OVER
    state["seat"] = NONE


@jit
def points(rules, state, out):
    out[:] = state["match"]["points"]
