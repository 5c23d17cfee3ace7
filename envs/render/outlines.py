"""Outlines: pips and ornaments as polygons in a unit box, x and y from -0.5 to 0.5, y downwards."""

from math import cos, pi, sin
from typing import NamedTuple


class Outline(NamedTuple):
    """Polygons that are filled together. `name` is unique and becomes the id in an SVG."""

    name: str
    polygons: tuple  # of polygons, each a tuple of (x, y) in the unit box


def curve(*controls, steps=10):
    """Points of a Bezier curve of any degree, its end included and its start left out."""
    points = []
    for i in range(1, steps + 1):
        t, row = i / steps, controls
        while len(row) > 1:
            row = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in zip(row, row[1:])]
        points.append(row[0])
    return points


def disc(x, y, radius, steps=28):
    """A circle as a polygon."""
    return tuple((x + radius * cos(2 * pi * i / steps), y + radius * sin(2 * pi * i / steps)) for i in range(steps))


def mirrored(right):
    """Close a right half, listed from top to bottom, with its mirror image on the left."""
    return tuple(right) + tuple((-x, y) for x, y in reversed(right) if x)


def _shifted(polygon, x, y, scale=1.0):
    """The polygon scaled, then moved by (x, y)."""
    return tuple((x + px * scale, y + py * scale) for px, py in polygon)


_HEART = mirrored(
    [
        (0, -0.25),
        *curve((0, -0.25), (0.03, -0.40), (0.13, -0.48), (0.25, -0.48)),
        *curve((0.25, -0.48), (0.38, -0.48), (0.48, -0.37), (0.48, -0.21)),
        *curve((0.48, -0.21), (0.48, 0.06), (0.13, 0.25), (0, 0.5)),
    ]
)
_DIAMOND = mirrored([(0, -0.5), *curve((0, -0.5), (0.14, -0.24), (0.41, 0)), *curve((0.41, 0), (0.14, 0.24), (0, 0.5))])
_STEM = mirrored([(0, 0.10), (0.03, 0.10), *curve((0.03, 0.10), (0.03, 0.36), (0.08, 0.46), (0.19, 0.5)), (0, 0.5)])
_LEAF = mirrored(
    [
        (0, -0.5),
        *curve((0, -0.5), (0.12, -0.27), (0.47, -0.12), (0.47, 0.14)),
        *curve((0.47, 0.14), (0.47, 0.28), (0.37, 0.36), (0.26, 0.36)),
        *curve((0.26, 0.36), (0.13, 0.36), (0.04, 0.28), (0, 0.17)),
    ]
)

HEART = Outline("heart", (_HEART,))
DIAMOND = Outline("diamond", (_DIAMOND,))
SPADE = Outline("spade", (_LEAF, _STEM))
CLUB = Outline(
    "club",
    (
        disc(0, -0.27, 0.225),
        disc(-0.265, 0.10, 0.225),
        disc(0.265, 0.10, 0.225),
        ((0, -0.27), (0.265, 0.10), (-0.265, 0.10)),
        _STEM,
    ),
)

# Head-dresses of the court: band below, points or curls above.
_BAND = ((-0.40, 0.22), (0.40, 0.22), (0.40, 0.36), (-0.40, 0.36))
CROWN = Outline(
    "crown",
    (
        ((-0.40, 0.17), (-0.48, -0.22), (-0.21, 0.0), (0, -0.34), (0.21, 0.0), (0.48, -0.22), (0.40, 0.17)),
        _BAND,
        disc(0, -0.40, 0.08),
        disc(-0.48, -0.28, 0.07),
        disc(0.48, -0.28, 0.07),
    ),
)
CORONET = Outline(
    "coronet",
    (
        (
            (-0.40, 0.17),
            *curve((-0.40, 0.17), (-0.40, -0.06), (-0.47, -0.14)),
            *curve((-0.47, -0.14), (-0.24, 0.16), (-0.19, -0.19)),
            *curve((-0.19, -0.19), (0, 0.20), (0.19, -0.19)),
            *curve((0.19, -0.19), (0.24, 0.16), (0.47, -0.14)),
            *curve((0.47, -0.14), (0.40, -0.06), (0.40, 0.17)),
        ),
        _BAND,
        disc(-0.46, -0.20, 0.08),
        disc(-0.17, -0.26, 0.08),
        disc(0.17, -0.26, 0.08),
        disc(0.46, -0.20, 0.08),
    ),
)
CAP = Outline(
    "cap",
    (
        (
            (-0.40, 0.17),
            *curve((-0.40, 0.17), (-0.52, -0.14), (-0.14, -0.12)),
            *curve((-0.14, -0.12), (0.30, -0.10), (0.40, 0.17)),
        ),
        _BAND,
        (
            (-0.22, -0.14),
            *curve((-0.22, -0.14), (-0.05, -0.48), (0.44, -0.38)),
            *curve((0.44, -0.38), (0.28, -0.33), (0.34, -0.24)),
            *curve((0.34, -0.24), (0.10, -0.15), (-0.12, -0.14)),
        ),
    ),
)

_LOZENGE = ((0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0))
_ROWS, _COLUMNS = 9, 6  # of the back's lattice, which fills a box 1 wide and 1.5 high
LATTICE = Outline(
    "lattice",
    tuple(
        _shifted(_LOZENGE, -0.5 + (column + 0.5) / _COLUMNS, -0.75 + (row + 0.5) * 1.5 / _ROWS, 0.82 / _COLUMNS)
        for row in range(_ROWS)
        for column in range(_COLUMNS)
    )
    + tuple(
        _shifted(_LOZENGE, -0.5 + column / _COLUMNS, -0.75 + row * 1.5 / _ROWS, 0.30 / _COLUMNS)
        for row in range(1, _ROWS)
        for column in range(1, _COLUMNS)
    ),
)

# Characters that a raster draws from outlines: the bundled font has only ASCII and a little more.
GLYPHS = {"♠": SPADE, "♥": HEART, "♦": DIAMOND, "♣": CLUB, "♤": SPADE, "♡": HEART, "♢": DIAMOND, "♧": CLUB}
