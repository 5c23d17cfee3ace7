"""The kinds of the case files of bouillotte and brelan (spec section 15), each by the engine's own functions."""

from fractions import Fraction
from itertools import combinations
from math import comb, prod

import pytest
from bouillotte_all_in import enumerate_all_in

from lomber.envs import UnknownName, make_game
from lomber.envs.bouillotte import positions
from lomber.envs.bouillotte import state as st
from lomber.envs.bouillotte.actions import ACTIONS, CARDS
from lomber.envs.brelan import SPEC as BRELAN
from lomber.envs.engine.cards import cards_of
from lomber.envs.engine.jit import COMPILED


def game_of(given, **more):
    preset = given.get("preset")
    game = "brelan" if preset in BRELAN.presets else "bouillotte"
    return make_game(game, preset, **{**given.get("options", {}), **more})


def ids(cards):
    return [CARDS.index(card) for card in cards]


def category(given):
    name, pay = positions.category(game_of(given), ids(given["hand"]), CARDS.index(given["retourne"]))
    return {"category": name, "pay": pay}


def contest(given):
    game, hands = game_of(given), [ids(hand) for hand in given["hands"]]
    retourne = CARDS.index(given["retourne"])
    winner, numbers, totals = positions.one_layer(game, hands, retourne, given["dealer"], given["eligible"])
    return {"winner": winner, "numbers": {str(seat): number for seat, number in numbers.items()}, "totals": totals}


def start_of(given):
    start = {"dealer": given["dealer"]}
    return {**start, **{key: given[key] for key in ("stacks", "carried") if given.get(key) is not None}}


def dealt(game, given, start):
    """A state of a deal with the hands given, or any."""
    deck = game.deck().tolist()
    if "hands" in given:
        hands, talon = [ids(hand) for hand in given["hands"]], ids(given.get("talon", ()))
        deck = positions.deck_of(game, hands, CARDS.index(given["retourne"]), given["dealer"], talon)
    return game.deal(deck, start)


def play(game, states, actions):
    """Decisions, each to be one; forced moves follow by themselves."""
    for action in actions:
        seat, name = action.split(":")
        assert int(states[0]["seat"]) == int(seat) and name in game.legal_names(states), (action, game.legal_names(states))
        game.advance(states, [name], go_on=False)


def seats_of(game, values):
    return [int(value) for value in values[: game.seats]]


def menu(given):
    game = game_of(given)
    states = dealt(game, given, start_of(given))
    play(game, states, given["actions"])
    state = states[0]
    names = game.legal_names(states)
    seat, stacks = int(state["seat"]), state["match"]["stack"]
    found = {name: True for name in names if not name.startswith("STAKE_TO")}
    if "CARRE" in found:
        found["CARRE"] = int(state["pot"])
    if "CALL" in found:
        found["CALL"] = int(min(max(0, state["level"] - state["stake"][seat]), stacks[seat]))
    stakes = [int(name.split()[1]) for name in names if name.startswith("STAKE_TO")]
    if stakes:
        assert stakes == list(range(stakes[0], stakes[-1] + 1))
        found["STAKE_TO"] = [stakes[0], stakes[-1]]
    return {
        "to_act": seat, "menu": found, "pot": int(state["pot"]), "stakes": seats_of(game, state["stake"]),
        "stacks": seats_of(game, stacks),
    }  # fmt: skip


def deal(given):
    game = game_of(given, episode="session")  # carried stakes stay where they are
    states = dealt(game, given, start_of(given))
    play(game, states, given["actions"])
    state = states[0]
    assert state["phase"] == st.END
    layers = [[int(n), int(who)] for n, who in zip(state["layers"], state["winners"], strict=True) if who >= 0]
    return {
        "end": st.ENDS[state["end"]],
        "winner": layers[0][1] if layers else None,
        "layers": layers,
        "brelan_payments": payments(game, state),
        "net": seats_of(game, state["net"]),
        "carried": seats_of(game, state["match"]["carried"]),
    }


def payments(game, state):
    """In the order of 5.4: holders from the strongest, payers in order from first hand."""
    held = []
    for holder in range(game.seats):
        if (state["paid"][:, holder] >= 0).any():
            hand, turned = cards_of(int(state["hand"][holder])), int(state["turned"][holder])
            name, _ = positions.category(game, hand, int(state["retourne"]))
            if name == "simple" and turned >= 0 and CARDS[turned][0] == CARDS[hand[0]][0]:
                name = "carre"
            order = game.rules[0]["order"][[CARDS.index(card) % 9 for card in map(CARDS.__getitem__, hand)]].max()
            held.append((st.CATEGORIES.index(name), int(order), holder))
    step, dealer = int(game.rules[0]["step"]), int(state["start"]["dealer"])
    order = [(dealer + (k + 1) * step) % game.seats for k in range(game.seats)]
    return [
        [payer, holder, int(state["paid"][payer, holder])]
        for *_, holder in sorted(held, reverse=True)
        for payer in order
        if state["paid"][payer, holder] >= 0
    ]


def session(given):
    game = game_of(given, episode="session", session_deals=len(given["deals"]))
    start, dealers = {"dealer": given["dealer"]}, []
    for number, one in enumerate(given["deals"]):
        hands = [ids(hand) for hand in one["hands"]]
        dealers.append(start["dealer"])
        deck = positions.deck_of(game, hands, CARDS.index(one["retourne"]), start["dealer"])
        states = game.deal(deck, start, number=number)
        play(game, states, one["actions"])
        match = states[0]["match"]
        lists = {"stacks": "stack", "carried": "carried", "bank": "bank", "buyins": "buyins"}
        start = {"dealer": int(match["dealer"]), **{key: seats_of(game, match[name]) for key, name in lists.items()}}
    return {**start, "returns": game.points(states)[0].tolist(), "dealers": dealers, "next_dealer": start["dealer"]}


def ladder(given):
    return {"targets": positions.ladder(*(given[key] for key in ("t_min", "t_max", "pot", "need", "stack", "stake")))}


def encode(given):
    return {name: game_of(given).action_id(name) for name in ACTIONS}


def refused(given):
    try:
        game_of(given)
    except UnknownName:
        return {"refused": True}
    return {"refused": False}


KINDS = {
    "category": category, "contest": contest, "menu": menu, "deal": deal, "session": session, "ladder": ladder,
    "encode": encode, "refused": refused,
}  # fmt: skip


def stat(given):
    """What the keys of the three files' statistics name; N=4, 20 cards where a key says no other."""
    return Statistics(make_game("bouillotte", given["preset"]) if "preset" in given else None)


class Statistics:
    """Quantities by the words of the case files, counted when they are asked for."""

    def __init__(self, game):
        self.game = game

    def __getitem__(self, key):
        if self.game is not None:
            return stays(self.game)[key]
        *words, last = key.split(",")
        seats = int(last.removeprefix("N=")) if last.startswith("N=") else None
        words = words if seats else [*words, last]
        if words[-1] in PACKS.values():
            return deals_of(words[-1], seats)
        size = int(words[-1]) if words[-1].isdigit() else 32
        told = str(chances(PACKS[size], seats or 1, words[0])) if words[0] != "deals" else deals_of(PACKS[size], seats)
        return told


PACKS = {16: "AK98", 20: "AKQ98", 24: "AKQJ98", 28: "AKQJT98", 32: "AKQJT987"}


def deals_of(ranks, seats):
    """Hands by seat, and the retourne."""
    n = len(make_game("bouillotte", players=seats, ranks=ranks).deck())
    return prod(comb(n - 3 * k, 3) for k in range(seats)) * (n - 3 * seats)


def chances(ranks, seats, what):
    """Exact chances of natural brelans, from all hands as the engine classes them."""
    game = make_game("bouillotte", players=max(seats, 2), ranks=ranks)
    deck = game.deck().tolist()
    n, brelans, carres = len(deck), [], 0
    for hand in combinations(deck, 3):
        others = [card for card in deck if card not in hand]
        names = [positions.category(game, hand, card)[0] for card in (others[0], others[-1])]
        if names[0] != "point":
            brelans.append(set(hand))
            carres += sum(positions.category(game, hand, card)[0] == "carre" for card in others)
    if "carre" in what or "quatrieme" in what:
        return Fraction(seats * carres, comb(n, 3) * (n - 3))
    sums = [sum_of(brelans, n, k) * comb(seats, k) for k in range(seats + 1)]
    if what == "P(two or more)":
        return sum((-1) ** k * (k - 1) * sums[k] for k in range(2, seats + 1))
    return sum((-1) ** (k + 1) * sums[k] for k in range(1, seats + 1))


def sum_of(brelans, n, k):
    """The chance that k given seats all have one."""
    sets = sum(len(set().union(*some)) == 3 * k for some in combinations(brelans, k))
    return Fraction(sets * prod(range(1, k + 1)), prod(comb(n - 3 * i, 3) for i in range(k)))


def stays(game):
    """Of all deals in which all seats stay: how many each place wins, and what decides."""
    if not COMPILED:
        pytest.skip("ten million deals want compiled code")
    counted = enumerate_all_in(game)
    return {
        "first_hand_wins": counted["wins"][0], "dealer_wins": counted["wins"][-1],
        "decided_by_brelan": counted["brelan"], "decided_by_privilege": counted["privilege"],
    }  # fmt: skip


KINDS["stat"] = stat


def differences(given, expect):
    """What the engine makes otherwise: key -> (expected, made); empty where all is as the case states."""
    result = KINDS[given["kind"]](given)
    return {key: (value, made) for key, value in expect.items() if (made := result[key]) != value}
