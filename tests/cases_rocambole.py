"""The kinds of rocambole's case file (spec rocambole, section 10): those of ombre, and whole tours."""

import cases_ombre

from lomber.envs.engine.state import OVER
from lomber.envs.ombre import positions
from lomber.envs.ombre.start import write_start


def tour(given):
    """Deals behind each other, the stakes of the next one not yet paid."""
    game = cases_ombre.game_of({**given, "options": given.get("match_options", {})}, episode="full")
    states = game.fresh()
    write_start(game, states[0], given["start"])
    for result in given["deals"]:
        positions.next_stakes(game, states)
        positions.write_result(game, states, result, closed=True)
    match, ended = states[0]["match"], bool(states[0]["stage"] == OVER)
    return {"ended": ended, **{name: match[name].tolist() for name in match.dtype.names}}


def differences(given, expect):
    return cases_ombre.differences({"preset": "rocambole", **given}, expect, {**cases_ombre.KINDS, "tour": tour})
