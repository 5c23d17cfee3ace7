"""The records of bouillotte: what a table holds, and what a seat sees.

Seat 0 to 4; of the fields by seat those of seats that the game has not are 0. Sets of seats have bit s set for seat s. In a
view UNKNOWN stands for a card that the seat cannot know, and an unknown hand is empty (0). Before the cards are dealt nobody
has a hand: they lie in the deck. Jetons are int32, so there is a most to what can come to a table.
"""

from enum import IntEnum

import numpy as np

from ..engine.state import HEADER
from .actions import MOST_STAKE

SEATS, HAND, PACK = 5, 3, 36
MOST_CARRES = 10  # the largest `carre_max`
MOST_JETONS = 100_000_000  # that all seats can bring to an episode by its options
MOST_GIVEN = 4 * MOST_JETONS  # the same of each amount by seat in a given start: the episode's own fit, all sums are int32


class Phase(IntEnum):
    """What is being decided (spec section 4). SHOWDOWN: a view that has not been told the hands yet."""

    BLIND, OPENING, BETTING, TALON, SHOWDOWN, END = range(6)


# Plain integers for the kernels.
BLIND, OPENING, BETTING, TALON, SHOWDOWN, END = (int(phase) for phase in Phase)

CATEGORIES = ("point", "favori_pair", "mistigri", "st_james", "simple", "mistigri_carre", "st_james_carre", "carre")
POINT, FAVORI_PAIR, MISTIGRI, ST_JAMES, SIMPLE, MISTIGRI_CARRE, ST_JAMES_CARRE, CARRE = range(8)  # weakest first
ENDS = ("pass_out", "carre_take", "uncontested", "showdown")
PASSED_OUT, CARRE_TAKE, UNCONTESTED, SHOWN = range(4)

MOST_BLIND = 2 * MOST_CARRES + 1  # decisions before the cards
LOG_SIZE = MOST_BLIND + SEATS + MOST_STAKE + 2 * SEATS  # and one word a seat, all stakes, folds, talon cards

MATCH = np.dtype(
    [
        ("dealer", np.int32),  # seat; before the deal NONE: by lot
        ("stack", np.int32, (SEATS,)),  # jetons in front of each seat
        ("carried", np.int32, (SEATS,)),  # what each has in the pot from deals passed out
        ("bank", np.int32, (SEATS,)),  # what each has withdrawn
        ("buyins", np.int32, (SEATS,)),  # what each has brought
    ]
)

STATE = np.dtype(
    [
        *HEADER,
        ("phase", np.int32),  # Phase
        ("dealt", np.int32),  # set of seats in this deal
        ("folded", np.int32),  # set of seats that are out
        ("passed", np.int32),  # set of seats that passed
        ("waiting", np.int32),  # set of seats still to speak, or to answer the stake
        ("last", np.int32),  # the last carreur: seat, or NONE
        ("displaced", np.int32),  # the carreur before him, or NONE
        ("front", np.int32),  # the last seat asked for a carre in its turn that took it, or NONE
        ("made", np.int32),  # carres so far
        ("opener", np.int32),  # seat, or NONE
        ("aggressor", np.int32),  # who staked last, or NONE
        ("raises", np.int32),  # after the opening
        ("reopened", np.int32),  # 1 = the callers' extra turn (`callers_may_reopen`)
        ("level", np.int32),  # the highest stake
        ("pot", np.int32),  # stakes, fees and what was carried; once the deal is over, what is carried on
        ("stake", np.int32, (SEATS,)),  # put in during this deal
        ("dead", np.int32, (SEATS,)),  # fees paid in this deal
        ("hand", np.int64, (SEATS,)),  # set of three cards
        ("match", MATCH),  # as it stands; the dealer, once the deal is over, is the next one
        ("start", MATCH),  # the same before the ante (its dealer drawn): what the deal inherits
        ("end", np.int32),  # index in ENDS, or NONE before
        ("layers", np.int32, (SEATS,)),  # jetons of each layer of the pot at the end, lowest first, then 0
        ("net", np.int32, (SEATS,)),  # change of stack in this deal, at the end
        ("paid", np.int32, (SEATS, SEATS)),  # [payer, holder]: paid for a brelan, NONE: nothing was due
        ("logged", np.int32),  # entries in the log
        ("winners", np.int8, (SEATS,)),  # seat that won each layer, then NONE
        ("turned", np.int8, (SEATS,)),  # talon card that each seat turned, or NONE
        ("retourne", np.int8),  # card, or NONE before the deal
        ("log", np.int8, (LOG_SIZE,)),  # moves in order but for CALL, which follows; a raise in the extra turn negated
        ("log_seat", np.int8, (LOG_SIZE,)),
        ("deck", np.int8, (PACK,)),  # in the order of dealing (section 3), then NONE
    ]
)

F = np.float32
OBSERVATION = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F, (SEATS,)),  # whose decision it is; me, next in order of play, ... as all fives below
        ("in_deal", F, (SEATS,)),  # who was dealt in
        ("dealer", F, (SEATS,)),  # one-hot
        ("place", F, (SEATS,)),  # my place among those dealt in, first hand first, one-hot
        ("hand", F, (PACK,)),  # my cards, by card id
        ("retourne", F, (PACK,)),  # the card turned
        ("shown", F, (PACK,)),  # cards that others have shown: (the other, next 1, ...) / 4
        ("turned", F, (PACK,)),  # talon cards turned: (who, me 1, next 2, ...) / 5, negative from the bottom
        ("stack", F, (SEATS,)),  # / twice the cap of stakes, at most 1
        ("stake", F, (SEATS,)),  # put in, / cap
        ("dead", F, (SEATS,)),  # fees, / cap, at most 1
        ("carried", F, (SEATS,)),  # from deals passed out, / cap, at most 1
        ("folded", F, (SEATS,)),  # who is out
        ("passed", F, (SEATS,)),  # who passed
        ("all_in", F, (SEATS,)),  # who is in without a jeton left
        ("last_carreur", F, (SEATS,)),  # one-hot
        ("opener", F, (SEATS,)),  # one-hot
        ("aggressor", F, (SEATS,)),  # one-hot
        ("pot", F),  # / five times the cap, at most 1
        ("level", F),  # the highest stake, / cap
        ("need", F),  # what I lack to it, / cap
        ("low", F),  # the smallest stake that the seat to act may go to, / cap; 0: none
        ("high", F),  # the largest
        ("carres", F),  # doublings so far, / 10
        ("raises", F),  # after the opening, / 100
        ("reopened", F),  # 1 = the callers' extra turn
        ("blind", F, (MOST_BLIND,)),  # answers before the cards in order: (who, me 1, next 2, ...) / 5, negative: no carre
        ("stakes", F, (MOST_STAKE,)),  # who went to a stake of 1, 2, ...: (who, me 1, ...) / 5, negative in the extra turn
        ("folded_at", F, (SEATS,)),  # the stake that a seat did not answer, / cap
        ("end", F, (len(ENDS),)),  # pass-out, carre takes, uncontested, showdown; 0 before the end
        ("winner", F, (SEATS,)),  # of the lowest layer of the pot
        ("net", F, (SEATS,)),  # change of stack in this deal, at the end, / five times the cap, within -1..1
        ("result", F, (SEATS,)),  # stack and bank less what was brought, / twenty times the cap, within -1..1
        ("deal_number", F),  # number of the deal in its episode, from 0, / the most there can be
    ]
)
REVEAL = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F, (SEATS,)),  # by seat, as all fives below
        ("in_deal", F, (SEATS,)),  # who was dealt in
        ("dealer", F, (SEATS,)),  # one-hot
        ("hand", F, (SEATS, PACK)),  # cards by card id, those still to be dealt too
        ("retourne", F, (PACK,)),  # the card turned, or to be turned
        ("talon", F, (PACK,)),  # (position + 1) / 36 of each card left
        ("stack", F, (SEATS,)),  # / twice the cap of stakes, at most 1
        ("stake", F, (SEATS,)),  # put in, / cap
        ("dead", F, (SEATS,)),  # fees, / cap, at most 1
        ("carried", F, (SEATS,)),  # from deals passed out, / cap, at most 1
        ("folded", F, (SEATS,)),  # who is out
        ("passed", F, (SEATS,)),  # who passed
        ("waiting", F, (SEATS,)),  # who has still to speak, or to answer
        ("last_carreur", F, (SEATS,)),  # one-hot
        ("displaced", F, (SEATS,)),  # the carreur before him
        ("opener", F, (SEATS,)),  # one-hot
        ("aggressor", F, (SEATS,)),  # one-hot
        ("pot", F),  # / five times the cap, at most 1
        ("level", F),  # the highest stake, / cap
        ("low", F),  # the smallest stake that the seat to act may go to, / cap; 0: none
        ("high", F),  # the largest
        ("carres", F),  # doublings so far, / 10
        ("raises", F),  # after the opening, / 100
        ("reopened", F),  # 1 = the callers' extra turn
        ("net", F, (SEATS,)),  # change of stack in this deal, at the end, / five times the cap, within -1..1
        ("result", F, (SEATS,)),  # stack and bank less what was brought, / twenty times the cap, within -1..1
        ("deal_number", F),  # number of the deal in its episode, from 0, / the most there can be
    ]
)
