"""The slow twin of bouillotte and brelan: every phase of a deal (section 4) beyond the worked cases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference.bouillotte import Deal, make_deck, make_options
from reference.bouillotte_rules import CHOICES, DEFAULTS, PRESETS, action_id, action_name, seats_after

HANDS = (["AS", "9H", "8D"], ["KS", "QS", "9S"], ["KH", "QH", "8H"], ["KD", "QD", "9D"])  # 40 0 37 37
BRELANS = (["AS", "AH", "AD"], ["KS", "KH", "KD"], ["9S", "9H", "9D"], ["QD", "8S", "8C"])


def dealt(changes=None, actions=(), preset="bouillotte4", hands=HANDS, retourne="8C", talon=(), dealer=3, **start) -> Deal:
    """A deal with these cards, the decisions played; "0:" before a name says whose it is."""
    options = make_options(preset, changes)
    order = seats_after(options, dealer, range(options["players"]))
    cards = hands if options["players"] == 4 else None
    deal = Deal(options, make_deck(options, order, cards, retourne, talon), dealer, **start)
    for action in actions:
        seat, name = action.split(":")
        assert deal.seat == int(seat), (action, deal.history)
        deal.apply(name)
    return deal


# ------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("bouillotte", {}),
        ("bouillotte4", {"no_such": 1}),
        ("bouillotte4", {"direction": "up"}),
        ("bouillotte4", {"players": 6}),
        ("bouillotte4", {"players": 1}),
        ("bouillotte4", {"ranks": "AKQ"}),
        ("bouillotte4", {"players": True}),
        ("bouillotte4", {"ranks": "KAQ98"}),
        ("bouillotte4", {"ranks": "AKQ88"}),
        ("bouillotte4", {"ranks": "AKQ95"}),
        ("bouillotte4", {"ranks": 5}),
        ("bouillotte4", {"ante": -1}),
        ("bouillotte4", {"cave": 0}),
        ("bouillotte4", {"raise_min": 0}),
        ("bouillotte4", {"carre_buyback": 1}),
        ("bouillotte4", {"favori_rank": "5"}),
        ("saint_james", {"mistigri_card": "JC"}),
        ("saint_james", {"mistigri_card": "by_pack", "ranks": "AKJT98"}),
    ],
)
def test_refused_options(preset, changes):
    with pytest.raises(ValueError):
        make_options(preset, changes)


def test_options_that_go_together():
    assert make_options("saint_james", {"mistigri_card": "by_pack"})["mistigri_card"] == "by_pack"  # the queen
    assert make_options("saint_james", {"mistigri": False, "mistigri_card": "JC"})["saint_james"]
    assert make_options("bouillotte3", {"players": 5})["players"] == 5  # 16 cards are just enough
    for preset in PRESETS:
        options = make_options(preset)
        assert set(options) == set(DEFAULTS) and 4 * len(options["ranks"]) > 3 * options["players"]
    assert all(DEFAULTS[name] in values for name, values in CHOICES.items())
    assert make_options() == DEFAULTS


def test_action_numbers():
    """Section 4: 7 + S numbers, both ways."""
    names = [action_name(number) for number in range(67)]
    assert len(set(names)) == 67 and [action_id(name) for name in names] == list(range(67))
    assert names[:7] == ["PASS", "FOLD", "CALL", "NO_CARRE", "CARRE", "TALON_FIRST", "TALON_LAST"] and names[7] == "STAKE_TO 1"


def test_illegal_actions_are_refused():
    deal = dealt()
    for name in ("PASS", "CALL", "STAKE_TO 3", "TALON_FIRST", ""):
        with pytest.raises(ValueError):
            deal.apply(name)
    deal.apply("NO_CARRE")
    for name in ("FOLD", "CALL", "CARRE", "STAKE_TO 0", "STAKE_TO 31"):
        with pytest.raises(ValueError):
            deal.apply(name)
    assert deal.history == [(0, "NO_CARRE")]


@pytest.mark.parametrize(
    "wrong",
    [{"stacks": [0, 30, 30, 30]}, {"dealer": 3, "seats": [0, 1, 2]}, {"seats": [3]}],
)
def test_impossible_starts_are_refused(wrong):
    with pytest.raises(ValueError):
        Deal(make_options(), dealt().deck, wrong.pop("dealer", 3), **wrong)
    with pytest.raises(ValueError):
        Deal(make_options(), dealt().deck[1:], 3)


# ------------------------------------------------------------------ deal and ante (3, 4.1)


def test_cards_go_one_at_a_time():
    deck = [rank + suit for rank in "AKQ98" for suit in "SHDC"]
    deal = Deal(make_options(), deck, 1)
    assert deal.order == [2, 3, 0, 1] and deal.hands[2] == ("AS", "KS", "QS") and deal.hands[1] == ("AC", "KC", "QC")
    assert deal.retourne == "9S" and deal.talon == ["9H", "9D", "9C", "8S", "8H", "8D", "8C"]
    left = Deal(make_options("bouillotte4", {"direction": "left"}), deck, 1)
    assert left.order == [0, 3, 2, 1] and left.hands[0] == ("AS", "KS", "QS")
    three = Deal(make_options(), deck, 1, seats=[0, 1, 3], stacks=[9, 9, 0, 9])
    assert Deal(make_options(), deck, 1, seats=[0, 1, 3]).start["stacks"] == (30, 30, 0, 30)
    assert three.order == [3, 0, 1] and three.hands[3] == ("AS", "AC", "KD") and three.retourne == "QH"


@pytest.mark.parametrize(
    ("changes", "start", "stakes"),
    [
        ({}, {}, [0, 0, 0, 1]),
        ({"ante": 4}, {"stacks": [30, 30, 30, 3]}, [0, 0, 0, 3]),
        ({"ante_mode": "all", "ante": 4}, {"stacks": [3, 30, 30, 30]}, [3, 4, 4, 4]),
        ({"ante_mode": "all_plus_dealer", "ante": 4}, {"stacks": [30, 2, 30, 7]}, [4, 2, 4, 7]),
        ({"ante_mode": "all_plus_dealer", "ante": 4, "stake_cap": 5}, {}, [4, 4, 4, 5]),
        ({}, {"carried": [3, 0, 0, 2]}, [0, 0, 0, 1]),
        ({"pass_out": "double"}, {"carried": [3, 0, 0, 2]}, [0, 0, 0, 5]),
        ({"pass_out": "double", "ante": 7}, {"carried": [3, 0, 0, 2]}, [0, 0, 0, 7]),
        ({"pass_out": "double"}, {"carried": [3, 0, 0, 2], "stacks": [9, 9, 9, 4]}, [0, 0, 0, 4]),
        ({"pass_out": "double", "ante_mode": "all"}, {"carried": [3, 0, 0, 2]}, [1, 1, 1, 1]),
    ],
)
def test_antes(changes, start, stakes):
    deal = dealt(changes, **start)
    assert deal.stakes == stakes and deal.pot == sum(stakes) + sum(start.get("carried", ()))


# ------------------------------------------------------------------ carre (4.2)


def test_able():
    assert dealt().phase == "BLIND"
    assert dealt(stacks=[2, 30, 30, 30], carried=[0, 1, 0, 0]).menu() == {"NO_CARRE": True, "CARRE": 2}
    assert dealt(stacks=[2, 30, 30, 30], carried=[0, 2, 0, 0]).phase == "OPENING"
    assert dealt({"tapissier_threshold": 2}, stacks=[2, 30, 30, 30]).phase == "OPENING"
    assert dealt({"stake_cap": 3}, ["0:CARRE"], carried=[0, 2, 0, 0]).history == [(0, "CARRE")]  # 3 of 3; the pot is 6
    assert dealt({"stake_cap": 3}, carried=[0, 3, 0, 0]).phase == "OPENING"
    assert dealt({"ante_mode": "all", "stake_cap": 4}).phase == "OPENING"  # 1 + 4 > 4
    deal = dealt({"ante_mode": "all", "stake_cap": 5}, ["0:CARRE"])
    assert deal.stakes == [5, 1, 1, 1] and deal.phase == "OPENING" and deal.seat == 1


def test_only_the_next_in_order_may_carre():
    """A seat that is not able ends the phase, also if those behind it are."""
    deal = dealt({"carre_max": 3}, ["0:CARRE"], stacks=[30, 1, 30, 30])
    assert (deal.phase, deal.seat, deal.last, deal.doublings) == ("OPENING", 2, 0, 1)
    assert deal.history == [(0, "CARRE"), (1, "PASS")] and deal.knows(0)["tapissier"] == (False, True, False, False)
    assert dealt({"carre_mode": "none"}).phase == dealt({"carre_max": 0}).phase == "OPENING"


def test_carres_up_to_the_dealer():
    deal = dealt({"carre_max": 7}, ["0:CARRE", "1:CARRE", "2:CARRE", "3:CARRE"])
    assert deal.stakes == [1, 2, 4, 9] and deal.phase == "OPENING" and (deal.seat, deal.last) == (0, 3)


def test_buyback():
    """4.2, word for word: the displaced first, then the next in order; a buy-back swaps, a new carre displaces."""
    changes = {"carre_max": 4, "carre_buyback": True, "stake_cap": 100, "cave": 100}
    deal = dealt(changes, ["0:CARRE", "1:CARRE"])
    assert (deal.seat, deal.displaced, deal.last, deal.menu()["CARRE"]) == (0, 0, 1, 4)
    bought = dealt(changes, ["0:CARRE", "1:CARRE", "0:CARRE"])
    assert (bought.seat, bought.displaced, bought.last, bought.menu()["CARRE"]) == (1, 1, 0, 8)
    refused = dealt(changes, ["0:CARRE", "1:CARRE", "0:CARRE", "1:NO_CARRE"])
    assert (refused.phase, refused.seat, refused.last) == ("BLIND", 2, 0)
    third = dealt(changes, ["0:CARRE", "1:CARRE", "0:CARRE", "1:NO_CARRE", "2:CARRE"])
    assert (third.phase, third.last, third.displaced, third.doublings) == ("OPENING", 2, 0, 4)
    assert third.seat == 3 and third.stakes == [5, 2, 8, 1]
    new = dealt(changes, ["0:CARRE", "1:CARRE", "0:NO_CARRE", "2:CARRE"])
    assert (new.seat, new.displaced, new.last) == (1, 1, 2)
    end = dealt(changes, ["0:CARRE", "1:CARRE", "0:NO_CARRE", "2:NO_CARRE"])
    assert (end.phase, end.last, end.seat) == ("OPENING", 1, 2)
    poor = dealt(changes, ["0:CARRE", "1:CARRE"], stacks=[4, 100, 100, 100])  # 3 left, the pot is 4
    assert (poor.phase, poor.seat) == ("BLIND", 2)


def test_forced_first():
    deal = dealt({"carre_mode": "forced_first"})
    assert deal.history == [(0, "CARRE")] and deal.chosen == [] and (deal.phase, deal.seat) == ("BLIND", 1)
    deal = dealt({"carre_mode": "forced_first"}, ["1:CARRE"])
    assert deal.stakes == [1, 2, 0, 1] and deal.last == 1 and deal.seat == 2
    deal = dealt({"carre_mode": "forced_first"}, stacks=[1, 30, 30, 30])
    assert deal.last is None and deal.history == [(0, "PASS")] and (deal.phase, deal.seat) == ("OPENING", 1)


# ------------------------------------------------------------------ opening (4.4)


def test_speaking_order():
    deal = dealt({"carre_max": 1}, ["0:CARRE", "1:PASS", "2:PASS"])
    assert deal.seat == 3 and deal.menu() == {"PASS": True, "STAKE_TO": [2, 30]}
    deal.apply("PASS")
    assert deal.end == "carre_take" and deal.winner == 0 and deal.net == [1, 0, 0, -1]
    assert dealt({"carre_max": 1, "direction": "left"}, ["2:CARRE"]).seat == 1


def test_all_in_carreur_is_skipped_and_takes():
    """4.4: he has no decision, the pot is his all the same; others that pass count as folded."""
    deal = dealt(None, ["0:CARRE", "1:CARRE", "2:PASS", "3:PASS", "0:PASS"], stacks=[30, 2, 30, 30])
    assert deal.end == "carre_take" and deal.winner == 1 and deal.net == [-1, 2, 0, -1]
    antes = {"ante_mode": "all", "ante": 2, "carre_mode": "none", "passe_parole": False}
    deal = dealt(antes, ["1:PASS", "2:STAKE_TO 3", "3:FOLD"], stacks=[2, 30, 30, 30])
    assert deal.end == "showdown" and deal.folded == {1, 3} and deal.history == deal.chosen  # seat 0 did not pass
    deal = dealt(None, ["0:CARRE", "1:CARRE"], stacks=[30, 2, 30, 30])
    assert deal.knows(0)["all_in"] == (False, True, False, False) and deal.knows(0)["tapissier"] == (False,) * 4


def test_carre_take_with_an_all_in_seat_is_a_showdown():
    deal = dealt({"carre_max": 3}, ["0:CARRE", "1:CARRE", "2:CARRE", "3:PASS", "0:PASS"], stacks=[30, 2, 30, 30])
    assert deal.end == "showdown" and deal.layers == [(6, 1), (2, 2)]  # spades 40, hearts 37
    assert deal.folded == {0, 3} and deal.net == [-1, 4, -2, -1]
    deal = dealt(None, ["0:CARRE", "1:CARRE", "3:PASS", "0:PASS"], stacks=[30, 30, 1, 30])
    assert deal.end == "carre_take" and deal.folded == {0, 2, 3}  # a tapissier that passed is not all-in


def test_pass_out_with_an_all_in_seat():
    """4.7: he has no claim but the refund."""
    actions = ["0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS"]
    deal = dealt({"ante": 5}, actions, stacks=[30, 30, 30, 4])
    assert deal.end == "pass_out" and deal.carried == [0, 0, 0, 4] and deal.net == [0, 0, 0, -4] and deal.returns() == [0] * 4


def test_interval_of_openings():
    def interval(changes, stacks=None, carried=None, actions=("0:NO_CARRE",)):
        return dealt(changes, actions, stacks=stacks, carried=carried).interval

    assert interval({"ante": 5}) == (5, 30) and interval({"ante_mode": "all"}) == (2, 30)
    assert interval({"open_min": "pot", "ante_mode": "all"}) == (5, 30)  # stake 1, pot 4
    assert interval({"open_min": "pot"}, carried=[2, 0, 0, 0]) == (3, 30)
    assert interval({"raise_fee": 3}) == (1, 27) and interval({"stake_cap": 9}) == (1, 9)
    assert interval({"raise_increment_max": 4}) == (1, 5)
    assert interval({"raise_increment_max": 4, "open_min": "pot", "ante": 3}, carried=[4, 0, 0, 0]) == (7, 7)
    assert interval({"raise_increment_max": 4, "open_min": "pot", "ante": 3}, carried=[5, 0, 0, 0]) == (8, 8)


def test_who_cannot_open_passes_by_himself():
    deal = dealt({"ante": 5}, stacks=[4, 30, 30, 30], carried=[1, 0, 0, 0])
    assert deal.history == [(0, "PASS")] and deal.seat == 1 and deal.knows(2)["passed"] == (True, False, False, False)
    deal.apply("STAKE_TO 5")
    for seat in (2, 3):
        assert deal.seat == seat
        deal.apply("CALL")
    assert deal.seat == 0 and deal.menu() == {"FOLD": True, "CALL": 4}  # he may come back, and be short
    deal.apply("CALL")
    assert deal.end == "showdown" and deal.layers == [(17, 0), (3, 1)]


def test_passe_parole_false():
    """Any pass is a fold but a tapissier's; the last speaks even if all others have folded, and wins unanswered."""
    changes = {"passe_parole": False}
    deal = dealt(changes, ["0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS"])
    assert deal.seat == 3 and deal.menu() == {"PASS": True, "STAKE_TO": [2, 30]} and deal.folded == {0, 1, 2}
    deal.apply("STAKE_TO 7")
    assert deal.end == "uncontested" and deal.layers == [(7, 3)] and deal.net == [0] * 4
    out = dealt(changes, ["0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS", "3:PASS"])
    assert out.end == "pass_out" and out.carried == [0, 0, 0, 1]
    deal = dealt({**changes, "ante": 5}, ["1:STAKE_TO 6", "2:FOLD"], stacks=[4, 30, 30, 30], carried=[1, 0, 0, 0])
    assert deal.folded == {0, 2}
    deal.apply("FOLD")
    assert deal.end == "uncontested"
    deal = dealt(changes, ["1:STAKE_TO 4", "2:FOLD", "3:FOLD"], stacks=[1, 30, 30, 30])  # seat 0 is a tapissier
    assert deal.end == "showdown" and deal.history[-1] == (0, "CALL")


def test_fees():
    changes = {"pass_fee": 4, "raise_fee": 3}
    deal = dealt(changes, ["0:NO_CARRE", "0:PASS", "1:PASS"], stacks=[30, 4, 30, 30])
    assert deal.dead == [4, 0, 0, 0] and deal.stacks == [26, 4, 30, 29] and deal.pot == 5  # 4 is not more than the fee
    deal.apply("STAKE_TO 5")
    assert deal.dead == [4, 0, 3, 0] and deal.stakes == [0, 0, 5, 1] and deal.stacks[2] == 22
    assert deal.seat == 3 and deal.interval == (6, 27)  # stake 1, stack 29, fee 3
    deal.apply("STAKE_TO 27")
    assert deal.stacks[3] == 0 and deal.seat == 0 and deal.menu() == {"FOLD": True, "CALL": 26}
    for name in ("FOLD", "FOLD", "FOLD"):
        deal.apply(name)
    assert deal.end == "uncontested" and deal.layers == [(42, 3)] and deal.net == [-4, 0, -8, 12]
    out = dealt(changes, ["0:NO_CARRE", "0:PASS", "1:PASS", "2:PASS", "3:PASS"])
    assert out.carried == [4, 4, 4, 5] and out.net == [-4, -4, -4, -5]
    assert dealt(changes, stacks=[3, 30, 30, 30], carried=[3, 0, 0, 0]).history == [(0, "PASS")]  # 3 - 3 < 1: no fee for it
    assert dealt(changes, stacks=[3, 30, 30, 30], carried=[3, 0, 0, 0]).dead == [0] * 4
    one = dealt({"pass_fee": 1, "open_min": "pot", "carre_max": 0}, ["0:PASS"], stacks=[5, 30, 30, 30], carried=[4, 0, 0, 0])
    assert one.history == [(0, "PASS")] == one.chosen and one.dead == [1, 0, 0, 0]  # one opening alone was possible


# ------------------------------------------------------------------ betting (4.5)


def test_tapissier_is_tested_at_every_turn():
    """He who has one jeton left after a bet is committed."""
    actions = ["0:NO_CARRE", "0:STAKE_TO 5", "1:CALL", "2:STAKE_TO 8", "3:FOLD", "0:FOLD"]
    deal = dealt(None, actions, stacks=[30, 6, 30, 30])
    assert deal.end == "showdown" and deal.history[-1] == (1, "CALL") and deal.final["stakes"] == (5, 6, 8, 1)
    deal = dealt({"tapissier_threshold": 0}, actions, stacks=[30, 6, 30, 30])
    assert deal.seat == 1 and deal.menu() == {"FOLD": True, "CALL": 1}
    three = {"tapissier_threshold": 3}
    deal = dealt(three, ["0:NO_CARRE", "0:STAKE_TO 2", "1:STAKE_TO 4"], stacks=[30, 30, 3, 30])
    assert (deal.seat, deal.stacks[2], deal.stakes[2]) == (3, 0, 3)
    deal = dealt(three, ["0:NO_CARRE", "0:STAKE_TO 1", "1:STAKE_TO 2"], stacks=[30, 30, 3, 30])
    assert (deal.seat, deal.stacks[2], deal.stakes[2]) == (3, 1, 2)


def test_calls_that_are_no_decisions():
    """Nothing due and nobody who could answer a raise."""
    deal = dealt(None, ["0:STAKE_TO 2", "1:FOLD", "2:FOLD"], stacks=[2, 30, 30, 30], carried=[2, 0, 0, 0])
    assert deal.seat == 3 and deal.menu() == {"FOLD": True, "CALL": 1}
    deal = dealt({"ante": 2}, ["0:STAKE_TO 2", "1:FOLD", "2:FOLD"], stacks=[2, 30, 30, 30], carried=[2, 0, 0, 0])
    assert deal.end == "showdown" and deal.history[-1] == (3, "CALL") and deal.chosen[-1] == (2, "FOLD")


def test_raises():
    start = ["0:NO_CARRE", "0:STAKE_TO 5"]
    assert dealt({"raise_min": 4}, start).interval == (9, 30)
    assert dealt({"raise_min": 4}, start, stacks=[30, 8, 30, 30]).menu() == {"FOLD": True, "CALL": 5}
    low = ["0:NO_CARRE", "0:STAKE_TO 4"]
    assert dealt({"raise_increment_max": 3}, low).interval == (5, 7)
    assert dealt({"raise_increment_max": 3, "raise_min": 4}, low).interval is None
    assert dealt({"raise_fee": 2}, start).interval == (6, 28)
    assert dealt({"stake_cap": 5}, start).interval is None
    limited = {"max_raises": 2}
    assert dealt(limited, [*start, "1:STAKE_TO 6"]).interval == (7, 30)
    assert dealt(limited, [*start, "1:STAKE_TO 6", "2:STAKE_TO 7"]).menu() == {"FOLD": True, "CALL": 6}
    short = dealt(None, [*start, "1:FOLD", "2:FOLD"], stacks=[6, 30, 30, 30])
    assert short.interval == (6, 30)  # the opener has one jeton more
    poor = dealt(None, [*start, "1:FOLD"], stacks=[5, 30, 30, 5])
    assert poor.menu() == {"FOLD": True, "CALL": 5}  # the dealer has four jetons more and owes four
    assert dealt(None, [*start, "1:FOLD"], stacks=[5, 30, 30, 6]).interval == (6, 30)
    assert dealt(None, start, stacks=[30, 6, 30, 30]).interval == (6, 6)
    deal = dealt(None, [*start, "1:STAKE_TO 6", "2:FOLD", "3:FOLD", "0:STAKE_TO 30"])
    assert (deal.aggressor, deal.opener, deal.raises) == (0, 0, 2) and deal.menu() == {"FOLD": True, "CALL": 24}


def test_queue_is_rebuilt_by_a_raise():
    start = ["0:NO_CARRE", "0:PASS", "1:STAKE_TO 3", "2:CALL", "3:FOLD"]
    deal = dealt(None, [*start, "0:STAKE_TO 9", "1:CALL", "2:STAKE_TO 12", "0:CALL", "1:CALL"])
    assert deal.end == "showdown" and deal.final["stakes"] == (12, 12, 12, 1) and deal.layers == [(37, 0)]
    deal = dealt(None, [*start, "0:CALL"])
    assert deal.end == "showdown"  # the opener is not asked again


def test_callers_may_reopen():
    changes, start = {"callers_may_reopen": True}, ["0:NO_CARRE", "0:STAKE_TO 2"]
    deal = dealt(changes, [*start, "1:CALL", "2:CALL", "3:FOLD", "1:CALL", "2:STAKE_TO 4"])
    assert deal.seat == 0 and deal.menu() == {"FOLD": True, "CALL": 2, "STAKE_TO": [5, 30]}  # the old aggressor answers
    deal.apply("CALL")
    deal.apply("CALL")
    assert deal.seat == 0 and deal.menu() == {"CALL": 0, "STAKE_TO": [5, 30]}  # again, behind the new aggressor
    deal.apply("CALL")
    deal.apply("CALL")
    assert deal.end == "showdown" and deal.final["stakes"] == (4, 4, 4, 1)
    assert dealt(changes, [*start, "1:CALL", "2:FOLD", "3:FOLD"]).end == "showdown"  # only two are in
    deal = dealt(changes, [*start, "1:CALL", "2:CALL", "3:FOLD"], stacks=[30, 3, 30, 30])
    assert deal.seat == 2  # the tapissier has no extra turn
    deal = dealt({**changes, "max_raises": 1}, [*start, "1:STAKE_TO 4", "2:CALL", "3:FOLD", "0:CALL"])
    assert deal.end == "showdown" and deal.history[-2:] == [(2, "CALL"), (0, "CALL")] and len(deal.chosen) == 6


# ------------------------------------------------------------------ ladder (4.8)


def test_ladder_is_a_choice_of_exact_stakes():
    deal = dealt({"action_abstraction": "ladder"}, ["0:NO_CARRE", "0:STAKE_TO 5"])
    assert deal.ladder() == [6, 10, 15, 11, 16, 27, None, 30] and deal.interval == (6, 30)
    assert deal.legal() == ["FOLD", "CALL", *(f"STAKE_TO {t}" for t in (6, 10, 11, 15, 16, 27, 30))]
    assert deal.ids() == {
        1: "FOLD", 2: "CALL", 7: "STAKE_TO 6", 8: "STAKE_TO 10", 9: "STAKE_TO 15", 10: "STAKE_TO 11", 11: "STAKE_TO 16",
        12: "STAKE_TO 27", 14: "STAKE_TO 30",
    }  # fmt: skip
    assert dealt({"action_abstraction": "ladder"}).ids() == {3: "NO_CARRE", 4: "CARRE"}
    late = dealt(None, ["0:NO_CARRE", "0:STAKE_TO 5", "1:FOLD", "2:FOLD"])
    assert late.pot == 6 and late.ladder() == [6, 10, 15, None, None, 25, 16, 30]  # need 4 of 1: pots 10, 10, 15
    first = dealt(None, ["0:NO_CARRE"])
    assert first.ladder() == [1, 5, 10, None, 2, 4, 15, 30]  # the dealer's jeton is to be matched
    owed = dealt({"ante_mode": "all"}, ["0:NO_CARRE"])
    assert owed.ladder() == [2, 6, 11, 3, 5, 9, 16, 30]  # nothing is
    with pytest.raises(ValueError):
        deal.apply("STAKE_TO 7")
