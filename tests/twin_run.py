"""Engine against slow twin over many deals: `python tests/twin_run.py piquet 20000 [first seed]` plays so many a preset.

Parties are among them. It stops at the first disagreement; a line each ten thousand deals or so tells how far it is.
"""

import importlib
import sys
import time

BATCH = 100


def main(game: str, deals: int, seed: int = 1000) -> None:
    twin = importlib.import_module(f"{game}_twin")
    started, played = time.perf_counter(), 0
    for first in range(0, deals, BATCH):
        for preset in twin.OWN:
            twin.play(preset, {}, min(BATCH, deals - first), seed + first)
            played += min(BATCH, deals - first)
        if first // BATCH % 10 == 9:
            twin.play(twin.OWN[first // BATCH // 10 % len(twin.OWN)], {}, 2, seed + first, "partie")
            print(f"{played} deals agree, {time.perf_counter() - started:.0f} s", flush=True)
    print(f"{played} deals agree at every decision, seeds from {seed}, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
