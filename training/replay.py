"""A recorded deal or a seat's view, shown for people or as canonical JSON."""

import json
from dataclasses import replace

from ..envs import make_game
from ..envs.engine import records
from ..envs.render import table_text


def show(
    document: records.Record | records.View, until: int | None = None, as_json: bool = False, unicode: bool = True
) -> str:
    """The tags, then move after move (of a view: event after event), then the table; or JSON, with all moves and points.

    `until` stops after so many moves or events; `unicode`: suits as signs. RecordError tells what cannot be.
    """
    if isinstance(document, records.View):
        return _view(document, until, as_json, unicode)
    return _record(document, until, as_json, unicode)


def _record(record: records.Record, until: int | None, as_json: bool, unicode: bool) -> str:
    game = make_game(record.game, record.preset, **record.options)
    seen = records.replay_states(record, until)
    played = records.record_of(game, seen[-1])
    listed = record.moves[:until]  # a list may leave out the forced moves: then those are shown that follow from it
    moves = played.moves if until is None or played.moves[: len(listed)] != listed else listed
    if as_json:
        return json.dumps(replace(played, moves=moves).to_json()) + "\n"
    decided = {len(game.moves(state)) for state in seen[:-1]}  # moves already made at each decision
    lines = [
        f"{number + 1:4}  seat {seat}  {name}{'' if number in decided else '  (forced)'}"
        for number, (seat, name) in enumerate(moves)
    ]
    table = table_text(game.spec.picture.table_picture(game, seen[-1][0], None), unicode)
    return _page(str(played), lines, table)


def _view(view: records.View, until: int | None, as_json: bool, unicode: bool) -> str:
    game, hidden = records.game_of(view), records.from_view(view)
    if until is not None:
        view = replace(view, events=view.events[:until])
        hidden = records.from_view(view, whole=False)
    if as_json:
        return json.dumps(records.view_of(game, hidden, view.seat).to_json()) + "\n"
    lines = [f"{number:4}  seat {event.seat}  {event.text}" for number, event in enumerate(view.events, 1)]
    return _page(str(view), lines, table_text(game.spec.picture.table_picture(game, hidden[0], view.seat), unicode))


def _page(document: str, lines: list[str], table: str) -> str:
    tags = document.split("\n\n", 1)[0].rstrip("\n")
    return "\n\n".join(part for part in (tags, "\n".join(lines), table.rstrip("\n")) if part) + "\n"
