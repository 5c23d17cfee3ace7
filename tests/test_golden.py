"""Golden records: each shows a rule that is easy to get wrong, and replays to the same text, points and ledger."""

import importlib
import json
from dataclasses import replace

import golden_tool
import pytest
import twins

from lomber.envs import GAMES
from lomber.envs.engine import records
from lomber.envs.engine.state import RUNNING

FILES = sorted(golden_tool.FOLDER.glob("*/*.txt"))


def players_of(game):
    return importlib.import_module(f"golden_{game}")


@pytest.fixture(params=FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def golden(request):
    """Game, title, path and deals of a file."""
    path = request.param
    return path.parent.name, path.stem, path, [golden_tool.Deal(record) for record in golden_tool.read(path)]


def test_it_replays_to_the_same_text(golden):
    _, _, path, deals = golden
    assert all(deal.final["stage"] != RUNNING for deal in deals), "a deal that is not finished"
    made = [str(records.record_of(deal.game, deal.states[-1])) for deal in deals]
    assert "\n".join(made).encode() == path.read_bytes()


def test_it_shows_its_rule(golden):
    game, title, _, deals = golden
    rule = players_of(game).RULES[title]
    assert rule.shows(*deals), rule.why
    assert all(deal.record.preset == (rule.preset or deal.game.preset) for deal in deals)
    assert all(deal.record.options == rule.options for deal in deals)


def test_its_ledger_and_choices_are_the_stored_ones(golden):
    game, title, path, deals = golden
    stored = json.loads((path.parent / golden_tool.LEDGERS).read_text(encoding="utf-8"))
    assert [golden_tool.facts(deal, players_of(game)) for deal in deals] == stored[title]
    assert all(deal.record.points == tuple(deal.game.points(deal.states[-1])[0]) for deal in deals)


def test_the_slow_twin_reckons_the_same_points(golden):
    """Where the match begins with the file: the twin reckons whole matches."""
    game, title, _, deals = golden
    twin, start = twins.twins()[game], players_of(game).RULES[title].start or {}
    if set(start) > {"dealer"}:
        return
    for number, deal in enumerate(deals, 1):
        assert tuple(twin.points([deal.record for deal in deals[:number]])) == deal.record.points


def test_its_views_are_rebuilt_from_their_text(golden):
    """At every decision and at the end."""
    _, _, _, deals = golden
    for deal in deals:
        for state in deal.states:
            for seat in range(deal.game.seats):
                view = records.parse(str(records.view_of(deal.game, state, seat)))
                assert records.from_view(view).tobytes() == deal.game.hide(state, seat).tobytes()


def test_a_view_cut_short_tells_what_is_left_of_it(golden):
    """And what the rules make known by themselves. `lomber replay --until` shows such views."""
    _, _, _, deals = golden
    for deal in deals:
        for seat in range(deal.game.seats):
            view = records.view_of(deal.game, deal.states[-1], seat)
            for length in range(1, len(view.events)):
                cut = replace(view, events=view.events[:length])
                told = tuple(deal.game.spec.events.view_events(deal.game, records.from_view(cut, whole=False)[0], seat))
                assert len(told) >= length and told == view.events[: len(told)], (seat, length)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_every_game_has_its_record(game):
    files = {file.stem for file in FILES if file.parent.name == game}
    assert files, f"{game} has no golden records: python tests/golden_tool.py {game}"
    assert files == set(players_of(game).RULES)


def test_younger_sees_the_cards_left_in_salon_too():
    """Spec 4.2 and 7: privately, after drawing, as in korolik."""
    (record,) = golden_tool.read(golden_tool.FOLDER / "piquet" / "suit_named.txt")
    assert any(word.startswith("1:SAW+6=") for word in golden_tool.Deal(record).view(1))


def test_each_rule_is_shown_for_a_reason():
    for game in GAMES:
        rules = players_of(game).RULES
        assert len({rule.why for rule in rules.values()}) == len(rules)


def test_a_deal_that_does_not_show_a_rule_is_noticed(golden):
    """The rules' conditions tell the records apart: another rule of the same preset is not shown by it."""
    game, title, _, deals = golden
    rules = {name: rule for name, rule in players_of(game).RULES.items() if name != title and rule.start is not None}
    shown = [name for name, rule in rules.items() if _shows(rule, deals[0])]
    assert len(shown) < len(rules) / 3, shown


def _shows(rule, deal):
    try:
        return rule.shows(deal)
    except (IndexError, ValueError):
        return False
