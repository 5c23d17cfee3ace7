"""What a seat of piquet knows (spec sections 4.8 and 7): hide, observe, reveal. Worlds stand in worlds.py."""

import numpy as np

from ..engine.cards import bit, write_cells
from ..engine.jit import inline, jit
from ..engine.layout import offsets
from ..engine.state import NONE, RUNNING, UNKNOWN
from . import actions as act
from . import state as st
from .legal import elder_of
from .options import LOOKS
from .play import after_blank


@inline
def hide(rules, state, seat):
    """Blank in place all that `seat` cannot know."""
    other = 1 - seat
    elder = elder_of(state)
    asked, answering = state["phase"], state["seat"]
    state["key"] = 0
    state["lot"] = 0
    state["deck"][:] = 0
    hide_talon(rules, state, seat, elder)
    state["hand"][other] = 0
    state["discarded"][other] = 0
    if not blank_is_public(rules, state, other):
        state["dealt"][other] = 0
    if state["blank"][other] == st.DECLINED:
        state["blank"][other] = NONE
    if state["exchanged"][other] == NONE:
        state["marked"][other] = 0
    for i in range(8):
        state["marks"][other, i] = UNKNOWN if i < state["marked"][other] else NONE
    if seat != elder:
        for category in range(3):
            if state["call_at"][category] != NONE and not state["call_shown"][category]:
                state["log"][state["call_at"][category]] = UNKNOWN
    elif state["counter_at"] != NONE and not state["counter_shown"]:
        state["log"][state["counter_at"]] = UNKNOWN
    if asked == st.BLANK and answering == other:  # the offer itself is private: as if it had not been made
        after_blank(rules, state, other)


@inline
def hide_talon(rules, state, seat, elder):
    """Positions that the seat neither drew nor saw (4.2) become UNKNOWN."""
    n = state["exchanged"][elder]
    m = state["exchanged"][1 - elder]
    left_known = state["looked"] == st.YES or (0 <= state["named"] < 4 if seat == elder else rules["left_view"] != LOOKS)
    for position in range(8):
        if seat == elder:
            known = n != NONE and (position < n or position < 5)
        else:
            known = m != NONE and n <= position < n + m
        if not known and not (left_known and m != NONE and position >= n + m):
            state["talon"][position] = UNKNOWN


@jit
def blank_is_public(rules, state, seat):
    """Whether the twelve dealt cards of a shown blank lie open (phase 3)."""
    younger = 1 - elder_of(state)
    return state["blank"][seat] == st.SHOWN and not rules["blank_final"] and state["exchanged"][younger] != NONE


@jit
def known_held(state, seat):
    """Cards that the other seat, whose view this is, knows `seat` to have held after its exchange (0 before)."""
    if state["exchanged"][seat] == NONE:
        return 0
    return state["shown"][seat] | state["played"][seat] | taken(state, seat)


@jit
def taken(state, seat):
    """Known talon cards that `seat` drew."""
    elder = elder_of(state)
    first = 0 if seat == elder else state["exchanged"][elder]
    cards = 0
    for position in range(first, first + state["exchanged"][seat]):
        if state["talon"][position] >= 0:
            cards |= bit(state["talon"][position])
    return cards


@jit
def places_of_play(state, first, out, seat):
    """Write the place of each card `seat` played in the order of play, (place + 1) / 24, from out[first] on."""
    place = 0
    for i in range(state["logged"]):
        action = np.int64(state["log"][i])
        if act.PLAY <= action < act.PASS:
            place += 1
            if state["log_seat"][i] == seat:
                out[first + action - act.PLAY] = _OF_24[place]


@inline
def observe(rules, view, seat, out):
    """The view as the flat floats of OBSERVATION; segments are found by the offsets below, in the same order."""
    other = 1 - seat
    elder = elder_of(view)
    observe_log(view, seat, out)
    out[_PHASE + view["phase"]] = 1
    out[_TO_ACT] = view["seat"] == seat
    out[_ELDER] = seat == elder
    write_cells(out, _HAND, view["hand"][seat], 32)
    write_cells(out, _DISCARDS, view["discarded"][seat], 32)
    write_cells(out, _DEALT, view["dealt"][seat], 32)
    for position in range(8):
        card = np.int64(view["talon"][position])
        if card >= 0:
            out[_TALON + card] = (position + 1) / 8
    write_cells(out, _THEIR_SHOWN, view["shown"][other], 32)
    write_cells(out, _MY_SHOWN, view["shown"][seat], 32)
    write_cells(out, _THEIR_BLANK, view["dealt"][other], 32)
    if view["table"] >= 0:
        out[_TABLE + view["table"]] = 1
    for k in range(2):
        who = seat if k == 0 else other
        if view["exchanged"][who] != NONE:
            out[_EXCHANGED + k] = view["exchanged"][who] / 8
            out[_EXCHANGE_DONE + k] = 1
        out[_BLANK + 3 * k + view["blank"][who] + 1] = 1
        out[_CAPOT + 3 * k + view["capot"][who] + 1] = 1
        out[_TRICKS + k] = _OF_24[2 * view["tricks"][who]]
        for item in range(9):
            points = view["ledger"][who, item]
            if points:
                out[_LEDGER + 9 * k + item] = _OF_100[min(points, 100)]
    observe_calls(view, out)
    out[_NAMED + view["named"] + 1] = 1
    out[_LOOKED + view["looked"] + 1] = 1
    out[_LEADER] = view["leader"] == seat
    observe_match(view, seat, out)


@inline
def observe_log(view, seat, out):
    """Order of play and of counted items, contested calls and answers, in one walk through the log.

    Without branches, which nobody could foretell: what is neither played nor counted goes to a cell written later.
    """
    played = counted = 0
    for i in range(view["logged"]):
        action = np.int64(view["log"][i]) - UNKNOWN
        kind = _LOG_KIND[action]
        played += kind & 1
        counted += kind >> 1
        out[_LOG_CELL[view["log_seat"][i] ^ seat, action]] = _LOG_SHARE[kind, played if kind & 1 else counted]


@inline
def observe_calls(view, out):
    """What became of each category: outcome, elder's call, the last answer; and a point named at once."""
    for category in range(3):
        out[_OUTCOME + 5 * category + view["outcome"][category]] = 1
        rank = np.int64(view["call_class"][category])
        if rank != NONE:
            if category == 0:
                out[_CALL] = rank / 8
                if view["call_pips"] >= 0:
                    out[_CALL + 1] = view["call_pips"] / 75
            else:
                out[_CALL + 2 * category] = rank // 8 / 8
                out[_CALL + 2 * category + 1] = (rank % 8 + 1) / 8
            called = np.int64(view["log"][view["call_at"][category]])
            if called >= 0:
                out[_CALL_ITEM + called - act.POINT] = 1
    if view["counter_class"] != NONE:
        out[_COUNTER] = view["counter_class"] / 8
        if view["counter_pips"] >= 0:
            out[_COUNTER + 1] = view["counter_pips"] / 75


@jit
def _share(value, most):
    """value / most, at most 1. Most are 0, and a division is slow."""
    return min(value / most, 1.0) if value else 0.0


@inline
def observe_match(view, seat, out):
    """The match scores of now: those at the start of the deal, and once it is over those behind it (section 7)."""
    match = view["match"]
    out[_DEAL_NUMBER] = _share(view["deal"], 16)
    out[_KOROLIK] = _share(match["korolik"], 8)
    out[_KOROLIK + 1] = _share(match["deals"], 8)
    out[_KOROLIK + 2] = _share(match["refaits"], 8)
    for k in range(2):
        who = seat if k == 0 else 1 - seat
        out[_WRITTEN + k] = _share(match["written"][who], 400)
        out[_COLUMNS + k] = _share(match["columns"][who], 800)
        out[_WROTE + k] = match["wrote"][who]
        out[_RECORDS + k] = _share(match["records"][who], 1600)
        out[_TOTALS + k] = _share(match["totals"][who], 800)


@jit
def reveal(rules, state, out):
    """The perfect state as the flat floats of REVEAL, by seat."""
    elder = elder_of(state)
    out[_R_PHASE + state["phase"]] = 1
    if state["stage"] == RUNNING:
        out[_R_TO_ACT + state["seat"]] = 1
    out[_R_ELDER + elder] = 1
    used = 0
    for seat in range(2):
        if state["exchanged"][seat] != NONE:
            used += state["exchanged"][seat]
        write_cells(out, _R_HAND + 32 * seat, state["hand"][seat], 32)
        write_cells(out, _R_DISCARDS + 32 * seat, state["discarded"][seat], 32)
        places_of_play(state, _R_PLAYED + 32 * seat, out, seat)
        out[_R_CAPOT + seat] = state["capot"][seat] == st.YES
        out[_R_TRICKS + seat] = state["tricks"][seat] / 12
        for item in range(9):
            out[_R_LEDGER + 9 * seat + item] = min(state["ledger"][seat, item] / 100, 1)
        out[_R_COLUMNS + seat] = min(state["match"]["columns"][seat] / 800, 1)
        out[_R_RECORDS + seat] = min(state["match"]["records"][seat] / 1600, 1)
        out[_R_TOTALS + seat] = min(state["match"]["totals"][seat] / 800, 1)
    for position in range(used, 8):
        out[_R_TALON + np.int64(state["talon"][position])] = (position + 1) / 8
    if state["table"] >= 0:
        out[_R_TABLE + state["table"]] = 1
    if state["leader"] >= 0:
        out[_R_LEADER + state["leader"]] = 1
    for category in range(3):
        out[_R_OUTCOME + 5 * category + state["outcome"][category]] = 1
    out[_R_KOROLIK] = min(state["match"]["korolik"] / 8, 1)
    out[_R_KOROLIK + 1] = min(state["match"]["deals"] / 8, 1)
    out[_R_KOROLIK + 2] = min(state["match"]["refaits"] / 8, 1)


(_PHASE, _TO_ACT, _ELDER, _HAND, _DISCARDS, _DEALT, _TALON, _THEIR_SHOWN, _MY_SHOWN, _THEIR_BLANK, _PLAYED, _TABLE,
 _EXCHANGED, _EXCHANGE_DONE, _BLANK, _OUTCOME, _CALL, _CALL_ITEM, _COUNTER, _ITEMS, _CAPOT, _NAMED, _LOOKED,
 _LEADER, _TRICKS, _LEDGER, _DEAL_NUMBER, _KOROLIK, _WRITTEN, _COLUMNS, _WROTE, _RECORDS, _TOTALS,
) = offsets(st.OBSERVATION)  # fmt: skip
(_R_PHASE, _R_TO_ACT, _R_ELDER, _R_HAND, _R_DISCARDS, _R_TALON, _R_PLAYED, _R_TABLE, _R_OUTCOME, _R_CAPOT, _R_LEADER,
 _R_TRICKS, _R_LEDGER, _R_COLUMNS, _R_RECORDS, _R_TOTALS, _R_KOROLIK) = offsets(st.REVEAL)  # fmt: skip


# What observe looks up rather than reckons: a division takes as long as ten other steps.


def _log_tables():
    """By action id - UNKNOWN: the kind of an entry (0 neither, 1 played, 2 counted), and its cell by (0 mine 1 theirs, id)."""
    ids = np.arange(UNKNOWN, len(act.ACTIONS))
    played, counted = (ids >= act.PLAY) & (ids < act.PASS), (ids >= act.POINT) & (ids < act.GOOD)
    kind = played + 2 * counted
    cell = np.full((2, len(ids)), _TO_ACT)
    for theirs in range(2):
        cell[theirs, played] = _PLAYED + 32 * theirs + ids[played] - act.PLAY
        cell[theirs, counted] = _ITEMS + 53 * theirs + ids[counted] - act.POINT
    return kind, cell


_OF_24, _OF_100 = ((np.arange(whole + 1) / whole).astype(np.float32) for whole in (24, 100))
_LOG_KIND, _LOG_CELL = _log_tables()
_LOG_SHARE = np.zeros((3, st.LOG_SIZE + 1), np.float32)  # by kind, and how many of that kind there have been
_LOG_SHARE[1, :25] = _OF_24
_LOG_SHARE[2] = np.arange(st.LOG_SIZE + 1) / 16
