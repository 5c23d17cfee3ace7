"""Run with NUMBA_DISABLE_JIT=1: plants one engine fault for each kind of case of each game; prints which cases turn red."""

import importlib
import json
from pathlib import Path
from unittest.mock import patch

import pytest
from test_cases import read_cases

from lomber.envs import LomberError

HOUSES = {"rocambole": "ombre", "brelan": "bouillotte"}  # game -> where its rules stand, if not under its own name
FAULTS = {  # game -> kind -> module of the game, function, what stands in its place
    "piquet": {
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
    },
    "ombre": {
        "order": ("trumps", "order_of", lambda *_: ()),
        "trick": ("trumps", "beats", lambda *_: False),
        "legal_play": ("trumps", "playable", lambda hand, *_: hand),
        "outcome": ("settle", "classify", lambda *_: (0, -1)),
        "matadors": ("trumps", "trump_run", lambda *_: 0),
        "antes": ("play", "stake", lambda *_: None),
        "settle": ("settle", "bete_of", lambda *_: 1),
        "split": ("positions", "divide", lambda *_: None),
        "auction": ("auction", "is_senior", lambda *_: False),
        "deal_cards": ("play", "place_of", lambda k, j: 9 * k + j),
        "seat_draw": ("positions", "MANILLES", {}),
        "deal": ("exchange", "draw_cards", lambda *_: None),
        "partie": ("positions", "close_deal", lambda *_: None),
    },
    "rocambole": {
        "antes": ("play", "stake", lambda *_: None),
        "auction": ("auction", "pay", lambda *_: None),
        "deal": ("play", "may_surrender", lambda *_: False),
        "seat_draw": ("positions", "MANILLES", {}),
        "settle": ("settle", "bete_of", lambda *_: 1),
        "split": ("positions", "divide", lambda *_: None),
        "tour": ("settle", "close_tour", lambda *_: False),
    },
    "bouillotte": {
        "category": ("positions", "categorize", lambda *_: (0, 0)),
        "contest": ("showdown", "count_collected", lambda *_: 0),
        "menu": ("betting", "raising_span", lambda *_: (1, 0)),
        "deal": ("settlement", "award", lambda *_: None),
        "session": ("settlement", "prepare_stack", lambda *_: None),
        "ladder": ("positions", "ladder_target", lambda rung, low, *_: low + rung),
        "encode": ("options", "ACTIONS", ()),
        "refused": ("options", "mistigri_of", lambda *_: None),
        "stat": ("positions", "categorize", lambda *_: (0, 0)),
    },
    "brelan": {
        "category": ("positions", "categorize", lambda *_: (0, 0)),
        "contest": ("showdown", "count_collected", lambda *_: 0),
        "menu": ("betting", "opening_span", lambda *_: (1, 0)),
        "deal": ("settlement", "pay_brelans", lambda *_: None),
        "stat": ("positions", "categorize", lambda *_: (0, 0)),
    },
}


def red(runner, cases):
    """The ids of the cases that fail."""
    failed = []
    for case in cases:
        try:
            wrong = runner.differences(case["given"], case["expect"])
        except (AssertionError, LomberError) as error:
            wrong = str(error)
        except pytest.skip.Exception:  # what only compiled code can count
            continue
        if wrong:
            failed.append(case["id"])
    return failed


def main():
    result = {}
    for game, faults in FAULTS.items():
        runner = importlib.import_module(f"cases_{game}")
        cases = read_cases(Path(__file__).parent / "cases" / f"{game}.json")
        for kind in sorted({case["given"]["kind"] for case in cases}):
            of_kind = [case for case in cases if case["given"]["kind"] == kind]
            module, name, fault = faults[kind]
            with patch.object(importlib.import_module(f"lomber.envs.{HOUSES.get(game, game)}.{module}"), name, fault):
                planted = red(runner, of_kind)
            result[f"{game} {kind}"] = {"sound": red(runner, of_kind), "planted": planted}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
