"""The play of the cards: each card that may be played gets marks by a list of rules, and the best one is played.

The leader runs the suits that he can run, cashes when that makes the cards, a pique, or saves what the other would run away
with; else he leads his long suit to establish it, and lets guarded honours wait. Who follows wins as cheaply as he can,
unless the trick costs more than it brings. Who cannot follow throws what he misses least: no winner, no guard.
"""

import numpy as np

from ...envs.engine.cards import bit, count, lowest
from ...envs.engine.jit import jit
from ...envs.engine.state import NONE
from ...envs.piquet.scoring import suit_byte
from .suits import LAST, guarded_tricks, led_out, likely_count, likely_run, sure_tricks, touching
from .survey import CELLS, HOPES, LEFT, MADE, PIQUE, RUN, SHARE, THREATS, WINNERS, presume, survey, their_cards
from .weights import ANSWER, LEAD, MOST_RULES, THROW


@jit
def best_card(rules, view, seat, legal):
    """The card of the set `legal` that the rules judge best; of cards that are as good as equal the lowest."""
    sure, possible = their_cards(rules, view, seat)
    cards = np.empty(12, np.int64)
    n = candidates(legal, possible, cards)
    if n == 1:
        return cards[0]
    presumed = presume(sure, possible, count(possible) - view["held"][1 - seat])
    cells = np.zeros(CELLS, np.float64)
    survey(rules, view, seat, sure, possible, presumed, cells)
    marks = np.zeros(MOST_RULES, np.float64)
    best, chosen = -1e9, cards[0]
    for i in range(n):
        worth = judge(view["hand"][seat], sure, possible, presumed, np.int64(view["table"]), cards[i], cells, marks)
        if worth > best:
            best, chosen = worth, cards[i]
    return chosen


@jit
def candidates(legal, possible, out):
    """One of each run of legal cards with no card of theirs between, the lowest. Returns how many."""
    n = 0
    for suit in range(4):
        mine, theirs = suit_byte(legal, suit), suit_byte(possible, suit)
        last = NONE
        while mine:
            rank = lowest(mine)
            mine &= mine - 1
            if last == NONE or not touching(last, rank, theirs):
                n += 1
            out[n - 1] = 8 * suit + rank
            last = rank
    return n


@jit
def judge(hand, sure, possible, presumed, led, card, cells, marks):
    """The worth of playing `card` to the lead `led` or NONE: the marks that it gets by each rule, weighed."""
    suit, rank = card // 8, card % 8
    mine, known = suit_byte(hand, suit), suit_byte(sure, suit)
    theirs, likely = suit_byte(possible, suit), suit_byte(presumed, suit)
    worth = 0.0
    if led == NONE:
        mark_lead(mine, theirs, known, likely, rank, cells, marks)
        for k in range(len(LEAD)):
            worth += LEAD[k] * marks[k]
    elif led // 8 == suit:
        mark_answer(mine, theirs, known, likely, rank, rank < led % 8, cells, marks)
        for k in range(len(ANSWER)):
            worth += ANSWER[k] * marks[k]
    else:
        mark_throw(mine, theirs, known, likely, rank, cells, marks)
        for k in range(len(THROW)):
            worth += THROW[k] * marks[k]
    return worth


@jit
def mark_lead(mine, theirs, known, likely, rank, cells, marks):
    """The rules of LEAD, in its order. A card holds if no higher one is presumed with them."""
    over = theirs & (bit(rank) - 1)
    wins = 0.0 if over & known else 1.0
    for _ in range(count(over)):
        wins *= 1 - cells[SHARE]
    holds = 0 if likely & (bit(rank) - 1) else 1
    n, tops = count(mine), sure_tricks(mine, likely)
    won, lost = led_out(mine, likely)
    marks[0] = wins
    marks[1] = 0 if over else cells[PIQUE]
    marks[2] = wins * (n - likely_count(theirs, known, cells[SHARE]))
    marks[3] = count(over)
    marks[4] = (1 - wins) * likely_run(mine & ~bit(rank), theirs, known, cells[SHARE])
    marks[5] = holds
    marks[6] = tops
    marks[7] = holds and cells[MADE] + cells[HOPES] >= 7
    marks[8] = holds and cells[THREATS] > cells[LEFT] - cells[HOPES]
    marks[9] = holds and tops == n
    marks[10] = (1 - holds) * cells[THREATS]
    marks[11] = (1 - holds) * (won - tops)
    marks[12] = holds * won
    marks[13] = sure_tricks(likely, mine)
    marks[14] = guarded_tricks(mine, likely)
    marks[15] = holds * n
    marks[16] = lost * cells[LEFT]
    marks[17] = (1 - holds) * sure_tricks(likely, mine & ~bit(rank))
    marks[18] = holds * max(7 - cells[MADE] - cells[HOPES], 0)
    marks[19] = (won - tops) * (cells[HOPES] - tops >= lost)
    marks[20] = wins * cells[LEFT]


@jit
def mark_answer(mine, theirs, known, likely, rank, wins, cells, marks):
    """The rules of ANSWER, in its order, for following suit."""
    rest = mine & ~bit(rank)
    share = cells[SHARE]
    marks[0] = wins
    marks[1] = wins * cells[WINNERS]
    marks[2] = wins * cells[RUN]
    marks[3] = sure_tricks(mine, theirs) - sure_tricks(rest, theirs)
    marks[4] = rank == LAST[mine]
    marks[5] = wins and cells[MADE] == 0
    marks[6] = wins * cells[LEFT]
    marks[7] = likely_run(mine, theirs, known, share) - likely_run(rest, theirs, known, share)
    marks[8] = wins * cells[HOPES]
    marks[9] = wins * cells[THREATS]
    marks[10] = sure_tricks(likely, rest)
    marks[11] = wins and cells[MADE] + cells[HOPES] >= 6


@jit
def mark_throw(mine, theirs, known, likely, rank, cells, marks):
    """The rules of THROW, in its order, for a card of another suit."""
    rest = mine & ~bit(rank)
    share = cells[SHARE]
    marks[0] = sure_tricks(mine, theirs) - sure_tricks(rest, theirs)
    marks[1] = rank
    marks[2] = rest == 0
    marks[3] = likely_count(theirs, known, share)
    marks[4] = not theirs & (bit(rank) - 1)
    marks[5] = likely_run(mine, theirs, known, share) - likely_run(rest, theirs, known, share)
    marks[6] = lowest(mine)
    marks[7] = guarded_tricks(mine, likely) - guarded_tricks(rest, likely)
    marks[8] = sure_tricks(likely, rest) - sure_tricks(likely, mine)
    marks[9] = count(mine) - count(likely)
    marks[10] = marks[7] * cells[LEFT]
    marks[11] = count(mine) > count(likely)
