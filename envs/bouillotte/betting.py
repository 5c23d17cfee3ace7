"""Opening, betting and the English turn of the talon (spec sections 4.3 to 4.6), and the ladder (4.8)."""

from ..engine.cards import bit, count
from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.pots import put_in
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .options import NO_TALON
from .seats import next_in
from .settlement import finish, live
from .showdown import categorize


@inline
def pay(state, seat, jetons):
    """A seat puts jetons into the pot as its stake."""
    put_in(state["match"]["stack"], state["stake"], seat, jetons)
    state["pot"] += jetons
    state["level"] = max(state["level"], state["stake"][seat])


@inline
def pay_fee(state, seat, jetons):
    put_in(state["match"]["stack"], state["dead"], seat, jetons)
    state["pot"] += jetons


@jit
def is_view(state):
    """Whether the deck is not known: in a view it is all zeros."""
    return state["deck"][0] == state["deck"][1]


@jit
def deal_cards(rules, state):
    """The blind phase is over: hands and retourne, then the first to speak. A view keeps what it has been told."""
    if is_view(state):
        if state["retourne"] == NONE:
            state["retourne"] = UNKNOWN
    else:
        deck = state["deck"]
        seat = state["start"]["dealer"]
        n = count(state["dealt"])
        for k in range(n):
            seat = next_in(rules, seat, state["dealt"])
            state["hand"][seat] = bit(deck[k]) | bit(deck[n + k]) | bit(deck[2 * n + k])
        state["retourne"] = deck[3 * n]
    state["phase"] = st.OPENING
    state["waiting"] = state["dealt"]
    speak(rules, state, state["start"]["dealer"] if state["last"] == NONE else state["last"])


@jit
def speak(rules, state, seat):
    """Ask the next seat after `seat` that has not spoken, if it has jetons; the last carreur has no need to."""
    while state["waiting"]:
        seat = next_in(rules, seat, state["waiting"])
        state["waiting"] &= ~(1 << seat)
        if state["match"]["stack"][seat] > 0 and seat != state["last"]:
            ask(state, st.OPENING, seat)
            return
    if state["last"] == NONE:
        finish(rules, state, st.PASSED_OUT)
        return
    for other in range(rules["players"]):  # who is all-in by ante or carre stays in
        if other != state["last"] and state["match"]["stack"][other] > 0:
            state["folded"] |= state["dealt"] & 1 << other
    if count(live(state)) == 1:
        finish(rules, state, st.CARRE_TAKE)
    else:
        show(rules, state)


@inline
def is_tapissier(rules, state, seat):
    return state["match"]["stack"][seat] <= rules["tapissier_threshold"]


@inline
def opening_span(rules, state, seat):
    """The smallest and the largest stake to open with; none where low > high."""
    if is_tapissier(rules, state, seat):
        return 1, 0
    stake, cap = state["stake"][seat], rules["stake_cap"]
    low = max(state["level"], stake + 1)
    if rules["open_pot"]:
        low = max(low, stake + state["pot"])
    high = min(stake + state["match"]["stack"][seat] - rules["raise_fee"], cap)
    if rules["raise_increment_max"]:
        high = min(high, max(low, state["level"] + rules["raise_increment_max"]))
    return low, high


@inline
def raising_span(rules, state, seat):
    """The same for a raise."""
    if rules["max_raises"] and state["raises"] >= rules["max_raises"]:
        return 1, 0
    level, stack = state["level"], state["match"]["stack"]
    low = level + rules["raise_min"]
    high = min(state["stake"][seat] + stack[seat] - rules["raise_fee"], rules["stake_cap"])
    if rules["raise_increment_max"]:
        high = min(high, level + rules["raise_increment_max"])
    others = live(state) & ~(1 << seat)
    for other in range(rules["players"]):
        if others >> other & 1 and stack[other] > max(0, level - state["stake"][other]):
            return low, high
    return 1, 0  # nobody could answer


@inline
def speak_options(rules, state):
    """The words of the opening as a set of ids, and the span of stakes."""
    low, high = opening_span(rules, state, state["seat"])
    return 1 << act.PASS, low, high


@inline
def answer_options(rules, state):
    """The same of betting."""
    seat = state["seat"]
    if is_tapissier(rules, state, seat):
        return 1 << act.CALL, 1, 0
    word = 1 << act.CALL
    if state["level"] > state["stake"][seat]:
        word |= 1 << act.FOLD
    low, high = raising_span(rules, state, seat)
    return word, low, high


@inline
def pass_word(rules, state):
    """A pass, chosen or automatic; it may cost a fee, or be a fold."""
    seat = state["seat"]
    low, high = opening_span(rules, state, seat)
    log(state, seat, act.PASS)
    state["passed"] |= 1 << seat
    if not rules["passe_parole"] and not is_tapissier(rules, state, seat):  # as he was at his turn, before the fee
        state["folded"] |= 1 << seat
    if low <= high and rules["pass_fee"] and state["match"]["stack"][seat] > rules["pass_fee"]:
        pay_fee(state, seat, rules["pass_fee"])
    speak(rules, state, seat)


@inline
def stake_to(rules, state, action):
    """An opening or a raise: all others in the game who have jetons are to answer it."""
    seat = state["seat"]
    log(state, seat, -action if state["reopened"] else action)
    if state["opener"] == NONE:
        state["opener"] = seat
    else:
        state["raises"] += 1
    if rules["raise_fee"]:
        pay_fee(state, seat, rules["raise_fee"])
    pay(state, seat, action - act.STAKE - state["stake"][seat])
    state["aggressor"] = seat
    state["reopened"] = 0
    state["waiting"] = with_jetons(rules, state, 0) & ~(1 << seat)
    next_answer(rules, state, seat)


@inline
def with_jetons(rules, state, least):
    """The set of seats in the game that have more than `least` jetons left."""
    seats = live(state)
    for seat in range(rules["players"]):
        if state["match"]["stack"][seat] <= least:
            seats &= ~(1 << seat)
    return seats


@jit
def next_answer(rules, state, seat):
    """Ask the next seat after `seat` that has to answer; when all have, betting closes."""
    if count(live(state)) == 1:
        finish(rules, state, st.UNCONTESTED)
        return
    if state["waiting"] == 0 and rules["callers_may_reopen"] and not state["reopened"] and count(live(state)) > 2:
        state["reopened"] = 1
        seat = state["aggressor"]
        state["waiting"] = with_jetons(rules, state, rules["tapissier_threshold"]) & ~(1 << seat)
    if state["waiting"] == 0:
        state["reopened"] = 0
        show(rules, state)
        return
    seat = next_in(rules, seat, state["waiting"])
    state["waiting"] &= ~(1 << seat)
    ask(state, st.BETTING, seat)


@inline
def answer(rules, state, action):
    """CALL, FOLD or a raise."""
    seat = state["seat"]
    if action > act.STAKE:
        stake_to(rules, state, action)
        return
    if action == act.FOLD:
        log(state, seat, action)
        state["folded"] |= 1 << seat
    else:
        pay(state, seat, min(state["level"] - state["stake"][seat], state["match"]["stack"][seat]))
    next_answer(rules, state, seat)


@jit
def show(rules, state):
    """The showdown: all dealt hands are turned up (a view waits to be told), then who may turns a talon card (4.6)."""
    for seat in range(rules["players"]):
        if state["dealt"] >> seat & 1 and state["hand"][seat] == 0:
            ask(state, st.SHOWDOWN, NONE)
            return
    state["waiting"] = 0
    if rules["talon"] != NO_TALON and talon_left(rules, state):
        carre = False
        for seat in range(rules["players"]):
            if live(state) >> seat & 1:
                category, _ = categorize(rules, state["hand"][seat], state["retourne"], NONE)
                carre = carre or category == st.CARRE
                if category == st.SIMPLE:
                    state["waiting"] |= 1 << seat
        if not carre:
            state["waiting"] = 0
    next_turn(rules, state, state["start"]["dealer"])


@jit
def talon_left(rules, state):
    """How many cards of the talon are left."""
    turns = 0
    for i in range(state["logged"]):
        turns += state["log"][i] >= act.TALON_FIRST and state["log"][i] <= act.TALON_LAST
    return count(rules["pack"]) - 3 * count(state["dealt"]) - 1 - turns


@jit
def next_turn(rules, state, seat):
    """Ask the next holder to turn a card; when all have, or none is left, the deal is over."""
    if state["waiting"] == 0 or talon_left(rules, state) == 0:
        finish(rules, state, st.SHOWN)
        return
    seat = next_in(rules, seat, state["waiting"])
    state["waiting"] &= ~(1 << seat)
    ask(state, st.TALON, seat)


@inline
def turn(rules, state, action):
    """The seat turns the first or the last card of the talon; a view has been told it, or waits."""
    seat = state["seat"]
    if not is_view(state):
        first = 3 * count(state["dealt"]) + 1
        last = count(rules["pack"]) - 1
        for i in range(state["logged"]):
            first += state["log"][i] == act.TALON_FIRST
            last -= state["log"][i] == act.TALON_LAST
        state["turned"][seat] = state["deck"][first if action == act.TALON_FIRST else last]
    log(state, seat, action)
    if state["turned"][seat] == NONE:
        state["turned"][seat] = UNKNOWN
        ask(state, st.TALON, NONE)
        return
    next_turn(rules, state, seat)


@jit
def rung_stake(state, rung, low, high):
    """The stake that a rung of the ladder means, 0 where it means none that a lower rung does not (4.8)."""
    stake = rung_target(state, rung, low, high)
    for lower in range(rung):
        if rung_target(state, lower, low, high) == stake:
            return 0
    return stake


@inline
def rung_target(state, rung, low, high):
    seat = state["seat"]
    stack, stake = state["match"]["stack"][seat], state["stake"][seat]
    pot = state["pot"] + max(0, state["level"] - stake)  # once the stake of the others is matched
    return ladder_target(rung, low, high, pot, stack, stake)


@jit
def ladder_target(rung, low, high, pot, stack, stake):
    """The table of 4.8; `pot` with what the seat needs to call."""
    if rung == 0:
        target = low
    elif rung == 1:
        target = low + 4
    elif rung == 2:
        target = low + 9
    elif rung == 3:
        target = low - 1 + (pot + 1) // 2
    elif rung == 4:
        target = low - 1 + pot
    elif rung == 5:
        target = low - 1 + 2 * pot
    elif rung == 6:
        target = stake + (stack + 1) // 2
    else:
        target = high
    return min(max(target, low), high)
