"""The generic loops: plain functions, copied for each game by `Game` with that game's rules as globals (see jit.bind).

The names below that no line here defines (begin, pack, deal, legal, move, forced, retrace, points, hide, observe, reveal,
redeal, consistent, meant) are the game's own functions. Rows are tables; `rules` has one record; every output arrives
allocated.
"""

import numpy as np

from .chance import CHOICE, DECK, EPISODE, LOT, draw_once, hash_key, shuffle_once
from .jit import jit
from .masks import count_legal, nth_legal
from .state import DEAL_ENDED, NONE, OVER, RUNNING

# Bound per game; here so that readers and linters know them.
begin = pack = deal = legal = move = forced = retrace = points = hide = observe = reveal = redeal = consistent = None
meant = play = apply = run_forced = write_chance = open_deal = begin_episode = look = finish_deals = rewind = None

LEAVES = ("play", "apply", "run_forced", "write_chance", "open_deal", "begin_episode", "look", "finish_deals", "rewind")
INLINED = ("look",)
ENTRIES = (
    "reset_rows", "step_rows", "prepare_rows", "deal_rows", "advance_rows", "move_rows", "run_forced_rows", "moves_row",
    "next_deal_rows",
    "legal_rows", "meant_rows", "points_rows", "hide_rows", "observe_rows", "look_rows", "seen_rows", "reveal_rows",
    "redeal_rows", "consistent_rows", "play_random",
)  # fmt: skip


@jit
def as_it_is(rules, state, choice):
    """What a choice means in a game in which one chooses among the moves themselves."""
    return choice


def play(rules, state, action):  # noqa: F811
    """Play a move, and every forced one behind it."""
    while action != NONE:
        move(rules, state, action)
        action = forced(rules, state) if state["stage"] == RUNNING else NONE


def apply(rules, state, choice):  # noqa: F811
    """Play what the seat to act has chosen."""
    play(rules, state, meant(rules, state, choice))


def run_forced(rules, state):  # noqa: F811
    """Play the moves that are forced now."""
    if state["stage"] == RUNNING:
        play(rules, state, forced(rules, state))


def write_chance(rules, state):  # noqa: F811
    """Deck and lot of deal k: functions of (key, k) alone."""
    deck = state["deck"]
    n = pack(rules, deck)
    shuffle_once(state["key"], state["deal"], DECK, deck, n)
    state["lot"] = hash_key(state["key"], state["deal"], LOT)


def open_deal(rules, state):  # noqa: F811
    write_chance(rules, state)
    deal(rules, state)
    run_forced(rules, state)


def begin_episode(rules, states, i, seed, episode):  # noqa: F811
    """Episode `episode` of a seed, up to its first decision."""
    state = states[i]
    begin(rules, state)
    state["key"] = hash_key(seed, episode, EPISODE)
    state["deal"] = 0
    open_deal(rules, state)


def finish_deals(rules, state, final, i, paid, reward, dealt, after):  # noqa: F811
    """Pay what ended deals have settled, keep the last of them, deal on; True when the episode is over."""
    while state["stage"] != RUNNING:
        after[:] = 0
        points(rules, state, after)
        for p in range(after.shape[0]):
            reward[i, p] += after[p] - paid[i, p]
            paid[i, p] = after[p]
        final[i] = state
        dealt[i] += 1
        if state["stage"] == OVER:
            return True
        state["deal"] += 1
        open_deal(rules, state)
    return False


def look(rules, states, i, scratch, mask, observation, seat):  # noqa: F811
    """Write what the seat to act sees and may do.

    The mask comes first: what has just been written is slow to copy.
    """
    state = states[i]
    mask[i, :] = 0
    legal(rules, state, mask[i])
    observation[i, :] = 0
    seat[i] = state["seat"]
    scratch[0] = state
    hide(rules, scratch[0], state["seat"])
    observe(rules, scratch[0], state["seat"], observation[i])


def rewind(rules, state, start):  # noqa: F811
    """Write into `start` the deal of `state` as it was dealt, before its first move."""
    start["match"] = state["start"]
    start["deck"][:] = state["deck"]
    start["key"] = state["key"]
    start["lot"] = state["lot"]
    start["deal"] = state["deal"]
    deal(rules, start)


def reset_rows(
    rules, states, rows, seed, ids, scratch, final, mask, observation, seat, acted, reward, paid, after, done, dealt
):  # fmt: skip
    """Begin episode `ids[row]` at each row. An episode that ends without a decision is left finished (seat -1)."""
    for j in range(rows.shape[0]):
        i = rows[j]
        reward[i, :] = 0
        paid[i, :] = 0
        acted[i] = NONE
        dealt[i] = 0
        done[i] = 0
        begin_episode(rules[0], states, i, seed, ids[i])
        if finish_deals(rules[0], states[i], final, i, paid, reward, dealt, after):
            seat[i] = -1
            done[i] = 1
            mask[i, :] = 0
        else:
            look(rules[0], states, i, scratch, mask, observation, seat)


@jit
def _refuse(rows, stamp, j):
    """Clear the marks of the rows before entry j, and return j."""
    for k in range(j):
        stamp[rows[k]] = 0
    return j


def step_rows(
    rules, states, rows, actions, seed, stride, ids, scratch, final, mask, observation, seat, acted, reward, paid, after,
    done, dealt, stamp,
):  # fmt: skip
    """Play one action at each row; returns -1, or the index of the first refused entry with nothing moved.

    stride: what a finished row adds to its id to go on; 0 leaves it finished.
    """
    for j in range(rows.shape[0]):
        i = rows[j]
        if i < 0 or i >= states.shape[0] or stamp[i] or seat[i] < 0:
            return _refuse(rows, stamp, j)
        if actions[j] < 0 or actions[j] >= mask.shape[1] or not mask[i, actions[j]]:
            return _refuse(rows, stamp, j)
        stamp[i] = 1
    _refuse(rows, stamp, rows.shape[0])
    if rows.shape[0] < states.shape[0]:  # rows that do not move earn nothing in this call
        reward[:, :] = 0
        dealt[:] = 0
        acted[:] = -1
        if stride:
            done[:] = 0
    for j in range(rows.shape[0]):
        i = rows[j]
        state = states[i]
        reward[i, :] = 0
        dealt[i] = 0
        done[i] = 0
        acted[i] = seat[i]
        apply(rules[0], state, actions[j])
        while state["stage"] != RUNNING and finish_deals(rules[0], state, final, i, paid, reward, dealt, after):
            done[i] = 1
            if stride == 0:
                break
            ids[i] += stride  # and on, should that episode end without a decision
            paid[i, :] = 0
            begin_episode(rules[0], states, i, seed, ids[i])
        if done[i] and stride == 0:
            seat[i] = -1
            mask[i, :] = 0
        else:
            look(rules[0], states, i, scratch, mask, observation, seat)
    return -1


def prepare_rows(rules, states, sizes):
    """What an episode begins with, and the unshuffled pack in `deck`; `sizes[i]` cards of it are the pack."""
    for i in range(states.shape[0]):
        begin(rules[0], states[i])
        sizes[i] = pack(rules[0], states[i]["deck"])


def deal_rows(rules, states):
    """Deal the deck that lies in each state (a given deal); the lot follows the key, if there is one."""
    for i in range(states.shape[0]):
        state = states[i]
        if state["key"]:
            state["lot"] = hash_key(state["key"], state["deal"], LOT)
        deal(rules[0], state)
        run_forced(rules[0], state)


def advance_rows(rules, states, actions):
    """Play one legal action at each row."""
    for i in range(states.shape[0]):
        apply(rules[0], states[i], actions[i])


def move_rows(rules, states, actions):
    """Play one move at each row, without the forced ones behind it; states or views."""
    for i in range(states.shape[0]):
        move(rules[0], states[i], actions[i])


def run_forced_rows(rules, states):
    """Play what is forced at each row."""
    for i in range(states.shape[0]):
        run_forced(rules[0], states[i])


def moves_row(rules, states, walk, seats, moves):
    """The moves of the deal of states[0], forced ones too, and who made them; returns their number. walk[0] is scratch."""
    rewind(rules[0], states[0], walk[0])
    n = 0
    while walk[0]["stage"] == RUNNING:
        action = retrace(rules[0], states[0], walk[0])
        if action == NONE:
            break
        seats[n] = walk[0]["seat"]
        moves[n] = action
        n += 1
        move(rules[0], walk[0], action)
    return n


def next_deal_rows(rules, states):
    """Where a deal has ended and the episode goes on, deal the next one."""
    for i in range(states.shape[0]):
        while states[i]["stage"] == DEAL_ENDED:
            states[i]["deal"] += 1
            open_deal(rules[0], states[i])


def legal_rows(rules, states, mask):
    for i in range(states.shape[0]):
        mask[i, :] = 0
        legal(rules[0], states[i], mask[i])


def meant_rows(rules, states, choices, out):
    """The move that each choice means."""
    for i in range(states.shape[0]):
        out[i] = meant(rules[0], states[i], choices[i])


def points_rows(rules, states, out):
    for i in range(states.shape[0]):
        out[i, :] = 0
        points(rules[0], states[i], out[i])


def hide_rows(rules, states, seats):
    """Turn each state, in place, into the view of `seats[i]`."""
    for i in range(states.shape[0]):
        hide(rules[0], states[i], seats[i])


def observe_rows(rules, views, seats, out):
    for i in range(views.shape[0]):
        out[i, :] = 0
        observe(rules[0], views[i], seats[i], out[i])


def look_rows(rules, states, rows, scratch, mask, observation, seat):
    """Write what the seats to act see and may do; a row that is over shows nothing and seat -1."""
    for j in range(rows.shape[0]):
        i = rows[j]
        if states[i]["stage"] == RUNNING:
            look(rules[0], states, i, scratch, mask, observation, seat)
        else:
            observation[i, :] = 0
            mask[i, :] = 0
            seat[i] = -1


def seen_rows(rules, states, rows, seats, most, scratch, out):
    """Write into out[j] what seat seats[j] (below `most`) sees at rows[j]; returns -1, or the first entry that cannot be."""
    for j in range(rows.shape[0]):
        i, viewer = rows[j], seats[j]
        if i < 0 or i >= states.shape[0] or viewer < 0 or viewer >= most:
            return j
        out[j, :] = 0
        scratch[0] = states[i]
        hide(rules[0], scratch[0], viewer)
        observe(rules[0], scratch[0], viewer, out[j])
    return -1


def reveal_rows(rules, states, out):
    for i in range(states.shape[0]):
        out[i, :] = 0
        reveal(rules[0], states[i], out[i])


def redeal_rows(rules, views, seats, keys):
    """Turn each view, in place, into a world; returns -1, or the first row for which every try was rejected."""
    for i in range(views.shape[0]):
        if redeal(rules[0], views[i], seats[i], keys[i]) < 0:
            return i
    return -1


def consistent_rows(rules, views, worlds, seats, out):
    for i in range(views.shape[0]):
        out[i] = consistent(rules[0], views[i], worlds[i], seats[i])


def play_random(rules, states, scratch, final, mask, observation, seat, reward, paid, after, dealt, seed, episodes, show):
    """Play whole episodes at random in row 0; with `show` observe at every decision. Returns (decisions, checksum)."""
    decisions = 0
    total = 0.0
    row = mask[0]
    for episode in range(episodes):
        begin_episode(rules[0], states, 0, seed, episode)
        state = states[0]
        if finish_deals(rules[0], state, final, 0, paid, reward, dealt, after):
            continue
        while True:
            if show:
                look(rules[0], states, 0, scratch, mask, observation, seat)
                total += observation[0, 0]
            else:
                row[:] = 0
                legal(rules[0], state, row)
            choice = draw_once(state["key"] + np.uint64(decisions), CHOICE, count_legal(row))
            apply(rules[0], state, nth_legal(row, choice))
            decisions += 1
            if state["stage"] != RUNNING and finish_deals(rules[0], state, final, 0, paid, reward, dealt, after):
                break
    return decisions, total
