"""The options of rocambole and its presets, laid over a deal of ombre (spec section 6)."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ..engine.options import choice, integer, switch
from ..ombre.options import PRESETS as OMBRE
from ..ombre.options import DealOptions, flatten_deal

MOST_PARTS, MOST_DEALS = 3, (12, 10, 5)  # deals of each tour


@dataclass(frozen=True)
class Options(DealOptions):
    """Options of section 6; the defaults are the preset `rocambole`, with one part as the episode."""

    ante_mode: str = choice("dealer_every_deal", "all_when_empty", "all_every_deal")
    paid_pass: int = integer(1)
    pass_out_each: int = integer(0)
    bete_cap: int = integer(24, 1, 1_000_000)  # betes join a pot that may wait for 81 deals: without a cap it would overflow
    bete_min: int = integer(4)
    bete_pool: str = choice("merged")  # betes go into the pot in every tour (section 3)
    surrender: str = choice("before_trick2_covered", "none", "before_trick4_card")
    parts: int = integer(MOST_PARTS, 1, MOST_PARTS)
    tour1_rule: str = choice("cumulative_tricks", "single_deal_tricks")
    tour1_tricks: int = integer(7, 1, 9)
    tour1_max_deals: int = integer(MOST_DEALS[0], 1, MOST_DEALS[0])
    tour2_deals: int = integer(MOST_DEALS[1], 1, MOST_DEALS[1])
    kon_contribution: int = integer(4)
    kon_rule: str = choice("both", "kon_only")
    tour3_until_taken: bool = switch(True)
    tour3_max_deals: int = integer(MOST_DEALS[2], 1, MOST_DEALS[2])
    start_tour: int = integer(1, 1, 3)
    start_kon: int = integer(0, 0, 1_000_000)
    episode: str = choice("part", "full", "deal")


PRESETS: dict[str, dict[str, Any]] = {
    "rocambole": {},
    "seed_000_rocambole": {
        **{name: value for name, value in OMBRE["seed_000"].items() if name != "pass_out_each"},
        "paid_pass_casco": True,
        "kon_rule": "kon_only",
    },
}


def flatten(options: Options) -> NDArray[Any]:
    """The options as one RULES record, shape (1,)."""
    rules = flatten_deal(options)
    r = rules[0]
    most = options.tour1_max_deals, options.tour2_deals, options.tour3_max_deals
    r["parts"] = options.parts if options.episode == "full" else 1
    r["start_tour"] = 1
    if options.episode == "deal":
        r["start_tour"], r["start_kon"] = options.start_tour, options.start_kon
    else:
        r["deals"], r["start_pot"] = r["parts"] * sum(most), 0
    r["tour1_single"] = options.tour1_rule == "single_deal_tricks"
    r["tour1_tricks"] = options.tour1_tricks
    r["most_deals"] = most
    r["kon_contribution"] = options.kon_contribution
    r["kon_only"] = options.kon_rule == "kon_only"
    r["until_taken"] = options.tour3_until_taken
    return rules
