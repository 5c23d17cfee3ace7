"""Stakes, outcome, payments, and how deals add up to a partie (spec sections 5 and 6)."""

from ..engine.cards import count
from ..engine.jit import jit
from ..engine.state import DEAL_ENDED, NONE, OVER
from . import state as st
from .options import EVERY_DEAL, WHEN_EMPTY
from .tours import close_tour, feeds_kon, play_for_kon
from .trumps import matador_run


@jit
def pay(state, seat, chips):
    """A seat pays chips into the pot."""
    state["delta"][seat] -= chips
    state["match"]["pot"] += chips


@jit
def stake(rules, state):
    """The stakes before a deal (5.1): the largest bete that waits, and what the seats pay; in rocambole the kon."""
    match = state["match"]
    play_for_kon(match)
    queue = match["queue"]
    if match["pot"] == 0 and queue[0]:
        match["pot"] = queue[0]
        for i in range(st.QUEUE - 1):
            queue[i] = queue[i + 1]
        queue[st.QUEUE - 1] = 0
    if not feeds_kon(match) or not rules["kon_only"]:
        pay_antes(rules, state)
    if feeds_kon(match):
        state["delta"][match["dealer"]] -= rules["kon_contribution"]
        match["kon"] += rules["kon_contribution"]


@jit
def pay_antes(rules, state):
    match = state["match"]
    mode = rules["ante_mode"]
    if mode == EVERY_DEAL or (mode == WHEN_EMPTY and match["pot"] == 0):
        for seat in range(3):
            pay(state, seat, rules["ante"])
    elif mode != WHEN_EMPTY:
        pay(state, match["dealer"], rules["dealer_ante"])


@jit
def classify(ombre, tricks):
    """Outcome of complete play, and who won codille or NONE (5.2)."""
    one, two = (ombre + 1) % 3, (ombre + 2) % 3
    if tricks[ombre] > tricks[one] and tricks[ombre] > tricks[two]:
        return st.WIN, NONE
    if tricks[one] > tricks[ombre] and tricks[one] > tricks[two]:
        return st.CODILLE, one
    if tricks[two] > tricks[ombre] and tricks[two] > tricks[one]:
        return st.CODILLE, two
    return st.REMISE, NONE


@jit
def is_decided(ombre, tricks):
    """Whether every division of the remaining tricks gives the same outcome and codille seat (`stop_when_decided`)."""
    left = st.HAND - tricks[0] - tricks[1] - tricks[2]
    found = NONE
    for a in range(left + 1):
        for b in range(left + 1 - a):
            one, two, three = tricks[0] + a, tricks[1] + b, tricks[2] + left - a - b
            outcome, codille = classify(ombre, (one, two, three))
            code = 4 * outcome + codille + 1
            if found == NONE:
                found = code
            elif code != found:
                return False
    return True


@jit
def bete_of(rules, pot):
    """B of 5.3."""
    bete = pot if rules["bete_fixed"] < 0 else rules["bete_fixed"]
    if rules["bete_cap"] > 0:
        bete = min(bete, rules["bete_cap"])
    return max(rules["bete_min"], bete)


@jit
def lay_bete(rules, state, bete):
    """The ombre's bete goes to the pot, or waits beside it."""
    ombre = state["ombre"]
    if not rules["queue"]:
        pay(state, ombre, bete)
        return
    state["delta"][ombre] -= bete
    queue = state["match"]["queue"]
    at = st.QUEUE - 1
    while at > 0 and queue[at - 1] < bete:
        queue[at] = queue[at - 1]
        at -= 1
    queue[at] = bete


@jit
def take_pot(state, seat):
    state["delta"][seat] += state["match"]["pot"]
    state["match"]["pot"] = 0


@jit
def settle(rules, state):
    """The payments of 5.3 for the outcome that stands in the state."""
    outcome = state["outcome"]
    ombre = state["ombre"]
    if outcome == st.PASSED_OUT:
        for seat in range(3):
            pay(state, seat, rules["pass_out_each"])
        return
    bete = bete_of(rules, state["match"]["pot"])
    if outcome == st.REFUSED:
        lay_bete(rules, state, bete)
        return
    each = rules["prem"][state["contract"]]
    if rules["matador_premium"]:
        each += state["run"]
    if outcome == st.WIN:
        take_pot(state, ombre)
        if state["first_five"]:
            each += rules["premiers_value"]
        if state["vole"] == st.MADE:
            each += rules["vole_value"]
        elif state["vole"] == st.FAILED:
            each -= rules["vole_value"]
    else:
        each = -each
        if outcome == st.CODILLE and rules["codille_pot"]:
            take_pot(state, state["codille"])
        lay_bete(rules, state, bete)
    state["delta"][ombre] += 2 * each
    state["delta"][(ombre + 1) % 3] -= each
    state["delta"][(ombre + 2) % 3] -= each


@jit
def divide(match):
    """The division of what is left on the table (section 6): a third each, odd chips to the lowest total."""
    left = match["pot"] + match["kon"]
    for i in range(st.QUEUE):
        left += match["queue"][i]
    totals = match["totals"]
    lowest = 0
    for seat in range(1, 3):
        if totals[seat] < totals[lowest]:
            lowest = seat
    for seat in range(3):
        totals[seat] += left // 3
    totals[lowest] += left % 3
    match["pot"] = match["kon"] = 0
    match["queue"][:] = 0


@jit
def finish(rules, state, outcome, codille):
    """The deal is over: what has come of it, then the payments.

    In a view the matador run is told before the last move (`run`), where the ombre's nine cards are not all known.
    """
    ombre = state["ombre"]
    state["phase"] = st.END
    state["seat"] = NONE
    state["outcome"] = outcome
    state["codille"] = codille
    if outcome == st.REFUSED or outcome == st.PASSED_OUT:
        state["run"] = 0
    else:
        cards = state["hand"][ombre] | state["played"][ombre]
        if count(cards) == st.HAND:
            state["run"] = matador_run(state["trump"], cards)
        else:
            state["run"] = max(state["run"], 0)
    close_deal(rules, state)


@jit
def close_deal(rules, state):
    """Pay for the outcome that stands in the state; totals, dealer and tour, and the division once the episode is over."""
    settle(rules, state)
    match = state["match"]
    for seat in range(3):
        match["totals"][seat] += state["delta"][seat]
    match["dealer"] = (match["dealer"] + 1) % 3
    last = close_tour(rules, match, state["outcome"], state["tricks"]) if rules["parts"] else False
    if last or state["deal"] + 1 >= rules["deals"]:
        state["stage"] = OVER
        divide(match)
    else:
        state["stage"] = DEAL_ENDED


@jit
def points(rules, state, out):
    """Chips won minus chips paid in the finished deals, by seat; once the episode is over, the division included."""
    for seat in range(3):
        out[seat] = state["match"]["totals"][seat]
