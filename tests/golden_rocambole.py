"""The rules of rocambole that golden records show; the players are those of ombre."""

from golden_ombre import choose, deck, ledger, names_of
from golden_tool import Rule

from lomber.envs.ombre import state as st

__all__ = ["RULES", "choose", "deck", "ledger"]


def pot_at(deal, phase):
    """The pot when the phase is first asked."""
    return next(int(state[0]["match"]["pot"]) for state in deal.states if state[0]["phase"] == phase)


def passes_paid(deal):
    """The pass before the bid costs a chip, the one behind it nothing."""
    return names_of(deal)[:3] == ["PASS", "ENTRADA", "PASS"] and pot_at(deal, st.NAME_TRUMP) == 4 + 1


def passed_out(deal):
    """A chip each, nothing for the casco's passes, and no more; no tricks are counted."""
    final = deal.final
    return (
        final["outcome"] == st.PASSED_OUT
        and final["delta"].tolist() == [-1, -1, -5]
        and not final["match"]["cum_tricks"].any()
    )


def surrendered(deal):
    """In the second trick, at third hand; the trick that is complete counts for the tour."""
    final = deal.final
    return final["outcome"] == st.SURRENDERED and final["plays"] == 5 and final["match"]["cum_tricks"].sum() == 1


def kon_fed(deal):
    """The dealer's chips lie in the kon; the pot is empty, and the ombre wins nothing."""
    return (
        deal.states[0][0]["match"]["kon"] == 4
        and deal.final["outcome"] == st.WIN
        and deal.final["delta"].tolist() == [0, 0, -4]
    )


def kon_taken(deal):
    return deal.final["outcome"] == st.CODILLE and deal.final["delta"].max() >= 6 + 40 + 4


def whole_part(*deals):
    """Tour 1 of several deals, ten of tour 2, and a tour 3 in which the pot is not taken at once."""
    tours = [deal.record.start["tour"] for deal in deals]
    if tours.count(1) not in (2, 3) or tours.count(2) != 10 or tours.count(3) not in (2, 3) or tours != sorted(tours):
        return False
    first, last = deals[tours.index(3)], deals[-1].final
    kon_is_pot = first.record.start["kon"] == 40 and pot_at(first, st.AUCTION) == 44 + first.record.start["pot"]
    return kon_is_pot and last["outcome"] == st.WIN and last["match"]["pot"] == 0


G = {"dealer": 2}  # seat 0 is eldest
ENTRADA = ("0 AUCTION ENTRADA",)

RULES = {
    "passes_paid": Rule(
        "a pass before the first bid costs a chip, one behind it nothing (2)", passes_paid, options={"episode": "deal"},
        wishes=("1 AUCTION ENTRADA",), start=G,
    ),
    "passed_out": Rule(
        "all pass twice: a chip each for the first round, no tricks for the tour (2, 3)", passed_out,
        options={"episode": "deal"}, start=G,
    ),
    "surrender_in_second_trick": Rule(
        "the ombre gives up before the second trick is covered; the first one counts (2, 3)", surrendered,
        options={"episode": "deal"}, wishes=(*ENTRADA, "0 PLAY ?"), start=G,
    ),
    "kon_fed": Rule(
        "the letter of the source: in tour 2 the dealer feeds the kon alone (3)", kon_fed, "seed_000_rocambole",
        options={"episode": "deal", "start_tour": 2}, wishes=ENTRADA, start=G,
    ),
    "kon_taken": Rule(
        "tour 3: the kon joins the pot, and codille takes it (3)", kon_taken,
        options={"episode": "deal", "start_tour": 3}, wishes=ENTRADA, start={"dealer": 2, "pot": 6, "kon": 40},
    ),
    "part": Rule(
        "a part: three tours, the dealer going round, the kon played for until it is taken (3)", whole_part,
        wishes=("* AUCTION ?",),
    ),
}  # fmt: skip
