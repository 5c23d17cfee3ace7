"""Self-play of each agent, and the counts of what it chose."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...envs.engine.errors import LomberError, unknown
from ...envs.engine.game import Game
from ...envs.faces.opponents import Agent
from ..evaluate import check_ids, play_out
from . import PLOTS
from .choices import count


def measure(
    kind: str, game: Game, agents: Mapping[str, Agent], ids: int, seed: int, batch: int = 4096
) -> list[dict[str, Any]]:
    """The rows of a plot: of each agent, in all seats, over the episodes 0..ids-1 of `seed`.

    LomberError: there is no such plot, or none of this game; an episode is not one deal; `ids` is no number of episodes.
    """
    if kind not in PLOTS:
        raise unknown("plot", kind, PLOTS)
    if game.name not in PLOTS[kind]:
        raise LomberError(f"there is no plot of the {kind} of {game.name}: there is one for {', '.join(PLOTS[kind])}")
    if game.options.episode != "deal":
        raise LomberError(f"a plot of {kind} counts single deals: --option episode=deal, not {game.options.episode}")
    check_ids(ids)
    rows = []
    for name, agent in agents.items():
        parts = []
        for first in range(0, ids, batch):
            tables, _, _ = play_out(game, [agent] * game.seats, np.arange(first, min(ids, first + batch)), seed)
            parts.append(tables.states.copy())
        for choices in PLOTS[kind][game.name](game, np.concatenate(parts)):
            rows += count(name, choices)
    return rows
