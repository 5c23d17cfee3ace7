"""Jetons of bouillotte and brelan: where they lie, and what of a view an observation has to tell."""

from lomber.envs.engine.state import RUNNING


def holdings(game, state):
    """What all seats have, brought and banked, and what lies in the pot: constant within a deal, in fact 0 (I1)."""
    match = state[0]["match"]
    return int(match["stack"].sum() + match["bank"].sum() - match["buyins"].sum() + state[0]["pot"])


def relevant(game, view, seat):
    """All but how a result came about: what counts are the results, and beside them stacks up to twice the cap.

    Once the deal is finished, the match state is that behind it.
    """
    bare = view.copy()
    for side in ("match", "start"):
        bare[side]["bank"] += bare[side]["stack"] - bare[side]["buyins"]
        bare[side]["buyins"] = 0
        bare[side]["stack"] = bare[side]["stack"].clip(max=2 * game.options.stake_cap)
    if view["stage"][0] != RUNNING:
        for name in set(bare["start"].dtype.names) - {"dealer"}:
            bare["start"][name] = 0
    return bare.tobytes()
