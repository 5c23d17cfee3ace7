"""Faults planted into any game: its kernels run as plain Python, one of them replaced, in the registry under its own name.

Plain kernels, since a replaced one would have every loop of the game compiled anew.
"""

import sys
import types
from dataclasses import replace

import numpy as np

import lomber.envs
from lomber.envs.engine import game as engine_game
from lomber.envs.engine import loops

# What numba makes from machine instructions.
INTRINSICS = {
    "count_bits": lambda word: int(word).bit_count(),
    "lowest_bit": lambda word: (int(word) & -int(word)).bit_length() - 1,
}


def plain(function, seen):
    """A copy of a compiled function that runs as Python, down to the last function it calls."""
    function = getattr(function, "py_func", function)
    if function not in seen:
        copy = types.FunctionType(
            function.__code__, plain_globals(function.__globals__, seen), function.__name__, function.__defaults__
        )
        seen[function] = copy
    return seen[function]


def plain_globals(names, seen):
    key = ("globals", id(names))
    if key not in seen:
        seen[key] = dict(names)
        for name, value in names.items():
            if name in INTRINSICS:
                seen[key][name] = INTRINSICS[name]
            elif hasattr(value, "py_func"):
                seen[key][name] = plain(value, seen)
    return seen[key]


class PlainLoops:
    """The loops of a game, as Python."""

    def __init__(self, functions):
        bound = plain_globals(vars(loops), {}) | {"meant": plain(loops.as_it_is, {})} | dict(functions)
        for name in (*loops.LEAVES, *loops.ENTRIES):
            bound[name] = types.FunctionType(getattr(loops, name).__code__, bound, name)
            setattr(self, name, bound[name])


def plant(monkeypatch, name, fault, preset=None, **options):
    """The game `name` with a fault: a function that takes its GameSpec, kernels plain, and gives another."""
    spec = lomber.envs.make_game(name).spec
    seen = {}
    spec = replace(spec, functions={kernel: plain(function, seen) for kernel, function in spec.functions.items()})
    if not isinstance(spec.events, types.SimpleNamespace):
        spec = replace(spec, events=types.SimpleNamespace(**vars(spec.events)))
    faulty = fault(spec)
    module = types.ModuleType(f"faulty_{name}_{fault.__name__}")
    module.SPEC, module.LOOPS = faulty, PlainLoops(faulty.functions)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(lomber.envs.GAMES, name, module.__name__)
    real = engine_game._loops_of
    monkeypatch.setattr(engine_game, "_loops_of", lambda m: getattr(sys.modules[m], "LOOPS", None) or real(m))
    return lomber.envs.make_game(name, preset, **options)


def instead(spec, name, function):
    """`spec` with one kernel replaced by `function(real, *arguments)`."""
    real = spec.functions[name]
    return replace(spec, functions={**spec.functions, name: lambda *arguments: function(real, *arguments)})


def sound(spec):
    """No fault: the plain game keeps every law."""
    return spec


def leak(spec):
    """Law 2: hide leaves the first hidden thing there is, deck and chance apart."""

    def hide(real, rules, state, seat):
        before = state.copy()
        real(rules, state, seat)
        for name in state.dtype.names:
            if name not in ("key", "lot", "deck") and state[name].tobytes() != before[name].tobytes():
                state[name] = before[name]
                return

    return instead(spec, "hide", hide)


def short_mask(spec):
    """Law 1: the last of several legal actions is not marked."""

    def legal(real, rules, state, mask):
        real(rules, state, mask)
        if mask.sum() > 1:
            mask[np.flatnonzero(mask)[-1]] = 0

    return instead(spec, "legal", legal)


def wrong_seat(spec):
    """Law 5: the points go to the next seat."""

    def points(real, rules, state, out):
        real(rules, state, out)
        out[:] = np.roll(out, 1)

    return instead(spec, "points", points)


def tangled_chance(spec):
    """Law 4: the key, and with it what is dealt later, depends on what was played."""

    def move(real, rules, state, action):
        real(rules, state, action)
        state["key"] ^= np.uint64(action + 1)

    return instead(spec, "move", move)


def stuck_card(spec):
    """Law 3: what is hidden first stays hidden in the world."""

    def redeal(real, rules, view, seat, key):
        before = view.copy()
        tries = real(rules, view, seat, key)
        for name in view.dtype.names:
            if name not in ("key", "lot", "deck") and view[name].tobytes() != before[name].tobytes():
                view[name] = before[name]
                break
        return tries

    return instead(spec, "redeal", redeal)


def one_world(spec):
    """Law 3: the same world, whatever the key."""

    def redeal(real, rules, view, seat, key):
        tries = real(rules, view, seat, np.uint64(7))
        view["key"] = np.uint64(key + np.uint64(1))
        return tries

    return instead(spec, "redeal", redeal)


def silent_move(spec):
    """Law 6: the view leaves out the last move, which in a finished deal was forced."""
    events = spec.events

    def view_events(game, view, seat):
        told = events.view_events(game, view, seat)
        return told if view["stage"] == 0 else told[:-1]

    return replace(spec, events=types.SimpleNamespace(**{**vars(events), "view_events": view_events}))


def blind_spot(spec):
    """Law 7: the observation leaves out each segment of one cell a card, the own hand among them."""
    layout = [s for s in engine_game.layout_of(spec.observation) if s.shape == (len(spec.cards),)]

    def observe(real, rules, view, seat, out):
        real(rules, view, seat, out)
        for segment in layout:
            out[segment.start : segment.stop] = 0

    return instead(spec, "observe", observe)


FAULTS = {leak: 2, short_mask: 1, wrong_seat: 5, tangled_chance: 4, stuck_card: 3, one_world: 3, silent_move: 6, blind_spot: 7}
