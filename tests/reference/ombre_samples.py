"""Ombre twin, for its tests: deals at hand, options, decks and players at random, and what every deal must keep."""

from __future__ import annotations

import random

from . import ombre_rules as rules
from .ombre import CARDS, PRESETS, Deal, make_deck, make_options

ROCAMBOLE = [name for name in PRESETS if "rocambole" in name]

VALUES = {
    "bids": [("ENTRADA",), ("VUELTA",), ("SOLO",), ("ENTRADA", "VUELTA"), rules.MAIN_BIDS],
    "auction": ["hold", "one_round"],
    "all_pass": ["casco", "pass_out", "spadille", "casco_then_spadille"],
    "casco_lesser_keep": ["black_ace", "any"],
    "min_exchange_ombre": [0, 1],
    "max_exchange": [8, 9],
    "second_leave_min": [0, 3, 5, 9, 13],
    "handover": [True, False],
    "defenders_exchange": [True, True, False],
    "solo_defenders_exchange": [True, False],
    "talon_rest": ["hidden", "last_may_show"],
    "ante_mode": ["all_when_empty", "all_every_deal", "dealer_every_deal"],
    "ante": [0, 3, 5],
    "dealer_ante": [0, 4],
    "paid_pass": [0, 1, 2],
    "paid_pass_casco": [True, False],
    "pass_out_each": [0, 2, 3],
    "bete_cap": [0, 5, 54],
    "bete_min": [0, 4, 10],
    "bete_pool": ["merged", "queue"],
    "codille_award": ["pot", "none"],
    "prem": [{"ENTRADA": 1}, {"SOLO": 0}, {"CASCO_LESSER": 2, "VUELTA": 2}],
    "matador_premium": [True, False],
    "first_five_stop": [True, False],
    "premiers_value": [0, 1],
    "vole_value": [0, 6, 25],
    "vole_defenders_see": [True, False],
    "surrender": ["none", "before_trick2_covered", "before_trick4_card"],
    "stop_when_decided": [True, False],
}
MATCH_VALUES = {
    "tour1_rule": ["cumulative_tricks", "single_deal_tricks"],
    "tour1_tricks": [5, 7],
    "tour1_max_deals": [2, 12],
    "tour2_deals": [1, 4, 10],
    "kon_contribution": [0, 4],
    "kon_rule": ["both", "kon_only"],
    "tour3_until_taken": [True, False],
    "tour3_max_deals": [2, 5],
    "parts": [1, 2],
}


def random_options(rng: random.Random, presets=tuple(PRESETS)) -> dict:
    preset = rng.choice(presets)
    values = VALUES | (MATCH_VALUES if preset in ROCAMBOLE else {})
    changes = {name: rng.choice(options) for name, options in values.items() if rng.random() < 0.3}
    if rng.random() < 0.2:
        changes |= {"bete_rule": "fixed", "bete_fixed": rng.choice([0, 2, 20])}
    return make_options(preset, changes)


def some_options(number: int, rng: random.Random) -> dict:
    """A preset as it is, or options at random."""
    return make_options(list(PRESETS)[number // 2 % len(PRESETS)]) if number % 2 else random_options(rng)


def shuffled(rng: random.Random) -> list[str]:
    deck = list(CARDS)
    rng.shuffle(deck)
    return deck


def strong_deck(rng: random.Random, dealer: int) -> list[str]:
    """Some seat has six to nine of the best trumps of a suit."""
    trump = rng.choice(rules.SUITS)
    good = rules.trump_order(trump)[: rng.randint(6, 9)]
    rest = [card for card in shuffled(rng) if card not in good]
    hands = [good + rest[: 9 - len(good)], rest[9:18], rest[18:27]]
    turn = rng.randrange(3)
    return make_deck(hands[turn:] + hands[:turn], rest[27:] + rest[9 - len(good) : 9], dealer)


def random_deal(number: int, rng: random.Random, auto: bool = True) -> Deal:
    options = some_options(number, rng)
    start = {"pot": rng.choice([0, 0, 9, 40]), "queue": rng.choice([(), (9, 27, 18)])}
    if rules.is_rocambole(options):
        start |= {"tour": rng.choice([1, 2, 3]), "kon": rng.choice([0, 40]), "first_of_tour": rng.random() < 0.5}
    deck = strong_deck(rng, number % 3) if rng.random() < 0.4 else shuffled(rng)
    return Deal(options, deck, number % 3, **start, auto=auto)


def chooser(rng: random.Random):
    """Random play. In some deals all pass at first; in some exchanges stop early, or who is strong plays and leads high."""
    style = rng.randrange(4)

    def choose(deal: Deal) -> str:
        legal = deal.legal()
        if style == 1 and deal.phase == "AUCTION":
            return "PASS"
        if style == 2 and "DONE" in legal and rng.random() < 0.5:
            return "DONE"
        if style == 3:
            return strong_play(deal, rng)
        return rng.choice([n for n in legal if n != "SURRENDER"] if rng.random() < 0.8 else legal)

    return choose


def best_suit(hand) -> tuple[int, str]:
    """The suit with the longest run of trumps from Spadille, and its length."""
    return max((rules.matador_run(trump, hand), trump) for trump in rules.SUITS)


def strong_play(deal: Deal, rng: random.Random) -> str:
    legal = deal.legal()
    run, trump = best_suit(deal.hands[deal.seat])
    if deal.phase == "AUCTION":
        return "SOLO" if run > 3 and "SOLO" in legal else "PASS" if run < 4 else rng.choice(legal)
    if deal.phase in ("NAME_TRUMP", "PREMIERS"):
        return f"TRUMP_{trump}" if deal.phase == "NAME_TRUMP" else rng.choice(legal)
    if deal.phase == "PLAY" and deal.seat == deal.ombre:
        order = rules.trump_order(deal.trump) + list(CARDS)
        return min((c for c in legal if c in CARDS), key=order.index)
    return rng.choice(legal)


def check_cards(deal: Deal) -> None:
    places = [*deal.hands, *deal.discards, set(deal.talon), {card for _, card in deal.plays}]
    assert sorted(card for place in places for card in place) == sorted(CARDS)
    for seat in range(3):
        played = sum(1 for who, _ in deal.plays if who == seat)
        assert len(deal.hands[seat]) == 9 - played
        assert deal.hands[seat] | deal.discards[seat] >= deal.dealt[seat] - {card for _, card in deal.plays}


def check_chips(deal: Deal) -> None:
    """Section 11, the invariant: chips of the seats and on the table together stay the same."""
    assert sum(deal.delta) + deal.table.chips == deal.start_chips
    assert deal.pot >= 0 and deal.kon >= 0 and all(b >= 0 for b in deal.queue)


def most_actions(deal: Deal) -> int:
    """4.6, with LOOK; a forced spadille may be an ENTRADA after six passes."""
    look = deal.options["talon_rest"] == "last_may_show"
    if deal.contract is None:
        return 3 + 5
    most = {"SOLO": 51, "VUELTA": 49, "ENTRADA": 48}.get(deal.contract, 45)
    return most + look + (3 if deal.spadille_forced and deal.options["all_pass"] == "casco_then_spadille" else 0)


def check_end(deal: Deal) -> None:
    options = deal.options
    assert deal.outcome in rules.OUTCOMES and deal.legal() == [] and len(deal.history) <= most_actions(deal)
    assert sum(deal.returns()) == deal.start_chips
    assert (deal.ombre is None) == (deal.outcome == "PASS_OUT")
    assert (deal.codille_by is not None) == (deal.outcome == "CODILLE")
    assert deal.tricks == [winners_of(deal).count(seat) for seat in range(3)]
    if deal.outcome in ("PASS_OUT", "REFUSED"):
        assert not deal.plays and deal.run == 0
        return
    assert deal.calls == [(s, n) for s, n in deal.history if n == "PASS" or n in rules.CONTRACTS]
    assert deal.run == 0 or deal.run >= 3 and set(rules.matadors(deal.trump)) <= deal.final[deal.ombre]
    if deal.outcome == "SURRENDER":
        assert deal.history[-1] == (deal.ombre, "SURRENDER") and options["surrender"] != "none"
    elif deal.vole != "none":
        assert deal.first_five and (deal.tricks[deal.ombre] == 9) == (deal.vole == "made")
        assert deal.tricks[deal.ombre] == sum(deal.tricks) - (deal.vole == "failed")
    elif not deal.first_five:
        assert sum(deal.tricks) == 9 or (options["stop_when_decided"] and deal.tour != 1)
        assert rules.outcome_of(deal.ombre, deal.tricks) == (deal.outcome, deal.codille_by)
    if deal.vole == "none" and deal.first_five:
        assert deal.tricks[deal.ombre] == 5 == sum(deal.tricks) and deal.outcome == "WIN"
    if deal.turned:
        assert deal.turned in deal.final[deal.ombre] and deal.turned[1] == deal.trump


def winners_of(deal: Deal) -> list[int]:
    """Winner of each complete trick, from the plays."""
    out = []
    for n in range(0, len(deal.plays) - 2, 3):
        out.append(rules.trick_winner(deal.trump, deal.plays[n][0], [card for _, card in deal.plays[n : n + 3]]))
    return out


def play_on(deal: Deal, choose) -> Deal:
    while deal.seat is not None:
        deal.apply(choose(deal))
    return deal


# ------------------------------------------------------------------ deals at hand

HANDS = (
    ["AS", "3S", "4S", "7H", "QH", "KH", "5C", "6C", "7C"],
    ["2S", "5S", "6S", "KS", "2H", "3H", "AC", "QC", "KC"],
    ["7S", "JS", "QS", "4H", "5H", "6H", "AD", "2D", "3D"],
)
TALON = ["AH", "KD", "JH", "4D", "5D", "6D", "7D", "JD", "QD", "2C", "3C", "4C", "JC"]

VOLE_HANDS = (
    ["AS", "AH", "3H", "7H", "JH", "QH", "KH", "2D", "AC"],
    ["2S", "3S", "4S", "5S", "6S", "7S", "JD", "QD", "KD"],
    ["JS", "QS", "KS", "2C", "3C", "4C", "5C", "6C", "7C"],
)
VOLE_TALON = ["2H", "4H", "5H", "6H", "AD", "3D", "4D", "5D", "6D", "7D", "JC", "QC", "KC"]
TO_PREMIERS = ["SOLO", "PASS", "PASS", "TRUMP_H", "GO_FIRST", "DONE", "DONE", "AS", "2S", "2C", "7H", "3S", "3C"]
TO_PREMIERS += ["AC", "4S", "4C", "AH", "5S", "5C", "KH", "6S", "6C"]


VOLE = {"hands": VOLE_HANDS, "talon": VOLE_TALON}


def dealt(changes=None, preset="default", dealer=2, hands=HANDS, talon=TALON, actions=(), **start) -> Deal:
    """A deal with the cards of many cases, forced moves waiting, the actions played."""
    deal = Deal(make_options(preset, changes), make_deck(hands, talon, dealer), dealer, **start, auto=False)
    for name in actions:
        deal.apply(name)
    return deal
