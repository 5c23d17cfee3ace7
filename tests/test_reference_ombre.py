"""The slow twins of ombre and rocambole (tests/reference/ombre.py, rocambole.py): worked cases, exact counts, random play."""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference import ombre_rules as rules  # noqa: E402
from reference.ombre import ACTIONS, CARDS, PRESETS, Deal, Partie, divide, make_deck, make_options  # noqa: E402
from reference.ombre_samples import ROCAMBOLE  # noqa: E402
from reference.ombre_settle import Table, premium_of_run  # noqa: E402
from reference.rocambole import Full  # noqa: E402

CASES = [
    {**case, "given": {"preset": preset, **case["given"]}}
    for game, preset in (("ombre", "default"), ("rocambole", "rocambole"))
    for case in json.loads((HERE / "cases" / f"{game}.json").read_text(encoding="utf-8"))
]


# ------------------------------------------------------------------ worked cases


def options_of(given: dict) -> dict:
    return make_options(given["preset"], {**given.get("options", {}), **given.get("match_options", {})})


def run_order(given):
    trump, suit = given["trump"], given["suit"]
    return {"order": rules.trump_order(trump) if suit == "trump" else rules.plain_order(suit)}


def run_outcome(given):
    outcome, codille_by = rules.outcome_of(given["ombre"], given["tricks"])
    return {"outcome": outcome, "codille_by": codille_by}


def run_matadors(given):
    run = rules.matador_run(given["trump"], given["hand"])
    return {"run": run, "premium": premium_of_run(options_of(given), run)}


def run_antes(given):
    table = Table(options_of(given), given["pot"], given.get("queue", ()))
    table.stakes(given["dealer"])
    return {"delta": table.delta, "pot": table.pot, "queue": table.queue}


def run_settle(given):
    table = Table(options_of(given), given["pot"])
    table.settle_result(given)
    assert table.queue == table.queue_add
    return {"delta": table.delta, "pot": table.pot, "queue_add": table.queue_add}


def run_auction(given):
    casco = given.get("phase") == "casco"
    auction = rules.Auction(options_of(given), given["dealer"], casco, given.get("black_ace_holders", ()))
    for call in given["calls"]:
        auction.call(call)
    out = {"ended": auction.seat is None, "seat": auction.seat, "legal": auction.legal(), "paid": auction.paid}
    return {**out, "ombre": auction.holder, "contract": auction.contract}


def run_deal_cards(given):
    hands, talon = rules.deal_cards(given["deck"], given["dealer"])
    assert make_deck(hands, talon, given["dealer"]) == given["deck"]
    return {"hands": hands, "talon": talon}


def run_seat_draw(given):
    seats, dealer = rules.seats_of_draw(given["draw"])
    return {"seat_of": seats, "first_dealer_seat": dealer, "eldest_seat": Deal(options_of(given), list(CARDS), dealer).eldest}


def run_refused(given):
    with pytest.raises(ValueError):
        options_of(given)
    return {"refused": True}


def case_deal(given, auto: bool) -> Deal:
    deck = make_deck(given["hands"], given["talon"], given["dealer"])
    return Deal(options_of(given), deck, given["dealer"], given.get("pot", 0), given.get("queue", ()), auto=auto)


def state_of(deal: Deal) -> dict:
    out = {
        "phase": deal.phase,
        "seat": deal.seat,
        "legal": deal.legal(),
        "hands": [sorted(hand) for hand in deal.hands],
        "talon_left": deal.talon,
        "trump": deal.trump,
        "tricks": deal.tricks,
        "delta": deal.delta,
        "pot": deal.pot,
        "queue": deal.queue,
    }
    return out | deal.result()


def run_deal(given):
    deal = case_deal(given, auto=False)
    for name in given["actions"]:
        deal.apply(name)
    by_itself = case_deal(given, auto=True)  # plays the forced moves of the list
    while len(by_itself.history) < len(given["actions"]):
        by_itself.apply(given["actions"][len(by_itself.history)])
    assert [name for _, name in by_itself.history][: len(given["actions"])] == given["actions"]
    assert by_itself.decisions == deal.decisions <= len(deal.history)
    return state_of(deal)


def run_partie(given):
    partie = Partie(options_of(given), given["first_dealer"], len(given["deals"]))
    for result in given["deals"]:
        assert not partie.over
        partie.add_result(result)
    assert partie.over and partie.totals == [sum(r[s] for r in partie.rewards) for s in range(3)]
    return {"totals": partie.totals, "pot": partie.pot}


def run_tour(given):
    start = dict(given["start"])
    match = Full(options_of(given), start.pop("dealer", 0), **start)
    for result in given["deals"]:
        assert not match.over
        match.add_result(result)
    names = ("totals", "pot", "kon", "part", "tour", "deals_in_tour", "cum_tricks", "dealer")
    return {"ended": match.over, **{name: getattr(match, name) for name in names}}


RUNNERS = {
    "order": run_order,
    "trick": lambda given: {"winner": rules.trick_winner(given["trump"], given["leader"], given["cards"])},
    "legal_play": lambda given: {"legal": rules.legal_play(given["trump"], given["hand"], given["trick"])},
    "outcome": run_outcome,
    "matadors": run_matadors,
    "antes": run_antes,
    "settle": run_settle,
    "split": lambda given: {"totals": divide(given["totals"], given["pot"] + sum(given.get("queue", ())))},
    "auction": run_auction,
    "deal_cards": run_deal_cards,
    "seat_draw": run_seat_draw,
    "refused": run_refused,
    "deal": run_deal,
    "partie": run_partie,
    "tour": run_tour,
}


def canonical(key: str, value):
    """Legal actions, hands and queues are unordered."""
    if key in ("legal", "queue", "queue_add"):
        return sorted(value)
    return [sorted(hand) for hand in value] if key == "hands" else value


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_worked_case(case):
    found = RUNNERS[case["given"]["kind"]](case["given"])
    for key, value in case["expect"].items():
        assert canonical(key, found[key]) == canonical(key, value), key


# ------------------------------------------------------------------ tables


def test_actions_and_cards():
    """Sections 2 and 4.6."""
    assert len(ACTIONS) == len(set(ACTIONS)) == 59 and len(CARDS) == 40
    places = {"AS": 0, "AC": 30, "KC": 39, "PASS": 40, "SOLO": 43, "CASCO_GREATER": 45, "TRUMP_S": 46, "TRUMP_C": 49}
    places |= {"REFUSE": 50, "DONE": 51, "GO_FIRST": 52, "YIELD": 53, "STOP": 54, "SURRENDER": 56, "LOOK": 57, "LEAVE": 58}
    assert {name: ACTIONS.index(name) for name in places} == places


def test_orders():
    """Every card stands once among trumps and plain suits; numbers of section 2."""
    for trump, number in zip("SHDC", (11, 12, 12, 11)):
        plain = [card for suit in "SHDC" if suit != trump for card in rules.plain_order(suit)]
        assert sorted(rules.trump_order(trump) + plain) == sorted(CARDS)
        assert len(rules.trump_order(trump)) == number == sum(rules.is_trump(c, trump) for c in CARDS)
        assert rules.trump_order(trump)[:3] == rules.matadors(trump)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("default", {"bete_rule": "fixed"}),
        ("default", {"no_such": 12}),
        ("default", {"parts": 1}),
        ("default", {"auction": "loud"}),
        ("default", {"max_exchange": 7}),
        ("default", {"handover": 1}),
        ("default", {"min_exchange_ombre": True}),
        ("default", {"ante": -1}),
        ("default", {"bete_fixed": -1, "bete_rule": "fixed"}),
        ("default", {"bids": []}),
        ("default", {"bids": ["ENTRADA", "CASCO_LESSER"]}),
        ("default", {"prem": {"GRAND": 3}}),
        ("default", {"partie_deals": 10}),
        ("default", {"partie_deals": 0}),
        ("rocambole", {"parts": 0}),
        ("rocambole", {"kon_rule": "all"}),
    ],
)
def test_refused_options(preset, changes):
    with pytest.raises(ValueError):
        make_options(preset, changes)


def test_options_over_presets():
    assert make_options("tresillo", {"prem": {"SOLO": 5}})["prem"] == {**PRESETS["tresillo"]["prem"], "SOLO": 5}
    assert make_options("default", {"bids": ["SOLO", "ENTRADA"]})["bids"] == ("ENTRADA", "SOLO")
    assert make_options("default", {"bete_rule": "fixed", "bete_fixed": 0})["bete_fixed"] == 0
    assert set(PRESETS) == {"default", "seed_000", "french", "espadille_force", "tresillo", *ROCAMBOLE} and len(ROCAMBOLE) == 2
    for preset, options in PRESETS.items():
        assert make_options(preset) == options


# ------------------------------------------------------------------ exact counts (section 11)


def auctions(options: dict, casco: bool = False, calls=(), chance=Fraction(1)):
    """(calls, auction, chance under uniform random legal calls) of every sequence of calls."""
    auction = rules.Auction(options, 2, casco)
    for call in calls:
        auction.call(call)
    if auction.seat is None:
        yield calls, auction, chance
        return
    legal = auction.legal()
    for name in legal:
        yield from auctions(options, casco, (*calls, name), chance / len(legal))


@pytest.mark.parametrize(
    ("preset", "changes", "casco", "number", "longest"),
    [
        ("default", {}, False, 40, 7),
        ("french", {}, False, 13, 5),
        ("default", {}, True, 13, 5),
        ("default", {"auction": "one_round"}, False, 20, 3),
        ("french", {"auction": "one_round"}, False, 10, 3),
        ("default", {"auction": "one_round"}, True, 10, 3),
    ],
)
def test_number_of_auctions(preset, changes, casco, number, longest):
    found = list(auctions(make_options(preset, changes), casco))
    assert len(found) == number and max(len(calls) for calls, _, _ in found) == longest
    assert sum(chance for _, _, chance in found) == 1


def test_chances_of_random_auctions():
    contracts, solo, length = Counter(), Counter(), Fraction(0)
    for calls, auction, chance in auctions(make_options()):
        contracts[auction.contract] += chance
        solo[auction.holder if auction.contract == "SOLO" else None] += chance
        length += chance * len(calls)
    expected = {None: Fraction(1, 64), "ENTRADA": Fraction(37, 576), "VUELTA": Fraction(89, 576), "SOLO": Fraction(49, 64)}
    assert contracts == expected and length == Fraction(3295, 864)
    assert [solo[seat] for seat in range(3)] == [Fraction(97, 216), Fraction(31, 144), Fraction(175, 1728)]


def triples():
    return [(a, b, 9 - a - b) for a in range(10) for b in range(10 - a)]


def test_trick_triples():
    found = Counter(rules.outcome_of(0, t) for t in triples())
    assert found == {("WIN", None): 17, ("CODILLE", 1): 17, ("CODILLE", 2): 17, ("REMISE", None): 4}
    assert {t for t in triples() if rules.outcome_of(0, t)[0] == "REMISE"} == {(4, 4, 1), (4, 1, 4), (1, 4, 4), (3, 3, 3)}
    for t in triples():  # section 1: four tricks at least, more than each opponent
        assert (rules.outcome_of(1, t)[0] == "WIN") == (t[1] >= 5 or (t[1] == 4 and max(t[0], t[2]) == 3))


def test_decided():
    """stop_when_decided: nothing is decided in four tricks but five for one seat; then what the whole deal would give."""
    for total in range(10):
        for a, b, c in [t for t in itertools.product(range(total + 1), repeat=3) if sum(t) == total]:
            found = rules.decided(0, (a, b, c))
            top, second = sorted((a, b, c))[:0:-1]
            assert (found is not None) == (total == 9 or top > second + 9 - total), (a, b, c)
            assert found in (None, rules.outcome_of(0, (a, b, c)))


def share_of_hands(good: int, least: int = 0, most: int = 9) -> Fraction:
    """P(least..most of `good` cards in a hand of nine)."""
    ways = sum(math.comb(good, n) * math.comb(40 - good, 9 - n) for n in range(least, most + 1))
    return Fraction(ways, math.comb(40, 9))


def test_counts_of_deals_and_hands():
    """Section 11, from the cards of the twin."""
    hands, talon = rules.deal_cards(CARDS, 0)
    sizes = [len(hand) for hand in hands] + [len(talon)]
    ordered = math.factorial(40) // math.prod(math.factorial(n) for n in sizes[:3])
    assert ordered == 17074813528951771641624576000000
    assert ordered // math.factorial(sizes[3]) == 2742051789669912720000
    assert Fraction(len(talon), len(CARDS)) == Fraction(13, 40)  # Spadille in the talon
    aces = len(rules.BLACK_ACES)
    assert share_of_hands(aces, 1, 2) == Fraction(21, 52) and share_of_hands(aces, 2, 2) == Fraction(3, 65)
    for trump in "SHDC":
        three = len(rules.matadors(trump))
        assert Fraction(math.comb(40 - three, 9 - three), math.comb(40, 9)) == Fraction(21, 2470)
    manilles = {rules.matadors(trump)[1] for trump in "SHDC"}
    both = math.comb(38, 7) - math.comb(38 - len(manilles), 7)
    assert Fraction(both, math.comb(40, 9)) == Fraction(242, 9139)
    for trump, mean, none, five in (("H", 2.7, 0.025259, 0.071521), ("S", 2.475, 0.036626, 0.046810)):
        number = len(rules.trump_order(trump))
        assert 9 * number / 40 == mean
        assert round(float(share_of_hands(number, 0, 0)), 6) == none
        assert abs(share_of_hands(number, 5, 9) - five) < 1.1e-6  # the table cuts 0.0468109 off


# ------------------------------------------------------------------ settlement, the examples of sections 5.3 and 6


@pytest.mark.parametrize(
    ("result", "returns"),
    [
        ({"outcome": "WIN", "contract": "ENTRADA"}, [6, -3, -3]),
        ({"outcome": "REMISE", "contract": "ENTRADA"}, [-6, 3, 3]),
        ({"outcome": "CODILLE", "contract": "ENTRADA", "codille_by": 1}, [-9, 9, 0]),
        ({"outcome": "PASS_OUT"}, [0, 0, 0]),
        ({"outcome": "WIN", "contract": "SOLO", "matador_run": 9, "first_five": True, "vole": "made"}, [44, -22, -22]),
    ],
)
def test_returns_of_a_single_deal(result, returns):
    table = Table(make_options())
    table.stakes(2)
    table.settle_result({"ombre": 0, **result})
    assert divide(table.delta, table.chips) == returns


def settled(changes, pot, queue=(), preset="default", **result):
    table = Table(make_options(preset, changes), pot, queue)
    table.settle_result({"ombre": 0, "contract": "SOLO", **result})
    return table


def test_settlement_rows():
    """5.3: what no case tells."""
    table = settled({}, 18, outcome="CODILLE", codille_by=1, matador_run=5)
    assert table.delta == [-34, 26, 8] and table.pot == 18
    table = settled({"matador_premium": False}, 18, outcome="WIN", matador_run=4, first_five=True)
    assert table.delta == [18 + 2 * 4, -4, -4]
    table = settled({}, 10, outcome="REFUSED", matador_run=0)
    assert table.delta == [-10, 0, 0] and table.pot == 20
    table = settled({"bete_pool": "queue"}, 10, [9], outcome="REFUSED")
    assert (table.pot, table.queue, table.queue_add) == (10, [9, 10], [10])
    table = settled({"bete_pool": "queue"}, 10, [9], outcome="SURRENDER")
    assert (table.pot, table.queue, table.delta) == (10, [9, 10], [-16, 3, 3])
    table = settled({"bete_pool": "queue", "codille_award": "none"}, 10, outcome="CODILLE", codille_by=2)
    assert (table.pot, table.queue, table.delta) == (10, [10], [-16, 3, 3])
    table = settled({"bete_rule": "fixed", "bete_fixed": 70}, 10, outcome="REMISE")
    assert table.pot == 64  # the cap holds for a fixed bete too
    table = settled({"bete_min": 60}, 10, outcome="REMISE")
    assert table.pot == 70  # the minimum is stronger than the cap
    table = settled({"bete_cap": 0}, 100, outcome="REMISE")
    assert table.pot == 200
    table = settled({"bete_pool": "queue"}, 10, [9], outcome="WIN")
    assert (table.pot, table.queue, table.delta) == (0, [9], [16, -3, -3])


@pytest.mark.parametrize(
    ("mode", "pot", "delta"),
    [
        ("all_when_empty", 1, [0, 0, 0]),
        ("all_when_empty", 0, [-3, -3, -3]),
        ("all_every_deal", 0, [-3, -3, -3]),
        ("dealer_every_deal", 5, [0, -4, 0]),
        ("dealer_every_deal", 0, [0, -4, 0]),
    ],
)
def test_antes(mode, pot, delta):
    table = Table(make_options("default", {"ante_mode": mode}), pot)
    table.stakes(1)
    assert table.delta == delta and table.pot == pot - sum(delta)
