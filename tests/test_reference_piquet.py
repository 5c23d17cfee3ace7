"""The slow piquet twin (tests/reference/piquet.py): worked cases, random play, statistics, placings."""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference import piquet_rules as rules  # noqa: E402
from reference import piquet_worlds as worlds_module  # noqa: E402
from reference.piquet import (  # noqa: E402
    CARDS,
    PRESETS,
    Deal,
    Partie,
    hand_total,
    legal_exchange,
    legal_follow,
    legal_lead,
    legal_name,
    make_options,
    muette,
    running_count,
)
from reference.piquet_replay import near_truth, random_placing, replay_agrees  # noqa: E402

CASES = json.loads((HERE / "cases" / "piquet.json").read_text(encoding="utf-8"))
SEATS = {"elder": 0, "younger": 1}
NAMES = ("elder", "younger")
PLAYERS = ("P1", "P2")


def options_of(given: dict) -> dict:
    overrides = dict(given["options"])
    if given.get("declarations") == "auto":
        overrides["declaration_mode"] = "auto"
    return make_options(given["preset"], overrides)


def hands_deal(given: dict, **kw) -> Deal:
    """Seat 0 is elder in all worked deals."""
    blank = given.get("blank")
    return Deal.from_final_hands(
        options_of(given), given["elder"], given["younger"], 1, blank=None if blank is None else SEATS[blank], **kw
    )


def pair(values) -> dict:
    return {"elder": values[0], "younger": values[1]}


def who(value):
    return NAMES[value] if value in (0, 1) else value


def play_cards(deal: Deal, cards, announced=()) -> None:
    """Plays the given cards in table order, declining every offer but the announcements."""
    for _ in range(60):
        if deal.seat is None:
            return
        if deal.phase == "capot":
            deal.apply("OPEN_CAPOT" if NAMES[deal.seat] in announced else "PASS")
        elif deal.phase in ("name", "look"):
            deal.apply("PASS")
        else:
            done = sum(1 for _, name in deal.history if name.startswith("PLAY"))
            if done >= len(cards):
                return
            deal.apply(f"PLAY:{cards[done]}")
    played = [name.split(":")[1] for _, name in deal.history if name.startswith("PLAY")]
    assert played == list(cards)


def hands_of(deal: Deal) -> dict:
    return pair([hand_total(deal.ledger[s]) for s in (0, 1)])


def run_declare(given):
    deal = hands_deal(given)
    if not deal.reckoned:  # younger declares after the first lead
        play_cards(deal, [sorted(given["elder"])[0]])
    out = {}
    for category in rules.CATEGORIES:
        winner = deal.winners[category]
        score = deal.ledger[winner][category] if winner in (0, 1) else 0
        out[category] = {"winner": who(winner), "score": score}
    bonus = deal.bonus
    return {**out, "hand": hands_of(deal), "repique": NAMES[bonus[0]] if bonus and bonus[1] == "repique" else None}


def bonus_of(deal: Deal):
    return deal.bonus and {"who": NAMES[deal.bonus[0]], "kind": deal.bonus[1]}


def run_deal_score(given):
    deal = hands_deal(given)
    play_cards(deal, given["play"], given["open_capot"])
    assert deal.over
    return {
        "hand": hands_of(deal),
        "bonus": bonus_of(deal),
        "tricks": pair(deal.tricks),
        "play_points": pair([deal.ledger[s]["play"] for s in (0, 1)]),
        "cards": pair([deal.ledger[s]["cards"] for s in (0, 1)]),
        "total": pair(deal.scores),
    }


def run_dialogue(given):
    deal = hands_deal(given)
    decisions = []
    for action in given["actions"] + [None]:
        entry = {"seat": NAMES[deal.seat], "phase": deal.phase, "legal": sorted(deal.legal())}
        if action is not None:
            entry["chosen"] = action
            deal.apply(action)
        decisions.append(entry)
    return {"decisions": decisions}


def run_exchange(given):
    options = options_of(given)
    deal = Deal(options, given["dealt_elder"] + given["dealt_younger"] + given["talon"], 1)
    counts = {"elder": sorted(rules.exchange_sizes(options["elder_exchange"], 8))}
    taken = len(given["elder_discards"])
    counts["younger"] = sorted(rules.exchange_sizes(options["younger_exchange"], 8 - taken))
    for name in NAMES:
        while deal.phase == "exchange" and deal.seat == SEATS[name]:
            done = len(deal.marks[deal.seat])
            stop = "PASS" in deal.legal()
            assert stop == (done in counts[name])
            marks = given[f"{name}_discards"]
            deal.apply(f"DISCARD:{marks[done]}" if done < len(marks) else "PASS")
    out = {"left": len(deal._left())}
    for seat, name in enumerate(NAMES):
        out[f"{name}_legal_counts"] = counts[name]
        out[f"{name}_hand"] = sorted(deal.final_hands[seat])
        seen = deal.knows(seat)["talon"]
        out[f"{name}_sees_talon"] = [seen[p] for p in sorted(seen) if p not in deal.drawn[seat]]
    later = out["left"] and options["younger_left_view"] != "private"
    out["offer"] = bool(later)
    return out


def run_legal(given):
    options, phase, hand = options_of(given), given["phase"], given["hand"]
    if phase.startswith("exchange"):
        seat = phase.split("_")[1]
        rest = 8 - given.get("elder_taken", 0)
        legal = legal_exchange(rules.exchange_sizes(options[f"{seat}_exchange"], rest), hand, given["marked"])
    elif phase == "name_suit":
        legal = legal_name(hand)
    elif phase == "lead_first":
        legal = legal_lead(hand, given["named"])
    else:
        legal = legal_follow(hand, given["lead"])
    return {"legal": legal}


def run_korolik(given):
    partie = Partie(options_of(given), refait_carry_in=given["refait_carry_in"])
    for deal in given["deals"]:
        partie.add_scores((deal["P1"], deal["P2"]))
    assert partie.over
    koroliks = [{**k, "winner": None if k["winner"] is None else PLAYERS[k["winner"]]} for k in partie.koroliks]
    return {
        "koroliks": koroliks,
        "columns": partie.columns,
        "records": partie.records,
        "final_bonus": partie.final_bonus,
        "through_bonus": partie.through_bonus,
        "totals": partie.totals,
        "net": list(partie.net),
        "deals_used": partie.deals_used,
        "refait_carry": partie.refait_carry,
    }


def run_rubicon(given):
    partie = Partie(options_of(given))
    for deal in given["deals"]:
        assert not partie.over and partie.points == (0, 0)
        partie.add_scores((deal["P1"], deal["P2"]))
    assert partie.over
    return {
        "totals": partie.totals,
        "deals_used": partie.deals_used,
        "net": list(partie.net),
        "rubiconed": None if partie.rubiconed is None else PLAYERS[partie.rubiconed],
    }


def run_cent(given):
    prior = given["prior"]
    deal = hands_deal(given, totals=(prior["elder"], prior["younger"]), in_partie=True)
    cards = given["play"] or [deal.legal()[0].split(":")[1]]  # after_lead: a lead is needed before younger declares
    play_cards(deal, cards)
    partie = Partie(options_of(given))
    partie.totals = [prior["elder"], prior["younger"]]
    partie.finish(deal)
    assert partie.over
    return {
        "winner": NAMES[partie.winner],
        "decided_by": partie.decided_by,
        "totals": pair(partie.totals),
        "game_value": partie.game_value,
    }


def run_replay(given):
    deal = Deal(options_of(given), given["deck"], 1)
    for seat, name in given["actions"]:
        assert NAMES[deal.seat] == seat
        deal.apply(name)
    assert deal.over
    return {
        "elder_final_hand": sorted(deal.final_hands[0]),
        "younger_final_hand": sorted(deal.final_hands[1]),
        **{c: who(deal.winners[c]) for c in rules.CATEGORIES},
        "hand": hands_of(deal),
        "bonus": bonus_of(deal),
        "tricks": pair(deal.tricks),
        "total": pair(deal.scores),
        "decisions": deal.decisions,
    }


def run_muette(given):
    found = muette(
        options_of(given), given["elder"], given["younger"], SEATS[given["offender"]], given["offence"], given["play"]
    )
    return {**found, "other": NAMES[found["other"]]}


RUNNERS = {
    "declare": run_declare,
    "deal_score": run_deal_score,
    "dialogue": run_dialogue,
    "exchange": run_exchange,
    "legal": run_legal,
    "korolik_partie": run_korolik,
    "rubicon_partie": run_rubicon,
    "cent_finish": run_cent,
    "replay": run_replay,
    "muette": run_muette,
    "running_count": lambda given: {"spoken": running_count(options_of(given), given["declared"], given["events"])},
}


def canonical(kind: str, expect: dict) -> dict:
    """Order inside a hand or a set of legal actions is irrelevant; the offer is a sentence for people."""
    expect = json.loads(json.dumps(expect))
    for key in list(expect):
        if key.endswith("_hand") or key == "legal":
            expect[key] = sorted(expect[key])
        if key == "offer":
            expect[key] = bool(expect[key])
    for decision in expect.get("decisions", []) if kind == "dialogue" else []:
        decision["legal"] = sorted(decision["legal"])
    return expect


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_worked_case(case):
    kind = case["given"]["kind"]
    assert RUNNERS[kind](case["given"]) == canonical(kind, case["expect"])


# ------------------------------------------------------------------ random play

CHOICES = {
    "elder_exchange": ["0,3-5", "1-5", "1-rest", "0-rest"],
    "younger_exchange": ["0,3-5", "1-5", "1-rest", "0-rest"],
    "younger_left_view": ["private", "elder_names_suit", "look"],
    "younger_declares": ["before_lead", "after_lead"],
    "declaration_mode": ["strategic", "auto"],
    "understate_sets": [True, False],
    "show_equal": [True, False],
    "point_min_len": [1, 2, 3, 4, 5],
    "point_counter": ["later", "at_once"],
    "carte_blanche": [0, 10],
    "carte_blanche_when": ["dealt", "final"],
    "red_hand": [0, 30],
    "full_hand": [0, 20],
    "play_count": ["lead_or_capture", "lead_and_trick"],
    "last_trick_extra": [0, 1, 3],
    "capot_open": [0, 80],
    "capot_excludes_last_extra": [True, False],
    "repique_block": ["any_points", "precedence", "any_stop"],
    "pique_block": ["hand_and_play", "hand_only"],
    "repique_at": [20, 30],
    "pique_at": [20, 30],
}


def random_options(rng: random.Random) -> dict:
    options = dict(PRESETS[rng.choice(list(PRESETS))])
    for name, values in CHOICES.items():
        if rng.random() < 0.35:
            options[name] = rng.choice(values)
    return options


def shuffled(rng: random.Random) -> list[str]:
    deck = list(CARDS)
    rng.shuffle(deck)
    return deck


def blank_deck(rng: random.Random, first: int) -> list[str]:
    """A deck with a dealt blank for elder (first=0) or younger (first=12)."""
    low = [c for c in shuffled(rng) if c[0] not in rules.FIGURES]
    rest = [c for c in shuffled(rng) if c not in low[:12]]
    return rest[:first] + low[:12] + rest[first:]


def captures_of(history) -> int:
    plays = [(seat, name[5:]) for seat, name in history if name.startswith("PLAY")]
    return sum(not rules.trick_winner_is_leader(plays[i][1], plays[i + 1][1]) for i in range(0, 24, 2))


def check_finished(deal: Deal) -> None:
    options = deal.options
    assert deal.decisions <= 51 and sum(deal.tricks) == 12 and sum(deal.result()) == 0
    captures, capot = captures_of(deal.history), 12 in deal.tricks
    extra = 0 if capot and options["capot_excludes_last_extra"] else options["last_trick_extra"]
    play = deal.ledger[0]["play"] + deal.ledger[1]["play"]
    assert play == 12 + (captures if options["play_count"] == "lead_or_capture" else 12) + extra
    for category in rules.CATEGORIES:
        for seat in (0, 1):
            assert not deal.ledger[seat][category] or deal.winners[category] == seat
    assert (deal.bonus is not None) == any(deal.ledger[s]["bonus"] for s in (0, 1))
    for seat in (0, 1):
        events = [name for who_, name in deal.history if who_ == seat and name.startswith("PLAY")]
        assert {name[5:] for name in events} == deal.final_hands[seat]
        assert deal.knows(seat)["opponent_cards"] == deal.final_hands[1 - seat]


def test_random_play_over_presets_and_options():
    for number in range(700):
        rng = random.Random(number)
        options = dict(PRESETS[list(PRESETS)[number % 5]]) if number % 2 else random_options(rng)
        deck = blank_deck(rng, 12 * (number % 2)) if number % 10 < 2 else shuffled(rng)
        deal = Deal(options, deck, number % 2)
        while not deal.over:
            legal = deal.legal()
            assert 2 <= len(legal) <= (16 if "set" in deal.phase else 13) and legal == sorted(set(legal))
            assert deal.knows(deal.seat)["to_act"] == deal.seat
            for seat in (0, 1):
                assert deal.knows(seat)["opponent_cards"] <= deal.final_hands[1 - seat]
            deal.apply(rng.choice(legal))
        check_finished(deal)
        again = Deal(options, deck, number % 2)
        with pytest.raises(ValueError):
            again.apply("NO_SUCH")


def test_private_moments_look_alike():
    """While a blank is offered or cards are marked the other seat knows no more than before."""
    for number in range(60):
        rng = random.Random(number)
        options = make_options("korolik", {"carte_blanche_when": ["dealt", "final"][number % 2]})
        deal = Deal(options, blank_deck(rng, 12 * (number % 2)), 0)
        while not deal.over and deal.phase in ("blank", "exchange"):
            seat, other = deal.seat, 1 - deal.seat
            before = deal.knows(other)
            assert before["phase"] != "blank" and before["blank"][seat] != "declined"
            name = "PASS" if deal.phase == "blank" else rng.choice(deal.legal())
            if deal.phase == "blank":
                assert before["to_act"] == (1 if deal.taken[deal.dealer] is None else before["to_act"])
            deal.apply(name)
            if deal.phase == "exchange" and deal.seat == seat and name != "PASS":
                assert deal.knows(other) == before
            if name == "PASS" and deal.phase == "exchange" and deal.taken[seat] is None:
                assert deal.knows(other) == before


def test_partie_random():
    """Whole parties end, points sum to zero, dealers follow the rules of section 3."""
    for number in range(30):
        rng = random.Random(number)
        options = dict(PRESETS[["korolik", "korolik_literal", "salon", "rubicon", "cent"][number % 5]])
        options["korolik_dealer"] = rng.choice(["draw_alternate", "draw_same", "rotate"])
        partie, dealers = Partie(options), []
        while not partie.over:
            deal = partie.new_deal(shuffled(rng), rng.randrange(2))
            dealers.append(deal.dealer)
            while not deal.over:
                deal.apply(rng.choice(deal.legal()))
            points = partie.finish(deal)
            assert points[0] + points[1] == 0
            if partie.kind == "cent":
                assert partie.over == (max(partie.totals) >= options["cent_target"]) == (deal.decided_by is not None)
            elif partie.kind == "rubicon" and not partie.over:
                assert points == (0, 0)
        if partie.kind != "korolik" or options["korolik_dealer"] == "rotate":
            assert all(a != b for a, b in zip(dealers, dealers[1:]))
        assert partie.net == partie.points


def korolik(deals, **overrides) -> Partie:
    partie = Partie(make_options("korolik", overrides))
    for deal in deals:
        partie.add_scores(deal)
    return partie


def test_korolik_options():
    """6.1 beyond the cases: margin, mode none, refait_on korolik, carry in."""
    partie = korolik([(30, 20), (20, 28), (9, 0), (9, 0)], refait_margin=2)
    assert [k["refait"] for k in partie.koroliks] == [True, False] and partie.koroliks[0]["record"] == 0
    assert partie.koroliks[1]["factor"] == 2 and partie.columns == [10 + 36, 8]
    partie = korolik([(5, 5), (30, 20), (5, 5), (5, 5)], refait_mode="none")
    assert [k["refait"] for k in partie.koroliks] == [False, True] and partie.deals_used == 4
    partie = korolik([(5, 5), (30, 20), (5, 5), (6, 5)], refait_on="korolik")
    assert [k["refait"] for k in partie.koroliks] == [False, False] and partie.deals_used == 4
    partie = korolik([(30, 20), (20, 15), (30, 20), (20, 15)], refait_carry_in=2)
    assert [k["factor"] for k in partie.koroliks] == [3, 1]
    partie = korolik([(5, 5), (5, 5)])
    assert partie.over and partie.net == (0, 0) and partie.refait_carry == 2


# ------------------------------------------------------------------ statistics (section 12)


def test_pips_lemma():
    """Section 2: pips never contradict length."""
    spans = {}
    for mask in range(256):
        cards = [rules.RANKS[i] + "S" for i in range(8) if mask >> i & 1]
        spans.setdefault(len(cards), []).append(rules.point_class(cards, "S")[1])
    for n in range(2, 8):
        assert max(spans[n]) < min(spans[n + 1])
    found = {n: (min(v), max(v)) for n, v in spans.items() if n >= 4}
    assert found == {4: (34, 41), 5: (44, 51), 6: (54, 60), 7: (64, 68), 8: (75, 75)} and max(spans[3]) == 31


def suit_profiles(measure) -> dict:
    """Number of 12-card hands by the largest value of a per-suit measure."""
    table = {0: {-1: 1}}
    per_suit = Counter()
    for mask in range(256):
        cards = [rules.RANKS[i] + "S" for i in range(8) if mask >> i & 1]
        per_suit[len(cards), measure(cards)] += 1
    for _ in rules.SUITS:
        new = {}
        for size, row in table.items():
            for best, ways in row.items():
                for (n, value), count in per_suit.items():
                    if size + n <= 12:
                        row_ = new.setdefault(size + n, Counter())
                        row_[max(best, value)] += ways * count
        table = new
    return dict(table[12])


def test_exact_counts_of_section_12():
    longest_suit = suit_profiles(len)
    assert longest_suit == {3: 9834496, 4: 124522720, 5: 74962944, 6: 15070048, 7: 1360128, 8: 42504}
    run = suit_profiles(lambda cards: rules.best_class(rules.sequences(cards, PRESETS["korolik"]))[0])
    assert run == {0: 80400026, 3: 98629730, 4: 35336570, 5: 9088848, 6: 1955130, 7: 340032, 8: 42504}
    ranks = {(0, 0): 1}  # (cards, best set) over the five ranks that form sets
    for _ in rules.SET_RANKS:
        new = Counter()
        for (size, best), ways in ranks.items():
            for n in range(5):
                new[size + n, max(best, n if n >= 3 else 0)] += ways * math.comb(4, n)
        ranks = new
    total = Counter()
    for (size, best), ways in ranks.items():
        total[best] += ways * math.comb(12, 12 - size) if size <= 12 else 0
    assert total == {0: 96334325, 3: 114024240, 4: 15434275}


def assert_near(sample: list[float], mean: float, spec_se: float, label: str) -> None:
    found = sum(sample) / len(sample)
    spread = math.sqrt(sum((x - found) ** 2 for x in sample) / (len(sample) - 1) / len(sample))
    assert abs(found - mean) < 4 * math.hypot(spread, spec_se), (label, found, mean, spread)


def share(sample: list[bool], expected: float, label: str, spec_n: int = 60000) -> None:
    variance = expected * (1 - expected)
    error = math.sqrt(variance / len(sample) + variance / spec_n)
    assert abs(sum(sample) / len(sample) - expected) <= 4 * error, (label, sum(sample) / len(sample), expected)


AUTO_MEANS = {
    "korolik": (21.48, 0.054, 20.44, 0.051, 0.0026, 0.0027, 0.0067, 0.0108),
    "rubicon": (20.51, 0.053, 19.46, 0.050, 0.0026, 0.0027, 0.0069, 0.0125),
}


@pytest.mark.parametrize("preset", list(AUTO_MEANS))
def test_monte_carlo_auto(preset):
    """No exchange, auto declarations, no announcements, random cards (section 12)."""
    elder, e_se, younger, y_se, rep_e, rep_y, pique, drawn = AUTO_MEANS[preset]
    rng = random.Random(20240)
    options = make_options(preset, {"declaration_mode": "auto"})
    deals = []
    for _ in range(3000):
        deck = shuffled(rng)
        deal = Deal.from_final_hands(options, deck[:12], deck[12:24], 1)
        while not deal.over:
            deal.apply("PASS" if deal.phase == "capot" else rng.choice(deal.legal()))
        deals.append(deal)
    assert_near([d.scores[0] for d in deals], elder, e_se, "elder")
    assert_near([d.scores[1] for d in deals], younger, y_se, "younger")
    share([d.bonus == (0, "repique") for d in deals], rep_e, "repique elder")
    share([d.bonus == (1, "repique") for d in deals], rep_y, "repique younger")
    share([d.bonus == (0, "pique") for d in deals], pique, "pique")
    share([d.scores[0] == d.scores[1] for d in deals], drawn, "drawn")
    for category, values in {
        "point": (0.466, 0.466, 0.068, 0),
        "sequence": (0.406, 0.412, 0.037, 0.145),
        "set": (0.406, 0.405, 0, 0.189),
    }.items():
        for winner, expected in zip((0, 1, "equal", "none"), values):
            share([d.winners[category] == winner for d in deals], expected, f"{category} {winner}")
    share([d.tricks == (6, 6) for d in deals], 0.131, "six six")
    share([d.tricks == (12, 0) for d in deals], 0.0080, "capot elder")
    share([d.tricks == (0, 12) for d in deals], 0.0066, "capot younger")
    assert_near([captures_of(d.history) for d in deals], 4.044, 0.007, "captures")


FULL_MEANS = {
    "korolik": (18.74, 0.051, 17.83, 0.050, 33.7),
    "rubicon": (17.65, 0.048, 16.90, 0.048, 32.2),
    "salon": (None, None, None, None, 34.2),
}


@pytest.mark.parametrize("preset", list(FULL_MEANS))
def test_monte_carlo_full(preset):
    """The full machine, uniformly random legal actions; in korolik both offers of the capot are declined."""
    elder, e_se, younger, y_se, decisions = FULL_MEANS[preset]
    rng = random.Random(7)
    deals = []
    for _ in range(2000):
        deal = Deal(PRESETS[preset], shuffled(rng), 1)
        while not deal.over:
            decline = deal.phase == "capot" and preset == "korolik"
            deal.apply("PASS" if decline else rng.choice(deal.legal()))
        deals.append(deal)
    if elder is not None:
        assert_near([d.scores[0] for d in deals], elder, e_se, "elder")
        assert_near([d.scores[1] for d in deals], younger, y_se, "younger")
    assert_near([d.decisions for d in deals], decisions, 0.03, "decisions")  # printed to one decimal


# ------------------------------------------------------------------ placings (worlds) against a replay


def test_worlds_hold_the_truth_and_agree_with_replay():
    """Every placing is accepted by the filter exactly if the machine can reach the same knowledge with it."""
    accepted = Counter()
    for number in range(250):
        rng = random.Random(1000 + number)
        options = random_options(rng) if number % 3 else dict(PRESETS[list(PRESETS)[number // 3 % 5]])
        if number % 4 == 0:
            options["declaration_mode"] = "auto"
        deck = blank_deck(rng, 12 * (number % 2)) if number % 10 < 2 else shuffled(rng)
        deal = Deal(options, deck, number % 2)
        while not deal.over:
            if rng.random() < 0.12:
                seat, other = deal.seat, 1 - deal.seat
                if deal.count_upper() <= 120:
                    true = (
                        frozenset(deal.hands[other]),
                        frozenset(deal.marks[other]),
                        tuple(deal.talon[p] for p in deal._left()),
                    )
                    assert true in set(deal.worlds())
                for make in (random_placing, near_truth):
                    view, final, discards, left = make(deal, rng)
                    fits = worlds_module.final_hand_fits(view, final) and worlds_module.dealt_hand_fits(view, final, discards)
                    found = replay_agrees(deal, seat, final, discards, left)
                    assert fits == found, (number, deal.phase, seat, deal.history, final, discards, left, fits)
                    accepted[fits] += 1
            deal.apply(rng.choice(deal.legal()))
    assert min(accepted.values()) > 100
