"""Weights of the rules of play (see play.py, which gives the marks in this order)."""

import numpy as np

TRUMPS_KEPT = 1.4  # how much likelier an unseen trump is in a hand than an unseen plain card

# fmt: off
# by role: the ombre leads, the ombre follows, a defender leads, a defender follows
_WEIGHTS = {
    "wins": (7.07, 5.38, 3.29, 3.20),
    "wins, by tricks left": (-9.67, 0.10, 0.77, 1.96),
    "wins, and has no fewer than the others": (-7.91, -0.53, 0.83, 1.15),
    "the stronger foe wins | the ombre wins": (-1.08, -5.52, -2.83, -6.48),
    "wins while below five | the ombre wins, by his tricks": (6.53, 3.91, -3.90, -1.36),
    "a foe with as many wins | the partner wins, having as many as this seat": (-1.95, -4.39, -2.03, 4.03),
    "the partner wins, having as many as the ombre": (0.00, 0.00, -0.29, 2.72),
    "wins, having as many as the ombre": (0.00, 0.00, -2.11, 0.77),
    "wins before the ombre plays": (0.00, 0.00, 0.23, -0.21),
    "trump": (-2.65, -3.65, -2.35, -4.11),
    "master trump": (9.24, -6.49, 5.89, -3.05),
    "trumps below it": (-3.33, -15.34, -4.18, -7.53),
    "trump wins": (1.80, 1.40, 1.96, 2.66),
    "trump that loses, trumps below it": (-0.03, -1.44, 0.27, -6.12),
    "trump, share of all": (1.11, -0.88, 0.14, 0.93),
    "trump, trumps out": (-4.91, 0.46, -5.51, -1.95),
    "last trump": (0.39, 0.70, -0.68, 1.29),
    "master": (-0.17, -1.35, 1.21, -1.16),
    "cards below it": (-0.88, -2.61, -2.75, -2.26),
    "loses, cards below it": (-0.55, -4.19, -0.07, -2.59),
    "makes void": (3.01, -0.35, -2.80, 1.17),
    "gives up a guard": (-1.58, -2.90, 7.09, -0.58),
    "length": (-2.79, 4.06, 4.13, 0.56),
    "cards out": (-0.55, 5.00, -1.52, 3.63),
    "master that loses": (-0.45, -1.08, 2.25, -1.40),
    "rank": (3.75, -3.12, 1.19, -2.03),
    "master trump led, trumps out": (-3.40, 0.00, -4.84, 0.00),
    "trump led, trumps above": (-4.38, 0.00, -2.79, 0.00),
    "trump led through the ombre": (0.00, 0.00, 0.71, 0.00),
    "a foe ruffs | the ombre ruffs": (7.72, 0.00, 3.47, 0.00),
    "by trumps held | the partner ruffs": (1.12, 0.00, 3.13, 0.00),
    "plain led through the ombre": (0.00, 0.00, -0.71, 0.00),
    "master led through the ombre": (0.00, 0.00, 1.89, 0.00),
    "cards above": (0.05, 0.00, 2.45, 0.00),
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
