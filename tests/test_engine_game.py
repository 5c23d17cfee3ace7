"""A Game: its names, ids, given deals and refusals, on the toy."""

import pickle

import numpy as np
import pytest

import lomber.envs
from lomber.envs import IllegalAction, LomberError, UnknownName
from lomber.envs.engine.game import Loops, seed_key
from lomber.envs.engine.state import NONE, RUNNING


def test_names_lead_to_the_nearest(toys):
    with pytest.raises(UnknownName, match="did you mean solo"):
        lomber.envs.make_game("sola")
    with pytest.raises(UnknownName, match="did you mean plain"):
        lomber.envs.make_game("solo", "plane")
    with pytest.raises(UnknownName, match="did you mean stake"):
        lomber.envs.make_game("solo", stakes=3)


def test_a_game_is_its_name_and_options(solo):
    twin = pickle.loads(pickle.dumps(solo))
    assert twin == solo and hash(twin) == hash(solo) and repr(twin) == "make_game('solo', preset='plain', episode='partie')"
    assert twin.changed_options == {"episode": "partie"} and twin.id == "solo_v0"
    assert solo != lomber.envs.make_game("solo") and solo != lomber.envs.make_game("low", episode="partie")
    assert not solo.rules.flags.writeable


def test_actions_have_names_and_ids(solo):
    for i, name in enumerate(solo.actions):
        assert solo.action_id(name) == solo.action_id(i) == solo.action_id(np.int32(i)) == i
    for wrong in ("solo T", -1, 29, True, 1.0, None):
        with pytest.raises(UnknownName):
            solo.action_id(wrong)


def test_a_deck_can_be_given(solo):
    deck = list(range(12))
    states = solo.deal(deck, {"dealer": 1, "points": [1, 1, -2]}, number=1)
    state = states[0]
    assert (state["stage"], state["seat"], state["deal"]) == (RUNNING, 2, 1)
    assert state["hands"].tolist() == [0o70, 0o700, 7]
    assert solo.points(states).tolist() == [[1, 1, -2]] and state["key"] == 0 == state["lot"]
    last, first = solo.spec.cards[deck[-1]], solo.spec.cards[0]
    for wrong, told in (
        (deck[:-1], f"it lacks {last}"), (deck[:-2], "and 1 more"), ([0, *deck[:-1]], f"{first} is in it 2 times"),
        ([*deck, 12], "12 is no card of it"), ([deck], "shape"),
    ):  # fmt: skip
        with pytest.raises(LomberError, match="12 cards once each.*: .*" + told):
            solo.deal(wrong)
    with pytest.raises(LomberError, match="dealer and points"):
        solo.deal(deck, {"dealt": 1})


def test_a_given_key_gives_the_lot_of_that_deal(solo):
    state = solo.begin(3, 5)[0]
    given = solo.deal(state["deck"], key=int(state["key"]))
    assert given[0].tobytes() == state.tobytes()


def test_begin_is_what_tables_begin_with(solo):
    tables = lomber.envs.Tables(solo, 3, seed=8)
    tables.reset(ids=[7, 0, 2])
    assert solo.begin(8, [7, 0, 2]).tobytes() == tables.states.tobytes()
    assert solo.begin(8, 7).tobytes() == tables.states[:1].tobytes()


def test_a_refused_action_is_told_in_cards_and_changes_nothing(solo):
    states = solo.deal(list(range(12)), {"dealer": 2})
    before = states.tobytes()
    with pytest.raises(IllegalAction) as caught:
        solo.advance(states, ["QC"])
    error = caught.value
    assert states.tobytes() == before and error.seat == 0 and error.action == "QC"
    assert error.legal == ("pass", "solo S", "solo H", "solo D", "solo C") == solo.legal_names(states)
    assert "seat 0 cannot play QC in solo_v0: it bids now" in str(error) and "0:dealt+AS+KS+QS" in str(error)
    solo.advance(states, ["solo S"])
    solo.advance(states, ["lay AC"])
    with pytest.raises(IllegalAction, match="does not hold AH"):
        solo.advance(states, ["AH"])
    with pytest.raises(LomberError, match="as many actions"):
        solo.advance(states, [1, 2])


def test_every_refusal_of_the_toy_has_its_reason(solo):
    states = solo.deal([0, 4, 8, 1, 2, 3, 5, 6, 7, 9, 10, 11], {"dealer": 2})
    played = [
        ("lay AS", "bids now"),
        ("solo S", None),
        ("AS", "lays away now"),
        ("lay KS", "does not hold KS"),
        ("lay AC", None),
        ("lay AS", "plays a card now"),
        ("AS", None),
        ("AH", "must follow AS"),
    ]
    for name, reason in played:
        if reason is None:
            solo.advance(states, [name])
        else:
            with pytest.raises(IllegalAction, match=reason):
                solo.advance(states, [name])


def test_what_is_over_is_told_so(toys):
    game = lomber.envs.make_game("solo")
    states = game.deal(list(range(12)), {"dealer": 2})
    for _ in range(3):
        game.advance(states, ["pass"])
    assert states[0]["seat"] == NONE and game.legal(states).sum() == 0
    with pytest.raises(IllegalAction, match="the deal is over"):
        game.advance(states, ["pass"])


def test_states_and_seats_are_checked(solo):
    states = solo.begin(0, [0, 1])
    for wrong in (states[0], states.reshape(2, 1), np.zeros(2), [1]):
        with pytest.raises(LomberError, match="1-D array of its state_dtype"):
            solo.hide(wrong, 0)
    for unchangeable in (np.repeat(states, 2)[::2], states.view()):
        unchangeable.flags.writeable = False
        with pytest.raises(LomberError, match="pass a copy"):
            solo.advance(unchangeable, [0, 0])
    for seats in (3, -1, [0, 3], 1.0, "0"):
        with pytest.raises(LomberError, match="integers in 0..2"):
            solo.hide(states, seats)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 2**64, 10**40, np.int32(5)])
def test_any_integer_from_zero_is_a_seed(seed):
    assert seed_key(seed).dtype == np.uint64
    assert seed >= 2**64 or int(seed_key(seed)) == seed


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1", None])
def test_other_seeds_are_refused(seed):
    with pytest.raises(LomberError, match="a seed is an integer from 0"):
        seed_key(seed)


def test_a_game_that_lacks_a_kernel_is_told_which(solo):
    functions = {name: function for name, function in solo.spec.functions.items() if name not in ("hide", "points")}
    with pytest.raises(TypeError, match="lacks points, hide"):
        Loops("solo", functions, "")


def test_views_and_states_have_words_for_critics(solo):
    states = solo.begin(1, range(4))
    revealed = solo.reveal(states)
    assert revealed.shape == (4, solo.reveal_size) and revealed.dtype == np.float32
    seen = solo.observe(solo.hide(states, 2), 2)
    assert seen.shape == (4, solo.observation_size) and -1 <= seen.min() <= seen.max() <= 1
    assert len({row.tobytes() for row in revealed}) == 4
