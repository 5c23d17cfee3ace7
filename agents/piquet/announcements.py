"""Announcements between the declarations and the play: an open capot, naming the suit of the first lead, looking."""

from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from ...envs.piquet import actions as act
from ...envs.piquet import state as st
from ...envs.piquet.legal import elder_of
from ...envs.piquet.scoring import suit_byte
from .suits import sure_tricks
from .unseen import their_cards


@jit
def weigh_announcement(rules, view, seat, mask, out):
    """A capot is announced where it is certain, or where failing costs nothing.

    Elder names the suit that he would lead in any case, and sees the cards left for nothing. Younger looks.
    """
    _, possible = their_cards(rules, view, seat)
    hand = view["hand"][seat]
    if view["phase"] == st.CAPOT:
        elder = seat == elder_of(view)
        certain = True
        for suit in range(4):
            mine = suit_byte(hand, suit)
            certain = certain and sure_tricks(mine, suit_byte(possible, suit)) == count(mine)
        out[act.OPEN_CAPOT if rules["capot_fail"] == 0 or (elder and certain) else act.PASS] = 1
    elif view["phase"] == st.NAME:
        out[act.PASS] = 1
    else:
        out[act.LOOK] = 1
