"""A table of any card game, as a viewer or an onlooker sees it, and its picture.

Nothing here knows a game: what a viewer may not see comes in as None and is drawn as a back.
"""

from dataclasses import dataclass, field

from . import layout
from .cards import HEIGHT, draw_card
from .scene import Scene

WOOD, BAIZE, BAIZE_EDGE, RULE = "#3d2a1d", "#23634a", "#174434", "#ffffff1c"
PLATE, PLATE_TEXT, ACTIVE, ACTIVE_TEXT = "#123528", "#f3ecd9", "#edc25a", "#2a1c06"
SHEET, INK, TITLE = "#f5eddb", "#33271b", "#f3ecd9"
EMPTY = "#ffffff55"
NAME_SIZE, LABEL_SIZE, NOTE_SIZES = 14, 12, (13, 12, 11, 10)


@dataclass
class Seat:
    """A seat: its cards in the order shown (None: hidden), its card in the trick, words such as 'dealer'."""

    name: str
    hand: list[str | None] = field(default_factory=list)
    played: str | None = None
    labels: list[str] = field(default_factory=list)
    active: bool = False


@dataclass
class Pile:
    """Cards in the middle: a talon, a turned card, tricks, discards (None: face down)."""

    title: str
    cards: list[str | None] = field(default_factory=list)


@dataclass
class TablePicture:
    """All that one onlooker sees: 2 to 5 seats in order of play, the viewer first, and what lies between them.

    `clockwise` says where the second seat sits: at the viewer's left (True) or right. `deck` is a key of `cards.DECKS`.
    """

    title: str
    seats: list[Seat]
    piles: list[Pile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    clockwise: bool = True
    deck: str = "french"

    def __post_init__(self):
        if not 2 <= len(self.seats) <= 5:
            raise ValueError(f"a table has 2 to 5 seats, not {len(self.seats)}")


def draw_table(picture: TablePicture) -> Scene:
    """The picture, 900 x 650 pixels: the viewer below, the others around, piles in the middle, notes at the right."""
    scene = Scene(layout.WIDTH, layout.HEIGHT, WOOD, picture.title)
    right = layout.table_width(bool(picture.notes))
    scene.text(right / 2, 24, layout.shorten(picture.title, right - 40, 16, bold=True), 16, TITLE, "middle", bold=True)
    scene.rect(10, 34, right - 20, layout.HEIGHT - 44, BAIZE, 22, BAIZE_EDGE, 3)
    scene.rect(17, 41, right - 34, layout.HEIGHT - 58, None, 17, RULE, 1.5)
    if picture.notes:
        _draw_notes(scene, picture.notes, right)
    spots = layout.spots(len(picture.seats), right, picture.clockwise)
    for seat, spot in zip(picture.seats, spots):
        _draw_seat(scene, seat, spot, picture.deck)
    _draw_piles(scene, picture.piles, layout.boxes(len(picture.seats), right), picture.deck)
    return scene


def _draw_seat(scene, seat, spot, deck):
    """Name plate, hand and the card on the table of one seat."""
    labels = list(seat.labels)
    if None in seat.hand:
        labels.insert(0, f"{len(seat.hand)} card{'s' if len(seat.hand) > 1 else ''}")
    if spot.stacked:
        bottom = _draw_tall_plate(scene, seat, labels, spot)
        rows = layout.hand_rows(seat.hand)
        top = bottom + 6
    else:
        _draw_flat_plate(scene, seat, labels, spot)
        rows, top = [seat.hand], spot.hand_y
    for i, row in enumerate(rows):
        y = top + i * 0.62 * HEIGHT * spot.card
        for x, card in zip(layout.hand_xs(row, spot), row):
            draw_card(scene, x, y, spot.card, card, deck)
    if seat.played is not None:
        draw_card(scene, *spot.played, layout.PLAYED, seat.played, deck)


def _plate(scene, x, y, w, h, active):
    """The ground of a name plate; returns the colour to write on it."""
    scene.rect(x, y, w, h, ACTIVE if active else PLATE, 8, ACTIVE_TEXT if active else None, 1)
    return ACTIVE_TEXT if active else PLATE_TEXT


def _draw_flat_plate(scene, seat, labels, spot):
    """Name and labels in one line, centred at the spot."""
    name = layout.shorten(seat.name, spot.width / 2, NAME_SIZE, bold=True)
    name_w = layout.text_width(name, NAME_SIZE, bold=True)
    words = layout.shorten(" · ".join(labels), spot.width - name_w - 40, LABEL_SIZE)
    gap = 12 if words else 0
    width = name_w + gap + layout.text_width(words, LABEL_SIZE) + 28
    x = spot.x - width / 2
    ink = _plate(scene, x, spot.plate_y, width, 24, seat.active)
    scene.text(x + 12, spot.plate_y + 17, name, NAME_SIZE, ink, bold=True)
    if words:
        scene.text(x + 12 + name_w + gap, spot.plate_y + 16.5, words, LABEL_SIZE, ink)


def _draw_tall_plate(scene, seat, labels, spot):
    """Name over at most two lines of labels; returns the plate's lower edge."""
    lines = layout.wrap(" · ".join(labels), spot.width - 14, LABEL_SIZE)
    if len(lines) > 2:
        lines = [lines[0], layout.shorten(" ".join(lines[1:]), spot.width - 14, LABEL_SIZE)]
    height = 24 + 15 * len(lines) + (2 if lines else 0)
    ink = _plate(scene, spot.x - spot.width / 2, spot.plate_y, spot.width, height, seat.active)
    name = layout.shorten(seat.name, spot.width - 14, NAME_SIZE, bold=True)
    scene.text(spot.x, spot.plate_y + 17, name, NAME_SIZE, ink, "middle", bold=True)
    for i, line in enumerate(lines):
        scene.text(spot.x, spot.plate_y + 33 + 15 * i, line.removesuffix(" ·"), LABEL_SIZE, ink, "middle")
    return spot.plate_y + height


def _draw_piles(scene, piles, boxes, deck):
    """The piles, each under its title with its count, as large as the room allows."""
    for slot, card in layout.pile_slots(piles, boxes):
        for i, line in enumerate(slot.lines):
            scene.text(slot.x + slot.w / 2, slot.y + 11 + 13 * i, line, 11.5, TITLE, "middle")
        top = slot.y + 13 * slot.title_lines + 4
        left = slot.x + (slot.w - slot.cards_w) / 2
        if not slot.cards:
            scene.rect(left, top, card, HEIGHT * card, None, 0.08 * card, EMPTY, 1)
        for i, name in enumerate(slot.cards):
            draw_card(scene, left + i * slot.step, top, card, name, deck)


def _draw_notes(scene, notes, left):
    """A score sheet at the right; where there are too many lines the latest stay."""
    x, y, w, h = left - 2, 34, layout.WIDTH - left - 8, layout.HEIGHT - 44
    scene.rect(x, y, w, h, SHEET, 8, BAIZE_EDGE, 1)
    for size in NOTE_SIZES:
        pitch = size * 1.42
        room = int((h - 20) / pitch)
        lines = [line for note in notes for line in layout.wrap(note, w - 26, size) or [""]]
        if len(lines) <= room:
            break
    else:
        lines = ["…", *lines[1 - room :]]
    for i, line in enumerate(lines):
        scene.text(x + 14, y + 12 + size + i * pitch, line, size, INK)
