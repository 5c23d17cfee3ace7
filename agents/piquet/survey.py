"""The table as a seat sees it before a card: what the other may hold, is presumed to hold, and who would win how much."""

from ...envs.engine.cards import bit, count
from ...envs.engine.jit import jit
from ...envs.engine.state import NONE
from ...envs.piquet import state as st
from ...envs.piquet.consistency import ALL, bounds_of_hand, void_suits
from ...envs.piquet.knowledge import known_held
from ...envs.piquet.legal import elder_of
from ...envs.piquet.scoring import hand_total, suit_byte
from .suits import LAST, likely_run, sure_tricks

# Cells of the survey (float64): tricks left and made; the share of the unknown cards that they hold; sure winners and their
# likely run, whatever they hold; winners and their run if they hold what is presumed; whether a pique is in reach.
LEFT, MADE, SHARE, WINNERS, RUN, HOPES, THREATS, PIQUE = range(8)
CELLS = 8
_SHORT = 0.7  # what a card more in its suit makes up for, in ranks, when a card is thrown away


@jit
def their_cards(rules, view, seat):
    """(sure, possible): sets of cards in the other's hand now; `possible` includes `sure`."""
    other = 1 - seat
    must, closed = bounds_of_hand(rules, view, other)
    sure = (known_held(view, other) | must) & ~view["played"][other]
    away = view["hand"][seat] | view["discarded"][seat] | view["played"][0] | view["played"][1]
    for position in range(8):
        if view["talon"][position] >= 0:
            away |= bit(view["talon"][position])
    possible = sure | ALL & ~(away | closed | void_suits(view, other))
    if count(possible) == view["held"][other]:
        sure = possible
    return sure, possible


@jit
def presume(sure, possible, away):
    """Their hand if the `away` cards that lie elsewhere are those that a player misses least: low ones of short suits."""
    hand = possible
    for _ in range(away):
        worst, thrown = -1e9, NONE
        for suit in range(4):
            unknown = suit_byte(hand & ~sure, suit)
            if unknown:
                worth = LAST[unknown] - _SHORT * count(suit_byte(hand, suit))
                if worth > worst:
                    worst, thrown = worth, 8 * suit + LAST[unknown]
        hand &= ~bit(thrown)
    return hand


@jit
def survey(rules, view, seat, sure, possible, presumed, cells):
    """Fill the cells."""
    hand = view["hand"][seat]
    unknown = count(possible & ~sure)
    share = (view["held"][1 - seat] - count(sure)) / unknown if unknown else 1.0
    winners, run, hopes, threats = 0, 0.0, 0, 0
    for suit in range(4):
        mine, theirs = suit_byte(hand, suit), suit_byte(presumed, suit)
        winners += sure_tricks(mine, suit_byte(possible, suit))
        run += likely_run(mine, suit_byte(possible, suit), suit_byte(sure, suit), share)
        hopes += sure_tricks(mine, theirs)
        threats += sure_tricks(theirs, mine)
    cells[LEFT] = count(hand)
    cells[MADE] = view["tricks"][seat]
    cells[SHARE] = share
    cells[WINNERS] = winners
    cells[RUN] = run
    cells[HOPES] = hopes
    cells[THREATS] = threats
    cells[PIQUE] = pique_in_reach(rules, view, seat, count(hand), winners)


@jit
def pique_in_reach(rules, view, seat, left, winners):
    """1 where sure winners make a pique, 0.5 where winning on may, else 0."""
    other = 1 - seat
    if seat != elder_of(view) or view["bonus"] != NONE or hand_total(view, other) or view["ledger"][other, st.ITEM_PLAY]:
        return 0.0
    missing = rules["pique_at"] - hand_total(view, seat) - view["ledger"][seat, st.ITEM_PLAY]
    if missing <= 0 or missing > left:
        return 0.0
    return 1.0 if missing <= winners else 0.5
