"""The ante, and the carres before anybody has seen a card (spec sections 4.1 and 4.2)."""

from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.state import NONE
from . import actions as act
from . import state as st
from .betting import deal_cards, is_tapissier, pay
from .options import ALL_PLUS_DEALER, DEALER_ANTE, DEALER_CARRE, FORCED_FIRST, NO_CARRE
from .seats import next_in


@jit
def pay_antes(rules, state):
    """Who antes pays, as far as his stack and the cap go."""
    dealer = state["start"]["dealer"]
    for seat in range(rules["players"]):
        if not state["dealt"] >> seat & 1:
            continue
        ante = rules["ante"] if rules["ante_mode"] != DEALER_ANTE or seat == dealer else 0
        if seat == dealer and rules["ante_mode"] == ALL_PLUS_DEALER:
            ante = 2 * rules["ante"]
        if seat == dealer and rules["double"] and rules["ante_mode"] == DEALER_ANTE:
            ante = max(ante, state["pot"])  # what was carried, so that it doubles
        pay(state, seat, min(ante, min(state["match"]["stack"][seat], rules["stake_cap"])))


@jit
def open_blind(rules, state):
    """The first question of the deal."""
    if rules["carre_mode"] == NO_CARRE:
        deal_cards(rules, state)
    elif rules["carre_mode"] == DEALER_CARRE:
        state["last"] = state["start"]["dealer"]
        deal_cards(rules, state)
    else:
        ask_carre(rules, state, False)


@inline
def is_able(rules, state, seat):
    """Whether a seat can double the pot."""
    cost = state["pot"]
    stack = state["match"]["stack"][seat]
    return stack >= cost and not is_tapissier(rules, state, seat) and state["stake"][seat] + cost <= rules["stake_cap"]


@jit
def ask_carre(rules, state, refused):
    """Ask the displaced carreur, unless he has just refused, then the next in order; else the cards are dealt."""
    if state["made"] < rules["carre_max"]:
        back = state["displaced"]
        if rules["carre_buyback"] and not refused and back != NONE and is_able(rules, state, back):
            ask(state, st.BLIND, back)
            return
        dealer = state["start"]["dealer"]
        if state["front"] != dealer:
            seat = next_in(rules, dealer if state["front"] == NONE else state["front"], state["dealt"])
            if is_able(rules, state, seat):
                ask(state, st.BLIND, seat)
                return
    deal_cards(rules, state)


@inline
def carre_options(rules, state):
    if rules["carre_mode"] == FORCED_FIRST and state["made"] == 0:
        return 1 << act.CARRE
    return 1 << act.CARRE | 1 << act.NO_CARRE


@inline
def answer_carre(rules, state, action):
    """CARRE doubles the pot; NO_CARRE of the next in order ends the phase."""
    seat = state["seat"]
    log(state, seat, action)
    back = seat == state["displaced"]
    if action == act.NO_CARRE:
        if back:
            ask_carre(rules, state, True)
        else:
            deal_cards(rules, state)
        return
    pay(state, seat, state["pot"])
    state["made"] += 1
    state["displaced"] = state["last"]
    state["last"] = seat
    if not back:
        state["front"] = seat
    ask_carre(rules, state, False)
