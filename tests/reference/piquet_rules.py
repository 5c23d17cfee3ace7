"""Piquet twin, static part: cards, options, classes of items (spec sections 2, 4.1, 4.3, 4.4, 8). Slow and literal."""

from __future__ import annotations

from typing import NamedTuple

RANKS = "AKQJT987"  # high to low, section 2
SUITS = "SHDC"
SET_RANKS = "AKQJT"
FIGURES = "KQJ"  # Decisions: blank = no K, Q, J
PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7}
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # by card id: 8*suit + r
CATEGORIES = ("point", "sequence", "set")
LINES = ("blank", "point", "sequence", "set", "red", "full")  # ledger I..VI, section 5.1
LEDGER_KEYS = LINES + ("play", "cards", "bonus")

_KOROLIK = {
    "elder_exchange": "0,3-5",
    "younger_exchange": "0,3-5",
    "younger_left_view": "private",
    "younger_declares": "before_lead",
    "declaration_mode": "strategic",
    "understate_sets": True,
    "show_equal": False,
    "point_min_len": 3,
    "point_counter": "later",
    "carte_blanche": 10,
    "carte_blanche_when": "dealt",
    "seq_scores": (3, 4, 15, 16, 17, 18),
    "red_hand": 0,
    "full_hand": 0,
    "play_count": "lead_or_capture",
    "last_trick_extra": 3,
    "cards_bonus": 10,
    "capot_closed": 40,
    "capot_open": 80,
    "open_capot_fail": 40,
    "capot_excludes_last_extra": True,
    "repique_block": "any_points",
    "pique_block": "hand_and_play",
    "repique_at": 30,
    "pique_at": 30,
    "repique_bonus": 60,
    "pique_bonus": 30,
    "match": "korolik",
    "koroliks_per_partie": 2,
    "korolik_dealer": "draw_alternate",
    "refait_mode": "scale",
    "refait_margin": 0,
    "refait_on": "any",
    "refait_carry_in": 0,
    "through_bonus": 100,
    "cent_target": 100,
    "episode": "deal",
}
_LITERAL = {
    **_KOROLIK,
    "point_counter": "at_once",
    "carte_blanche_when": "final",
    "seq_scores": (13, 14, 15, 16, 17, 18),
    "open_capot_fail": 0,
    "pique_block": "hand_only",
    "korolik_dealer": "draw_same",
}
_SALON = {
    **_KOROLIK,
    "elder_exchange": "1-5",
    "younger_exchange": "1-rest",
    "younger_left_view": "elder_names_suit",
    "younger_declares": "after_lead",
    "red_hand": 30,
    "full_hand": 20,
    "capot_excludes_last_extra": False,
}
_RUBICON = {
    **_KOROLIK,
    "elder_exchange": "1-5",
    "younger_exchange": "1-rest",
    "younger_left_view": "look",
    "younger_declares": "after_lead",
    "show_equal": True,
    "last_trick_extra": 1,
    "capot_open": 0,
    "capot_excludes_last_extra": False,
    "repique_block": "precedence",
    "match": "rubicon",
}
_CENT = {**_RUBICON, "younger_exchange": "0-rest", "match": "cent"}

PRESETS: dict[str, dict] = {
    "korolik": _KOROLIK,
    "korolik_literal": _LITERAL,
    "salon": _SALON,
    "rubicon": _RUBICON,
    "cent": _CENT,
}


def make_options(preset: str = "korolik", overrides: dict | None = None) -> dict:
    """Preset of section 8 with overrides; unknown names are refused."""
    options = dict(PRESETS[preset])
    for name, value in (overrides or {}).items():
        if name not in options:
            raise ValueError(f"no such option: {name}")
        options[name] = tuple(value) if name == "seq_scores" else value
    return options


def of_suit(cards, suit: str) -> list[str]:
    """Cards of one suit, high to low."""
    return sorted((c for c in cards if c[1] == suit), key=CARDS.index)


def point_class(cards, suit: str) -> tuple[int, int]:
    """4.3: (number of cards, pips) of a suit in a hand."""
    held = of_suit(cards, suit)
    return len(held), sum(PIPS[c[0]] for c in held)


def longest(cards) -> int:
    """L of 4.3."""
    return max(point_class(cards, s)[0] for s in SUITS)


class Item(NamedTuple):
    """One thing that can be called: kind is 'seq' or 'set'; a rank or a run may be counted once (key)."""

    name: str
    cls: tuple[int, int]  # larger is better
    cards: frozenset
    points: int
    key: str


def sequences(cards, options: dict) -> dict[str, Item]:
    """4.4: the maximal runs of three or more, by action name."""
    found = {}
    for suit in SUITS:
        start = 0
        while start < 8:
            end = start
            while end < 8 and RANKS[end] + suit in cards:
                end += 1
            if end - start >= 3:
                run = frozenset(RANKS[i] + suit for i in range(start, end))
                name = f"SEQ:{RANKS[start]}{suit}"
                points = options["seq_scores"][end - start - 3]
                found[name] = Item(name, (end - start, 7 - start), run, points, name)
            start = end + 1
    return found


def sets(cards, options: dict) -> dict[str, Item]:
    """4.4: quatorzes and trios, understated trios too if allowed."""
    found = {}
    for rank in SET_RANKS:
        held = [s for s in SUITS if rank + s in cards]
        worth = 7 - RANKS.index(rank)
        if len(held) == 4:
            name = f"QUATORZE:{rank}"
            found[name] = Item(name, (4, worth), frozenset(rank + s for s in SUITS), 14, rank)
        hidden = list(SUITS) if len(held) == 4 and options["understate_sets"] else []
        if len(held) == 3:
            hidden = [s for s in SUITS if s not in held]
        for suit in hidden:
            name = f"TRIO:{rank}-{suit}"
            shown = frozenset(rank + s for s in SUITS if s != suit)
            found[name] = Item(name, (3, worth), shown, 3, rank)
    return found


def items(category: str, cards, options: dict) -> dict[str, Item]:
    return sequences(cards, options) if category == "sequence" else sets(cards, options)


def best_class(found: dict[str, Item]) -> tuple[int, int]:
    """Class of the best item; (0, 0) if there is none."""
    return max((item.cls for item in found.values()), default=(0, 0))


def best_name(found: dict[str, Item]) -> str:
    """4.6: the best item, of equal classes the first of S H D C; PASS if there is none."""
    if not found:
        return "PASS"
    top = best_class(found)
    return min((i.name for i in found.values() if i.cls == top), key=lambda n: SUITS.find(n[-1]))


def is_blank(cards) -> bool:
    """No king, queen or knave."""
    return not any(c[0] in FIGURES for c in cards)


def is_red(cards) -> bool:
    """V of 5.1: all cards in A K Q J T."""
    return all(c[0] in SET_RANKS for c in cards)


def exchange_sizes(value: str, rest: int) -> set[int]:
    """4.1: allowed numbers of discards; rest = cards in the talon; never above it. Nothing allowed means none."""
    sizes = {
        "0,3-5": {0} | set(range(3, min(5, rest) + 1)),
        "1-5": set(range(1, min(5, rest) + 1)),
        "1-rest": set(range(1, rest + 1)),
        "0-rest": set(range(rest + 1)),
    }[value]
    return sizes or {0}


def legal_exchange(allowed: set[int], hand, marked) -> list[str]:
    """4.1: with d marked, DISCARD iff d < max(A), PASS iff d in A."""
    names = [f"DISCARD:{c}" for c in hand if c not in marked] if len(marked) < max(allowed) else []
    if len(marked) in allowed:
        names.append("PASS")
    return sorted(names)


def legal_name(hand) -> list[str]:
    """Phase 10: suits held, or PASS."""
    return sorted(["PASS"] + [f"NAME:{s}" for s in SUITS if of_suit(hand, s)])


def legal_lead(hand, named: str | None = None) -> list[str]:
    """Phase 11: any card, of the named suit only if one was named."""
    return sorted(f"PLAY:{c}" for c in hand if named is None or c[1] == named)


def legal_follow(hand, led: str) -> list[str]:
    """4.7: follow suit if able; otherwise any card."""
    same = of_suit(hand, led[1])
    return sorted(f"PLAY:{c}" for c in (same or hand))


def trick_winner_is_leader(led: str, answer: str) -> bool:
    """4.7: the highest card of the led suit wins."""
    return answer[1] != led[1] or RANKS.index(led[0]) < RANKS.index(answer[0])
