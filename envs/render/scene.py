"""A scene: an ordered list of simple shapes that can be written as SVG or drawn into an array.

Lengths are in pixels, the origin is the upper left corner, y runs downwards. Colours are `#rrggbb` or `#rrggbbaa`.
Both outputs walk the same list, so a picture on a page and a frame of a video show the same.
"""

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from .outlines import Outline

FONTS = "Aileron, Helvetica, Arial, sans-serif"  # Pillow's own font is a part of Aileron


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle at (x, y), w by h, its corners rounded by `radius`; the stroke is centred on the edge."""

    x: float
    y: float
    w: float
    h: float
    fill: str | None
    radius: float = 0
    stroke: str | None = None
    line: float = 1


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse around (x, y) with radii rx and ry."""

    x: float
    y: float
    rx: float
    ry: float
    fill: str | None
    stroke: str | None = None
    line: float = 1


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed polygon; curves are flattened by `outlines.curve`."""

    points: tuple
    fill: str | None
    stroke: str | None = None
    line: float = 1


@dataclass(frozen=True, slots=True)
class Stamp:
    """An outline around (x, y), `size` pixels to its unit box; `turned` stands it on its head."""

    outline: Outline
    x: float
    y: float
    size: float
    fill: str
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; (x, y) lies on the baseline at its start, middle or end (`anchor`)."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Names the shapes up to the matching `None`, for pages and screen readers; draws nothing itself."""

    label: str | None


@dataclass
class Scene:
    """Shapes on a background of width x height pixels; later shapes cover earlier ones."""

    width: int
    height: int
    background: str = "#ffffff"
    title: str = ""
    shapes: list = field(default_factory=list)

    def rect(self, x, y, w, h, fill, radius=0.0, stroke=None, line=1.0):
        self.shapes.append(Rect(x, y, w, h, fill, radius, stroke, line))

    def ellipse(self, x, y, rx, ry, fill, stroke=None, line=1.0):
        self.shapes.append(Ellipse(x, y, rx, ry, fill, stroke, line))

    def polygon(self, points, fill, stroke=None, line=1.0):
        self.shapes.append(Polygon(tuple(points), fill, stroke, line))

    def stamp(self, outline, x, y, size, fill, turned=False):
        self.shapes.append(Stamp(outline, x, y, size, fill, turned))

    def text(self, x, y, text, size, fill, anchor="start", bold=False, turned=False):
        if anchor not in ("start", "middle", "end"):
            raise ValueError(f"anchor is start, middle or end, not {anchor!r}")
        self.shapes.append(Text(x, y, printable(text), size, fill, anchor, bold, turned))

    def open(self, label):
        """Begin a named group; every `open` needs its `close`."""
        self.shapes.append(Group(printable(label)))

    def close(self):
        self.shapes.append(Group(None))

    def to_svg(self) -> str:
        """The scene as a standalone SVG document."""
        outlines = {shape.outline.name: shape.outline for shape in self.shapes if type(shape) is Stamp}
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="{FONTS}">',
            f"<title>{escape(printable(self.title))}</title>",
            "<defs>",
            *(_svg_outline(outlines[name]) for name in sorted(outlines)),
            "</defs>",
            f'<rect width="{self.width}" height="{self.height}"{_paint(self.background)}/>',
        ]
        lines += [_WRITERS[type(shape)](shape) for shape in self.shapes]
        return "\n".join(lines) + "\n</svg>\n"

    def to_array(self) -> np.ndarray:
        """The scene as uint8 (height, width, 3), RGB, drawn by Pillow with 2 x 2 samples a pixel."""
        from .raster import draw

        return draw(self)

    def _repr_svg_(self):
        return self.to_svg()


def printable(text):
    """The text with a space for every character that XML forbids or nobody can see."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def _number(value):
    """A length with at most two decimals and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _colour(name, colour):
    """A colour attribute, with its opacity beside it if there is one."""
    if len(colour) == 9:
        return f' {name}="{colour[:7]}" {name}-opacity="{_number(int(colour[7:], 16) / 255)}"'
    return f' {name}="{colour}"'


def _paint(fill, stroke=None, line=1.0):
    """The attributes for inside and edge."""
    text = _colour("fill", fill) if fill else ' fill="none"'
    return text + f'{_colour("stroke", stroke)} stroke-width="{_number(line)}"' if stroke else text


def _points(points, digits):
    return "L".join(f"{x:.{digits}f} {y:.{digits}f}" for x, y in points)


def _svg_outline(outline):
    path = "".join(f"M{_points(polygon, 3)}Z" for polygon in outline.polygons)
    return f'<path id="{outline.name}" d="{path}"/>'


def _svg_rect(s):
    corner = f' rx="{_number(s.radius)}"' if s.radius else ""
    return (
        f'<rect x="{_number(s.x)}" y="{_number(s.y)}" width="{_number(s.w)}" height="{_number(s.h)}"'
        f"{corner}{_paint(s.fill, s.stroke, s.line)}/>"
    )


def _svg_ellipse(s):
    return (
        f'<ellipse cx="{_number(s.x)}" cy="{_number(s.y)}" rx="{_number(s.rx)}" ry="{_number(s.ry)}"'
        f"{_paint(s.fill, s.stroke, s.line)}/>"
    )


def _svg_polygon(s):
    return f'<path d="M{_points(s.points, 2)}Z"{_paint(s.fill, s.stroke, s.line)}/>'


def _svg_stamp(s):
    size = -s.size if s.turned else s.size
    return (
        f'<use href="#{s.outline.name}" transform="translate({_number(s.x)} {_number(s.y)}) '
        f'scale({_number(size)})"{_colour("fill", s.fill)}/>'
    )


def _svg_text(s):
    x, y = _number(s.x), _number(s.y)
    extra = f' text-anchor="{s.anchor}"' if s.anchor != "start" else ""
    extra += ' font-weight="bold"' if s.bold else ""
    extra += f' transform="rotate(180 {x} {y})"' if s.turned else ""
    extra += _colour("fill", s.fill)
    return f'<text x="{x}" y="{y}" font-size="{_number(s.size)}"{extra}>{escape(s.text)}</text>'


def _svg_group(s):
    return "</g>" if s.label is None else f'<g role="img" aria-label={quoteattr(s.label)}>'


_WRITERS = {
    Rect: _svg_rect,
    Ellipse: _svg_ellipse,
    Polygon: _svg_polygon,
    Stamp: _svg_stamp,
    Text: _svg_text,
    Group: _svg_group,
}
