"""A game under one set of options: its tables of names, its dtypes, and its compiled functions for arrays of states.

A game's folder offers `SPEC`, a GameSpec: the contract. The functions it names are plain kernels:

begin(rules, state)           what an episode begins with (match scores); everything else zero
pack(rules, deck) -> n        write the unshuffled pack; the engine shuffles its first n cards
deal(rules, state)            deal the deck that lies in the state and ask the first question; draws nothing
legal(rules, state, mask)     mark what the seat to act may do; `mask` int8 (A,), zeroed
move(rules, state, action)    play one move, in a state or a view; draws nothing
forced(rules, state) -> action   the one action that the seat to act may play, NONE where it may choose; the engine plays it
retrace(rules, end, state) -> action   the move that led from `state` on to `end`, a later state of its deal; NONE: none did
points(rules, state, out)     points so far, `out` int64 (seats,), zeroed
hide(rules, state, seat)      blank in place what the seat cannot know: the view
observe(rules, view, seat, out)  the view as float32 (D,), zeroed
reveal(rules, state, out)     the perfect state as float32 (R,), zeroed
redeal(rules, view, seat, key) -> tries   turn the view in place into a world; -1 when every try was rejected
consistent(rules, view, world, seat) -> bool   would this placing have given this view? (`Game` asks hide(world) == view)

A game in which one may choose among other things than its moves (fewer stakes) names them by options, `choices`, says which
options make it so, `abstraction`, and has
meant(rules, state, choice) -> action   the move that a choice means; `legal` marks choices

and `events` is a module of plain functions over single records:

view_events(game, view, seat) -> [Event]    what a seat knows, in order
from_events(game, seat, deal, start, events) -> view (1,)   the inverse; RecordError where it cannot be
start_of(game, state) -> dict, write_start(game, state, dict)   what the deal inherits, as JSON; into `match`, before the deal
why_illegal(game, view, action) -> str      the reason, in words
"""

import functools
import importlib
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import loops
from .errors import IllegalAction, LomberError, cut, unknown
from .jit import bind
from .layout import Segment, fingerprint, layout_of
from .options import changes, make_options
from .state import NONE, RUNNING

KERNELS = (
    "begin", "pack", "deal", "legal", "move", "forced", "retrace", "points", "hide", "observe", "reveal", "redeal",
    "consistent",
)  # fmt: skip
MOST_MOVES = 1024  # of a deal of any game


@dataclass(frozen=True)
class GameSpec:
    """What a game's folder offers the engine: one object, the same for all options."""

    name: str
    title: str
    version: int
    options: type  # frozen dataclass, fields by engine.options
    presets: Mapping[str, Mapping[str, Any]]  # the first is the default
    flatten: Callable[[Any], NDArray[Any]]  # options -> rules, one record
    seats: Callable[[Any], int]  # options -> number of seats
    most_seats: int
    state: np.dtype
    observation: np.dtype
    reveal: np.dtype
    cards: tuple[str, ...]  # names by id, as decks are written
    actions: tuple[str, ...]
    functions: Mapping[str, Callable[..., Any]]  # by the names in KERNELS
    events: Any  # the module events.py, plain Python: see below
    picture: Any  # the module picture.py: table_picture(game, view or state, seat or None)
    choices: Callable[[Any], tuple[str, ...]] | None = None  # options -> what is chosen from; None: the actions
    abstraction: Mapping[str, Any] | None = None  # options under which one chooses from other things than the actions


class Loops:
    """The generic loops compiled for one game; `file` is where its SPEC stands."""

    def __init__(self, name: str, functions: Mapping[str, Callable[..., Any]], file: str):
        missing = [kernel for kernel in KERNELS if kernel not in functions]
        if missing:
            raise TypeError(f"game {name} lacks {', '.join(missing)}")
        bound: dict[str, Any] = {"meant": loops.as_it_is, **functions}
        for leaf in loops.LEAVES:
            bound[leaf] = bind(getattr(loops, leaf), name, bound, inlined=leaf in loops.INLINED)
        for entry in loops.ENTRIES:
            setattr(self, entry, bind(getattr(loops, entry), name, bound, file))

    def __getattr__(self, name: str) -> Any:  # for type checkers: the entries are set by name
        raise AttributeError(name)


@functools.cache
def _loops_of(module: str) -> Loops:
    found = importlib.import_module(module)
    return Loops(found.SPEC.name, found.SPEC.functions, str(found.__file__))


class Game:
    """A game under one set of options.

    Attributes: name, title, preset, options, seats, actions (what one chooses from), num_actions, observation_size, layout,
    reveal_size, reveal_layout, rules (one record), spec, loops. States are arrays of `state_dtype`, one record a table; the
    methods take and give arrays and never change what they are given, `advance` apart. Pickles as (name, options).
    """

    def __init__(self, spec: GameSpec, module: str, preset: str | None = None, given: Mapping[str, Any] | None = None):
        self.spec, self._module = spec, module
        self.name, self.title = spec.name, spec.title
        self.preset = next(iter(spec.presets)) if preset is None else preset
        self.options = make_options(spec.options, spec.presets, self.preset, given or {})
        self.rules = spec.flatten(self.options)
        self.rules.flags.writeable = False
        self.seats = spec.seats(self.options)
        self.actions = spec.choices(self.options) if spec.choices else spec.actions
        self.num_actions = len(self.actions)
        self.layout: tuple[Segment, ...] = layout_of(spec.observation)
        self.observation_size = self.layout[-1].stop
        self.reveal_layout: tuple[Segment, ...] = layout_of(spec.reveal)
        self.reveal_size = self.reveal_layout[-1].stop
        self.state_dtype = spec.state
        self._ids = {action: i for i, action in enumerate(self.actions)}
        self._moves = {move: i for i, move in enumerate(spec.actions)}
        self._cards = {card: i for i, card in enumerate(spec.cards)}

    @property
    def loops(self) -> Loops:
        return _loops_of(self._module)

    @property
    def changed_options(self) -> dict[str, Any]:
        """What these options have that their preset has not."""
        return changes(self.spec.options, self.spec.presets, self.preset, self.options)

    @functools.cached_property
    def abstracted(self) -> "Game | None":
        """The same game with its action abstraction: same states and views; None where it has none, or where this is it."""
        if not self.spec.abstraction or self.actions is not self.spec.actions:
            return None
        return Game(self.spec, self._module, self.preset, {**self.changed_options, **self.spec.abstraction})

    @property
    def id(self) -> str:
        return f"{self.name}_v{self.spec.version}"

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        return f"make_game({self.name!r}, preset={self.preset!r}{changed})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.spec, self.options) == (other.spec, other.options)

    def __hash__(self) -> int:
        return hash((self.name, self.options))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self._module, self.preset, self.changed_options)

    @property
    def layout_hash(self) -> str:
        return fingerprint(self.layout)

    @property
    def actions_hash(self) -> str:
        return fingerprint(self.actions)

    def action_id(self, action: "str | int") -> int:
        """The id of an action given by name or id; UnknownName names the nearest."""
        if isinstance(action, str):
            if action not in self._ids:
                raise unknown(f"action of {self.name}", action, self._ids)
            return self._ids[action]
        try:
            number = -1 if isinstance(action, bool) else operator.index(action)
        except TypeError:  # an array of one, too
            number = -1
        if not 0 <= number < self.num_actions:
            raise unknown(f"action of {self.name}", action, [f"0..{self.num_actions - 1}"])
        return number

    def move_id(self, name: str) -> int:
        """The id of a move as records name it: of an action, where choices are others."""
        if name not in self._moves:
            raise unknown(f"action of {self.name}", name, self._moves)
        return self._moves[name]

    def meant(self, states: NDArray[Any], choices: ArrayLike) -> NDArray[np.int64]:
        """The ids (n,) of the moves that legal choices (n,) mean."""
        given = np.atleast_1d(np.asarray(choices, np.int64))
        out = np.zeros(len(states), np.int64)
        self.loops.meant_rows(self.rules, self._checked(states), given, out)
        return out

    def choice_of(self, states: NDArray[Any], move: int) -> int:
        """The legal choice in states[0] that means a move; IllegalAction where there is none."""
        if self.actions is self.spec.actions:
            return move
        for choice in np.flatnonzero(self.legal(states[:1])[0]):
            if self.meant(states[:1], choice)[0] == move:
                return int(choice)
        raise self._illegal(states[:1], self.spec.actions[move], move)

    # Arrays of states.

    def begin(self, seed: int = 0, ids: ArrayLike = 0) -> NDArray[Any]:
        """States (n,) of the episodes `ids` of a seed, at their first decision."""
        episodes = np.array(ids, np.int64, ndmin=1)
        n = len(episodes)
        states = np.zeros(n, self.state_dtype)
        scratch = Scratch(self, n)
        self.loops.reset_rows(
            self.rules, states, np.arange(n), seed_key(seed), episodes, scratch.view, scratch.final, scratch.mask,
            scratch.observation, scratch.seat, scratch.acted, scratch.reward, scratch.paid, scratch.after, scratch.done,
            scratch.dealt,
        )  # fmt: skip
        return states

    def fresh(self) -> NDArray[Any]:
        """A state (1,) as an episode begins with it, before any deal; its deck is the unshuffled pack."""
        return self._prepared()[0]

    def deck(self) -> NDArray[Any]:
        """The unshuffled pack: card ids as a deck lists them."""
        states, size = self._prepared()
        return states[0]["deck"][:size].copy()

    def _prepared(self) -> tuple[NDArray[Any], int]:
        states, sizes = np.zeros(1, self.state_dtype), np.zeros(1, np.int64)
        self.loops.prepare_rows(self.rules, states, sizes)
        return states, int(sizes[0])

    def card_ids(self, names: Sequence[str]) -> list[int]:
        """The ids of cards by name; LomberError names the first that the game has not."""
        strange = [name for name in names if name not in self._cards]
        if strange:
            raise LomberError(f"{self.name} has no card {cut(strange[0])}")
        return [self._cards[name] for name in names]

    def deal(self, deck: Sequence[int], start: Mapping[str, Any] | None = None, key: int = 0, number: int = 0) -> NDArray[Any]:
        """A state (1,) with a given deck (card ids in the spec's canonical order) and `start` (what the deal inherits)."""
        states, size = self._prepared()
        state, given = states[0], np.asarray(deck)
        if given.shape != (size,) or sorted(given.tolist()) != sorted(state["deck"][:size].tolist()):
            told = self._why_no_deck(given, state["deck"][:size].tolist())
            raise LomberError(f"a deck of {self.name} has its {size} cards once each, in order of dealing: {told}")
        self.spec.events.write_start(self, state, start or {})
        state["key"], state["deal"] = key, number
        state["deck"][:size] = given
        self.loops.deal_rows(self.rules, states)
        return states

    def _why_no_deck(self, given: NDArray[Any], pack: list[int]) -> str:
        """What is wrong with a deck, in words: a card that it has twice, that it lacks, or that is none."""
        counts = Counter(given.ravel().tolist())
        for card, times in counts.items():
            if card not in pack:
                return f"{cut(card)} is no card of it"
            if times > 1:
                return f"{self.spec.cards[card]} is in it {times} times"
        missing = [self.spec.cards[card] for card in pack if card not in counts]
        if missing:
            return f"it lacks {missing[0]}" + (f" and {len(missing) - 1} more" if missing[1:] else "")
        return f"it is an array of shape {given.shape}"

    def advance(self, states: NDArray[Any], actions: ArrayLike, go_on: bool = True) -> None:
        """Play `actions` (n,) in place. IllegalAction leaves every state as it was."""
        ids = np.atleast_1d(np.asarray(actions))
        ids = np.array([self.action_id(a) for a in ids.tolist()], np.int64)
        self._changeable(states)
        if ids.shape != states.shape:
            raise LomberError(f"{len(states)} states take as many actions, not {ids.shape}")
        mask = self.legal(states)
        for i, action in enumerate(ids):
            if not mask[i, action]:
                raise self.illegal(states[i : i + 1], int(action))
        self.loops.advance_rows(self.rules, states, ids)
        if go_on:
            self.loops.next_deal_rows(self.rules, states)

    def play_one(self, states: NDArray[Any], action: int) -> None:
        """Play one move in states[0], in place and unchecked, without the forced ones behind it: for views, see `move`."""
        self.loops.move_rows(self.rules, self._changeable(states), np.array([action]))

    def play_forced(self, states: NDArray[Any]) -> None:
        """Play, in place, the moves that are forced now: for positions written by hand."""
        self.loops.run_forced_rows(self.rules, self._changeable(states))

    def moves(self, states: NDArray[Any]) -> list[tuple[int, int]]:
        """Every move of the deal of states[0] so far as (seat, move id), forced ones too, in order."""
        walk = np.zeros(1, self.state_dtype)
        seats, moves = np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_MOVES, np.int64)
        n = self.loops.moves_row(self.rules, self._checked(states), walk, seats, moves)
        return list(zip(seats[:n].tolist(), moves[:n].tolist(), strict=True))

    def next_deal(self, states: NDArray[Any]) -> None:
        """Where a deal has ended and the episode goes on, deal the next one, in place."""
        self.loops.next_deal_rows(self.rules, self._changeable(states))

    def legal(self, states: NDArray[Any]) -> NDArray[np.int8]:
        """(n, A) int8: what the seat to act may do; zeros where a deal is over."""
        mask = np.zeros((len(states), self.num_actions), np.int8)
        self.loops.legal_rows(self.rules, self._checked(states), mask)
        return mask

    def legal_names(self, states: NDArray[Any]) -> tuple[str, ...]:
        """The names of the legal actions in the first state."""
        return tuple(self.actions[a] for a in np.flatnonzero(self.legal(states[:1])[0]))

    def points(self, states: NDArray[Any]) -> NDArray[np.int64]:
        """(n, seats) int64: points as the finished deals have settled them."""
        out = np.zeros((len(states), self.seats), np.int64)
        self.loops.points_rows(self.rules, self._checked(states), out)
        return out

    def hide(self, states: NDArray[Any], seats: ArrayLike) -> NDArray[Any]:
        """The views (n,) of `seats`: records of the same dtype, blank where the seat cannot know."""
        views = copy_states(self._checked(states))
        self.loops.hide_rows(self.rules, views, self._seats(seats, len(views)))
        return views

    def observe(self, views: NDArray[Any], seats: ArrayLike) -> NDArray[np.float32]:
        """(n, D) float32 of views (not of states: hide first)."""
        out = np.zeros((len(views), self.observation_size), np.float32)
        self.loops.observe_rows(self.rules, self._checked(views), self._seats(seats, len(views)), out)
        return out

    def reveal(self, states: NDArray[Any]) -> NDArray[np.float32]:
        """(n, R) float32: the perfect state, for critics."""
        out = np.zeros((len(states), self.reveal_size), np.float32)
        self.loops.reveal_rows(self.rules, self._checked(states), out)
        return out

    def redeal(self, views: NDArray[Any], seats: ArrayLike, keys: ArrayLike) -> NDArray[Any]:
        """Worlds (n,): what is hidden from `seats` (the seats to act) placed uniformly, from `keys` (n,) uint64."""
        worlds = copy_states(self._checked(views))
        chosen = np.broadcast_to(np.asarray(keys, np.uint64), (len(worlds),)).copy()
        failed = self.loops.redeal_rows(self.rules, worlds, self._seats(seats, len(worlds)), chosen)
        if failed >= 0:
            raise LomberError(f"no placing of the hidden cards of view {failed} was found in 1,000,000 tries")
        return worlds

    def consistent(self, views: NDArray[Any], worlds: NDArray[Any], seats: ArrayLike) -> NDArray[np.bool_]:
        """(n,) bool: would this placing have given this view?"""
        seen = self.hide(worlds, seats)
        out = np.zeros(len(views), np.bool_)
        given = self._checked(views), self._checked(worlds)
        self.loops.consistent_rows(self.rules, *given, self._seats(seats, len(views)), out)
        return out & np.array([a.tobytes() == b.tobytes() for a, b in zip(seen, views, strict=True)], np.bool_)

    def illegal(self, states: NDArray[Any], action: int) -> IllegalAction:
        """The error for a choice that the one given state does not allow, told as the seat to act may know it."""
        return self._illegal(states, self.actions[action], action)

    def _illegal(self, states: NDArray[Any], name: str, action: int) -> IllegalAction:
        seat = int(states[0]["seat"])
        if states[0]["stage"] != RUNNING or seat == NONE:
            return IllegalAction(f"cannot play {name} in {self.id}: the deal is over", seat, name, "the deal is over", ())
        names = self.legal_names(states)
        view = self.hide(states, seat)
        reason = self.spec.events.why_illegal(self, view[0], action)
        told = " ".join(str(event) for event in self.spec.events.view_events(self, view[0], seat))
        message = f"seat {seat} cannot play {name} in {self.id}: {reason}; legal: {' '.join(names)}; so far: {told}"
        return IllegalAction(message, seat, name, reason, names)

    def _checked(self, states: NDArray[Any]) -> NDArray[Any]:
        """The states, copied where another layout in memory would have the loops compiled once more."""
        if not isinstance(states, np.ndarray) or states.dtype != self.state_dtype or states.ndim != 1:
            raise LomberError(f"states of {self.name} are a 1-D array of its state_dtype, not {_shape(states)}")
        return states if states.flags.writeable and states.flags.c_contiguous else copy_states(states)

    def _changeable(self, states: NDArray[Any]) -> NDArray[Any]:
        if self._checked(states) is not states:
            raise LomberError("states that are changed in place are a writeable, contiguous array: pass a copy")
        return states

    def _seats(self, seats: ArrayLike, n: int) -> NDArray[np.int64]:
        given = np.asarray(seats)
        if given.dtype.kind not in "iu" or given.ndim > 1 or (given.size and not 0 <= given.min() <= given.max() < self.seats):
            raise LomberError(f"seats of {self.name} are integers in 0..{self.seats - 1}, not {seats!r}")
        out = np.empty(n, np.int64)
        out[:] = given
        return out


def copy_states(states: NDArray[Any]) -> NDArray[Any]:
    """A writeable, contiguous copy of states (n,), by their bytes: numpy itself copies a record field by field, 45 us each."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def row_of(game: Game, record: Any) -> NDArray[Any]:
    """An array (1,) of one state or view, a copy."""
    return np.frombuffer(bytearray(record.tobytes()), game.state_dtype)


def _shape(value: Any) -> str:
    return f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__


def _remake(module: str, preset: str, given: Mapping[str, Any]) -> Game:
    return Game(importlib.import_module(module).SPEC, module, preset, given)


def seed_key(seed: int) -> np.uint64:
    """The 64-bit key of a seed, any integer from 0; those below 2**64 are their own key."""
    if isinstance(seed, (bool, np.bool_)) or not hasattr(seed, "__index__") or int(seed) < 0:
        raise LomberError(f"a seed is an integer from 0, not {seed!r}")
    value = int(seed)
    if value < 2**64:
        return np.uint64(value)
    return np.random.SeedSequence(value).generate_state(1, np.uint64)[0]


class Scratch:
    """The arrays a table needs beside its states."""

    def __init__(self, game: Game, n: int):
        self.view = np.zeros(1, game.state_dtype)
        self.final = np.zeros(n, game.state_dtype)
        self.mask = np.zeros((n, game.num_actions), np.int8)
        self.observation = np.zeros((n, game.observation_size), np.float32)
        self.seat = np.full(n, NONE, np.int64)
        self.acted = np.full(n, NONE, np.int64)
        self.reward = np.zeros((n, game.seats), np.float32)
        self.paid = np.zeros((n, game.seats), np.int64)
        self.after = np.zeros(game.seats, np.int64)
        self.done = np.zeros(n, np.int8)
        self.dealt = np.zeros(n, np.int64)
        self.stamp = np.zeros(n, np.int8)
