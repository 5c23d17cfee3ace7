"""Where things lie on the table: pure arithmetic in pixels of a 900 x 650 picture."""

from dataclasses import dataclass, replace

from .cards import HEIGHT as TALL

WIDTH, HEIGHT = 900, 650
NOTES = 196  # width of the score sheet's column
VIEWER, ACROSS, ASIDE, PLAYED = 78, 56, 48, 56  # widths of cards: the viewer's, the others', those of the trick
SIDE = 156  # width of a seat at the side
GAP = 16  # between piles
ROW = 8  # cards in one row of such a seat
TRICK_TOP, TRICK_BOTTOM = 162, 406  # upper edges of the cards played from above and below
VIEWER_TOP = 493  # upper edge of the viewer's hand
MIDDLE = (248, 400)  # top and bottom of the space for piles
INNER = 24 + SIDE + PLAYED + 18  # from the table's edge to that space, past a seat at the side and its played card


@dataclass(frozen=True)
class Spot:
    """A seat's place: centre x, width, upper edges, a card's width, the played card's corner; stacked at the sides."""

    x: float
    width: float
    plate_y: float
    hand_y: float
    card: float
    played: tuple[float, float]
    stacked: bool = False


@dataclass(frozen=True)
class Slot:
    """A pile's place (or that of a part of it): box, cards, the distance between them, lines of the title."""

    cards: tuple
    lines: tuple
    title_lines: int  # of the tallest title in the row, so that cards stand in line
    w: float
    cards_w: float
    step: float
    x: float = 0
    y: float = 0


def table_width(notes):
    """Width of the table with or without a score sheet beside it."""
    return WIDTH - NOTES if notes else WIDTH


def spots(seats, right, clockwise):
    """The seats' places, the viewer first; clockwise the next one sits at the left."""

    def above(x, width, played_x):
        return Spot(x, width, 46, 74, ACROSS, (played_x - PLAYED / 2, TRICK_TOP))

    def side(x, played_x):
        return Spot(x, SIDE, 206, 0, ASIDE, (played_x, sum(MIDDLE) / 2 - PLAYED * TALL / 2), stacked=True)

    middle, half = right / 2, (right - 72) / 2
    left_side = side(24 + SIDE / 2, 24 + SIDE + 10)
    right_side = side(right - 24 - SIDE / 2, right - 24 - SIDE - 10 - PLAYED)
    pair = [above(28 + half / 2, half, INNER - 32), above(right - 28 - half / 2, half, right - INNER + 32)]
    across = [above(middle, min(460, right - 60), middle)]
    others = {2: across, 3: pair, 4: [left_side, *across, right_side], 5: [left_side, *pair, right_side]}[seats]
    viewer = Spot(middle, min(700, right - 60), 608, VIEWER_TOP, VIEWER, (middle - PLAYED / 2, TRICK_BOTTOM))
    return [viewer, *(others if clockwise else reversed(others))]


def boxes(seats, right):
    """The boxes for piles as x, y, w, h: the middle, then left and right of the card that the viewer played."""
    margin = 32 if seats < 4 else INNER
    top = TRICK_TOP if seats == 5 else MIDDLE[0]
    low, wide = MIDDLE[1] - 6, right / 2 - PLAYED / 2 - 44
    return (
        (margin, top, right - 2 * margin, MIDDLE[1] - top),
        (28, low, wide, VIEWER_TOP - 6 - low),
        (right - 28 - wide, low, wide, VIEWER_TOP - 6 - low),
    )


def hand_rows(hand):
    """A hand at the side: hidden cards in one row, open ones in rows of at most eight, evenly filled."""
    if not hand or not any(hand):
        return [hand]
    count = -(-len(hand) // ROW)
    size = -(-len(hand) // count)
    return [hand[i : i + size] for i in range(0, len(hand), size)]


def hand_xs(cards, spot):
    """Left edges of a row of cards centred at the spot: side by side if there is room, else overlapped."""
    if not cards:
        return []
    widest = spot.card * (1.05 if any(cards) else 0.3)
    step = min(widest, (spot.width - spot.card) / max(1, len(cards) - 1))
    left = spot.x - (spot.card + step * (len(cards) - 1)) / 2
    return [left + i * step for i in range(len(cards))]


def pile_slots(piles, boxes):
    """Places for the piles as (slot, width of a card): in the middle box, the last in the outer boxes if need be."""
    middle, left, right = boxes
    for count in range(len(piles), -1, -1):
        rows, card, fits = _fit(piles[:count], middle, 52, 38)
        if fits:
            break
    half = (count + len(piles) + 1) // 2
    placed = _place(rows, card, middle, sum(MIDDLE) / 2)
    for part, box in ((piles[count:half], left), (piles[half:], right)):
        rows, card, _ = _fit(part, box, 44, 20)
        placed += _place(rows, card, box, box[1] + box[3] / 2)
    return placed


def _row_height(row, card):
    return 13 * max(slot.title_lines for slot in row) + 4 + TALL * card


def _total_height(rows, card):
    return sum(_row_height(row, card) for row in rows) + 8 * max(0, len(rows) - 1)


def _fit(piles, box, largest, smallest):
    """Rows of slots at the largest width of a card that fits the box: (rows, width, whether it fits at all)."""
    for card in range(largest, smallest - 1, -2):
        rows = _rows([slot for pile in piles for slot in _pieces(pile, card, box[2])], box[2])
        if _total_height(rows, card) <= box[3]:
            return rows, card, True
    return rows, card, False


def _place(rows, card, box, centre):
    """The slots of the rows with their corners, centred in the box, around the height `centre` if there is room."""
    left, top, width, height = box
    total = _total_height(rows, card)
    y = max(top, min(centre - total / 2, top + height - total))
    placed = []
    for row in rows:
        lines = max(slot.title_lines for slot in row)
        x = left + (width - _row_width(row)) / 2
        for slot in row:
            placed.append((replace(slot, x=x, y=y, title_lines=lines), card))
            x += slot.w + GAP
        y += _row_height(row, card) + 8
    return placed


def _row_width(row):
    return sum(slot.w for slot in row) + GAP * (len(row) - 1)


def _rows(slots, width):
    """Slots in order, as many to a row as fit."""
    rows = []
    for slot in slots:
        if rows and _row_width([*rows[-1], slot]) <= width:
            rows[-1].append(slot)
        else:
            rows.append([slot])
    return rows


def _pieces(pile, card, width):
    """The slots of one pile: face-down piles are a stack, open ones a row that goes on in a next slot if too long."""
    cards = tuple(pile.cards)
    step = 0.31 * card if any(cards) else min(1.6, 12 / max(1, len(cards)))
    fit = max(1, int((width - card) / step) + 1) if any(cards) else max(1, len(cards))
    slots = []
    for start in range(0, max(1, len(cards)), fit):
        part = cards[start : start + fit]
        cards_w = card + step * max(0, len(part) - 1)
        title = f"{pile.title} ({len(cards)})" if len(cards) != 1 else pile.title
        lines = tuple(wrap(title, max(cards_w, 76), 11.5)[:2]) if start == 0 else ()
        wide = max([cards_w, *(text_width(line, 11.5) for line in lines)])
        slots.append(Slot(part, lines, len(lines), wide, cards_w, step))
    return slots


_NARROW, _WIDE = set(" .,;:'|!()[]ijltfrI·/-"), set("mwMWO@QG%♠♥♦♣—…")


def text_width(text, size, bold=False):
    """About how wide a text is, in pixels; a little more than Helvetica and Pillow's font need."""
    ems = sum(0.32 if c in _NARROW else 0.86 if c in _WIDE else 0.68 if c.isupper() else 0.57 for c in text)
    return ems * size * (1.06 if bold else 1.0)


def shorten(text, width, size, bold=False):
    """The text, cut and closed with an ellipsis if wider than `width`."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip(" ·,") + "…" if text else ""


def wrap(text, width, size):
    """The text in lines no wider than `width`; a word too long is shortened."""
    lines = []
    for part in str(text).splitlines():
        line = ""
        for word in part.split():
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > width:
                lines.append(line)
                longer = word
            line = shorten(longer, width, size)
        lines.append(line)
    return lines
