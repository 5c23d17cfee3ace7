"""The slow twins of ombre and rocambole: parties, parts and full matches, tours and the kon."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference.ombre import CARDS, PRESETS, Deal, Partie, divide, make_options
from reference.ombre_samples import ROCAMBOLE, chooser, play_on, random_options, shuffled
from reference.ombre_settle import Table
from reference.rocambole import Full, Match, Part


def play_match(match, rng: random.Random) -> list[Deal]:
    deals, chips = [], match.chips
    while not match.over:
        deal = play_on(match.new_deal(shuffled(rng)), chooser(rng))
        match.finish(deal)
        assert sum(match.totals) + match.chips == chips
        deals.append(deal)
    assert match.chips == 0 and [sum(r[s] for r in match.rewards) for s in range(3)] == match.totals
    return deals


def test_random_parties():
    for number in range(25):
        rng = random.Random(number)
        options = random_options(rng, [name for name in PRESETS if name not in ROCAMBOLE])
        partie = Partie(options, number % 3, 6)
        deals = play_match(partie, rng)
        assert len(deals) == 6 and [d.dealer for d in deals] == [(number + n) % 3 for n in range(6)]
        again = Partie(options, number % 3, 6)
        for deal in deals:
            again.add_result(deal.result())
        assert again.over and again.totals == partie.totals and again.rewards == partie.rewards
        assert all(a.queue == b.start["queue"] and a.pot == b.start["pot"] for a, b in zip(deals, deals[1:]))
    assert Partie(make_options()).deals == 12
    with pytest.raises(ValueError):
        Partie(make_options("rocambole"))


def test_partie_is_zero_sum_with_odd_chips():
    partie = Partie(make_options("default", {"ante": 0, "bete_min": 4}), 0, 1)
    partie.add_result({"outcome": "REMISE", "ombre": 2, "contract": "ENTRADA"})
    assert partie.totals == [1, 1, -2] and partie.rewards == [[1, 1, -2]]
    assert divide([0, 0, 0], 2) == [2, 0, 0] and divide([0, -1, -1], 5) == [1, 2, 0]


def test_random_matches():
    for number in range(12):
        rng = random.Random(number)
        preset = ROCAMBOLE[number % 2]
        plain = number % 3 == 0
        options = make_options(preset) if plain else random_options(rng, ROCAMBOLE)
        match = Part(options, number % 3) if number % 4 else Full(options, number % 3)
        deals = play_match(match, rng)
        if plain:
            parts = 1 if isinstance(match, Part) else 3
            assert 12 * parts <= len(deals) <= 27 * parts
            assert [deal.tour for deal in deals].count(2) == 10 * parts
            for last, deal in zip(deals, deals[1:]):
                if (last.tour, deal.tour) == (2, 3):
                    assert last.kon == 40 and deal.kon == 0 and deal.start["first_of_tour"]
        again = Match(options, number % 3, match.parts)
        for deal in deals:
            again.add_result(deal.result())
        assert again.over and again.rewards == match.rewards
        assert all(deal.knows(0)["match"]["part"] <= match.parts for deal in deals)
    with pytest.raises(ValueError):
        Match(make_options())


WON = {"outcome": "WIN", "ombre": 0, "contract": "ENTRADA", "tricks": [5, 4, 0]}
PASSED = {"outcome": "PASS_OUT"}
CODILLE = {"outcome": "CODILLE", "ombre": 0, "contract": "ENTRADA", "codille_by": 1, "tricks": [4, 5, 0]}


def match_after(results, changes=None, preset="rocambole", **start) -> Match:
    match = Match(make_options(preset, changes), **start)
    for result in results:
        match.add_result(result)
    return match


def test_tours_end():
    """rocambole.md section 3 beyond the cases."""
    match = match_after([PASSED] * 11)
    assert (match.tour, match.deals_in_tour, match.pot) == (1, 11, 44)
    match.add_result(PASSED)
    assert (match.tour, match.deals_in_tour) == (2, 0)
    assert match_after([WON], {"tour1_tricks": 5}).tour == 2
    assert match_after([{**WON, "outcome": "REFUSED"}], {"tour1_tricks": 5}).cum_tricks == [0, 0, 0]
    third = {"tour": 3, "kon": 40}
    assert match_after([PASSED] * 4, **third).deals_in_tour == 4 and match_after([PASSED] * 4, **third).pot == 56
    assert (match_after([PASSED] * 5, **third).tour, match_after([PASSED] * 5, **third).part) == (1, 2)
    assert match_after([PASSED], {"tour3_until_taken": False}, **third).part == 2
    assert match_after([CODILLE], **third).part == 2 and match_after([CODILLE], **third).pot == 24
    assert match_after([CODILLE], {"codille_award": "none"}, **third).part == 1
    assert match_after([{**WON, "outcome": "REMISE"}], **third).part == 1
    assert match_after([CODILLE] * 2, {"tour1_rule": "single_deal_tricks"}).deals_in_tour == 2
    assert match_after([WON], cum_tricks=(8, 3, 2), **third).cum_tricks == [0, 0, 0]
    kept = match_after([WON, WON, WON])
    assert kept.cum_tricks == [10, 8, 0] and kept.tour == 2  # as it is through tours 2 and 3


def test_the_last_part_divides_the_pot():
    match = match_after([{**CODILLE, "ombre": 1, "codille_by": 0}], part=3, tour=3, kon=40, dealer=2)
    assert match.over and match.pot == match.kon == 0 and match.totals == [44 + 8, -24 + 8, -4 + 8]
    part = Part(make_options("rocambole"), tour=3, kon=40)
    part.add_result(WON)
    assert part.over and part.totals == [40, 0, 0]
    assert Full(make_options("rocambole")).parts == 3


def test_kon_before_the_queue():
    """With separate betes the kon moves into the pot first, so no bete is promoted."""
    table = Table(make_options("rocambole", {"bete_pool": "queue"}), 0, [9, 18], 40)
    table.stakes(1, 3, True)
    assert (table.pot, table.kon, table.queue, table.delta) == (44, 0, [9, 18], [0, -4, 0])
    table = Table(make_options("rocambole", {"bete_pool": "queue", "kon_rule": "kon_only"}), 0, [9, 18], 8)
    table.stakes(0, 2)
    assert (table.pot, table.kon, table.queue, table.delta) == (18, 12, [9], [-4, 0, 0])
    table = Table(make_options("rocambole"), 0, [], 40)
    table.stakes(0, 3, False)
    assert (table.pot, table.kon) == (4, 40)


@pytest.mark.parametrize("match", [Partie(make_options(), 1), Part(make_options("rocambole"), 1)])
def test_only_its_own_finished_deals_are_entered(match):
    deal = match.new_deal(list(CARDS))
    with pytest.raises(ValueError):
        match.finish(deal)
    other = play_on(type(match)(match.options, 2).new_deal(list(CARDS)), lambda deal: deal.legal()[0])
    with pytest.raises(ValueError):
        match.finish(other)
    match.finish(play_on(deal, lambda deal: deal.legal()[0]))
    assert match.dealt == 1 and match.dealer == 2
    match.over = True
    with pytest.raises(ValueError):
        match.add_result({"outcome": "PASS_OUT"})


def test_returns_of_a_single_deal():
    """Section 4, episode deal: stakes of its tour, then P + K is divided."""
    for tour, stake, kon in ((1, 4, 0), (2, 8, 4), (3, 4, 0)):
        deal = Deal(make_options("rocambole"), list(CARDS), 1, totals=(9, -7, -2), kon=40 if tour == 3 else 0, tour=tour)
        assert deal.delta == [0, -stake, 0] and deal.kon == kon
        play_on(deal, lambda deal: "PASS")
        assert deal.outcome == "PASS_OUT" and deal.delta == [-1, -stake - 1, -1]
        assert deal.returns() == divide(deal.delta, 3 + stake + deal.start["kon"])
        assert sum(deal.returns()) == deal.start["kon"]


def test_lengths():
    """Sections 3 and 8: 12 to 27 deals a part; nine tricks a deal end tour 1 after two deals, but for 6-6-6 after three."""
    seven = {**WON, "tricks": [7, 1, 1]}
    for result, deals in ((PASSED, 27), (seven, 12)):
        for match in (Part(make_options("rocambole")), Full(make_options("rocambole"))):
            while not match.over:
                match.add_result(result)
            assert match.dealt == deals * match.parts and sum(match.totals) == 0 == match.chips
    triples = [(a, b, 9 - a - b) for a in range(10) for b in range(10 - a)]
    for first, second in itertools.product(triples, triples):
        both = [a + b for a, b in zip(first, second)]
        match = match_after([{**WON, "tricks": list(first)}, {**WON, "tricks": list(second)}])
        assert (match.tour == 2) == (both != [6, 6, 6])
        assert match.tour == 2 or match_after([WON], cum_tricks=both, deals_in_tour=2).tour == 2


def test_dealers_feed_the_kon():
    """Section 8: 8 chips a deal in tour 2, the kon is 40 after it, seats deal 4, 3 and 3 times."""
    match = match_after([], tour=2)
    dealers = []
    while match.tour == 2:
        dealers.append(match.dealer)
        match.add_result({**WON, "ombre": match.dealer})  # takes his own 4 back
    assert [dealers.count(seat) for seat in range(3)] == [4, 3, 3] and match.kon == 40 and match.pot == 0
    assert match.totals == [-16, -12, -12]
