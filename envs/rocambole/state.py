"""What a seat and a critic see of rocambole: all of ombre, and how far the match is. The state is ombre's."""

import numpy as np

from ..ombre import state as ombre

F = np.float32
OBSERVATION = np.dtype(
    [
        *ombre.OBSERVATION.descr,
        ("part", F),  # number of the part, from 1, / 3
        ("tour", F, (3,)),  # one-hot
        ("deals_in_tour", F),  # finished deals of the tour / 12
        ("cum_tricks", F, (3,)),  # tricks won since tour 1 began, me, next, last, / 27, at most 1
        ("kon", F),  # / 1000, at most 1
    ]
)
REVEAL = np.dtype(
    [
        *ombre.REVEAL.descr,
        ("part", F),  # number of the part, from 1, / 3
        ("tour", F, (3,)),  # one-hot
        ("deals_in_tour", F),  # finished deals of the tour / 12
        ("cum_tricks", F, (3,)),  # tricks won since tour 1 began, by seat, / 27, at most 1
        ("kon", F),  # / 1000, at most 1
    ]
)
