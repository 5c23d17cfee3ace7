"""What a compiled engine can reach: the plainest four-player whist, the yardstick beside every game's speed.

52 cards, no trumps, 13 tricks of four; suit led must be followed, aces are high; seats 0 and 2 play 1 and 3 and score
their tricks less those of the others. No options, no hidden copy, no records, no checks, a cheap generator: a game with
rules to speak of cannot be as fast, and the share of the yardstick that it reaches says what its rules and safety cost.
The observation is float32 and as wide as the caller asks for, so that it weighs what the game's own does.
"""

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.cards import bit, count, lowest, write_cells
from ..envs.engine.jit import entry, jit
from ..envs.engine.masks import write_legal
from ..envs.engine.state import NONE
from ..envs.engine.tricks import follow

SEATS, CARDS, RANKS = 4, 52, 13  # card = 13 * suit + rank, the ace last

STATE = np.dtype(
    [
        ("random", np.uint64),  # of the generator, never 0
        ("hand", np.int64, (SEATS,)),  # set of cards held
        ("played", np.int64, (SEATS,)),  # set of cards played
        ("table", np.int64, (SEATS,)),  # card each seat has played to this trick, or NONE
        ("tricks", np.int64, (SEATS,)),
        ("leader", np.int64),
        ("seat", np.int64),  # to act
        ("laid", np.int64),  # cards on the table
    ]
)

# Offsets of the observation, seats counted from the viewer.
_HAND, _PLAYED, _SEAT, _LAID, _LEADER, _TRICKS, _LED = 0, 52, 260, 264, 268, 272, 276
OBSERVATION_SIZE = 280  # at least; what is wider stays 0


@jit
def draw(state, n):
    """A nearly uniform integer in [0, n): xorshift, good enough to time with."""
    x = state["random"]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state["random"] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@jit
def deal(state):
    deck = np.empty(CARDS, np.uint8)
    for i in range(CARDS):
        deck[i] = i
    for i in range(CARDS - 1, 0, -1):
        j = draw(state, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    state["hand"][:] = 0
    state["played"][:] = 0
    state["table"][:] = NONE
    state["tricks"][:] = 0
    for i in range(CARDS):
        state["hand"][i & 3] |= bit(deck[i])
    state["leader"] = state["seat"] = draw(state, SEATS)
    state["laid"] = 0


@jit
def legal(state):
    """The set of cards that the seat to act may play."""
    hand = state["hand"][state["seat"]]
    if state["laid"]:
        return follow(hand, state["table"][state["leader"]] // RANKS, RANKS)
    return hand


@jit
def play(state, card, reward):
    """Play a card; True, with each seat's points in `reward`, when it was the last."""
    seat = state["seat"]
    state["hand"][seat] &= ~bit(card)
    state["played"][seat] |= bit(card)
    state["table"][seat] = card
    state["laid"] += 1
    if state["laid"] < SEATS:
        state["seat"] = (seat + 1) & 3
        return False
    table = state["table"]
    best = state["leader"]
    suit = table[best] // RANKS
    for k in range(1, SEATS):
        other = (state["leader"] + k) & 3
        if table[other] // RANKS == suit and table[other] > table[best]:
            best = other
    state["tricks"][best] += 1
    state["leader"] = state["seat"] = best
    state["laid"] = 0
    table[:] = NONE
    if state["hand"][best]:
        return False
    ours = state["tricks"][0] + state["tricks"][2]
    for seat in range(SEATS):
        reward[seat] = RANKS - 2 * ours if seat & 1 else 2 * ours - RANKS
    return True


@jit
def look(state, mask, out):
    """Write what the seat to act may do and sees."""
    seat = state["seat"]
    out[:] = 0
    write_cells(out, _HAND, state["hand"][seat], CARDS)
    for k in range(SEATS):
        other = (seat + k) & 3
        write_cells(out, _PLAYED + CARDS * k, state["played"][other], CARDS)
        out[_TRICKS + k] = state["tricks"][other] / RANKS
    out[_SEAT + seat] = 1
    out[_LAID + state["laid"]] = 1
    out[_LEADER + ((state["leader"] - seat) & 3)] = 1
    if state["laid"]:
        out[_LED + state["table"][state["leader"]] // RANKS] = 1
    write_legal(mask, 0, legal(state), CARDS)


@jit
def pick(state, cards):
    """A random card of a set."""
    for _ in range(draw(state, count(cards))):
        cards &= cards - 1
    return lowest(cards)


@entry
def play_random(states, mask, observation, reward, games, show):
    """Play whole games at random in row 0, with `show` observing at every decision. Returns (decisions, checksum)."""
    state = states[0]
    decisions = 0
    total = 0.0
    for _ in range(games):
        deal(state)
        over = False
        while not over:
            if show:
                look(state, mask[0], observation[0])
                total += observation[0, 0]
            over = play(state, pick(state, legal(state)), reward[0])
            decisions += 1
    return decisions, total


@entry
def begin(states, mask, observation, reward, seat):
    """Deal at every row; row i is i cards into its game, so that not all deal in the same call."""
    for i in range(states.shape[0]):
        state = states[i]
        deal(state)
        for _ in range(i % CARDS):
            play(state, pick(state, legal(state)), reward[i])
        seat[i] = state["seat"]
        look(state, mask[i], observation[i])


@entry
def step(states, actions, mask, observation, reward, done, seat):
    """Play one card at every row; a finished game is followed by the next."""
    for i in range(states.shape[0]):
        state = states[i]
        over = play(state, actions[i], reward[i])
        done[i] = over
        if over:
            deal(state)
        else:
            reward[i, :] = 0
        seat[i] = state["seat"]
        look(state, mask[i], observation[i])


@entry
def choose(states, mask, actions):
    """A random legal action for every row of `mask`."""
    for i in range(mask.shape[0]):
        n = 0
        for a in range(CARDS):
            n += mask[i, a]
        k = draw(states[i], n)
        for a in range(CARDS):
            if mask[i, a]:
                if k == 0:
                    actions[i] = a
                    break
                k -= 1


@entry
def step_one(states, action, mask, observation, reward):
    """Play one card at row 0 and look, unless the game is over: then True."""
    if play(states[0], action, reward[0]):
        return True
    look(states[0], mask[0], observation[0])
    return False


@entry
def step_round(states, action, mask, observation, reward):
    """Seat 0 of row 0 plays, then the others at random until it is to play again; True when the game is over."""
    state = states[0]
    over = play(state, action, reward[0])
    while not over and state["seat"]:
        over = play(state, pick(state, legal(state)), reward[0])
    if not over:
        look(state, mask[0], observation[0])
    return over


@entry
def begin_round(states, mask, observation, reward):
    """Deal at row 0 and play until it is seat 0's turn."""
    state = states[0]
    deal(state)
    while state["seat"]:
        play(state, pick(state, legal(state)), reward[0])
    look(state, mask[0], observation[0])


class Whist:
    """`n` tables of the yardstick, observations of at least `width` floats, and the arrays that they write."""

    def __init__(self, n: int, width: int):
        self.n, self.width = n, max(width, OBSERVATION_SIZE)
        self.states: NDArray[np.void] = np.zeros(n, STATE)
        self.states["random"] = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7) + np.uint64(1)
        self.actions, self.seat = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.mask, self.done = np.zeros((n, CARDS), np.int8), np.zeros(n, np.int8)
        self.observation = np.zeros((n, self.width), np.float32)
        self.reward = np.zeros((n, SEATS), np.float32)

    def begin(self) -> None:
        begin(self.states, self.mask, self.observation, self.reward, self.seat)

    def step(self) -> None:
        """One random decision at every table."""
        choose(self.states, self.mask, self.actions)
        step(self.states, self.actions, self.mask, self.observation, self.reward, self.done, self.seat)

    def play(self, games: int, show: bool) -> int:
        """Play games in the compiled loop; returns the number of decisions."""
        decisions, _ = play_random(self.states, self.mask, self.observation, self.reward, games, show)
        return int(decisions)
