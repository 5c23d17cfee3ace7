"""A second reckoning of rocambole's chips: the slow twin's match, told how each deal ended."""

from ombre_twin import rules_of
from reference.ombre_settle import divide
from reference.rocambole import Match

from lomber.envs.engine import records
from lomber.envs.ombre import state as st


def points(deals):
    """Chips by seat after these deals of an episode, all finished."""
    options, start = records.game_of(deals[0]).options, deals[0].start
    match = Match(
        rules_of(deals[0].preset, deals[0].options), parts=options.parts if options.episode == "full" else 1, **start
    )
    for record in deals:
        assert {name: getattr(match, name) for name in start} == record.start
        match.add_result(result(record))
    return divide(match.totals, match.chips) if options.episode == "deal" else match.totals


def result(record):
    """How a deal ended, in the words of the `tour` cases."""
    state = records.replay(record)[0]
    names = [name for _, name in record.moves]
    bid = next((number for number, name in enumerate(names) if name != "PASS"), len(names))
    paid = bid if record.options.get("paid_pass_casco", record.preset == "seed_000_rocambole") else min(bid, 3)
    return {
        "outcome": st.OUTCOMES[state["outcome"]],
        "ombre": int(state["ombre"]) if state["ombre"] >= 0 else None,
        "contract": st.CONTRACTS[state["contract"]] if state["contract"] >= 0 else None,
        "codille_by": int(state["codille"]) if state["codille"] >= 0 else None,
        "tricks": state["tricks"].tolist(),
        "matador_run": int(state["run"]),
        "first_five": bool(state["first_five"]),
        "vole": st.VOLES[state["vole"]],
        "paid_passes": [(record.start["dealer"] + 1 + number) % 3 for number in range(paid)],
    }
