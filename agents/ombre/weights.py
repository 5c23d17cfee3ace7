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
    "one": ((-1.53, -1.50, -10.13, -7.36, -8.11), (1.79, 1.49, 2.93, 3.74, 3.20)),
    "spadille": ((0.96, 0.99, 2.39, 2.09, 1.66), (-0.61, -0.47, -0.85, -1.21, -0.74)),
    "manille": ((0.84, 0.87, 1.91, 1.50, 1.33), (-0.41, -0.52, -0.70, -0.75, -0.61)),
    "basto": ((0.67, 0.59, 1.30, 0.99, 0.87), (-0.33, -0.39, -0.46, -0.71, -0.32)),
    "the three trumps behind": ((0.21, 0.23, 0.39, 0.38, 0.31), (-0.19, -0.10, -0.15, -0.25, -0.14)),
    "trumps": ((-0.272, -0.071, 0.650, -0.006, 0.796), (0.106, 0.052, 0.294, 0.163, 0.120)),
    "trumps squared": ((0.095, 0.093, 0.089, 0.169, 0.070), (-0.044, -0.058, -0.095, -0.100, -0.096)),
    "kings": ((0.21, 0.22, 1.40, 1.28, 1.25), (-0.22, -0.12, -0.40, -0.48, -0.43)),
    "queens beside their king": ((-0.08, -0.11, 0.24, 0.24, 0.43), (0.11, 0.08, -0.06, -0.09, -0.21)),
    "other queens with a guard": ((0.03, 0.03, 0.53, 0.70, 0.74), (-0.02, 0.07, -0.23, -0.20, -0.24)),
    "empty suits": ((0.05, -0.04, 0.61, 0.43, 0.44), (-0.11, 0.04, -0.28, -0.20, -0.24)),
    "red trumps": ((-0.13, -0.23, -0.28, -0.33, -0.32), (-0.05, 0.12, 0.08, 0.13, 0.11)),
    "eldest": ((-0.06, -0.12, -0.08, -0.02, -0.10), (0.05, 0.04, -0.03, 0.04, 0.01)),
    "another has bid": ((0.00, -0.05, -0.05, 0.00, 0.00), (0.00, 0.04, -0.12, 0.00, 0.00)),
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
