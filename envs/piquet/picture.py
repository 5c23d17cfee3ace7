"""The table of piquet as a picture: from a view, or from a state for an onlooker."""

from typing import Any

from ..engine.cards import cards_of
from ..engine.game import Game, row_of
from ..engine.state import NONE
from ..render import Pile, Seat, TablePicture
from . import actions as act
from . import state as st
from .actions import ACTIONS, CARDS
from .events import view_events

ASKED = {
    st.BLANK: "show a carte blanche?", st.EXCHANGE: "exchange", st.POINT: "call a point", st.POINT_LEN: "answer the point",
    st.POINT_VAL: "answer the point", st.COUNTER: "call a point at once", st.SEQ: "call a sequence",
    st.SEQ_REPLY: "answer the sequence", st.SEQ_EXTRA: "count more sequences", st.SET: "call a set",
    st.SET_REPLY: "answer the set", st.SET_EXTRA: "count more sets", st.YPOINT: "count the point",
    st.YSEQ: "count sequences", st.YSET: "count sets", st.CAPOT: "announce capot?", st.NAME: "name a suit to lead?",
    st.LEAD: "lead", st.FOLLOW: "follow", st.LOOK: "look at the talon?", st.OVER: "the deal is over",
}  # fmt: skip
ROWS = ("blank", "point", "sequences", "sets", "red hand", "full hand", "play", "cards", "bonus")
LATEST = 6  # events shown


def table_picture(game: Game, shown: Any, seat: int | None) -> TablePicture:
    """The table as `seat` knows it (`shown` is its view), or an onlooker (None; `shown` is the state): one record."""
    mine = 0 if seat is None else seat
    return TablePicture(
        title=f"{game.title} ({game.preset}), deal {int(shown['deal']) + 1}",
        seats=[_seat(shown, who, seat) for who in (mine, 1 - mine)],
        piles=_piles(shown, mine, seat),
        notes=[
            *_scores(shown),
            *_match(game, shown),
            *_calls(game, shown, seat),
            *_tricks(shown),
            *_latest(game, shown, seat),
        ],
    )


def _name(who: int) -> str:
    return f"player_{who}"


def _cards(mask: Any) -> list[str]:
    return [CARDS[card] for card in cards_of(int(mask))]


def _card(card: Any) -> str | None:
    return CARDS[card] if card >= 0 else None


def _seat(shown: Any, who: int, seat: int | None) -> Seat:
    labels = ["younger, dealer" if who == shown["start"]["dealer"] else "elder"]
    if shown["plays"]:
        labels.append(f"{shown['tricks'][who]} trick{'' if shown['tricks'][who] == 1 else 's'}")
    if shown["capot"][who] == st.YES:
        labels.append("announced capot")
    active = bool(who == shown["seat"])
    if active:
        asked = ASKED[int(shown["phase"])]
        labels.append(asked if asked.endswith("?") else f"to {asked}")
    led = shown["table"] != NONE and shown["leader"] == who
    return Seat(_name(who), _hand(shown, who, seat), CARDS[shown["table"]] if led else None, labels, active)


def _hand(shown: Any, who: int, seat: int | None) -> list[str | None]:
    """The cards in hand; of the other seat those that are known, then backs."""
    if seat is None or seat == who:
        return list(_cards(shown["hand"][who]))
    known = _cards(_known(shown, who))
    return [*known, *[None] * (int(shown["held"][who]) - len(known))]


def _known(shown: Any, who: int) -> int:
    """Cards that the other seat must hold: shown ones, and those it drew from places of the talon that the viewer has seen."""
    cards, elder = int(shown["shown"][who]), 1 - int(shown["start"]["dealer"])
    if shown["exchanged"][who] == NONE:
        return 0
    first = 0 if who == elder else int(shown["exchanged"][elder])
    for card in shown["talon"][first : first + int(shown["exchanged"][who])]:
        cards |= 1 << int(card) if card >= 0 else 0
    return cards & ~int(shown["played"][who])


def _piles(shown: Any, mine: int, seat: int | None) -> list[Pile]:
    used = sum(int(n) for n in shown["exchanged"] if n != NONE)
    piles = [Pile("talon", [_card(card) for card in shown["talon"][used:]])]
    for who in (mine, 1 - mine):
        marks = shown["marks"][who][: int(shown["marked"][who])]
        if len(marks):
            whose = "my" if who == seat else f"{_name(who)}'s"
            piles.append(Pile(f"{whose} discards", [_card(card) for card in marks]))
    drew = shown["exchanged"][mine]
    if seat is not None and drew > 0:
        first = 0 if mine != shown["start"]["dealer"] else int(shown["exchanged"][1 - mine])
        piles.append(Pile("I drew", [_card(card) for card in shown["talon"][first : first + int(drew)]]))
    return piles


def _scores(shown: Any) -> list[str]:
    """The points of the deal, by line."""
    ledger = shown["ledger"]
    lines = ["seats 0 : 1", f"points {int(ledger[0].sum())} : {int(ledger[1].sum())}"]
    lines += [f"  {row} {ledger[0, i]} : {ledger[1, i]}" for i, row in enumerate(ROWS) if ledger[0, i] or ledger[1, i]]
    return lines


def _match(game: Game, shown: Any) -> list[str]:
    """The match as it stands, where there is one."""
    match, lines = shown["match"], []
    if game.options.match == "korolik":
        lines.append(f"korolik {int(match['korolik']) + 1}, deals done {match['deals']}")
        for name in ("written", "columns", "records"):
            if match[name].any():
                lines.append(f"{name} {match[name][0]} : {match[name][1]}")
        if match["refaits"]:
            lines.append(f"refaits {match['refaits']}")
    elif match["deals"]:
        lines.append(f"partie {match['totals'][0]} : {match['totals'][1]} after {match['deals']} deals")
    if match["net"].any():
        lines.append(f"settled {match['net'][0]} : {match['net'][1]}")
    return ["", *lines] if lines else []


def _told(game: Game, shown: Any, seat: int | None) -> list[tuple[int, str]]:
    if seat is None:
        return [(who, ACTIONS[action]) for who, action in game.moves(row_of(game, shown))]
    return [(event.seat, event.text) for event in view_events(game, shown, seat)]


def _calls(game: Game, shown: Any, seat: int | None) -> list[str]:
    """What was declared, in order: one line for each run of calls and answers of one seat."""
    runs: list[tuple[int, list[str]]] = []
    for who, text in _told(game, shown, seat):
        word = text.partition(":")[0].partition(" ")[0]
        if word in ("DEALT", "DISCARD", "DREW", "SAW", "EXCHANGED", "PLAY", "PIPS", "SHOWED") or text == "PASS":
            continue
        if runs and runs[-1][0] == who:
            runs[-1][1].append(text)
        else:
            runs.append((who, [text]))
    return ["", "declared", *(f"{who}: {', '.join(texts)}" for who, texts in runs)] if runs else []


def _tricks(shown: Any) -> list[str]:
    """The tricks, leader's card first; the winner's seat behind."""
    plays = [
        (int(shown["log_seat"][i]), int(shown["log"][i]) - act.PLAY)
        for i in range(int(shown["logged"]))
        if act.PLAY <= shown["log"][i] < act.PASS
    ]
    lines = []
    for (leader, led), (other, answer) in zip(plays[::2], plays[1::2], strict=False):
        beaten = led // 8 == answer // 8 and answer < led
        lines.append(f"{leader}: {CARDS[led]} {CARDS[answer]}, won by {other if beaten else leader}")
    return ["", "tricks", *lines] if lines else []


def _latest(game: Game, shown: Any, seat: int | None) -> list[str]:
    """The last events, as they are told."""
    told = _told(game, shown, seat)[-LATEST:]
    return ["", "last", *(f"{who}: {text}" for who, text in told)] if told else []
