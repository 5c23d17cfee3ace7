"""The play of the cards. Every card that may be played is judged by a list of rules; the weights are fitted (see weights).

The leader cashes sure tricks when they make the cards, or when the other would run away with the rest, else leads his long
suit to establish it. Who follows wins as cheaply as he can. Who cannot follow throws what he misses least: no winner, no
guard of a king or queen, no card of a suit that will run.
"""

import numpy as np

from ...envs.engine.cards import count, lowest
from ...envs.engine.jit import jit
from ...envs.engine.state import NONE
from ...envs.piquet import actions as act
from ...envs.piquet import state as st
from ...envs.piquet.legal import elder_of
from ...envs.piquet.scoring import hand_total, suit_byte
from .suits import LAST, guarded_tricks, led_out, sure_tricks, touching
from .unseen import their_cards
from .weights import ANSWER, LEAD, THROW

# Cells of the table: what the whole position says.
(LEFT, MADE, LOST, WINNERS, THREATS, SHARE, PIQUE, L_WINNERS, L_THREATS, AWAY) = range(10)


@jit
def best_card(rules, view, seat, legal):
    """The card of the set `legal` that the rules judge best; of cards that are as good as equal the lowest."""
    hand = view["hand"][seat]
    sure, possible = their_cards(rules, view, seat)
    cards = np.empty(12, np.int64)
    n = candidates(legal, possible, cards)
    if n == 1:
        return cards[0]
    table = np.zeros(AWAY + 4, np.float64)
    survey(rules, view, seat, hand, sure, possible, table)
    best, chosen = -1e9, cards[0]
    marks = np.zeros(64, np.float64)
    led = np.int64(view["table"])
    for i in range(n):
        worth = judge(hand, sure, possible, led, cards[i], table, marks)
        if worth > best:
            best, chosen = worth, cards[i]
    return chosen


@jit
def survey(rules, view, seat, hand, sure, possible, table):
    """Fill the table: tricks left, made and lost, our sure winners, their likely ones, and the share of unknown cards."""
    other = 1 - seat
    unknown = count(possible & ~sure)
    share = (view["held"][other] - count(sure)) / unknown if unknown else 1.0
    winners, threats = 0, 0.0
    for suit in range(4):
        mine, theirs, known = suit_byte(hand, suit), suit_byte(possible, suit), suit_byte(sure, suit)
        winners += sure_tricks(mine, theirs)
        threats += likely_run(mine, theirs, known, share)
    likely = presumed(sure, possible, count(possible) - view["held"][other])
    l_winners, l_threats = 0, 0
    for suit in range(4):
        mine, theirs = suit_byte(hand, suit), suit_byte(likely, suit)
        table[AWAY + suit] = suit_byte(possible & ~likely, suit)
        l_winners += sure_tricks(mine, theirs)
        l_threats += sure_tricks(theirs, mine)
    table[L_WINNERS], table[L_THREATS] = l_winners, l_threats
    table[LEFT] = count(hand)
    table[MADE] = view["tricks"][seat]
    table[LOST] = view["tricks"][other]
    table[WINNERS] = winners
    table[THREATS] = threats
    table[SHARE] = share
    elder = elder_of(view)
    table[PIQUE] = 0
    if seat == elder and view["bonus"] == NONE and hand_total(view, other) == 0:
        missing = rules["pique_at"] - hand_total(view, seat) - view["ledger"][seat, st.ITEM_PLAY]
        if view["ledger"][other, st.ITEM_PLAY] == 0 and 0 < missing <= count(hand):
            table[PIQUE] = 1 if missing <= winners else 0.5


@jit
def presumed(sure, possible, away):
    """Their hand if they threw the `away` cards that a player misses least: low ones of short suits."""
    hand = possible
    for _ in range(away):
        worst, thrown = -1e9, NONE
        for suit in range(4):
            unknown = suit_byte(hand & ~sure, suit)
            if unknown:
                worth = LAST[unknown] - 0.7 * count(suit_byte(hand, suit))
                if worth > worst:
                    worst, thrown = worth, 8 * suit + LAST[unknown]
        hand &= ~(1 << thrown)
    return hand


@jit
def likely_run(mine, theirs, known, share):
    """How many tricks they may run in a suit if they lead it: cards over our best, or all once ours are gone."""
    over = theirs & ((mine & -mine) - 1) if mine else theirs
    tops = count(over & known) + share * count(over & ~known)
    return tops if tops < count(mine) else count(theirs & known) + share * count(theirs & ~known)


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
def judge(hand, sure, possible, led, card, table, marks):
    """The worth of playing `card`: the marks that it gets by each rule, weighed."""
    suit, rank = card // 8, card % 8
    mine, theirs, known = suit_byte(hand, suit), suit_byte(possible, suit), suit_byte(sure, suit)
    worth = 0.0
    if led == NONE:
        mark_lead(mine, theirs, known, suit, rank, table, marks)
        for k in range(LEAD.shape[0]):
            worth += LEAD[k] * marks[k]
    elif led // 8 == suit:
        mark_answer(mine, theirs, known, suit, rank, led % 8, table, marks)
        for k in range(ANSWER.shape[0]):
            worth += ANSWER[k] * marks[k]
    else:
        mark_throw(mine, theirs, known, suit, rank, table, marks)
        for k in range(THROW.shape[0]):
            worth += THROW[k] * marks[k]
    return worth


@jit
def mark_lead(mine, theirs, known, suit, rank, table, marks):
    """The rules for a lead; their order is that of LEAD."""
    n = count(mine)
    share = table[SHARE]
    over = theirs & ((1 << rank) - 1)
    wins = 0.0 if over & known else 1.0
    for _ in range(count(over)):
        wins *= 1 - share
    sure = 0 if over else 1
    risk = 1 - wins
    length = count(known) + share * count(theirs & ~known)
    tops = sure_tricks(mine, theirs)
    won, lost = led_out(mine, theirs)
    rest = mine & ~(1 << rank)
    left, made, winners, threats = table[LEFT], table[MADE], table[WINNERS], table[THREATS]
    below = rest & ~((1 << rank) - 1)
    marks[0] = wins
    marks[1] = sure
    marks[2] = sure and made + winners >= 7
    marks[3] = sure and made >= 7
    marks[4] = sure and winners >= left
    marks[5] = sure and threats > left - winners
    marks[6] = n
    marks[7] = n - length
    marks[8] = tops
    marks[9] = tops == n
    marks[10] = lost
    marks[11] = won
    marks[12] = not sure and below != 0 and touching(rank, lowest(below), theirs)
    marks[13] = not sure and rank == LAST[mine]
    marks[14] = 0 if sure else guarded_tricks(mine, theirs) - guarded_tricks(rest, theirs)
    marks[15] = rank
    marks[16] = 0 if sure else rank
    marks[17] = sure * left
    marks[18] = n == 1
    marks[19] = sure and table[LOST] >= 6
    marks[20] = sure * table[PIQUE]
    marks[21] = theirs == 0
    marks[22] = wins * (n - length)
    marks[23] = sure and left <= 3
    marks[24] = risk * threats
    marks[25] = risk * winners
    marks[26] = count(over)
    marks[27] = wins * left
    marks[28] = risk * likely_run(rest, theirs, known, share)
    marks[29] = risk * (won - tops)
    likely = theirs & ~np.int64(table[AWAY + suit])
    l_tops = sure_tricks(mine, likely)
    l_won, l_lost = led_out(mine, likely)
    l_over = likely & ((1 << rank) - 1)
    l_wins = 1 if not l_over else 0
    l_winners, l_threats = table[L_WINNERS], table[L_THREATS]
    marks[30] = l_wins
    marks[31] = l_tops
    marks[32] = l_won
    marks[33] = l_lost
    marks[34] = l_wins and made + l_winners >= 7
    marks[35] = l_wins and l_winners >= left
    marks[36] = l_wins and l_threats > left - l_winners
    marks[37] = l_wins and l_tops == n
    marks[38] = (1 - l_wins) * l_threats
    marks[39] = (1 - l_wins) * (l_won - l_tops)
    marks[40] = 0 if l_wins else guarded_tricks(mine, likely) - guarded_tricks(rest, likely)
    marks[41] = l_wins * (n - count(likely))
    marks[42] = (l_won - l_tops) * (l_winners - l_tops >= l_lost)
    marks[43] = l_wins * l_won
    marks[44] = sure_tricks(likely, mine)
    marks[45] = guarded_tricks(mine, likely)
    marks[46] = l_wins * n
    marks[47] = rank * l_lost
    marks[48] = (1 - l_wins) * count(l_over)
    marks[49] = l_lost * left
    marks[50] = (1 - l_wins) * sure_tricks(likely, rest)
    marks[51] = (1 - l_wins) * (l_threats + table[LOST] >= 6)
    marks[52] = l_wins * min(max(7 - made - l_winners, 0), 4)
    marks[53] = count(likely) == 0


@jit
def mark_answer(mine, theirs, known, suit, rank, led, table, marks):
    """The rules for following suit; their order is that of ANSWER."""
    share = table[SHARE]
    over = mine & ((1 << led) - 1)
    wins = 1 if rank < led else 0
    rest = mine & ~(1 << rank)
    marks[0] = wins
    marks[1] = wins * table[WINNERS]
    marks[2] = wins * table[THREATS]
    marks[3] = rank
    marks[4] = guarded_tricks(mine, theirs) - guarded_tricks(rest, theirs)
    marks[5] = sure_tricks(mine, theirs) - sure_tricks(rest, theirs)
    marks[6] = wins and rank == LAST[over]
    marks[7] = rank == LAST[mine]
    marks[8] = wins and table[MADE] == 0
    marks[9] = wins * table[LEFT]
    marks[10] = wins and table[MADE] == 6
    marks[11] = wins and table[LOST] == 6
    marks[12] = likely_run(mine, theirs, known, share) - likely_run(rest, theirs, known, share)
    marks[13] = wins * count(rest)
    won, _ = led_out(rest, theirs)
    marks[14] = won
    marks[15] = wins * won
    likely = theirs & ~np.int64(table[AWAY + suit])
    l_winners, l_threats = table[L_WINNERS], table[L_THREATS]
    l_won, l_lost = led_out(rest, likely)
    l_tops = sure_tricks(rest, likely)
    left, made, lost = table[LEFT], table[MADE], table[LOST]
    marks[16] = wins * l_winners
    marks[17] = wins * l_threats
    marks[18] = guarded_tricks(rest, likely)
    marks[19] = l_tops
    marks[20] = sure_tricks(likely, rest)
    marks[21] = l_won
    marks[22] = l_lost
    marks[23] = wins * l_tops
    marks[24] = wins * (l_winners + made >= 6)
    marks[25] = wins * (l_winners >= left - 1)
    marks[26] = (1 - wins) * (l_threats + lost >= 6)
    marks[27] = (1 - wins) * (l_threats >= left - 1)
    marks[28] = (1 - wins) * sure_tricks(likely, rest)
    marks[29] = wins * count(rest)
    marks[30] = wins * lost
    marks[31] = wins * (l_won - l_tops)


@jit
def mark_throw(mine, theirs, known, suit, rank, table, marks):
    """The rules for throwing a card of another suit; their order is that of THROW."""
    share = table[SHARE]
    n = count(mine)
    rest = mine & ~(1 << rank)
    fewer = theirs & ~(1 << LAST[theirs]) if theirs else 0
    length = count(known) + share * count(theirs & ~known)
    over = theirs & ((1 << rank) - 1)
    marks[0] = guarded_tricks(mine, theirs) - guarded_tricks(rest, theirs)
    marks[1] = guarded_tricks(mine, fewer) - guarded_tricks(rest, fewer)
    marks[2] = sure_tricks(mine, theirs) - sure_tricks(rest, theirs)
    won, lost = led_out(mine, theirs)
    after, lost_after = led_out(rest, theirs)
    marks[3] = won - after
    marks[4] = rank
    marks[5] = n
    marks[6] = n == 1
    marks[7] = length
    marks[8] = n - length
    marks[9] = over == 0
    marks[10] = likely_run(mine, theirs, known, share) - likely_run(rest, theirs, known, share)
    marks[11] = theirs == 0
    marks[12] = lost - lost_after
    marks[13] = theirs == 0 and rank == LAST[mine]
    marks[14] = lowest(mine)
    marks[15] = n == 2 and lowest(mine) <= 1
    likely = theirs & ~np.int64(table[AWAY + suit])
    l_won, l_lost = led_out(mine, likely)
    l_after, l_lost_after = led_out(rest, likely)
    marks[16] = guarded_tricks(mine, likely) - guarded_tricks(rest, likely)
    marks[17] = sure_tricks(mine, likely) - sure_tricks(rest, likely)
    marks[18] = l_won - l_after
    marks[19] = l_lost - l_lost_after
    marks[20] = sure_tricks(likely, rest) - sure_tricks(likely, mine)
    marks[21] = likely == 0
    marks[22] = n - count(likely)
    marks[23] = not likely & ((1 << rank) - 1)
    marks[24] = n > count(likely)
    marks[25] = table[LEFT] * marks[16]
    marks[26] = n >= 2 and touching(rank, LAST[rest], likely)
    marks[27] = rank == LAST[mine]
