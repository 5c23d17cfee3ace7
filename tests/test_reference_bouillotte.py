"""The slow twin of bouillotte and brelan (tests/reference/bouillotte.py): worked cases, tables, exact counts of section 11."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference import bouillotte_rules as rules  # noqa: E402
from reference.bouillotte import Deal, make_deck, make_options  # noqa: E402
from reference.bouillotte_episode import Episode  # noqa: E402
from reference.bouillotte_showdown import category, contest, pay  # noqa: E402

CASES = [
    case
    for game in ("bouillotte", "brelan")
    for case in json.loads((HERE / "cases" / f"{game}.json").read_text(encoding="utf-8"))
]
PLAYED = [case for case in CASES if case["kind"] != "stat"]  # those stand in test_reference_bouillotte_counts


# ------------------------------------------------------------------ worked cases (section 15)


def options_of(given: dict) -> dict:
    return make_options(given["preset"], given.get("options"))


def act(deal: Deal, actions) -> None:
    for action in actions:
        seat, name = action.split(":")
        assert deal.seat == int(seat), action
        deal.apply(name)


def case_deal(given: dict) -> Deal:
    options, dealer = options_of(given), given["dealer"]
    order = rules.seats_after(options, dealer, range(options["players"]))
    deck = make_deck(options, order, given.get("hands"), given.get("retourne"), given.get("talon", ()))
    deal = Deal(options, deck, dealer, given.get("stacks"), given.get("carried"))
    act(deal, given["actions"])
    return deal


def run_category(given):
    options = options_of(given)
    found = category(options, given["hand"], given["retourne"])
    return {"category": found.name, "pay": pay(options, found, given["retourne"])}


def run_contest(given):
    options = options_of(given)
    order = rules.seats_after(options, given["dealer"], range(options["players"]))
    found = contest(options, order, dict(enumerate(given["hands"])), given["retourne"], given["eligible"])
    return {"winner": found.winner, "totals": found.totals, "numbers": {str(s): n for s, n in found.numbers.items()}}


def run_menu(given):
    deal = case_deal(given)
    return {"to_act": deal.seat, "menu": deal.menu(), "pot": deal.pot, "stakes": deal.stakes, "stacks": deal.stacks}


def run_deal(given):
    deal = case_deal(given)
    assert deal.seat is None
    assert deal.end != "pass_out" or deal.layers == []
    return {
        "end": deal.end,
        "winner": deal.winner,
        "layers": [list(layer) for layer in deal.layers],
        "brelan_payments": [list(entry) for entry in deal.payments],
        "net": deal.net,
        "carried": deal.carried,
    }


def run_session(given):
    options = {**options_of(given), "episode": "session", "session_deals": len(given["deals"])}
    episode = Episode(options, given["dealer"])
    for deal_given in given["deals"]:
        order = rules.seats_after(options, episode.dealer, episode.seats)
        assert {seat for seat, hand in enumerate(deal_given["hands"]) if hand} == set(order)
        deal = episode.new_deal(make_deck(options, order, deal_given["hands"], deal_given["retourne"]))
        act(deal, deal_given["actions"])
        episode.finish(deal)
    assert episode.over and sum(episode.returns()) == 0
    names = ("dealers", "stacks", "bank", "buyins", "carried")
    return {"returns": episode.returns(), "next_dealer": episode.dealer} | {name: getattr(episode, name) for name in names}


def run_ladder(given):
    places = (given["t_min"], given["t_max"], given["pot"], given["need"], given["stack"], given["stake"])
    return {"targets": rules.ladder_targets(*places)}


def run_encode(given):
    size = len(rules.WORDS) + options_of(given)["stake_cap"]
    return {rules.action_name(number): number for number in range(size)}


def run_refused(given):
    with pytest.raises(ValueError):
        options_of(given)
    return {"refused": True}


RUNNERS = {
    "category": run_category,
    "contest": run_contest,
    "menu": run_menu,
    "deal": run_deal,
    "session": run_session,
    "ladder": run_ladder,
    "encode": run_encode,
    "refused": run_refused,
}


@pytest.mark.parametrize("case", PLAYED, ids=[c["id"] for c in PLAYED])
def test_worked_case(case):
    found = RUNNERS[case["kind"]](case["given"])
    for key, value in case["expect"].items():
        assert found[key] == value, key
