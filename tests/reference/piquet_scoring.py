"""Piquet twin, scoring: repique and the cards line (spec 5.3, 5.4), the running count (5.2), a la muette (5.6)."""

from __future__ import annotations

from .piquet_rules import LINES, SUITS, is_red, items, longest, point_class, trick_winner_is_leader


def hand_total(ledger: dict) -> int:
    """H of 5.4: items I..VI, no bonus."""
    return sum(ledger[line] for line in LINES)


def repique_line(options: dict, ledgers: dict, elder: int, equal: bool, blank_shown) -> tuple[int, str] | None:
    """5.4: (owner of the repique, the line that completes 30) or None. ledgers: seat -> full items I..VI."""
    totals = {0: 0, 1: 0}
    first = None
    for line in LINES:
        for seat in (elder, 1 - elder):
            totals[seat] += ledgers[seat][line]
            alone = totals[1 - seat] == 0 and not blank_shown[1 - seat]
            if first is None and ledgers[seat][line] and totals[seat] >= options["repique_at"] and alone:
                first = (seat, line)
    if options["repique_block"] == "precedence":
        return first
    if options["repique_block"] == "any_stop" and equal:
        return None
    # any_points: the opponent's hand total is 0 at the end, so he was at 0 on every line
    if first is not None and hand_total(ledgers[1 - first[0]]) == 0:
        return first
    return None


def pique_possible(options: dict, ledgers: dict, elder: int, equal: bool, repique: bool, blank_shown) -> bool:
    """5.4: the conditions of a pique that the hands decide."""
    if repique or hand_total(ledgers[elder]) >= options["pique_at"]:
        return False
    if hand_total(ledgers[1 - elder]) != 0 or blank_shown[1 - elder]:
        return False
    return not (options["repique_block"] == "any_stop" and equal)


def trick_points(options: dict, winner_led: bool) -> int:
    """5.2: what winning a trick pays (the lead is paid apart)."""
    if not winner_led or options["play_count"] == "lead_and_trick":
        return 1
    return 0


def last_extra(options: dict, capot: bool) -> int:
    """5.2: extra for the last trick."""
    return 0 if capot and options["capot_excludes_last_extra"] else options["last_trick_extra"]


def cards_line(options: dict, tricks, announced) -> list[int]:
    """5.3: points of both seats for cards or capot and for failed announcements."""
    points = [0, 0]
    for seat in (0, 1):
        if tricks[seat] == 12:
            points[seat] += options["capot_open"] if announced[seat] else options["capot_closed"]
        elif tricks[seat] > 6:
            points[seat] += options["cards_bonus"]
        if announced[seat] and tricks[seat] < 12:
            points[1 - seat] += options["open_capot_fail"]
    return points


def running_count(options: dict, declared: dict, events: list[str]) -> list[int]:
    """Section 13, running_count: the seat's count (declared + 5.2) after each "seat leads" / "seat wins"."""
    counts, spoken, leader, won = dict(declared), [], None, dict.fromkeys(declared, 0)
    for event in events:
        seat, verb = event.split()
        if verb == "leads":
            leader = seat
            counts[seat] += 1
        else:
            won[seat] += 1
            counts[seat] += trick_points(options, seat == leader)
            if sum(won.values()) == 12:
                counts[seat] += last_extra(options, won[seat] == 12)
        spoken.append(counts[seat])
    return spoken


def play_events(options: dict, play, elder: int) -> tuple[list[tuple[int, int]], list[int]]:
    """5.2 over 24 cards in table order: list of (seat, points) and the tricks of both seats."""
    events, tricks, leader = [], [0, 0], elder
    for number in range(0, len(play), 2):
        led, answer = play[number], play[number + 1]
        events.append((leader, 1))
        winner = leader if trick_winner_is_leader(led, answer) else 1 - leader
        tricks[winner] += 1
        events.append((winner, trick_points(options, winner == leader)))
        if number == 22:
            events.append((winner, last_extra(options, tricks[winner] == 12)))
        leader = winner
    return events, tricks


def muette(options, elder_hand, younger_hand, offender, offence, play, blank=None, announced=(False, False), elder=0):
    """5.6: the offender totals 0 and bars nothing; seats 0/1, elder given. Returns a dict for the other seat."""
    other = 1 - offender
    hand = elder_hand if other == elder else younger_hand
    counted, total = set(), options["carte_blanche"] if blank == other else 0
    if longest(hand) >= options["point_min_len"]:
        suit = max(SUITS, key=lambda s: point_class(hand, s))
        total += longest(hand)
        counted |= {c for c in hand if c[1] == suit}
    for category in ("sequence", "set"):
        used = set()
        for item in sorted(items(category, hand, options).values(), key=lambda i: i.cls, reverse=True):
            if item.key not in used:
                used.add(item.key)
                counted |= item.cards
                total += item.points
    total += options["red_hand"] if is_red(hand) else 0
    total += options["full_hand"] if counted == set(hand) else 0
    bonus = "repique" if total >= options["repique_at"] else None
    factor = 2 if offence == "card_count" else 1
    events, tricks = play_events(options, play, elder)
    points = 0
    for seat, value in events:
        if seat == other:
            points += value * factor
            if bonus is None and other == elder and total < options["pique_at"] <= total + points:
                bonus = "pique"
    cards = cards_line(options, tricks, announced)[other]
    extra = {None: 0, "repique": options["repique_bonus"], "pique": options["pique_bonus"]}[bonus]
    return {
        "offender_total": 0,
        "other": other,
        "hand": total,
        "bonus": bonus,
        "play_points": points,
        "cards": cards,
        "total": total + extra + points + cards,
    }
