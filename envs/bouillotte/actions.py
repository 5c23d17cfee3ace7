"""The one table of actions: position = id, text = what records, logs and errors show (spec sections 4 and 4.8)."""

from ..engine.cards import card_names

RANKS = "AKQJT9876"
CARDS = card_names(RANKS)  # card id = 9 * suit + rank
MOST_STAKE = 100  # the largest `stake_cap`

PASS, FOLD, CALL, NO_CARRE, CARRE, TALON_FIRST, TALON_LAST = range(7)
STAKE = 6  # STAKE + t: my stake in this deal becomes t, from 1 up
PLAIN = ("PASS", "FOLD", "CALL", "NO_CARRE", "CARRE", "TALON_FIRST", "TALON_LAST")
ACTIONS = (*PLAIN, *(f"STAKE_TO {t}" for t in range(1, MOST_STAKE + 1)))

# With `action_abstraction=ladder` these are the choices; each rung means one of the stakes above.
FIRST_RUNG, RUNGS = len(PLAIN), 8
LADDER = (
    *PLAIN,
    "STAKE_LEAST",
    "STAKE_FICHE",
    "STAKE_TWO_FICHES",
    "STAKE_HALF_POT",
    "STAKE_POT",
    "STAKE_TWO_POTS",
    "STAKE_HALF_STACK",
    "VA_TOUT",
)
