"""The invariants of bouillotte's spec (5.6), after every action, over random presets, options and stacks; brelan's too."""

import random
from dataclasses import fields

import numpy as np
import pytest

from lomber.envs import RecordError, UnknownName, make_game
from lomber.envs.bouillotte import state as st
from lomber.envs.brelan import SPEC as BRELAN
from lomber.envs.engine import records
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.state import DEAL_ENDED, OVER, RUNNING

NUMBERS = {
    "players": (2, 3, 4, 5), "cave": (30, 5, 12, 150), "stake_cap": (60, 5, 30, 100), "ante": (1, 2, 3, 0),
    "carre_max": (2, 0, 1, 5, 10), "raise_min": (1, 2, 5), "raise_increment_max": (0, 3, 20), "max_raises": (0, 1, 3),
    "pass_fee": (0, 1, 2), "raise_fee": (0, 1, 2), "tapissier_threshold": (1, 0, 3), "stack_max": (0, 40, 60),
    "session_deals": (6, 12), "coup_max_deals": (3, 6), "pay_simple": (1, 3), "pay_carre": (4, 40), "pay_mistigri": (1, 0, 9),
    "pay_favori": (2,), "pay_mistigri_carre": (2, 1), "pay_st_james": (2, 5), "pay_st_james_carre": (4,),
}  # fmt: skip
RANKS = ("AK98", "AKQ98", "AKQJ98", "AKQJT98", "AKT8", "AKQT8", "AKQJT8", "AKQJT987", "AKQJT9", "AKQJT9876", "AJ876")


def random_game(rng):
    """A preset with some options drawn at random, and an episode of several deals more often than not."""
    name = rng.choice(("bouillotte", "bouillotte", "brelan"))
    spec = make_game(name).spec
    while True:
        given = {"episode": rng.choice(("deal", "coup", "session", "session")), "session_deals": 6}
        for field in fields(spec.options):
            if field.name in given or rng.random() > 0.25:
                continue
            if field.name in NUMBERS:
                given[field.name] = rng.choice(NUMBERS[field.name])
            elif "values" in field.metadata:
                given[field.name] = rng.choice(field.metadata["values"])
            elif "switch" in field.metadata:
                given[field.name] = rng.random() < 0.5
            else:
                given[field.name] = rng.choice(RANKS)
        try:
            return make_game(name, rng.choice(list(spec.presets)), **given)
        except UnknownName:  # two options that exclude each other
            continue


def first_state(game, rng):
    """An episode's first decision, half the time from stacks and carried stakes drawn at random."""
    if rng.random() < 0.5:
        return game.begin(rng.randrange(1000), rng.randrange(1000))
    deck = game.deck().tolist()
    rng.shuffle(deck)
    stacks = [rng.choice((1, 2, 3, 5, 30, 70)) for _ in range(game.seats)]
    start = {"dealer": rng.randrange(game.seats), "stacks": stacks}
    if rng.random() < 0.5:
        start["carried"] = [rng.randrange(4) for _ in range(game.seats)]
    return game.deal(deck, start, key=rng.randrange(1, 2**63))


def check_holdings(game, state):
    """I1, I4, and the pot as the sum of what the seats have in it."""
    match, cap = state["match"], game.options.stake_cap
    assert match["stack"].sum() + state["pot"] + match["bank"].sum() - match["buyins"].sum() == 0
    assert (match["stack"] >= 0).all() and (state["stake"] >= 0).all() and (state["stake"] <= cap).all()
    if state["stage"] == RUNNING:
        assert state["pot"] == state["stake"].sum() + state["dead"].sum() + match["carried"].sum()
        assert state["level"] == state["stake"].max()
    else:
        assert state["pot"] == match["carried"].sum()


def check_end(game, state):
    """I2, I3, I5 and I6 of a finished deal."""
    start, won = state["start"], state["winners"] >= 0
    lay = state["stake"].sum() + state["dead"].sum() + start["carried"].sum()
    if state["end"] == st.PASSED_OUT:
        assert not won.any() and not state["layers"].any()
        after = lay
    else:
        assert state["layers"].sum() == lay and (state["layers"][won] >= 0).all() and not state["layers"][~won].any()
        assert not state["match"]["carried"].any()
        after = 0
        highest = [seat for seat in range(game.seats) if state["stake"][seat] == state["level"]]
        orphans = game.options.carre_mode == "dealer_ante" and game.options.ante >= 2
        assert orphans or any(not int(state["folded"]) >> seat & 1 for seat in highest)
        for seat in state["winners"][won]:
            assert int(state["dealt"]) >> int(seat) & 1 and not int(state["folded"]) >> int(seat) & 1
    assert state["net"].sum() + after - start["carried"].sum() == 0
    paid = state["paid"].clip(min=0)
    gained = state["net"] + state["stake"] + state["dead"]
    for seat in range(game.seats):
        pots = sum(int(n) for n, who in zip(state["layers"], state["winners"], strict=True) if who == seat)
        assert gained[seat] == pots + paid[:, seat].sum() - paid[seat].sum()
    if game.options.brelan_scope == "off" or not game.options.brelan_enabled:
        assert not paid.any()


def play_through(game, rng):
    """One episode at random, checked after every action; returns how many decisions (options may leave none)."""
    states, decisions = first_state(game, rng), 0
    before = None
    while True:
        state = states[0]
        check_holdings(game, state)
        if state["stage"] == RUNNING:
            if before is not None and before[0]["deal"] == state["deal"] and before[0]["stage"] == RUNNING:
                assert (state["stake"] >= before[0]["stake"]).all()
            before = states.copy()
            legal = np.flatnonzero(game.legal(states)[0])
            assert len(legal) > 1
            game.advance(states, [int(rng.choice(legal))], go_on=False)
            decisions += 1
            continue
        check_end(game, state)
        assert records.replay(records.record_of(game, states)).tobytes() == states.tobytes()
        if state["stage"] == OVER:
            break
        assert state["stage"] == DEAL_ENDED
        game.next_deal(states)
    assert game.points(states)[0].sum() == 0  # I7
    return decisions


@pytest.mark.parametrize("number", range(150 if COMPILED else 15))
def test_invariants(number):
    rng = random.Random(number)
    game = random_game(rng)
    for _ in range(4):
        play_through(game, rng)


@pytest.mark.long
def test_invariants_at_length():
    for number in range(1000, 6000):
        rng = random.Random(number)
        game = random_game(rng)
        for _ in range(4):
            play_through(game, rng)


LARGE = {"players": 5, "ranks": "AKQJ98", "cave": 10**6, "episode": "session", "pay_simple": 10**6, "pay_carre": 10**6}


@pytest.mark.parametrize("policy", ["carry", "reset"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_amounts_stay_exact(policy, sign):
    """Interpreted, an overflow would warn; compiled, jetons would not add up."""
    game, most = make_game("bouillotte", **LARGE, session_deals=20, stack_policy=policy), st.MOST_GIVEN
    given = {"stacks": [most - 4, 1, 1, 1, 1], "carried": [most, 0, 0, 0, 0], "bank": [sign * most, 0, 0, 0, 0]}
    start = {"dealer": 1, **given, "buyins": [-most, 0, 0, 0, 0]}
    rng = random.Random(1)
    states = game.deal(game.deck().tolist(), start, key=5)
    while states[0]["stage"] != OVER:
        game.advance(states, [int(rng.choice(np.flatnonzero(game.legal(states)[0])))])
    assert states[0]["deal"] == 19 and game.points(states)[0].sum() == 3 * most + sign * most


def test_amounts_that_would_not_fit_are_refused():
    with pytest.raises(UnknownName, match="cave=1000000 and 21 deals could bring 105000000 jetons, more than 100000000"):
        make_game("bouillotte", **LARGE, session_deals=21)
    game = make_game("bouillotte", **LARGE, session_deals=20)
    for name in ("stacks", "carried", "bank", "buyins"):
        for value in (st.MOST_GIVEN, -st.MOST_GIVEN):
            with pytest.raises(RecordError, match=name):
                game.deal(game.deck().tolist(), {"dealer": 0, name: [value, value // abs(value), 0, 0, 0]})


def test_random_play_has_decisions():
    """The invariants are asserted somewhere."""
    rng = random.Random(7)
    assert sum(play_through(make_game("bouillotte", episode="session", session_deals=3), rng) for _ in range(3)) > 20


def test_all_presets_are_named():
    assert len(make_game("bouillotte").spec.presets) == 17 and len(BRELAN.presets) == 8
