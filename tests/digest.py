"""The bytes of some episodes as a hash, to compare runs in other processes: digest.py game episode ids..."""

import hashlib
import random
import sys

import numpy as np

import lomber.envs
from lomber.envs.engine import records


def digest(name, preset, episode, ids):
    """A hash of all states, observations, masks, rewards, views, worlds and records of these episodes."""
    game = lomber.envs.make_game(name, preset, episode=episode)
    tables = lomber.envs.Tables(game, len(ids), seed=9, autoreset=False)
    tables.reset(ids=ids)
    total, number, rng = hashlib.sha256(), 0, random.Random(0)
    while (rows := np.flatnonzero(tables.seat >= 0)).size:
        for part in (tables.states, tables.observation, tables.action_mask, tables.reward, tables.final):
            total.update(part.tobytes())
        seats = tables.seat[rows].copy()
        worlds = game.redeal(tables.views(rows), seats, rows.astype(np.uint64) + np.uint64(number))
        assert game.consistent(tables.views(rows), worlds, seats).all()
        total.update(worlds.tobytes() + game.reveal(worlds).tobytes())
        tables.step([rng.choice(np.flatnonzero(tables.action_mask[row]).tolist()) for row in rows], rows)
        number += 1
    for row in range(len(ids)):
        total.update(str(records.record_of(game, tables.final[row])).encode())
    return total.hexdigest()


if __name__ == "__main__":
    from conftest import TOYS

    lomber.envs.GAMES.update(TOYS)
    print(digest(*sys.argv[1:4], [int(i) for i in sys.argv[4:]]))
