"""Solo itself: placings that cannot be are refused, and what a seat knows is told in words it can read."""

import pytest
import toy_twin

import lomber.envs
from lomber.envs.engine import records
from lomber.envs.engine.state import RUNNING

START = {"dealer": 2, "points": [0, 0, 0]}


@pytest.fixture
def game(toys):
    return lomber.envs.make_game("solo")


def played(game, deck, *names):
    ids = {name: i for i, name in enumerate(game.spec.cards)}
    states = game.deal([ids[name] for name in deck.split()], START)
    for name in names:
        game.advance(states, [name], go_on=False)
    return states


def finished(game, states):
    """The deal played on with the first legal card."""
    while states[0]["stage"] == RUNNING:
        game.advance(states, [game.legal_names(states)[0]], go_on=False)
    return states


def test_a_placing_that_breaks_a_void_is_not_consistent(game):
    """Seat 1 has thrown hearts on spades: it holds no spade, and seat 2 knows it."""
    deck = "AS KH QD AH KD AD QS KS QH AC KC QC"
    state = played(game, deck, "solo S", "lay AC", "AS", "AH")
    seat = int(state[0]["seat"])
    view = game.hide(state, seat)
    assert seat == 2 and game.consistent(view, state, seat)[0]
    other = played(game, deck.replace("KD", "xx").replace("KC", "KD").replace("xx", "KC"), "solo S", "lay AC", "AS", "AH")
    assert game.consistent(view, other, seat)[0] and other.tobytes() != state.tobytes()
    ids = {name: i for i, name in enumerate(game.spec.cards)}
    for key in range(50):
        world = game.redeal(view, seat, key)
        assert not world[0]["hands"][1] & 0b111, "a spade in a hand that has shown none"
    for changed, why in _changed(state, ids):
        assert not game.consistent(view, changed, seat)[0], why


def _changed(state, ids):
    lacking = state.copy()
    lacking[0]["hands"][1] ^= 1 << ids["KD"]
    yield lacking, "a card is in no place"
    twice = state.copy()
    twice[0]["hands"][1] ^= 1 << ids["KD"] | 1 << ids["QD"]
    yield twice, "a card is in two places"
    own = state.copy()
    own[0]["hands"][2] ^= 1 << ids["KS"] | 1 << ids["KD"]
    own[0]["hands"][1] ^= 1 << ids["KS"] | 1 << ids["KD"]
    yield own, "another hand of its own, and a void broken"
    drawn = state.copy()
    drawn[0]["talon"][0] = ids["KC"]
    yield drawn, "a card drawn that the soloist never had"
    for name in ("bids", "plays"):
        other = state.copy()
        other[0][name][0] ^= 3
        yield other, f"other {name}"
    other = state.copy()
    other[0]["start"]["points"][0] = 5
    yield other, "another start"


def test_if_all_pass_the_deal_is_void(game):
    state = played(game, "AS KH QD AH KD AD QS KS QH AC KC QC", "pass", "pass", "pass")
    assert not game.points(state).any() and records.record_of(game, state).points == (0, 0, 0)
    for seat in range(3):
        view = records.view_of(game, state, seat)
        assert records.from_view(view).tobytes() == game.hide(state, seat).tobytes()
        assert len(view.events) == 4


@pytest.mark.parametrize(("preset", "stake"), [("plain", 1), ("high", 5)])
def test_the_soloist_wins_or_pays_the_stake_to_both(toys, preset, stake):
    game = lomber.envs.make_game("solo", preset)
    won = finished(game, played(game, "AS KS QS AH KH QH AD KD QD AC KC QC", "solo S", "lay AC"))
    assert won[0]["tricks"].tolist() == [3, 0, 0] and game.points(won).tolist() == [[2 * stake, -stake, -stake]]
    lost = finished(game, played(game, "KH QH QS AH AS KS AD KD QD AC KC QC", "solo C", "lay AC"))
    assert lost[0]["tricks"].tolist() == [0, 3, 0]
    assert game.points(lost).tolist() == [[-2 * stake, stake, stake]]


def test_the_twin_refuses_what_the_rules_refuse(game):
    state = played(game, "AS KH QD AH KD AD QS KS QH AC KC QC", "solo S", "lay AC", "AS")
    record = records.record_of(game, state)
    assert toy_twin.legal(record) == {"AH", "KD", "AD"} == set(game.legal_names(state))
    with pytest.raises(ValueError, match="0:KH cannot be"):
        toy_twin.Deal(record, [*record.moves, (0, "KH")])
