"""Fitted numbers: what the rules of play weigh (see play.py, which gives the marks in this order) and what a bid is worth.

The play: softmax over the cards that may be played, by what each of some 300,000 decisions came to when every card was played
out by these same rules in the deal as it lay, three times in turn; a defender counts half his own chips and half what
the ombre loses. The weights go together: a rule may take back what another gives. The chances: logistic regression over
120,000 deals of self-play of the preset `default` in which one seat was made to bid, or to pass.
"""

import numpy as np

TRUMPS_KEPT = 1.4  # how much likelier an unseen trump is in a hand than an unseen plain card

# fmt: off
# by role: the ombre leads, the ombre follows, a defender leads, a defender follows
_WEIGHTS = {
    "wins": (3.70, 3.10, 0.38, 1.58),
    "wins, by tricks left": (-0.29, 3.03, 0.37, 2.35),
    "wins, and has no fewer than the others": (-2.49, -1.39, 1.05, 1.67),
    "the stronger foe wins | the ombre wins": (-0.61, -5.43, -1.82, -6.74),
    "wins while below five | the ombre wins, by his tricks": (3.70, 3.10, -0.23, -2.93),
    "a foe with as many wins | the partner wins, having as many as this seat": (-4.38, -4.27, 1.79, 4.20),
    "the partner wins, having as many as the ombre": (0.00, 0.00, 0.55, 2.09),
    "wins, having as many as the ombre": (0.00, 0.00, 0.71, 0.56),
    "wins before the ombre plays": (0.00, 0.00, -0.22, 2.08),
    "trump": (2.18, 0.53, 2.12, -0.93),
    "master trump": (-3.86, -9.34, -4.80, -4.02),
    "trumps below it": (-2.56, -13.72, -0.51, -7.49),
    "trump wins": (3.55, 2.46, -1.35, 0.58),
    "trump that loses, trumps below it": (2.46, 2.08, 2.86, -1.28),
    "trump, share of all": (1.54, 0.44, 1.00, 0.03),
    "trump, trumps out": (-4.77, 2.43, -2.78, -0.36),
    "last trump": (0.84, -0.80, 6.04, 0.11),
    "master": (0.21, 0.05, 0.44, -0.23),
    "cards below it": (1.57, -2.77, 1.74, -0.60),
    "loses, cards below it": (1.72, -3.10, 0.16, -1.27),
    "makes void": (1.84, 3.75, 1.98, 2.10),
    "gives up a guard": (-4.21, -0.53, 1.29, -1.35),
    "length": (-1.71, -2.07, 0.75, -0.30),
    "cards out": (2.10, 0.66, 1.67, 1.55),
    "master that loses": (0.05, -1.29, -1.50, -1.27),
    "rank": (1.75, -1.83, -0.41, -1.47),
    "master trump led, trumps out": (-6.74, 0.00, -3.29, 0.00),
    "trump led, trumps above": (-4.45, 0.00, -4.53, 0.00),
    "trump led through the ombre": (0.00, 0.00, 0.12, 0.00),
    "a foe ruffs | the ombre ruffs": (-5.82, 0.00, -5.42, 0.00),
    "by trumps held | the partner ruffs": (2.08, 0.00, 4.56, 0.00),
    "plain led through the ombre": (0.00, 0.00, -0.12, 0.00),
    "master led through the ombre": (0.00, 0.00, 5.76, 0.00),
    "cards above": (1.05, 0.00, -0.14, 0.00),
    "one of the sure tricks that make five": (99.00, 0.00, 99.00, 0.00),
    "overtakes the partner": (0.00, 0.00, 0.00, -0.17),
    "overtakes the partner, the ombre having played": (0.00, 0.00, 0.00, -1.64),
}
# fmt: on
CARD_WEIGHTS = np.array(list(_WEIGHTS.values()), np.float64).T.copy()
CARD_WEIGHTS.flags.writeable = False
MARKS = len(_WEIGHTS)

# The ombre's chances as logistic curves: by contract (both cascos once the cards are changed), that he wins; that, where he
# does not, it is codille. See hands.py.
# fmt: off
_CHANCES = {
    "one": ((-1.73, -1.44, -9.13, -7.21, -7.44), (1.73, 1.43, 2.33, 2.28, 2.70)),
    "spadille": ((1.17, 1.07, 2.64, 2.27, 1.74), (-0.59, -0.55, -0.67, -0.81, -0.55)),
    "manille": ((0.93, 0.83, 2.15, 1.64, 1.44), (-0.48, -0.36, -0.47, -0.70, -0.52)),
    "basto": ((0.76, 0.73, 1.54, 1.04, 1.10), (-0.50, -0.46, -0.39, -0.49, -0.31)),
    "the three trumps behind": ((0.28, 0.25, 0.61, 0.48, 0.38), (-0.12, -0.12, -0.14, -0.13, -0.18)),
    "trumps": ((-0.268, -0.181, -0.235, -0.005, 0.484), (0.148, 0.192, 0.346, 0.607, 0.022)),
    "trumps squared": ((0.084, 0.103, 0.185, 0.146, 0.093), (-0.049, -0.071, -0.090, -0.151, -0.047)),
    "kings": ((0.25, 0.24, 1.64, 1.30, 1.24), (-0.17, -0.11, -0.31, -0.45, -0.36)),
    "queens beside their king": ((-0.17, -0.23, 0.40, 0.15, 0.55), (0.15, -0.05, -0.03, 0.01, -0.10)),
    "other queens with a guard": ((0.05, -0.00, 0.49, 0.67, 0.69), (-0.09, 0.05, -0.14, -0.16, -0.21)),
    "empty suits": ((-0.03, 0.02, 0.81, 0.44, 0.38), (0.03, -0.08, -0.21, -0.20, -0.17)),
    "red trumps": ((-0.07, -0.20, -0.35, -0.37, -0.32), (0.03, 0.13, 0.05, 0.17, 0.03)),
    "eldest": ((-0.10, -0.11, -0.06, 0.04, -0.06), (-0.07, 0.00, 0.09, -0.05, 0.01)),
    "another has bid": ((0.00, -0.22, -0.04, 0.00, 0.00), (0.00, 0.03, 0.06, 0.00, 0.00)),
}
# fmt: on
CHANCE_WEIGHTS = np.ascontiguousarray(np.array(list(_CHANCES.values()), np.float64).transpose(1, 2, 0))
CHANCE_WEIGHTS.flags.writeable = False

# (won, codille) of a casco before the cards are changed: lesser with Spadille, lesser with another card, greater.
CASCO_CHANCES = np.array([[0.42, 0.3], [0.3, 0.4], [0.19, 0.45]])
CASCO_CHANCES.flags.writeable = False

# What it is worth to pass, as a share of the pot: of any hand, more with Spadille, with Basto, for each king.
PASS_WORTH = (0.14, 0.23, 0.18, 0.05)
