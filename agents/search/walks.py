"""Worlds of a view, how likely they are, and what each action comes to in them: plain loops, copied for each game by `bind`.

The names that no line here defines are the game's own kernels (envs/engine/game.py), the engine's `apply` and `rewind`, and
`weigh`, the policy that answers for all seats.
"""

import math

import numpy as np

from ...envs.engine.chance import CHOICE, WORLD, hash_key, philox
from ...envs.engine.jit import jit
from ...envs.engine.masks import count_legal
from ...envs.engine.state import NONE, RUNNING

# Bound per game; here so that readers and linters know them.
legal = move = retrace = points = hide = redeal = meant = apply = rewind = weigh = None

PLAYOUT = 201  # a purpose of chance, apart from those of the engine and of agents' keys
MOST_DEPTH = 64  # of an exact tree


@jit
def weigh_evenly(rules, view, seat, mask, out):
    """The policy that likes all legal actions alike."""
    share = np.float32(1.0 / count_legal(mask))
    for action in range(mask.shape[0]):
        if mask[action]:
            out[action] = share


def answer(rules, state, view, mask, weights):
    """Write what the seat to act may do, and how likely each of it is by the policy, which sees that seat's view only."""
    seat = state["seat"]
    mask[:] = 0
    legal(rules, state, mask)
    view[0] = state
    hide(rules, view[0], seat)
    weights[:] = 0
    weigh(rules, view[0], seat, mask, weights)


def likelihood(rules, world, seat, walk, view, mask, weights, floor):
    """The logarithm of how likely the other seats would have acted in `world` as they did, each decision at least `floor`."""
    rewind(rules, world, walk[0])
    total = 0.0
    while walk[0]["stage"] == RUNNING:
        action = retrace(rules, world, walk[0])
        if action == NONE:
            break
        if walk[0]["seat"] != seat:
            mask[:] = 0
            legal(rules, walk[0], mask)
            if count_legal(mask) > 1:
                answer(rules, walk[0], view, mask, weights)
                likely = 0.0
                nearest = np.int64(1) << 40  # a stake that no choice means counts as the choice that means the nearest
                for choice in range(mask.shape[0]):
                    apart = abs(meant(rules, walk[0], choice) - action) if mask[choice] else nearest
                    if apart < nearest:
                        nearest = apart
                        likely = float(weights[choice])
                total += math.log(max(likely, floor))
        move(rules, walk[0], action)
    return total


def playout(rules, state, view, mask, weights, key):
    """Play the deal to its end by the policy."""
    number = 0
    while state["stage"] == RUNNING:
        answer(rules, state, view, mask, weights)
        word, _, _, _ = philox(key, np.uint64(number), np.uint64(0), np.uint64(0), np.uint64(CHOICE))
        number += 1
        left = word / 4294967296.0
        chosen = NONE
        for choice in range(mask.shape[0]):
            if weights[choice] > 0:
                chosen = choice  # the last one, should the sum fall short of 1 by rounding
                left -= weights[choice]
                if left < 0:
                    break
        apply(rules, state, chosen)


def solve(rules, stack, masks, nexts, bounds, after, seat, most):
    """What the deal in stack[0] comes to for `seat` when both seats see all cards: alpha-beta without recursion.

    Returns (points of `seat` less those of the other in `after`, nodes); nodes is -1 where more than `most` or too deep.
    """
    depth, nodes, value = 0, 0, 0.0
    nexts[0] = NONE
    while True:
        state = stack[depth]
        ended = state["stage"] != RUNNING
        if not ended and nexts[depth] == NONE:  # first seen
            masks[depth, :] = 0
            legal(rules, state, masks[depth])
            nexts[depth] = 0
            bounds[depth, 0] = -np.inf if depth == 0 else bounds[depth - 1, 0]
            bounds[depth, 1] = np.inf if depth == 0 else bounds[depth - 1, 1]
            bounds[depth, 2] = -np.inf if state["seat"] == seat else np.inf
        if ended:
            after[:] = 0
            points(rules, state, after)
            value = float(after[seat] - after[1 - seat])
        else:
            choice = nexts[depth]
            while choice < masks.shape[1] and not masks[depth, choice]:
                choice += 1
            if choice < masks.shape[1] and bounds[depth, 0] < bounds[depth, 1]:
                nexts[depth] = choice + 1
                nodes += 1
                if nodes > most or depth + 1 == stack.shape[0]:
                    return 0.0, -1
                stack[depth + 1] = state
                apply(rules, stack[depth + 1], choice)
                depth += 1
                nexts[depth] = NONE
                continue
            value = bounds[depth, 2]
        if depth == 0:
            return value, nodes
        depth -= 1
        if stack[depth]["seat"] == seat:
            bounds[depth, 2] = max(bounds[depth, 2], value)
            bounds[depth, 0] = max(bounds[depth, 0], value)
        else:
            bounds[depth, 2] = min(bounds[depth, 2], value)
            bounds[depth, 1] = min(bounds[depth, 1], value)


def try_worlds(
    rules, deal_rules, views, seat, legal_now, key, numbers, floor, most, world, walk, view, mask, weights, stack,
    masks, nexts, bounds, before, after, likely, results, solved,
):  # fmt: skip
    """Draw the worlds of views[0] with these `numbers`: weigh them, or with an empty `likely` play each action out in each.

    Returns the tries, or -1. likely[j]: logarithm of how likely world numbers[j] is, by the others' decisions.
    results[j, a]: the change of the points of `seat` by the end of the deal, as the rules of a single deal settle it.
    solved[j]: 1 = found exactly. most: the nodes of a tree that is solved exactly, 0: none is.
    """
    weighing = likely.shape[0] > 0
    tried = 0
    for j in range(numbers.shape[0]):
        world_key = hash_key(key, numbers[j], WORLD)
        world[0] = views[0]
        tries = redeal(rules[0], world[0], seat, world_key)
        if tries < 0:
            return -1
        tried += tries
        if weighing:
            likely[j] = likelihood(rules[0], world[0], seat, walk, view, mask, weights, floor)
            continue
        before[:] = 0
        points(deal_rules[0], world[0], before)
        choice = 0
        while choice < legal_now.shape[0]:
            if legal_now[choice] and most > 0:
                stack[0] = world[0]
                apply(deal_rules[0], stack[0], choice)
                margin, nodes = solve(deal_rules[0], stack, masks, nexts, bounds, after, seat, most)
                results[j, choice] = margin / 2 - before[seat]  # in the end the two sum to 0
                if nodes < 0:
                    most = 0  # the trees of other worlds are as large; of this one all actions are found in the same way
                    choice = 0
                    continue
            elif legal_now[choice]:
                walk[0] = world[0]
                apply(deal_rules[0], walk[0], choice)
                playout(deal_rules[0], walk[0], view, mask, weights, hash_key(world_key, 0, PLAYOUT))
                after[:] = 0
                points(deal_rules[0], walk[0], after)
                results[j, choice] = after[seat] - before[seat]
            choice += 1
        solved[j] = most > 0
    return tried
