"""Pictures of tables: SVG, array and words show the same, and never a hidden card."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from lomber.envs.render import Pile, Scene, Seat, TablePicture, draw_card, draw_table, layout, table_text
from lomber.envs.render.cards import DECKS, FRENCH, PAPER, Deck, Suit
from lomber.envs.render.outlines import CLUB, SPADE
from lomber.envs.render.scene import Group, Rect, Stamp, Text

pytest.importorskip("PIL", reason="pictures as arrays need the extra render")

CARDS = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
SVG = "{http://www.w3.org/2000/svg}"


def picture(seats=2, cards=12, hidden=True, piles=3, notes=4):
    """A table with everything on it; each seat but the first is hidden on request."""
    hands = [[CARDS[(seat * 13 + i) % 52] for i in range(cards)] for seat in range(seats)]
    return TablePicture(
        "A table",
        [
            Seat(
                f"Player {i}",
                [None] * cards if hidden and i else hand,
                hand[0] if hand and not (hidden and i) else None,
                ["dealer", f"{i} tricks"],
                i == 0,
            )
            for i, hand in enumerate(hands)
        ],
        [
            Pile("Talon", [None] * 8),
            Pile("Turned", ["2C", "3C"]),
            *(Pile(f"Tricks {i}", [None] * 5) for i in range(piles - 2)),
        ],
        [f"note {i}: some words on what has just happened" for i in range(notes)],
    )


def elements(scene):
    return list(ElementTree.fromstring(scene.to_svg()).iter())


@pytest.mark.parametrize("name", [*CARDS, None])
def test_every_card_draws(name):
    scene = Scene(80, 110, "#205030")
    draw_card(scene, 5, 5, 70, name)
    groups = [e.get("aria-label") for e in elements(scene) if e.tag == SVG + "g"]
    assert groups == [name or "back"]
    array = scene.to_array()
    assert array.shape == (110, 80, 3) and array.dtype == np.uint8
    assert len(np.unique(array.reshape(-1, 3), axis=0)) > 3
    if name and name[0] in "23456789T":
        pips = [s for s in scene.shapes if isinstance(s, Stamp)]
        assert len(pips) == int(FRENCH.rank_names.get(name[0], name[0])) + 2


def test_all_cards_look_different():
    pictures = set()
    for name in [*CARDS, None]:
        scene = Scene(60, 84)
        draw_card(scene, 0, 0, 60, name)
        pictures.add(scene.to_array().tobytes())
    assert len(pictures) == 53


@pytest.mark.parametrize("name", ["", "S", "1S", "AX", "10S", "as"])
def test_a_wrong_name_is_refused_with_the_right_ones(name):
    with pytest.raises(ValueError, match="ranks A K Q"):
        draw_card(Scene(80, 110), 0, 0, 70, name)


def test_another_pattern_is_one_more_row(monkeypatch):
    two_colours = Suit(((CLUB, "#1f7a33"), (SPADE, "#c8952c")), "#1f7a33", "B")
    monkeypatch.setitem(DECKS, "toy", Deck({"B": two_colours}, {}, ("1", "XXI")))
    scene = Scene(80, 110)
    draw_card(scene, 0, 0, 70, "XXIB", "toy")
    assert {s.outline.name for s in scene.shapes if isinstance(s, Stamp)} == {"club", "spade"}
    toy = TablePicture("Toy", [Seat("a", ["XXIB"]), Seat("b", [None])], deck="toy")
    assert "XXIB" in table_text(toy, unicode=False) and draw_table(toy).to_array().any()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("cards", [0, 9, 16])
def test_svg_and_array_show_the_same_shapes(seats, cards):
    scene = draw_table(picture(seats, cards, hidden=cards % 2 == 0, piles=seats + 2))
    found = elements(scene)
    for kind, tag in ((Rect, "rect"), (Stamp, "use"), (Text, "text")):
        expected = sum(isinstance(s, kind) for s in scene.shapes) + (kind is Rect)  # and the background
        assert sum(e.tag == SVG + tag for e in found) == expected
    groups = [s.label for s in scene.shapes if isinstance(s, Group) and s.label is not None]
    assert [e.get("aria-label") for e in found if e.tag == SVG + "g"] == groups
    array = scene.to_array()
    assert array.shape == (650, 900, 3) and array.dtype == np.uint8
    for e in found:  # the left edge of each card's paper is never covered by the next card of its row
        if e.tag == SVG + "rect" and e.get("fill") == PAPER and float(e.get("x", 0)) > 0 and float(e.get("width")) > 50:
            x, y = float(e.get("x")) + 2.5, float(e.get("y")) + 0.35 * float(e.get("height"))
            assert array[round(y), round(x)].min() > 150, (x, y)


def test_primitives_lie_where_they_should():
    scene = Scene(100, 60, "#102030")
    scene.rect(10, 10, 20, 20, "#ff0000", radius=4)
    scene.ellipse(60, 20, 10, 8, "#00ff00")
    scene.polygon([(80, 10), (96, 10), (96, 40)], "#0000ff")
    scene.rect(0, 50, 100, 10, "#ffffff80")
    array = scene.to_array()
    assert array[2, 2].tolist() == [0x10, 0x20, 0x30]
    assert array[20, 20].tolist() == [255, 0, 0] and array[10, 10].tolist() != [255, 0, 0]
    assert array[20, 60].tolist() == [0, 255, 0] and array[15, 94].tolist() == [0, 0, 255]
    assert np.abs(array[55, 50].astype(int) - (np.array([0x10, 0x20, 0x30]) + 255) // 2).max() <= 2
    assert 'fill-opacity="0.5"' in scene.to_svg()
    with pytest.raises(ValueError, match="anchor"):
        scene.text(0, 0, "x", 10, "#000000", anchor="centre")


def test_a_hidden_hand_is_nowhere():
    shown = picture(3)
    hidden = {CARDS[seat * 13 + i] for seat in (1, 2) for i in range(12)}
    svg, words = draw_table(shown).to_svg(), table_text(shown, unicode=False)
    labels = {e.get("aria-label") for e in ElementTree.fromstring(svg).iter()}
    assert hidden and not hidden & labels and not hidden & set(words.split())
    assert not any(name in svg or name in words for name in hidden)
    assert set(shown.seats[0].hand) <= labels and set(shown.seats[0].hand) <= set(words.split())


@pytest.mark.parametrize("unicode", [True, False])
def test_words_fit_a_terminal(unicode):
    shown = picture(5, 16, hidden=False, notes=3)
    shown.title = "a very long title " * 8
    shown.seats[1].name = "N" * 100
    shown.notes += ["x" * 200, "one\ntwo  ", "", "tab\there"]
    text = table_text(shown, unicode)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert all(len(line) <= 80 and line == line.rstrip() and line.isprintable() for line in text.split("\n"))
    assert ("10♥" in text) == unicode and ("TH" in text.split()) != unicode
    assert text.isascii() != unicode


def test_words_read_well():
    shown = TablePicture(
        "Piquet",
        [Seat("Anna", ["AS", "TD", None, None], "KH", ["elder"], True), Seat("Boris")],
        [Pile("Talon", [None] * 3), Pile("Turned", ["7C"]), Pile("Tricks")],
        ["Anna 12"],
    )
    assert (
        table_text(shown)
        == """\
Piquet
------
> Anna (elder)
    hand   A♠ 10♦ [2 hidden]
    played K♥
  Boris
    hand   -

  Talon (3): [3 hidden]
  Turned: 7♣
  Tricks: -

  Anna 12
"""
    )


def test_texts_of_all_kinds_are_drawn_and_escaped():
    shown = picture()
    shown.seats[0].name = '<b>&"Zoë\x1b\ud800'
    shown.notes = ["♠♥♦♣ − “quoted” Ж → \t]]>", "w" * 300]
    scene = draw_table(shown)
    assert any("<b>&" in (e.text or "") for e in elements(scene))
    scene.to_svg().encode()
    assert scene.to_array().shape == (650, 900, 3)


def test_seats_go_round_either_way():
    for clockwise in (True, False):
        places = layout.spots(4, 900, clockwise)
        assert (places[1].x < places[2].x < places[3].x) == clockwise
    assert draw_table(picture(5)).to_svg() == draw_table(picture(5)).to_svg()
    for seats in (1, 6):
        with pytest.raises(ValueError, match="2 to 5 seats"):
            TablePicture("x", [Seat("a")] * seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("notes", [0, 3, 100])
def test_cards_of_different_places_do_not_overlap(seats, notes):
    """Played cards, piles and hands keep apart and on the table; within a hand or pile cards may overlap."""
    shown = picture(seats, 16, hidden=False, piles=seats + 2, notes=notes)
    right = layout.table_width(bool(notes))
    boxes = []
    for spot in layout.spots(seats, right, True):
        boxes.append((*spot.played, layout.PLAYED, layout.PLAYED * layout.TALL))
        width, y = (spot.width, spot.plate_y) if spot.stacked else (spot.width, min(spot.plate_y, spot.hand_y))
        boxes.append((spot.x - width / 2, y, width, 176 if spot.stacked else spot.card * layout.TALL + 26))
    for slot, card in layout.pile_slots(shown.piles, layout.boxes(seats, right)):
        boxes.append((slot.x, slot.y, slot.w, 13 * slot.title_lines + 4 + card * layout.TALL))
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 17 and x + w <= right - 17 and y >= 40 and y + h <= 640
        for x2, y2, w2, h2 in boxes[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y, (boxes[i], (x2, y2, w2, h2))


def test_nothing_but_numpy_is_needed_for_svg_and_words():
    """No display, no Pillow: SVG and words work, and the array says what to install."""
    code = """if 1:
        import importlib, sys, types
        sys.modules["PIL"] = None
        import lomber
        from lomber.envs.render import Scene, Seat, TablePicture, draw_table, table_text
        picture = TablePicture("x", [Seat("a", ["AS"]), Seat("b", [None])])
        assert table_text(picture) and draw_table(picture).to_svg()
        try:
            draw_table(picture).to_array()
        except ImportError as error:
            assert "lomber[render]" in str(error)
        else:
            raise SystemExit("no error without Pillow")
    """
    env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_array_needs_no_display(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    first, again = (draw_table(picture()).to_array() for _ in range(2))
    assert np.array_equal(first, again)
