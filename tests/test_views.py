"""Views that somebody else wrote: what cannot be is refused with the event, and what is accepted is the view of a deal."""

import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from lomber.envs import GAMES, LomberError, RecordError, Tables, make_game
from lomber.envs.engine import records
from lomber.envs.engine.records import Event

CHANGED = 150  # views of a game, each changed in one place or more
CARD = re.compile(r"(?:10|[2-9TJQKA])[SHDC]")


def view_at(game, rng, most=40):
    """The view of the seat to act after so many random decisions, of any seat where the deal has ended before."""
    tables = Tables(game, 1, seed=rng.randrange(10**6), autoreset=False)
    tables.reset()
    for _ in range(rng.randrange(most)):
        if tables.seat[0] >= 0:
            tables.step([rng.choice(np.flatnonzero(tables.action_mask[0]).tolist())])
    seat = int(tables.seat[0])
    return records.view_of(game, tables.states[:1], seat if seat >= 0 else rng.randrange(game.seats))


def change(view, other, seats, rng):
    """The view with one event changed: other cards, numbers, seats, words of another deal, left out, doubled or moved."""
    events = list(view.events)
    i = rng.randrange(len(events))
    seat, text = events[i].seat, events[i].text
    cards = sorted({card for event in (*events, *other.events) for card in CARD.findall(event.text)})
    kind = rng.choice(("card", "card", "number", "seat", "word", "out", "twice", "move"))
    if kind == "card" and (found := list(CARD.finditer(text))):
        at = rng.choice(found)
        events[i] = Event(seat, text[: at.start()] + rng.choice(cards) + text[at.end() :])
    elif kind == "number" and (found := list(re.finditer(r"\d+", text))):
        at = rng.choice(found)
        events[i] = Event(seat, text[: at.start()] + str(max(0, int(at[0]) + rng.choice((-1, 1, 3)))) + text[at.end() :])
    elif kind == "seat":
        events[i] = Event(rng.randrange(seats), text)
    elif kind == "word":
        events[i] = rng.choice(other.events)
    elif kind == "out":
        del events[i]
    elif kind == "twice":
        events.insert(i, events[i])
    else:
        events.insert(rng.randrange(len(events)), events.pop(i))
    return replace(view, events=tuple(events))


def plainly(events):
    return Counter((event.seat, *sorted(event.text.split(" "))) for event in events)


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_view_is_refused_or_is_that_of_some_deal(name):
    """Of that deal the rules play every move from the cards on, and the seat then knows what the view says."""
    rng, refused, accepted = random.Random(7), 0, 0
    presets = list(make_game(name).spec.presets)
    for number in range(CHANGED):
        game = make_game(name, presets[number % len(presets)])
        changed, other = view_at(game, rng), view_at(game, rng)
        while changed.events and other.events:
            changed = change(changed, other, game.seats, rng)
            if rng.random() < 0.7:
                break
        try:
            hidden = records.from_view(changed)
        except RecordError as error:
            refused += 1
            assert re.match(r"event \d+|after event \d+|a view begins with", str(error)), error
            continue
        if hidden[0]["seat"] != changed.seat:
            continue
        accepted += 1
        world = game.redeal(hidden, [changed.seat], [number])
        played = records.replay(records.record_of(game, world))
        assert played.tobytes() == world.tobytes(), changed
        assert plainly(records.view_of(game, played, changed.seat).events) == plainly(changed.events), changed
    assert refused > CHANGED / 2 and accepted > 3, "the changes try nothing"


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_that_the_game_has_not_is_refused(name):
    """In every event of every preset, before compiled code is asked for that seat."""
    rng = random.Random(5)
    for preset in make_game(name).spec.presets:
        game = make_game(name, preset)
        view = view_at(game, rng)
        for i, event in enumerate(view.events):
            for seat in (game.seats, 7, 999_999_999, -1):
                events = [*view.events[:i], Event(seat, event.text), *view.events[i + 1 :]]
                with pytest.raises(RecordError, match=rf"^event {i + 1}, .* has seats 0\.\."):
                    records.from_view(replace(view, events=tuple(events)))


SPADILLE = "0:DEALT 2S 3S 4S 5S 6S 7S 2H 3H 4H|0:PASS|1:PASS|2:PASS|{seat}:SPADILLE|{seat}:TRUMP_S|{seat}:EXCHANGED 3"


@pytest.mark.parametrize("seat", [7, 999_999_999])
def test_a_seat_far_beyond_the_table_is_never_forced_to_play(seat):
    """Its record would lie outside of the state: the process ended here."""
    view = records.View("ombre", "espadille_force", {}, 0, 0, {"dealer": 2}, events_of(SPADILLE.format(seat=seat)))
    with pytest.raises(RecordError, match=f"event 5, {seat}:SPADILLE: ombre has seats 0..2"):
        records.from_view(view)


@pytest.mark.parametrize("name", GAMES)
def test_a_view_that_no_deal_gives_is_refused_after_a_few_looks(name, monkeypatch):
    """How far it can be is found by halves: each look may try very many placings."""
    looks = []
    monkeypatch.setattr(records, "_is_possible", lambda game, hidden, seat: looks.append(1) is not None)
    rng = random.Random(9)
    for _ in range(10):
        view = view_at(make_game(name), rng)
        looks.clear()
        with pytest.raises(RecordError, match="after event 1: no deal gives what comes then"):
            records.from_view(view)
        assert len(looks) <= 2 + len(view.events).bit_length()


@pytest.mark.parametrize("name", GAMES)
def test_a_card_told_twice_is_refused(name):
    """In one event, or in two that each give its place."""
    rng, met = random.Random(3), 0
    game = make_game(name)
    for _ in range(40):
        view = view_at(game, rng)
        lies = [i for i, event in enumerate(view.events) if re.match("DEALT|DREW|SAW|TALON|RETOURNE|TURNED", event.text)]
        places = [(i, at) for i in lies for at in CARD.finditer(view.events[i].text)]
        if len(places) < 2:
            continue
        (i, at), (_, other) = rng.sample(places, 2)
        text = view.events[i].text
        events = list(view.events)
        events[i] = Event(events[i].seat, text[: at.start()] + other[0] + text[at.end() :])
        known = [event.text.split(" ")[0] for event in events[:i]]
        if "TURNED" in known or events[i].text.startswith("TURNED"):
            continue  # a turned card may be drawn or thrown, and then told again
        with pytest.raises(RecordError, match="event"):
            records.from_view(replace(view, events=tuple(events)))
        met += 1
    assert met > 20


PIQUET = (
    "0:DEALT QS JS TS 8S 7S QH 9H 8H TD 7D AC QC|0:DISCARD:QH|0:DISCARD:9H|0:DISCARD:8H|0:DISCARD:TD|0:DISCARD:7D|"
    "0:DREW 0=AS 1=AD 2=KS 3=JH 4=KD|1:EXCHANGED 3|0:POINT:S|1:GOOD|0:SEQ:AS|1:GOOD|0:PASS|0:TRIO:A-H|1:GOOD|0:PASS|1:PASS"
)


def events_of(text):
    """Events from `seat:words`, a bar between two."""
    parts = (event.partition(":") for event in text.split("|"))
    return tuple(Event(int(seat), words) for seat, _, words in parts)


def piquet_view(text):
    """Elder's view of these events."""
    return records.View("piquet", "korolik", {}, 0, 0, {"dealer": 1}, events_of(text))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("DEALT QS JS", "DEALT QS QS", "event 1, .*QS twice"),
        ("3=JH", "3=QS", "event 7, .*QS lies elsewhere"),
        ("3=JH", "3=QH", "event 7, .*QH lies elsewhere"),
        ("3=JH", "2=JH", "event 7, .*2=JH is no card of the talon, or another lies there"),
        ("3=JH", "9=JH", "event 7, .*9=JH is no card of the talon"),
        ("3=JH", "JH", "event 7, .*one number"),
        (" 3=JH", "", "event 7, 0:DREW"),
        ("1:EXCHANGED 3", "1:EXCHANGED 4", "event 8, .*as the rules allow it"),
        ("1:EXCHANGED 3", "1:EXCHANGED 999999999", "event 8, .*as the rules allow it"),
        ("1:EXCHANGED 3", "1:EXCHANGED AH KH KC", "event 8, .*one number"),
        ("1:EXCHANGED 3", "1:POINT:?4", "event 8, .*the question is EXCHANGE"),
        ("1:GOOD|0:SEQ", "0:GOOD|0:SEQ", "event 10, 0:GOOD: seat 1 is to act"),
        ("1:GOOD|0:SEQ", "1:OPEN_CAPOT|0:SEQ", "event 10, .*the question is POINT_LEN"),
        ("1:GOOD|0:SEQ", "1:EQUAL|0:PIPS 49|0:SEQ", "event"),
        ("0:TRIO:A-H", "0:TRIO:K-S", "event 14, .*cannot be called now"),
        ("0:TRIO:A-H", "0:TRIO:A-HS", "event 14, .*no move and no event of piquet"),
        ("|1:PASS", "|1:PASS|0:PASS|1:PLAY:AS", "event 18|event 19"),
        ("0:DREW 0=AS 1=AD 2=KS 3=JH 4=KD|", "", "event 6, .*no deal gives what comes then|event 7"),
        ("|1:PASS", "|1:SEQ:?4", "event 17, .*no move and no event of piquet"),
        ("|1:PASS", "|1:POINT:?9", "event 17, .*no move and no event of piquet"),
        ("|1:PASS", "|1:PASS|0:PIPS 40", "event 18, .*nothing tells that here"),
        ("|1:PASS", "|1:PASS|1:SHOWED PLAY:AS AS", "event 18, .*calls are shown"),
    ],
)
def test_what_cannot_be_in_piquet_is_told(old, new, told):
    asked = make_game("piquet").legal_names(records.from_view(piquet_view(PIQUET)))
    assert asked == ("PASS", "OPEN_CAPOT") and old in PIQUET
    with pytest.raises(RecordError, match=told):
        records.from_view(piquet_view(PIQUET.replace(old, new, 1)))


def test_calls_beyond_number_end_in_a_refusal():
    """They once ran over the end of the log."""
    more = "|".join("1:SEQ:AH AH KH QH" for _ in range(80))
    with pytest.raises(LomberError, match="event"):
        records.from_view(piquet_view(PIQUET.replace("|1:PASS", f"|{more}")))


def test_the_order_of_cards_and_discards_is_free():
    text = PIQUET.replace("DEALT QS JS", "DEALT JS QS").replace("0:DISCARD:QH|0:DISCARD:9H", "0:DISCARD:9H|0:DISCARD:QH")
    assert make_game("piquet").legal_names(records.from_view(piquet_view(text))) == ("PASS", "OPEN_CAPOT")
