"""The one table of actions: position = id, text = what records, logs and errors show (spec section 4.6)."""

from ..engine.cards import SUITS, card_names

RANKS = "A234567JQK"
CARDS = card_names(RANKS)  # card id = 10 * suit + rank; a card is the action of playing, discarding or keeping it

ACTIONS = (
    *CARDS,
    "PASS",
    "ENTRADA",
    "VUELTA",
    "SOLO",
    "CASCO_LESSER",
    "CASCO_GREATER",
    *(f"TRUMP_{suit}" for suit in SUITS),
    "REFUSE",
    "DONE",
    "GO_FIRST",
    "YIELD",
    "STOP",
    "VOLE",
    "SURRENDER",
    "LOOK",
    "LEAVE",
)

# Ids; TRUMP is the first of four.
PASS, ENTRADA, VUELTA, SOLO, CASCO_LESSER, CASCO_GREATER, TRUMP = range(40, 47)
REFUSE, DONE, GO_FIRST, YIELD, STOP, VOLE, SURRENDER, LOOK, LEAVE = range(50, 59)

# A hidden move of another seat, as a view tells it: an id that is no action, plus the number exchanged.
HIDDEN_EXCHANGE = 64
