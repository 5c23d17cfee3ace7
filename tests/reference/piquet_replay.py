"""Piquet twin: a second way to judge a placing of unseen cards, by running the machine with it (check of worlds)."""

from __future__ import annotations

import random

from .piquet import Deal
from .piquet_rules import FIGURES
from .piquet_worlds import View


def matches(name: str, text: str) -> bool:
    """Could a move of this name have been logged as this text?"""
    if "?" not in text:
        return name == text
    kind, what = text.split(":")
    if not name.startswith(kind):
        return False
    if kind == "POINT":
        return True  # the number is compared at the end
    return name[4] == what[2] if kind == "SEQ" else name[5] == what[0]


def replay_agrees(deal: Deal, seat: int, final: set, discards: set, left: tuple) -> bool:
    """Is there a line of the machine with these cards after which `seat` knows exactly what he knows now?"""
    target, other = deal.knows(seat), 1 - seat
    taken_other, known = deal.taken[other], target["talon"]
    drawn = list(deal.drawn[other])
    hidden_drawn = [p for p in drawn if p not in known]
    free = sorted(final - {known[p] for p in drawn if p in known})
    if deal.opponent_dealt_public and deal.blank[other] == "shown":
        picks = [[c for c in free if c not in deal.dealt[other]]]
    else:
        figures = [c for c in free if c[0] in FIGURES]
        plain = [c for c in free if c not in figures]
        picks = [(figures + plain)[: len(hidden_drawn)], (plain + figures)[: len(hidden_drawn)]]
    for pick in picks:
        if len(pick) != len(hidden_drawn):
            continue
        talon = {**known, **dict(zip(hidden_drawn, pick)), **dict(zip(range(8 - len(left), 8), left))}
        dealt = (final - {talon[p] for p in drawn}) | discards
        if len(dealt) != 12:
            continue
        hands = {seat: sorted(deal.dealt[seat]), other: sorted(dealt)}
        deck = hands[deal.elder] + hands[deal.dealer] + [talon[p] for p in range(8)]
        mine = [n for i, (s, n) in enumerate(deal.history) if s == seat]
        marks = [f"DISCARD:{c}" for c in sorted(discards)]
        if search(deal, Deal(deal.options, deck, deal.dealer), seat, target, mine, marks, taken_other):
            return True
    return False


def search(real: Deal, trial: Deal, seat: int, target: dict, mine: list, marks: list, taken_other) -> bool:
    """Depth-first over the opponent's choices that agree with the log; the seat's own moves are as they were."""
    log = target["log"]
    while True:
        known = trial.knows(seat)
        if known == target:
            return True
        for (s, text), (s2, text2) in zip(known["log"], log):
            if s != s2 or not (text == text2 or "?" in text):
                return False
        if trial.over or len(known["log"]) > len(log):
            return False
        if trial.seat == seat:
            done = sum(1 for s, _ in trial.history if s == seat)
            if done >= len(mine) or mine[done] not in trial.legal():
                return False
            trial.apply(mine[done])
            continue
        if trial.phase == "blank":
            options = ["BLANK"] if target["blank"][trial.seat] == "shown" else ["PASS"]
        elif trial.phase == "exchange":
            done = len(trial.marks[trial.seat])
            if taken_other is None:
                return False
            options = [marks[done]] if done < taken_other else ["PASS"]
        else:
            if len(known["log"]) >= len(log):
                return False
            options = [n for n in trial.legal() if matches(n, log[len(known["log"])][1])]
        options = [n for n in options if n in trial.legal()]
        if len(options) != 1:
            break
        trial.apply(options[0])
    moves = [(s, n) for s, n in trial.history]
    for name in options:
        again = copy_of(trial, moves)
        again.apply(name)
        if search(real, again, seat, target, mine, marks, taken_other):
            return True
    return False


def copy_of(deal: Deal, moves: list) -> Deal:
    """The same deal brought to the same point (the script cannot be copied)."""
    again = Deal(deal.options, deal.deck, deal.dealer)
    while len(again.history) < len(moves):
        again.apply(moves[len(again.history)][1])
    return again


def random_placing(deal: Deal, rng: random.Random):
    view = View(deal.options, deal.seat, deal.knows(deal.seat))
    cards = list(view.unknown)
    rng.shuffle(cards)
    final = view.known | set(cards[: view.hand_slots])
    cards = cards[view.hand_slots :]
    hidden = cards[: len(view.hidden_left)]
    places = {**view.knows["talon"], **dict(zip(view.hidden_left, hidden))}
    return view, final, set(cards[len(hidden) :]), tuple(places[p] for p in view.left)


def near_truth(deal: Deal, rng: random.Random):
    """A placing made from the true one by exchanging a few unseen cards (random ones seldom fit)."""
    view = View(deal.options, deal.seat, deal.knows(deal.seat))
    other = view.other
    final = set(deal.hands[other]) | set(deal.played[other])
    discards = set(deal.marks[other]) if deal.taken[other] is not None else set()
    left = [deal.talon[p] for p in view.left]
    places = ["hand"] * view.hand_slots + ["out"] * view.discard_slots + view.hidden_left
    cards = sorted(final - view.known) + sorted(discards) + [deal.talon[p] for p in view.hidden_left]
    for _ in range(rng.choice([1, 1, 2, 3])):
        if len(cards) > 1:
            i, j = rng.sample(range(len(cards)), 2)
            cards[i], cards[j] = cards[j], cards[i]
    final = view.known | {c for c, p in zip(cards, places) if p == "hand"}
    discards = {c for c, p in zip(cards, places) if p == "out"}
    left = {**view.knows["talon"], **{p: c for c, p in zip(cards, places) if p not in ("hand", "out")}}
    return view, final, discards, tuple(left[p] for p in view.left)
