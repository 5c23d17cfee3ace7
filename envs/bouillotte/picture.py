"""The table of bouillotte as a picture: from a view, or from a state for an onlooker."""

from typing import Any

import numpy as np

from ..engine.cards import cards_of
from ..engine.game import Game
from ..engine.jit import entry
from ..engine.pots import next_layer
from ..engine.state import NONE, UNKNOWN
from ..render import Pile, Seat, TablePicture
from . import state as st
from .actions import ACTIONS, CARDS
from .events import moves, view_events

ASKED = {
    st.BLIND: "carre?", st.OPENING: "to speak", st.BETTING: "to answer", st.TALON: "to turn a card", st.SHOWDOWN: "",
    st.END: "",
}  # fmt: skip
LATEST = 8  # events shown


@entry
def _layer_row(states, below):
    state = states[0]
    return next_layer(state["stake"], state["dealt"] & ~state["folded"], below)


def table_picture(game: Game, shown: Any, seat: int | None) -> TablePicture:
    """The table as `seat` knows it (`shown` is its view), or an onlooker (None; `shown` is the state): one record."""
    mine, step = 0 if seat is None else seat, int(game.rules[0]["step"])
    return TablePicture(
        title=f"{game.title} ({game.preset}), deal {int(shown['deal']) + 1}",
        seats=[_seat(game, shown, (mine + k * step) % game.seats, seat) for k in range(game.seats)],
        piles=_piles(game, shown),
        notes=[*_pot(shown), *_jetons(game, shown), *_result(game, shown), *_latest(game, shown, seat)],
        clockwise=game.options.direction == "left",  # where the next in order sits
    )


def _name(who: int) -> str:
    return f"player_{who}"


def _cards(mask: Any) -> list[str]:
    return [CARDS[card] for card in cards_of(int(mask))]


def _seat(game: Game, shown: Any, who: int, seat: int | None) -> Seat:
    if not int(shown["dealt"]) >> who & 1:
        return Seat(_name(who), [], None, ["has left"])
    over = bool(shown["phase"] == st.END)
    stack, bit = int(shown["match"]["stack"][who]), 1 << who
    labels = ["dealer"] if who == shown["start"]["dealer"] else []
    if who == shown["last"]:
        labels.append("carre")
    if int(shown["folded"]) & bit:
        labels.append("out")
    elif int(shown["passed"]) & bit and shown["opener"] == NONE:
        labels.append("passed")
    labels.append("all in" if stack == 0 and not over else f"stack {stack}")
    if shown["stake"][who]:
        labels.append(f"stake {shown['stake'][who]}")
    active = bool(who == shown["seat"])
    if active:
        labels.append(ASKED[int(shown["phase"])])
    hand: list[str | None] = list(_cards(shown["hand"][who]))
    if not hand and shown["phase"] > st.BLIND:
        hand = [None] * st.HAND
    return Seat(_name(who), hand, None, labels, active)


def _piles(game: Game, shown: Any) -> list[Pile]:
    if shown["retourne"] == NONE:
        return [Pile("pack", [None] * len(game.deck()))]
    piles = [Pile("retourne", [CARDS[shown["retourne"]] if shown["retourne"] != UNKNOWN else None])]
    turned = [CARDS[card] for card in shown["turned"] if card >= 0]
    if turned:
        piles.append(Pile("turned at the showdown", list(turned)))
    left = len(game.deck()) - st.HAND * int(shown["dealt"]).bit_count() - 1 - len(turned)
    return [*piles, Pile("talon", [None] * left)] if left else piles


def _pot(shown: Any) -> list[str]:
    """The pot, and the layers that a showdown now would have."""
    if shown["phase"] == st.END:
        lines = [f"carried on {shown['pot']}"] if shown["pot"] else []
        return lines + [
            f"layer {k + 1}: {n} to {_name(int(who))}"
            for k, (n, who) in enumerate(zip(shown["layers"], shown["winners"], strict=True))
            if who != NONE
        ]
    lines = [f"pot {shown['pot']}"]
    carried = int(shown["match"]["carried"].sum())
    if carried:
        lines.append(f"of it carried {carried}")
    if shown["phase"] > st.BLIND:
        layers = _layers(shown)
        layers[0][1] += int(shown["dead"].sum()) + carried
        if len(layers) > 1:
            lines += [f"layer {k}: {jetons} for stakes of {level}" for k, (level, jetons) in enumerate(layers, 1)]
    return lines


def _layers(shown: Any) -> list[list[int]]:
    """[level, jetons] of each layer of the stakes, lowest first; at least one."""
    row = np.atleast_1d(shown).copy()
    layers: list[list[int]] = []
    level, jetons = _layer_row(row, 0)
    while not layers or level > layers[-1][0]:
        layers.append([int(level), int(jetons)])
        level, jetons = _layer_row(row, level)
    return layers


def _jetons(game: Game, shown: Any) -> list[str]:
    match = shown["match"]
    lines = []
    if shown["phase"] == st.END:
        lines.append("this deal " + " : ".join(f"{net:+d}" for net in shown["net"][: game.seats].tolist()))
    result = (match["stack"] + match["bank"] - match["buyins"])[: game.seats]
    if shown["deal"]:
        lines.append("in all " + " : ".join(f"{n:+d}" for n in result.tolist()))
    return lines


def _result(game: Game, shown: Any) -> list[str]:
    """How the deal ended, and who paid whom for a brelan."""
    if shown["end"] == NONE:
        return []
    lines = [st.ENDS[shown["end"]].replace("_", "-")]
    for holder in range(game.seats):
        paid = shown["paid"][:, holder]
        if (paid != NONE).any():
            lines.append(f"{_name(holder)} is paid {int(paid[paid != NONE].sum())} for a brelan")
    return lines


def _latest(game: Game, shown: Any, seat: int | None) -> list[str]:
    """The last events, as they are told."""
    if seat is None:
        told = [(who, ACTIONS[action]) for who, action in moves(game, shown)]
    else:
        told = [(event.seat, event.text) for event in view_events(game, shown, seat)]
    return ["", "last", *(f"{who}: {text}" for who, text in told[-LATEST:])] if told else []
