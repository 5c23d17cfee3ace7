"""The two auctions, and the contract that comes of them (spec sections 4.1 and 4.2)."""

from ..engine.cards import bit, count, lowest
from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.state import NONE, UNKNOWN
from . import actions as act
from . import state as st
from .options import CASCO_THEN_SPADILLE, PASS_OUT, SPADILLE
from .settle import finish, pay
from .trumps import BLACK_ACES


@jit
def open_auction(state, phase):
    """All three may speak, eldest first."""
    state["level"] = 0
    state["holder"] = NONE
    state["active"] = 7
    ask(state, phase, (state["start"]["dealer"] + 1) % 3)


@jit
def is_senior(state, seat, holder):
    """Whether `seat` comes before `holder` in the order eldest, middle, dealer."""
    eldest = state["start"]["dealer"] + 1
    return (seat - eldest) % 3 < (holder - eldest) % 3


@jit
def call_options(rules, state):
    """The calls open to the speaker, as a set of action ids."""
    seat = state["seat"]
    level = state["level"]
    least = level + 1
    if level and not rules["one_round"] and is_senior(state, seat, state["holder"]):
        least = level
    word = bit(act.PASS)
    if state["phase"] == st.AUCTION:
        for bid in range(max(least, 1), 4):
            if rules["bids"] >> (bid - 1) & 1:
                word |= bit(act.ENTRADA + bid - 1)
        return word
    hand = state["hand"][seat]  # unknown in a view: anything may be bid
    if least <= 1 and (rules["keep_any"] or hand == 0 or hand & BLACK_ACES):
        word |= bit(act.CASCO_LESSER)
    if least <= 2:
        word |= bit(act.CASCO_GREATER)
    return word


@inline
def call(rules, state, action):
    """A call, and who speaks next."""
    seat = state["seat"]
    casco = state["phase"] == st.CASCO_AUCTION
    log(state, seat, action)
    if action == act.PASS:
        if state["holder"] == NONE and (not casco or rules["paid_pass_casco"]):
            pay(state, seat, rules["paid_pass"])
    else:
        state["level"] = action - (act.CASCO_LESSER if casco else act.ENTRADA) + 1
        state["holder"] = seat
    if action == act.PASS or rules["one_round"]:
        state["active"] &= ~(1 << seat)
    for k in range(1, 3):
        speaker = (seat + k) % 3
        if state["active"] >> speaker & 1 and speaker != state["holder"]:
            state["seat"] = speaker
            return
    if state["holder"] == NONE:
        all_passed(rules, state)
    else:
        state["ombre"] = state["holder"]
        state["contract"] = state["level"] - 1 + (st.CASCO_LESSER if casco else st.ENTRADA)
        begin_contract(rules, state)


@jit
def all_passed(rules, state):
    """What follows three passes (4.2)."""
    what = rules["all_pass"]
    if state["phase"] == st.AUCTION:
        if what == PASS_OUT:
            finish(rules, state, st.PASSED_OUT, NONE)
        elif what == SPADILLE:
            force_spadille(rules, state)
        else:
            open_auction(state, st.CASCO_AUCTION)
    elif what == CASCO_THEN_SPADILLE:
        force_spadille(rules, state)
    else:
        finish(rules, state, st.PASSED_OUT, NONE)


@jit
def force_spadille(rules, state):
    """The holder of Spadille must play; a view waits until it is told who that is."""
    unknown = False
    for seat in range(3):
        hand = state["hand"][seat]
        if hand & 1:  # AS is card 0
            compel(rules, state, seat)
            return
        unknown = unknown or hand == 0
    if unknown:
        ask(state, st.SPADILLE, NONE)
    else:
        compel(rules, state, NONE)


@jit
def compel(rules, state, seat):
    """Spadille is with `seat`, or (NONE) in the talon."""
    if seat == NONE:
        finish(rules, state, st.PASSED_OUT, NONE)
    else:
        state["ombre"] = seat
        state["contract"] = st.ENTRADA
        ask(state, st.NAME_TRUMP, seat)


@jit
def begin_contract(rules, state):
    """The first question to the ombre (4.3)."""
    ombre = state["ombre"]
    contract = state["contract"]
    hand = state["hand"][ombre]
    if contract == st.ENTRADA or contract == st.SOLO:
        ask(state, st.NAME_TRUMP, ombre)
    elif contract == st.VUELTA:
        turned = state["talon"][0]
        state["trump"] = turned // 10 if turned >= 0 else UNKNOWN
        ask(state, st.DISCARD, ombre)
    elif contract == st.CASCO_GREATER:
        change_hand(state, 0, 9)
    else:
        choices = hand if rules["keep_any"] else hand & BLACK_ACES
        if count(choices) > 1:
            ask(state, st.CASCO_KEEP, ombre)
        else:
            change_hand(state, choices, 8)


@jit
def keep(state, card):
    """The ombre of a lesser casco keeps a card."""
    change_hand(state, bit(card), 8)


@jit
def change_hand(state, kept, n):
    """A casco: the ombre throws all but `kept`, draws n and is asked for trumps."""
    ombre = state["ombre"]
    state["discarded"][ombre] = state["hand"][ombre] & ~kept
    state["hand"][ombre] = kept
    draw_cards(state, ombre, n)
    ask(state, st.CASCO_TRUMP, ombre)


@jit
def talon_used(state):
    """How many cards have been drawn."""
    used = 0
    for seat in range(3):
        used += max(state["exchanged"][seat], 0)
    return used


@jit
def draw_cards(state, seat, n):
    """A seat draws n cards from the top; in a view those that it knows."""
    first = talon_used(state)
    state["exchanged"][seat] = n
    for position in range(first, first + n):
        card = state["talon"][position]
        if card >= 0:
            state["hand"][seat] |= bit(card)


@jit
def only(word):
    """The id of the one action in a set, or NONE where there are more or none."""
    return lowest(word) if word and not word & (word - 1) else NONE
