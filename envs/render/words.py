"""A table in words, for terminals of 80 columns."""

from textwrap import wrap

from .cards import DECKS
from .scene import printable
from .table import TablePicture

COLUMNS = 80


def table_text(picture: TablePicture, unicode: bool = True) -> str:
    """The picture as lines of text: a mark `>` for the seat to act, cards as '10♦' or, without unicode, 'TD'."""
    deck = DECKS[picture.deck]
    lines = [*_filled(picture.title), "-" * min(COLUMNS, max(1, len(picture.title)))]
    for seat in picture.seats:
        labels = f" ({', '.join(seat.labels)})" if seat.labels else ""
        lines += _filled(f"{'>' if seat.active else ' '} {seat.name}{labels}")
        lines += _filled("    hand   ", _cards(seat.hand, deck, unicode))
        if seat.played is not None:
            lines += _filled("    played ", deck.words(seat.played, unicode))
    if picture.piles:
        lines.append("")
    for pile in picture.piles:
        count = f" ({len(pile.cards)})" if len(pile.cards) > 1 else ""
        lines += _filled(f"  {pile.title}{count}: ", _cards(pile.cards, deck, unicode))
    if picture.notes:
        lines.append("")
    for note in picture.notes:
        for line in note.splitlines() or [""]:
            lines += _filled("  ", line)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _filled(head, text=""):
    """`head` and `text` in lines of at most 80 columns, later lines indented under the text."""
    head = printable(head)
    indent = " " * min(len(head), 11) if text else "      "
    return wrap(head + printable(text), COLUMNS, subsequent_indent=indent) or [""]


def _cards(cards, deck, unicode):
    """Open cards in order, runs of hidden ones counted."""
    words, hidden = [], 0
    for card in (*cards, ""):
        if card is None:
            hidden += 1
            continue
        if hidden:
            words.append(f"[{hidden} hidden]")
            hidden = 0
        if card:
            words.append(deck.words(card, unicode))
    return " ".join(words) or "-"
