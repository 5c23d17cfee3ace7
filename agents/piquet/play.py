"""The play of the cards: count what the other may hold, cash sure tricks, establish the long suit, keep guards."""

import numpy as np

from ...envs.engine.cards import count, lowest
from ...envs.engine.jit import jit
from ...envs.engine.state import NONE
from ...envs.piquet import actions as act
from ...envs.piquet.scoring import suit_byte
from .unseen import their_cards


@jit
def weigh_card(rules, view, seat, mask, out):
    _, possible = their_cards(rules, view, seat)
    hand = view["hand"][seat]
    if view["table"] == NONE:
        card = choose_lead(view, seat, hand, possible, mask)
    else:
        card = choose_answer(hand, possible, np.int64(view["table"]))
    out[act.PLAY + card] = 1


@jit
def sure_tricks(mine, theirs):
    """How often in a row a suit can be led and surely won, if they hold all of `theirs`."""
    if not theirs:
        return count(mine)
    tops = count(mine & ((theirs & -theirs) - 1))
    return count(mine) if tops >= count(theirs) else tops


@jit
def highest_rank(byte):
    return lowest(byte)


@jit
def lowest_rank(byte):
    rank = 7
    while not byte >> rank & 1:
        rank -= 1
    return rank


@jit
def guarded_tricks(mine, theirs):
    """How many tricks a suit makes that they lead from the top, the low cards thrown first."""
    won = 0
    while mine and theirs:
        if highest_rank(mine) < highest_rank(theirs):
            won += 1
            mine &= mine - 1
            theirs &= ~(1 << lowest_rank(theirs))
        else:
            theirs &= theirs - 1
            mine &= ~(1 << lowest_rank(mine))
    return won + count(mine)


@jit
def choose_answer(hand, possible, led):
    """Win as cheaply as can be, else throw the lowest; of another suit, what is least missed."""
    suit = led // 8
    mine = suit_byte(hand, suit)
    if mine:
        better = mine & ((1 << (led % 8)) - 1)
        return 8 * suit + lowest_rank(better if better else mine)
    return least_missed(hand, possible)


@jit
def least_missed(hand, possible):
    best, chosen = -1e9, 0
    for suit in range(4):
        mine, theirs = suit_byte(hand, suit), suit_byte(possible, suit)
        if not mine:
            continue
        low = lowest_rank(mine)
        rest = mine & ~(1 << low)
        fewer = theirs & ~(1 << lowest_rank(theirs)) if theirs else 0
        loss = 2 * (guarded_tricks(mine, theirs) - guarded_tricks(rest, theirs))
        loss += guarded_tricks(mine, fewer) - guarded_tricks(rest, fewer)
        worth = low + 0.5 * count(mine) - 8 * loss
        if worth > best:
            best, chosen = worth, 8 * suit + low
    return chosen


@jit
def establish(mine, theirs):
    """(tricks won, tricks lost) if the suit is led from the top until they have none left."""
    won, lost = 0, 0
    while mine and theirs:
        top = highest_rank(mine)
        over = theirs & ((1 << top) - 1)
        mine &= mine - 1
        if over:
            lost += 1
            theirs &= ~(1 << lowest_rank(over))
        else:
            won += 1
            theirs &= ~(1 << lowest_rank(theirs))
    return won + count(mine), lost


@jit
def choose_lead(view, seat, hand, possible, mask):
    left = count(hand)
    winners, threats = 0, 0
    for suit in range(4):
        mine, theirs = suit_byte(hand, suit), suit_byte(possible, suit)
        winners += sure_tricks(mine, theirs)
        threats += sure_tricks(theirs, mine)
    cash = view["tricks"][seat] + winners >= 7 or winners >= left or threats > left - winners
    best, chosen = -1e9, 0
    for suit in range(4):
        mine, theirs = suit_byte(hand, suit), suit_byte(possible, suit)
        if not mine or not mask[act.PLAY + 8 * suit + highest_rank(mine)]:
            continue
        sure = sure_tricks(mine, theirs)
        won, lost = establish(mine, theirs)
        worth = won - 1.5 * lost + 0.1 * count(mine)
        if cash and winners:
            worth = (100 if sure else 0) + worth
        if worth > best:
            best, chosen = worth, 8 * suit + lead_of_suit(mine, theirs, sure)
    return chosen


@jit
def lead_of_suit(mine, theirs, sure):
    """The top card of sure tricks or of a sequence, else the lowest."""
    top = highest_rank(mine)
    rest = mine & (mine - 1)
    if sure or not rest:
        return top
    second = highest_rank(rest)
    between = theirs & ((1 << second) - 1) & ~((1 << top) - 1)
    return top if not between else lowest_rank(mine)
