"""Card faces and backs as shapes of a scene. A card is 1 wide and 1.4 high; the tables below are in card widths.

A deck is a table of suits and courts, so Spanish suits or Tarok trumps are another row in `DECKS`.
"""

from dataclasses import dataclass, field

from .outlines import CAP, CLUB, CORONET, CROWN, DIAMOND, HEART, LATTICE, SPADE, Outline

HEIGHT = 1.4  # of the width
RED, BLACK, GOLD = "#b3202c", "#1d1d26", "#c8952c"
PAPER, EDGE, SHADOW = "#fffdf6", "#8b8574", "#00000038"
BACK, BACK_INK, BACK_EDGE = "#8f2633", "#d9a9a0", "#f6ecdd"


@dataclass(frozen=True)
class Suit:
    """A suit: its pip as layers of (outline, colour), the colour of its letters, its sign in text."""

    layers: tuple
    colour: str
    sign: str
    panel: str = "#fbf3df"  # ground of the court cards


@dataclass(frozen=True)
class Deck:
    """The look of one pattern: suits by letter, head-dresses of the courts by rank, printed ranks where they differ."""

    suits: dict[str, Suit]
    courts: dict[str, Outline]
    ranks: tuple[str, ...]
    rank_names: dict[str, str] = field(default_factory=dict)

    def parse(self, name):
        """Rank and suit of a name like 'TD'; raises ValueError for no card of this deck."""
        rank, suit = name[:-1], name[-1:]
        if rank not in self.ranks or suit not in self.suits:
            raise ValueError(f"{name!r} is no card: ranks {' '.join(self.ranks)}, suits {' '.join(self.suits)}")
        return rank, suit

    def words(self, name, unicode=True):
        """The card as people write it, '10♦'; without unicode the name itself, 'TD'."""
        rank, suit = self.parse(name)
        return self.rank_names.get(rank, rank) + self.suits[suit].sign if unicode else name


FRENCH = Deck(
    suits={
        "S": Suit(((SPADE, BLACK),), BLACK, "♠", "#edf0f5"),
        "H": Suit(((HEART, RED),), RED, "♥"),
        "D": Suit(((DIAMOND, RED),), RED, "♦"),
        "C": Suit(((CLUB, BLACK),), BLACK, "♣", "#edf0f5"),
    },
    courts={"K": CROWN, "Q": CORONET, "J": CAP},
    ranks=tuple("AKQJT98765432"),
    rank_names={"T": "10"},
)
DECKS = {"french": FRENCH}

# Where the pips of number cards lie: columns and rows in card widths, the lower half standing on its head.
_LEFT, _MID, _RIGHT = 0.33, 0.5, 0.67
_TOP, _CENTRE, _END = 0.25, 0.70, 1.15
_THREE = (_TOP, _CENTRE, _END)
_FOUR = (_TOP, 0.55, 0.85, _END)


def _pairs(rows):
    return tuple((x, y) for y in rows for x in (_LEFT, _RIGHT))


PIPS = {
    "2": ((_MID, _TOP), (_MID, _END)),
    "3": tuple((_MID, y) for y in _THREE),
    "4": _pairs((_TOP, _END)),
    "5": _pairs((_TOP, _END)) + ((_MID, _CENTRE),),
    "6": _pairs(_THREE),
    "7": _pairs(_THREE) + ((_MID, 0.475),),
    "8": _pairs(_THREE) + ((_MID, 0.475), (_MID, 0.925)),
    "9": _pairs(_FOUR) + ((_MID, _CENTRE),),
    "T": _pairs(_FOUR) + ((_MID, 0.40), (_MID, 1.00)),
}


def draw_card(scene, x, y, width, name=None, deck="french"):
    """Draw one card, its upper left corner at (x, y), `width` pixels wide; None is a back."""
    scene.open("back" if name is None else name)
    scene.rect(x - 0.02 * width, y + 0.012 * width, width * 1.03, width * (HEIGHT + 0.01), SHADOW, 0.08 * width)
    scene.rect(x, y, width, HEIGHT * width, PAPER, 0.075 * width, EDGE, max(0.5, 0.009 * width))
    if name is None:
        _back(scene, x, y, width)
    else:
        deck = DECKS[deck] if isinstance(deck, str) else deck
        rank, letter = deck.parse(name)
        suit = deck.suits[letter]
        if rank in deck.courts:
            _court(scene, x, y, width, rank, suit, deck.courts[rank])
        elif rank in PIPS:
            for px, py in PIPS[rank]:
                _pip(scene, suit, x + px * width, y + py * width, 0.185 * width, py > _CENTRE)
        else:
            _pip(scene, suit, x + 0.5 * width, y + 0.7 * width, 0.46 * width)
        _indices(scene, x, y, width, deck.rank_names.get(rank, rank), suit)
    scene.close()


def _pip(scene, suit, x, y, size, turned=False):
    for outline, colour in suit.layers:
        scene.stamp(outline, x, y, size, colour, turned)


def _indices(scene, x, y, width, rank, suit):
    """Rank over a small pip in the upper left corner, and turned in the lower right one."""
    size = (0.23, 0.18, 0.15)[min(len(rank), 3) - 1] * width
    column, base, pip = 0.122 * width, 0.22 * width, 0.325 * width
    scene.text(x + column, y + base, rank, size, suit.colour, "middle", bold=True)
    _pip(scene, suit, x + column, y + pip, 0.14 * width)
    right, low = x + width - column, y + HEIGHT * width
    scene.text(right, low - base, rank, size, suit.colour, "middle", bold=True, turned=True)
    _pip(scene, suit, right, low - pip, 0.14 * width, turned=True)


def _court(scene, x, y, width, rank, suit, head_dress):
    """A framed panel: the letter in a medallion, a pip and the head-dress over it, and turned below it."""

    def at(px, py):
        return x + px * width, y + py * width

    scene.rect(*at(0.235, 0.13), 0.53 * width, 1.14 * width, suit.panel, 0.03 * width, suit.colour, 0.014 * width)
    scene.rect(*at(0.262, 0.157), 0.476 * width, 1.086 * width, None, 0.015 * width, GOLD, 0.01 * width)
    scene.ellipse(*at(0.5, 0.7), 0.205 * width, 0.205 * width, PAPER, GOLD, 0.016 * width)
    scene.text(*at(0.5, 0.7 + 0.098), rank, 0.275 * width, suit.colour, "middle", bold=True)
    for turned, crown, pip in ((False, 0.38, 0.235), (True, 1.02, 1.165)):
        scene.stamp(head_dress, *at(0.5, crown), 0.29 * width, GOLD, turned)
        _pip(scene, suit, *at(0.5, pip), 0.115 * width, turned)


def _back(scene, x, y, width):
    """A lattice within a frame."""
    scene.rect(x + 0.07 * width, y + 0.07 * width, 0.86 * width, 1.26 * width, BACK, 0.03 * width)
    scene.stamp(LATTICE, x + 0.5 * width, y + 0.7 * width, 0.8 * width, BACK_INK)
