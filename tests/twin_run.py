"""Engine against the slow twin over many deals: `python tests/twin_run.py 20000 [first seed]` plays so many a preset.

Every hundredth batch plays parties. It stops at the first disagreement; one line a thousand deals tells how far it is.
"""

import sys
import time

import piquet_twin

from lomber.envs.piquet.options import PRESETS

BATCH = 100


def main(deals: int, seed: int = 1000) -> None:
    started, played = time.perf_counter(), 0
    for first in range(0, deals, BATCH):
        for preset in PRESETS:
            piquet_twin.play(preset, {}, min(BATCH, deals - first), seed + first)
            played += min(BATCH, deals - first)
        if first // BATCH % 10 == 9:
            piquet_twin.play("korolik", {}, 2, seed + first, "partie")
            print(f"{played} deals agree, {time.perf_counter() - started:.0f} s", flush=True)
    print(f"{played} deals agree at every decision, seeds from {seed}, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
