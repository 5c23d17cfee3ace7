"""Worlds of ombre against counts made by hand: what the redeal draws is uniform over whole deals (spec section 7)."""

import itertools
from collections import Counter

import golden_ombre
import golden_tool
import numpy as np
import pytest
from scipy.stats import chisquare

from lomber.envs import make_game
from lomber.envs.engine.cards import cards_of
from lomber.envs.engine.chance import CHOICE, hash_key
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.records import game_of, record_of, replay, replay_states
from lomber.envs.engine.state import RUNNING
from lomber.envs.engine.tables import random_actions
from lomber.envs.ombre import state as st
from lomber.envs.ombre.actions import CARDS
from lomber.envs.ombre.positions import deck_of
from lomber.envs.ombre.trumps import MATADORS, SUIT_OF

N = 4000 if COMPILED else 400


def dealt(preset, hands, talon, *moves, **options):
    """A state with these cards for seats 0, 1, 2 and the top of the talon, seat 2 dealing, after `moves`; the rest by id."""
    game = make_game("ombre", preset, **options)
    given = [[CARDS.index(card) for card in cards.split()] for cards in (*hands, talon)]
    rest = [card for card in range(40) if not any(card in cards for cards in given)]
    for cards, size in zip(given, (9, 9, 9, 13), strict=True):
        while len(cards) < size:
            cards.append(rest.pop())
    states = game.deal(deck_of(given[:3], given[3], 2), {"dealer": 2})
    for move in moves:
        game.advance(states, [move])
    return game, states


def worlds_of(game, states, n=N):
    seat = int(states[0]["seat"])
    view = game.hide(states, seat)
    worlds = game.redeal(np.repeat(view, n), seat, np.arange(n))
    assert game.consistent(np.repeat(view[:1], n), worlds, seat).all()
    return seat, worlds


def uniform(counts, expected):
    """Whether these counts are in the proportions expected, and nothing else is among them."""
    assert set(counts) <= set(expected)
    total = sum(expected.values())
    wanted = [sum(counts.values()) * weight / total for weight in expected.values()]
    return chisquare([counts[key] for key in expected], wanted).pvalue > 1e-4


def test_a_forced_spadille_was_dealt_to_the_ombre():
    """Three of its nine cards are thrown: Spadille is among them in a third of the worlds, never drawn."""
    moves = ("PASS", "PASS", "PASS", "TRUMP_H", "2S", "3S", "4S", "DONE")
    game, states = dealt("espadille_force", ("5S", "AS 2S 3S 4S", ""), "", *moves)
    seat, worlds = worlds_of(game, states)
    assert seat != 1 and (worlds["dealt"][:, 1] & 1).all()
    thrown = Counter(bool(discarded & 1) for discarded in worlds["discarded"][:, 1])
    assert uniform(thrown, {True: 3, False: 6})


def test_the_ombre_of_a_lesser_casco_kept_a_black_ace():
    """Of 31 cards unseen: both were dealt in 8 of 30 worlds, and each is kept equally often."""
    moves = ("PASS", "PASS", "PASS", "PASS", "CASCO_LESSER", "PASS", "TRUMP_H")
    game, states = dealt("default", ("", "AS", ""), "AC", *moves)
    seat, worlds = worlds_of(game, states)
    aces = 1 | 1 << 30
    assert seat == 2
    kept = Counter(int(d & ~t) for d, t in zip(worlds["dealt"][:, 1], worlds["discarded"][:, 1], strict=True))
    assert uniform(kept, {1: 1, 1 << 30: 1})
    both = Counter(bool(d & aces == aces) for d in worlds["dealt"][:, 1])
    assert uniform(both, {True: 8, False: 22})


def test_who_bids_the_lesser_casco_has_a_black_ace():
    """Of 31 cards unseen: C(29, 7) hands with both to 2 C(29, 8) with one."""
    game, states = dealt("default", ("AS", "", ""), "AC", "PASS", "PASS", "PASS", "CASCO_LESSER")
    seat, worlds = worlds_of(game, states)
    aces = 1 | 1 << 30
    assert seat == 1 and (worlds["dealt"][:, 0] & aces).all()
    both = Counter(bool(d & aces == aces) for d in worlds["dealt"][:, 0])
    assert uniform(both, {True: 8, False: 2 * 22})


def test_the_first_defender_took_more_than_it_may_without_a_matador():
    moves = ("ENTRADA", "PASS", "PASS", "TRUMP_H", "DONE", "7S", "QS", "KS", "2H", "3H", "4H", "5H", "6H")
    game, states = dealt("french", ("AS 2S 3S 4S 5S 6S", "7S QS KS 2H 3H 4H 5H 6H AC", ""), "", *moves, second_leave_min=6)
    assert states[0]["phase"] == st.DISCARD and states[0]["exchanged"].tolist() == [0, 8, -1]
    seat, worlds = worlds_of(game, states, 500)
    matadors = int(MATADORS[states[0]["trump"]])
    assert seat == 2 and (worlds["dealt"][:, 1] & matadors).all()
    fewer = ("ENTRADA", "PASS", "PASS", "TRUMP_H", "DONE", "7S", "DONE")
    game, states = dealt("french", ("AS 2S 3S 4S 5S 6S", "7S QS KS 2H 3H 4H 5H 6H AC", ""), "", *fewer)
    _, worlds = worlds_of(game, states, 500)
    assert not (worlds["dealt"][:, 1] & matadors).all(), "one card says nothing"


def test_the_turned_card_is_in_the_hand_of_the_ombre():
    moves = ("VUELTA", "PASS", "PASS", "2S", "3S", "DONE", "GO_FIRST", "DONE")
    game, states = dealt("default", ("2S 3S AS", "", ""), "7H", *moves)
    _, worlds = worlds_of(game, states, 500)
    turned = 1 << CARDS.index("7H")
    assert (worlds["hand"][:, 0] & turned).all() and not (worlds["dealt"][:, 0] & turned).any()
    assert (worlds["talon"][:, 0] == CARDS.index("7H")).all()


def closed(state, seat):
    """Cards that a seat has shown not to hold, from the log in plain words."""
    trump, out, led = int(state["trump"]), set(), None
    plays = [(int(s), int(c)) for s, c in zip(state["log_seat"], state["log"], strict=True) if 0 <= c < 40]
    order = sorted((c for c in range(40) if int(MATADORS[trump]) >> c & 1), key=lambda c: (c != 0, c == 30))
    for number, (who, card) in enumerate(plays):
        if number % 3 == 0:
            led = card
            continue
        suit = SUIT_OF[trump, led]
        if who != seat or SUIT_OF[trump, card] == suit:
            continue
        for other in range(40):
            if SUIT_OF[trump, other] == suit:
                superior = led in order and other in order and order.index(led) < order.index(other)
                if other not in order or superior:
                    out.add(other)
    return out


def late_states(game, n):
    """States (n,) of random play before a decision in the seventh trick or later; those that ended before are left out."""
    states, rows = game.begin(7, np.arange(n)), np.arange(n)
    keys = np.array([hash_key(np.uint64(8), row, CHOICE) for row in range(n)], np.uint64)
    for number in range(60):
        rows = rows[(states["stage"][rows] == RUNNING) & (states["plays"][rows] < 20)]
        now, actions = states[rows], np.zeros(len(rows), np.int64)
        random_actions(game.legal(now), keys[rows] + np.uint64(number), actions)
        game.loops.advance_rows(game.rules, now, actions)
        states[rows] = now
    return states[states["stage"] == RUNNING]


def hands_of(state):
    """Every pair of hands of the other seats that the play allows; none where there are very many."""
    seat = int(state["seat"])
    seen = int(state["hand"][seat] | state["discarded"][seat])
    for played in state["played"]:
        seen |= int(played)
    unseen = [card for card in range(40) if not seen >> card & 1]
    one, two = (
        list(itertools.combinations([c for c in unseen if c not in closed(state, who)], int(state["hand"][who]).bit_count()))
        for who in ((seat + 1) % 3, (seat + 2) % 3)
    )
    if len(one) * len(two) > 5000:
        return []  # too many to count
    return [(a, b) for a, b in itertools.product(one, two) if not set(a) & set(b)]


def test_late_hands_are_equally_likely():
    """A few tricks before the end: each pair of hands has as many ways to lay the rest."""
    game, tried = make_game("ombre", bids="E,S"), 0
    for state in late_states(game, 3000 if COMPILED else 300):
        states, seat = np.array([state]), int(state["seat"])
        one, two = (seat + 1) % 3, (seat + 2) % 3
        if state["contract"] not in (st.ENTRADA, st.SOLO) or not (closed(state, one) and closed(state, two)):
            continue
        hands = hands_of(state)
        if not 1 < len(hands) < 400:
            continue
        _, worlds = worlds_of(game, states, (40 if COMPILED else 10) * len(hands))
        found = Counter((tuple(cards_of(int(w[one]))), tuple(cards_of(int(w[two])))) for w in worlds["hand"])
        assert uniform(found, dict.fromkeys(hands, 1))
        for world in worlds[:5]:
            assert replay(record_of(game, world)).tobytes() == world.tobytes()
        tried += 1
    assert tried >= (10 if COMPILED else 1)


@pytest.mark.parametrize("title", sorted(golden_ombre.RULES))
def test_worlds_at_every_decision_of_a_golden_record(title):
    """Rare events stand there: hands shown for a vole, a talon laid open, a forced Spadille."""
    for record in golden_tool.read(golden_tool.FOLDER / "ombre" / f"{title}.txt"):
        game = game_of(record)
        for states in replay_states(record)[:-1]:
            seat = int(states[0]["seat"])
            view = game.hide(states, seat)
            assert game.consistent(view, states, seat)[0]
            world = game.redeal(view, seat, 1)
            assert game.consistent(view, world, seat)[0] and replay(record_of(game, world)).tobytes() == world.tobytes()
