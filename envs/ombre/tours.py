"""The tours of rocambole, which ombre has not: what they are played for and when they end (spec rocambole, section 3)."""

from ..engine.jit import jit
from . import state as st


@jit
def open_tours(rules, match):
    """The first tour, and nothing counted; with no parts there are none."""
    match["part"] = min(rules["parts"], 1)
    match["tour"] = rules["start_tour"]
    match["kon"] = rules["start_kon"]
    match["deals_in_tour"] = 0
    match["cum_tricks"][:] = 0


@jit
def play_for_kon(match):
    """Before the first deal of tour 3 the kon joins the pot."""
    if match["tour"] == 3 and match["deals_in_tour"] == 0:
        match["pot"] += match["kon"]
        match["kon"] = 0


@jit
def feeds_kon(match):
    return match["tour"] == 2


@jit
def close_tour(rules, match, outcome, tricks):
    """Count a deal; where it ends its tour, the next one or the next part begins. Whether it was the last of all."""
    match["deals_in_tour"] += 1
    if match["tour"] == 1 and outcome != st.REFUSED and outcome != st.PASSED_OUT:
        for seat in range(3):
            match["cum_tricks"][seat] += tricks[seat]
    if not tour_ends(rules, match, outcome, tricks):
        return False
    match["deals_in_tour"] = 0
    if match["tour"] < 3:
        match["tour"] += 1
        return False
    match["cum_tricks"][:] = 0
    if match["part"] >= rules["parts"]:
        return True
    match["part"] += 1
    match["tour"] = 1
    return False


@jit
def tour_ends(rules, match, outcome, tricks):
    """Whether the deal that is counted ends the tour."""
    if match["deals_in_tour"] >= rules["most_deals"][match["tour"] - 1]:
        return True
    if match["tour"] == 1:
        counted = tricks if rules["tour1_single"] else match["cum_tricks"]
        return max(counted[0], counted[1], counted[2]) >= rules["tour1_tricks"]
    if match["tour"] == 2:
        return False
    taken = outcome == st.WIN or (outcome == st.CODILLE and rules["codille_pot"])
    return taken or not rules["until_taken"]
