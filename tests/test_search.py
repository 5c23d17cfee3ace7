"""Search: what it weighs is what it says, and it depends on the view alone."""

import itertools
import math

import numpy as np
import pytest
from phases import decisions_by_phase

from lomber.agents import search
from lomber.agents.base import Positions
from lomber.agents.heuristic import HEURISTICS, HeuristicAgent
from lomber.agents.registry import load_agent
from lomber.agents.search import SearchAgent, _effective, _pick, _weights
from lomber.envs import GAMES, LomberError, make_game
from lomber.envs.engine import records
from lomber.envs.engine.chance import WORLD, hash_key
from lomber.envs.engine.jit import COMPILED
from lomber.envs.engine.state import RUNNING

WORLDS = 20 if COMPILED else 2


def positions_of(game, states, key=7):
    seats = np.array(states["seat"])
    views = game.hide(states, seats)
    keys = np.full(len(states), key, np.uint64)
    return Positions(game.observe(views, seats), game.legal(states), seats, keys, views)


def decisions(name, seed=1, every=1, **options):
    """States (1,) before the decisions of a deal played at random, every so many; interpreted the first and the last two."""
    game, rng = make_game(name, **options), np.random.default_rng(seed)
    states, found = game.begin(seed), []
    while states[0]["stage"] == 0:
        found.append(states.copy())
        game.advance(states, [rng.choice(np.flatnonzero(game.legal(states)[0]))], go_on=False)
    return game, found[::every] if COMPILED else [*found[:-2][:1], *found[-2:]]


@pytest.mark.parametrize("belief", ["heuristic", "even"])
@pytest.mark.parametrize("name", GAMES)
def test_it_depends_on_the_view_alone_and_on_no_batch(name, belief):
    for seed in range(2):
        game, found = decisions(name, seed)
        agent = SearchAgent(game, worlds=4, belief=belief)
        together = []
        for number, state in enumerate(found):
            asked = positions_of(game, state, number)
            world = game.redeal(asked.view, asked.seat, np.array([number + 99], np.uint64))
            again = positions_of(game, world, number)
            assert again.view.tobytes() == asked.view.tobytes() and world.tobytes() != state.tobytes()
            before = asked.view.tobytes()
            one, two = agent.search(asked)[0], agent.search(again)[0]
            assert one.values.tobytes() == two.values.tobytes() and one.effective == two.effective
            assert asked.view.tobytes() == before and np.isnan(one.values).tolist() == (asked.action_mask[0] == 0).tolist()
            together.append((asked, one.chosen))
        parts = (np.concatenate([getattr(asked, part) for asked, _ in together]) for part in PARTS)
        batch = Positions(*parts, join([asked.view for asked, _ in together]))
        assert agent.act(batch).tolist() == [chosen for _, chosen in together]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_changes_no_move_in_any_phase(name):
    for number, (game, state) in enumerate(decisions_by_phase(name, 2 if COMPILED else 1)):
        asked = positions_of(game, state, number)
        world = game.redeal(asked.view, asked.seat, np.array([number + 99], np.uint64))
        again = positions_of(game, world, number)
        assert again.view.tobytes() == asked.view.tobytes() and world.tobytes() != state.tobytes()
        agent = load_agent(f"{name}/search:worlds=4", game)
        one, two = agent.search(asked)[0], agent.search(again)[0]
        assert one.values.tobytes() == two.values.tobytes() and one.chosen == two.chosen


PARTS = ("observation", "action_mask", "seat", "key")


def join(views):
    return np.frombuffer(bytearray(b"".join(view.tobytes() for view in views)), views[0].dtype)


@pytest.mark.parametrize("name", GAMES)
def test_a_world_is_reached_by_its_own_moves(name):
    """What weighs a placing plays it anew from its deck: it must come to that very placing."""
    for seed in range(3 if COMPILED else 1):
        game, found = decisions(name, seed, every=2)
        for number, state in enumerate(found):
            asked = positions_of(game, state)
            world = game.redeal(asked.view, asked.seat, np.array([number], np.uint64))
            assert records.replay(records.record_of(game, world)).tobytes() == world.tobytes()


def test_the_order_of_discards_that_nobody_saw_says_nothing():
    """A world has them in one order, the one in which the heuristic names them: it is asked card by card."""
    game, found = make_game("piquet"), [state for seed in (5, 6) for state in decisions("piquet", seed)[1]]
    asked = [positions_of(game, state, number) for number, state in enumerate(found) if state[0]["exchanged"].max() > 1]
    for one in asked:
        world = game.redeal(one.view, one.seat, one.key)[0]
        other = 1 - int(one.seat[0])
        marks = world["marks"][other, : world["marked"][other]].tolist()
        assert marks == sorted(marks) and sum(1 << card for card in marks) == world["discarded"][other]
    assert len(asked) > 2
    likely = [likelihood(game, state, 1 - int(state[0]["seat"]), 1e-3) for state in played_by_heuristics("piquet")]
    assert likely and max(map(abs, likely)) == 0, "of what it does itself, it is sure"


def played_by_heuristics(name):
    """States (1,) behind the exchange of a deal that the heuristic plays in all seats, which draws nothing by chance."""
    game, states, found = make_game(name), make_game(name).begin(8), []
    player = HeuristicAgent(game)
    while states[0]["stage"] == RUNNING:
        if min(states[0]["exchanged"]) >= 0:
            found.append(states.copy())
        game.advance(states, player.act(positions_of(game, states)), go_on=False)
    return found[:3]


def test_weights_are_flattened_until_enough_worlds_count():
    rng = np.random.default_rng(1)
    likely = 10 * rng.standard_normal(200)
    weights = _weights(likely, 50)
    assert weights.sum() == pytest.approx(1) and 50 <= _effective(np.log(weights)) < 51
    assert (np.diff(weights[np.argsort(likely)]) >= 0).all()
    alike = np.log(np.full(10, 0.5))
    assert _effective(alike) == pytest.approx(10)
    np.testing.assert_allclose(_weights(alike, 3), 0.1)
    sharp = np.array([0.0, -math.log(3)])
    np.testing.assert_allclose(_weights(sharp, 1), [0.75, 0.25])


def likelihood(game, world, seat, floor):
    """How likely the others' decisions on the way to a world are, from the heuristic's own answers."""
    player, told = HeuristicAgent(game), 0.0
    record = records.record_of(game, world)
    states = records.replay_states(record)
    for state in states[:-1]:
        asked = positions_of(game, state)
        if asked.seat[0] != seat:
            (_, name) = record.moves[len(game.moves(state))]
            choice = game.choice_of(state, game.move_id(name))
            told += math.log(max(float(player.probabilities(asked)[0, choice]), floor))
    return told


@pytest.mark.parametrize("name", [name for name in GAMES if f"{name}/heuristic" in HEURISTICS])
def test_placings_are_weighed_by_what_the_heuristic_would_have_done(name):
    game, found = decisions(name, 2, every=3, episode="deal")
    agent = SearchAgent(game, worlds=4, candidates=1, floor=0.01)
    for number, state in enumerate(found):
        asked = positions_of(game, state, number)
        seat = int(asked.seat[0])
        keys = np.array([hash_key(asked.key[0], j, WORLD) for j in range(4)], np.uint64)
        worlds = [game.redeal(asked.view, asked.seat, keys[j : j + 1]) for j in range(4)]
        wanted = np.array([likelihood(game, world, seat, 0.01) for world in worlds])
        assert agent.search(asked)[0].effective == pytest.approx(_effective(wanted), rel=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {"worlds": 0},
        {"worlds": 10.5},
        {"worlds": True},
        {"worlds": math.inf},
        {"worlds": "many"},
        {"playout": "best"},
        {"belief": "none"},
        {"floor": 0.0},
        {"floor": math.nan},
        {"milliseconds": 0},
        {"milliseconds": math.inf},
        {"nodes": -1},
        {"nodes": 1e3},
        {"nodes": 10**30},
        {"least": -1},
        {"least": "some"},
        {"candidates": 0},
        {"candidates": math.nan, "belief": "even"},
        {"caution": -1},
        *({setting: 10**400} for setting in ("floor", "least", "caution", "milliseconds")),
        {"caution": math.inf},
    ],
)
def test_settings_that_cannot_be_are_refused(settings):
    setting = next(iter(settings))
    with pytest.raises(LomberError, match=f"^{setting} of search|unknown {setting} of search"):
        SearchAgent(make_game("ombre"), **settings)
    told = ",".join(f"{name}={value}" for name, value in settings.items())
    with pytest.raises(LomberError, match=f"{setting} of search"):
        load_agent(f"ombre/search:{told}", make_game("ombre"))


def test_whole_numbers_of_numpy_are_settings_too():
    agent = SearchAgent(make_game("ombre"), worlds=np.int64(3), nodes=np.int32(5), candidates=np.int8(2))
    assert (agent.worlds, agent.candidates) == (3, 2)


@pytest.mark.parametrize("name", [name for name in GAMES if f"{name}/heuristic" in HEURISTICS])
def test_a_cautious_search_leaves_the_heuristic_for_sure_gains_only(name):
    """Never where the gain is within its error in the worlds that it saw; always, without caution, for the highest value."""
    game, found = decisions(name, 3, every=2, episode="deal")
    habit, left, greedy = HeuristicAgent(game, 5), 0, 0
    for number, state in enumerate(found):
        asked = positions_of(game, state, number)
        usual = int(habit.act(asked)[0])
        assert SearchAgent(game, 5, worlds=1, caution=1.0).search(asked)[0].chosen == usual, "one world is no proof"
        result = SearchAgent(game, 5, worlds=WORLDS, caution=0.0).search(asked)[0]
        assert result.chosen == np.nanargmax(result.values)
        careful = SearchAgent(game, 5, worlds=WORLDS, caution=2.0).search(asked)[0]
        assert careful.values.tobytes() == result.values.tobytes()
        assert careful.values[careful.chosen] >= careful.values[usual]
        left, greedy = left + (careful.chosen != usual), greedy + (result.chosen != usual)
    assert left <= greedy and (not COMPILED or greedy > 0)


def test_the_error_of_a_gain_is_that_of_its_worlds_and_one_more():
    """By hand: gains of 1 and 3, and 0 in the world not seen, are 4/3 with a standard error of sqrt(7/9)."""
    game = make_game("ombre")
    asked = positions_of(game, game.begin(1))
    habit = int(HeuristicAgent(game).act(asked)[0])
    other = next(a for a in np.flatnonzero(asked.action_mask[0]) if a != habit)
    results = np.zeros((2, game.num_actions))
    results[:, other] = (1.0, 3.0)
    skewed = np.array([0.9, 0.1])  # as 1.22 worlds: shares 0.4945, 0.0549, 0.4505, gain 0.6593, error 0.4923
    for weights, bound in ((np.array([0.5, 0.5]), 4 / 3 / math.sqrt(7 / 9)), (skewed, 0.6593 / 0.4923)):
        values = np.where(asked.action_mask[0] > 0, weights @ results, np.nan)
        for caution, chosen in ((bound - 0.01, other), (bound + 0.01, habit)):
            assert SearchAgent(game, worlds=2, caution=caution)._choose(asked, weights, results, values) == chosen


@pytest.mark.jit
def test_stakes_between_the_rungs_tell_as_much_as_they_do_among_all_stakes():
    """The heuristic's own stakes: it stakes alike, but for the nearest rung, in the ladder and out of it."""
    game = make_game("bouillotte")
    player, between = HeuristicAgent(game), 0
    exact, ladder = (SearchAgent(one, worlds=WORLDS, candidates=1) for one in (game, game.abstracted))
    for seed in range(30):
        states, off = game.begin(seed), False
        while states[0]["stage"] == 0:
            asked = positions_of(game, states, seed)
            if off and game.abstracted.legal(states).sum() > 1:
                fewer = positions_of(game.abstracted, states, seed)
                wanted = exact.search(asked)[0].effective
                assert ladder.search(fewer)[0].effective == pytest.approx(wanted, rel=1e-6)
                between += wanted < 0.9 * WORLDS
                break
            action = int(player.act(asked)[0])
            rungs = np.flatnonzero(game.abstracted.legal(states)[0])
            off |= not (game.abstracted.meant(np.repeat(states, len(rungs)), rungs) == action).any()
            game.advance(states, [action], go_on=False)
    assert between > 5


def test_what_may_fail_in_a_world_not_seen_is_not_sure():
    """A gain of 1 in each of four worlds, where something else was seen to lose 10, is none; in forty it is one."""
    game = make_game("ombre")
    asked = positions_of(game, game.begin(1))
    habit = int(HeuristicAgent(game).act(asked)[0])
    other, third = (a for a in np.flatnonzero(asked.action_mask[0])[:3] if a != habit)
    for worlds, chosen in ((4, habit), (40, other)):
        results = np.zeros((worlds, game.num_actions))
        results[:, other], results[0, third] = 1.0, -10.0
        weights = np.full(worlds, 1 / worlds)
        values = np.where(asked.action_mask[0] > 0, weights @ results, np.nan)
        assert SearchAgent(game, worlds=worlds, caution=1.0)._choose(asked, weights, results, values) == chosen


def test_worlds_are_drawn_from_the_candidates_by_weight():
    rng = np.random.default_rng(2)
    for size in (1, 7, 100):
        weights = rng.exponential(size=4 * size) ** 3
        weights /= weights.sum()
        numbers, counts = _pick(weights, size)
        assert counts.sum() == size and (np.abs(counts - size * weights[numbers]) < 1).all()
        left = np.setdiff1d(np.arange(4 * size), numbers)
        assert (size * weights[left] < 1).all()
    numbers, counts = _pick(np.full(100, 0.01), 100)
    assert numbers.tolist() == list(range(100)) and (counts == 1).all()


def test_more_candidates_are_weighed_where_the_others_have_told_something():
    game, found = decisions("ombre", 3, every=2)
    numbers = []
    for state in found:
        asked = positions_of(game, state)
        result = SearchAgent(game, worlds=WORLDS).search(asked)[0]
        assert result.worlds == WORLDS <= result.candidates <= 4 * WORLDS and 1 <= result.effective <= result.candidates
        assert result.effective >= 0.99 * WORLDS or result.candidates == 4 * WORLDS
        assert SearchAgent(game, worlds=WORLDS, belief="even").search(asked)[0].candidates == WORLDS
        numbers.append(result.candidates)
    assert min(numbers) == WORLDS and max(numbers) == 4 * WORLDS


@pytest.mark.long
def test_the_others_may_be_taken_for_any_rule_based_player():
    """In bouillotte a rock tells more by its stakes than the heuristic, and plays other deals."""
    game, found = decisions("bouillotte", 1, every=2)
    heuristic, *rocks = (
        SearchAgent(game, worlds=WORLDS, belief=belief, playout=playout)
        for belief, playout in (("heuristic", "heuristic"), ("rock", "heuristic"), ("heuristic", "rock"), ("rock", "rock"))
    )
    apart = np.zeros(3, int)
    for state in found:
        asked = positions_of(game, state)
        usual = heuristic.search(asked)[0].values.tobytes()
        apart += [rock.search(asked)[0].values.tobytes() != usual for rock in rocks]
    assert apart.all()


@pytest.mark.parametrize("setting", ["belief", "playout"])
def test_a_player_that_is_none_of_the_games_is_refused(setting):
    for name, told in (("bouillotte", "heuristic.*maniac.*rock"), ("ombre", "heuristic")):
        with pytest.raises(LomberError, match=told):
            SearchAgent(make_game(name), **{setting: "stone"})
    with pytest.raises(LomberError, match="unknown"):
        SearchAgent(make_game("ombre"), **{setting: "rock"})


def watched(agent):
    """The agent, and which worlds it weighed and played, a list a call of each; what is played was weighed since the last."""
    weighed, played, since, really = [], [], set(), agent._try

    def tried(view, seat, mask, key, numbers, likely, results, solved):
        (weighed if len(likely) else played).append(numbers.tolist())
        if len(likely):
            since.update(numbers.tolist())
        else:
            assert since.issuperset(numbers.tolist())
            since.clear()
        return really(view, seat, mask, key, numbers, likely, results, solved)

    agent._try = tried
    return agent, weighed, played


def test_values_are_the_means_of_the_worlds_that_the_weights_choose():
    """Each played alone: what search makes of a hundred candidates at once, a world at a time."""
    game, found = decisions("ombre", 5, every=4, episode="deal")
    single, unlike = SearchAgent(game), 0
    for number, state in enumerate(found):
        asked = positions_of(game, state, number)
        seat, key, mask = int(asked.seat[0]), asked.key[0], asked.action_mask[0]
        agent, weighed, played = watched(SearchAgent(game, worlds=WORLDS, least=1.0))
        result = agent.search(asked)[0]
        numbers = sum(weighed, [])
        assert numbers == list(range(result.candidates)) and len(played) == 1
        keys = np.array([hash_key(key, j, WORLD) for j in numbers], np.uint64)
        worlds = [game.redeal(asked.view, asked.seat, keys[j : j + 1]) for j in numbers]
        likely = np.array([likelihood(game, world, seat, 1e-3) for world in worlds])
        assert result.effective == pytest.approx(_effective(likely), rel=1e-5)
        picks, counts = _pick(_weights(likely, min(math.sqrt(WORLDS), 0.99 * WORLDS)), WORLDS)
        assert played == [picks.tolist()]
        values = np.zeros(game.num_actions)
        for pick, count in zip(picks, counts, strict=True):
            alone = np.zeros((1, game.num_actions))
            single._try(asked.view.copy(), seat, mask.copy(), key, np.array([pick]), np.zeros(0), alone, np.zeros(1))
            values += alone[0] * count / WORLDS
        np.testing.assert_allclose(result.values[mask > 0], values[mask > 0], atol=1e-9)
        unlike += len(picks) < WORLDS
    assert unlike > (3 if COMPILED else 0)


def test_one_legal_action_wants_no_search():
    game, found = decisions("ombre", 1)
    asked = positions_of(game, found[0])
    only = np.flatnonzero(asked.action_mask[0])[-1]
    mask = np.zeros_like(asked.action_mask)
    mask[0, only] = 1
    agent, weighed, played = watched(SearchAgent(game, worlds=2))
    alone = Positions(asked.observation, mask, asked.seat, asked.key, asked.view)
    assert agent.act(alone).tolist() == [only] and not weighed and not played


def test_a_budget_of_time_is_kept_in_worlds(monkeypatch):
    """By a clock that stands still, and one that is at its end at once."""
    game, found = decisions("ombre", 1)
    asked = positions_of(game, found[0])
    monkeypatch.setattr(search.time, "perf_counter", lambda: 0.0)
    agent, weighed, played = watched(SearchAgent(game, worlds=40, milliseconds=1))
    result = agent.search(asked)[0]
    assert result.worlds == 40 and len(played) == 3 and played[0] != played[1]
    assert sum(weighed, []) == list(range(result.candidates))
    assert SearchAgent(game, worlds=5, milliseconds=1).search(asked)[0].worlds == 5
    now = itertools.count()
    monkeypatch.setattr(search.time, "perf_counter", lambda: float(next(now)))
    assert SearchAgent(game, worlds=10**6, milliseconds=1).search(asked)[0].worlds == 16


def test_a_budget_of_time_alone_has_no_bound_of_worlds(monkeypatch):
    """By a clock that goes on a millisecond at each look."""
    game, found = decisions("ombre", 1)
    now = itertools.count()
    monkeypatch.setattr(search.time, "perf_counter", lambda: next(now) / 1000)
    looks = 20 if COMPILED else 2
    assert SearchAgent(game, milliseconds=looks).search(positions_of(game, found[0]))[0].worlds == 16 * looks
    assert SearchAgent(game).worlds == search.WORLDS == 100
