"""Trumps, and the exchange with the talon (spec sections 4.3 and 4.4)."""

from ..engine.cards import bit, count
from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.state import NONE
from . import actions as act
from . import state as st
from .auction import draw_cards, talon_used
from .settle import finish
from .trumps import MATADORS


@jit
def trump_options(state):
    word = bit(act.TRUMP) * 15
    return word | bit(act.REFUSE) if state["phase"] == st.CASCO_TRUMP else word


@inline
def name_trump(rules, state, action):
    """NAME_TRUMP and CASCO_TRUMP."""
    ombre = state["ombre"]
    log(state, ombre, action)
    if action == act.REFUSE:
        finish(rules, state, st.REFUSED, NONE)
        return
    state["trump"] = action - act.TRUMP
    if state["contract"] == st.ENTRADA:
        ask(state, st.DISCARD, ombre)
        return
    if state["contract"] == st.SOLO:
        state["exchanged"][ombre] = 0
    after_ombre(rules, state)


@jit
def most_exchanged(rules, state, seat):
    """The most cards that a seat may exchange, at its turn; in a view that does not know its hand, what is public of it."""
    if seat == state["ombre"]:
        return rules["max_exchange"]
    left = st.TALON - talon_used(state)
    most = min(rules["max_exchange"], left)
    dealt = state["dealt"][seat]
    if seat == state["first"] and rules["leave_min"] and dealt and not dealt & MATADORS[state["trump"]]:
        most = min(most, max(left - rules["leave_min"], 0))
    return most


@jit
def discard_options(rules, state):
    """Cards above those already thrown, and DONE (4.3)."""
    seat = state["seat"]
    thrown = state["discarded"][seat]
    least = 0
    if seat == state["ombre"]:
        least = 1 if state["contract"] == st.VUELTA else rules["min_exchange"]
    word = state["hand"][seat]
    if thrown:
        top = thrown
        for shift in (1, 2, 4, 8, 16, 32):
            top |= top >> shift
        word &= ~top
    return word | bit(act.DONE) if count(thrown) >= least else word


@inline
def discard(rules, state, action):
    """Throw a card, or stop; HIDDEN_EXCHANGE + n: another seat exchanged n."""
    seat = state["seat"]
    if action < 40:
        state["hand"][seat] &= ~bit(action)
        state["discarded"][seat] |= bit(action)
        if count(state["discarded"][seat]) < most_exchanged(rules, state, seat):
            return
    n = action - act.HIDDEN_EXCHANGE if action >= act.HIDDEN_EXCHANGE else count(state["discarded"][seat])
    draw_cards(state, seat, n)
    if seat == state["ombre"]:
        after_ombre(rules, state)
    else:
        ask_defenders(rules, state)


@jit
def after_ombre(rules, state):
    """The ombre has his cards: the defenders' exchange, if it is played."""
    ombre = state["ombre"]
    if not rules["defenders_exchange"] or (state["contract"] == st.SOLO and not rules["solo_defenders_exchange"]):
        state["exchanged"][(ombre + 1) % 3] = state["exchanged"][(ombre + 2) % 3] = 0
        begin_play(state)
    elif rules["handover"]:
        ask(state, st.HANDOVER, (ombre + 1) % 3)
    else:
        state["first"] = (ombre + 1) % 3
        ask_defenders(rules, state)


@inline
def hand_over(rules, state, action):
    seat = state["seat"]
    log(state, seat, action)
    state["first"] = seat if action == act.GO_FIRST else (seat + 1) % 3
    ask_defenders(rules, state)


@jit
def ask_defenders(rules, state):
    """The next defender that may exchange; after both, the look at the rest of the talon or the play."""
    first = state["first"]
    second = 3 - state["ombre"] - first
    for k in range(2):
        seat = first if k == 0 else second
        if state["exchanged"][seat] == NONE:
            if most_exchanged(rules, state, seat):
                ask(state, st.DISCARD, seat)
                return
            state["exchanged"][seat] = 0
    if rules["may_look"] and talon_used(state) < st.TALON:
        ask(state, st.LOOK, second)
    else:
        begin_play(state)


@inline
def look(state, action):
    log(state, state["seat"], action)
    state["looked"] = st.YES if action == act.LOOK else st.NO
    begin_play(state)


@jit
def begin_play(state):
    """Eldest leads, whoever is ombre (4.5)."""
    eldest = (state["start"]["dealer"] + 1) % 3
    state["leader"] = eldest
    ask(state, st.PLAY, eldest)
