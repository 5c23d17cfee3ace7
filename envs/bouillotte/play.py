"""A deal of bouillotte in order of play: deal, what is legal, and what a move does (spec sections 3 and 4).

`options` gives what the seat to act may do as a set of ids below STAKE and a span of stakes. `move` plays one move and asks
the next question; it works on views too, since all that is played is public, but cards have to be told (see events.py).
"""

import numpy as np

from ..engine.cards import list_cards, lowest
from ..engine.chance import LOT, draw_once
from ..engine.jit import inline, jit
from ..engine.state import NONE, RUNNING
from . import actions as act
from . import state as st
from .betting import answer, answer_options, pass_word, rung_stake, speak_options, stake_to, talon_left, turn
from .blind import answer_carre, carre_options, open_blind, pay_antes
from .options import AUTO_FIRST


@jit
def begin(rules, state):
    """What an episode begins with: a cave in front of each seat, the first dealer drawn by lot."""
    match = state["match"]
    match["dealer"] = NONE
    for seat in range(st.SEATS):
        match["stack"][seat] = match["buyins"][seat] = rules["cave"] if seat < rules["players"] else 0
    match["carried"][:] = 0
    match["bank"][:] = 0


@jit
def pack(rules, deck):
    deck[:] = NONE
    return list_cards(rules["pack"], deck)


@jit
def deal(rules, state):
    """Take the antes and ask the first question; the cards stay in the deck until the blind phase is over."""
    if state["match"]["dealer"] == NONE:
        state["match"]["dealer"] = draw_once(state["lot"], LOT, rules["players"])
    state["hand"][:] = 0
    state["retourne"] = NONE
    state["turned"][:] = NONE
    open_deal(rules, state)


@jit
def open_deal(rules, state):
    """A deal by the dealer in `match`, up to its first question; hands are left as they are."""
    state["start"] = state["match"]
    state["stage"] = RUNNING
    state["phase"] = st.BLIND
    state["dealt"] = state["pot"] = state["level"] = 0
    state["folded"] = state["passed"] = state["waiting"] = 0
    state["last"] = state["displaced"] = state["front"] = state["opener"] = state["aggressor"] = NONE
    state["made"] = state["raises"] = state["reopened"] = 0
    state["stake"][:] = 0
    state["dead"][:] = 0
    state["end"] = NONE
    state["layers"][:] = 0
    state["winners"][:] = NONE
    state["net"][:] = 0
    state["paid"][:] = NONE
    state["logged"] = 0
    state["log"][:] = NONE
    state["log_seat"][:] = NONE
    for seat in range(rules["players"]):
        state["pot"] += state["match"]["carried"][seat]
        if state["match"]["stack"][seat] > 0:
            state["dealt"] |= 1 << seat
    pay_antes(rules, state)
    open_blind(rules, state)


@inline
def options(rules, state):
    """What the seat to act may do: a set of ids below STAKE, the smallest and the largest stake (none where low > high)."""
    phase = state["phase"]
    if state["stage"] != RUNNING or state["seat"] == NONE:
        return 0, 1, 0
    if phase == st.BETTING:
        return answer_options(rules, state)
    if phase == st.OPENING:
        return speak_options(rules, state)
    if phase == st.BLIND:
        return carre_options(rules, state), 1, 0
    if rules["talon"] == AUTO_FIRST or talon_left(rules, state) == 1:
        return 1 << act.TALON_FIRST, 1, 0
    return 1 << act.TALON_FIRST | 1 << act.TALON_LAST, 1, 0


@inline
def legal(rules, state, mask):
    """Mark what the seat to act may do: stakes, or with the ladder those rungs that mean different ones."""
    word, low, high = options(rules, state)
    for action in range(act.FIRST_RUNG):
        mask[action] = word >> action & 1
    if low > high:
        return
    if rules["ladder"]:
        for rung in range(act.RUNGS):
            mask[act.FIRST_RUNG + rung] = rung_stake(state, rung, low, high) > 0
    else:
        for stake in range(low, high + 1):
            mask[act.STAKE + stake] = 1


@inline
def meant(rules, state, choice):
    """The action that a choice means: with the ladder a rung means a stake."""
    if rules["ladder"] == 0 or choice < act.FIRST_RUNG:
        return choice
    _, low, high = options(rules, state)
    return act.STAKE + rung_stake(state, choice - act.FIRST_RUNG, low, high)


@inline
def forced(rules, state):
    """The one action that the seat to act may play, or NONE where it may choose."""
    word, low, high = options(rules, state)
    if word == 0 or low <= high or word & (word - 1):
        return NONE
    return lowest(word)


@inline
def move(rules, state, action):
    """One move of the seat to act, without the forced ones behind it."""
    phase = state["phase"]
    if phase == st.BETTING:
        answer(rules, state, action)
    elif phase == st.OPENING:
        if action == act.PASS:
            pass_word(rules, state)
        else:
            stake_to(rules, state, action)
    elif phase == st.BLIND:
        answer_carre(rules, state, action)
    else:
        turn(rules, state, action)


@jit
def retrace(rules, end, state):
    """The move of the seat to act in `state` on the way to `end`, or NONE where none followed.

    Calls stand in no log: who was to answer a stake and has done nothing else has called.
    """
    seat = state["seat"]
    if seat == NONE:
        return NONE
    n = state["logged"]
    logged = np.int64(end["log"][n]) if n < end["logged"] else act.CALL
    if state["phase"] >= st.TALON:
        return logged if n < end["logged"] else NONE
    if n < end["logged"] and logged != act.TALON_FIRST and logged != act.TALON_LAST:
        return abs(logged) if end["log_seat"][n] == seat and (logged >= 0 or state["reopened"]) else act.CALL
    gone_on = end["phase"] >= st.TALON or end["seat"] != seat or end["phase"] != state["phase"]
    return act.CALL if gone_on or end["reopened"] != state["reopened"] else NONE
