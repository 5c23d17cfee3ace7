"""The records of piquet: what a table holds, and what a seat sees. Seats are 0 and 1; elder = 1 - dealer.

In a view UNKNOWN stands for a card or call that the seat cannot know, and an unknown set is empty (0).
"""

from enum import IntEnum

import numpy as np

from ..engine.state import HEADER


class Phase(IntEnum):
    """What is being decided (spec section 4); the Y phases are younger's declarations, COUNTER his answer of 4.3 at once."""

    BLANK, EXCHANGE, POINT, POINT_LEN, POINT_VAL, COUNTER, SEQ, SEQ_REPLY, SEQ_EXTRA = range(9)
    SET, SET_REPLY, SET_EXTRA, YPOINT, YSEQ, YSET, CAPOT, NAME, LEAD, FOLLOW, LOOK, OVER = range(9, 21)


# Plain integers for the kernels.
(BLANK, EXCHANGE, POINT, POINT_LEN, POINT_VAL, COUNTER, SEQ, SEQ_REPLY, SEQ_EXTRA, SET, SET_REPLY, SET_EXTRA, YPOINT, YSEQ,
 YSET, CAPOT, NAME, LEAD, FOLLOW, LOOK, OVER) = (int(phase) for phase in Phase)  # fmt: skip

# Categories of declaration, and what became of each (field `outcome`).
CATEGORY_POINT, CATEGORY_SEQ, CATEGORY_SET = range(3)
UNSETTLED, OPEN, WON, VOID, BEATEN = range(5)  # elder has not called; passed; counts; equal; younger must beat

DECLINED, SHOWN = 0, 1  # answers to the offer of a blank; NONE: not asked
NO, YES = 0, 1  # answers to OPEN_CAPOT and LOOK; NONE: not asked

# Rows of the ledger (spec 5.1), with the bonus of 5.4 last.
(ITEM_BLANK, ITEM_POINT, ITEM_SEQ, ITEM_SET, ITEM_RED, ITEM_FULL, ITEM_PLAY, ITEM_CARDS, ITEM_BONUS) = range(9)
HAND_ITEMS = 6  # the first six are the hand total H of 5.4

LOG_SIZE = 64  # 24 cards played, and at most 32 calls, answers and passes

MATCH = np.dtype(
    [
        ("dealer", np.int32),  # seat; before the deal NONE: by lot
        ("korolik", np.int32),  # number of the korolik, from 0
        ("deals", np.int32),  # deals finished in this korolik (rubicon, cent: in this partie)
        ("refaits", np.int32),  # refait koroliks directly before this one
        ("written", np.int32, (2,)),  # figures written in this korolik, by seat
        ("columns", np.int32, (2,)),  # figures written in the partie
        ("wrote", np.int32, (2,)),  # 1 = wrote a figure in the partie
        ("records", np.int32, (2,)),  # records of finished koroliks
        ("final_bonus", np.int32, (2,)),  # korolik, at the end of the partie (6.1.7)
        ("through", np.int32, (2,)),  # the same (6.1.8)
        ("totals", np.int32, (2,)),  # rubicon, cent: points of finished deals; korolik: at the end of the partie (6.1.9)
        ("net", np.int32, (2,)),  # what the finished deals have settled: the return so far
    ]
)

STATE = np.dtype(
    [
        *HEADER,
        ("phase", np.int64),  # Phase
        ("hand", np.int64, (2,)),  # set of cards held now
        ("dealt", np.int64, (2,)),  # set of the twelve cards dealt
        ("discarded", np.int64, (2,)),  # set of cards marked for the exchange
        ("shown", np.int64, (2,)),  # set of cards shown in counted items
        ("counted", np.int64, (2,)),  # set of cards in counted items, for the full hand
        ("counted_seq", np.int64, (2,)),  # set of cards in counted sequences
        ("played", np.int64, (2,)),  # set of cards played
        ("counted_set", np.int32, (2,)),  # bit r: the set of rank r is counted
        ("held", np.int32, (2,)),  # number of cards in hand
        ("marked", np.int32, (2,)),  # number of cards marked
        ("exchanged", np.int32, (2,)),  # number exchanged, or NONE before
        ("blank", np.int32, (2,)),  # NONE, DECLINED (private) or SHOWN
        ("outcome", np.int32, (3,)),  # by category
        ("call_at", np.int32, (3,)),  # index in the log of elder's contested call, or NONE
        ("call_class", np.int32, (3,)),  # its class (see scoring.py), or NONE
        ("call_shown", np.int32, (3,)),  # 1 = its cards (or, equal, its suit) are public
        ("call_pips", np.int32),  # pips of elder's point once public, or NONE
        ("counter_at", np.int32),  # index in the log of younger's point called at once, or NONE
        ("counter_class", np.int32),  # its number of cards, or NONE
        ("counter_pips", np.int32),  # its pips once public, or NONE
        ("counter_shown", np.int32),
        ("younger_at", np.int32),  # length of the log when younger's declarations began, or NONE
        ("younger_done", np.int32),  # 1 = they are finished
        ("capot", np.int32, (2,)),  # NONE, NO or YES, by seat
        ("named", np.int32),  # suit named by elder; NO_SUIT if he declined; NONE before
        ("looked", np.int32),  # NONE, NO or YES
        ("leader", np.int64),  # seat that leads or led the trick
        ("table", np.int64),  # card led and not yet answered, or NONE
        ("plays", np.int32),  # cards played by both
        ("tricks", np.int32, (2,)),
        ("reckoned", np.int32, (2,)),  # length of the log when cartes rouges and full hand were looked at, or NONE
        ("ledger", np.int32, (2, 9)),  # points credited so far, by seat and row
        ("bonus", np.int32),  # seat that made pique or repique, or NONE
        ("decided", np.int32),  # cent in a partie: ledger row that ended the game, or NONE
        ("match", MATCH),  # match scores, settled at the end of a deal
        ("start", MATCH),  # the same at the start of the deal: what it inherits
        ("logged", np.int64),  # entries in the log
        ("log", np.int16, (LOG_SIZE,)),  # calls, answers, plays: action ids in order; UNKNOWN: a call known by its class only
        ("log_seat", np.int8, (LOG_SIZE,)),
        ("marks", np.int8, (2, 8)),  # cards in the order of marking, or NONE
        ("talon", np.int8, (8,)),  # by position
        ("deck", np.int8, (32,)),  # in the canonical order of section 3
    ]
)
NO_SUIT = 4

F = np.float32
OBSERVATION = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F),  # 1 = I am to act
        ("elder", F),  # 1 = I am elder
        ("hand", F, (32,)),  # cards I hold, by card id
        ("discards", F, (32,)),  # my discards, marked ones included
        ("dealt", F, (32,)),  # my twelve dealt cards
        ("talon", F, (32,)),  # (position + 1) / 8 of each talon card I drew or saw
        ("their_shown", F, (32,)),  # cards shown in their counted items
        ("my_shown", F, (32,)),  # cards shown in my counted items
        ("their_blank", F, (32,)),  # their dealt cards, once a blank is shown
        ("played", F, (2, 32)),  # me, them: (place in the order of play + 1) / 24
        ("table", F, (32,)),  # the card led, not yet answered
        ("exchanged", F, (2,)),  # number / 8; me, them
        ("exchange_done", F, (2,)),  # 1 = the exchange is over (tells none from not yet); me, them
        ("blank", F, (2, 3)),  # not asked as I know, declined, shown; me, them
        ("outcome", F, (3, 5)),  # of point, sequence, set: one-hot of unsettled, open, won, void, beaten
        ("call", F, (3, 2)),  # elder's call: number of cards / 8 and top (8 - r) / 8; of the point, pips / 75 once public
        ("call_item", F, (53,)),  # those of them that I know by name, by action id from POINT
        ("counter", F, (2,)),  # younger's point called at once: cards / 8, pips / 75
        ("items", F, (2, 53)),  # me, them: calls by action id from POINT, (place among all such calls + 1) / 16
        ("capot", F, (2, 3)),  # not asked, declined, announced; me, them
        ("named", F, (6,)),  # not asked, four suits, declined
        ("looked", F, (3,)),  # not asked, declined, looked
        ("leader", F),  # 1 = I lead or led the trick
        ("tricks", F, (2,)),  # tricks won, / 12; me, them
        ("ledger", F, (2, 9)),  # items I to VIII and bonus, / 100, at most 1; me, them
        ("deal_number", F),  # number of the deal in its episode, from 0, / 16, at most 1
        ("korolik", F, (3,)),  # number, deals finished in it, pending refaits; / 8, at most 1
        ("written", F, (2,)),  # figures written in this korolik, / 400, at most 1; me, them
        ("columns", F, (2,)),  # figures written in the partie, / 800, at most 1; me, them
        ("wrote", F, (2,)),  # 1 = wrote a figure in the partie; me, them
        ("records", F, (2,)),  # records of finished koroliks, / 1600, at most 1; me, them
        ("totals", F, (2,)),  # rubicon, cent: points of finished deals, / 800, at most 1; me, them
    ]
)
REVEAL = np.dtype(
    [
        ("phase", F, (len(Phase),)),  # one-hot, in the order of Phase in state.py
        ("to_act", F, (2,)),  # by seat, as all pairs below
        ("elder", F, (2,)),  # one-hot
        ("hand", F, (2, 32)),  # cards held, by card id
        ("discards", F, (2, 32)),  # cards marked or exchanged
        ("talon", F, (32,)),  # (position + 1) / 8 of each card left or not yet drawn
        ("played", F, (2, 32)),  # (place in the order of play + 1) / 24
        ("table", F, (32,)),  # the card led, not yet answered
        ("outcome", F, (3, 5)),  # of point, sequence, set: one-hot of unsettled, open, won, void, beaten
        ("capot", F, (2,)),  # 1 = announced
        ("leader", F, (2,)),  # 1 = leads or led the trick
        ("tricks", F, (2,)),  # tricks won, / 12
        ("ledger", F, (2, 9)),  # items I to VIII and bonus, / 100, at most 1
        ("columns", F, (2,)),  # figures written in the partie, / 800, at most 1
        ("records", F, (2,)),  # records of finished koroliks, / 1600, at most 1
        ("totals", F, (2,)),  # rubicon, cent: points of finished deals, / 800, at most 1
        ("korolik", F, (3,)),  # number, deals finished in it, pending refaits; / 8, at most 1
    ]
)
