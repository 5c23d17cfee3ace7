"""Drawing a scene into an array with Pillow. Only `Scene.to_array` imports this module."""

import unicodedata
from functools import lru_cache

import numpy as np

from .outlines import GLYPHS
from .scene import Ellipse, Polygon, Rect, Scene, Stamp, Text

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise ImportError("drawing to an array needs Pillow: pip install 'lomber[render]'") from error

SAMPLES = 2  # per pixel and axis; the picture is drawn this much larger and averaged
MANY = 8  # an outline of more polygons is drawn once and pasted
GLYPH_WIDTH = 0.86  # of the font size, for suit signs drawn from outlines
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
PLAIN = str.maketrans("–—−‐•×→ßø", "----·x>so")


def draw(scene: Scene) -> np.ndarray:
    """The scene as uint8 (height, width, 3)."""
    image = Image.new("RGB", (scene.width * SAMPLES, scene.height * SAMPLES), scene.background)
    pen = ImageDraw.Draw(image, "RGBA")
    for shape in scene.shapes:
        painter = _PAINTERS.get(type(shape))
        if painter:
            painter(pen, shape)
    return np.array(image.reduce(SAMPLES), dtype=np.uint8)


def _box(x, y, w, h, line):
    """Pillow's inclusive corners of a box whose stroke of `line` is centred on the edge."""
    half = line / 2
    return [(x - half) * SAMPLES, (y - half) * SAMPLES, (x + w + half) * SAMPLES - 1, (y + h + half) * SAMPLES - 1]


def _line(shape):
    """Width of the stroke in samples, 0 without one."""
    return max(1, round(shape.line * SAMPLES)) if shape.stroke else 0


def _rect(pen, s):
    line = s.line if s.stroke else 0
    pen.rounded_rectangle(
        _box(s.x, s.y, s.w, s.h, line), (s.radius + line / 2 if s.radius else 0) * SAMPLES, s.fill, s.stroke, _line(s)
    )


def _ellipse(pen, s):
    box = _box(s.x - s.rx, s.y - s.ry, 2 * s.rx, 2 * s.ry, s.line if s.stroke else 0)
    pen.ellipse(box, s.fill, s.stroke, _line(s))


def _polygon(pen, s):
    pen.polygon([(x * SAMPLES, y * SAMPLES) for x, y in s.points], s.fill, s.stroke, _line(s) or 1)


@lru_cache(maxsize=1024)
def _unit_points(outline, size):
    """The outline's polygons as arrays (n, 2), in samples around the origin."""
    return [np.asarray(polygon) * size for polygon in outline.polygons]


@lru_cache(maxsize=64)
def _stamp_mask(outline, size):
    """The outline as an alpha mask: (image, x and y of the unit box's centre in it), in samples."""
    points = _unit_points(outline, size)
    reach = np.ceil(np.abs(np.concatenate(points)).max(axis=0)).astype(int) + 1
    mask = Image.new("L", tuple((2 * reach + 1).tolist()), 0)
    pen = ImageDraw.Draw(mask)
    for polygon in points:
        pen.polygon((polygon + reach).ravel().tolist(), 255)
    return mask, *reach.tolist()


def _stamp(pen, s):
    if len(s.outline.polygons) > MANY:
        mask, x, y = _stamp_mask(s.outline, (-s.size if s.turned else s.size) * SAMPLES)
        pen.bitmap((round(s.x * SAMPLES) - x, round(s.y * SAMPLES) - y), mask, s.fill)
        return
    centre = np.array((s.x, s.y)) * SAMPLES
    for points in _unit_points(s.outline, (-s.size if s.turned else s.size) * SAMPLES):
        pen.polygon((points + centre).ravel().tolist(), s.fill)


@lru_cache(maxsize=64)
def _font(size):
    return ImageFont.load_default(size)


@lru_cache(maxsize=1)
def _missing():
    """What the font draws for a character it lacks."""
    return bytes(_font(20).getmask("\U0001f9ff"))


@lru_cache(maxsize=4096)
def _drawable(character):
    """The character as the font can draw it: itself, without its accents, or a question mark."""
    for text in (character, character.translate(PLAIN), unicodedata.normalize("NFKD", character)[0]):
        if text.isspace() or bytes(_font(20).getmask(text)) != _missing():
            return text
    return "?"


@lru_cache(maxsize=1024)
def _runs(text):
    """The text cut into (string, None) for the font and (None, outline) for suit signs."""
    runs, plain = [], ""
    for character in text:
        if character in GLYPHS:
            runs += [(plain, None), (None, GLYPHS[character])]
            plain = ""
        else:
            plain += _drawable(character)
    return tuple(run for run in (*runs, (plain, None)) if run != ("", None))


@lru_cache(maxsize=512)
def _text_mask(text, size, bold):
    """One line as an alpha mask with the baseline's start in it: (image, x, y), all in samples."""
    font, strokes = _font(size), 1 + round(size * 0.065) if bold else 1
    runs = _runs(text)
    widths = [size * GLYPH_WIDTH if outline else font.getlength(run) + strokes - 1 for run, outline in runs]
    pad = round(size * 0.25) + 1
    mask = Image.new("L", (int(sum(widths)) + 2 * pad, round(size * 1.3) + 2 * pad), 0)
    pen, x, base = ImageDraw.Draw(mask), float(pad), pad + round(size)
    for (run, outline), width in zip(runs, widths):
        if outline:
            for points in _unit_points(outline, size * 0.74):
                pen.polygon((points + (x + width / 2, base - size * 0.35)).ravel().tolist(), 255)
        else:
            for shift in range(strokes):  # bold by shifted copies: an outline would close the dot of an i
                pen.text((x + shift, base), run, 255, font, "ls")
        x += width
    return mask, sum(widths), pad, base


def _text(pen, s):
    mask, width, x, base = _text_mask(s.text, s.size * SAMPLES, s.bold)
    x += width * ANCHORS[s.anchor]
    if s.turned:
        mask = mask.transpose(Image.Transpose.ROTATE_180)
        x, base = mask.width - x, mask.height - base
    pen.bitmap((round(s.x * SAMPLES - x), round(s.y * SAMPLES - base)), mask, s.fill)


_PAINTERS = {Rect: _rect, Ellipse: _ellipse, Polygon: _polygon, Stamp: _stamp, Text: _text}
