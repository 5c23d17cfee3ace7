"""What a seat of bouillotte knows (spec section 7): hide, observe, reveal. Worlds stand in worlds.py."""

import numpy as np

from ..engine.cards import bit, count, lowest, write_cells
from ..engine.jit import inline, jit
from ..engine.layout import offsets
from ..engine.state import NONE, RUNNING
from . import actions as act
from . import state as st
from .play import options
from .seats import distance, next_in
from .settlement import shows_brelans
from .showdown import categorize


@inline
def hide(rules, state, seat):
    """Blank in place all that `seat` cannot know: the deck, and the hands of others unless they have been turned up."""
    state["key"] = 0
    state["lot"] = 0
    state["deck"][:] = 0
    if state["phase"] < st.TALON:
        for other in range(st.SEATS):
            if other != seat:
                state["hand"][other] = 0
    elif state["phase"] == st.END and state["end"] != st.SHOWN:
        hide_unshown(rules, state, seat)


@jit
def hide_unshown(rules, state, seat):
    """Without a showdown only those who are paid for a brelan show their cards."""
    for other in range(rules["players"]):
        if other != seat:
            category, _ = categorize(rules, state["hand"][other], state["retourne"], NONE)
            if category == st.POINT or not shows_brelans(rules, state):
                state["hand"][other] = 0


@inline
def _share(value, unit):
    """value * unit within -1..1."""
    return min(max(value * unit, -1.0), 1.0)


@inline
def mark_seat(rules, seat, other, out, first):
    """Set the cell of `other`, counted from `seat` in order of play; for NONE one stays 0: a branch would cost more."""
    out[first + distance(rules, seat, max(other, 0))] = other != NONE


@inline
def observe(rules, view, seat, out):
    """The view as the flat floats of OBSERVATION; segments are found by the offsets below, in the same order."""
    unit = 1.0 / rules["stake_cap"]
    out[_PHASE + view["phase"]] = 1
    mark_seat(rules, seat, view["seat"], out, _TO_ACT)
    mark_seat(rules, seat, view["start"]["dealer"], out, _DEALER)
    mark_seat(rules, seat, view["last"], out, _LAST_CARREUR)
    mark_seat(rules, seat, view["opener"], out, _OPENER)
    mark_seat(rules, seat, view["aggressor"], out, _AGGRESSOR)
    hand = view["hand"][seat]
    while hand:
        out[_HAND + lowest(hand)] = 1
        hand &= hand - 1
    if view["retourne"] >= 0:
        out[_RETOURNE + np.int64(view["retourne"])] = 1
    observe_seats(rules, view, seat, out)
    observe_log(rules, view, seat, out)
    if view["phase"] >= st.TALON:
        observe_shown(rules, view, seat, out)
    if view["phase"] == st.END:
        observe_end(rules, view, seat, out)
    _, low, high = options(rules, view)
    if low <= high:
        out[_LOW] = low * unit
        out[_HIGH] = high * unit
    out[_POT] = _share(view["pot"], 0.2 * unit)
    out[_LEVEL] = view["level"] * unit
    out[_NEED] = max(0, view["level"] - view["stake"][seat]) * unit
    out[_CARRES] = view["made"] * 0.1
    out[_RAISES] = view["raises"] * 0.01
    out[_REOPENED] = view["reopened"]
    if view["deal"]:
        out[_DEAL_NUMBER] = view["deal"] / rules["deals"]


@inline
def observe_seats(rules, view, seat, out):
    """What lies before each seat, and what it has done."""
    unit = 1.0 / rules["stake_cap"]
    match = view["match"]
    who = seat
    place, to_dealer = 0, distance(rules, seat, view["start"]["dealer"])
    for k in range(rules["players"]):
        stack = match["stack"][who]
        out[_STACK + k] = min(stack * 0.5 * unit, 1.0)
        out[_STAKE + k] = view["stake"][who] * unit
        out[_DEAD + k] = min(view["dead"][who] * unit, 1.0)
        out[_CARRIED + k] = min(match["carried"][who] * unit, 1.0)
        out[_RESULT + k] = _share(stack + match["bank"][who] - match["buyins"][who], 0.05 * unit)
        if view["dealt"] >> who & 1:
            out[_IN_DEAL + k] = 1
            out[_FOLDED + k] = view["folded"] >> who & 1
            out[_PASSED + k] = view["passed"] >> who & 1
            out[_ALL_IN + k] = stack == 0 and view["phase"] != st.END
            place += k > to_dealer  # who sits between the dealer and me
        who += rules["step"]
        if who >= rules["players"]:
            who -= rules["players"]
    if view["dealt"] >> seat & 1:
        out[_PLACE + place] = 1


@inline
def observe_log(rules, view, seat, out):
    """Carres in order, who went to which stake, and which stake was not answered."""
    unit = 1.0 / rules["stake_cap"]
    blind = stake = 0
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        k = distance(rules, seat, np.int64(view["log_seat"][i]))
        share = (k + 1) * 0.2
        if action > act.STAKE:
            stake = action - act.STAKE
            out[_STAKES + stake - 1] = share
        elif action < 0:  # in the extra turn
            stake = -action - act.STAKE
            out[_STAKES + stake - 1] = -share
        elif action == act.FOLD:
            out[_FOLDED_AT + k] = stake * unit
        elif action == act.CARRE or action == act.NO_CARRE:
            out[_BLIND + blind] = share if action == act.CARRE else -share
            blind += 1
        elif action == act.TALON_FIRST or action == act.TALON_LAST:
            card = np.int64(view["turned"][view["log_seat"][i]])
            if card >= 0:
                out[_TURNED + card] = share if action == act.TALON_FIRST else -share


@inline
def observe_shown(rules, view, seat, out):
    """Cards that others have turned up."""
    for other in range(rules["players"]):
        cards = view["hand"][other]
        if other != seat and cards:
            share = distance(rules, seat, other) / 4
            while cards:
                out[_SHOWN + lowest(cards)] = share
                cards &= cards - 1


@inline
def observe_end(rules, view, seat, out):
    """How the deal has ended."""
    out[_END + view["end"]] = 1
    mark_seat(rules, seat, np.int64(view["winners"][0]), out, _WINNER)
    unit = 1.0 / rules["stake_cap"]
    for other in range(rules["players"]):
        out[_NET + distance(rules, seat, other)] = _share(view["net"][other], 0.2 * unit)


@inline
def reveal(rules, state, out):
    """The perfect state as the flat floats of REVEAL, by seat."""
    unit = 1.0 / rules["stake_cap"]
    out[_R_PHASE + state["phase"]] = 1
    if state["stage"] == RUNNING:
        mark(out, _R_TO_ACT, state["seat"])
    mark(out, _R_DEALER, state["start"]["dealer"])
    mark(out, _R_LAST_CARREUR, state["last"])
    mark(out, _R_DISPLACED, state["displaced"])
    mark(out, _R_OPENER, state["opener"])
    mark(out, _R_AGGRESSOR, state["aggressor"])
    reveal_cards(rules, state, out)
    match = state["match"]
    for seat in range(rules["players"]):
        stack = match["stack"][seat]
        out[_R_IN_DEAL + seat] = state["dealt"] >> seat & 1
        out[_R_FOLDED + seat] = state["folded"] >> seat & 1
        out[_R_PASSED + seat] = state["passed"] >> seat & 1
        out[_R_WAITING + seat] = state["waiting"] >> seat & 1
        out[_R_STACK + seat] = _share(stack, 0.5 * unit)
        out[_R_STAKE + seat] = state["stake"][seat] * unit
        out[_R_DEAD + seat] = _share(state["dead"][seat], unit)
        out[_R_CARRIED + seat] = _share(match["carried"][seat], unit)
        out[_R_NET + seat] = _share(state["net"][seat], 0.2 * unit)
        out[_R_RESULT + seat] = _share(stack + match["bank"][seat] - match["buyins"][seat], 0.05 * unit)
    _, low, high = options(rules, state)
    if low <= high:
        out[_R_LOW] = low * unit
        out[_R_HIGH] = high * unit
    out[_R_POT] = _share(state["pot"], 0.2 * unit)
    out[_R_LEVEL] = state["level"] * unit
    out[_R_CARRES] = state["made"] * 0.1
    out[_R_RAISES] = state["raises"] * 0.01
    out[_R_REOPENED] = state["reopened"]
    out[_R_DEAL_NUMBER] = state["deal"] / rules["deals"]


@inline
def mark(out, first, seat):
    if seat != NONE:
        out[first + seat] = 1


@inline
def reveal_cards(rules, state, out):
    """Hands, retourne and talon from the deck, whether they have been dealt or not."""
    deck = state["deck"]
    seat = state["start"]["dealer"]
    n = count(state["dealt"])
    for k in range(n):
        seat = next_in(rules, seat, state["dealt"])
        write_cells(out, _R_HAND + st.PACK * seat, bit(deck[k]) | bit(deck[n + k]) | bit(deck[2 * n + k]), st.PACK)
    out[_R_RETOURNE + np.int64(deck[3 * n])] = 1
    gone = 0
    for other in range(rules["players"]):
        if state["turned"][other] >= 0:
            gone |= bit(state["turned"][other])
    for i in range(3 * n + 1, st.PACK):
        card = np.int64(deck[i])
        if card >= 0 and not gone >> card & 1:
            out[_R_TALON + card] = (i - 3 * n) / st.PACK


(_PHASE, _TO_ACT, _IN_DEAL, _DEALER, _PLACE, _HAND, _RETOURNE, _SHOWN, _TURNED, _STACK, _STAKE, _DEAD, _CARRIED, _FOLDED,
 _PASSED, _ALL_IN, _LAST_CARREUR, _OPENER, _AGGRESSOR, _POT, _LEVEL, _NEED, _LOW, _HIGH, _CARRES, _RAISES, _REOPENED, _BLIND,
 _STAKES, _FOLDED_AT, _END, _WINNER, _NET, _RESULT, _DEAL_NUMBER) = offsets(st.OBSERVATION)  # fmt: skip
(_R_PHASE, _R_TO_ACT, _R_IN_DEAL, _R_DEALER, _R_HAND, _R_RETOURNE, _R_TALON, _R_STACK, _R_STAKE, _R_DEAD, _R_CARRIED,
 _R_FOLDED, _R_PASSED, _R_WAITING, _R_LAST_CARREUR, _R_DISPLACED, _R_OPENER, _R_AGGRESSOR, _R_POT, _R_LEVEL, _R_LOW, _R_HIGH,
 _R_CARRES, _R_RAISES, _R_REOPENED, _R_NET, _R_RESULT, _R_DEAL_NUMBER) = offsets(st.REVEAL)  # fmt: skip
