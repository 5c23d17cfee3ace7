"""Piquet twin: all placings of the cards a seat cannot see (spec sections 4.3 to 4.8, 7), from `knows` alone.

A placing is kept if the same public events, automatic credits and their absence included, could have followed by the
rules; that another seat could have chosen otherwise excludes nothing. Nothing here runs the deal: every condition is
read off the public log. In declaration_mode=auto (4.6) nobody chooses, so there the events say more.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

from .piquet_rules import (
    CARDS,
    FIGURES,
    RANKS,
    SUITS,
    best_class,
    is_blank,
    is_red,
    items,
    longest,
    of_suit,
    point_class,
    sequences,
)

CALLS = {"point": ("POINT",), "sequence": ("SEQ",), "set": ("TRIO", "QUATORZE")}


class View:
    """What a seat knows, arranged for the conditions below."""

    def __init__(self, options: dict, seat: int, knows: dict):
        self.options, self.seat, self.knows, self.other = options, seat, knows, 1 - seat
        self.elder = 1 - knows["dealer"]
        self.auto = options["declaration_mode"] == "auto"
        self.log = knows["log"]
        self.played = {s: [t[5:] for who, t in self.log if who == s and t.startswith("PLAY")] for s in (0, 1)}
        self.own_final = set(knows["hand"]) | set(self.played[seat])
        taken = knows["exchanged"]
        self.taken_elder, self.taken_other = taken[self.elder], taken[self.other]
        self.talon_from = (taken[0] or 0) + (taken[1] or 0)  # first position still in the talon
        self.left = list(range(self.talon_from, 8))
        self.drawn = self._drawn_by_other()
        self.known = set(knows["opponent_cards"])
        self.known_drawn = {knows["talon"][p] for p in self.drawn if p in knows["talon"]}
        seen = set(knows["talon"].values())
        outside = set(knows["dealt"]) | seen | self.known
        self.unknown = [c for c in CARDS if c not in outside]
        self.hidden_left = [p for p in self.left if p not in knows["talon"]]
        self.hand_slots = 12 - len(self.known)
        self.discard_slots = self.taken_other or 0
        if len(self.unknown) != self.hand_slots + self.discard_slots + len(self.hidden_left):
            raise AssertionError("cards do not add up")

    def _drawn_by_other(self) -> list[int]:
        if self.taken_other is None:
            return []
        first = 0 if self.other == self.elder else self.taken_elder
        return list(range(first, first + self.taken_other))

    # -------------------------------------------------------------- how far the deal has come

    def elder_done(self) -> bool:
        """Elder's declarations are over, V and VI included."""
        phase = self.knows["phase"]
        if phase == "ypoint":  # with at_once also the choice of 4.3; a called point means that it is that choice
            called = any(who == self.elder and text.startswith("POINT") for who, text in self.log)
            return not (self.options["point_counter"] == "at_once" and called)
        if phase == "blank":
            return self.knows["to_act"] != self.elder and self.knows["exchanged"][1 - self.elder] is not None
        return phase in ("yseq", "yset", "capot", "name", "lead", "follow", "look", "over")

    def younger_done(self) -> bool:
        phase = self.knows["phase"]
        if self.options["younger_declares"] == "before_lead":
            return phase in ("capot", "name", "lead", "follow", "look", "over")
        return bool(self.played[self.elder]) and phase in ("lead", "follow", "look", "over")

    def other_done(self) -> bool:
        return self.elder_done() if self.other == self.elder else self.younger_done()

    # -------------------------------------------------------------- the dialogue

    def call(self, category: str):
        """(index in the log, text) of elder's first call in a category, or None."""
        for index, (who, text) in enumerate(self.log):
            if who == self.elder and text.split(":")[0] in CALLS[category]:
                return index, text
        return None

    def answers(self, category: str) -> list[str]:
        """Younger's answers to elder's call, in order."""
        found = self.call(category)
        out = []
        for who, text in self.log[found[0] + 1 :] if found else ():
            if who == self.elder or text not in ("GOOD", "EQUAL", "NOT_GOOD"):
                break
            out.append(text)
        return out

    def other_items(self, category: str) -> list[str]:
        """Texts of the opponent's items of a category."""
        return [t for who, t in self.log if who == self.other and t.split(":")[0] in CALLS[category]]


def count_upper(options: dict, seat: int, knows: dict) -> int:
    """Number of placings with no condition but the numbers of cards and `opponent_cards`."""
    view = View(options, seat, knows)
    return factorial(len(view.unknown)) // (factorial(view.hand_slots) * factorial(view.discard_slots))


def worlds(options: dict, seat: int, knows: dict):
    """Yields (opponent's current hand, his discards, cards at the positions still in the talon)."""
    view = View(options, seat, knows)
    gone = set(view.played[view.other])
    for chosen in combinations(view.unknown, view.hand_slots):
        final = view.known | set(chosen)
        if not final_hand_fits(view, final):
            continue
        rest = [c for c in view.unknown if c not in final]
        for hidden in permutations(rest, len(view.hidden_left)):
            discards = set(rest) - set(hidden)
            if not dealt_hand_fits(view, final, discards):
                continue
            places = {**knows["talon"], **dict(zip(view.hidden_left, hidden))}
            yield frozenset(final - gone), frozenset(discards), tuple(places[p] for p in view.left)


# ------------------------------------------------------------------ conditions on the dealt twelve (blank)


def dealt_hand_fits(view: View, final: set, discards: set) -> bool:
    """4.8 and phase 1: could the dealt hand (some drawn cards out, discards in) agree with what is said of it?"""
    options, knows = view.options, view.knows
    if options["carte_blanche_when"] != "dealt":
        return True
    public = knows["opponent_dealt"]
    if public:
        return discards <= public and public - discards <= final and not view.known_drawn & public
    shown = knows["blank"][view.other] == "shown"
    if not shown and not view.auto:
        return True
    drawable = final - view.known_drawn  # cards that may have been dealt; so many of them were drawn unseen:
    unseen = len(view.drawn) - len(view.known_drawn)
    figures = sum(1 for c in drawable if c[0] in FIGURES)
    if shown:
        if knows["exchanged"][view.other] is not None and knows["exchanged"][view.seat] is not None:
            return True  # hands made by from_final_hands: the dealt cards are made up
        return is_blank(discards) and figures <= unseen
    if not asked_for_dealt_blank(view):
        return True
    return not is_blank(discards) or figures >= 1


def asked_for_dealt_blank(view: View) -> bool:
    """Has the opponent's dealt hand been looked at for a blank? Elder first, both before any exchange."""
    return view.other == view.elder or view.knows["phase"] != "blank"


# ------------------------------------------------------------------ conditions on the final twelve


def final_hand_fits(view: View, final: set) -> bool:
    if view.taken_other is None:
        return True  # not a final hand yet, nothing is said of it but the blank
    if not (voids_fit(view, final) and automatic_fit(view, final) and final_blank_fits(view, final)):
        return False
    if not all(items_fit(view, category, final) for category in CALLS):
        return False
    if view.other != view.elder:
        return point_answers_fit(view, final) and all(list_answers_fit(view, c, final) for c in ("sequence", "set"))
    return True


def voids_fit(view: View, final: set) -> bool:
    """4.7: who did not follow suit had no card of it left."""
    plays = [(who, text[5:]) for who, text in view.log if text.startswith("PLAY")]
    hand = set(final)
    for index, (who, card) in enumerate(plays):
        if who != view.other:
            continue
        led = plays[index - 1][1] if index % 2 else card
        if card not in hand or (card[1] != led[1] and of_suit(hand, led[1])):
            return False
        hand.discard(card)
    return True


def automatic_fit(view: View, final: set) -> bool:
    """V of 5.1, credited or not. (VI follows from the counted cards, which are all public.)"""
    if not view.options["red_hand"] or not view.other_done():
        return True
    return is_red(final) == (view.knows["scores"][view.other]["red"] > 0)


def final_blank_fits(view: View, final: set) -> bool:
    """carte_blanche_when=final: shown cards are in opponent_cards; in auto mode a blank is always shown."""
    if view.options["carte_blanche_when"] != "final":
        return True
    shown = view.knows["blank"][view.other] == "shown"
    if shown:
        return is_blank(final)
    both = view.knows["exchanged"][view.seat] is not None  # elder is asked after both exchanges
    asked = both if view.other == view.elder else view.younger_done()
    return not (view.auto and asked and is_blank(final))


def run_in(final: set, options: dict, top: str, length: int) -> bool:
    """Is there a maximal run of this top (rank, or rank and suit) and length?"""
    for item in sequences(final, options).values():
        if item.cls[0] == length and item.name[4 : 4 + len(top)] == top:
            return True
    return False


def shown_run_length(view: View, top: str) -> int:
    """Length of the opponent's run known by its top card: from the cards shown, or (show_equal) my own best."""
    length = 0
    while RANKS.find(top[0]) + length < 8 and RANKS[RANKS.index(top[0]) + length] + top[1] in view.known:
        length += 1
    if view.answers("sequence") == ["EQUAL"] and view.other == view.elder:
        return best_class(sequences(view.own_final, view.options))[0]
    return length


def one_item_fits(view: View, text: str, final: set) -> bool:
    """One called item of the opponent is in the hand as far as its text says (4.8)."""
    kind, what = text.split(":")
    if kind == "POINT":
        return point_fits(view, what, final)
    if kind == "SEQ":
        if what[0] == "?":
            return run_in(final, view.options, what[2], int(what[1]))
        return run_in(final, view.options, what, shown_run_length(view, what))
    held = {s for s in SUITS if what[0] + s in final}
    if kind == "QUATORZE":
        return len(held) == 4
    hidden = what[2]
    if hidden == "?":
        return len(held) == 3 or (len(held) == 4 and view.options["understate_sets"])
    return held >= set(SUITS) - {hidden} and (len(held) == 3 or view.options["understate_sets"])


def point_fits(view: View, what: str, final: set) -> bool:
    """Number (and pips, once public) of the opponent's called suit; a counted suit is shown whole."""
    pips = view.knows["pips"] if view.other == view.elder else view.knows["pips_younger"]
    if what[0] == "?":
        classes = [point_class(final, s) for s in SUITS]
        return any(n == int(what[1:]) and pips in (None, v) for n, v in classes)
    n = view.knows["scores"][view.other]["point"]
    if not n:  # show_equal: I said EQUAL, so my longest suit has as many cards
        n = longest(view.own_final)
    found, v = point_class(final, what)
    return found == n and pips in (None, v)


def items_fit(view: View, category: str, final: set) -> bool:
    texts = view.other_items(category)
    if not all(one_item_fits(view, text, final) for text in texts):
        return False
    return not view.auto or auto_items_fit(view, category, final, texts)


def auto_items_fit(view: View, category: str, final: set, texts: list[str]) -> bool:
    """4.6: elder calls his best; the owner of a category counts all he has; of equal suits the first of S H D C."""
    answers = view.answers(category)
    is_elder = view.other == view.elder
    own_turn = view.elder_done() if is_elder else view.younger_done()
    if category == "point":
        return auto_point_fits(view, final, texts, own_turn)
    best = best_class(items(category, final, view.options))
    have = {
        i.name
        for i in items(category, final, view.options).values()
        if not (i.name.startswith("TRIO") and "QUATORZE:" + i.name[5] in items(category, final, view.options))
    }
    if is_elder:
        if not texts:
            return not own_turn or not have
        if answers[-1:] == ["GOOD"]:
            return set(texts) == have
        return called_class(texts[0], view) == best
    counts = own_turn and (view.call(category) is None or answers[-1:] == ["NOT_GOOD"])
    return not counts or set(texts) == have


def called_class(text: str, view: View) -> tuple[int, int]:
    """Class of the opponent's uncounted call."""
    kind, what = text.split(":")
    if kind == "SEQ":
        length, rank = (int(what[1]), what[2]) if what[0] == "?" else (shown_run_length(view, what), what[0])
        return length, 7 - RANKS.index(rank)
    return (4 if kind == "QUATORZE" else 3), 7 - RANKS.index(what[0])


def auto_point_fits(view: View, final: set, texts: list[str], own_turn: bool) -> bool:
    classes = {s: point_class(final, s) for s in SUITS}
    top = max(classes.values())
    first = next(s for s in SUITS if classes[s] == top)
    enough = top[0] >= view.options["point_min_len"]
    if view.other == view.elder:
        if not texts:
            return not own_turn or not enough
    else:
        counts = own_turn and (view.call("point") is None or view.answers("point")[-1:] == ["NOT_GOOD"])
        if not texts:
            return not counts or not enough
    what = texts[0].split(":")[1]
    if what[0] == "?":  # point_fits has asked for some suit of this class; here it must be the best one
        pips = view.knows["pips"] if view.other == view.elder else view.knows["pips_younger"]
        return top[0] == int(what[1:]) and pips in (None, top[1])
    return what == first


# ------------------------------------------------------------------ younger's answers, seen by elder


def point_answers_fit(view: View, final: set) -> bool:
    """4.3: an answer other than GOOD must be true; GOOD may be a concession (not in auto mode)."""
    answers, call = view.answers("point"), view.call("point")
    if not answers:
        return True
    n, v = point_class(view.own_final, call[1][-1])
    own = longest(final)
    if not answer_fits(view, answers[0], own, n):
        return False
    if len(answers) == 1:
        return True
    best = max(point_class(final, s)[1] for s in SUITS if point_class(final, s)[0] == n)
    return answer_fits(view, answers[1], best, v)


def answer_fits(view: View, answer: str, own, called) -> bool:
    if answer == "GOOD":
        return not view.auto or own < called
    return own == called if answer == "EQUAL" else own > called


def list_answers_fit(view: View, category: str, final: set) -> bool:
    """4.4: the same for the best sequence or set."""
    answers = view.answers(category)
    if not answers:
        return True
    called = items(category, view.own_final, view.options)[view.call(category)[1]].cls
    return answer_fits(view, answers[0], best_class(items(category, final, view.options)), called)
