"""The rules of brelan that golden records show; the players are those of bouillotte."""

from golden_bouillotte import ACES, CALLS, choose, deck, end_is, holds, layers, ledger, numbers, paid, point_shown
from golden_tool import Rule

from lomber.envs.bouillotte import state as st
from lomber.envs.bouillotte.actions import CARDS

__all__ = ["RULES", "choose", "deck", "ledger"]


def takes_the_passes(deal):
    """Two passes on the table and the dealer's own: the opening is at least 3."""
    least = [names[1] for _, names, _ in deal.decisions() if names[0] == "PASS"]
    return end_is(deal, st.UNCONTESTED) and least[0] == "STAKE_TO 3" and layers(deal) == [(6, 1)]


def passes_grow(*deals):
    """One, two, three passes; then somebody plays for them."""
    pots = [int(deal.states[0][0]["pot"]) for deal in deals]
    return pots == [1, 2, 3] and end_is(deals[-1], st.SHOWN)


def one_jeton_opens(deal):
    return deal.final["opener"] == 0 and deal.record.start["stacks"][0] == 1 and end_is(deal, st.SHOWN)


def favori(deal):
    """Jacks are paid double, and lose to aces."""
    return holds(deal, 1, "JS JH JD") and paid(deal).get((2, 1)) == 2 and layers(deal)[0][1] == 0 and (0, 1) not in paid(deal)


def quatrieme(deal):
    """The fourth jack is turned: paid as a quatrieme, not double."""
    return holds(deal, 1, "JS JH JD") and CARDS[deal.final["retourne"]] == "JC" and set(paid(deal).values()) == {4}


def locked(deal):
    """The cards of a folded brelan are carried off by nobody: the ace of spades alone is worth what the others have left."""
    return point_shown_beside_brelan(deal) and holds(deal, 2, "KS KH KD") and max(numbers(deal).values()) < 31


def point_shown_beside_brelan(deal):
    return end_is(deal, st.SHOWN) and bool(numbers(deal)) and int(deal.final["folded"]) & 4 > 0


def turned_card_uncounted(deal):
    """The ace turned adds nothing to its suit."""
    found = numbers(deal) if point_shown(deal) else {}
    return found.get(1) == 26 and holds(deal, 1, "TD 9D 7D") and CARDS[deal.final["retourne"]] == "AD" and len(found) == 2


def jacks_best(deal):
    return holds(deal, 0, ACES) and holds(deal, 1, "JS JH JD") and layers(deal)[0][1] == 1


G = {"dealer": 3}
JACKS = "JS JH JD"
CALLED = ("0 OPENING STAKE_TO", "1 BETTING CALL", "* BETTING FOLD")

RULES = {
    "takes_the_passes": Rule(
        "an opening is at least all passes on the table, and takes them unanswered (4)", takes_the_passes, "brelan4",
        wishes=("1 OPENING STAKE_TO 3", "* BETTING FOLD"), start={"dealer": 3, "carried": [1, 1, 0, 0]},
    ),
    "passes_grow": Rule(
        "each dealer adds his passe until somebody plays (4)", passes_grow, "brelan4", options={"episode": "coup", "cave": 6},
        wishes=("0 OPENING ?", CALLS),
    ),
    "one_jeton_opens": Rule(
        "one jeton may open, there is no tapissier (4)", one_jeton_opens, "brelan4", wishes=("0 OPENING STAKE_TO", CALLS),
        start={"dealer": 3, "stacks": [1, 30, 30, 30]},
    ),
    "favori": Rule(
        "a brelan of the declared rank is paid double (5)", favori, "brelan4", wishes=CALLED, cards={"0": ACES, "1": JACKS},
        start=G,
    ),
    "quatrieme": Rule(
        "a quatrieme is never doubled (5)", quatrieme, "brelan4", wishes=CALLED, cards={"1": JACKS, "retourne": "JC"}, start=G
    ),
    "locked": Rule(
        "the cards of a brelan are not carried off (5)", locked, "brelan4",
        wishes=("0 OPENING STAKE_TO 4", "2 BETTING FOLD", CALLS), cards={"0": "AS 8H 7H", "2": "KS KH KD"}, start=G,
    ),
    "turned_card_uncounted": Rule(
        "the turned card does not count for the point (5)", turned_card_uncounted, "brelan2",
        wishes=("0 OPENING STAKE_TO", CALLS), cards={"0": "AS KS 7H", "1": "TD 9D 7D", "retourne": "AD"}, start={"dealer": 1},
    ),
    "jacks_best": Rule(
        "by option jacks are the best brelan (8)", jacks_best, "brelan_jacks", wishes=CALLED,
        cards={"0": ACES, "1": JACKS}, start={"dealer": 4},
    ),
}  # fmt: skip
