"""What a table of solo holds, and what a seat sees of it: phases, actions, dtypes."""

from enum import IntEnum

import numpy as np

from lomber.envs.engine.cards import SUITS as SUIT_NAMES
from lomber.envs.engine.cards import card_names
from lomber.envs.engine.layout import layout_of
from lomber.envs.engine.state import HEADER

SEATS, SUITS, RANKS, HAND, TALON = 3, 4, 3, 3, 3
CARDS = SUITS * RANKS  # card = suit * RANKS + rank; a lower rank number is a higher card
PLAYS = SEATS * HAND
CARD_NAMES = card_names("AKQ")
MOST_POINTS = 60  # 3 deals, 2 points a deal, stake 10


class Phase(IntEnum):
    """Where a deal stands."""

    BID, LAY, PLAY, END = range(4)


# The one table of actions: position = id, text = what records, logs and errors show.
ACTIONS = ("pass", *(f"solo {s}" for s in SUIT_NAMES), *(f"lay {c}" for c in CARD_NAMES), *CARD_NAMES)
PASS, SOLO, LAY, PLAY = 0, 1, 1 + SUITS, 1 + SUITS + CARDS  # first id of each block

MATCH = np.dtype([
    ("dealer", np.int32),  # of the next deal, or NONE: by lot
    ("points", np.int32, (SEATS,)),  # of the finished deals
])  # fmt: skip
STATE = np.dtype([
    *HEADER,
    ("deck", np.int32, (CARDS,)),  # three cards to each seat from the dealer's left, then the talon
    ("start", MATCH),  # what this deal inherited
    ("match", MATCH),  # what the next one will
    ("phase", np.int32),  # Phase
    ("bids", np.int32, (SEATS,)),  # actions in order of bidding, or NONE
    ("soloist", np.int32),  # seat, or NONE
    ("trump", np.int32),  # suit, or NONE
    ("hands", np.int64, (SEATS,)),  # sets of cards; empty where not known
    ("held", np.int32, (SEATS,)),  # how many cards each hand has
    ("talon", np.int32, (TALON,)),  # card, or UNKNOWN; the soloist draws the first, which stays noted here
    ("laid", np.int32),  # the card the soloist laid away, UNKNOWN or NONE
    ("plays", np.int32, (PLAYS,)),  # cards in order of play, or NONE
    ("players", np.int32, (PLAYS,)),  # who played each, or NONE
    ("count", np.int32),  # cards played
    ("tricks", np.int32, (SEATS,)),  # tricks won
])  # fmt: skip

PUBLIC = [  # seats are counted from the viewer; for critics from seat 0
    ("phase", np.float32, (len(Phase),)),  # one-hot
    ("deal", np.float32, (3,)),  # number of the deal, one-hot
    ("dealer", np.float32, (SEATS,)),  # one-hot
    ("points", np.float32, (SEATS,)),  # of the finished deals, / 60
    ("bids", np.float32, (SEATS, 1 + SUITS)),  # in order of bidding, one-hot
    ("plays", np.float32, (PLAYS, CARDS)),  # in order of play, one-hot
    ("tricks", np.float32, (SEATS,)),  # won, / 3
]
OBSERVATION = np.dtype([
    *PUBLIC,
    ("hand", np.float32, (CARDS,)),  # own cards
    ("drawn", np.float32, (CARDS,)),  # the soloist's own draw
    ("laid", np.float32, (CARDS,)),  # the card the soloist laid away
])  # fmt: skip
REVEAL = np.dtype([
    *PUBLIC,
    ("hands", np.float32, (SEATS, CARDS)),
    ("talon", np.float32, (TALON, CARDS)),
    ("laid", np.float32, (CARDS,)),
])  # fmt: skip
AT = {s.name: s.start for s in layout_of(OBSERVATION)}  # where each segment begins
REVEAL_AT = {s.name: s.start for s in layout_of(REVEAL)}
