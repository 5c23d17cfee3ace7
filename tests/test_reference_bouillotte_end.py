"""The slow twin of bouillotte and brelan: talon, categories, contests and payments (4.6, 5) beyond the cases."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference.bouillotte import Deal, make_deck, make_options
from reference.bouillotte_rules import pack, seats_after
from reference.bouillotte_showdown import category, contest, pay, pot_layers, strength

BRELANS = (["AS", "AH", "AD"], ["KS", "KH", "KD"], ["9S", "9H", "9D"], ["QD", "8S", "8C"])
POINTS = (["AS", "9H", "8D"], ["KS", "QS", "9S"], ["KH", "QH", "8H"], ["KD", "QD", "9D"])
CALLED = ("0:NO_CARRE", "0:STAKE_TO 3", "1:CALL", "2:CALL", "3:FOLD")


def dealt(actions, changes=None, hands=BRELANS, retourne="9C", talon=("8H",), preset="bouillotte4", dealer=3, **start) -> Deal:
    options = make_options(preset, changes)
    order = seats_after(options, dealer, range(options["players"]))
    deal = Deal(options, make_deck(options, order, hands, retourne, talon), dealer, **start)
    for action in actions:
        seat, name = action.split(":")
        assert deal.seat == int(seat), (action, deal.history)
        deal.apply(name)
    return deal


# ------------------------------------------------------------------ talon (4.6)


def test_talon_in_order():
    """Aces turn first, kings next; the fourth ace and the fourth king would make them carres."""
    deal = dealt(CALLED, talon=("KC", "AC"))
    assert (
        deal.turned == [(0, "KC"), (1, "AC")]
        and deal.winner == 2
        and deal.history[-2:] == [(0, "TALON_FIRST"), (1, "TALON_FIRST")]
    )
    deal = dealt(CALLED, talon=("8H", "KC"))
    assert deal.winner == 1 and deal.categories[1].name == "carre" and deal.payments[0] == (0, 1, 4)
    assert dealt(CALLED, talon=("AC", "KC")).winner == 0
    assert dealt(CALLED, {"carre_anglais": "off"}, talon=("AC", "KC")).turned == []
    assert dealt(CALLED, talon=("AC", "KC"), dealer=3, changes={"brelan_enabled": False}).turned == []


def test_talon_needs_an_unfolded_carre():
    actions = ("0:NO_CARRE", "0:STAKE_TO 3", "1:CALL", "2:FOLD", "3:FOLD")
    assert dealt(actions, talon=("AC",)).turned == []
    actions = ("0:NO_CARRE", "0:STAKE_TO 3", "1:FOLD", "2:CALL", "3:FOLD")
    assert dealt(actions, talon=("8H", "KC")).turned == [(0, "8H")]  # folded brelans turn nothing
    assert dealt(CALLED, retourne="QC").turned == []


def test_talon_by_choice():
    deal = dealt(CALLED, {"carre_anglais": "choice"}, talon=("8H", "8D", "KC", "QC", "QS", "QH", "AC"))
    assert (deal.phase, deal.seat, deal.legal()) == ("TALON", 0, ["TALON_FIRST", "TALON_LAST"])
    deal.apply("TALON_LAST")
    assert deal.turned == [(0, "AC")] and deal.seat == 1
    deal.apply("TALON_LAST")
    assert deal.turned == [(0, "AC"), (1, "QH")] and deal.winner == 0 and deal.end == "showdown"


def test_empty_talon():
    """16 cards among five: nothing is left. Among four three are, for three brelans."""
    hands = [["AS", "AH", "AD"], ["KS", "KH", "KD"], ["9S", "9H", "9D"], ["8S", "8H", "8D"], ["AC", "KC", "8C"]]
    actions = ("0:NO_CARRE", "0:STAKE_TO 3", "1:CALL", "2:CALL", "3:FOLD", "4:FOLD")
    for rule in ("auto_first", "choice"):
        deal = dealt(actions, {"players": 5, "ranks": "AK98", "carre_anglais": rule}, hands, "9C", (), dealer=4)
        assert deal.turned == [] and deal.talon == [] and deal.winner == 2
    short = {"ranks": "AKQ9", "players": 4, "carre_anglais": "choice"}
    hands = [["AS", "AH", "AD"], ["KS", "KH", "KD"], ["9S", "9H", "9D"], ["QS", "QH", "QD"]]
    deal = dealt((*CALLED[:-1], "3:CALL"), short, hands, "9C", ("AC", "KC", "QC"))
    deal.apply("TALON_FIRST")
    assert deal.seat == 1
    deal.apply("TALON_LAST")
    assert deal.turned == [(0, "AC"), (1, "QC"), (3, "KC")] and deal.end == "showdown"  # of one card there is no choice


# ------------------------------------------------------------------ categories (5.1)


@pytest.mark.parametrize(
    ("preset", "changes", "hand", "retourne", "name", "jetons"),
    [
        ("saint_james", {}, "JC 8S 8C", "8D", "st_james_carre", 4),
        ("saint_james", {}, "JC JS JH", "QC", "simple", 1),
        ("saint_james", {}, "JC JS 8H", "8D", "point", 0),
        ("saint_james", {}, "JC QC QS", "KD", "st_james", 2),
        ("saint_james", {}, "JC QC QS", "QD", "st_james_carre", 4),
        ("saint_james", {}, "JC QC QH", "KD", "point", 0),
        ("saint_james", {"st_james_pair": "any"}, "JC QC QH", "KD", "st_james", 2),
        ("saint_james", {}, "QC 9S 9H", "KD", "mistigri", 1),
        ("saint_james", {"mistigri_pair": "same_colour"}, "QC 9S 9H", "KD", "point", 0),
        ("saint_james", {"mistigri_pair": "same_colour"}, "QC 9S 9C", "KD", "mistigri", 1),
        ("saint_james", {"mistigri_pair": "same_colour"}, "QC 9D 9H", "9S", "mistigri_carre", 2),
        ("saint_james", {"favori_rule": "pair_retourne"}, "QC 9D 9H", "9S", "mistigri_carre", 2),
        ("saint_james", {"favori_rule": "pair_retourne"}, "QC QD 9H", "QS", "favori_pair", 1),
        ("saint_james", {"saint_james": False}, "JC 9D 9H", "KS", "point", 0),
        ("bouillotte3", {"ranks": "AJT98", "mistigri": True, "mistigri_card": "by_pack"}, "JC 9D 9H", "AS", "mistigri", 1),
        ("bouillotte3", {"ranks": "AQJ98", "mistigri": True, "mistigri_card": "by_pack"}, "JC 9D 9H", "AS", "point", 0),
        ("bouillotte3", {"mistigri": True, "mistigri_card": "by_pack"}, "KC 9D 9H", "AS", "point", 0),
        ("old_bouillotte", {}, "KS KH KD", "KC", "carre", 4),
        ("old_bouillotte", {}, "QS QH QD", "QC", "carre", 4),
        ("old_bouillotte", {}, "KS KH KD", "JC", "simple", 1),
        ("brelan5", {}, "JS JH JD", "JC", "carre", 4),
        ("brelan5", {"favori_rank": "7"}, "7S 7H 7D", "JC", "simple", 2),
        ("britannica", {}, "KS KH KD", "QC", "simple", 1),
        ("britannica", {"pay_simple": 3}, "KS KH QD", "KC", "favori_pair", 3),
        ("britannica", {}, "KS QH 9D", "KC", "point", 0),
        ("without_brelan", {"mistigri": True, "favori_rule": "pair_retourne"}, "QC 9S 9H", "9D", "point", 0),
        ("without_brelan", {}, "9S 9H 9D", "9C", "point", 0),
    ],
)
def test_category(preset, changes, hand, retourne, name, jetons):
    options = make_options(preset, changes)
    found = category(options, hand.split(), retourne)
    assert (found.name, pay(options, found, retourne)) == (name, jetons)


def test_strength():
    """Column rank, then the rank of the equal cards."""
    options = make_options("saint_james", {"favori_rule": "pair_retourne"})
    falling = [("AS AH AD", "AC"), ("8S 8H 8D", "8C"), ("JC 9S 9C", "9H"), ("QC 9S 9H", "9C"), ("AS AH AD", "8C")]
    falling += [("KS KH KD", "8C"), ("8S 8H 8D", "KC"), ("JC KS KC", "8H"), ("QC AS AH", "8H"), ("AS AH 8C", "AC")]
    falling += [("AS KS QS", "8H")]
    found = [strength(options, category(options, hand.split(), turned)) for hand, turned in falling]
    assert found == sorted(found, reverse=True) and len(set(found)) == len(found)
    for order, ranks in (("ace_high", "AKQJT987"), ("jack_high", "JAKQT987")):
        options = make_options("brelan5", {"brelan_order": order})
        found = [strength(options, category(options, [r + "S", r + "H", r + "D"], "6C")) for r in ranks]
        assert found == sorted(found, reverse=True)


# ------------------------------------------------------------------ contests and layers (5.2, 5.3)


def judged(hands, retourne, eligible, preset="bouillotte4", changes=None, order=(0, 1, 2, 3)):
    cards = dict(enumerate(hand.split() for hand in hands))
    return contest(make_options(preset, changes), order[: len(hands)], cards, retourne, eligible)


def test_collect():
    hands = ("AS KS 9H", "QS 9S 8C", "AH KD 9C", "AD 9D 8H")
    found = judged(hands, "QD", [1, 2])
    assert found.numbers == {1: 40, 2: 40} and found.winner == 1 and found.decided == "privilege"
    assert judged(hands, "QD", [1, 2], order=(2, 3, 0, 1)).winner == 2
    assert judged(hands, "QD", [1]).numbers == {1: 40}
    hands = ("KH QH 9H", "8H 9S 8C", "KS QS 8S")
    found = judged(hands, "AH", [1])
    assert found.totals["H"] == 48 and found.numbers == {1: 48}  # all of the suit, the retourne too
    nothing = judged(("AS KS QS", "9S 8S AH", "KH QH 9H"), "8D", [0, 1, 2], changes={"retourne_counts": False})
    assert nothing.numbers == {0: 48, 1: 40, 2: 0}


def test_locked_cards():
    hands, lock = ("9S 9H 9D", "AS KH 8C", "QH QS 8D"), {"brelan_locks_cards": True}
    assert judged(hands, "AC", [1, 2], changes=lock).totals == {"S": 21, "H": 20, "D": 8, "C": 19}
    assert judged(hands, "AC", [1, 2]).totals == {"S": 30, "H": 29, "D": 17, "C": 19}
    off = {"brelan_locks_cards": True, "brelan_enabled": False}
    assert judged(hands, "AC", [1, 2], changes=off).totals == {"S": 30, "H": 29, "D": 17, "C": 19}
    mistigri = {"brelan_locks_cards": True, "mistigri": True}
    assert judged(("QC 9S 9H", "AS KH 8C", "QH QS 8D"), "AC", [1, 2], changes=mistigri).totals["S"] == 30  # no natural brelan


def test_parlett():
    hands = ("AS KS 8H", "QS 9S 8C", "AH KD 9C", "AD 8D 9H")  # 40 28 29 17
    found = judged(hands, "QC", [0, 1, 2], "parlett")
    assert (found.winner, found.numbers) == (0, {0: 40, 1: 0, 2: 0})
    found = judged(hands, "QC", [1, 2, 3], "parlett")
    assert (found.winner, found.numbers, found.decided) == (3, {1: 8, 2: 11, 3: 19}, "point")
    hands = ("AS KS 9S", "AH KH 9H", "KD QD 8D", "QC 8C 8H")  # 30 38 28 18
    assert judged(hands, "9C", [0, 2, 3], "parlett").numbers == {0: 30, 2: 28, 3: 18}
    hands = ("AS KS 8C", "AH KH 8D", "KD 9S 9H", "QC 9C 9D")  # 30 30 27 27: two best suits
    assert judged(hands, "AD", [1, 2, 3], "parlett").winner == 1  # hearts lie with a contestant
    assert judged(hands, "AD", [0, 1], "parlett", order=(1, 2, 3, 0)).winner == 1
    assert judged(hands, "AD", [2, 3], "parlett").numbers == {2: 10, 3: 19}  # clubs and diamonds only
    alike = judged(("AS AH AD", "AC KS KH", "KD QC QS", "QH QD KC"), "8D", [2, 3], "parlett")  # all suits 31
    assert (alike.winner, alike.numbers) == (2, {2: 0, 3: 0})
    turned = judged(hands, "AD", [2, 3], "parlett", {"retourne_counts": True})
    assert turned.totals["D"] == 38 and turned.numbers == {2: 38, 3: 0}  # the king of diamonds


def test_own_hand():
    hands = ("AS 9S KH", "KD QD 9C", "QC 9D 8H", "KS QS 9H")
    assert judged(hands, "AC", [0, 1, 2, 3], "britannica").numbers == {0: 20, 1: 20, 2: 10, 3: 20}
    counted = judged(hands, "AC", [0, 1, 2, 3], "britannica", {"retourne_counts": True})
    assert counted.numbers == {0: 20, 1: 20, 2: 21, 3: 20} and counted.winner == 2


def test_layers():
    """5.2."""
    assert pot_layers({0: 5, 1: 12, 2: 12, 3: 1}, [0, 1, 2], 0) == [(16, [0, 1, 2]), (14, [1, 2])]
    assert pot_layers({0: 5, 1: 12, 2: 9, 3: 1}, [0, 1], 7) == [(23, [0, 1]), (11, [1])]
    assert pot_layers({0: 3, 1: 1, 2: 3, 3: 2}, [1, 3], 0) == [(4, [1, 3]), (5, [3])]
    assert pot_layers({0: 3, 1: 1}, [1], 2) == [(6, [1])]


def test_odd_rule_of_the_seed():
    """5.2: who loses the pot to a third with stake s pays him 2s out of what he takes from the other, B."""
    rng = random.Random(5)
    for _ in range(300):
        hands = rng.sample(pack(make_options()), 13)
        cards = [hands[3 * seat : 3 * seat + 3] for seat in range(4)]
        high, short = rng.randint(4, 20), rng.randint(2, 3)
        actions = (f"0:STAKE_TO {short}", f"1:STAKE_TO {high}", "2:CALL", "3:FOLD")
        start = {"stacks": [short, 30, 30, 30], "carried": [short, 0, 0, 0]}
        deal = dealt(actions, {"brelan_scope": "off", "carre_anglais": "off"}, cards, hands[12], (), **start)
        if deal.winner != 0:
            continue
        best, other = (1, 2) if deal.layers[1][1] == 1 else (2, 1)
        assert deal.net[best] == high - 2 * short and deal.net[other] == -high and deal.net[0] == 2 * short + short + 1


# ------------------------------------------------------------------ brelan payments (5.4)


def payments(changes=None, actions=CALLED, **start):
    return dealt(actions, {"carre_anglais": "off", **(changes or {})}, **start).payments


def test_payments_between_holders():
    """Carre of nines, aces, kings, and seat 3 with nothing."""
    exempt = [(0, 2, 4), (1, 2, 4), (3, 2, 4), (1, 0, 1), (3, 0, 1), (3, 1, 1)]
    assert payments() == exempt
    assert payments({"brelan_cross": "all_pay"}) == [
        *exempt[:3],
        (1, 0, 1),
        (2, 0, 1),
        (3, 0, 1),
        (0, 1, 1),
        (2, 1, 1),
        (3, 1, 1),
    ]
    assert payments({"brelan_cross": "cancel"}) == [(0, 2, 3), (1, 2, 3), (3, 2, 4), (3, 0, 1), (3, 1, 1)]
    dear = {"brelan_cross": "cancel", "pay_simple": 6}  # the weaker is paid more
    assert payments(dear) == [(3, 2, 4), (2, 0, 2), (3, 0, 6), (2, 1, 2), (3, 1, 6)]
    assert payments({"brelan_cross": "cancel", "pay_simple": 4}) == [(3, 2, 4), (3, 0, 4), (3, 1, 4)]
    assert payments({"pay_carre": 0, "pay_simple": 0}) == []


def test_payers():
    live = {"brelan_payers": "live"}
    assert payments(live) == [(0, 2, 4), (1, 2, 4), (1, 0, 1)]  # seat 3 has folded
    folded = ("0:NO_CARRE", "0:STAKE_TO 3", "1:CALL", "2:FOLD", "3:FOLD")
    assert payments(live, folded) == [(0, 2, 4), (1, 2, 4), (1, 0, 1)]  # a folded holder is paid, and pays nobody
    passed = ("0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS", "3:PASS")
    whole = payments(actions=passed)
    assert payments(live, passed) == payments({**live, "passe_parole": False}, passed) == whole and len(whole) == 6
    taken = ("0:CARRE", "1:NO_CARRE", "1:PASS", "2:PASS", "3:PASS")
    assert payments(live, taken) == [(0, 2, 4)] and len(payments(actions=taken)) == 6


def test_scopes():
    passed, taken = (
        ("0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS", "3:PASS"),
        ("0:CARRE", "1:NO_CARRE", "1:PASS", "2:PASS", "3:PASS"),
    )
    alone = ("0:NO_CARRE", "0:STAKE_TO 3", "1:FOLD", "2:FOLD", "3:FOLD")
    for actions in (passed, taken, alone):
        assert len(payments(actions=actions)) == 6 and payments({"brelan_scope": "showdown"}, actions) == []
    assert len(payments({"brelan_scope": "showdown"})) == 6 and payments({"brelan_scope": "off"}) == []


def test_what_comes_too_late():
    """Jetons of a weaker brelan cannot pay a stronger one: seat 1 has lost all, and gets one of seat 3 afterwards."""
    deal = dealt(CALLED, {"carre_anglais": "off"}, stacks=[30, 3, 30, 30])
    assert deal.payments == [(0, 2, 4), (1, 2, 0), (3, 2, 4), (1, 0, 0), (3, 0, 1), (3, 1, 1)]
    assert deal.stacks[1] == 1 and deal.net == [-6, -2, 15, -7]
    deal = dealt(CALLED, {"carre_anglais": "off"}, stacks=[30, 6, 30, 30])
    assert deal.payments[1] == (1, 2, 3) and deal.payments[3] == (1, 0, 0)


# ------------------------------------------------------------------ what is shown at the end (7)


def test_shown_hands():
    alone = ("0:NO_CARRE", "0:STAKE_TO 3", "1:FOLD", "2:FOLD", "3:FOLD")
    assert set(dealt(CALLED).knows(3)["hands"]) == {0, 1, 2, 3}
    assert set(dealt(alone).knows(3)["hands"]) == {0, 1, 2, 3}  # three brelans, and his own
    assert set(dealt(alone).knows(0)["hands"]) == {0, 1, 2}
    assert set(dealt(alone, {"brelan_scope": "showdown"}).knows(3)["hands"]) == {3}
    assert set(dealt(alone, {"brelan_payers": "live"}).knows(3)["hands"]) == {0, 1, 2, 3}  # seat 0 too, paid by nobody
    assert set(dealt(alone, hands=POINTS, retourne="8C", talon=()).knows(3)["hands"]) == {3}
    choice = dealt(CALLED, {"carre_anglais": "choice"})
    assert choice.phase == "TALON" and set(choice.knows(3)["hands"]) == {0, 1, 2, 3}
