"""Values of search: what the exact part counts, and that a value is the change of points in whatever deal of an episode."""

import numpy as np
import pytest
from golden_tool import FOLDER, Deal, read
from test_search import WORLDS, decisions, positions_of

from lomber.agents.search import SearchAgent
from lomber.envs import make_game
from lomber.envs.engine.chance import WORLD, hash_key
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.state import OVER, RUNNING


def minimax(game, states, seat):
    """What both open hands come to, by plain recursion."""
    if states[0]["stage"] != 0:
        return game.points(states)[0]
    mover, best = int(states[0]["seat"]), None
    for action in np.flatnonzero(game.legal(states)[0]):
        after = states.copy()
        game.advance(after, [action], go_on=False)
        points = minimax(game, after, seat)
        if best is None or points[mover] - points[1 - mover] > best[mover] - best[1 - mover]:
            best = points
    return best


@pytest.mark.parametrize("preset", ["korolik", "cent"])
def test_the_end_of_a_deal_of_two_is_solved_exactly(preset):
    for seed in range(6 if COMPILED else 1):
        game, found = decisions("piquet", seed, preset=preset)
        agent = SearchAgent(game, worlds=3, belief="even", nodes=100_000)
        for state in found[-7:] if COMPILED else found[-2:]:
            asked = positions_of(game, state)
            seat, result = int(asked.seat[0]), agent.search(asked)[0]
            assert result.solved == 1
            wanted = np.zeros((3, game.num_actions))
            for j in range(3):
                world = game.redeal(asked.view, asked.seat, np.array([hash_key(asked.key[0], j, WORLD)], np.uint64))
                for action in np.flatnonzero(asked.action_mask[0]):
                    after = world.copy()
                    game.advance(after, [action], go_on=False)
                    wanted[j, action] = minimax(game, after, seat)[seat]
            legal = asked.action_mask[0] > 0
            np.testing.assert_allclose(result.values[legal], wanted.mean(axis=0)[legal], atol=1e-9)


def later_deals(name, preset, episode):
    """A game, and states (1,) in later deals of episodes played at random, each before the last choice of its deal."""
    game, rng = make_game(name, preset, episode=episode), np.random.default_rng(4)
    found = []
    for seed in range(1000):
        states = game.begin(seed)
        while states[0]["stage"] != OVER:
            game.next_deal(states)
            last = None
            while states[0]["stage"] == RUNNING:
                legal = np.flatnonzero(game.legal(states)[0])
                last = states.copy() if len(legal) > 1 else last
                game.advance(states, [rng.choice(legal)], go_on=False)
            found += [last] if last is not None and last[0]["deal"] else []
            if len(found) == 8:
                return game, found
    raise AssertionError("too few deals")


LATER = [("piquet", {"preset": "korolik", "episode": "partie"}), ("bouillotte", {"preset": "mini", "episode": "coup"})]


@pytest.mark.parametrize(("name", "options"), LATER)
def test_a_value_is_the_change_of_points_by_the_end_of_the_deal(name, options):
    """In later deals of an episode too, whatever stands there from those before: net points, or stakes carried on."""
    game, found = later_deals(name, **options)
    alone = make_game(name, **{**options, "episode": "deal"})
    agent = SearchAgent(game, worlds=2, belief="even", nodes=100_000)
    settled = 0
    for state in found:
        asked = positions_of(game, state)
        seat, result, wanted = int(asked.seat[0]), agent.search(asked)[0], np.zeros((2, game.num_actions))
        assert result.solved == 1
        for j in range(2):
            world = game.redeal(asked.view, asked.seat, np.array([hash_key(asked.key[0], j, WORLD)], np.uint64))
            before = alone.points(world)[0][seat]
            settled += bool(before)
            for action in np.flatnonzero(asked.action_mask[0]):
                after = world.copy()
                alone.advance(after, [action], go_on=False)
                wanted[j, action] = minimax(alone, after, seat)[seat] - before
        legal = asked.action_mask[0] > 0
        np.testing.assert_allclose(result.values[legal], wanted.mean(axis=0)[legal], atol=1e-9)
    assert settled


def test_what_former_deals_have_settled_is_no_part_of_a_value():
    game, found = later_deals("piquet", "cent", "partie")
    agent = SearchAgent(game, worlds=4, nodes=0, playout="random")
    for state in found:
        anew = state.copy()
        state["match"]["net"] = state["start"]["net"] = 100, -100
        anew["match"]["net"] = anew["start"]["net"] = 0
        one, two = (agent.search(positions_of(game, which))[0].values for which in (state, anew))
        np.testing.assert_array_equal(one, two)
    assert found


@pytest.mark.jit
def test_no_more_nodes_than_allowed_are_looked_at():
    game, found = decisions("piquet", 1)
    assert SearchAgent(game, worlds=2, nodes=0).search(positions_of(game, found[-2]))[0].solved == 0
    assert SearchAgent(game, worlds=2, nodes=50).search(positions_of(game, found[-14]))[0].solved == 0


def test_the_actions_of_a_world_are_all_found_in_the_same_way():
    """Where the tree behind one action is too large, those behind the others are not solved either."""
    mixed = 0
    for seed in range(4 if COMPILED else 1):
        game, found = decisions("piquet", seed)
        for state in found[-12:]:
            asked = positions_of(game, state)
            played = SearchAgent(game, worlds=1, nodes=0).search(asked)[0]
            for nodes in (2, 6, 20, 60, 200, 600):
                tried = SearchAgent(game, worlds=1, nodes=nodes).search(asked)[0]
                assert tried.solved in (0, 1)
                if not tried.solved:
                    assert tried.values.tobytes() == played.values.tobytes()
                    mixed += 1
    assert mixed > (3 if COMPILED else 0)


def test_where_every_action_ends_the_deal_the_value_is_what_it_pays():
    """Ombre, the premiers: STOP pays at once, whatever the placing."""
    game = make_game("ombre")
    (record,) = read(FOLDER / "ombre" / "premiers.txt")
    deal = Deal(record)
    state = deal.states[-2]
    assert game.legal_names(state) == ("STOP", "VOLE")
    result = SearchAgent(game, worlds=WORLDS).search(positions_of(game, state))[0]
    assert result.values[game.action_id("STOP")] == pytest.approx(deal.record.points[int(state[0]["seat"])])
