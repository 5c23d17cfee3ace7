"""The one table of actions: position = id, text = what records, logs and errors show (spec section 4)."""

from ..engine.cards import RANKS_32, SUITS, card_names

CARDS = card_names(RANKS_32)
SET_RANKS = RANKS_32[:5]

ACTIONS = (
    *(f"DISCARD:{card}" for card in CARDS),
    *(f"PLAY:{card}" for card in CARDS),
    "PASS",
    *(f"POINT:{suit}" for suit in SUITS),
    *(f"SEQ:{rank}{suit}" for suit in SUITS for rank in RANKS_32[:6]),
    *(f"QUATORZE:{rank}" for rank in SET_RANKS),
    *(f"TRIO:{rank}-{suit}" for rank in SET_RANKS for suit in SUITS),
    "GOOD",
    "EQUAL",
    "NOT_GOOD",
    "BLANK",
    "OPEN_CAPOT",
    "LOOK",
    *(f"NAME:{suit}" for suit in SUITS),
)

# First id of each block.
DISCARD, PLAY, PASS, POINT, SEQ, QUATORZE, TRIO = 0, 32, 64, 65, 69, 93, 98
GOOD, EQUAL, NOT_GOOD, BLANK, OPEN_CAPOT, LOOK, NAME = 118, 119, 120, 121, 122, 123, 124
