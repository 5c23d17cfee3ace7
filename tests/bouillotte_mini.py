"""Bouillotte for two, preset `mini`, in plain Python from the spec alone: what random play is worth, and a best answer to it.

An independent calculation: no engine, no settlement of the library's, no walker. Places: 0 the first hand, 1 the dealer.
Only what `mini` has is here: ante of the dealer, two carres, openings and raises without limits but the stacks, `collect`.
"""

from collections import Counter
from itertools import combinations

VALUE = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7, "6": 6}
ORDER = "AKQJT9876"


# The tree of moves (4.1 to 4.5), as ("blind" or "open", place, [positions]) and ("end", live places, stakes).


def blind(cave, stake, made, order, last):
    """4.2: whoever is next may double the pot while two carres have not been made."""
    pot = sum(stake)
    if made < 2 and order:
        place = order[0]
        if cave - stake[place] >= max(pot, 2) and stake[place] + pot <= cave:
            doubled = [s + pot if i == place else s for i, s in enumerate(stake)]
            took = blind(cave, doubled, made + 1, order[1:], place)
            return ("blind", place, [opening(cave, stake, last, _speakers(last), False), took])
    return opening(cave, stake, last, _speakers(last), False)


def _speakers(last):
    return [0, 1] if last in (None, 1) else [1, 0]


def opening(cave, stake, last, speakers, opened):
    """4.4: each seat once."""
    if not speakers:
        if last is None:
            return ("end", None, stake)
        live = [place for place in (0, 1) if place == last or stake[place] == cave]
        return ("end", live, stake)
    place, rest = speakers[0], speakers[1:]
    stack = cave - stake[place]
    low = max(*stake, stake[place] + 1)
    passed = opening(cave, stake, last, rest, False)
    if place == last or stack <= 1 or low > cave:
        return passed
    return ("open", place, [passed, *(staked(cave, stake, place, t) for t in range(low, cave + 1))])


def staked(cave, stake, place, t):
    """4.5: the other seat answers a stake."""
    stake = [t if i == place else s for i, s in enumerate(stake)]
    other = 1 - place
    stack, need = cave - stake[other], t - stake[other]
    called = ("end", [0, 1], [stake[place] if i == place else stake[i] + min(need, stack) for i in (0, 1)])
    if stack == 0:
        return ("end", [0, 1], stake)
    raises = [staked(cave, stake, other, u) for u in range(t + 1, cave + 1)] if t < cave else []
    if stack <= 1 or not (need or raises):
        return called
    folded = [("end", [place], stake)] if need else []
    return ("open", other, [called, *folded, *raises])


# What a deal decides (5.1, 5.3, 5.4, 4.6).


def outcome(hands, turned, talon):
    """(who wins a showdown, (who is paid for a brelan there, how much), the same without a showdown)."""
    plain = [_brelan(hand, turned, None) for hand in hands]
    shown = plain
    if all(plain) and max(plain)[0] == 7:
        shown = [b if b[0] == 7 else _brelan(hand, turned, talon) for b, hand in zip(plain, hands, strict=True)]
    winner = _best(shown)[0] if any(shown) else _point(hands, turned)
    return winner, _best(shown), _best(plain)


def _brelan(hand, turned, own):
    """(strength, place of the rank), or None."""
    ranks = {card[0] for card in hand}
    if len(ranks) > 1:
        return None
    fourth = turned[0] in ranks or (own is not None and own[0] in ranks)
    return (7 if fourth else 4, -ORDER.index(hand[0][0]))


def _best(brelans):
    """The place of the strongest brelan and what the other owes for it; (0, 0) where there is none."""
    if not any(brelans):
        return 0, 0
    place = max((0, 1), key=lambda i: brelans[i] or (0, 0))
    return place, 4 if brelans[place][0] == 7 else 1


def _point(hands, turned):
    number = [0, 0]
    for suit in "SHDC":
        cards = [card for card in (*hands[0], *hands[1], turned) if card[1] == suit]
        held = [(ORDER.index(card[0]), place) for place in (0, 1) for card in hands[place] if card[1] == suit]
        if held:
            owner = min(held)[1]
            number[owner] = max(number[owner], sum(VALUE[card[0]] for card in cards))
    return 0 if number[0] >= number[1] else 1


def net(end, cave, decided):
    """What place 0 wins at an end: the pot (5.2), then the brelan out of what the other has left (5.4)."""
    _, live, stake = end
    winner, shown, hidden = decided
    stack = [cave - s for s in stake]
    refund = [0, 0]
    if live is None:
        refund = stake  # passed out: kept for its payer, but nothing to pay brelans with
    elif len(live) == 1:
        stack[live[0]] += sum(stake)
    else:
        both = min(stake)
        stack = [cave - s + s - both for s in stake]
        stack[winner] += 2 * both
    holder, due = shown if live is not None and len(live) == 2 else hidden
    paid = min(due, stack[1 - holder])
    stack[holder] += paid
    stack[1 - holder] -= paid
    return stack[0] + refund[0] - cave


# All deals, and both questions.


class Mini:
    """`counts` by place: for what it knows (hand, retourne) the chance of every outcome."""

    def __init__(self, ranks, cave):
        self.cave = cave
        self.tree = blind(cave, [0, min(1, cave)], 0, [0, 1], None)
        self.counts = [{}, {}]
        self._nets = {}
        pack = [rank + suit for suit in "SHDC" for rank in ranks]
        deals = 0
        for first in combinations(pack, 3):
            left = [card for card in pack if card not in first]
            for second in combinations(left, 3):
                for turned in left:
                    if turned not in second:
                        deals += 1
                        talon = [card for card in left if card not in second and card != turned]
                        self._count((first, second), turned, talon)
        self.deals = deals

    def _count(self, hands, turned, talon):
        triples = all(len({card[0] for card in hand}) == 1 for hand in hands)
        for card in talon if triples else [None]:
            decided = outcome(hands, turned, card)
            for place in (0, 1):
                chance = self.counts[place].setdefault((hands[place], turned), Counter())
                chance[decided] += 1 / len(talon) if triples else 1

    def value(self):
        """What the first hand wins a deal where both play at random."""
        everything = Counter()
        for chance in self.counts[0].values():
            everything.update(chance)
        return self._value(self.tree, everything, None, 1) / self.deals

    def best_response(self, place):
        """What the best answer to random play wins a deal at a place."""
        return self._blind(self.tree, place) / self.deals

    def _blind(self, position, place):
        if position[0] != "blind":
            return sum(self._value(position, chance, place, -1 if place else 1) for chance in self.counts[place].values())
        values = [self._blind(below, place) for below in position[2]]
        return max(values) if position[1] == place else sum(values) / len(values)

    def _value(self, position, chance, place, sign):
        """Times the number of deals: what is won where `place` (None: nobody) answers best, knowing its cards."""
        if position[0] == "end":
            return sign * sum(times * self._net(position, decided) for decided, times in chance.items())
        values = [self._value(below, chance, place, sign) for below in position[2]]
        return max(values) if position[1] == place else sum(values) / len(values)

    def _net(self, end, decided):
        key = id(end), decided
        if key not in self._nets:
            self._nets[key] = net(end, self.cave, decided)
        return self._nets[key]


def ends(position):
    """How many ends a tree has."""
    return 1 if position[0] == "end" else sum(ends(below) for below in position[2])
