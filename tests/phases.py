"""Decisions in every phase in which a seat of a game ever chooses, from the golden records."""

import importlib

from golden_tool import FOLDER, Deal, read

# Where nobody chooses stands in no list: ombre asks for Spadille by itself, and the ends of deals.
DECIDED = {
    "piquet": "BLANK EXCHANGE POINT POINT_LEN POINT_VAL COUNTER SEQ SEQ_REPLY SEQ_EXTRA SET SET_REPLY SET_EXTRA YPOINT YSEQ "
    "YSET CAPOT LOOK NAME LEAD FOLLOW",
    "ombre": "AUCTION CASCO_AUCTION CASCO_KEEP CASCO_TRUMP NAME_TRUMP DISCARD HANDOVER LOOK PLAY PREMIERS",
    "rocambole": "AUCTION CASCO_AUCTION NAME_TRUMP DISCARD HANDOVER PLAY",
    "bouillotte": "BLIND OPENING BETTING TALON",
    "brelan": "OPENING BETTING",
}
KIN = {"rocambole": "ombre", "brelan": "bouillotte"}  # whose phases they are


def decisions_by_phase(name, each):
    """(game, states (1,)) of the first `each` decisions of every phase of DECIDED, by deals apart where there are as many."""
    phases = importlib.import_module(f"lomber.envs.{KIN.get(name, name)}.state").Phase
    found = {phase: [] for phase in DECIDED[name].split()}
    for file in sorted((FOLDER / name).glob("*.txt")):
        for record in read(file):
            deal, met = Deal(record), set()
            for state in deal.states[:-1]:
                phase = phases(int(state[0]["phase"])).name
                if phase not in met and len(found[phase]) < each and deal.game.legal(state)[0].sum() > 1:
                    found[phase].append((deal.game, state))
                    met.add(phase)
    assert all(found.values()), [phase for phase, states in found.items() if not states]
    return [one for states in found.values() for one in states]
