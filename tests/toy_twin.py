"""The slow twin of solo and low: one deal in plain Python, written from the rules as toy/__init__.py tells them."""

from dataclasses import replace
from itertools import combinations, permutations
from math import factorial

RANKS, SUITS = "AKQ", "SHDC"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]


class Deal:
    """A deal that is fed the moves of a record, forced ones too. `seen[s]` are the cards whose places seat s knows."""

    def __init__(self, record, moves=None):
        self.eldest = (record.start["dealer"] + 1) % 3
        self.hands = [[], [], []]
        for i in range(3):
            self.hands[(self.eldest + i) % 3] = list(record.deck[3 * i : 3 * i + 3])
        self.dealt = [tuple(sorted(hand)) for hand in self.hands]
        self.talon = list(record.deck[9:])
        self.bids, self.plays, self.trick, self.tricks = [], [], [], [0, 0, 0]
        self.soloist = self.trump = self.drawn = self.laid = None
        self.seat = self.eldest
        for seat, name in record.moves if moves is None else moves:
            if seat != self.seat or name not in self.legal():
                raise ValueError(f"{seat}:{name} cannot be")
            self.play(name)

    def legal(self):
        if self.seat is None:
            return set()
        if self.soloist is None:
            return {"pass"} | {f"solo {suit}" for suit in SUITS}
        hand = self.hands[self.seat]
        if self.laid is None:
            return {f"lay {card}" for card in hand}
        same = [card for card in hand if self.trick and card[1] == self.trick[0][1][1]]
        return set(same or hand)

    def play(self, name):
        if self.soloist is None:
            self.bid(name)
        elif self.laid is None:
            self.laid = name.removeprefix("lay ")
            self.hands[self.seat].remove(self.laid)
            self.seat = self.eldest
        else:
            self.hands[self.seat].remove(name)
            self.plays.append((self.seat, name))
            self.trick.append((self.seat, name))
            self.seat = (self.seat + 1) % 3
            if len(self.trick) == 3:
                self.seat = max(self.trick, key=self.strength)[0]
                self.tricks[self.seat] += 1
                self.trick = []
            if len(self.plays) == 9:
                self.seat = None

    def bid(self, name):
        self.bids.append(name)
        if name != "pass":
            self.soloist, self.trump = self.seat, name[-1]
            self.drawn = self.talon.pop(0)
            self.hands[self.seat].append(self.drawn)
        else:
            self.seat = None if len(self.bids) == 3 else (self.seat + 1) % 3

    def strength(self, played):
        card = played[1]
        return (card[1] == self.trump, card[1] == self.trick[0][1][1], -RANKS.index(card[0]))

    def result(self, stake):
        if self.soloist is None:
            return [0, 0, 0]
        won = stake if self.tricks[self.soloist] >= 2 else -stake
        return [2 * won if seat == self.soloist else -won for seat in range(3)]

    def knows(self, seat):
        private = (self.drawn, self.laid) if seat == self.soloist else self.laid is not None
        return self.dealt[seat], tuple(self.bids), tuple(self.plays), private


def legal(record):
    return Deal(record).legal()


def legal_low(record):
    deal = Deal(record)
    return deal.legal() - ({"pass"} if deal.bids == ["pass", "pass"] else set())


def points(records):
    total = [0, 0, 0]
    for record in records:
        stake = record.options.get("stake", 5 if record.preset == "high" else 1)
        total = [a + b for a, b in zip(total, Deal(record).result(stake), strict=True)]
    return total


def points_low(records):
    return [-p for p in points(records)]


def knows(record, seat):
    return record.start, Deal(record).knows(seat)


def placing(record, seat):
    """Where the cards lie now, as sets of a seat's hand; the talon by position; which card was drawn and laid away."""
    deal = Deal(record)
    return tuple(frozenset(hand) for hand in deal.hands), tuple(deal.talon), deal.drawn, deal.laid


def worlds(record, seat, most):
    """Every placing under which a seat would know what it knows, or None if there may be more than `most`."""
    deal = Deal(record)
    others = [len(deal.hands[other]) for other in range(3) if other != seat]
    places = sum(others) + len(deal.talon) + (deal.laid is not None and seat != deal.soloist)
    drawn = 1 if deal.soloist in (None, seat) else 4
    if drawn * factorial(places) // factorial(others[0]) // factorial(others[1]) > most:
        return None
    return set(_worlds(record, seat, deal))


def _worlds(record, seat, true):
    known = true.knows(seat)
    unseen = sorted(set(CARDS) - set(true.dealt[seat]) - ({true.drawn} if seat == true.soloist else set()))
    held = {other: [card for s, card in true.plays if s == other] for other in range(3)}
    others = [(true.eldest + i) % 3 for i in range(3) if (true.eldest + i) % 3 != seat]
    for first in combinations(unseen, 3):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, 3):
            hands = {seat: true.dealt[seat], others[0]: first, others[1]: second}
            left = [card for card in rest if card not in second]
            if not all(_may_hold(true, other, hands[other], held[other]) for other in others):
                continue
            for talon in permutations(left):
                full = ((true.drawn,) if seat == true.soloist else ()) + talon
                deck = [card for i in range(3) for card in hands[(true.eldest + i) % 3]] + list(full)
                yield from _choices(record, deck, seat, true, known)


def _may_hold(true, other, hand, played):
    """A quick sieve: all cards played were dealt, but for the one the soloist drew."""
    return len(set(played) - set(hand)) <= (1 if other == true.soloist else 0)


def _choices(record, deck, seat, true, known):
    """The deals with this deck that look the same, over every card the soloist may have laid away."""
    at = len(true.bids)
    lays = [record.moves[at][1]] if true.laid and seat == true.soloist else [f"lay {card}" for card in CARDS]
    for lay in lays if true.laid else [None]:
        moves = list(record.moves)
        if lay:
            moves[at] = (true.soloist, lay)
        try:
            trial = replace(record, deck=tuple(deck), moves=tuple(moves))
            if Deal(trial).knows(seat) == known:
                yield placing(trial, seat)
        except ValueError:
            continue
