"""Weights of the rules of play (see play.py, which gives the marks in this order)."""

import numpy as np

TRUMPS_KEPT = 1.4  # how much likelier an unseen trump is in a hand than an unseen plain card

# fmt: off
# by role: the ombre leads, the ombre follows, a defender leads, a defender follows
_WEIGHTS = {
    "wins": (8, 9, 6, 8),
    "wins, by tricks left": (0, 0, 0, 0),
    "wins, and has no fewer than the others": (0, 0, 1, 1),
    "the stronger foe wins | the ombre wins": (-2, -2, -4, -6),
    "wins while below five | the ombre wins, by his tricks": (0, 0, -1, -1),
    "a foe with as many wins | the partner wins, having as many as this seat": (-2, -2, 0, 0),
    "the partner wins, having as many as the ombre": (0, 0, 0, 0),
    "wins, having as many as the ombre": (0, 0, 1, 1),
    "wins before the ombre plays": (0, 0, 0, 0),
    "trump": (0, -3, -2, -2),
    "master trump": (0, -1, -1, -1),
    "trumps below it": (0, -3, -2, -3),
    "trump wins": (0, 0, 0, 0),
    "trump that loses, trumps below it": (-3, -3, -3, -3),
    "trump, share of all": (4, 0, 0, 0),
    "trump, trumps out": (1, 0, 0, 0),
    "last trump": (-2, 0, 0, 0),
    "master": (0, -1, 0, -1),
    "cards below it": (0, -2, 0, -2),
    "loses, cards below it": (-3, -2, -3, -2),
    "makes void": (0, 1, 0, 1),
    "gives up a guard": (-2, -2, -2, -2),
    "length": (0, 0, 0, 0),
    "cards out": (0, 0, 0, 0),
    "master that loses": (-3, -3, -3, -3),
    "rank": (0, -1, 0, -1),
    "master trump led, trumps out": (3, 0, 0, 0),
    "trump led, trumps above": (-1, 0, -1, 0),
    "trump led through the ombre": (0, 0, 0, 0),
    "a foe ruffs | the ombre ruffs": (-2, 0, 1, 0),
    "by trumps held | the partner ruffs": (0, 0, 1, 0),
    "plain led through the ombre": (0, 0, 0, 0),
    "master led through the ombre": (0, 0, 0, 0),
    "cards above": (-1, 0, -1, 0),
}
# fmt: on
CARD_WEIGHTS = np.array(list(_WEIGHTS.values()), np.float64).T.copy()
CARD_WEIGHTS.flags.writeable = False
MARKS = len(_WEIGHTS)

# The ombre's chances as logistic curves: by contract (both cascos once the cards are changed), that he wins; that, where he
# does not, it is codille. See hands.py.
# fmt: off
_CHANCES = {
    "one": ((-5.4, -4.6, -5.4, -5.4, -5.4), (1, 1, 1, 1, 1)),
    "spadille": ((0.9, 0.9, 0.9, 0.9, 0.9), (0, 0, 0, 0, 0)),
    "manille": ((0.9, 0.9, 0.9, 0.9, 0.9), (0, 0, 0, 0, 0)),
    "basto": ((0.9, 0.9, 0.9, 0.9, 0.9), (0, 0, 0, 0, 0)),
    "the three trumps behind": ((0.3, 0.3, 0.3, 0.3, 0.3), (0, 0, 0, 0, 0)),
    "trumps": ((0.8, 0.8, 0.8, 0.8, 0.8), (0, 0, 0, 0, 0)),
    "trumps squared": ((0.0, 0.0, 0.0, 0.0, 0.0), (0, 0, 0, 0, 0)),
    "kings": ((0.5, 0.5, 0.6, 0.6, 0.6), (0, 0, 0, 0, 0)),
    "queens beside their king": ((0.2, 0.2, 0.4, 0.4, 0.4), (0, 0, 0, 0, 0)),
    "other queens with a guard": ((0.0, 0.0, 0.2, 0.2, 0.2), (0, 0, 0, 0, 0)),
    "empty suits": ((0.0, 0.0, 0.0, 0.0, 0.0), (0, 0, 0, 0, 0)),
    "red trumps": ((-0.2, -0.2, -0.2, -0.2, -0.2), (0, 0, 0, 0, 0)),
    "eldest": ((0.1, 0.1, 0.1, 0.1, 0.1), (0, 0, 0, 0, 0)),
    "another has bid": ((-0.2, -0.2, -0.2, -0.2, -0.2), (0, 0, 0, 0, 0)),
}
# fmt: on
CHANCE_WEIGHTS = np.ascontiguousarray(np.array(list(_CHANCES.values()), np.float64).transpose(1, 2, 0))
CHANCE_WEIGHTS.flags.writeable = False
HAND_MARKS = len(_CHANCES)

# (won, codille) of a casco before the cards are changed: lesser with Spadille, lesser with another card, greater.
CASCO_CHANCES = np.array([[0.35, 0.4], [0.3, 0.4], [0.25, 0.45]])
CASCO_CHANCES.flags.writeable = False
