"""The table of ombre as a picture: from a view, or from a state for an onlooker."""

from typing import Any

from ..engine.cards import SUITS, cards_of
from ..engine.game import Game, row_of
from ..engine.state import NONE
from ..render import Pile, Seat, TablePicture
from . import actions as act
from . import state as st
from .actions import ACTIONS, CARDS
from .auction import talon_used
from .events import view_events

ASKED = {
    st.AUCTION: "to bid", st.CASCO_AUCTION: "to bid casco", st.CASCO_KEEP: "to keep a card", st.CASCO_TRUMP: "to name trumps",
    st.NAME_TRUMP: "to name trumps", st.DISCARD: "to exchange", st.HANDOVER: "exchange first?", st.LOOK: "look at the talon?",
    st.PLAY: "to play", st.PREMIERS: "vole?", st.SPADILLE: "Spadille?", st.END: "",
}  # fmt: skip
LATEST = 6  # events shown


def table_picture(game: Game, shown: Any, seat: int | None) -> TablePicture:
    """The table as `seat` knows it (`shown` is its view), or an onlooker (None; `shown` is the state): one record."""
    mine = 0 if seat is None else seat
    return TablePicture(
        title=f"{game.title} ({game.preset}), deal {int(shown['deal']) + 1}",
        seats=[_seat(shown, (mine + k) % 3, seat) for k in range(3)],
        piles=_piles(shown, mine, seat),
        notes=[*_contract(shown), *_chips(shown), *_tricks(shown), *_latest(game, shown, seat)],
        clockwise=False,  # the next seat sits at the right
    )


def _name(who: int) -> str:
    return f"player_{who}"


def _cards(mask: Any) -> list[str]:
    return [CARDS[card] for card in cards_of(int(mask))]


def _card(card: Any) -> str | None:
    return CARDS[card] if card >= 0 else None


def _plays(shown: Any) -> list[tuple[int, int]]:
    """The cards played, in order, with their seats."""
    log = zip(shown["log_seat"][: shown["logged"]].tolist(), shown["log"][: shown["logged"]].tolist(), strict=True)
    return [(who, action) for who, action in log if action < 40]


def _seat(shown: Any, who: int, seat: int | None) -> Seat:
    place = (who - int(shown["start"]["dealer"])) % 3
    labels = [("dealer", "eldest", "middle")[place]]
    if who == shown["ombre"]:
        labels.append("ombre")
    if shown["plays"]:
        labels.append(f"{shown['tricks'][who]} trick{'' if shown['tricks'][who] == 1 else 's'}")
    active = bool(who == shown["seat"])
    if active:
        labels.append(ASKED[int(shown["phase"])])
    open_trick = _plays(shown)[int(shown["plays"] - shown["plays"] % 3) :] if shown["led"] != NONE else []
    on_table = [CARDS[card] for player, card in open_trick if player == who]
    return Seat(_name(who), _hand(shown, who, seat), on_table[0] if on_table else None, labels, active)


def _hand(shown: Any, who: int, seat: int | None) -> list[str | None]:
    """The cards in hand; of another seat those that are known, then backs."""
    if seat is None or seat == who:
        return list(_cards(shown["hand"][who]))
    known = int(shown["hand"][who])
    if shown["contract"] == st.VUELTA and who == shown["ombre"] and shown["exchanged"][who] > 0 and shown["talon"][0] >= 0:
        known |= 1 << int(shown["talon"][0]) & ~int(shown["played"][who])
    cards = _cards(known)
    return [*cards, *[None] * (st.HAND - int(shown["played"][who]).bit_count() - len(cards))]


def _piles(shown: Any, mine: int, seat: int | None) -> list[Pile]:
    used = int(talon_used(shown))
    piles = [Pile("talon", [_card(card) for card in shown["talon"][used:]])] if used < st.TALON else []
    for k in range(3):
        who = (mine + k) % 3
        thrown: list[str | None] = list(_cards(shown["discarded"][who]))
        if not thrown and seat is not None and shown["exchanged"][who] > 0:
            thrown = [None] * int(shown["exchanged"][who])
        if thrown:
            piles.append(Pile("my discards" if who == seat else f"{_name(who)}'s discards", thrown))
    return piles


def _contract(shown: Any) -> list[str]:
    """Who plays what, and the calls."""
    lines = []
    if shown["ombre"] != NONE:
        told = f"{_name(int(shown['ombre']))} plays {st.CONTRACTS[shown['contract']].lower()}"
        lines.append(f"{told}, trumps {SUITS[shown['trump']]}" if shown["trump"] >= 0 else told)
    log = zip(shown["log_seat"][: shown["logged"]].tolist(), shown["log"][: shown["logged"]].tolist(), strict=True)
    calls = [f"{who}: {ACTIONS[action]}" for who, action in log if act.PASS <= action <= act.CASCO_GREATER]
    return [*lines, "calls " + ", ".join(calls)] if calls else lines


def _chips(shown: Any) -> list[str]:
    match = shown["match"]
    lines = ["", f"pot {match['pot']}"]
    if match["tour"]:
        tricks = " : ".join(str(tricks) for tricks in match["cum_tricks"])
        lines[1] += f", kon {match['kon']}"
        lines.append(f"part {match['part']}, tour {match['tour']}, {match['deals_in_tour']} deals before, tricks {tricks}")
    queue = [str(bete) for bete in match["queue"] if bete]
    if queue:
        lines.append("betes that wait " + " ".join(queue))
    lines.append("this deal " + " : ".join(str(chips) for chips in shown["delta"]))
    if match["totals"].any():
        lines.append("in all " + " : ".join(str(chips) for chips in match["totals"]))
    if shown["outcome"] != NONE:
        by = f" by {_name(int(shown['codille']))}" if shown["codille"] != NONE else ""
        lines.append(st.OUTCOMES[shown["outcome"]].lower().replace("_", "-") + by)
    return lines


def _tricks(shown: Any) -> list[str]:
    """The tricks, leader's card first."""
    plays = _plays(shown)
    tricks = [plays[i : i + 3] for i in range(0, len(plays) - len(plays) % 3, 3)]
    lines = [f"{trick[0][0]}: {' '.join(CARDS[card] for _, card in trick)}" for trick in tricks]
    return ["", "tricks", *lines] if lines else []


def _latest(game: Game, shown: Any, seat: int | None) -> list[str]:
    """The last events, as they are told."""
    if seat is None:
        told = [(who, ACTIONS[action]) for who, action in game.moves(row_of(game, shown))]
    else:
        told = [(event.seat, event.text) for event in view_events(game, shown, seat)]
    return ["", "last", *(f"{who}: {text}" for who, text in told[-LATEST:])] if told else []
