"""The end of a deal: layers, brelan payments, and how deals add up to an episode (spec sections 4.7, 5.2, 5.4, 5.5 and 6)."""

from ..engine.cards import count, lowest
from ..engine.jit import inline, jit
from ..engine.pots import next_layer, transfer
from ..engine.state import DEAL_ENDED, NONE, OVER
from . import state as st
from .options import ALL_PAY, ALWAYS, CANCEL, COUP, NEVER, SESSION
from .seats import next_in
from .showdown import STRENGTH, byte, categorize, contest, first_of_best, pay_of, strength_of, totals_of


@jit
def live(state):
    """The set of seats that still contest the pot."""
    return state["dealt"] & ~state["folded"]


@jit
def finish(rules, state, end):
    """The deal is over: the pot, the payments, and what comes next. In a view hands that are not known count as points."""
    state["phase"] = st.END
    state["seat"] = NONE
    state["waiting"] = 0
    state["end"] = end
    strengths = 0
    for seat in range(rules["players"]):
        category, rank = categorize(rules, state["hand"][seat], state["retourne"], state["turned"][seat])
        strengths |= strength_of(rules, category, rank) << 8 * seat
    if end == st.PASSED_OUT:
        carry(rules, state)
    else:
        award(rules, state, strengths)
    if strengths and shows_brelans(rules, state):
        pay_brelans(rules, state, strengths)
    match, start = state["match"], state["start"]
    for seat in range(rules["players"]):
        state["net"][seat] = match["stack"][seat] - start["stack"][seat]
    close_deal(rules, state)


@jit
def shows_brelans(rules, state):
    """Whether brelans are paid, and so shown, at the end that has come (5.4)."""
    return rules["brelan_enabled"] == 1 and (
        rules["scope"] == ALWAYS or (rules["scope"] != NEVER and state["end"] == st.SHOWN)
    )


@inline
def carry(rules, state):
    """A deal passed out: what everybody has put in stays there, in his name. Who only passed has not folded."""
    for seat in range(rules["players"]):
        state["match"]["carried"][seat] += state["stake"][seat] + state["dead"][seat]
    state["folded"] = 0


@inline
def award(rules, state, strengths):
    """Each layer of the pot to its winner; fees and what was carried lie in the lowest."""
    left = live(state)
    if count(left) == 1:
        pay_layer(state, 0, lowest(left), state["pot"])
    else:
        totals = totals_of(rules, state)
        jetons = state["pot"]
        for seat in range(rules["players"]):
            jetons -= state["stake"][seat]
        below = k = 0
        while True:
            level, staked = next_layer(state["stake"], left, below)
            if level == below:
                break
            contestants = 0
            for seat in range(rules["players"]):
                if left >> seat & 1 and state["stake"][seat] >= level:
                    contestants |= 1 << seat
            winner = lowest(contestants)
            if count(contestants) > 1:
                winner, _ = contest(rules, state, contestants, strengths, totals)
            pay_layer(state, k, winner, jetons + staked)
            jetons = 0
            below = level
            k += 1
    state["match"]["carried"][:] = 0
    state["pot"] = 0


@inline
def pay_layer(state, k, winner, jetons):
    state["layers"][k] = jetons
    state["winners"][k] = winner
    state["match"]["stack"][winner] += jetons


@jit
def pay_brelans(rules, state, strengths):
    """Holders from the strongest are paid by all others, as far as these have anything left (5.4)."""
    stack, dealer = state["match"]["stack"], state["start"]["dealer"]
    payers = live(state) if rules["live_pay"] else state["dealt"]
    waiting = state["dealt"]
    while waiting:
        holder = first_of_best(rules, state, waiting, strengths)
        if byte(strengths, holder) < STRENGTH:
            return
        waiting &= ~(1 << holder)
        seat = dealer
        for _ in range(count(state["dealt"])):
            seat = next_in(rules, seat, state["dealt"])
            if seat != holder and payers >> seat & 1:
                due = due_between(rules, state, strengths, seat, holder)
                if due > 0:
                    state["paid"][seat, holder] = transfer(stack, seat, holder, due)


@jit
def due_between(rules, state, strengths, payer, holder):
    """What a seat owes a holder."""
    due = pay_of_seat(rules, state, holder)
    if byte(strengths, payer) < STRENGTH or rules["cross"] == ALL_PAY:
        return due
    if rules["cross"] == CANCEL:
        return max(0, due - pay_of_seat(rules, state, payer))
    return due if byte(strengths, payer) < byte(strengths, holder) else 0


@jit
def pay_of_seat(rules, state, seat):
    category, rank = categorize(rules, state["hand"][seat], state["retourne"], state["turned"][seat])
    return pay_of(rules, category, rank, state["retourne"])


@inline
def close_deal(rules, state):
    """The skim; whether the episode goes on; then busts, top-ups and the next dealer (5.5, 6)."""
    match = state["match"]
    for seat in range(rules["players"]):
        if rules["stack_max"] and match["stack"][seat] >= rules["stack_max"]:
            reset_stack(rules, match, seat)
    state["stage"] = OVER if is_over(rules, state) else DEAL_ENDED
    if state["stage"] == DEAL_ENDED:
        for seat in range(rules["players"]):
            prepare_stack(rules, match, seat)
    seats = in_play(rules, match)
    if seats == 0:
        return
    twice = rules["vis_a_vis"] and state["end"] != st.PASSED_OUT and count(seats) == 4
    match["dealer"] = next_in(rules, match["dealer"], seats)
    if twice:
        match["dealer"] = next_in(rules, match["dealer"], seats)
    state["pot"] = 0
    for seat in range(rules["players"]):
        state["pot"] += match["carried"][seat]


@inline
def reset_stack(rules, match, seat):
    """What is above the cave is banked; what lacks is taken from there."""
    match["bank"][seat] += match["stack"][seat] - rules["cave"]
    match["stack"][seat] = rules["cave"]


@inline
def prepare_stack(rules, match, seat):
    """Steps (a) and (b) of section 6."""
    stack = match["stack"][seat]
    if rules["reset"]:
        reset_stack(rules, match, seat)
    elif stack < rules["cave"] and (stack > 0 or not rules["eliminate"]) and (stack == 0 or rules["topup"]):
        match["buyins"][seat] += rules["cave"] - stack
        match["stack"][seat] = rules["cave"]


@inline
def in_play(rules, match):
    """The set of seats that have not left."""
    seats = 0
    for seat in range(rules["players"]):
        if match["stack"][seat] > 0 or not rules["eliminate"]:
            seats |= 1 << seat
    return seats


@inline
def is_over(rules, state):
    if state["deal"] + 1 >= rules["deals"] or count(in_play(rules, state["match"])) < 2:
        return True
    return rules["episode"] != SESSION and (rules["episode"] != COUP or state["end"] != st.PASSED_OUT)


@jit
def points(rules, state, out):
    """Stack and bank less what was brought, as the finished deals have left them; at the end with the refund (section 6)."""
    stage = state["stage"]
    match = state["match"] if stage else state["start"]
    for seat in range(rules["players"]):
        out[seat] = match["stack"][seat] + match["bank"][seat] - match["buyins"][seat]
        if stage == OVER:
            out[seat] += match["carried"][seat]
