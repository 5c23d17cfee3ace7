"""The engine's bouillotte and brelan against the slow twin, written from the specs alone by another hand."""

import bouillotte_twin
import brelan_twin
import pytest

from lomber.envs.bouillotte import betting, blind, knowledge, play, settlement, showdown
from lomber.envs.bouillotte.seats import next_in
from lomber.envs.bouillotte.settlement import pay_of_seat
from lomber.envs.engine.jit import COMPILED

TWINS = {"bouillotte": bouillotte_twin, "brelan": brelan_twin}
PRESETS = [(game, preset) for game, twin in TWINS.items() for preset in twin.OWN]


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_presets_agree_at_every_decision(game, preset):
    twin = TWINS[game]
    assert twin.play(preset, {}, deals=40, seed=1) > 40
    assert twin.play_given(preset, {}, deals=20, seed=2) > 20


@pytest.mark.parametrize("episode", bouillotte_twin.LONG)
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_episodes_agree(game, preset, episode):
    twin = TWINS[game]
    assert twin.play(preset, {}, deals=2, seed=3, episode=episode) + twin.play_given(preset, {}, 2, 4, episode) > 8


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_random_options_agree(game, preset):
    assert TWINS[game].play_random(preset, seed=100 + PRESETS.index((game, preset)), rounds=10) > 20


DISPUTED = {  # options under which the two sides once disagreed
    "a pass is paid by who has few jetons": {"passe_parole": False, "pass_fee": 3, "tapissier_threshold": 3},
    "a holder is paid by nobody": {"brelan_payers": "live", "brelan_cross": "cancel"},
    "a seat is ruined in the last deal": {"bust_rule": "eliminate", "session_deals": 3, "dealer_rotation": "vis_a_vis"},
    "the dealer antes nothing but what is carried": {"ante": 0, "pass_out": "double"},
}


@pytest.mark.parametrize("options", DISPUTED.values(), ids=DISPUTED)
def test_disputed_options_agree(options):
    assert bouillotte_twin.play_given("bouillotte4", options, 60, seed=12) > 60
    assert bouillotte_twin.play_given("bouillotte4", options, 8, seed=13, episode="session") > 30


@pytest.mark.long
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_presets_agree_over_two_thousand_deals(game, preset):
    twin = TWINS[game]
    assert twin.play(preset, {}, deals=1000, seed=6) + twin.play_given(preset, {}, 1000, 7) > 2000
    for episode in bouillotte_twin.LONG:
        assert twin.play(preset, {}, 20, 8, episode) + twin.play_given(preset, {}, 20, 9, episode) > 100


@pytest.mark.long
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_many_random_options_agree(game, preset):
    assert TWINS[game].play_random(preset, seed=200 + PRESETS.index((game, preset)), rounds=200) > 400


FAULTS = [  # a function of a module, what stands in its place, and the options under which it is to be seen
    (betting, "is_tapissier", lambda rules, state, seat: False, {}),
    (betting, "next_in", lambda rules, seat, among: next_in(rules, next_in(rules, seat, among), among), {}),
    (betting, "ladder_target", lambda rung, low, high, pot, stack, stake: low, {"action_abstraction": "ladder"}),
    (play, "talon_left", lambda rules, state: 1, {"carre_anglais": "choice"}),
    (blind, "is_able", lambda rules, state, seat: True, {}),
    (knowledge, "hide_unshown", lambda rules, state, seat: None, {}),
    (settlement, "pay_of", lambda rules, category, rank, retourne: rules["pay"][category], {"favori_rule": "queen_turned"}),
    (settlement, "due_between", lambda rules, state, strengths, payer, holder: pay_of_seat(rules, state, holder), {}),
    (settlement, "in_play", lambda rules, match: (1 << rules["players"]) - 1, {"bust_rule": "eliminate"}),
    (settlement, "reset_stack", lambda rules, match, seat: None, {"stack_max": 60}),
    (showdown, "is_red", lambda card: False, {"mistigri": True, "mistigri_pair": "same_colour"}),
    (showdown, "owner_of", lambda rules, state, suit, among: state["start"]["dealer"], {}),
]


@pytest.mark.skipif(COMPILED, reason="faults are planted into interpreted rules")
@pytest.mark.parametrize(("module", "name", "fault", "options"), FAULTS)
def test_a_fault_in_the_rules_is_seen(module, name, fault, options, monkeypatch):
    monkeypatch.setattr(module, name, fault)
    with pytest.raises((AssertionError, IndexError, ValueError)):
        for episode, deals in (("deal", 100), ("session", 4)):
            bouillotte_twin.play_given("bouillotte4", options, deals, seed=11, episode=episode)


@pytest.mark.skipif(COMPILED, reason="faults are planted into interpreted rules")
@pytest.mark.parametrize("options", [options for *_, options in FAULTS if options])
def test_without_a_fault_the_same_play_agrees(options):
    for episode, deals in (("deal", 100), ("session", 4)):
        assert bouillotte_twin.play_given("bouillotte4", options, deals, seed=11, episode=episode) > 0
