"""The options of ombre, the presets, and the options flattened for the kernels (spec section 8).

RULES has the tours of rocambole too (`parts` 0: there are none), which is this game under other stakes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import UnknownName
from ..engine.options import choice, integer, integers, switch
from .state import MOST_DEALS

BIDS = ("E,V,S", "E,V", "E,S", "V,S", "E", "V", "S")  # ENTRADA, VUELTA, SOLO
ALL_PASS = ("casco", "pass_out", "spadille", "casco_then_spadille")
PLAY_CASCO, PASS_OUT, SPADILLE, CASCO_THEN_SPADILLE = range(4)  # rules["all_pass"]
ANTE_MODES = ("all_when_empty", "all_every_deal", "dealer_every_deal")
WHEN_EMPTY, EVERY_DEAL, DEALER_ALONE = range(3)  # rules["ante_mode"]
SURRENDERS = ("none", "before_trick2_covered", "before_trick4_card")
NEVER, BEFORE_TRICK_2, BEFORE_TRICK_4 = range(3)  # rules["surrender"]
NOT_GIVEN = -1


@dataclass(frozen=True)
class DealOptions:
    """Options of section 8 that rule a deal; the defaults are the preset `default`."""

    bids: str = choice(*BIDS)
    auction: str = choice("hold", "one_round")
    all_pass: str = choice(*ALL_PASS)
    casco_lesser_keep: str = choice("black_ace", "any")
    min_exchange_ombre: int = integer(1, 0, 1)
    max_exchange: int = integer(9, 8, 9)
    second_leave_min: int = integer(0, 0, 13)
    handover: bool = switch(True)
    defenders_exchange: bool = switch(True)
    solo_defenders_exchange: bool = switch(True)
    talon_rest: str = choice("hidden", "last_may_show")
    ante_mode: str = choice(*ANTE_MODES)
    ante: int = integer(3)
    dealer_ante: int = integer(4)
    paid_pass: int = integer(0)
    paid_pass_casco: bool = switch(False)
    pass_out_each: int = integer(2)
    bete_rule: str = choice("pot", "fixed")
    bete_cap: int = integer(54, 0, 1_000_000)
    bete_min: int = integer(0)
    bete_fixed: int = integer(NOT_GIVEN, NOT_GIVEN)
    bete_pool: str = choice("merged", "queue")
    codille_award: str = choice("pot", "none")
    prem: tuple[int, ...] = integers(0, 1, 3, 0, 1)
    matador_premium: bool = switch(True)
    first_five_stop: bool = switch(True)
    premiers_value: int = integer(1)
    vole_value: int = integer(6)
    vole_defenders_see: bool = switch(False)
    surrender: str = choice(*SURRENDERS)
    seat_draw: str = choice("fixed", "spadille")
    stop_when_decided: bool = switch(False)
    start_pot: int = integer(0, 0, 1_000_000)

    def __post_init__(self) -> None:
        if self.bete_rule == "fixed" and self.bete_fixed == NOT_GIVEN:
            raise UnknownName("bete_rule='fixed' needs the option bete_fixed, an integer from 0")


@dataclass(frozen=True)
class Options(DealOptions):
    """Options of section 8, with one deal as the episode."""

    partie_deals: int = integer(12, 3, MOST_DEALS)
    episode: str = choice("deal", "partie")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.partie_deals % 3:
            raise UnknownName(f"option partie_deals takes a multiple of 3, not {self.partie_deals}")


_FRENCH: dict[str, Any] = {
    "bids": "E,S",
    "min_exchange_ombre": 0,
    "max_exchange": 8,
    "second_leave_min": 5,
    "handover": False,
    "talon_rest": "last_may_show",
    "bete_cap": 0,
    "bete_pool": "queue",
    "premiers_value": 0,
    "vole_defenders_see": True,
}

PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "seed_000": {
        "handover": False,
        "pass_out_each": 0,
        "codille_award": "none",
        "matador_premium": False,
        "first_five_stop": False,
        "premiers_value": 0,
        "vole_value": 0,
        "seat_draw": "spadille",
    },
    "french": {**_FRENCH, "all_pass": "pass_out"},
    "espadille_force": {**_FRENCH, "all_pass": "spadille"},
    "tresillo": {"all_pass": "pass_out", "prem": (1, 2, 3, 0, 1), "surrender": "before_trick4_card"},
}

RULES = np.dtype(
    [
        ("bids", np.int64),  # bit l - 1: level l may be bid
        ("one_round", np.int64),
        ("all_pass", np.int64),  # index in ALL_PASS
        ("keep_any", np.int64),
        ("min_exchange", np.int64),
        ("max_exchange", np.int64),
        ("leave_min", np.int64),
        ("handover", np.int64),
        ("defenders_exchange", np.int64),
        ("solo_defenders_exchange", np.int64),
        ("may_look", np.int64),
        ("ante_mode", np.int64),  # index in ANTE_MODES
        ("ante", np.int64),
        ("dealer_ante", np.int64),
        ("paid_pass", np.int64),
        ("paid_pass_casco", np.int64),
        ("pass_out_each", np.int64),
        ("bete_fixed", np.int64),  # NOT_GIVEN: as large as the pot
        ("bete_cap", np.int64),  # 0: none
        ("bete_min", np.int64),
        ("queue", np.int64),
        ("codille_pot", np.int64),
        ("prem", np.int64, (5,)),  # by contract
        ("matador_premium", np.int64),
        ("first_five_stop", np.int64),
        ("premiers_value", np.int64),
        ("vole_value", np.int64),
        ("vole_see", np.int64),
        ("surrender", np.int64),  # index in SURRENDERS
        ("spadille_deals", np.int64),  # 1 = seat 0 is the first dealer
        ("deals", np.int64),  # of an episode
        ("stop_when_decided", np.int64),
        ("start_pot", np.int64),
        ("parts", np.int64),  # of rocambole; 0: no tours
        ("start_tour", np.int64),
        ("start_kon", np.int64),
        ("tour1_single", np.int64),  # the tricks of one deal count, not those of all
        ("tour1_tricks", np.int64),
        ("most_deals", np.int64, (3,)),  # of each tour
        ("kon_contribution", np.int64),
        ("kon_only", np.int64),
        ("until_taken", np.int64),  # tour 3 goes on
    ]
)


def flatten(options: Options) -> NDArray[Any]:
    """The options as one RULES record, shape (1,)."""
    rules = flatten_deal(options)
    r = rules[0]
    if options.episode == "partie":
        r["deals"], r["start_pot"] = options.partie_deals, 0
    return rules


def flatten_deal(options: DealOptions) -> NDArray[Any]:
    """What rules a deal, as a RULES record of an episode of one."""
    rules = np.zeros(1, RULES)
    r = rules[0]
    r["bids"] = sum(1 << "EVS".index(letter) for letter in options.bids.split(","))
    r["one_round"] = options.auction == "one_round"
    r["all_pass"] = ALL_PASS.index(options.all_pass)
    r["keep_any"] = options.casco_lesser_keep == "any"
    r["may_look"] = options.talon_rest == "last_may_show"
    r["ante_mode"] = ANTE_MODES.index(options.ante_mode)
    r["bete_fixed"] = options.bete_fixed if options.bete_rule == "fixed" else NOT_GIVEN
    r["queue"] = options.bete_pool == "queue"
    r["codille_pot"] = options.codille_award == "pot"
    r["prem"] = options.prem
    r["surrender"] = SURRENDERS.index(options.surrender)
    r["spadille_deals"] = options.seat_draw == "spadille"
    r["deals"] = 1
    for rule, option in _SAME.items():
        r[rule] = getattr(options, option)
    return rules


_SAME = {
    "min_exchange": "min_exchange_ombre",
    "max_exchange": "max_exchange",
    "leave_min": "second_leave_min",
    "handover": "handover",
    "defenders_exchange": "defenders_exchange",
    "solo_defenders_exchange": "solo_defenders_exchange",
    "ante": "ante",
    "dealer_ante": "dealer_ante",
    "paid_pass": "paid_pass",
    "paid_pass_casco": "paid_pass_casco",
    "pass_out_each": "pass_out_each",
    "bete_cap": "bete_cap",
    "bete_min": "bete_min",
    "matador_premium": "matador_premium",
    "first_five_stop": "first_five_stop",
    "premiers_value": "premiers_value",
    "vole_value": "vole_value",
    "vole_see": "vole_defenders_see",
    "stop_when_decided": "stop_when_decided",
    "start_pot": "start_pot",
}
