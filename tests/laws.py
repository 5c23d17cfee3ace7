"""The seven laws of a game (design, section 2), each a function that raises where the law is broken.

`law_k(game, ids)` plays the episodes `ids` at random and looks; what it asks a slow twin is in twins.py. A law raises
AssertionError, or the library's own error where a broken game refuses itself.
"""

import copy
import functools
import json
import pickle
import random
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pytest
import twins
from scipy.stats import chisquare

from lomber.envs import IllegalAction, LomberError, Tables
from lomber.envs.engine import records
from lomber.envs.engine.state import RUNNING


@dataclass
class Episode:
    """One episode played at random: the states (1,) before each action, and each finished deal as it lay."""

    id: int
    states: list = field(default_factory=list)
    looks: list = field(default_factory=list)  # bytes of observation, mask and seat, as the tables showed them
    actions: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    finals: list = field(default_factory=list)
    ends: list = field(default_factory=list)  # how many actions had been played when each deal ended


def choose(salt, episode, number, legal):
    """An action at random: a function of salt, episode and number of the decision, so the same in any batch."""
    return random.Random(f"{salt} {episode} {number}").choice(legal)


def run(tables, episodes, salt=0):
    """Play the rows of tables without autoreset to their ends; `episodes[i]` is row i."""
    while True:
        rows = np.flatnonzero(tables.seat >= 0)
        if not len(rows):
            return
        actions = []
        for row in rows:
            episode = episodes[row]
            legal = np.flatnonzero(tables.action_mask[row]).tolist()
            actions.append(choose(salt, episode.id, len(episode.actions), legal))
            _note(tables, row, episode, actions[-1])
        tables.step(actions, rows)
        for row in rows:
            _note_after(tables, row, episodes[row])


def _note(tables, row, episode, action):
    episode.states.append(tables.states[row : row + 1].copy())
    shown = (tables.observation[row], tables.action_mask[row], tables.seat[row])
    episode.looks.append(b"".join(part.tobytes() for part in shown))
    episode.actions.append(action)


def _note_after(tables, row, episode):
    episode.rewards.append(tables.reward[row].astype(int))
    if tables.dealt[row]:
        assert tables.dealt[row] == 1, "a deal without a decision is not recorded here"
        episode.finals.append(tables.final[row : row + 1].copy())
        episode.ends.append(len(episode.actions))


@functools.lru_cache(maxsize=64)
def play(game, ids, seed=0, salt=0, batch=None):
    """The episodes `ids`, played at random in tables of `batch` rows (all at once if None)."""
    done = []
    for first in range(0, len(ids), batch or len(ids)):
        chunk = [Episode(int(i)) for i in ids[first : first + (batch or len(ids))]]
        tables = Tables(game, len(chunk), seed, autoreset=False)
        tables.reset(ids=[episode.id for episode in chunk])
        run(tables, chunk, salt)
        done += chunk
    return done


def decisions(game, ids, most):
    """Up to `most` states before a decision, spread over the episodes `ids`, each with its action."""
    found = [pair for episode in play(game, tuple(ids)) for pair in zip(episode.states, episode.actions, strict=True)]
    chosen = np.unique(np.linspace(0, len(found) - 1, min(most, len(found))).astype(int))
    return [found[i] for i in chosen]


def finals(game, ids, most):
    """Up to `most` finished deals."""
    return [final for episode in play(game, tuple(ids)) for final in episode.finals][:most]


def twin_of(game):
    return twins.twins().get(game.name, twins.Twin())


def law_1(game, ids, most=60):
    """The mask is what a move accepts, never a single action, and the same from the view."""
    twin, events = twin_of(game), game.spec.events
    for state, _ in decisions(game, ids, most):
        seat = int(state[0]["seat"])
        mask = game.legal(state)
        legal = np.flatnonzero(mask[0]).tolist()
        assert len(legal) > 1, f"{len(legal)} legal actions: not a decision"
        assert (game.legal(game.hide(state, seat)) == mask).all(), "the view allows other actions than the state"
        if twin.legal:
            names = {game.spec.actions[move] for move in meant(game, state, legal)}
            assert names == set(twin.legal(records.record_of(game, state))), "the twin allows other actions"
        before = events.moves(game, state[0])
        for action in range(game.num_actions):
            after = state.copy()
            if action in legal:
                game.advance(after, [action], go_on=False)
                made = events.moves(game, after[0])
                assert made[: len(before) + 1] == [*before, (seat, meant(game, state, [action])[0])], (
                    "the action is not the next move"
                )
            elif action % 7 == len(before) % 7:  # a sample of the illegal ones
                with pytest.raises(IllegalAction):
                    game.advance(after, [action])
                assert after.tobytes() == state.tobytes(), "a refused action changed the state"
    for final in finals(game, ids, most):
        assert not game.legal(final).any(), "a finished deal allows an action"


def meant(game, state, choices):
    """The moves that choices in a state mean."""
    return [int(game.meant(state, choice)[0]) for choice in choices]


def law_2(game, ids, most=30):
    """Who cannot tell two states apart has the same view, observation, text and JSON of both."""
    knows, compared = twin_of(game).knows or functools.partial(_told, game), 0
    for number, state in enumerate([state for state, _ in decisions(game, ids, most)] + finals(game, ids, most // 4)):
        record, mover = records.record_of(game, state), int(state[0]["seat"])
        others = variants(game, record, random.Random(number), 8, ("cards", "choice"))
        if mover >= 0:
            world = game.redeal(game.hide(state, mover), mover, number)
            assert knows(records.record_of(game, world), mover) == knows(record, mover), "a world tells something else"
            others.append(world)
        for seat in range(game.seats):
            view, known = game.hide(state, seat), knows(record, seat)
            assert game.hide(view, seat).tobytes() == view.tobytes(), "hide is not idempotent"
            for other in others:
                same = knows(records.record_of(game, other), seat) == known
                hidden = game.hide(other, seat)
                assert same == (hidden.tobytes() == view.tobytes()), f"seat {seat} knows {known}: the view is another matter"
                compared += same
                if same:
                    told = records.view_of(game, other, seat), records.view_of(game, state, seat)
                    assert str(told[0]) == str(told[1]) and told[0].to_json() == told[1].to_json()
                    assert game.observe(hidden, seat).tobytes() == game.observe(view, seat).tobytes()
    assert compared > most, f"only {compared} pairs were compared"


def _told(game, record, seat):
    """Where there is no twin: what the view's events tell."""
    return records.view_of(game, records.replay(record), seat)


def law_3(game, ids, most=40, worlds=2, enumerated=3):
    """A world has the same view, and a record that replays to it; all worlds are equally likely."""
    pool = decisions(game, ids, most)
    distinct = 0
    for number, (state, _) in enumerate(pool):
        seat = int(state[0]["seat"])
        view = game.hide(state, seat)
        assert game.consistent(view, state, seat)[0], "the true state is not consistent with its view"
        stranger = pool[number * 7 % len(pool)][0]
        if stranger[0]["stage"] == RUNNING:
            same = game.hide(stranger, seat).tobytes() == view.tobytes()
            assert game.consistent(view, stranger, seat)[0] == same, "a state with another view is consistent"
        several = [game.redeal(view, seat, key) for key in range(number, number + worlds)]
        distinct += len({_placing_bytes(world) for world in several}) > 1
        for key, world in enumerate(several, number):
            assert game.redeal(view, seat, key).tobytes() == world.tobytes(), "the same key gives another world"
            assert game.hide(world, seat).tobytes() == view.tobytes(), "a world with another view"
            assert game.consistent(view, world, seat)[0], "a world that is not consistent"
            assert int(world[0]["key"]) not in (0, int(state[0]["key"])), "a world that keeps the key"
            record = records.parse(str(records.record_of(game, world)))
            assert records.replay(record).tobytes() == world.tobytes(), "the record of a world leads elsewhere"
    assert distinct > 0, "worlds do not depend on the key"
    _frequencies(game, pool, enumerated)


def _placing_bytes(world):
    bare = world.copy()
    bare["key"] = bare["lot"] = 0
    return bare.tobytes()


def _frequencies(game, pool, positions, most=600):
    twin = twin_of(game)
    for state, _ in reversed(pool if twin.worlds else []):
        seat = int(state[0]["seat"])
        expected = twin.worlds(records.record_of(game, state), seat, most)
        if positions == 0 or expected is None:
            continue
        positions -= 1
        expected = set(expected)
        n = 20 * len(expected)
        worlds = game.redeal(np.repeat(game.hide(state, seat), n), seat, np.arange(n))
        worlds["key"] = worlds["lot"] = 0
        seen = Counter(world.tobytes() for world in worlds)
        counts = Counter()
        for raw, count in seen.items():
            world = np.frombuffer(raw, game.state_dtype)
            counts[twin.placing(records.record_of(game, world), seat)] += count
        assert set(counts) == expected, "the worlds are not those of the twin"
        if len(expected) > 1:
            assert chisquare([counts[placing] for placing in expected]).pvalue > 1e-5, "the worlds are not equally likely"


def law_4(game, ids, batches=(1, 7)):
    """Same seed, same actions: same bytes in any batch; what is dealt does not depend on what was played."""
    ids = tuple(ids)
    base, other = play(game, ids), play(game, ids, 0, 1)
    for batch in batches:
        for one, two in zip(base, play(game, ids, 0, 0, batch), strict=True):
            _assert_equal(one, two, f"episode {one.id} in batches of {batch}")
    _autoreset(game, base)
    for one, two in zip(base, other, strict=True):
        dealt = dict(_chance(state) for state in one.states + one.finals)
        assert len({key for _, key, _ in dealt.values()}) == 1, "the key changes within an episode"
        for deal, chance in map(_chance, two.states + two.finals):
            assert dealt.get(deal, chance) == chance, f"deal {deal} of episode {one.id} depends on what was played"
        assert dealt[0] != _chance(game.begin(1, one.id))[1], "the seed changes nothing"
    assert len({episode.states[0].tobytes() for episode in base}) == len(base), "two ids give the same deal"


def _chance(state):
    return int(state[0]["deal"]), (state[0]["deck"].tobytes(), int(state[0]["key"]), int(state[0]["lot"]))


def _assert_equal(one, two, told):
    assert one.actions == two.actions and one.looks == two.looks, told
    for name in ("states", "finals"):
        assert b"".join(s.tobytes() for s in getattr(one, name)) == b"".join(s.tobytes() for s in getattr(two, name)), told
    assert np.array_equal(one.rewards, two.rewards), told


def _autoreset(game, base):
    """Under autoreset row i goes on with id + n: the episodes are those that were played alone."""
    n = len(base) // 2
    tables = Tables(game, n)
    tables.reset(ids=[episode.id for episode in base[:n]])
    wanted = {episode.id: episode for episode in base}
    played = Counter()
    for _ in range(2 * max(len(episode.actions) for episode in base)):
        actions = []
        for row in range(n):
            episode, legal = int(tables.id[row]), np.flatnonzero(tables.action_mask[row]).tolist()
            if episode in wanted and played[episode] < len(wanted[episode].states):
                alone = wanted[episode].states[played[episode]]
                assert tables.states[row].tobytes() == alone[0].tobytes(), f"episode {episode} differs under autoreset"
            actions.append(choose(0, episode, played[episode], legal))
            played[episode] += 1
        tables.step(actions)
    assert len(played) > n


def law_5(game, ids):
    """Points are settled by finished deals, are paid in full to the right seats, and sum to zero at the end."""
    twin = twin_of(game)
    for episode in play(game, tuple(ids)):
        paid, deals = np.zeros(game.seats, int), 0
        for state, reward, before in zip(episode.states, episode.rewards, range(len(episode.states)), strict=True):
            assert (game.points(state)[0] == paid).all(), "points change within a deal"
            paid = paid + reward
            assert bool(reward.any()) <= (before + 1 in episode.ends), "a reward within a deal"
            if before + 1 in episode.ends:
                final = episode.finals[deals]
                assert (game.points(final)[0] == paid).all(), "the rewards are not the points"
                deals += 1
                if twin.points:
                    settled = [records.record_of(game, done) for done in episode.finals[:deals]]
                    assert paid.tolist() == list(twin.points(settled)), "the twin reckons other points"
        assert deals == len(episode.finals) and paid.sum() == 0, "points do not sum to zero"
        most = max(end - start for start, end in pairwise([0, *episode.ends]))
        assert most <= twin.most_decisions, f"a deal of {most} decisions"
        if twin.holdings:
            for one, two in pairwise(episode.states):
                assert one["deal"] != two["deal"] or twin.holdings(game, one) == twin.holdings(game, two), "stakes are lost"


def law_6(game, ids, most=40):
    """A record replays to the same bytes, a view is rebuilt from its events, and a table in play can be copied."""
    for state in [state for state, _ in decisions(game, ids, most)] + finals(game, ids, most // 4):
        record = records.record_of(game, state)
        assert records.parse(str(record)) == record == records.loads(json.dumps(record.to_json())), (
            "a record is read otherwise"
        )
        assert records.replay(record).tobytes() == state.tobytes(), "a record replays to another state"
        for seat in range(game.seats):
            hidden, view = game.hide(state, seat), records.view_of(game, state, seat)
            for read in (records.parse(str(view)), records.loads(json.dumps(view.to_json()))):
                assert read == view, "a view is read otherwise"
                assert records.from_view(read).tobytes() == hidden.tobytes(), f"seat {seat}: its events give another view"
    for episode in play(game, tuple(ids))[:4]:
        _replay_without_forced(game, episode)
    _copies(game, ids)


def _replay_without_forced(game, episode):
    first, actions = 0, episode.actions
    for final, end in zip(episode.finals, episode.ends, strict=True):
        record = records.record_of(game, final)
        chosen = [
            (int(s[0]["seat"]), game.spec.actions[meant(game, s, [a])[0]])
            for s, a in zip(episode.states[first:end], actions[first:end], strict=True)
        ]
        assert len(chosen) <= len(record.moves)
        bare = records.replay(replace(record, moves=tuple(chosen)))
        assert bare.tobytes() == final.tobytes(), "a record without forced moves replays to another state"
        first = end


def _copies(game, ids):
    """Copies made in mid-deal play on as the original does and share nothing with it."""
    ids = list(ids)[:5]
    tables = Tables(game, len(ids), autoreset=False)
    tables.reset(ids=ids)
    for number in range(3):
        alive = np.flatnonzero(tables.seat >= 0)
        tables.step([choose(2, i, number, np.flatnonzero(tables.action_mask[i]).tolist()) for i in alive], alive)
    endings = []
    for made in (tables.clone(), pickle.loads(pickle.dumps(tables)), copy.deepcopy(tables), tables):
        episodes = [Episode(i) for i in ids]
        run(made, episodes)
        endings.append([b"".join(part.tobytes() for part in e.states + e.finals) for e in episodes])
    assert all(ending == endings[0] for ending in endings), "a copy plays on otherwise"
    state = tables.final[:1]
    assert pickle.loads(pickle.dumps(game)) == game and state.copy().tobytes() == state.tobytes()


def law_7(game, ids, most=25):
    """Whatever a seat knows, changed a little, changes its observation."""
    relevant = twin_of(game).relevant or (lambda game, view, seat: view.tobytes())
    told, differ = {}, 0
    for number, state in enumerate([state for state, _ in decisions(game, ids, most)] + finals(game, ids, most // 4)):
        near = variants(game, records.record_of(game, state), random.Random(number), 24)
        for other in [state, *near]:
            for seat in range(game.seats):
                view = game.hide(other, seat)
                seen, known = (seat, game.observe(view, seat).tobytes()), relevant(game, view, seat)
                differ += seen not in told
                if told.setdefault(seen, (known, view))[0] != known:
                    raise AssertionError(f"seat {seat} sees the same of {_differing(told[seen][1], view)}")
    assert differ > most, "nothing was changed"


def _differing(one, two):
    return {name: (one[name][0], two[name][0]) for name in one.dtype.names if one[name].tobytes() != two[name].tobytes()}


def variants(game, record, rng, tries, kinds=("cards", "moves", "choice", "start")):
    """States that differ a little from the one a record leads to: in two cards, in moves, or in a number of the start."""
    made = []
    for number in range(tries):
        try:
            changed = _CHANGES[kinds[number % len(kinds)]](game, replace(record, points=None), rng)
            made.append(records.replay(changed))
        except LomberError:  # most changes make a move that cannot be
            continue
    return made


def _swap_cards(game, record, rng):
    """Two cards of the deck change places, and half the time their names in all moves."""
    one, two = rng.sample(record.deck, 2)
    other = {one: two, two: one}
    moves = record.moves
    if rng.random() < 0.5:
        pattern = re.compile(rf"\b({one}|{two})\b")
        moves = tuple((seat, pattern.sub(lambda found: other[found[0]], name)) for seat, name in moves)
    return replace(record, deck=tuple(other.get(card, card) for card in record.deck), moves=moves)


def _swap_moves(game, record, rng):
    """Two runs of moves of equal length change places."""
    moves = list(record.moves)
    if len(moves) > 1:
        length = min(rng.choice((1, 1, 2, 3, 4)), len(moves) // 2)
        one = rng.randrange(len(moves) - 2 * length + 1)
        two = rng.randrange(one + length, len(moves) - length + 1)
        moves[one : one + length], moves[two : two + length] = moves[two : two + length], moves[one : one + length]
    return replace(record, moves=tuple(moves))


def _change_choice(game, record, rng):
    """One move becomes another one that was as legal."""
    if not record.moves:
        return record
    at = rng.randrange(len(record.moves))
    state = records.replay(record, at)
    seat = record.moves[at][0]
    if len(game.spec.events.moves(game, state[0])) > at:
        return record  # it was forced
    other = game.spec.actions[meant(game, state, [rng.choice(np.flatnonzero(game.legal(state)[0]).tolist())])[0]]
    return replace(record, moves=(*record.moves[:at], (seat, other), *record.moves[at + 1 :]))


def _change_start(game, record, rng):
    """One number that the deal inherits, or a pair of them that keeps its sum."""
    start = copy.deepcopy(dict(record.start))
    name = rng.choice(sorted(start))
    if isinstance(start[name], list) and len(start[name]) > 1:
        start[name] = list(start[name])
        one, two = rng.sample(range(len(start[name])), 2)
        start[name][one] += 1
        start[name][two] -= rng.choice((0, 1))
    elif isinstance(start[name], list):
        start[name] = [value + rng.choice((-1, 1)) for value in start[name]]
    else:
        start[name] += rng.choice((-1, 1))
    return replace(record, start=start)


_CHANGES = {"cards": _swap_cards, "moves": _swap_moves, "choice": _change_choice, "start": _change_start}
LAWS = {1: law_1, 2: law_2, 3: law_3, 4: law_4, 5: law_5, 6: law_6, 7: law_7}
