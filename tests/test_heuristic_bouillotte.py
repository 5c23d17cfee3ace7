"""The rule-based players of bouillotte and brelan: the chance of winning, the best hand, bluffs, and who beats whom."""

from functools import cache, partial

import gymnasium
import numpy as np
import pytest
from answers import ask, play_on
from test_heuristic import gather, pick

import lomber.agents.bouillotte as rules_of_thumb
from lomber.agents.base import Positions
from lomber.agents.bouillotte.chances import chance_of_winning
from lomber.agents.bouillotte.maniac import RAISES
from lomber.agents.bouillotte.stakes import stake_near
from lomber.agents.heuristic import HeuristicAgent
from lomber.agents.random import RandomAgent
from lomber.agents.registry import POLICIES, agent_names, load_agent
from lomber.envs import make_game
from lomber.envs.bouillotte import actions as act
from lomber.envs.bouillotte import state as st
from lomber.envs.bouillotte.positions import deck_of
from lomber.envs.bouillotte.settlement import live
from lomber.envs.bouillotte.showdown import categorize, contest, strength_of, totals_of
from lomber.envs.engine.jit import COMPILED, entry
from lomber.envs.engine.state import NONE, RUNNING
from lomber.training.evaluate import evaluate

GAMES = [(name, preset) for name in ("bouillotte", "brelan") for preset in make_game(name).spec.presets]
BRELANS = [(name, preset) for name, preset in GAMES if make_game(name, preset).options.brelan_enabled]
compiled = partial(entry, file=rules_of_thumb.__file__)  # kept on disk, by the sources of the players
FOES = ("random", "maniac", "rock")


@cache
def positions_of(name, preset, who="random", n=60, episode="deal"):
    """The positions of n episodes in which every seat is this agent."""
    game = make_game(name, preset, episode=episode)
    return game, gather(game, RandomAgent(5) if who == "random" else HeuristicAgent(game, 5, f"{name}/{who}"), n)


def weights_of(game, positions, who="heuristic"):
    return HeuristicAgent(game, name=f"{game.name}/{who}").probabilities(positions)


@compiled
def chances(rules, views, seats, out):
    for i in range(len(views)):
        out[i] = chance_of_winning(rules[0], views[i], seats[i], live(views[i]) & ~(1 << seats[i]))


@compiled
def share_won(rules, worlds, seat):
    """How many worlds the seat wins, if all who are in the game show."""
    won = 0
    for i in range(len(worlds)):
        world = worlds[i]
        strengths = 0
        for other in range(rules[0]["players"]):
            category, rank = categorize(rules[0], world["hand"][other], world["retourne"], NONE)
            strengths |= strength_of(rules[0], category, rank) << 8 * other
        winner, _ = contest(rules[0], world, live(world), strengths, totals_of(rules[0], world))
        won += winner == seat
    return won / len(worlds)


def estimates(game, positions):
    out = np.zeros(len(positions))
    chances(game.rules, positions.view.copy(), positions.seat, out)
    return out


@pytest.mark.jit
@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_the_chance_of_winning_agrees_with_redealt_worlds(name, preset):
    game, positions = positions_of(name, preset)
    view = positions.view
    chosen = np.flatnonzero((view["phase"] == st.OPENING) & (view["opener"] == NONE))[:60]
    positions = pick(positions, chosen)
    told = estimates(game, positions)
    keys = np.arange(400, dtype=np.uint64)
    found = np.zeros(len(chosen))
    for i, seat in enumerate(positions.seat):
        views = np.frombuffer(bytearray(positions.view[i : i + 1].tobytes() * len(keys)), view.dtype)
        worlds = game.redeal(views, np.full(len(keys), seat), keys)
        found[i] = share_won(game.rules, worlds, seat)
    error = told - found
    assert abs(error.mean()) < 0.02 and (error**2).mean() ** 0.5 < 0.07, (error.mean(), (error**2).mean() ** 0.5)
    assert found.std() > 0.1  # there is something to tell


def dealt(hands, retourne, dealer=3, preset="bouillotte4", **options):
    """A deal with these hands by seat, up to the first question."""
    game = make_game("bouillotte", preset, **options)
    ids = [game.card_ids(hand.split()) for hand in hands]
    return game, game.deal(deck_of(game, ids, game.card_ids([retourne])[0], dealer), {"dealer": dealer})


HANDS = ["AS AD AC", "AH KH 9C", "8S 9S QH", "8H 8D 9H"]


def chance_after(*actions):
    game, states = dealt(HANDS, "QD", carre_mode="none")
    play_on(game, states, *actions)
    seat = int(states[0]["seat"])
    out = np.zeros(1)
    chances(game.rules, game.hide(states, seat), np.array([seat]), out)
    return seat, out[0]


def test_a_stake_is_a_sign_of_good_cards():
    assert chance_after()[1] > 0.95  # three aces
    (seat, before), (same, after) = chance_after("PASS"), chance_after("STAKE_TO 5")
    assert seat == same == 1 and 0 < after < before - 0.05


def test_moves_that_one_would_insist_on():
    game, states = dealt(HANDS, "QD", carre_mode="none")
    assert ask(game, states).startswith("STAKE_TO")
    play_on(game, states, "PASS", "PASS", "PASS", "STAKE_TO 5")
    assert ask(game, states) == "STAKE_TO 30"
    play_on(game, states, "STAKE_TO 30", "FOLD")
    assert ask(game, states) == "FOLD"  # eight, nine and queen


@pytest.mark.parametrize(("name", "preset"), BRELANS)
def test_the_best_hand_is_never_folded(name, preset):
    game, rng = make_game(name, preset), np.random.default_rng(3)
    rank = game.options.ranks[-1]
    met = 0
    for deal in range(60 if COMPILED else 8):
        holder = deal % game.seats
        hands = [game.card_ids([f"{rank}{suit}" for suit in "SHD"]) if seat == holder else [] for seat in range(game.seats)]
        rest = [card for card in rng.permutation(game.deck().tolist()) if card % 9 != hands[holder][0] % 9]
        for seat in range(game.seats):
            if seat != holder:
                hands[seat] = [int(rest.pop()) for _ in range(3)]
        dealer = int(rng.integers(game.seats))
        states = game.deal(deck_of(game, hands, game.card_ids([f"{rank}C"])[0], dealer), {"dealer": dealer})
        while states[0]["stage"] == RUNNING:
            seat, mask = int(states[0]["seat"]), game.legal(states)
            legal = np.flatnonzero(mask[0])
            if states[0]["hand"][holder] and seat == holder and mask[0, act.FOLD]:
                met += 1
                key = np.zeros(1, np.uint64)
                asked = Positions(np.zeros((1, 1), np.float32), mask, np.array([seat]), key, game.hide(states, seat))
                assert weights_of(game, asked)[0, act.FOLD] == 0
                legal = legal[legal != act.FOLD]
            game.advance(states, [int(rng.choice(legal))], go_on=False)
    assert met


def is_bluff(weights):
    """Where it stakes, but not always."""
    return (weights > 0).sum(axis=1) == 2


@pytest.mark.parametrize("name", ["bouillotte", "brelan"])
@pytest.mark.parametrize("ladder", ["none", "ladder"])
def test_bluffs_are_as_frequent_as_is_said(name, ladder):
    game = make_game(name, action_abstraction=ladder, episode="coup")
    agent = HeuristicAgent(game, 5)
    positions = gather(game, agent, 300 if COMPILED else 4)
    weights = weights_of(game, positions)
    bluffs = np.flatnonzero(is_bluff(weights))
    stakes = weights[:, act.STAKE + 1 :][bluffs].max(axis=1)
    np.testing.assert_allclose(stakes, rules_of_thumb.BLUFFS, atol=1e-6)
    assert set(positions.view["phase"][bluffs]) <= {st.OPENING, st.BETTING} and len(bluffs)
    if COMPILED:
        again = pick(positions, np.tile(bluffs, 20_000 // len(bluffs)))
        keys = np.random.default_rng(1).integers(0, 2**64, len(again), np.uint64)
        chosen = agent.act(Positions(again.observation, again.action_mask, again.seat, keys, again.view))
        assert abs((chosen > act.STAKE).mean() - rules_of_thumb.BLUFFS) < 0.008  # five standard deviations


def test_the_maniac_looks_at_no_card_and_raises_by_much():
    game, positions = positions_of("bouillotte", "bouillotte4", "maniac")
    weights = weights_of(game, positions, "maniac")
    other = positions.view.copy()
    other["hand"] = np.roll(other["hand"], 1, axis=1)
    blind = Positions(positions.observation, positions.action_mask, positions.seat, positions.key, other)
    assert (weights_of(game, blind, "maniac") == weights).all()
    stakes = weights[:, act.STAKE + 1 :].sum(axis=1)
    may = positions.action_mask[:, act.STAKE + 1 :].any(axis=1)
    np.testing.assert_allclose(stakes[may], RAISES, atol=1e-6)
    assert weights[:, act.FOLD].max() <= 0.05 and may.mean() > 0.3
    carre = positions.view["phase"] == st.BLIND
    assert (weights[carre, act.CARRE] == 1).all() and carre.any()


@pytest.mark.parametrize(("name", "preset"), [("bouillotte", "bouillotte4"), ("brelan", "brelan5")])
def test_the_rock_stakes_on_few_hands(name, preset):
    game, positions = positions_of(name, preset, "random", 400 if COMPILED else 6)
    weights, view = weights_of(game, positions, "rock"), positions.view
    assert not weights[view["phase"] == st.BLIND, act.CARRE].any()
    opening = (view["phase"] == st.OPENING) & (view["opener"] == NONE)
    if COMPILED:
        assert 0.01 < 1 - weights[opening, act.PASS].mean() < 0.15
        answers = positions.action_mask[:, act.FOLD] == 1
        assert weights[answers, act.FOLD].mean() > 0.8


@compiled
def named(rules, view, mask, wanted):
    return stake_near(rules[0], view[0], mask[0], wanted)


def test_a_stake_is_named_by_the_nearest_rung():
    game, states = dealt(HANDS, "QD", carre_mode="none", action_abstraction="ladder")
    mask = game.legal(states)
    rungs = {1: 1, 2: 2, 4: 4, 5: 5, 6: 5, 8: 10, 12: 10, 13: 15, 20: 15, 29: 30, 99: 30}
    for wanted, stake in rungs.items():
        choice = int(named(game.rules, states, mask, wanted))
        assert mask[0, choice]
        copy = states.copy()
        game.advance(copy, [choice], go_on=False)
        assert copy[0]["level"] == stake, wanted


@pytest.mark.parametrize("name", ["bouillotte", "brelan"])
def test_all_of_them_are_found_wherever_an_agent_is_named(name):
    game = make_game(name)
    names = {f"{name}/{who}" for who in ("heuristic", "maniac", "rock")}
    assert names | {f"{name}/search"} == {known for known in agent_names(game) if known.startswith(f"{name}/")} - {*POLICIES}
    assert all(load_agent(one, game).name == one for one in names)
    assert not names & set(agent_names(make_game("piquet")))
    env = gymnasium.make(f"lomber/{name.title()}-v0", opponents=f"{name}/rock")
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


@pytest.mark.jit
@pytest.mark.parametrize("foe", FOES)
@pytest.mark.parametrize(
    ("name", "preset", "options"),
    [
        ("bouillotte", "bouillotte4", {}),
        ("bouillotte", "bouillotte3", {}),
        ("bouillotte", "bouillotte5", {"action_abstraction": "ladder"}),
        ("brelan", "brelan5", {}),
    ],
)
def test_it_beats_random_play_maniac_and_rock_in_all_seatings(name, preset, options, foe):
    game = make_game(name, preset, episode="coup", **options)
    other = load_agent(foe if foe == "random" else f"{name}/{foe}", game, 2)
    result = evaluate(game, load_agent(f"{name}/heuristic", game, 1), other, ids=1000 if foe == "rock" else 300, seed=2)
    assert result.interval[0] > 0 and result.seatings == (6 if game.seats == 3 else 2 * game.seats)
