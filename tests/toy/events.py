"""A deal as events, and a view from its events: plain Python over single records."""

import numpy as np

from lomber.envs.engine.cards import cards_of, mask_of
from lomber.envs.engine.errors import LomberError, RecordError
from lomber.envs.engine.records import Event
from lomber.envs.engine.state import NONE, RUNNING, UNKNOWN

from .state import ACTIONS, CARD_NAMES, CARDS, HAND, LAY, MATCH, PASS, PLAY, SEATS, Phase

LAYS_AWAY = "lays away"  # what the others see of it


def moves(game, state):
    """[(seat, action)] of the deal so far; the action is NONE where the view does not show it."""
    eldest = (int(state["start"]["dealer"]) + 1) % SEATS
    made = [((eldest + i) % SEATS, int(bid)) for i, bid in enumerate(state["bids"]) if bid != NONE]
    if state["laid"] != NONE:
        made.append((int(state["soloist"]), NONE if state["laid"] == UNKNOWN else LAY + int(state["laid"])))
    played = range(int(state["count"]))
    return made + [(int(state["players"][i]), PLAY + int(state["plays"][i])) for i in played]


def _dealt(view, seat):
    cards = int(view["hands"][seat]) | mask_of(view["plays"][view["players"] == seat])
    if view["soloist"] == seat:
        cards = (cards | (mask_of([view["laid"]]) if view["laid"] >= 0 else 0)) & ~mask_of([view["talon"][0]])
    return [CARD_NAMES[card] for card in cards_of(cards)]


def view_events(game, view, seat):
    """What `seat` knows, in order."""
    told = [Event(seat, "dealt " + " ".join(_dealt(view, seat)))]
    for mover, action in moves(game, view):
        told.append(Event(mover, LAYS_AWAY if action == NONE else ACTIONS[action]))
        if mover == seat and PASS < action < LAY:
            told.append(Event(seat, "draws " + CARD_NAMES[view["talon"][0]]))
    return told


def start_of(game, state):
    start = state["start"]
    return {"dealer": int(start["dealer"]), "points": [int(p) for p in start["points"]]}


def write_start(game, state, start):
    """Write what the deal inherits into `match`; what is not given stays as an episode begins."""
    if set(start) - set(MATCH.names):
        raise RecordError(f"start of {game.name} has the keys dealer and points, not {sorted(start)}")
    dealer, points = start.get("dealer", NONE), start.get("points", [0] * SEATS)
    if type(dealer) is not int or not NONE <= dealer < SEATS:
        raise RecordError(f"the dealer is a seat, 0..{SEATS - 1}, not {dealer!r}")
    whole = isinstance(points, (list, tuple)) and len(points) == SEATS and all(type(p) is int for p in points)
    if not whole or sum(points) or max(map(abs, points)) > 1000:
        raise RecordError(f"points are {SEATS} integers that sum to zero, not {points!r}")
    state["match"]["dealer"] = dealer
    state["match"]["points"] = points


def why_illegal(game, view, action):
    """Why the seat to act may not do it, in words."""
    if view["phase"] == Phase.BID:
        return "it bids now: pass or solo"
    if (view["phase"] == Phase.LAY) != (LAY <= action < PLAY):
        return "it lays away now" if view["phase"] == Phase.LAY else "it plays a card now"
    card = (action - LAY) % CARDS
    if not int(view["hands"][view["seat"]]) >> card & 1:
        return f"it does not hold {CARD_NAMES[card]}"
    led = view["plays"][view["count"] - view["count"] % SEATS]
    return f"it must follow {CARD_NAMES[led]}"


def from_events(game, seat, deal, start, events):
    """The view (1,) of these events: the rules play them on a view of a deal with the seat's own cards."""
    if not events or events[0].seat != seat or not events[0].text.startswith("dealt "):
        raise RecordError(f"a view of {game.name} begins with '{seat}:dealt' and {HAND} cards")
    if "dealer" not in start or start["dealer"] == NONE:
        raise RecordError("start does not state the dealer")
    own = [_card(name) for name in events[0].text.split()[1:]]
    if len(own) != HAND:
        raise RecordError(f"{events[0]}: a seat is dealt {HAND} cards")
    deck = [card for card in range(CARDS) if card not in own]
    first = (seat - start["dealer"] - 1) % SEATS * HAND
    try:
        view = game.hide(game.deal(deck[:first] + own + deck[first:], start, number=deal), seat)
    except LomberError as error:
        raise RecordError(f"{events[0]}: {error}") from error
    told = 0
    for event in events[1:]:
        made = moves(game, view[0])
        if event.text.startswith("draws "):
            _draw(view[0], seat, event)
        elif told < len(made):  # the rules have played it already
            if (event.seat, event.text) != (made[told][0], ACTIONS[made[told][1]]):
                raise RecordError(f"{event}: the rules play {made[told][0]}:{ACTIONS[made[told][1]]}")
            told += 1
        else:
            _play(game, view, seat, event)
            told += 1
    if told < len(moves(game, view[0])):
        raise RecordError(f"{events[-1]}: the forced move behind it is missing")
    return view


def _card(name):
    if name not in CARD_NAMES:
        raise RecordError(f"there is no card {name!r}")
    return CARD_NAMES.index(name)


def _draw(view, seat, event):
    card = _card(event.text.removeprefix("draws "))
    drawing = event.seat == seat == view["soloist"] and view["phase"] == Phase.LAY and view["talon"][0] == UNKNOWN
    if not drawing or int(view["hands"][seat]) >> card & 1:
        raise RecordError(f"{event}: this card cannot be drawn here")
    view["talon"][0] = card
    view["hands"][seat] |= 1 << card


def _play(game, view, seat, event):
    state = view[0]
    if state["stage"] != RUNNING:
        raise RecordError(f"{event}: the deal is over")
    if event.seat != state["seat"]:
        raise RecordError(f"{event}: seat {state['seat']} is to act")
    if event.seat == seat:
        if state["soloist"] == seat and state["talon"][0] == UNKNOWN:
            raise RecordError(f"{event}: the card drawn is not told")
        try:
            game.advance(view, [event.text], go_on=False)
        except LomberError as error:
            raise RecordError(f"{event}: {error}") from error
    elif event.text == LAYS_AWAY and state["phase"] == Phase.LAY:
        state["laid"] = UNKNOWN
        state["held"][event.seat] -= 1
        state["phase"], state["seat"] = Phase.PLAY, (state["start"]["dealer"] + 1) % SEATS
    else:
        _play_other(game, view, event)


def _play_other(game, view, event):
    """A move of another seat: any bid, or a card that nobody has shown."""
    state = view[0]
    action = game.action_id(event.text) if event.text in ACTIONS else NONE
    bidding = state["phase"] == Phase.BID and PASS <= action < LAY
    if not bidding and not (state["phase"] == Phase.PLAY and action >= PLAY):
        raise RecordError(f"{event}: not a move of this phase")
    if not bidding and action - PLAY in _seen(state):
        raise RecordError(f"{event}: this card is elsewhere")
    game.loops.advance_rows(game.rules, view, np.array([action]))


def _seen(view):
    return {*cards_of(view["hands"].max()), *view["plays"].tolist(), int(view["laid"])}
