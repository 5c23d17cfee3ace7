"""The worked cases of the specs. `LOMBER_CASES=<folder>` runs another folder of files, each named after its game."""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lomber.envs import GAMES

FOLDER = Path(os.environ.get("LOMBER_CASES") or Path(__file__).parent / "cases")


def read_cases(file):
    """The cases of a file; where the kind stands beside what is given, put into it."""
    cases = json.loads(file.read_text(encoding="utf-8"))
    return [{**case, "given": {"kind": case.get("kind"), **case["given"]}} for case in cases]


def load_cases():
    for file in sorted(FOLDER.glob("*.json")):
        game = file.stem
        if game not in GAMES or importlib.util.find_spec(f"cases_{game}") is None:
            reason = f"the game {game} is not built yet: its cases did not run"
            yield pytest.param(game, None, id=game, marks=pytest.mark.skip(reason=reason))
            continue
        for case in read_cases(file):
            yield pytest.param(game, case, id=f"{game}-{case['id']}")


@pytest.mark.parametrize(("game", "case"), list(load_cases()))
def test_case(game, case):
    runner = importlib.import_module(f"cases_{game}")
    assert runner.differences(case["given"], case["expect"]) == {}, case["why"]


def test_the_folder_has_cases():
    assert list(FOLDER.glob("*.json")), f"no case files in {FOLDER}"


def test_a_fault_in_the_engine_turns_a_case_of_every_kind_red():
    script = Path(__file__).with_name("case_faults.py")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=True)
    for kind, result in json.loads(ran.stdout).items():
        assert result["sound"] == [] and result["planted"], kind
