"""Pictures of card tables: SVG for pages, arrays for videos, words for terminals. Knows no game.

Describe what one viewer sees as a `TablePicture` (hidden cards are None), then `draw_table(picture).to_svg()`,
`draw_table(picture).to_array()` (needs Pillow: the extra `render`) or `table_text(picture)`.
"""

from .cards import draw_card
from .scene import Scene
from .table import Pile, Seat, TablePicture, draw_table
from .words import table_text

__all__ = ["Pile", "Scene", "Seat", "TablePicture", "draw_card", "draw_table", "table_text"]
