"""The slow twin of bouillotte and brelan: the exact counts and chances of section 11 of both rules."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference import bouillotte_counts as counts  # noqa: E402
from reference.bouillotte import Deal, make_options  # noqa: E402
from reference.bouillotte_rules import pack, stake_to  # noqa: E402
from reference.bouillotte_samples import most_decisions, shuffled  # noqa: E402
from reference.bouillotte_showdown import contest, natural_brelan  # noqa: E402

STATS = {
    case["id"]: case["expect"]
    for game in ("bouillotte", "brelan")
    for case in json.loads((HERE / "cases" / f"{game}.json").read_text(encoding="utf-8"))
    if case["kind"] == "stat"
}
PIQUET = "AKQJT987"
PACKS = {16: "AK98", 20: "AKQ98", 24: "AKQJ98", 28: "AKQJT98", 32: PIQUET}

# (ranks, players) -> deals, some seat, two or more, carre at the table, expected (carre, simple) pairs
TABLE = {
    ("AK98", 3): (134534400, "187/2275", "86/25025", "3/455", "18/25025"),
    ("AKQ98", 4): (372468096000, "547648/8083075", "19156/8083075", "4/969", "4/11305"),
    ("AKQJ98", 5): (1978922994048000, "1293079/22472725", "24544108/14315125825", "5/1771", "20/100947"),
    ("AKQJT98", 5): (81855451117440000, "16020183/382757375", "5654356/6506875375", "1/585", "4/49335"),
    (PIQUET, 2): (471219840, "104/8091", "2/40455", "2/4495", None),
    (PIQUET, 3): (1083805632000, "28059/1460875", "646/4382625", "3/4495", None),
    (PIQUET, 4): (1669060673280000, "66003976/2587209625", "758028/2587209625", "4/4495", None),
    (PIQUET, 5): (1617319792408320000, "223090019/7022426125", "23857188/49156982875", "1/899", None),
}


# ------------------------------------------------------------------ deals and brelans


@pytest.mark.parametrize(("ranks", "players"), TABLE)
def test_deals_and_brelans(ranks, players):
    number, *chances = TABLE[ranks, players]
    assert counts.deals(ranks, players) == number
    found = counts.brelan_chances(ranks, players)
    for name, chance in zip(("some seat", "two or more", "carre", "carre and simple"), chances):
        assert chance is None or found[name] == Fraction(chance), name


def test_given_seat():
    expected = {16: "1/35", 20: "1/57", 24: "3/253", 28: "1/117", 32: "1/155"}
    for cards, chance in expected.items():
        assert counts.brelan_chances(PACKS[cards], 2)["given seat"] == Fraction(chance)


@pytest.mark.parametrize(("ranks", "players"), [("AKQ98", 2), ("AK98", 2), ("AJT", 3)])
def test_brelans_by_hand(ranks, players):
    """The formulas, against all hands in turn."""
    cards = [rank + suit for suit in "SHDC" for rank in ranks]
    brelan = {frozenset(hand): natural_brelan(hand) for hand in combinations(cards, 3)}
    found, carres, pairs = Counter(), Fraction(0), Fraction(0)

    def give(left, hands):
        nonlocal carres, pairs
        if len(hands) == players:
            held = [hand for hand in hands if brelan[hand]]
            found[len(held)] += 1
            turned = [sum(card[0] in {c[0] for c in hand} for card in left) for hand in held]
            carres += Fraction(sum(turned), len(left))
            pairs += Fraction(sum(turned) * (len(held) - 1), len(left))
            return
        for hand in combinations(left, 3):
            give([card for card in left if card not in hand], [*hands, frozenset(hand)])

    give(cards, [])
    ways, chances = sum(found.values()), counts.brelan_chances(ranks, players)
    assert ways * (len(cards) - 3 * players) == counts.deals(ranks, players)
    assert Fraction(ways - found[0], ways) == chances["some seat"]
    assert Fraction(ways - found[0] - found[1], ways) == chances["two or more"]
    assert (carres / ways, pairs / ways) == (chances["carre"], chances["carre and simple"])


def test_categories_of_a_hand():
    """All hands and retournes of a pack."""
    twenty = counts.category_chances(make_options("brelan_mistigri"))
    assert twenty["mistigri"] + twenty["mistigri_carre"] == Fraction(24, 1140)
    assert twenty["simple"] + twenty["carre"] == Fraction(1, 57) and twenty["carre"] == Fraction(1, 969)
    same = counts.category_chances(make_options("brelan_mistigri", {"mistigri_pair": "same_colour"}))
    assert same["mistigri"] + same["mistigri_carre"] == Fraction(8, 1140)
    james = counts.category_chances(make_options("saint_james"))
    assert james["mistigri"] + james["mistigri_carre"] == Fraction(30, 2024)
    assert james["st_james"] + james["st_james_carre"] == Fraction(10, 2024)
    assert counts.category_chances(make_options("britannica"))["favori_pair"] == Fraction(16, 323)
    without = counts.category_chances(make_options("seed_literal3", {"mistigri": True, "saint_james": True}))
    assert set(without) == {"point", "simple", "carre"}  # neither queen nor jack of clubs in this pack


def test_stat_cases():
    """The worked cases of kind `stat`."""
    found = {f"{ranks},N={players}": counts.deals(ranks, players) for ranks, players in [*TABLE, ("AKQ98", 2)]}
    assert found | STATS["st_deals"] == found
    found = {}
    for cards, players in ((16, 3), (20, 4), (24, 5), (28, 5)):
        chances = counts.brelan_chances(PACKS[cards], players)
        found[f"P(given seat has natural brelan),{cards}"] = chances["given seat"]
        found |= {f"P({name}),{cards},N={players}": chances[name] for name in ("some seat", "two or more")}
        found[f"P(carre at the table),{cards},N={players}"] = chances["carre"]
    for name, chance in STATS["st_brelan"].items():
        assert found[name] == Fraction(chance), name
    found = {"P(given seat has brelan)": counts.brelan_chances(PIQUET, 5)["given seat"]}
    found["deals,N=5"] = counts.deals(PIQUET, 5)
    for players in range(2, 6):
        found[f"P(some seat),N={players}"] = counts.brelan_chances(PIQUET, players)["some seat"]
        found[f"P(quatrieme at the table),N={players}"] = counts.brelan_chances(PIQUET, players)["carre"]
    for name, chance in STATS["b_st"].items():
        assert found[name] == Fraction(chance), name
    stay = counts.all_stay("AKQ98", 2)
    found = {"first_hand_wins": stay.wins[0], "dealer_wins": stay.wins[1]}
    found |= {"decided_by_brelan": stay.by_brelan, "decided_by_privilege": stay.by_privilege}
    assert found == STATS["st_allin_2"]


# ------------------------------------------------------------------ all stay


def test_two_players_all_stay():
    stay = counts.all_stay("AKQ98", 2)
    assert stay.deals == 10852800 == sum(stay.wins) and stay.wins == [5756352, 5096448]
    assert (stay.by_privilege, stay.by_brelan, stay.number_sum) == (659904, 376320, 292540560)
    stay = counts.all_stay("AKQ98", 2, retourne_counts=False)
    assert (stay.wins, stay.by_privilege) == ([5824896, 5027904], 796992)
    assert counts.all_stay("AK98", 2).deals == counts.deals("AK98", 2) == 1601600


def test_three_players_all_stay():
    stay = counts.all_stay("AK98", 3)
    assert stay.deals == 134534400 == sum(stay.wins)
    assert stay.wins == [50420720, 44733056, 39380624] and stay.by_privilege == 16392528
    assert (min(stay.numbers), max(stay.numbers)) == (27, 38) and round(float(stay.mean_number), 3) == 33.106
    stay = counts.all_stay("AK98", 3, retourne_counts=False)
    assert (stay.wins, stay.by_privilege) == ([48417824, 44824640, 41291936], 10658592)


def near(stay, wins, privilege, mean=None) -> bool:
    """Within four standard errors (0.0003) of the table's runs."""
    shares = [*stay.wins, stay.by_privilege]
    close = all(abs(share / stay.deals - seen) < 0.0012 for share, seen in zip(shares, [*wins, privilege], strict=True))
    return close and (mean is None or abs(stay.mean_number - mean) < 0.02)


def test_four_players_all_stay():
    stay = counts.all_stay("AKQ98", 4)
    assert stay.deals == 372468096000 == sum(stay.wins)
    assert near(stay, [0.2752, 0.2581, 0.2417, 0.2251], 0.0999, 41.756)
    assert (min(stay.numbers), max(stay.numbers)) == (37, 48)
    assert near(counts.all_stay("AKQ98", 4, retourne_counts=False), [0.2699, 0.2561, 0.2432, 0.2309], 0.0767)


@pytest.mark.long
def test_five_players_all_stay():
    stay = counts.all_stay("AKQJ98", 5)
    assert stay.deals == 1978922994048000 == sum(stay.wins)
    assert near(stay, [0.2200, 0.2092, 0.1992, 0.1904, 0.1813], 0.0938, 50.162)
    assert (min(stay.numbers), max(stay.numbers)) == (37, 58)


@pytest.mark.parametrize("retourne_counts", [True, False])
def test_all_stay_by_contest(retourne_counts):
    """The count of `all_stay`, against the contest of every deal of the pack of `mini` (but for names of suits)."""
    options = make_options("mini", {"retourne_counts": retourne_counts})
    wins, decided, numbers = [0, 0], Counter(), Counter()
    for retourne, cards, weight in counts.sets_of_cards("AK98", 6):
        for hand in combinations(cards, 3):
            hands = {0: hand, 1: tuple(card for card in cards if card not in hand)}
            found = contest(options, [0, 1], hands, retourne, [0, 1])
            wins[found.winner] += weight
            decided[found.decided] += weight
            if found.numbers:
                numbers[found.numbers[found.winner]] += weight
    stay = counts.all_stay("AK98", 2, retourne_counts)
    assert (wins, numbers) == (stay.wins, stay.numbers)
    assert (decided["brelan"], decided["privilege"]) == (stay.by_brelan, stay.by_privilege)


@pytest.mark.parametrize(
    ("preset", "wins", "privilege", "mean", "most"),
    [
        ("old_bouillotte", [0.2141, 0.2070, 0.1996, 0.1927, 0.1866], 0.0669, 52.131, 68),
        ("bouillotte5", [0.2200, 0.2092, 0.1992, 0.1904, 0.1813], 0.0938, 50.162, 58),
        ("brelan5", [0.2087, 0.2045, 0.1999, 0.1953, 0.1917], 0.0431, 49.198, None),
    ],
)
def test_five_players_sampled(preset, wins, privilege, mean, most):
    """20,000 deals against the table's millions: standard error 0.003."""
    options, rng, number = make_options(preset), random.Random(11), 20000
    won, decided, numbers = Counter(), Counter(), []
    for _ in range(number):
        deck = shuffled(options, rng)
        hands = {seat: deck[3 * seat : 3 * seat + 3] for seat in range(5)}
        found = contest(options, range(5), hands, deck[15], range(5))
        won[found.winner] += 1
        decided[found.decided] += 1
        numbers += [found.numbers[found.winner]] if found.numbers else []
    assert all(abs(won[place] / number - share) < 0.011 for place, share in enumerate(wins))
    assert abs(decided["privilege"] / number - privilege) < 0.008
    assert abs(sum(numbers) / len(numbers) - mean) < 0.15
    assert most is None or max(numbers) <= most == 11 + sum(
        10 if rank in "KQJT" else int(rank) for rank in options["ranks"][1:]
    )
    brelan = counts.brelan_chances(options["ranks"], 5)["some seat"]
    assert abs(decided["brelan"] / number - brelan) < 0.007


# ------------------------------------------------------------------ placings and decisions


def test_number_of_worlds():
    """mini: 1601600 deals, and a seat that sees its hand and the retourne has C(12, 3) worlds."""
    options = make_options("mini")
    deal = Deal(options, pack(options), 0)
    assert deal.phase == "BLIND" and deal.count_upper(0) == deal.count_upper(1) == 1601600
    deal.apply("NO_CARRE")
    assert deal.phase == "OPENING" and deal.count_upper(0) == comb(12, 3) == len(set(deal.worlds(0)))


def test_longest_deal():
    """4.7: an opening of one jeton, then all call and the last to answer raises by one, come to 91 decisions."""
    options = make_options()
    deal = Deal(options, pack(options), 3)
    for name in ("NO_CARRE", "PASS", "PASS", "STAKE_TO 1"):
        deal.apply(name)
    while deal.seat is not None:
        last = deal.seat == deal.after(deal.aggressor)[-2]
        deal.apply(stake_to(deal.interval[0]) if last and deal.interval else "CALL")
    assert len(deal.chosen) == 91 and deal.raises == 29 and deal.final["stakes"] == (30, 30, 30, 30)


def test_bounds_of_decisions():
    """4.7, and brelan.md 4."""

    def bound(preset, changes=None, stacks=None):
        options = make_options(preset, changes)
        return most_decisions(Deal(options, pack(options), 0, stacks))

    assert max(bound(preset) for preset in ("bouillotte4", "bouillotte3", "bouillotte2", "forced_carre")) == 96
    assert bound("bouillotte4", {"cave": 60}) == 186 and bound("bouillotte5", {"cave": 90}) == 247
    assert bound("brelan5", {"cave": 60}) == 245
