"""Announcements between the declarations and the play: an open capot, naming the suit of the first lead, looking."""

from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from ...envs.piquet import actions as act
from ...envs.piquet import state as st
from ...envs.piquet.legal import elder_of
from ...envs.piquet.scoring import suit_byte
from .play import best_card
from .suits import sure_tricks
from .survey import their_cards


@jit
def weigh_announcement(rules, view, seat, out):
    """Announce a capot that is certain, or that costs nothing if it fails; name the suit that is led in any case; look."""
    hand = view["hand"][seat]
    if view["phase"] == st.CAPOT:
        free = rules["capot_fail"] == 0
        out[act.OPEN_CAPOT if free or is_capot_certain(rules, view, seat, hand) else act.PASS] = 1
    elif view["phase"] == st.NAME:
        out[act.NAME + best_card(rules, view, seat, hand) // 8] = 1
    else:
        out[act.LOOK] = 1


@jit
def is_capot_certain(rules, view, seat, hand):
    """Whether this seat leads and every suit runs, whatever the other holds."""
    if seat != elder_of(view):
        return False
    _, possible = their_cards(rules, view, seat)
    for suit in range(4):
        mine = suit_byte(hand, suit)
        if sure_tricks(mine, suit_byte(possible, suit)) < count(mine):
            return False
    return True
