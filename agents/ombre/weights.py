"""Weights of the rules of play (see play.py, which gives the marks in this order)."""

import numpy as np

TRUMPS_KEPT = 1.4  # how much likelier an unseen trump is in a hand than an unseen plain card

# fmt: off
# by role: the ombre leads, the ombre follows, a defender leads, a defender follows
_WEIGHTS = {
    "wins": (4.22, 2.68, 0.44, 1.69),
    "wins, by tricks left": (1.01, 4.33, 1.11, 2.50),
    "wins, and has no fewer than the others": (-1.70, -0.07, 0.41, 2.68),
    "the stronger foe wins | the ombre wins": (-2.40, -5.60, -2.10, -6.98),
    "wins while below five | the ombre wins, by his tricks": (2.94, 2.68, -0.53, -3.06),
    "a foe with as many wins | the partner wins, having as many as this seat": (-4.48, -3.36, -0.06, 3.44),
    "the partner wins, having as many as the ombre": (0.00, 0.00, 0.21, 1.55),
    "wins, having as many as the ombre": (0.00, 0.00, 1.21, 0.78),
    "wins before the ombre plays": (0.00, 0.00, -5.66, 3.14),
    "trump": (-1.08, -0.64, 1.19, -0.91),
    "master trump": (-1.70, -7.80, -3.89, -4.17),
    "trumps below it": (-1.44, -13.50, -0.90, -8.33),
    "trump wins": (2.01, 1.55, -0.40, 0.17),
    "trump that loses, trumps below it": (2.12, 3.61, 2.73, -1.68),
    "trump, share of all": (-1.03, -1.12, -0.30, 0.51),
    "trump, trumps out": (-3.96, 5.92, -3.42, -1.43),
    "last trump": (2.73, -1.53, 8.05, -0.25),
    "master": (-0.49, -1.46, -0.31, -0.87),
    "cards below it": (2.34, -2.58, 1.17, 0.15),
    "loses, cards below it": (-0.27, -2.54, 0.30, -0.68),
    "makes void": (0.86, 2.98, 1.45, 1.92),
    "gives up a guard": (-0.10, -0.72, -1.56, -0.63),
    "length": (0.52, -1.18, 2.59, -0.36),
    "cards out": (2.15, -0.62, 0.29, 1.40),
    "master that loses": (-0.78, 0.72, -0.02, -1.22),
    "rank": (1.14, -1.94, -0.11, -0.24),
    "master trump led, trumps out": (-5.78, 0.00, -3.79, 0.00),
    "trump led, trumps above": (-5.04, 0.00, -5.05, 0.00),
    "trump led through the ombre": (0.00, 0.00, 0.37, 0.00),
    "a foe ruffs | the ombre ruffs": (-1.06, 0.00, -2.66, 0.00),
    "by trumps held | the partner ruffs": (2.32, 0.00, 3.62, 0.00),
    "plain led through the ombre": (0.00, 0.00, -0.37, 0.00),
    "master led through the ombre": (0.00, 0.00, 3.80, 0.00),
    "cards above": (-0.29, 0.00, -1.75, 0.00),
    "one of the sure tricks that make five": (99.00, 0.00, 99.00, 0.00),
}
# fmt: on
CARD_WEIGHTS = np.array(list(_WEIGHTS.values()), np.float64).T.copy()
CARD_WEIGHTS.flags.writeable = False
MARKS = len(_WEIGHTS)

# The ombre's chances as logistic curves: by contract (both cascos once the cards are changed), that he wins; that, where he
# does not, it is codille. See hands.py.
# fmt: off
_CHANCES = {
    "one": ((-1.39, -1.31, -9.01, -7.37, -7.45), (1.71, 1.56, 2.57, 2.75, 3.06)),
    "spadille": ((1.11, 1.14, 2.67, 2.36, 1.73), (-0.73, -0.66, -0.83, -0.83, -0.80)),
    "manille": ((0.97, 0.79, 2.21, 1.49, 1.33), (-0.65, -0.47, -0.61, -0.63, -0.60)),
    "basto": ((0.60, 0.63, 1.36, 1.08, 0.91), (-0.39, -0.47, -0.37, -0.39, -0.35)),
    "the three trumps behind": ((0.18, 0.26, 0.52, 0.53, 0.35), (-0.13, -0.16, -0.05, -0.15, -0.14)),
    "trumps": ((-0.354, -0.245, -0.090, 0.072, 0.697), (0.170, -0.001, 0.276, 0.228, -0.117)),
    "trumps squared": ((0.098, 0.111, 0.155, 0.134, 0.054), (-0.050, -0.027, -0.084, -0.095, -0.039)),
    "kings": ((0.28, 0.32, 1.62, 1.37, 1.30), (-0.25, -0.15, -0.41, -0.47, -0.40)),
    "queens beside their king": ((-0.17, -0.17, 0.27, 0.37, 0.44), (0.12, 0.12, -0.04, -0.00, -0.14)),
    "other queens with a guard": ((-0.00, 0.03, 0.42, 0.58, 0.67), (-0.08, 0.02, -0.12, -0.19, -0.21)),
    "empty suits": ((-0.06, -0.01, 0.94, 0.40, 0.57), (0.01, -0.10, -0.31, -0.23, -0.24)),
    "red trumps": ((-0.09, -0.25, -0.35, -0.31, -0.33), (0.01, 0.12, 0.09, 0.20, 0.06)),
    "eldest": ((-0.12, -0.21, -0.11, 0.00, -0.05), (0.09, -0.02, 0.08, -0.01, 0.03)),
    "another has bid": ((0.00, -0.24, -0.13, 0.00, 0.00), (0.00, 0.09, -0.01, 0.00, 0.00)),
}
# fmt: on
CHANCE_WEIGHTS = np.ascontiguousarray(np.array(list(_CHANCES.values()), np.float64).transpose(1, 2, 0))
CHANCE_WEIGHTS.flags.writeable = False
HAND_MARKS = len(_CHANCES)

# (won, codille) of a casco before the cards are changed: lesser with Spadille, lesser with another card, greater.
CASCO_CHANCES = np.array([[0.45, 0.28], [0.34, 0.35], [0.22, 0.4]])
CASCO_CHANCES.flags.writeable = False

# What it is worth to pass, as a share of the pot: of any hand, more with Spadille, with Basto, for each king.
PASS_WORTH = (0.14, 0.23, 0.18, 0.05)
