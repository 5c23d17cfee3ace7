"""The slow piquet twin (tests/reference/piquet.py): worked cases, random play, statistics, placings."""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference import piquet_rules as rules  # noqa: E402
from reference.piquet import (  # noqa: E402
    CARDS, PRESETS, Deal, Partie, hand_total, legal_exchange, legal_follow, legal_lead, legal_name, make_options,
    muette, running_count,
)

CASES = json.loads((HERE / "cases" / "piquet.json").read_text(encoding="utf-8"))
SEATS = {"elder": 0, "younger": 1}
NAMES = ("elder", "younger")
PLAYERS = ("P1", "P2")


def options_of(given: dict) -> dict:
    overrides = dict(given["options"])
    if given.get("declarations") == "auto":
        overrides["declaration_mode"] = "auto"
    return make_options(given["preset"], overrides)


def hands_deal(given: dict, **kw) -> Deal:
    """Seat 0 is elder in all worked deals."""
    blank = given.get("blank")
    return Deal.from_final_hands(options_of(given), given["elder"], given["younger"], 1,
                                 blank=None if blank is None else SEATS[blank], **kw)


def pair(values) -> dict:
    return {"elder": values[0], "younger": values[1]}


def who(value):
    return NAMES[value] if value in (0, 1) else value


def play_cards(deal: Deal, cards, announced=()) -> None:
    """Plays the given cards in table order, declining every offer but the announcements."""
    for _ in range(60):
        if deal.seat is None:
            return
        if deal.phase == "capot":
            deal.apply("OPEN_CAPOT" if NAMES[deal.seat] in announced else "PASS")
        elif deal.phase in ("name", "look"):
            deal.apply("PASS")
        else:
            done = sum(1 for _, name in deal.history if name.startswith("PLAY"))
            if done >= len(cards):
                return
            deal.apply(f"PLAY:{cards[done]}")
    played = [name.split(":")[1] for _, name in deal.history if name.startswith("PLAY")]
    assert played == list(cards)


def hands_of(deal: Deal) -> dict:
    return pair([hand_total(deal.ledger[s]) for s in (0, 1)])


def run_declare(given):
    deal = hands_deal(given)
    if not deal.reckoned:  # younger declares after the first lead
        play_cards(deal, [sorted(given["elder"])[0]])
    out = {}
    for category in rules.CATEGORIES:
        winner = deal.winners[category]
        score = deal.ledger[winner][category] if winner in (0, 1) else 0
        out[category] = {"winner": who(winner), "score": score}
    bonus = deal.bonus
    return {**out, "hand": hands_of(deal), "repique": NAMES[bonus[0]] if bonus and bonus[1] == "repique" else None}


def bonus_of(deal: Deal):
    return deal.bonus and {"who": NAMES[deal.bonus[0]], "kind": deal.bonus[1]}


def run_deal_score(given):
    deal = hands_deal(given)
    play_cards(deal, given["play"], given["open_capot"])
    assert deal.over
    return {"hand": hands_of(deal), "bonus": bonus_of(deal), "tricks": pair(deal.tricks),
            "play_points": pair([deal.ledger[s]["play"] for s in (0, 1)]),
            "cards": pair([deal.ledger[s]["cards"] for s in (0, 1)]), "total": pair(deal.scores)}


def run_dialogue(given):
    deal = hands_deal(given)
    decisions = []
    for action in given["actions"] + [None]:
        entry = {"seat": NAMES[deal.seat], "phase": deal.phase, "legal": sorted(deal.legal())}
        if action is not None:
            entry["chosen"] = action
            deal.apply(action)
        decisions.append(entry)
    return {"decisions": decisions}


def run_exchange(given):
    options = options_of(given)
    deal = Deal(options, given["dealt_elder"] + given["dealt_younger"] + given["talon"], 1)
    counts = {"elder": sorted(rules.exchange_sizes(options["elder_exchange"], 8))}
    taken = len(given["elder_discards"])
    counts["younger"] = sorted(rules.exchange_sizes(options["younger_exchange"], 8 - taken))
    for name in NAMES:
        while deal.phase == "exchange" and deal.seat == SEATS[name]:
            done = len(deal.marks[deal.seat])
            stop = "PASS" in deal.legal()
            assert stop == (done in counts[name])
            marks = given[f"{name}_discards"]
            deal.apply(f"DISCARD:{marks[done]}" if done < len(marks) else "PASS")
    out = {"left": len(deal._left())}
    for seat, name in enumerate(NAMES):
        out[f"{name}_legal_counts"] = counts[name]
        out[f"{name}_hand"] = sorted(deal.final_hands[seat])
        seen = deal.knows(seat)["talon"]
        out[f"{name}_sees_talon"] = [seen[p] for p in sorted(seen) if p not in deal.drawn[seat]]
    later = out["left"] and options["younger_left_view"] != "private"
    out["offer"] = bool(later)
    return out


def run_legal(given):
    options, phase, hand = options_of(given), given["phase"], given["hand"]
    if phase.startswith("exchange"):
        seat = phase.split("_")[1]
        rest = 8 - given.get("elder_taken", 0)
        legal = legal_exchange(rules.exchange_sizes(options[f"{seat}_exchange"], rest), hand, given["marked"])
    elif phase == "name_suit":
        legal = legal_name(hand)
    elif phase == "lead_first":
        legal = legal_lead(hand, given["named"])
    else:
        legal = legal_follow(hand, given["lead"])
    return {"legal": legal}


def run_korolik(given):
    partie = Partie(options_of(given), refait_carry_in=given["refait_carry_in"])
    for deal in given["deals"]:
        partie.add_scores((deal["P1"], deal["P2"]))
    assert partie.over
    koroliks = [{**k, "winner": None if k["winner"] is None else PLAYERS[k["winner"]]} for k in partie.koroliks]
    return {"koroliks": koroliks, "columns": partie.columns, "records": partie.records,
            "final_bonus": partie.final_bonus, "through_bonus": partie.through_bonus, "totals": partie.totals,
            "net": list(partie.net), "deals_used": partie.deals_used, "refait_carry": partie.refait_carry}


def run_rubicon(given):
    partie = Partie(options_of(given))
    for deal in given["deals"]:
        assert not partie.over and partie.points == (0, 0)
        partie.add_scores((deal["P1"], deal["P2"]))
    assert partie.over
    return {"totals": partie.totals, "deals_used": partie.deals_used, "net": list(partie.net),
            "rubiconed": None if partie.rubiconed is None else PLAYERS[partie.rubiconed]}


def run_cent(given):
    prior = given["prior"]
    deal = hands_deal(given, totals=(prior["elder"], prior["younger"]), in_partie=True)
    cards = given["play"] or [deal.legal()[0].split(":")[1]]  # after_lead: a lead is needed before younger declares
    play_cards(deal, cards)
    partie = Partie(options_of(given))
    partie.totals = [prior["elder"], prior["younger"]]
    partie.finish(deal)
    assert partie.over
    return {"winner": NAMES[partie.winner], "decided_by": partie.decided_by, "totals": pair(partie.totals),
            "game_value": partie.game_value}


def run_replay(given):
    deal = Deal(options_of(given), given["deck"], 1)
    for seat, name in given["actions"]:
        assert NAMES[deal.seat] == seat
        deal.apply(name)
    assert deal.over
    return {"elder_final_hand": sorted(deal.final_hands[0]), "younger_final_hand": sorted(deal.final_hands[1]),
            **{c: who(deal.winners[c]) for c in rules.CATEGORIES}, "hand": hands_of(deal), "bonus": bonus_of(deal),
            "tricks": pair(deal.tricks), "total": pair(deal.scores), "decisions": deal.decisions}


def run_muette(given):
    found = muette(options_of(given), given["elder"], given["younger"], SEATS[given["offender"]], given["offence"],
                   given["play"])
    return {**found, "other": NAMES[found["other"]]}


RUNNERS = {
    "declare": run_declare, "deal_score": run_deal_score, "dialogue": run_dialogue, "exchange": run_exchange,
    "legal": run_legal, "korolik_partie": run_korolik, "rubicon_partie": run_rubicon, "cent_finish": run_cent,
    "replay": run_replay, "muette": run_muette,
    "running_count": lambda given: {
        "spoken": running_count(options_of(given), given["declared"], given["events"])},
}


def canonical(kind: str, expect: dict) -> dict:
    """Order inside a hand or a set of legal actions is irrelevant; the offer is a sentence for people."""
    expect = json.loads(json.dumps(expect))
    for key in list(expect):
        if key.endswith("_hand") or key == "legal":
            expect[key] = sorted(expect[key])
        if key == "offer":
            expect[key] = bool(expect[key])
    for decision in expect.get("decisions", []) if kind == "dialogue" else []:
        decision["legal"] = sorted(decision["legal"])
    return expect


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_worked_case(case):
    kind = case["given"]["kind"]
    assert RUNNERS[kind](case["given"]) == canonical(kind, case["expect"])
