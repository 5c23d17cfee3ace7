"""Run with NUMBA_DISABLE_JIT=1: plants one engine fault for each kind of case of piquet; prints which cases turn red."""

import importlib
import json
from pathlib import Path
from unittest.mock import patch

import cases_piquet

from lomber.envs import LomberError

FAULTS = {  # kind -> module of lomber.envs.piquet, function, what stands in its place
    "declare": ("items", "credit_class", lambda *_: None),
    "deal_score": ("play", "credit_cards", lambda *_: None),
    "dialogue": ("legal", "seq_word", lambda *_: 0),
    "exchange": ("legal", "exchange_sizes", lambda *_: (True, 1, 5)),
    "legal": ("legal", "follow", lambda hand, *_: hand),
    "running_count": ("scoring", "credit_lead", lambda *_: None),
    "korolik_partie": ("scoring", "round10", lambda x: x),
    "rubicon_partie": ("scoring", "settle_rubicon", lambda *_: False),
    "cent_finish": ("play", "reckon_hands", lambda *_: -1),
    "replay": ("play", "credit_trick", lambda *_: None),
    "muette": ("scoring", "run_cards", lambda *_: 0),
}


def red(cases):
    """The ids of the cases that fail."""
    failed = []
    for case in cases:
        try:
            wrong = cases_piquet.differences(case["given"], case["expect"])
        except (AssertionError, LomberError) as error:
            wrong = str(error)
        if wrong:
            failed.append(case["id"])
    return failed


def main():
    cases = json.loads((Path(__file__).parent / "cases" / "piquet.json").read_text(encoding="utf-8"))
    result = {}
    for kind in cases_piquet.KINDS:
        of_kind = [case for case in cases if case["given"]["kind"] == kind]
        module, name, fault = FAULTS[kind]
        with patch.object(importlib.import_module(f"lomber.envs.piquet.{module}"), name, fault):
            planted = red(of_kind)
        result[kind] = {"sound": red(of_kind), "planted": planted}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
