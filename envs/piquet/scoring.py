"""What combinations are worth and how deals add up to a match (spec sections 2, 4.3, 4.4, 5 and 6).

A class is one integer, larger is better. Point: number of cards (pips apart). Sequence: 8 * cards + 7 - rank of the top.
Set: 8 * cards + 7 - rank.
"""

import numpy as np

from ..engine.cards import RANKS_32, count
from ..engine.jit import inline, jit
from ..engine.state import DEAL_ENDED, NONE, OVER
from .state import (
    HAND_ITEMS,
    ITEM_BONUS,
    ITEM_CARDS,
    ITEM_FULL,
    ITEM_PLAY,
    ITEM_RED,
    SHOWN,
    VOID,
    YES,
)

PIPS = tuple({"A": 11, "9": 9, "8": 8, "7": 7}.get(rank, 10) for rank in RANKS_32)
COURTS = 0x0E0E0E0E  # K, Q, J of the four suits
RED_RANKS = 0x1F1F1F1F  # A, K, Q, J, T: the cartes rouges of 5.1
RANK_CARDS = 0x01010101  # the aces; shifted by r, the four cards of rank r


def _tables():
    pips = np.zeros(256, np.int64)
    run = np.zeros((256, 8), np.int64)  # length of the maximal run that starts at this rank, 0 where none or below three
    for byte in range(256):
        for r in range(8):
            if byte >> r & 1:
                pips[byte] += PIPS[r]
                if r == 0 or not byte >> (r - 1) & 1:
                    length = 0
                    while r + length < 8 and byte >> (r + length) & 1:
                        length += 1
                    run[byte, r] = length if length >= 3 else 0
    pips.flags.writeable = run.flags.writeable = False
    return pips, run


SUIT_PIPS, RUN = _tables()


@jit
def suit_byte(hand, suit):
    """The cards of one suit: bit r = rank r."""
    return (hand >> (8 * suit)) & 0xFF


@jit
def run_cards(hand, suit, top):
    """The set of the maximal run of `suit` that starts at rank `top`; empty where there is none of three or more."""
    length = RUN[suit_byte(hand, suit), top]
    return ((1 << length) - 1) << (8 * suit + top) if length else 0


@jit
def run_class(hand, suit, top):
    """The class of that run, or 0."""
    length = RUN[suit_byte(hand, suit), top]
    return 8 * length + 7 - top if length else 0


@jit
def best_run(hand):
    """The class of the best sequence in a hand, or 0."""
    best = 0
    for suit in range(4):
        byte = suit_byte(hand, suit)
        if byte & (byte >> 1) & (byte >> 2):
            for top in range(6):
                length = RUN[byte, top]
                if length and 8 * length + 7 - top > best:
                    best = 8 * length + 7 - top
    return best


@jit
def of_rank(hand, rank):
    """How many cards of a rank a hand holds."""
    return count((hand >> rank) & RANK_CARDS)


@jit
def best_set(hand):
    """The class of the best set in a hand, or 0."""
    best = 0
    for rank in range(5):
        n = of_rank(hand, rank)
        if n >= 3 and 8 * n + 7 - rank > best:
            best = 8 * n + 7 - rank
    return best


@jit
def longest_suit(hand):
    """The number of cards of the longest suit."""
    best = 0
    for suit in range(4):
        n = count(suit_byte(hand, suit))
        if n > best:
            best = n
    return best


@jit
def best_pips(hand, length):
    """The most pips among suits of exactly `length` cards, or 0."""
    best = 0
    for suit in range(4):
        byte = suit_byte(hand, suit)
        if count(byte) == length and SUIT_PIPS[byte] > best:
            best = SUIT_PIPS[byte]
    return best


# One deal (section 5).


@inline
def hand_total(state, seat):
    """H of 5.4: items I to VI."""
    total = 0
    for item in range(HAND_ITEMS):
        total += state["ledger"][seat, item]
    return total


@jit
def deal_score(state, seat):
    """All items and bonuses credited so far (5.5)."""
    total = 0
    for item in range(ITEM_BONUS + 1):
        total += state["ledger"][seat, item]
    return total


@jit
def stopped_by_equality(rules, state):
    """`any_stop`: an equality bars pique and repique."""
    if rules["repique_block"] != 2:
        return False
    return state["outcome"][0] == VOID or state["outcome"][1] == VOID or state["outcome"][2] == VOID


@jit
def unhindered(state, points, opponent):
    """No points of the opponent and no shown blank, whatever it is worth, bar a repique or a pique."""
    return points == 0 and state["blank"][opponent] != SHOWN


@jit
def repique_seat(rules, state, elder):
    """The seat that makes a repique when all has been declared, or NONE (5.4)."""
    threshold = rules["repique_at"]
    if rules["repique_block"] == 1:  # precedence: walk the ledger, elder's entry of a line first
        totals = np.zeros(2, np.int64)
        for item in range(HAND_ITEMS):
            for k in range(2):
                seat = elder if k == 0 else 1 - elder
                totals[seat] += state["ledger"][seat, item]
                if totals[seat] >= threshold and unhindered(state, totals[1 - seat], 1 - seat):
                    return seat
        return NONE
    if stopped_by_equality(rules, state):
        return NONE
    for seat in range(2):
        if hand_total(state, seat) >= threshold and unhindered(state, hand_total(state, 1 - seat), 1 - seat):
            return seat
    return NONE


@inline
def makes_pique(rules, state, elder):
    """Whether elder's total reaches the threshold now, in play, unhindered (5.4). Asked after each play event."""
    hand = hand_total(state, elder)
    if state["bonus"] != NONE or hand >= rules["pique_at"]:
        return False
    if not unhindered(state, hand_total(state, 1 - elder), 1 - elder):
        return False
    if not rules["pique_hand_only"] and state["ledger"][1 - elder, ITEM_PLAY] > 0:
        return False
    return hand + state["ledger"][elder, ITEM_PLAY] >= rules["pique_at"] and not stopped_by_equality(rules, state)


@jit
def credit_bonus(state, seat, points):
    state["bonus"] = seat
    state["ledger"][seat, ITEM_BONUS] += points


@jit
def credit_hand(rules, state, seat, final_hand):
    """Cartes rouges and full hand (5.1 V, VI), by themselves after the seat's sets; a `final_hand` not of 12 is unknown."""
    state["reckoned"][seat] = state["logged"]
    if rules["red_hand"] and count(final_hand) == 12 and not final_hand & ~RED_RANKS:
        state["ledger"][seat, ITEM_RED] = rules["red_hand"]
    if rules["full_hand"] and count(state["counted"][seat]) == 12:
        state["ledger"][seat, ITEM_FULL] = rules["full_hand"]


@jit
def credit_lead(state, seat):
    """One point for leading a card (5.2)."""
    state["ledger"][seat, ITEM_PLAY] += 1


@jit
def credit_trick(rules, state, winner, leader, last):
    """The points of a finished trick (5.2); `state["tricks"]` counts it already."""
    if winner != leader or rules["lead_and_trick"]:
        state["ledger"][winner, ITEM_PLAY] += 1
    if last and not (rules["capot_excludes_extra"] and state["tricks"][winner] == 12):
        state["ledger"][winner, ITEM_PLAY] += rules["last_extra"]


@jit
def credit_cards(rules, state):
    """Cards or capot, and announcements that failed (5.3)."""
    for seat in range(2):
        tricks = state["tricks"][seat]
        announced = state["capot"][seat] == YES
        if tricks == 12:
            state["ledger"][seat, ITEM_CARDS] += rules["capot_open"] if announced else rules["capot_closed"]
        elif tricks > 6:
            state["ledger"][seat, ITEM_CARDS] += rules["cards_bonus"]
        if announced and tricks < 12:
            state["ledger"][1 - seat, ITEM_CARDS] += rules["capot_fail"]


# The match (section 6).


@jit
def round10(x):
    """To the nearest ten, five up (6.1.3); x is not negative."""
    return (x + 5) // 10 * 10


@jit
def korolik_factor(rules, match):
    """f of 6.1.5: what written figures are multiplied by."""
    return 1 + match["refaits"] if rules["refait_mode"] == 0 else 1


@jit
def record_value(rules, match, difference):
    """R of 6.1.2 for a difference of the written figures."""
    value = 100 * korolik_factor(rules, match) + difference
    if rules["refait_mode"] == 1:
        value += 20 * match["refaits"]
    return round10(value)


@jit
def settle(rules, state, scores):
    """Enter a finished deal's scores (by seat) into the match, pay what they settle, and say how it goes on.

    Sets the stage, the net points and who deals next (NONE: by lot).
    """
    match = state["match"]
    dealer = match["dealer"]
    if not rules["partie"]:
        over = True
        match["net"][0] += scores[0] - scores[1]
    elif rules["match"] == 0:
        over = settle_korolik(rules, match, scores)
        if match["deals"] == 0:  # a new korolik
            match["dealer"] = 1 - dealer if rules["korolik_dealer"] == 2 else NONE
        else:
            match["dealer"] = dealer if rules["korolik_dealer"] == 1 else 1 - dealer
    else:
        over = settle_rubicon(match, scores) if rules["match"] == 1 else settle_cent(rules, match, scores)
        match["dealer"] = 1 - dealer
    match["net"][1] = -match["net"][0]
    state["stage"] = OVER if over else DEAL_ENDED


@jit
def settle_korolik(rules, match, scores):
    """6.1; True when the partie is over."""
    difference = scores[0] - scores[1]
    if difference:
        writer = 0 if difference > 0 else 1
        figure = abs(difference) * korolik_factor(rules, match)
        match["written"][writer] += figure
        match["columns"][writer] += figure
        match["wrote"][writer] = 1
    match["deals"] += 1
    cut_short = difference == 0 and rules["refait_mode"] != 2 and not rules["refait_korolik_only"]
    if match["deals"] < 2 and not cut_short:
        return False
    apart = abs(match["written"][0] - match["written"][1])
    refait = cut_short or apart <= rules["refait_margin"]
    if apart and (cut_short or not refait):
        winner = 0 if match["written"][0] > match["written"][1] else 1
        match["records"][winner] += record_value(rules, match, apart)
    match["net"][0] = match["records"][0] - match["records"][1]
    match["refaits"] = match["refaits"] + 1 if refait else 0
    match["written"][:] = 0
    match["deals"] = 0
    match["korolik"] += 1
    if match["korolik"] < rules["koroliks"]:
        return False
    finish_koroliks(rules, match)
    return True


@jit
def finish_koroliks(rules, match):
    """Final bonus, through record and totals (6.1.7 to 6.1.9)."""
    apart = abs(match["columns"][0] - match["columns"][1])
    if apart:
        match["final_bonus"][0 if match["columns"][0] > match["columns"][1] else 1] = round10(100 + apart)
    for seat in range(2):
        if match["wrote"][seat] and not match["wrote"][1 - seat]:
            match["through"][seat] = rules["through_bonus"]
        match["totals"][seat] = match["records"][seat] + match["final_bonus"][seat] + match["through"][seat]
    match["net"][0] = match["totals"][0] - match["totals"][1]


@jit
def settle_rubicon(match, scores):
    """6.3; True when the partie is over."""
    match["deals"] += 1
    for seat in range(2):
        match["totals"][seat] += scores[seat]
    apart = match["totals"][0] - match["totals"][1]
    if match["deals"] < 6 or (match["deals"] < 8 and (apart == 0 or match["deals"] == 7)):
        return False
    if apart:
        loser = 1 if apart > 0 else 0
        lost = match["totals"][loser]
        value = 100 + match["totals"][1 - loser] + (-lost if lost >= 100 else lost)
        match["net"][0] = value if apart > 0 else -value
    return True


@jit
def settle_cent(rules, match, scores):
    """6.4; `scores` as far as they were reckoned when a player reached the target; True when one did."""
    match["deals"] += 1
    for seat in range(2):
        match["totals"][seat] += scores[seat]
    for seat in range(2):
        if match["totals"][seat] >= rules["cent_target"]:
            value = 2 if match["totals"][1 - seat] < 50 else 1
            match["net"][0] = value if seat == 0 else -value
            return True
    return False


@jit
def reckon_hands(rules, state, elder, scores):
    """Cent: walk lines I to VI, elder before younger; the row at which a player first reached the target, or NONE.

    `scores` (2,) receives the points of this deal as reckoned up to that line; a repique counts with the line completing it.
    """
    scores[:] = 0
    counted = np.zeros(2, np.int64)
    repiqued = False
    for item in range(HAND_ITEMS):
        for k in range(2):
            seat = elder if k == 0 else 1 - elder
            counted[seat] += state["ledger"][seat, item]
            scores[seat] += state["ledger"][seat, item]
            if not repiqued and state["bonus"] == seat and counted[seat] >= rules["repique_at"]:
                repiqued = True
                scores[seat] += state["ledger"][seat, ITEM_BONUS]
            if state["ledger"][seat, item] and state["match"]["totals"][seat] + scores[seat] >= rules["cent_target"]:
                return item
    return NONE


@jit
def net_points(rules, state, out):
    """Points so far as the finished deals have settled them; zero-sum."""
    out[0] = state["match"]["net"][0]
    out[1] = state["match"]["net"][1]


def muette(rules, state, offender, offence_doubles):
    """Silent play (5.6): the ledger rows of the other seat, `(hand items (6,), play, bonus 0 none 1 pique 2 repique)`.

    `state` holds a finished deal: final hands, the order of play and the blank. Plain Python: a helper for recorded games.
    """
    other = 1 - offender
    hand = int(state["hand"][other] | state["played"][other])
    items = [int(state["ledger"][other, 0]), 0, 0, 0, 0, 0]
    length = longest_suit(hand)
    items[1] = int(length) if length >= rules["point_min"] else 0
    used = 0
    suits = [s for s in range(4) if count(suit_byte(hand, s)) == length]
    point_suit = max(suits, key=lambda s: SUIT_PIPS[suit_byte(hand, s)])
    used |= (hand & (0xFF << (8 * point_suit))) if items[1] else 0
    for suit in range(4):
        for top in range(6):
            cards = run_cards(hand, suit, top)
            if cards:
                items[2] += int(rules["seq_scores"][count(cards)])
                used |= cards
    for rank in range(5):
        n = of_rank(hand, rank)
        if n >= 3:
            items[3] += 14 if n == 4 else 3
            used |= hand & (RANK_CARDS << rank)
    items[4] = int(rules["red_hand"]) if not hand & ~RED_RANKS else 0
    items[5] = int(rules["full_hand"]) if used == hand else 0
    play = int(state["ledger"][other, ITEM_PLAY]) * (2 if offence_doubles else 1)
    total = sum(items)
    bonus = 2 if total >= rules["repique_at"] else 0
    if not bonus and other == 1 - state["start"]["dealer"] and total + play >= rules["pique_at"]:
        bonus = 1
    return items, play, bonus
