"""The records of ombre: what a table holds, and what a seat sees. Seats are 0, 1, 2 in order of play; eldest = dealer + 1.

In a view UNKNOWN stands for a card that the seat cannot know, and an unknown set is empty (0).
"""

from enum import IntEnum

import numpy as np

from ..engine.state import HEADER

SEATS, HAND, TALON = 3, 9, 13


class Phase(IntEnum):
    """What is being decided (spec section 4). SPADILLE: its holder, in a view not told yet, is about to be forced."""

    AUCTION, CASCO_AUCTION, CASCO_KEEP, CASCO_TRUMP, NAME_TRUMP, DISCARD = range(6)
    HANDOVER, LOOK, PLAY, PREMIERS, SPADILLE, END = range(6, 12)


# Plain integers for the kernels.
(AUCTION, CASCO_AUCTION, CASCO_KEEP, CASCO_TRUMP, NAME_TRUMP, DISCARD, HANDOVER, LOOK, PLAY, PREMIERS, SPADILLE, END) = (
    int(phase) for phase in Phase
)

CONTRACTS = ("ENTRADA", "VUELTA", "SOLO", "CASCO_LESSER", "CASCO_GREATER")
ENTRADA, VUELTA, SOLO, CASCO_LESSER, CASCO_GREATER = range(5)
OUTCOMES = ("WIN", "CODILLE", "REMISE", "SURRENDER", "REFUSED", "PASS_OUT")
WIN, CODILLE, REMISE, SURRENDERED, REFUSED, PASSED_OUT = range(6)
VOLES = ("none", "made", "failed")
NO_VOLE, MADE, FAILED = range(3)
NO, YES = 0, 1  # answers to LOOK (LEAVE) and to PREMIERS (STOP); NONE: not asked

LOG_SIZE = 48  # 12 calls, a trump, a handover, a look, 27 cards, premiers, surrender
MOST_DEALS = 24  # of a partie
QUEUE = 2 * MOST_DEALS  # betes that may wait: those a deal inherits, at most MOST_DEALS, and one more a deal
MOST_CALLS, MOST_CASCO_CALLS = 7, 5

MATCH = np.dtype(
    [
        ("dealer", np.int64),  # seat; before the deal NONE: by lot
        ("pot", np.int64),  # chips on the table
        ("totals", np.int64, (3,)),  # chips won minus chips paid in the finished deals, by seat
        ("queue", np.int32, (QUEUE,)),  # betes that wait, largest first, then 0
        ("kon", np.int64),  # chips put aside; this and what follows is of rocambole
        ("part", np.int64),  # from 1; 0: there are none
        ("tour", np.int64),  # 1 to 3; 0: there are none
        ("deals_in_tour", np.int64),  # finished ones
        ("cum_tricks", np.int32, (3,)),  # won in the tour, by seat
    ]
)

STATE = np.dtype(
    [
        *HEADER,
        ("phase", np.int64),  # Phase
        ("hand", np.int64, (3,)),  # set of cards held now
        ("dealt", np.int64, (3,)),  # set of the nine cards dealt
        ("discarded", np.int64, (3,)),  # set of cards thrown, in an open exchange those so far
        ("played", np.int64, (3,)),  # set of cards played
        ("exchanged", np.int32, (3,)),  # number of cards drawn, or NONE before
        ("level", np.int64),  # of the highest bid of this auction, 0 before
        ("holder", np.int64),  # seat that made it, or NONE
        ("active", np.int64),  # bit s: seat s may still speak
        ("ombre", np.int64),  # seat, or NONE
        ("contract", np.int64),  # index in CONTRACTS, or NONE
        ("trump", np.int64),  # suit, or NONE; UNKNOWN: turned, and in a view not told yet
        ("first", np.int64),  # the defender that exchanges first, or NONE
        ("looked", np.int32),  # NONE, NO or YES
        ("premiers", np.int32),  # NONE, NO or YES
        ("leader", np.int64),  # seat that leads or led the trick, or NONE
        ("led", np.int64),  # card led to the trick in progress, or NONE
        ("best", np.int64),  # the card that wins it so far, or NONE
        ("winner", np.int64),  # the seat that wins it so far, or won the last trick, or NONE
        ("plays", np.int64),  # cards played by all
        ("tricks", np.int32, (3,)),
        ("outcome", np.int32),  # index in OUTCOMES, or NONE before the end
        ("codille", np.int32),  # the defender that won codille, or NONE
        ("run", np.int32),  # mr of 5.3 at the end, or NONE before
        ("first_five", np.int32),  # 1 = the ombre won the first five tricks and was asked
        ("vole", np.int32),  # index in VOLES
        ("delta", np.int64, (3,)),  # chips won minus chips paid in this deal so far
        ("match", MATCH),  # as it stands: pot, queue and kon at any moment, the rest once a deal is over
        ("start", MATCH),  # the same before the stakes of the deal (its dealer drawn): what it inherits
        ("logged", np.int64),  # entries in the log
        ("log", np.int8, (LOG_SIZE,)),  # public moves, action ids in order: all but discards, DONE and the card kept
        ("log_seat", np.int8, (LOG_SIZE,)),
        ("talon", np.int8, (TALON,)),  # by position, 0 on top
        ("deck", np.int8, (40,)),  # in the order of dealing (section 3)
    ]
)

F = np.float32
OBSERVATION = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F, (3,)),  # whose decision it is; me, next, last, as all triples below
        ("dealer", F, (3,)),  # one-hot
        ("hand", F, (40,)),  # cards I hold, by card id
        ("discards", F, (40,)),  # cards I have thrown
        ("dealt", F, (40,)),  # my nine dealt cards
        ("talon", F, (40,)),  # (position + 1) / 13 of each talon card I drew or saw, the turned card among them
        ("their_hand", F, (2, 40)),  # next, last: cards that the other defender showed for the vole
        ("calls", F, (MOST_CALLS, 4)),  # calls in order: pass, entrada, vuelta, solo
        ("casco_calls", F, (MOST_CASCO_CALLS, 3)),  # calls of the casco auction in order: pass, lesser, greater
        ("holder", F, (3,)),  # who made the highest bid
        ("ombre", F, (3,)),  # one-hot
        ("contract", F, (5,)),  # one-hot
        ("trump", F, (4,)),  # one-hot
        ("trumps", F, (40,)),  # the trumps
        ("exchanged", F, (3,)),  # number of cards drawn / 9
        ("exchange_done", F, (3,)),  # 1 = the exchange is over (tells none from not yet)
        ("first", F, (3,)),  # the defender that exchanges first
        ("talon_left", F),  # cards / 13
        ("looked", F, (3,)),  # not asked, left, looked at
        ("played", F, (3, 40)),  # (place in the order of play + 1) / 27
        ("trick", F, (40,)),  # (place in the trick in progress + 1) / 3
        ("leader", F, (3,)),  # who leads or led the trick
        ("winner", F, (3,)),  # who wins the trick so far, or won the last one
        ("tricks", F, (3,)),  # tricks won / 9
        ("premiers", F, (3,)),  # not asked, stop, vole
        ("outcome", F, (6,)),  # win, codille, remise, surrender, refused, pass-out; 0 before the end
        ("codille", F, (3,)),  # who won codille
        ("run", F),  # matador run at the end / 12
        ("vole", F, (2,)),  # made, failed
        ("chips", F, (3,)),  # won minus paid in this deal, / 500, within -1..1
        ("pot", F),  # / 1000, at most 1
        ("queue", F, (MOST_DEALS,)),  # betes that wait, largest first, / 1000, at most 1
        ("queue_length", F),  # their number / 48
        ("totals", F, (3,)),  # chips of the finished deals, / 1000, within -1..1
        ("deal_number", F),  # number of the deal in its episode, from 0, / 24, at most 1
    ]
)
REVEAL = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F, (3,)),  # by seat, as all triples below
        ("dealer", F, (3,)),  # one-hot
        ("hand", F, (3, 40)),  # cards held, by card id
        ("discards", F, (3, 40)),  # cards thrown
        ("talon", F, (40,)),  # (position + 1) / 13 of each card left in the talon
        ("level", F),  # of the highest bid / 3
        ("holder", F, (3,)),  # who made it
        ("active", F, (3,)),  # who may still speak
        ("ombre", F, (3,)),  # one-hot
        ("contract", F, (5,)),  # one-hot
        ("trump", F, (4,)),  # one-hot
        ("exchanged", F, (3,)),  # number of cards drawn / 9
        ("exchange_done", F, (3,)),  # 1 = the exchange is over
        ("first", F, (3,)),  # the defender that exchanges first
        ("played", F, (3, 40)),  # (place in the order of play + 1) / 27
        ("trick", F, (40,)),  # (place in the trick in progress + 1) / 3
        ("leader", F, (3,)),  # who leads or led the trick
        ("tricks", F, (3,)),  # tricks won / 9
        ("premiers", F, (3,)),  # not asked, stop, vole
        ("chips", F, (3,)),  # won minus paid in this deal, / 500, within -1..1
        ("pot", F),  # / 1000, at most 1
        ("queue", F, (MOST_DEALS,)),  # betes that wait, largest first, / 1000, at most 1
        ("totals", F, (3,)),  # chips of the finished deals, / 1000, within -1..1
        ("deal_number", F),  # number of the deal in its episode, from 0, / 24, at most 1
    ]
)
