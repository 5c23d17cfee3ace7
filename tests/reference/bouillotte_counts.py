"""Bouillotte twin: the exact counts and chances of bouillotte.md 11 and brelan.md 11.

`ranks` is a pack, `players` the seats; positions are places in the order of privilege. `all_stay` goes over sets of dealt
cards, for the suit totals and the tops depend on the set alone, and counts the hands of each by inclusion and exclusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial, perm

from .bouillotte_rules import SUITS, make_options
from .bouillotte_showdown import category, suit_totals


def deals(ranks: str, players: int) -> int:
    """Hands by seat x retourne."""
    cards = 4 * len(ranks)
    ways = 1
    for seat in range(players):
        ways *= comb(cards - 3 * seat, 3)
    return ways * (cards - 3 * players)


def all_hold(ranks: str, seats: int) -> Fraction:
    """Chance that given seats have a natural brelan each: of different ranks, one card of each left out."""
    ways = Fraction(perm(len(ranks), seats) * 4**seats)
    for seat in range(seats):
        ways /= comb(4 * len(ranks) - 3 * seat, 3)
    return ways


def brelan_chances(ranks: str, players: int) -> dict[str, Fraction]:
    cards, holding = 4 * len(ranks), [comb(players, n) * all_hold(ranks, n) for n in range(players + 1)]
    return {
        "given seat": all_hold(ranks, 1),
        "some seat": sum(-((-1) ** n) * holding[n] for n in range(1, players + 1)),
        "two or more": sum((-1) ** n * (n - 1) * holding[n] for n in range(2, players + 1)),
        "carre": players * all_hold(ranks, 1) / (cards - 3),  # the retourne is the card left out
        "carre and simple": players * (players - 1) * all_hold(ranks, 2) / (cards - 6),  # expected pairs of seats
    }


def category_chances(options: dict) -> dict[str, Fraction]:
    """Chance of each category of one hand, over all hands and retournes."""
    cards = [rank + suit for suit in SUITS for rank in options["ranks"]]
    found: dict[str, int] = {}
    for hand in combinations(cards, 3):
        for retourne in cards:
            if retourne not in hand:
                name = category(options, hand, retourne).name
                found[name] = found.get(name, 0) + 1
    return {name: Fraction(count, sum(found.values())) for name, count in found.items()}


# ------------------------------------------------------------------ nobody bets, everybody at the showdown


@dataclass
class AllStay:
    """Deals, by who wins them and how."""

    wins: list[int]  # by position
    deals: int = 0
    by_brelan: int = 0
    by_privilege: int = 0
    numbers: dict[int, int] = field(default_factory=dict)  # point deals by the winning number

    @property
    def number_sum(self) -> int:
        return sum(number * count for number, count in self.numbers.items())

    @property
    def mean_number(self) -> Fraction:
        return Fraction(self.number_sum, sum(self.numbers.values()))


def sets_of_cards(ranks: str, count: int) -> Iterator[tuple[str, list[str], int]]:
    """(retourne, dealt cards, how many such sets there are): one for all that differ by the names of the suits."""
    whole = [subset for size in range(len(ranks) + 1) for subset in combinations(ranks, size)]
    for turned in ranks:
        beside = [subset for subset in whole if turned not in subset]
        for first, others in product(beside, combinations_with_replacement(whole, 3)):
            if len(first) + sum(map(len, others)) == count:
                cards = [rank + suit for suit, subset in zip(SUITS, (first, *others)) for rank in subset]
                yield turned + SUITS[0], cards, 4 * len(set(permutations(others)))


def all_stay(ranks: str, players: int, retourne_counts: bool = True) -> AllStay:
    """Exact, for point_rule=collect and natural brelans."""
    options = make_options("bouillotte4", {"players": players, "ranks": ranks, "retourne_counts": retourne_counts})
    found = AllStay([0] * players)
    ways = factorial(3 * players) // 6**players  # of giving a set to the seats
    for retourne, cards, weight in sets_of_cards(ranks, 3 * players):
        tops, number = best_tops(options, cards, retourne)
        triples = triples_by_rank(ranks, cards, tops)
        behind = [free_of_brelans(players, position, len(tops), triples) for position in range(players)] + [0]
        for position in range(players):
            found.wins[position] += weight * (behind[position] - behind[position + 1])
        found.numbers[number] = found.numbers.get(number, 0) + weight * behind[0]
        found.by_privilege += weight * (behind[0] - players * behind[players - 1])  # not all tops in one hand
        found.by_brelan += weight * (ways - behind[0])
        found.deals += weight * ways
    found.wins = [wins + found.by_brelan // players for wins in found.wins]  # the seats are alike
    found.numbers = {number: count for number, count in found.numbers.items() if count}
    return found


def best_tops(options: dict, cards: list[str], retourne: str) -> tuple[set[str], int]:
    """The highest cards of the suits with the largest total, and this total."""
    totals = suit_totals(options, {0: cards}, retourne)
    held = {card[1] for card in cards}
    number = max(totals[suit] for suit in held)
    ranks = options["ranks"]
    return {
        min((card for card in cards if card[1] == suit), key=lambda card: ranks.index(card[0]))
        for suit in held
        if totals[suit] == number
    }, number


def triples_by_rank(ranks: str, cards: list[str], tops: set[str]) -> tuple[tuple[int, ...], ...]:
    """For each rank the number of tops in each brelan that can be made of the cards."""
    found = []
    for rank in ranks:
        same = [card for card in cards if card[0] == rank]
        triples = tuple(sorted(len(tops.intersection(triple)) for triple in combinations(same, 3)))
        if triples:
            found.append(triples)
    return tuple(sorted(found))


@cache
def free_of_brelans(players: int, position: int, tops: int, triples) -> int:
    """Ways to give out the cards with no brelan in any hand and all tops at this position or behind it."""
    ways = 0
    for chosen in product(*((None, *rank) for rank in triples)):
        brelans = [count for count in chosen if count is not None]
        if len(brelans) <= players:
            ways += (-1) ** len(brelans) * ways_with(players, position, tops, brelans)
    return ways


def ways_with(players: int, position: int, tops: int, brelans: list[int]) -> int:
    """The same with these brelans (tops in each) in some hands, whatever the other hands are."""
    number, ways = len(brelans), 0
    free = brelans.count(0)  # these may stand before the position
    for before in range(min(free, position) + 1):
        behind = number - before
        if behind > players - position:
            continue
        seated = comb(free, before) * perm(position, before) * perm(players - position, behind)
        left = tops - sum(brelans)
        slots = 3 * (players - position - behind)
        rest = 3 * (players - number)
        ways += seated * perm(slots, left) * factorial(rest - left) // 6 ** (players - number)
    return ways
