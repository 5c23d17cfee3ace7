"""Engine against slow twin over many deals: `python tests/twin_run.py piquet 20000 [first seed]` plays so many a preset.

Episodes of several deals are among them, and where the twin has them beginnings and options drawn at random. It stops at the
first disagreement; a line each ten thousand deals or so tells how far it is.
"""

import importlib
import sys
import time

BATCH = 100


def main(game: str, deals: int, seed: int = 1000) -> None:
    twin = importlib.import_module(f"{game}_twin")
    players = [getattr(twin, name) for name in ("play", "play_given") if hasattr(twin, name)]
    started, played, decisions = time.perf_counter(), 0, 0
    for first in range(0, deals, BATCH):
        player, several = players[first // BATCH % len(players)], first // BATCH % 10 == 9
        for number, preset in enumerate(twin.OWN):
            decisions += player(preset, {}, min(BATCH, deals - first), seed + first)
            played += min(BATCH, deals - first)
            if several and number == first // BATCH // 10 % len(twin.OWN):
                decisions += sum(twin.play(preset, {}, 2, seed + first, episode) for episode in twin.LONG)
            if hasattr(twin, "play_random"):
                decisions += twin.play_random(preset, seed + first + number, 10)
        if several:
            print(f"{played} deals agree, {time.perf_counter() - started:.0f} s", flush=True)
    print(f"{played} deals, {decisions} decisions agree, seeds from {seed}, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
