"""What every state record begins with, and the values that fields share."""

import numpy as np

RUNNING, DEAL_ENDED, OVER = range(3)  # stage: a decision is open; a deal ended and the episode goes on; the episode is over
NONE, UNKNOWN = -1, -2  # there is none; there is one, not known

HEADER = (
    ("key", np.uint64),  # of the episode: hash of seed and episode id
    ("lot", np.uint64),  # what is drawn by lot in this deal
    ("deal", np.int64),  # number of the deal in its episode, from 0
    ("stage", np.int64),  # RUNNING, DEAL_ENDED or OVER
    ("seat", np.int64),  # to act, or NONE
)
