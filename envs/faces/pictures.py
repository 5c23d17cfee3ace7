"""What a face shows: a game's own picture of the table, or where it has none, the moves in words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.game import Game
from ..engine.records import record_of, view_of
from ..render import Scene, Seat, TablePicture, draw_table, table_text

RENDER_MODES = ("human", "ansi", "rgb_array")


def picture_of(game: Game, state: NDArray[Any], seat: int | None) -> TablePicture:
    """The table of `state` (1,) as `seat` knows it, or an onlooker (None), who sees all cards."""
    shown = state if seat is None else game.hide(state, seat)
    if game.spec.picture is not None:
        return game.spec.picture.table_picture(game, shown[0], seat)  # type: ignore[no-any-return]
    names = [f"seat {i}" for i in range(game.seats)]
    first = seat or 0
    seats = [Seat(names[i % game.seats], active=i % game.seats == shown[0]["seat"]) for i in range(first, first + game.seats)]
    told = str(record_of(game, state)) if seat is None else str(view_of(game, state, seat))
    return TablePicture(game.title, seats, notes=told.splitlines())


def render(game: Game, state: NDArray[Any], seat: int | None, mode: str) -> "str | NDArray[np.uint8] | None":
    """Text for ansi, an array (H, W, 3) uint8 for rgb_array; human prints the text and gives None."""
    picture = picture_of(game, state, seat)
    if mode == "rgb_array":
        return np.asarray(draw_table(picture).to_array(), np.uint8)
    text = table_text(picture)
    if mode == "human":
        print(text)
        return None
    return text


def scene_of(game: Game, state: NDArray[Any], seat: int | None) -> Scene:
    """The picture as a scene, which writes SVG and arrays."""
    return draw_table(picture_of(game, state, seat))
