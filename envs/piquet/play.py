"""A deal of piquet in order of play: deal, what is legal, and what a move does (spec sections 3 to 5).

`options` gives the legal actions as four words of 32 ids each. `move` plays one move and asks the next question; it works on
views too, where an unknown hand is empty and a hidden move of the other seat comes as one of the ids from HIDDEN up.
"""

import numpy as np

from ..engine.cards import bit
from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.state import NONE, RUNNING, UNKNOWN
from . import actions as act
from . import state as st
from .actions import EQUAL, GOOD, PASS
from .items import HIDDEN_EXCHANGE, call, call_counter, count_call, count_item, credit_class
from .legal import elder_of, exchange_sizes, only_action, options
from .options import LOOKS, MATCHES, NAMES
from .scoring import (
    COURTS,
    SUIT_PIPS,
    credit_bonus,
    credit_cards,
    credit_hand,
    credit_lead,
    credit_trick,
    deal_score,
    makes_pique,
    reckon_hands,
    repique_seat,
    settle,
    suit_byte,
)
from .state import CATEGORY_POINT, CATEGORY_SEQ, CATEGORY_SET

_CENT = MATCHES.index("cent")


@jit
def begin(rules, state):
    """What an episode begins with: the first dealer is drawn by lot."""
    match = state["match"]
    match["dealer"] = NONE
    match["korolik"] = match["deals"] = 0
    match["refaits"] = rules["carry_in"] if rules["partie"] and rules["match"] == 0 else 0
    match["written"][:] = 0
    match["columns"][:] = 0
    match["wrote"][:] = 0
    match["records"][:] = 0
    match["final_bonus"][:] = 0
    match["through"][:] = 0
    match["totals"][:] = 0
    match["net"][:] = 0


@jit
def pack(rules, deck):
    for c in range(32):
        deck[c] = c
    return 32


@jit
def deal(rules, state):
    """Deal the deck in canonical order (section 3) and ask the first question."""
    match = state["match"]
    if match["dealer"] == NONE:
        match["dealer"] = np.int64(state["lot"] & np.uint64(1))
    open_deal(state)
    elder = elder_of(state)
    deck = state["deck"]
    for k in range(2):
        seat = elder if k == 0 else 1 - elder
        hand = 0
        for i in range(12):
            hand |= bit(deck[12 * k + i])
        state["hand"][seat] = state["dealt"][seat] = hand
    for position in range(8):
        state["talon"][position] = deck[24 + position]
    ask_first(rules, state)


@jit
def ask_first(rules, state):
    """The first question of a deal: a blank, or elder's exchange."""
    if rules["blank_final"]:
        ask(state, st.EXCHANGE, elder_of(state))
    else:
        offer_blank(rules, state, elder_of(state))


@jit
def open_deal(state):
    """A deal that inherits the match scores of now; every other field is empty."""
    state["start"] = state["match"]
    state["stage"] = RUNNING
    state["discarded"][:] = 0
    state["shown"][:] = 0
    state["counted"][:] = 0
    state["counted_seq"][:] = 0
    state["counted_set"][:] = 0
    state["played"][:] = 0
    state["held"][:] = 12
    state["marked"][:] = 0
    state["exchanged"][:] = NONE
    state["blank"][:] = NONE
    state["outcome"][:] = st.UNSETTLED
    state["call_at"][:] = NONE
    state["call_class"][:] = NONE
    state["call_shown"][:] = 0
    state["call_pips"] = state["counter_at"] = state["counter_class"] = state["counter_pips"] = NONE
    state["counter_shown"] = state["younger_done"] = state["plays"] = state["logged"] = 0
    state["younger_at"] = state["named"] = state["looked"] = state["leader"] = state["table"] = NONE
    state["capot"][:] = NONE
    state["tricks"][:] = 0
    state["reckoned"][:] = NONE
    state["ledger"][:, :] = 0
    state["bonus"] = state["decided"] = NONE
    state["log"][:] = NONE
    state["log_seat"][:] = NONE
    state["marks"][:, :] = NONE


@inline
def forced(rules, state):
    """The one action that the seat to act may play, or NONE where it may choose."""
    w0, w1, w2, w3 = options(rules, state)
    return only_action(w0, w1, w2, w3)


@inline
def move(rules, state, action):
    """One move of the seat to act, without the forced ones behind it."""
    phase = state["phase"]
    if phase == st.FOLLOW or phase == st.LEAD:
        play_card(rules, state, action - act.PLAY)
    elif phase == st.EXCHANGE:
        mark(rules, state, action)
    elif phase == st.BLANK:
        answer_blank(rules, state, action == act.BLANK)
    elif phase < st.CAPOT:
        declare(rules, state, action)
    else:
        announce(rules, state, action)


@jit
def retrace(rules, end, state):
    """The move of the seat to act in `state` on the way to `end`, or NONE where none followed."""
    seat = state["seat"]
    if state["phase"] == st.BLANK:
        answer = end["blank"][seat]
        return NONE if answer == NONE else act.BLANK if answer == st.SHOWN else PASS
    if state["phase"] == st.EXCHANGE:
        if state["marked"][seat] < end["marked"][seat]:
            return np.int64(end["marks"][seat, state["marked"][seat]])
        return PASS if end["exchanged"][seat] != NONE else NONE
    return np.int64(end["log"][state["logged"]]) if state["logged"] < end["logged"] else NONE


@jit
def offer_blank(rules, state, seat):
    """Ask a seat that holds a blank whether it shows it (phase 1; `final`: before its declarations), else go on."""
    if holds_blank(state, seat):
        ask(state, st.BLANK, seat)
    else:
        after_blank(rules, state, seat)


@jit
def holds_blank(state, seat):
    """No king, queen or knave in hand; an unknown hand holds none."""
    hand = state["hand"][seat]
    return hand != 0 and not hand & COURTS


@jit
def answer_blank(rules, state, show):
    seat = state["seat"]
    state["blank"][seat] = st.SHOWN if show else st.DECLINED
    if show:
        show_blank(rules, state, seat)
    after_blank(rules, state, seat)


@jit
def show_blank(rules, state, seat):
    state["ledger"][seat, st.ITEM_BLANK] = rules["blank_points"]
    if rules["blank_final"]:
        state["shown"][seat] |= state["hand"][seat]


@jit
def after_blank(rules, state, seat):
    """What follows the offer to `seat`, made or not."""
    elder = elder_of(state)
    if seat == elder:
        if rules["blank_final"]:
            ask(state, st.POINT, elder)
        elif holds_blank(state, 1 - elder):  # not offer_blank: compiled code that recurses cannot be cached
            ask(state, st.BLANK, 1 - elder)
        else:
            ask(state, st.EXCHANGE, elder)
    elif rules["blank_final"]:
        next_category(rules, state, CATEGORY_POINT)
    else:
        ask(state, st.EXCHANGE, elder)


@inline
def mark(rules, state, action):
    """Mark a card for the exchange, or stop (4.1); HIDDEN_EXCHANGE + n: the other seat exchanged n."""
    seat = state["seat"]
    if action < 32:
        state["hand"][seat] &= ~bit(action)
        state["discarded"][seat] |= bit(action)
        state["marks"][seat, state["marked"][seat]] = action
        state["marked"][seat] += 1
        _, _, most = exchange_sizes(rules, state, seat)
        if state["marked"][seat] < most:
            return
    elif action >= HIDDEN_EXCHANGE:
        state["marked"][seat] = action - HIDDEN_EXCHANGE
        for i in range(action - HIDDEN_EXCHANGE):
            state["marks"][seat, i] = UNKNOWN
    draw_talon(rules, state, seat)


@jit
def draw_talon(rules, state, seat):
    elder = elder_of(state)
    n = state["marked"][seat]
    first = 0 if seat == elder else state["exchanged"][elder]
    state["exchanged"][seat] = n
    for position in range(first, first + n):
        card = state["talon"][position]
        if card >= 0:
            state["hand"][seat] |= bit(card)
    if seat == elder:
        ask(state, st.EXCHANGE, 1 - elder)
        _, _, most = exchange_sizes(rules, state, 1 - elder)
        if most:
            return
        state["exchanged"][1 - elder] = 0  # nothing is left to take
    begin_calls(rules, state)


@jit
def begin_calls(rules, state):
    """Both have exchanged: elder's declarations begin (phase 4)."""
    elder = elder_of(state)
    if rules["blank_final"]:
        offer_blank(rules, state, elder)
    else:
        ask(state, st.POINT, elder)


@jit
def declare(rules, state, action):
    """Calls, answers and counted items: phases 4 to 8 (4.3 to 4.5)."""
    phase = state["phase"]
    seat = state["seat"]
    log(state, seat, action if action < HIDDEN_EXCHANGE else UNKNOWN)
    if phase == st.POINT or phase == st.SEQ or phase == st.SET:
        category = CATEGORY_POINT if phase == st.POINT else CATEGORY_SEQ if phase == st.SEQ else CATEGORY_SET
        if action == PASS:
            state["outcome"][category] = st.OPEN
            close_category(rules, state, category)
        else:
            call(state, seat, category, action)
            ask(state, phase + 1, 1 - seat)
    elif phase == st.POINT_LEN or phase == st.POINT_VAL:
        answer_point(rules, state, action)
    elif phase == st.SEQ_REPLY or phase == st.SET_REPLY:
        answer_item(rules, state, action)
    elif phase == st.COUNTER:
        call_counter(state, seat, action)
        ask(state, st.SEQ, 1 - seat)
    elif action == PASS:
        if phase == st.SEQ_EXTRA or phase == st.SET_EXTRA:
            close_category(rules, state, CATEGORY_SEQ if phase == st.SEQ_EXTRA else CATEGORY_SET)
        else:
            next_category(rules, state, phase - st.YPOINT + 1)
    else:
        count_item(rules, state, seat, action)
        if phase == st.YPOINT:
            next_category(rules, state, CATEGORY_SEQ)


@jit
def answer_point(rules, state, action):
    elder = 1 - state["seat"]
    called = np.int64(state["log"][state["call_at"][CATEGORY_POINT]])
    if action == GOOD:
        state["outcome"][CATEGORY_POINT] = st.WON
        count_call(rules, state, elder, CATEGORY_POINT)
        ask(state, st.SEQ, elder)
    elif action == EQUAL and state["phase"] == st.POINT_LEN:
        hand = state["hand"][elder]
        state["call_pips"] = SUIT_PIPS[suit_byte(hand, called - act.POINT)] if hand else UNKNOWN
        ask(state, st.POINT_VAL, 1 - elder)
    elif action == EQUAL:
        state["outcome"][CATEGORY_POINT] = st.VOID
        state["call_shown"][CATEGORY_POINT] = rules["show_equal"]
        ask(state, st.SEQ, elder)
    else:
        state["outcome"][CATEGORY_POINT] = st.BEATEN
        if rules["at_once"]:
            ask(state, st.COUNTER, 1 - elder)
        else:
            ask(state, st.SEQ, elder)


@jit
def answer_item(rules, state, action):
    """Younger's answer to a sequence or a set."""
    elder = 1 - state["seat"]
    category = CATEGORY_SEQ if state["phase"] == st.SEQ_REPLY else CATEGORY_SET
    if action == GOOD:
        state["outcome"][category] = st.WON
        count_call(rules, state, elder, category)
        ask(state, state["phase"] + 1, elder)
        return
    if action == EQUAL:
        state["outcome"][category] = st.VOID
        state["call_shown"][category] = rules["show_equal"]
    else:
        state["outcome"][category] = st.BEATEN
    close_category(rules, state, category)


@jit
def close_category(rules, state, category):
    """Elder is done with a category: the next one, or what follows his sets."""
    elder = elder_of(state)
    if category < CATEGORY_SET:
        ask(state, st.SEQ if category == CATEGORY_POINT else st.SET, elder)
        return
    credit_hand(rules, state, elder, state["hand"][elder])
    if rules["after_lead"]:
        ask_capot(rules, state)
    else:
        begin_younger(rules, state)


@jit
def begin_younger(rules, state):
    """Phase 8: younger declares."""
    state["younger_at"] = state["logged"]
    if rules["blank_final"]:
        offer_blank(rules, state, 1 - elder_of(state))
    else:
        next_category(rules, state, CATEGORY_POINT)


@jit
def next_category(rules, state, category):
    """Ask younger for the next category that is open or beaten; a point named at once is counted without a question."""
    younger = 1 - elder_of(state)
    while category <= CATEGORY_SET:
        outcome = state["outcome"][category]
        if category == CATEGORY_POINT and state["counter_at"] != NONE:
            state["counter_shown"] = 1
            called = np.int64(state["log"][state["counter_at"]])
            if called != UNKNOWN:
                count_item(rules, state, younger, called)
            else:
                credit_class(rules, state, younger, CATEGORY_POINT, state["counter_class"])
        elif outcome == st.OPEN or outcome == st.BEATEN:
            ask(state, st.YPOINT + category, younger)
            return
        category += 1
    finish_declarations(rules, state)


@jit
def finish_declarations(rules, state):
    """All is declared: cartes rouges, repique, and cent's reckoning; then the play, or on with it."""
    elder = elder_of(state)
    younger = 1 - elder
    state["younger_done"] = 1
    final = state["hand"][younger] | state["played"][younger] if state["hand"][younger] else 0
    credit_hand(rules, state, younger, final)
    seat = repique_seat(rules, state, elder)
    if seat != NONE:
        credit_bonus(state, seat, rules["repique_bonus"])
    if rules["partie"] and rules["match"] == _CENT:
        scores = np.zeros(2, np.int64)
        item = reckon_hands(rules, state, elder, scores)
        if item != NONE:
            finish_game(rules, state, item, scores)
            return
    if state["plays"]:
        if not reckon_play(rules, state):
            ask_look(rules, state)
    else:
        ask_capot(rules, state)


@jit
def ask_capot(rules, state):
    if rules["capot_open"] > 0:
        ask(state, st.CAPOT, 1 - elder_of(state))
    else:
        ask_name(rules, state)


@jit
def cards_left(state):
    return 8 - state["exchanged"][0] - state["exchanged"][1]


@jit
def ask_name(rules, state):
    elder = elder_of(state)
    if rules["left_view"] == NAMES and cards_left(state) > 0:
        ask(state, st.NAME, elder)
    else:
        ask(state, st.LEAD, elder)
    state["leader"] = elder


@jit
def ask_look(rules, state):
    """After elder's first lead and younger's declarations (phase 12)."""
    younger = 1 - elder_of(state)
    if rules["left_view"] == LOOKS and cards_left(state) > 0:
        ask(state, st.LOOK, younger)
    else:
        ask(state, st.FOLLOW, younger)


@jit
def announce(rules, state, action):
    """Answers to the offers of an open capot, of naming a suit and of looking at the cards left."""
    phase = state["phase"]
    seat = state["seat"]
    log(state, seat, action)
    if phase == st.CAPOT:
        state["capot"][seat] = st.YES if action == act.OPEN_CAPOT else st.NO
        if seat == elder_of(state):
            ask_name(rules, state)
        else:
            ask(state, st.CAPOT, 1 - seat)
    elif phase == st.NAME:
        state["named"] = action - act.NAME if action >= act.NAME else st.NO_SUIT
        ask(state, st.LEAD, seat)
    else:
        state["looked"] = st.YES if action == act.LOOK else st.NO
        ask(state, st.FOLLOW, seat)


@inline
def play_card(rules, state, card):
    """Lead or follow (4.7)."""
    seat = state["seat"]
    log(state, seat, act.PLAY + card)
    state["hand"][seat] &= ~bit(card)
    state["played"][seat] |= bit(card)
    state["held"][seat] -= 1
    state["plays"] += 1
    if state["phase"] == st.LEAD:
        state["leader"] = seat
        state["table"] = card
        credit_lead(state, seat)
        if state["plays"] == 1 and rules["after_lead"]:
            begin_younger(rules, state)
        elif not reckon_play(rules, state):
            if state["plays"] == 1:
                ask_look(rules, state)
            else:
                ask(state, st.FOLLOW, 1 - seat)
        return
    led = state["table"]
    leader = state["leader"]
    winner = seat if card // 8 == led // 8 and card < led else leader
    state["table"] = NONE
    state["tricks"][winner] += 1
    state["leader"] = winner
    credit_trick(rules, state, winner, leader, state["plays"] == 24)
    if reckon_play(rules, state):
        return
    if state["plays"] < 24:
        ask(state, st.LEAD, winner)
    else:
        finish_play(rules, state)


@jit
def reckon_play(rules, state):
    """After a play event: pique, and cent's target; True when the game is over."""
    elder = elder_of(state)
    if makes_pique(rules, state, elder):
        credit_bonus(state, elder, rules["pique_bonus"])
    if rules["partie"] and rules["match"] == _CENT:
        for seat in range(2):
            if state["match"]["totals"][seat] + deal_score(state, seat) >= rules["cent_target"]:
                finish_game(rules, state, st.ITEM_PLAY, all_scores(state))
                return True
    return False


@jit
def all_scores(state):
    scores = np.empty(2, np.int64)
    scores[0] = deal_score(state, 0)
    scores[1] = deal_score(state, 1)
    return scores


@jit
def finish_play(rules, state):
    """Cards or capot, and the end of the deal."""
    elder = elder_of(state)
    before = all_scores(state)
    credit_cards(rules, state)
    scores = all_scores(state)
    if rules["partie"] and rules["match"] == _CENT:
        totals = state["match"]["totals"]
        if totals[elder] + scores[elder] >= rules["cent_target"]:
            scores[1 - elder] = before[1 - elder]
            finish_game(rules, state, st.ITEM_CARDS, scores)
            return
        if totals[1 - elder] + scores[1 - elder] >= rules["cent_target"]:
            finish_game(rules, state, st.ITEM_CARDS, scores)
            return
    finish_game(rules, state, NONE, scores)


@jit
def finish_game(rules, state, decided, scores):
    """The deal is over: nothing more is asked, and the match is settled."""
    state["decided"] = decided
    ask(state, st.OVER, NONE)
    settle(rules, state, scores)
