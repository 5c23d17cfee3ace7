"""A deal of ombre in order of play: deal, what is legal, and what a move does (spec sections 3 and 4).

`options` gives the legal actions as one word of 59 bits. `move` plays one move and asks the next question; it works on views
too, where an unknown hand is empty and a hidden exchange of another seat comes as an id from HIDDEN_EXCHANGE up.
"""

import numpy as np

from ..engine.cards import bit, lowest
from ..engine.chance import LOT, draw_once
from ..engine.course import ask, log
from ..engine.jit import inline, jit
from ..engine.masks import write_legal
from ..engine.state import NONE, RUNNING
from . import actions as act
from . import state as st
from .auction import call, call_options, keep, only, open_auction
from .exchange import discard, discard_options, hand_over, look, name_trump, trump_options
from .options import BEFORE_TRICK_2, BEFORE_TRICK_4
from .settle import classify, finish, is_decided, stake
from .tours import open_tours
from .trumps import BLACK_ACES, beats, playable


@jit
def begin(rules, state):
    """What an episode begins with: the first dealer is drawn by lot, or is seat 0, that of Spadille."""
    match = state["match"]
    match["dealer"] = 0 if rules["spadille_deals"] else NONE
    match["pot"] = rules["start_pot"]
    match["totals"][:] = 0
    match["queue"][:] = 0
    open_tours(rules, match)


@jit
def pack(rules, deck):
    for c in range(40):
        deck[c] = c
    return 40


@inline
def place_of(k, j):
    """Where in the deck the j-th card of the k-th seat from eldest lies: three rounds of three cards (section 3)."""
    return 9 * (j // 3) + 3 * k + j % 3


@jit
def deal(rules, state):
    """Deal the deck by threes, take the stakes and open the auction."""
    match = state["match"]
    if match["dealer"] == NONE:
        match["dealer"] = draw_once(state["lot"], LOT, 3)
    open_deal(rules, state)
    deck = state["deck"]
    for k in range(3):
        seat = (match["dealer"] + 1 + k) % 3
        hand = 0
        for j in range(9):
            hand |= bit(deck[place_of(k, j)])
        state["hand"][seat] = state["dealt"][seat] = hand
    for position in range(st.TALON):
        state["talon"][position] = deck[27 + position]


@jit
def open_deal(rules, state):
    """An empty deal of the dealer in `match`, stakes paid, eldest to speak."""
    state["start"] = state["match"]
    state["stage"] = RUNNING
    state["discarded"][:] = 0
    state["played"][:] = 0
    state["exchanged"][:] = NONE
    state["ombre"] = state["contract"] = state["trump"] = state["first"] = NONE
    state["looked"] = state["premiers"] = NONE
    state["leader"] = state["led"] = state["best"] = state["winner"] = NONE
    state["plays"] = state["logged"] = 0
    state["tricks"][:] = 0
    state["outcome"] = state["codille"] = state["run"] = NONE
    state["first_five"] = 0
    state["vole"] = st.NO_VOLE
    state["delta"][:] = 0
    state["log"][:] = NONE
    state["log_seat"][:] = NONE
    stake(rules, state)
    open_auction(state, st.AUCTION)


@inline
def legal(rules, state, mask):
    """Mark what the seat to act may do."""
    if state["stage"] == RUNNING:
        write_legal(mask, 0, options(rules, state), 59)


@inline
def options(rules, state):
    """The legal actions of the seat to act, as a set of action ids."""
    phase = state["phase"]
    if phase == st.PLAY:
        return play_options(rules, state)
    if phase <= st.CASCO_AUCTION:
        return call_options(rules, state)
    if phase == st.DISCARD:
        return discard_options(rules, state)
    if phase == st.NAME_TRUMP or phase == st.CASCO_TRUMP:
        return trump_options(state)
    if phase == st.CASCO_KEEP:
        hand = state["hand"][state["ombre"]]
        return hand if rules["keep_any"] else hand & BLACK_ACES
    if phase == st.HANDOVER:
        return bit(act.GO_FIRST) | bit(act.YIELD)
    if phase == st.LOOK:
        return bit(act.LOOK) | bit(act.LEAVE)
    if phase == st.PREMIERS:
        return bit(act.STOP) | bit(act.VOLE)
    return bit(act.DONE) & 0


@jit
def play_options(rules, state):
    seat = state["seat"]
    word = playable(state["hand"][seat], state["trump"], state["led"])
    if rules["surrender"] and seat == state["ombre"] and may_surrender(rules, state):
        word |= bit(act.SURRENDER)
    return word


@jit
def may_surrender(rules, state):
    """Whether the ombre may give up instead of playing (4.5, SURRENDER)."""
    done = state["plays"] // 3
    if rules["surrender"] == BEFORE_TRICK_2:
        return done < 2
    return rules["surrender"] == BEFORE_TRICK_4 and done < 4 and state["contract"] != st.SOLO


@inline
def forced(rules, state):
    """The one action that the seat to act may play, or NONE where it may choose."""
    return only(options(rules, state))


@inline
def move(rules, state, action):
    """One move of the seat to act, without the forced ones behind it."""
    phase = state["phase"]
    if phase == st.PLAY:
        if action == act.SURRENDER:
            log(state, state["seat"], action)
            finish(rules, state, st.SURRENDERED, NONE)
        else:
            play_card(rules, state, action)
    elif phase <= st.CASCO_AUCTION:
        call(rules, state, action)
    elif phase == st.DISCARD:
        discard(rules, state, action)
    elif phase == st.NAME_TRUMP or phase == st.CASCO_TRUMP:
        name_trump(rules, state, action)
    elif phase == st.CASCO_KEEP:
        keep(state, action)
    elif phase == st.HANDOVER:
        hand_over(rules, state, action)
    elif phase == st.LOOK:
        look(state, action)
    else:
        answer_premiers(rules, state, action)


@jit
def retrace(rules, end, state):
    """The move of the seat to act in `state` on the way to `end`, or NONE where none followed."""
    seat = state["seat"]
    phase = state["phase"]
    if phase == st.DISCARD or phase == st.CASCO_KEEP:
        ended = end["exchanged"][seat] != NONE
        if phase == st.CASCO_KEEP:
            return lowest(end["dealt"][seat] & ~end["discarded"][seat]) if ended else NONE
        rest = end["discarded"][seat] & ~state["discarded"][seat]
        if rest:
            return lowest(rest)
        return act.DONE if ended else NONE
    return np.int64(end["log"][state["logged"]]) if state["logged"] < end["logged"] else NONE


@inline
def play_card(rules, state, card):
    """Lead or follow; the third card ends the trick."""
    seat = state["seat"]
    log(state, seat, card)
    state["hand"][seat] &= ~bit(card)
    state["played"][seat] |= bit(card)
    state["plays"] += 1
    if state["led"] == NONE:
        state["led"] = state["best"] = card
        state["leader"] = state["winner"] = seat
    elif beats(state["trump"], card, state["best"], state["led"]):
        state["best"] = card
        state["winner"] = seat
    if state["plays"] % 3:
        state["seat"] = (seat + 1) % 3
    else:
        end_trick(rules, state)


@jit
def end_trick(rules, state):
    """Who won it; the vole, the premiers, the end (4.5)."""
    winner = state["winner"]
    ombre = state["ombre"]
    tricks = state["tricks"]
    tricks[winner] += 1
    state["leader"] = winner
    state["led"] = state["best"] = NONE
    state["seat"] = winner
    done = state["plays"] // 3
    vole = state["premiers"] == st.YES
    if vole and winner != ombre:
        state["vole"] = st.FAILED
        finish(rules, state, st.WIN, NONE)
    elif done == st.HAND or (not vole and may_stop(rules, state)):
        if vole:
            state["vole"] = st.MADE
        outcome, codille = classify(ombre, (tricks[0], tricks[1], tricks[2]))
        finish(rules, state, outcome, codille)
    elif premiers_due(rules, state):
        state["first_five"] = 1
        ask(state, st.PREMIERS, ombre)


@jit
def premiers_due(rules, state):
    return rules["first_five_stop"] == 1 and state["plays"] == 15 and state["tricks"][state["ombre"]] == 5


@jit
def may_stop(rules, state):
    """`stop_when_decided`: nothing that is left can change the outcome, and neither are the premiers to be asked nor tricks
    to be counted, as in tour 1 of rocambole.
    """
    if not rules["stop_when_decided"] or state["match"]["tour"] == 1 or premiers_due(rules, state):
        return False
    tricks = state["tricks"]
    return is_decided(state["ombre"], (tricks[0], tricks[1], tricks[2]))


@jit
def answer_premiers(rules, state, action):
    log(state, state["seat"], action)
    if action == act.STOP:
        state["premiers"] = st.NO
        finish(rules, state, st.WIN, NONE)
    else:
        state["premiers"] = st.YES
        ask(state, st.PLAY, state["ombre"])
