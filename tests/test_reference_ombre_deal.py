"""The slow twin of ombre: every phase of a deal beyond the worked cases."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference import ombre_rules as rules
from reference.ombre import ACTIONS, Deal, make_options
from reference.ombre_samples import (
    HANDS,
    TALON,
    TO_PREMIERS,
    VOLE,
    VOLE_HANDS,
    VOLE_TALON,
    dealt,
    play_on,
    shuffled,
    winners_of,
)


def test_one_round_asks_three_times():
    deal = dealt({"auction": "one_round"}, actions=["SOLO"])
    assert deal.seat == 1 and deal.legal() == ["PASS"]
    deal.apply("PASS")
    assert deal.seat == 2 and deal.legal() == ["PASS"]
    deal.apply("PASS")
    assert deal.phase == "NAME_TRUMP" and deal.seat == 0
    by_itself = Deal(deal.options, deal.deck, 2)
    by_itself.apply("SOLO")
    assert by_itself.history == deal.history and by_itself.decisions == 1 and deal.decisions == 1


def test_casco_keep_is_asked_only_with_a_choice():
    passes = ["PASS"] * 3
    deal = dealt(actions=[*passes, "CASCO_LESSER", "PASS", "PASS"])
    assert deal.phase == "CASCO_TRUMP" and deal.exchanged == [8, None, None]
    assert deal.hands[0] == {"AS", *TALON[:8]} and "AS" not in deal.discards[0]
    deal = dealt({"casco_lesser_keep": "any"}, actions=[*passes, "PASS", "PASS", "CASCO_LESSER"])
    assert deal.phase == "CASCO_KEEP" and deal.legal() == sorted(HANDS[2], key=ACTIONS.index)
    deal.apply("3D")
    assert deal.hands[2] == {"3D", *TALON[:8]} and deal.legal()[-1] == "REFUSE"


def test_casco_exchange_is_not_limited_by_max_exchange():
    deal = dealt({"max_exchange": 8}, actions=["PASS"] * 4 + ["CASCO_GREATER", "PASS", "TRUMP_D"])
    assert deal.exchanged[1] == 9 and deal.phase == "HANDOVER" and deal.seat == 2 and len(deal.talon) == 4


def test_exchange_limits():
    actions = ["ENTRADA", "PASS", "PASS", "TRUMP_H"]
    assert "DONE" in dealt({"min_exchange_ombre": 0}, actions=actions).legal()
    deal = dealt({"max_exchange": 8}, actions=[*actions, *HANDS[0][:8]])
    assert deal.phase == "HANDOVER" and len(deal.talon) == 5
    deal = dealt({"max_exchange": 8}, actions=["SOLO", "PASS", "PASS", "TRUMP_H", "YIELD", *HANDS[2][:8]])
    assert deal.exchanged == [0, None, 8] and deal.seat == 1  # the first defender too
    vuelta = ["VUELTA", "PASS", "PASS"]
    assert "DONE" not in dealt({"min_exchange_ombre": 0}, actions=vuelta).legal()
    deal = dealt(actions=[*vuelta, "KH"])
    assert deal.legal() == ["5C", "6C", "7C", "DONE"] and "AH" not in deal.hands[0]
    deal = dealt(actions=[*vuelta, "7C"])
    assert deal.legal() == ["DONE"] and deal.trump == "H"
    deal.apply("DONE")
    assert "AH" in deal.hands[0] and "7C" not in deal.hands[0]


def test_second_leave_min():
    """4.4: a first defender with a matador need not leave cards; without one he may have no decision at all."""
    start = ["ENTRADA", "PASS", "PASS", "TRUMP_H", *HANDS[0][:8]]
    with_basto = dealt(preset="french", actions=start)
    assert with_basto.seat == 1 and with_basto.first_limit == 0
    for card in HANDS[1][:5]:
        with_basto.apply(card)
    assert with_basto.phase == "PLAY" and with_basto.exchanged == [8, 5, 0] and with_basto.look is None
    yielded = dealt({"handover": True}, preset="french", actions=[*start, "YIELD"])
    assert yielded.seat == 1 and yielded.defenders == [2, 1]  # seat 2 has no matador: no decision
    assert yielded.exchanged == [8, None, 0] and yielded.phase == "DISCARD"
    assert dealt({"second_leave_min": 0}, preset="french", actions=start).first_limit is None
    deal = dealt({"second_leave_min": 14}, actions=["SOLO", "PASS", "PASS", "TRUMP_D", "YIELD"])
    assert deal.seat == 1 and deal.phase == "DISCARD" and deal.history[-1] == (1, "YIELD")


def test_handover_is_asked_with_an_empty_share():
    deal = dealt({"second_leave_min": 5}, actions=["PASS"] * 3 + ["CASCO_GREATER", "PASS", "PASS", "TRUMP_C"])
    assert deal.phase == "HANDOVER" and deal.seat == 1
    deal.apply("YIELD")
    assert deal.phase == "DISCARD" and deal.seat == 1  # seat 2 may take nothing


def test_look():
    """4.4: the seat scheduled second chooses, if cards remain and the exchange was played."""
    solo = ["SOLO", "PASS", "PASS", "TRUMP_S"]
    deal = dealt({"talon_rest": "last_may_show"}, actions=[*solo, "YIELD", "DONE", "DONE"])
    assert deal.phase == "LOOK" and deal.seat == 1
    hidden = [deal.knows(seat)["talon"] for seat in range(3)]
    deal.apply("LOOK")
    assert hidden == [None] * 3 and all(deal.knows(seat)["talon"] == set(TALON) for seat in range(3))
    deal = dealt({"talon_rest": "last_may_show"}, actions=[*solo, "GO_FIRST", "DONE", "DONE", "LEAVE"])
    assert deal.phase == "PLAY" and deal.knows(2)["talon"] is None
    for changes in ({"defenders_exchange": False}, {"solo_defenders_exchange": False}):
        assert dealt({"talon_rest": "last_may_show", **changes}, actions=solo).phase == "PLAY"
    actions = [*solo, "GO_FIRST", *HANDS[1], *HANDS[2][:4]]
    assert dealt({"talon_rest": "last_may_show"}, actions=actions).phase == "PLAY"
    entrada = ["ENTRADA", "PASS", "PASS", "TRUMP_S", "AS", "DONE"]
    assert dealt({"solo_defenders_exchange": False}, actions=entrada).phase == "HANDOVER"


@pytest.mark.parametrize("rule", ["spadille", "casco_then_spadille"])
def test_forced_spadille(rule):
    passes = ["PASS"] * (3 if rule == "spadille" else 6)
    hands = (HANDS[2], HANDS[0], HANDS[1])
    deal = dealt({"all_pass": rule, "bids": ["SOLO"]}, hands=hands, actions=passes)
    assert (deal.phase, deal.seat, deal.contract) == ("NAME_TRUMP", 1, "ENTRADA") and deal.knows(0)["spadille_forced"]
    deal.apply("TRUMP_S")
    assert deal.phase == "DISCARD" and "DONE" not in deal.legal()
    talon = ["AS", *TALON[1:]]
    hands = (["AH", *HANDS[0][1:]], *HANDS[1:])
    deal = dealt({"all_pass": rule}, hands=hands, talon=talon, actions=passes)
    assert (deal.phase, deal.outcome, deal.ombre, deal.pot) == ("END", "PASS_OUT", None, 15)
    assert all("AS" in world[2] for world, _ in zip(deal.worlds(1), range(50)))


@pytest.mark.parametrize("see", [True, False])
def test_vole_failed(see):
    """The deal ends at the first trick of another seat, the game is still won; vole_defenders_see shows both hands."""
    options = {"vole_defenders_see": see}
    deal = dealt(options, **VOLE, actions=TO_PREMIERS)
    assert deal.phase == "PREMIERS" and deal.knows(1)["held"][2] == set()
    stopped = dealt(options, **VOLE, actions=[*TO_PREMIERS, "STOP"])
    assert stopped.outcome == "WIN" and stopped.knows(1)["held"][2] == set()
    deal.apply("VOLE")
    assert deal.phase == "PLAY" and deal.seat == 0
    assert deal.knows(1)["held"] == {0: set(), 2: deal.hands[2] if see else set()}
    assert deal.knows(2)["held"] == {0: set(), 1: deal.hands[1] if see else set()}
    assert deal.knows(0)["held"] == {1: set(), 2: set()}
    for name in ("QH", "7S", "7C", "2D", "KD", "KS"):
        assert deal.vole == "none"
        deal.apply(name)
    assert (deal.phase, deal.outcome, deal.vole, deal.tricks) == ("END", "WIN", "failed", [6, 1, 0])
    assert (deal.run, deal.first_five, deal.delta, deal.pot) == (7, True, [16, -8, -8], 0)  # 6 + 2 * (3 + 7 + 1 - 6)


def test_no_premiers_without_first_five_stop():
    deal = dealt({"first_five_stop": False}, **VOLE, actions=TO_PREMIERS)
    assert deal.phase == "PLAY" and not deal.first_five
    deal = dealt(
        {"first_five_stop": False, "stop_when_decided": True},
        hands=VOLE_HANDS,
        talon=VOLE_TALON,
        actions=TO_PREMIERS,
    )
    assert (deal.phase, deal.outcome, deal.vole, deal.tricks) == ("END", "WIN", "none", [5, 0, 0])


def test_stop_when_decided_waits_for_premiers_and_vole():
    deal = dealt({"stop_when_decided": True}, **VOLE, actions=TO_PREMIERS)
    assert deal.phase == "PREMIERS"
    deal.apply("VOLE")
    play_on(deal, lambda deal: deal.legal()[-1])
    assert sum(deal.tricks) > 5 and deal.vole != "none"


@pytest.mark.parametrize(("tour", "stopped"), [(None, False), (1, False), (2, True), (3, True)])
def test_stop_when_decided_never_in_tour_1(tour, stopped):
    changes = {"first_five_stop": False, "stop_when_decided": True}
    deal = dealt(changes, "rocambole", **VOLE, actions=TO_PREMIERS, tour=tour)
    assert (deal.outcome == "WIN") == stopped


def test_stop_when_decided_changes_no_chips():
    for number in range(60):
        rng = random.Random(number)
        deck, changes = shuffled(rng), {"first_five_stop": number % 2 == 0}
        whole = Deal(make_options("default", changes), deck, number % 3)
        play_on(whole, lambda deal, rng=rng: rng.choice(deal.legal()))
        short = Deal(make_options("default", {**changes, "stop_when_decided": True}), deck, number % 3)
        while short.seat is not None:
            short.apply(whole.history[len(short.history)][1])
        assert short.delta == whole.delta and short.outcome == whole.outcome and short.codille_by == whole.codille_by
        assert short.history == whole.history[: len(short.history)]
        full = sum(whole.tricks) == 9 and whole.vole == "none"
        if full:
            prefix = [sum(1 for w in winners_of(whole)[:n] if w == s) for n in range(10) for s in range(3)]
            first = next(n for n in range(10) if rules.decided(whole.ombre, prefix[3 * n : 3 * n + 3]))
            assert sum(short.tricks) == first


@pytest.mark.parametrize(
    ("preset", "actions", "most"),
    [
        ("rocambole", ["SOLO", "PASS", "PASS", "TRUMP_H", "GO_FIRST", "DONE", "DONE"], 2),
        ("tresillo", ["SOLO", "PASS", "PASS", "TRUMP_H", "GO_FIRST", "DONE", "DONE"], 0),
        ("tresillo", ["ENTRADA", "PASS", "PASS", "TRUMP_H", "2D", "DONE", "GO_FIRST", "DONE", "DONE"], 4),
        ("default", ["SOLO", "PASS", "PASS", "TRUMP_H", "GO_FIRST", "DONE", "DONE"], 0),
    ],
)
def test_surrender_while_tricks_are_few(preset, actions, most):
    deal = dealt(preset=preset, **VOLE, actions=actions)
    while deal.phase == "PLAY":
        may = deal.seat == deal.ombre and sum(deal.tricks) < most
        assert ("SURRENDER" in deal.legal()) == may
        deal.apply(next(n for n in deal.legal() if n in TO_PREMIERS or n == deal.legal()[-1]))
    assert deal.phase in ("PREMIERS", "END")


def test_ledger_by_kind():
    deal = dealt(preset="rocambole", **VOLE, actions=["PASS", "PASS", "ENTRADA"], tour=2)
    assert deal.payments[2]["stake"] == -4 and deal.payments[2]["kon"] == -4 and deal.payments[0]["pass"] == -1
    assert deal.result()["paid_passes"] == [0, 1] and deal.kon == 4 and deal.pot == 6 and deal.delta == [-1, -1, -8]
