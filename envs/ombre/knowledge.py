"""What a seat of ombre knows (spec section 7): hide, observe, reveal. Worlds stand in worlds.py."""

import numpy as np

from ..engine.cards import write_cells
from ..engine.jit import inline, jit
from ..engine.layout import offsets
from ..engine.state import NONE, RUNNING, UNKNOWN
from . import actions as act
from . import state as st
from .auction import talon_used
from .trumps import TRUMPS


@jit
def draw_first(state, seat):
    """The first talon position that a seat drew, once it has exchanged: the ombre's, the first defender's, the second's."""
    ombre = state["ombre"]
    if seat == ombre:
        return 0
    first = state["exchanged"][ombre]
    if seat != state["first"] and state["first"] != NONE:
        first += state["exchanged"][state["first"]]
    return first


@jit
def shows_hand(rules, state, seat, other):
    """`vole_defenders_see`: the defenders of an undertaken vole see each other's hand."""
    ombre = state["ombre"]
    return rules["vole_see"] == 1 and state["premiers"] == st.YES and seat != ombre and other != ombre


@inline
def hide(rules, state, seat):
    """Blank in place all that `seat` cannot know."""
    state["key"] = 0
    state["lot"] = 0
    state["deck"][:] = 0
    hide_talon(state, seat)
    for k in range(1, 3):
        other = (seat + k) % 3
        if not shows_hand(rules, state, seat, other):
            state["hand"][other] = 0
        state["dealt"][other] = 0
        state["discarded"][other] = 0
    if state["phase"] == st.CASCO_KEEP and seat != state["ombre"]:  # asked only of a holder of two: as if it had not been
        state["phase"] = st.CASCO_TRUMP
        state["exchanged"][state["ombre"]] = 8


@inline
def hide_talon(state, seat):
    """Positions that the seat neither drew nor saw become UNKNOWN."""
    n = state["exchanged"][seat]
    first = draw_first(state, seat) if n > 0 else 0
    rest = talon_used(state) if state["looked"] == st.YES else st.TALON
    turned = state["contract"] == st.VUELTA
    for position in range(st.TALON):
        known = first <= position < first + n or position >= rest or (turned and position == 0)
        if not known:
            state["talon"][position] = UNKNOWN


@jit
def share(value, most):
    """value / most within -1..1. Most are 0, and a division is slow."""
    return min(max(value / most, -1.0), 1.0) if value else 0.0


@inline
def observe(rules, view, seat, out):
    """The view as the flat floats of OBSERVATION; segments are found by the offsets below, in the same order."""
    observe_log(view, seat, out)
    out[_PHASE + view["phase"]] = 1
    write_cells(out, _HAND, view["hand"][seat], 40)
    write_cells(out, _DISCARDS, view["discarded"][seat], 40)
    write_cells(out, _DEALT, view["dealt"][seat], 40)
    for position in range(st.TALON):
        card = np.int64(view["talon"][position])
        if card >= 0:
            out[_TALON + card] = _OF_13[position + 1]
    for k in range(2):
        write_cells(out, _THEIR_HAND + 40 * k, view["hand"][(seat + 1 + k) % 3], 40)
    if view["stage"] == RUNNING and view["seat"] >= 0:
        out[_TO_ACT + (view["seat"] - seat) % 3] = 1
    out[_DEALER + (view["start"]["dealer"] - seat) % 3] = 1
    if view["holder"] >= 0:
        out[_HOLDER + (view["holder"] - seat) % 3] = 1
    if view["ombre"] >= 0:
        out[_OMBRE + (view["ombre"] - seat) % 3] = 1
        out[_CONTRACT + view["contract"]] = 1
    if view["trump"] >= 0:
        out[_TRUMP + view["trump"]] = 1
        write_cells(out, _TRUMPS, TRUMPS[view["trump"]], 40)
    if view["first"] >= 0:
        out[_FIRST + (view["first"] - seat) % 3] = 1
    if view["leader"] >= 0:
        out[_LEADER + (view["leader"] - seat) % 3] = 1
    if view["winner"] >= 0:
        out[_WINNER + (view["winner"] - seat) % 3] = 1
    out[_TALON_LEFT] = _OF_13[st.TALON - talon_used(view)]
    out[_LOOKED + view["looked"] + 1] = 1
    out[_PREMIERS + view["premiers"] + 1] = 1
    observe_seats(view, seat, out)
    if view["outcome"] >= 0:
        out[_OUTCOME + view["outcome"]] = 1
        out[_RUN] = view["run"] / 12
        if view["codille"] >= 0:
            out[_CODILLE + (view["codille"] - seat) % 3] = 1
        if view["vole"] != st.NO_VOLE:
            out[_VOLE + view["vole"] - 1] = 1
    waiting = observe_chips(view["match"], out, _POT, _QUEUE)
    out[_QUEUE_LENGTH] = share(waiting, st.QUEUE)
    out[_DEAL_NUMBER] = share(view["deal"], st.MOST_DEALS)


@inline
def observe_seats(view, seat, out):
    """What each seat has exchanged and won."""
    for k in range(3):
        who = (seat + k) % 3
        if view["exchanged"][who] != NONE:
            out[_EXCHANGED + k] = _OF_9[view["exchanged"][who]]
            out[_EXCHANGE_DONE + k] = 1
        out[_TRICKS + k] = _OF_9[view["tricks"][who]]
        out[_CHIPS + k] = share(view["delta"][who], 500)
        out[_TOTALS + k] = share(view["match"]["totals"][who], 1000)


@inline
def observe_chips(match, out, pot, queue):
    """The pot, and the betes that wait, as far as there are cells; returns their number."""
    out[pot] = share(match["pot"], 1000)
    waiting = 0
    while waiting < st.QUEUE and match["queue"][waiting]:
        if waiting < st.MOST_DEALS:
            out[queue + waiting] = share(match["queue"][waiting], 1000)
        waiting += 1
    return waiting


@inline
def observe_log(view, seat, out):
    """Calls in order, cards in the order of play, and the trick in progress, in one walk through the log."""
    calls = passes = plays = 0
    in_trick = view["plays"] - view["plays"] % 3 if view["led"] != NONE else 27
    for i in range(view["logged"]):
        action = np.int64(view["log"][i])
        if action < 40:
            out[_PLAYED + 40 * ((view["log_seat"][i] - seat) % 3) + action] = _OF_27[plays + 1]
            if plays >= in_trick:
                out[_TRICK + action] = _OF_3[plays - in_trick + 1]
            plays += 1
        elif action <= act.CASCO_GREATER:
            if calls >= 3 and passes == 3:  # three passes: what follows is the casco auction
                out[_CASCO_CALLS + 3 * (calls - 3) + (0 if action == act.PASS else action - act.SOLO)] = 1
            else:
                out[_CALLS + 4 * calls + action - act.PASS] = 1
                passes += action == act.PASS
            calls += 1


@inline
def reveal(rules, state, out):
    """The perfect state as the flat floats of REVEAL, by seat."""
    reveal_log(state, out)
    out[_R_PHASE + state["phase"]] = 1
    if state["stage"] == RUNNING:
        out[_R_TO_ACT + state["seat"]] = 1
    out[_R_DEALER + state["start"]["dealer"]] = 1
    for seat in range(3):
        write_cells(out, _R_HAND + 40 * seat, state["hand"][seat], 40)
        write_cells(out, _R_DISCARDS + 40 * seat, state["discarded"][seat], 40)
        out[_R_ACTIVE + seat] = state["active"] >> seat & 1
        if state["exchanged"][seat] != NONE:
            out[_R_EXCHANGED + seat] = _OF_9[state["exchanged"][seat]]
            out[_R_EXCHANGE_DONE + seat] = 1
        out[_R_TRICKS + seat] = _OF_9[state["tricks"][seat]]
        out[_R_CHIPS + seat] = share(state["delta"][seat], 500)
        out[_R_TOTALS + seat] = share(state["match"]["totals"][seat], 1000)
    for position in range(talon_used(state), st.TALON):
        out[_R_TALON + np.int64(state["talon"][position])] = _OF_13[position + 1]
    out[_R_LEVEL] = state["level"] / 3
    if state["holder"] >= 0:
        out[_R_HOLDER + state["holder"]] = 1
    if state["ombre"] >= 0:
        out[_R_OMBRE + state["ombre"]] = 1
        out[_R_CONTRACT + state["contract"]] = 1
    if state["trump"] >= 0:
        out[_R_TRUMP + state["trump"]] = 1
    if state["first"] >= 0:
        out[_R_FIRST + state["first"]] = 1
    if state["leader"] >= 0:
        out[_R_LEADER + state["leader"]] = 1
    out[_R_PREMIERS + state["premiers"] + 1] = 1
    observe_chips(state["match"], out, _R_POT, _R_QUEUE)
    out[_R_DEAL_NUMBER] = share(state["deal"], st.MOST_DEALS)


@inline
def reveal_log(state, out):
    """Cards in the order of play, and the trick in progress."""
    plays = 0
    in_trick = state["plays"] - state["plays"] % 3 if state["led"] != NONE else 27
    for i in range(state["logged"]):
        action = np.int64(state["log"][i])
        if action < 40:
            out[_R_PLAYED + 40 * np.int64(state["log_seat"][i]) + action] = _OF_27[plays + 1]
            if plays >= in_trick:
                out[_R_TRICK + action] = _OF_3[plays - in_trick + 1]
            plays += 1


(_PHASE, _TO_ACT, _DEALER, _HAND, _DISCARDS, _DEALT, _TALON, _THEIR_HAND, _CALLS, _CASCO_CALLS, _HOLDER, _OMBRE, _CONTRACT,
 _TRUMP, _TRUMPS, _EXCHANGED, _EXCHANGE_DONE, _FIRST, _TALON_LEFT, _LOOKED, _PLAYED, _TRICK, _LEADER, _WINNER, _TRICKS,
 _PREMIERS, _OUTCOME, _CODILLE, _RUN, _VOLE, _CHIPS, _POT, _QUEUE, _QUEUE_LENGTH, _TOTALS, _DEAL_NUMBER,
) = offsets(st.OBSERVATION)  # fmt: skip
(_R_PHASE, _R_TO_ACT, _R_DEALER, _R_HAND, _R_DISCARDS, _R_TALON, _R_LEVEL, _R_HOLDER, _R_ACTIVE, _R_OMBRE, _R_CONTRACT,
 _R_TRUMP, _R_EXCHANGED, _R_EXCHANGE_DONE, _R_FIRST, _R_PLAYED, _R_TRICK, _R_LEADER, _R_TRICKS, _R_PREMIERS, _R_CHIPS, _R_POT,
 _R_QUEUE, _R_TOTALS, _R_DEAL_NUMBER) = offsets(st.REVEAL)  # fmt: skip
_OF_3, _OF_9, _OF_13, _OF_27 = ((np.arange(whole + 1) / whole).astype(np.float32) for whole in (3, 9, 13, 27))
