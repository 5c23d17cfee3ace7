"""Plays engine and slow twin of bouillotte side by side; compares legal moves, jetons and knowledge at every decision."""

import random

import numpy as np
import pytest
from reference.bouillotte import Deal, make_options
from reference.bouillotte_episode import Episode
from reference.bouillotte_rules import CHOICES, DEFAULTS
from reference.bouillotte_samples import FLAGS, NUMBERS, PACKS, chooser, rich_deck, shuffled

from lomber.envs import UnknownName, make_game
from lomber.envs.bouillotte import state as st
from lomber.envs.bouillotte.actions import ACTIONS, CARDS, TALON_FIRST, TALON_LAST
from lomber.envs.bouillotte.events import options_row
from lomber.envs.bouillotte.options import PRESETS
from lomber.envs.engine.cards import cards_of
from lomber.envs.engine.chance import DECK, open_stream, shuffle
from lomber.envs.engine.state import DEAL_ENDED, OVER, RUNNING

NONE = -1
OWN = tuple(PRESETS)
LONG = ("coup", "session")  # episodes of several deals
POOLS = NUMBERS | CHOICES | dict.fromkeys(FLAGS, (True, False)) | {
    "players": (2, 3, 4, 5), "ranks": PACKS, "cave": (2, 3, 5, 12, 30, 150), "stake_cap": (3, 5, 20, 60, 100),
    "ante": (0, 1, 2, 5), "carre_max": (0, 1, 3, 4, 7, 10), "pay_mistigri_carre": (0, 5), "pay_st_james_carre": (1, 7),
}  # fmt: skip
STACKS = (1, 2, 3, 6, 20, 40)


def random_options(rng: random.Random, preset: str, share: float = 0.25, name: str = "bouillotte") -> dict:
    """Some options of section 8 drawn at random; what the twin refuses together, the engine refuses too."""
    while True:
        drawn = {option: rng.choice(values) for option, values in POOLS.items() if rng.random() < share}
        drawn.pop("episode", None)
        try:
            make_options(preset, drawn)
        except ValueError:  # too few cards, or two parts for the jack of clubs
            with pytest.raises(UnknownName):
                make_game(name, preset, **drawn)
            continue
        return drawn


def story(deal: Deal) -> tuple:
    """What a disagreement is told with: options other than the defaults, what the deal began with, its moves."""
    changed = {name: value for name, value in deal.options.items() if value != DEFAULTS[name]}
    return changed, deal.dealer, deal.start, deal.history


def names(mask) -> frozenset:
    return frozenset(CARDS[c] for c in cards_of(int(mask)))


def seat_or_none(value):
    return None if value == NONE else int(value)


def seats_in(mask, seats: int) -> tuple[bool, ...]:
    return tuple(bool(int(mask) >> seat & 1) for seat in range(seats))


def known(game, view, seat: int) -> dict:
    """A hidden record in the words of the twin's `knows`."""
    n = game.seats
    match, start = view["match"], view["start"]
    hands = {other: names(view["hand"][other]) for other in range(n) if view["hand"][other]}
    _, low, high = options_row(game.rules, np.frombuffer(bytearray(view.tobytes()), game.state_dtype))
    logged = zip(view["log_seat"][: view["logged"]].tolist(), view["log"][: view["logged"]].tolist(), strict=True)
    layers = zip(view["layers"].tolist(), view["winners"].tolist(), strict=True)
    running = view["stage"] == RUNNING
    return {
        "phase": st.Phase(int(view["phase"])).name,
        "to_act": seat_or_none(view["seat"]),
        "dealer": int(start["dealer"]),
        "in_deal": seats_in(view["dealt"], n),
        "stacks": jetons(match["stack"], n),
        "stakes": jetons(view["stake"], n),
        "dead": jetons(view["dead"], n),
        "carried": jetons(match["carried"], n),
        "pot": int(view["pot"]),
        "level": int(view["level"]),
        "interval": (low, high) if low <= high else None,
        "folded": seats_in(view["folded"], n),
        "passed": seats_in(view["passed"], n),
        "last": seat_or_none(view["last"]),
        "displaced": seat_or_none(view["displaced"]),
        "doublings": int(view["made"]),
        "opener": seat_or_none(view["opener"]),
        "aggressor": seat_or_none(view["aggressor"]),
        "raises": int(view["raises"]),
        "turned": tuple((who, CARDS[view["turned"][who]]) for who, a in logged if TALON_FIRST <= a <= TALON_LAST),
        "end": None if view["end"] == NONE else st.ENDS[view["end"]],
        "layers": tuple((amount, winner) for amount, winner in layers if winner != NONE),
        "payments": {(p, h): paid for (p, h), paid in np.ndenumerate(view["paid"]) if paid != NONE},
        "net": None if running else jetons(view["net"], n),
        "match": {"deal": int(view["deal"]), "bank": jetons(start["bank"], n), "buyins": jetons(start["buyins"], n)},
        "started": (jetons(start["stack"], n), jetons(start["carried"], n)),
        "hand": hands.get(seat),
        "hands": hands,
        "retourne": None if view["retourne"] == NONE else CARDS[view["retourne"]],
    }  # fmt: skip


def jetons(values, seats: int) -> tuple[int, ...]:
    return tuple(values[:seats].tolist())


def expected(deal: Deal, seat: int, episode: Episode) -> dict:
    """What the twin says, in the engine's terms: a finished deal keeps its stakes, and has been followed by section 5.5."""
    knows = deal.knows(seat)
    match, over = dict(knows["match"]), deal.seat is None
    match["buyins"] = added(match["buyins"], episode.carried_before)  # the engine: what lies carried has been brought too
    told = {
        **knows,
        "in_deal": tuple(other in deal.order for other in range(deal.options["players"])),
        "payments": {(payer, holder): amount for payer, holder, amount in knows["payments"]},
        "match": match,
        "started": (deal.start["stacks"], deal.start["carried"]),
    }
    if over:
        told |= {name: deal.final[name] for name in ("stakes", "dead")}
        told |= {"level": max(told["stakes"]), "stacks": tuple(episode.stacks)}
    if deal.end == "pass_out":  # who only passed has not folded (5.4)
        told["folded"] = (False,) * deal.options["players"]
    return told


def added(one, other) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def know_alike(game, state, deal: Deal, episode: Episode) -> None:
    """What each seat knows; and the moves, which all know."""
    views = [game.hide(state, seat)[0] for seat in range(game.seats)]
    for seat, view in enumerate(views):
        mine, theirs = known(game, view, seat), expected(deal, seat, episode)
        differing = {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
        assert not differing, (*story(deal), seat, differing)
    moves = game.spec.events.view_moves(game, views[len(deal.history) % game.seats])
    assert [(seat, ACTIONS[a]) for seat, a in moves] == deal.history, (story(deal), moves)


def compare(game, state, mask, deal: Deal, episode: Episode) -> None:
    """One decision: seat, legal actions by number and by what they mean, and what all seats know."""
    assert int(state[0]["seat"]) == deal.seat, story(deal)
    legal = np.flatnonzero(mask[0])
    meant = {int(a): ACTIONS[game.meant(state, a)[0]] for a in legal[:16]}
    ids = deal.ids()
    assert legal.tolist() == sorted(ids), (story(deal), legal, ids)
    assert all(ids[a] == name for a, name in meant.items()), (story(deal), meant, ids)
    know_alike(game, state, deal, episode)


def play(preset: str, options: dict, deals: int, seed: int, episode: str = "deal", name: str = "bouillotte") -> int:
    """Play `deals` episodes in both from the engine's own beginnings; returns the decisions compared."""
    game = make_game(name, preset, **options, episode=episode)
    rules = make_options(preset, options | {"episode": episode})
    rng = random.Random(seed)
    begun = [game.begin(seed, number) for number in range(deals)]
    return sum(play_episode(game, states, rules, rng) for states in begun if states[0]["deal"] == 0)  # nothing passed over


def play_given(preset: str, options: dict, deals: int, seed: int, episode: str = "deal", name: str = "bouillotte") -> int:
    """The same from dealers, stacks, carried stakes and first cards drawn at random; many hands are brelans."""
    game = make_game(name, preset, **options, episode=episode)
    rules = make_options(preset, options | {"episode": episode})
    rng = random.Random(seed)
    return sum(play_episode(game, given_state(game, rules, rng), rules, rng) for _ in range(deals))


def given_state(game, rules: dict, rng: random.Random):
    start = {"dealer": rng.randrange(game.seats)}
    if rng.random() < 0.6:
        start["stacks"] = [rng.choice((*STACKS, rules["cave"])) for _ in range(game.seats)]
    if rng.random() < 0.3:
        start["carried"] = [rng.choice((0, 0, 1, 4)) for _ in range(game.seats)]
    order = Deal(rules, shuffled(rules, rng), start["dealer"]).order
    deck = rich_deck(rules, order, rng) if rng.random() < 0.6 else shuffled(rules, rng)
    return game.deal(game.card_ids(deck), start, key=rng.randrange(1, 2**63))


def play_random(preset: str, seed: int, rounds: int, name: str = "bouillotte") -> int:
    """Random options, half of the episodes of several deals."""
    rng, decisions = random.Random(seed), 0
    for _ in range(rounds):
        options, episode = random_options(rng, preset, name=name), rng.choice(("deal", "deal", *LONG))
        for player in (play, play_given):
            decisions += player(preset, options, 2 if episode == "deal" else 1, rng.randrange(1000), episode, name)
    return decisions


def play_episode(game, states, rules: dict, rng: random.Random) -> int:
    """One episode from its first deal on; deals without a decision, which the engine passes over, are played in the twin."""
    start, decisions = states[0]["start"], 0
    episode = Episode(rules, int(start["dealer"]), jetons(start["stack"], game.seats), jetons(start["carried"], game.seats))
    deck = [CARDS[c] for c in states[0]["deck"] if c != NONE]
    while not episode.over:
        while episode.dealt < states[0]["deal"]:
            passed = episode.new_deal(deck_of(game, states[0]["key"], episode.dealt))
            assert passed.seat is None, story(passed)
            episode.finish(passed)
            deck = [CARDS[c] for c in states[0]["deck"] if c != NONE]
        deal = episode.new_deal(deck)
        assert deal.dealer == int(states[0]["start"]["dealer"]), (story(deal), episode.dealers)
        decisions += play_deal(game, states, deal, episode, chooser(rng))
        if not episode.over:
            game.next_deal(states)
            deck = [CARDS[c] for c in states[0]["deck"] if c != NONE]
    return decisions


def deck_of(game, key, number: int) -> list[str]:
    """The cards of a deal that was passed over."""
    deck = game.deck()
    shuffle(open_stream(key, number, DECK), deck, len(deck))
    return [CARDS[c] for c in deck]


def play_deal(game, states, deal: Deal, episode: Episode, choose) -> int:
    decisions = 0
    while deal.seat is not None:
        assert states[0]["stage"] == RUNNING, story(deal)
        compare(game, states, game.legal(states), deal, episode)
        name = choose(deal)
        action = next(number for number, meant in deal.ids().items() if meant == name)
        game.advance(states, [action], go_on=False)
        deal.apply(name)
        decisions += 1
    assert states[0]["stage"] != RUNNING, story(deal)
    episode.finish(deal)
    know_alike(game, states, deal, episode)
    end_alike(game, states, deal, episode)
    return decisions


def end_alike(game, states, deal: Deal, episode: Episode) -> None:
    """How the episode stands behind a deal: holdings, points, whether it is over, who deals next."""
    state, n = states[0], game.seats
    told = (story(deal), episode.dealers)
    assert int(state["stage"]) == (OVER if episode.over else DEAL_ENDED), told
    assert jetons(state["match"]["stack"], n) == tuple(episode.stacks), told
    assert jetons(state["match"]["carried"], n) == tuple(episode.carried), told
    assert jetons(state["match"]["bank"], n) == tuple(episode.bank), told
    assert jetons(state["match"]["buyins"], n) == added(episode.buyins, episode.carried_before), told
    assert int(state["match"]["dealer"]) == episode.dealer, told
    points = episode.returns() if episode.over else [a - b for a, b in zip(episode.balance(), episode.carried_before)]
    assert game.points(states)[0].tolist() == points, told
