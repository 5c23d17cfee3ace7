"""What a heuristic is sure of in a position written by hand."""

import numpy as np

from lomber.agents.base import Positions
from lomber.agents.heuristic import HeuristicAgent


def ask(game, states):
    """The name of the action that the heuristic is sure of."""
    seat = int(states[0]["seat"])
    positions = Positions(
        np.zeros((1, 1), np.float32), game.legal(states), np.array([seat]), np.zeros(1, np.uint64), game.hide(states, seat)
    )
    probabilities = HeuristicAgent(game).probabilities(positions)[0]
    assert probabilities.max() == 1
    return game.spec.actions[probabilities.argmax()]


def play_on(game, states, *actions):
    for action in actions:
        game.advance(states, [game.action_id(action)], go_on=False)
