"""The play of the cards: each card that may be played gets marks by a list of rules, and the best one is played.

The ombre draws trumps while he has the better ones, then runs his winners; the defenders beat him as cheaply as they can, let
the other defender's winners run, and each wants to be the one who has the most. What a rule weighs stands in weights.py.
"""

import numpy as np

from ...envs.engine.cards import bit, count, lowest
from ...envs.engine.jit import inline, jit
from ...envs.engine.state import NONE
from ...envs.ombre import state as st
from ...envs.ombre.auction import talon_used
from ...envs.ombre.knowledge import shows_hand
from ...envs.ombre.trumps import ALL, PLAIN_SUIT, STRENGTH, SUIT_OF, TRUMPS, beats
from ...envs.ombre.worlds import closed_to
from .suits import ABOVE, BELOW, guarded, ruffs, stands, sure_tricks
from .weights import CARD_WEIGHTS, MARKS, TRUMPS_KEPT


@jit
def unseen_by(view, seat):
    """The cards that a seat has neither held nor seen."""
    away = view["hand"][seat] | view["discarded"][seat] | view["played"][0] | view["played"][1] | view["played"][2]
    if view["looked"] == st.YES:
        for position in range(talon_used(view), st.TALON):
            away |= bit(view["talon"][position])
    return ALL & ~away


@jit
def sure_of(rules, view, seat, other):
    """The cards that another seat is known to hold: its hand where that is shown, the turned card of a vuelta."""
    if shows_hand(rules, view, seat, other):
        return view["hand"][other]
    if view["contract"] == st.VUELTA and other == view["ombre"]:
        return bit(view["talon"][0]) & ~view["played"][other]
    return 0


@jit
def possible_for(rules, view, seat, other, unseen):
    """(possible, sure): what another seat may hold, and what it must."""
    sure = sure_of(rules, view, seat, other)
    if shows_hand(rules, view, seat, other):
        return sure, sure
    return unseen & ~closed_to(view, other) & ~sure_of(rules, view, seat, 3 - seat - other) | sure, sure


@jit
def share_of(view, other, possible, sure):
    """The chance that another seat holds a possible card."""
    need = st.HAND - count(view["played"][other]) - count(sure)
    open_cards = count(possible & ~sure)
    return min(need / open_cards, 1.0) if open_cards else 0.0


@jit
def hands_of(rules, view, seat):
    """For the next seat, then the last: what it may hold, what it must, the chance of a plain card, the chance of a trump."""
    unseen = unseen_by(view, seat)
    one, two = (seat + 1) % 3, (seat + 2) % 3
    possible_1, sure_1 = possible_for(rules, view, seat, one, unseen)
    possible_2, sure_2 = possible_for(rules, view, seat, two, unseen)
    p_1, p_2 = share_of(view, one, possible_1, sure_1), share_of(view, two, possible_2, sure_2)
    hand_1 = possible_1, sure_1, p_1, min(p_1 * TRUMPS_KEPT, 1.0)
    hand_2 = possible_2, sure_2, p_2, min(p_2 * TRUMPS_KEPT, 1.0)
    return hand_1, hand_2


@inline
def best_card(rules, view, seat, legal):
    """The card of the set `legal` that the rules judge best; of cards that are as good the lowest id."""
    if not legal & (legal - 1):
        return lowest(legal)
    marks = np.zeros(MARKS, np.float64)
    following, last = hands_of(rules, view, seat)
    role = 2 * (seat != view["ombre"]) + (view["led"] != NONE)
    best, chosen = -1e9, 0
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if is_spare(view["trump"], card, legal, following[0] | last[0]) or is_waste(view, seat, card, legal):
            continue
        mark(view, seat, card, following, last, marks)
        worth = 0.0
        for k in range(MARKS):
            worth += CARD_WEIGHTS[role, k] * marks[k]
        if worth > best:
            best, chosen = worth, card
    return chosen


@inline
def mark(view, seat, card, following, last, marks):
    """Fill in the marks of a card, given what the hands of the next seat and of the last may be."""
    marks[:] = 0
    chances = win_chances(view, seat, card, following, last)
    mark_trick(view, seat, chances, marks)
    mark_card(view["trump"], view["hand"][seat], card, following[0] | last[0], chances[0], marks)
    if view["led"] == NONE:
        mark_lead(view, seat, card, following, last, marks)


@jit
def is_spare(trump, card, legal, theirs):
    """Whether a lower card that may be played is as good: no card of theirs lies between."""
    lower = legal & BELOW[trump, card]
    while lower:
        other = lowest(lower)
        lower &= lower - 1
        if not ABOVE[trump, other] & BELOW[trump, card] & theirs:
            return True
    return False


@jit
def is_waste(view, seat, card, legal):
    """Whether a lower card does the same for the trick: it loses too, or wins too where this seat is the last to play."""
    if view["led"] == NONE:
        return False
    trump, led, best = view["trump"], view["led"], view["best"]
    last = view["leader"] == (seat + 1) % 3
    wins = beats(trump, card, best, led)
    if wins and not last:
        return False
    others = legal & BELOW[trump, card]
    if wins and leaves_it(view, seat):
        others = legal
        wins = False
    while others:
        if beats(trump, lowest(others), best, led) == wins:
            return True
        others &= others - 1
    return False


@jit
def leaves_it(view, seat):
    """Whether the last to play leaves the trick to the other defender, who has as many as he or more."""
    other = 3 - seat - view["ombre"]
    return seat != view["ombre"] and view["winner"] == other and view["tricks"][other] >= view["tricks"][seat]


@jit
def win_chances(view, seat, card, following, last):
    """The chances that the trick goes to this seat, the next one, the last one, if `card` is played."""
    trump, led = view["trump"], view["led"]
    if led == NONE:
        suit = SUIT_OF[trump, card]
        s_1 = stands(trump, card, suit, following)
        s_2 = stands(trump, card, suit, last)
        return s_1 * s_2, (1.0 - s_1) * (1.0 + s_2) / 2.0, (1.0 - s_2) * (1.0 + s_1) / 2.0
    wins = beats(trump, card, view["best"], led)
    if view["leader"] == (seat + 1) % 3:  # the last to play
        if wins:
            return 1.0, 0.0, 0.0
        return (0.0, 1.0, 0.0) if view["winner"] == (seat + 1) % 3 else (0.0, 0.0, 1.0)
    top = card if wins else view["best"]
    stand = stands(trump, top, SUIT_OF[trump, led], following)
    return (stand, 1.0 - stand, 0.0) if wins else (0.0, 1.0 - stand, stand)


@inline
def mark_trick(view, seat, chances, marks):
    """Who gets the trick, and what that means to whom."""
    ombre, tricks = view["ombre"], view["tricks"]
    one, two = (seat + 1) % 3, (seat + 2) % 3
    mine, best = tricks[seat], max(tricks[one], tricks[two])
    left = 9 - view["plays"] // 3
    marks[0] = chances[0]
    marks[1] = chances[0] * left / 9.0
    marks[2] = chances[0] * (mine >= best)
    if seat == ombre:
        marks[3] = chances[1] * (tricks[one] >= tricks[two]) + chances[2] * (tricks[two] >= tricks[one])
        marks[4] = chances[0] * min(max(5.0 - mine, 0.0), 1.0)
        marks[5] = (chances[1] * (tricks[one] >= mine) + chances[2] * (tricks[two] >= mine)) * 1.0
    else:
        his = chances[1] if one == ombre else chances[2]
        partner = chances[2] if one == ombre else chances[1]
        other = 3 - seat - ombre
        marks[3] = his
        marks[4] = his * tricks[ombre] / 4.0
        marks[5] = partner * (tricks[other] >= mine)
        marks[6] = partner * (tricks[other] >= tricks[ombre])
        marks[7] = chances[0] * (mine >= tricks[ombre])
        marks[8] = chances[0] * (one == ombre)
        if view["led"] != NONE and view["winner"] == other:
            marks[35] = chances[0]
            marks[36] = chances[0] * (one != ombre)


@inline
def mark_card(trump, hand, card, theirs, wins, marks):
    """What it costs to give the card away."""
    suit = SUIT_OF[trump, card]
    rest = hand & ~bit(card)
    master = (ABOVE[trump, card] & theirs) == 0
    below = count(BELOW[trump, card] & theirs)
    if suit == 4:
        out = count(TRUMPS[trump] & theirs)
        held = count(TRUMPS[trump] & hand)
        marks[9] = 1.0
        marks[10] = master
        marks[11] = below / 8.0
        marks[12] = wins
        marks[13] = (1.0 - wins) * below / 8.0
        marks[14] = held / (held + out)
        marks[15] = out / 8.0
        marks[16] = held == 1
    else:
        same = PLAIN_SUIT[trump, suit]
        marks[17] = master
        marks[18] = below / 8.0
        marks[19] = (1.0 - wins) * below / 8.0
        marks[20] = (rest & same) == 0 and (rest & TRUMPS[trump]) != 0
        marks[21] = guarded(trump, hand & same, theirs) - guarded(trump, rest & same, theirs)
        marks[22] = count(hand & same) / 4.0
        marks[23] = count(theirs & same) / 8.0
        marks[24] = (1.0 - wins) * master
        marks[25] = STRENGTH[trump, card] / 10.0


@inline
def mark_lead(view, seat, card, following, last, marks):
    """What leading to these two hands may bring."""
    trump, ombre = view["trump"], view["ombre"]
    suit = SUIT_OF[trump, card]
    one = (seat + 1) % 3
    theirs = following[0] | last[0]
    held = count(TRUMPS[trump] & view["hand"][seat])
    if view["tricks"][seat] + sure_tricks(trump, view["hand"][seat], theirs) >= 5:
        out = TRUMPS[trump] & theirs
        marks[34] = (ABOVE[trump, card] & theirs) == 0 and (suit == 4 or not out)
    if suit == 4:
        marks[26] = (ABOVE[trump, card] & theirs == 0) * count(TRUMPS[trump] & theirs) / 8.0
        marks[27] = count(ABOVE[trump, card] & theirs) / 4.0
        marks[28] = one == ombre
        return
    ruff_1 = ruffs(trump, suit, following)
    ruff_2 = ruffs(trump, suit, last)
    if seat == ombre:
        marks[29] = ruff_1 + ruff_2
        marks[30] = held / 5.0
    else:
        marks[29] = ruff_1 if one == ombre else ruff_2
        marks[30] = ruff_2 if one == ombre else ruff_1
        marks[31] = one == ombre
        marks[32] = (one == ombre) * (ABOVE[trump, card] & theirs == 0)
    marks[33] = count(ABOVE[trump, card] & theirs) / 4.0
