"""Bouillotte twin: categories of hands, the contest of one layer, the layers of a pot, brelan payments (section 5)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .bouillotte_rules import RANKS, SUITS, VALUES, mistigri_of

STRENGTH = {  # column rank of 5.1
    "carre": 7,
    "st_james_carre": 6,
    "mistigri_carre": 5,
    "simple": 4,
    "st_james": 3,
    "mistigri": 2,
    "favori_pair": 1,
    "point": 0,
}
ORDERS = {"ace_high": RANKS, "jack_high": "JAKQT9876"}
COLOUR = {"S": "black", "C": "black", "H": "red", "D": "red"}


# ------------------------------------------------------------------ categories (5.1)


class Category(NamedTuple):
    name: str
    rank: str | None = None  # of the equal cards


def natural_brelan(hand) -> bool:
    return len({card[0] for card in hand}) == 1


def pair_beside(hand, card: str, colours: str) -> str | None:
    """Rank of the other two cards if `card` is in the hand and they are a pair that fits the option."""
    others = [other for other in hand if other != card]
    if len(others) != 2 or others[0][0] != others[1][0]:
        return None
    if colours == "same_colour" and COLOUR[others[0][1]] != COLOUR[others[1][1]]:
        return None
    return others[0][0]


def category(options: dict, hand, retourne: str) -> Category:
    """The first line of the table that fits, before any card of the talon."""
    if not options["brelan_enabled"]:
        return Category("point")
    turned = retourne[0]
    if natural_brelan(hand):
        rank = hand[0][0]
        return Category("carre" if rank == turned else "simple", rank)
    wild = []
    if options["saint_james"]:
        wild.append(("st_james", "JC", options["st_james_pair"]))
    if options["mistigri"]:
        wild.append(("mistigri", mistigri_of(options), options["mistigri_pair"]))
    for name, card, colours in wild:
        rank = pair_beside(hand, card, colours)
        if rank is not None:
            return Category(name + "_carre" if rank == turned else name, rank)
    if options["favori_rule"] == "pair_retourne" and [card[0] for card in hand].count(turned) == 2:
        return Category("favori_pair", turned)
    return Category("point")


def strength(options: dict, found: Category) -> tuple[int, int]:
    """The larger, the stronger."""
    if found.rank is None:
        return STRENGTH[found.name], 0
    return STRENGTH[found.name], -ORDERS[options["brelan_order"]].index(found.rank)


def pay(options: dict, found: Category, retourne: str) -> int:
    """Jetons due from one ordinary payer."""
    if found.name == "point":
        return 0
    if found.name == "favori_pair":
        return options["pay_simple"]
    if found.name == "simple":
        rule = options["favori_rule"]
        turned = rule == "queen_turned" and retourne[0] == "Q"
        declared = rule == "declared_rank" and found.rank == options["favori_rank"]
        return options["pay_favori" if turned or declared else "pay_simple"]
    return options["pay_" + found.name]


# ------------------------------------------------------------------ contest of one layer (5.3)


class Contest(NamedTuple):
    winner: int
    numbers: dict[int, int]  # by seat, of the step that decided; empty if a brelan did
    totals: dict[str, int]  # T by suit
    decided: str  # brelan, point, privilege


def suit_totals(options: dict, hands: dict, retourne: str) -> dict[str, int]:
    """T: cards of all dealt hands, and the retourne if it counts."""
    total = dict.fromkeys(SUITS, 0)
    for hand in hands.values():
        if options["brelan_enabled"] and options["brelan_locks_cards"] and natural_brelan(hand):
            continue
        for card in hand:
            total[card[1]] += VALUES[card[0]]
    if options["retourne_counts"]:
        total[retourne[1]] += VALUES[retourne[0]]
    return total


def holder_of_highest(hands: dict, seats, suit: str) -> int | None:
    """Who of the seats holds the highest of their cards of the suit."""
    held = [(RANKS.index(card[0]), seat) for seat in seats for card in hands[seat] if card[1] == suit]
    return min(held)[1] if held else None


def own_sum(hand, suit: str) -> int:
    return sum(VALUES[card[0]] for card in hand if card[1] == suit)


def collected(totals: dict, hands: dict, eligible) -> dict[int, int]:
    numbers = dict.fromkeys(eligible, 0)
    for suit in SUITS:
        owner = holder_of_highest(hands, eligible, suit)
        if owner is not None:
            numbers[owner] = max(numbers[owner], totals[suit])
    return numbers


def parlett(totals: dict, hands: dict, eligible) -> dict[int, int]:
    """Numbers of the step that decides: T for those who hold the top of a best suit, else own cards of other suits."""
    most = max(totals.values())
    best = [suit for suit in SUITS if totals[suit] == most]
    owners = {holder_of_highest(hands, hands, suit) for suit in best}
    if owners & set(eligible):
        return {seat: most if seat in owners else 0 for seat in eligible}
    rest = [suit for suit in SUITS if suit not in best]
    return {seat: max((own_sum(hands[seat], suit) for suit in rest), default=0) for seat in eligible}


def own_hand(options: dict, hands: dict, retourne: str, eligible) -> dict[int, int]:
    numbers = {}
    for seat in eligible:
        sums = {suit: own_sum(hands[seat], suit) for suit in SUITS}
        if options["retourne_counts"] and sums[retourne[1]]:
            sums[retourne[1]] += VALUES[retourne[0]]
        numbers[seat] = max(sums.values())
    return numbers


def contest(options: dict, order, hands: dict, retourne: str, eligible, categories=None) -> Contest:
    """Who wins a layer. `hands` of all dealt seats, `order` = first hand, ..., dealer, `categories` as after TALON."""
    if categories is None:
        categories = {seat: category(options, hands[seat], retourne) for seat in hands}
    by_privilege = [seat for seat in order if seat in eligible]
    totals = suit_totals(options, hands, retourne)
    with_brelan = [seat for seat in by_privilege if categories[seat].name != "point"]
    if with_brelan:
        winner = max(with_brelan, key=lambda seat: strength(options, categories[seat]))
        return Contest(winner, {}, totals, "brelan")
    if options["point_rule"] == "collect":
        numbers = collected(totals, hands, by_privilege)
    elif options["point_rule"] == "parlett":
        numbers = parlett(totals, hands, by_privilege)
    else:
        numbers = own_hand(options, hands, retourne, by_privilege)
    winner = max(by_privilege, key=lambda seat: numbers[seat])  # the first of the largest
    tied = Counter(numbers.values())[numbers[winner]] > 1
    return Contest(winner, numbers, totals, "privilege" if tied else "point")


# ------------------------------------------------------------------ pots (5.2)


def pot_layers(stakes: dict, unfolded, extra: int) -> list[tuple[int, list[int]]]:
    """(amount, contestants) from the lowest; `stakes` of all seats, `extra` = fees and carried jetons."""
    if len(unfolded) == 1:
        return [(sum(stakes.values()) + extra, list(unfolded))]
    layers, below = [], 0
    for top in sorted({stakes[seat] for seat in unfolded}):
        amount = sum(min(max(stake - below, 0), top - below) for stake in stakes.values())
        layers.append([amount, [seat for seat in unfolded if stakes[seat] >= top]])
        below = top
    layers[0][0] += extra
    layers[-1][0] += sum(max(stake - below, 0) for stake in stakes.values())  # folded jetons above all
    return [(amount, contestants) for amount, contestants in layers]


# ------------------------------------------------------------------ brelan payments (5.4)


def brelan_payments(options: dict, order, categories: dict, retourne: str, stacks, folded) -> list[tuple[int, int, int]]:
    """Moves the jetons in `stacks`; returns (payer, holder, amount) in turn. `order` = all dealt seats by privilege."""
    holders = [seat for seat in order if categories[seat].name != "point"]
    holders.sort(key=lambda seat: strength(options, categories[seat]), reverse=True)  # a stable sort: privilege
    pays = {seat: pay(options, categories[seat], retourne) for seat in order}
    entries = []
    for place, holder in enumerate(holders):
        for payer in order:
            if payer == holder or (options["brelan_payers"] == "live" and payer in folded):
                continue
            due = pays[holder]
            if payer in holders:
                if options["brelan_cross"] == "cancel":
                    due = max(0, due - pays[payer])
                elif options["brelan_cross"] == "higher_exempt" and holders.index(payer) < place:
                    due = 0
            if due > 0:
                amount = min(due, stacks[payer])
                stacks[payer] -= amount
                stacks[holder] += amount
                entries.append((payer, holder, amount))
    return entries
