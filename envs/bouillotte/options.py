"""The options of bouillotte, the presets, and the options flattened for the kernels (spec section 8).

Brelan has the same options; its presets stand in envs/brelan.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import UnknownName
from ..engine.options import choice, integer, letters, switch
from . import state as st
from .actions import ACTIONS, CARDS, LADDER, MOST_STAKE, RANKS

LARGEST = 1_000_000  # of an amount that an option states
ANTE_MODES = ("dealer", "all", "all_plus_dealer")
DEALER_ANTE, ALL_ANTE, ALL_PLUS_DEALER = range(3)  # rules["ante_mode"]
CARRE_MODES = ("optional", "none", "forced_first", "dealer_ante")
OPTIONAL, NO_CARRE, FORCED_FIRST, DEALER_CARRE = range(4)  # rules["carre_mode"]
TALON_MODES = ("auto_first", "off", "choice")
AUTO_FIRST, NO_TALON, CHOICE = range(3)  # rules["talon"]
FAVORI_RULES = ("off", "queen_turned", "declared_rank", "pair_retourne")
NO_FAVORI, QUEEN_TURNED, DECLARED_RANK, PAIR_RETOURNE = range(4)  # rules["favori"]
POINT_RULES = ("collect", "parlett", "own_hand")
COLLECT, PARLETT, OWN_HAND = range(3)  # rules["point"]
CROSS_RULES = ("higher_exempt", "cancel", "all_pay")
HIGHER_EXEMPT, CANCEL, ALL_PAY = range(3)  # rules["cross"]
SCOPES = ("always", "showdown", "off")
ALWAYS, AT_SHOWDOWN, NEVER = range(3)  # rules["scope"]
EPISODES = ("deal", "coup", "session")
DEAL, COUP, SESSION = range(3)  # rules["episode"]
ACE_HIGH, JACK_HIGH = RANKS, "JAKQT9876"  # brelans, best first


@dataclass(frozen=True)
class Options:
    """Options of section 8; the defaults are the preset `bouillotte4`, with one deal as the episode."""

    players: int = integer(4, 2, st.SEATS)
    ranks: str = letters("AKQ98", RANKS)
    direction: str = choice("right", "left")
    cave: int = integer(30, 1, LARGEST)
    stake_cap: int = integer(60, 1, MOST_STAKE)
    ante: int = integer(1, 0, MOST_STAKE)
    ante_mode: str = choice(*ANTE_MODES)
    pass_out: str = choice("add", "double")
    carre_mode: str = choice(*CARRE_MODES)
    carre_max: int = integer(2, 0, st.MOST_CARRES)
    carre_buyback: bool = switch(False)
    open_min: str = choice("match", "pot")
    passe_parole: bool = switch(True)
    raise_min: int = integer(1, 1, MOST_STAKE)
    raise_increment_max: int = integer(0, 0, MOST_STAKE)
    max_raises: int = integer(0, 0, MOST_STAKE)
    pass_fee: int = integer(0, 0, MOST_STAKE)
    raise_fee: int = integer(0, 0, MOST_STAKE)
    callers_may_reopen: bool = switch(False)
    tapissier_threshold: int = integer(1, 0, LARGEST)
    brelan_enabled: bool = switch(True)
    mistigri: bool = switch(False)
    mistigri_pair: str = choice("any", "same_colour")
    mistigri_card: str = choice("QC", "JC", "by_pack")
    saint_james: bool = switch(False)
    st_james_pair: str = choice("same_colour", "any")
    favori_rule: str = choice(*FAVORI_RULES)
    favori_rank: str = choice("Q", *RANKS.replace("Q", ""))
    carre_anglais: str = choice(*TALON_MODES)
    brelan_order: str = choice("ace_high", "jack_high")
    point_rule: str = choice(*POINT_RULES)
    retourne_counts: bool = switch(True)
    brelan_locks_cards: bool = switch(False)
    pay_simple: int = integer(1, 0, LARGEST)
    pay_favori: int = integer(2, 0, LARGEST)
    pay_carre: int = integer(4, 0, LARGEST)
    pay_mistigri: int = integer(1, 0, LARGEST)
    pay_mistigri_carre: int = integer(2, 0, LARGEST)
    pay_st_james: int = integer(2, 0, LARGEST)
    pay_st_james_carre: int = integer(4, 0, LARGEST)
    brelan_payers: str = choice("all", "live")
    brelan_cross: str = choice(*CROSS_RULES)
    brelan_scope: str = choice(*SCOPES)
    dealer_rotation: str = choice("next", "vis_a_vis")
    bust_rule: str = choice("recave", "eliminate")
    stack_policy: str = choice("carry", "reset")
    topup: str = choice("none", "to_cave")
    stack_max: int = integer(0, 0, LARGEST)
    session_deals: int = integer(20, 1, 1000)
    coup_max_deals: int = integer(20, 1, 1000)
    action_abstraction: str = choice("none", "ladder")
    episode: str = choice(*EPISODES)

    def __post_init__(self) -> None:
        needed = 3 * self.players + 1
        if 4 * len(self.ranks) < needed:
            raise UnknownName(f"{self.players} players need {needed} cards: ranks={self.ranks!r} are {4 * len(self.ranks)}")
        if self.mistigri and self.saint_james and mistigri_of(self) == "JC":
            raise UnknownName("the jack of clubs cannot be mistigri and Saint-James at once: mistigri_card or saint_james")
        brought = self.players * self.cave * most_deals(self)
        if brought > st.MOST_JETONS:
            told = f"{self.players} players, cave={self.cave} and {most_deals(self)} deals could bring {brought} jetons"
            raise UnknownName(f"{told}, more than {st.MOST_JETONS}")


def most_deals(options: Options) -> int:
    """How many deals an episode can have."""
    return {"deal": 1, "coup": options.coup_max_deals, "session": options.session_deals}[options.episode]


def mistigri_of(options: Options) -> str | None:
    """The card that is mistigri (5.1), in the pack or not; None where the pack is asked and has neither."""
    if options.mistigri_card != "by_pack":
        return options.mistigri_card
    return next((rank + "C" for rank in "QJ" if rank in options.ranks), None)


_FIVE: dict[str, Any] = {"players": 5, "ranks": "AKQJ98"}
_OLD: dict[str, Any] = {
    "players": 5,
    "ranks": "AKQJT98",
    "direction": "left",
    "favori_rule": "queen_turned",
    "topup": "to_cave",
}
_LITERAL: dict[str, Any] = {
    "pass_out": "double",
    "open_min": "pot",
    "retourne_counts": False,
    "dealer_rotation": "vis_a_vis",
    "carre_anglais": "choice",
}
_MODERN: dict[str, Any] = {"retourne_counts": False, "tapissier_threshold": 0, "carre_anglais": "off"}

PRESETS: dict[str, dict[str, Any]] = {
    "bouillotte4": {},
    "bouillotte3": {"players": 3, "ranks": "AK98", "direction": "left"},
    "bouillotte5": _FIVE,
    "bouillotte2": {"players": 2},
    "mini": {"players": 2, "ranks": "AK98", "cave": 5, "stake_cap": 5},
    "forced_carre": {"carre_mode": "dealer_ante"},
    "brelan_mistigri": {"mistigri": True},
    "saint_james": {**_FIVE, "mistigri": True, "saint_james": True},
    "without_brelan": {"brelan_enabled": False, "raise_increment_max": 30, "stack_max": 60},
    "old_bouillotte": {**_OLD, "ante_mode": "all"},
    "old_bouillotte_literal": {**_OLD, "pass_fee": 1, "raise_fee": 1},
    "seed_literal4": {**_LITERAL, "ranks": "AKQT8"},
    "seed_literal3": {**_LITERAL, "players": 3, "ranks": "AKT8", "direction": "left"},
    "seed_literal5": {**_LITERAL, "players": 5, "ranks": "AKQJT8"},
    "pagat": {
        **_MODERN,
        "cave": 100,
        "stake_cap": 100,
        "ante_mode": "all_plus_dealer",
        "carre_max": 4,
        "carre_buyback": True,
        "callers_may_reopen": True,
        "brelan_cross": "cancel",
        "brelan_scope": "showdown",
    },
    "parlett": {**_MODERN, "ante_mode": "all", "carre_mode": "none", "point_rule": "parlett", "brelan_scope": "showdown"},
    "britannica": {
        **_MODERN,
        "ante_mode": "all",
        "point_rule": "own_hand",
        "favori_rule": "pair_retourne",
        "brelan_scope": "off",
    },
}

_NUMBERS = (  # options that stand in the rules as they are
    "players", "cave", "stake_cap", "ante", "carre_max", "carre_buyback", "passe_parole", "raise_min", "raise_increment_max",
    "max_raises", "pass_fee", "raise_fee", "callers_may_reopen", "tapissier_threshold", "brelan_enabled", "retourne_counts",
    "brelan_locks_cards", "stack_max", "pay_favori",
)  # fmt: skip
RULES = np.dtype(
    [
        *((name, np.int64) for name in _NUMBERS),
        ("step", np.int64),  # from a seat to the next, modulo players
        ("pack", np.int64),  # set of cards
        ("ante_mode", np.int64),  # index in ANTE_MODES
        ("double", np.int64),  # pass_out
        ("carre_mode", np.int64),  # index in CARRE_MODES
        ("open_pot", np.int64),  # open_min
        ("mistigri", np.int64),  # card, or NONE
        ("mistigri_colour", np.int64),  # its pair is of one colour
        ("st_james", np.int64),  # card, or NONE
        ("st_james_colour", np.int64),
        ("favori", np.int64),  # index in FAVORI_RULES
        ("favori_rank", np.int64),
        ("talon", np.int64),  # index in TALON_MODES
        ("order", np.int64, (len(RANKS),)),  # strength of brelans by rank
        ("pay", np.int64, (len(st.CATEGORIES),)),  # by category
        ("point", np.int64),  # index in POINT_RULES
        ("live_pay", np.int64),  # brelan_payers
        ("cross", np.int64),  # index in CROSS_RULES
        ("scope", np.int64),  # index in SCOPES
        ("vis_a_vis", np.int64),
        ("eliminate", np.int64),  # a seat without jetons leaves
        ("reset", np.int64),  # stack_policy
        ("topup", np.int64),
        ("episode", np.int64),  # index in EPISODES
        ("deals", np.int64),  # the most in an episode
        ("ladder", np.int64),
    ]
)


def flatten(options: Options) -> NDArray[Any]:
    """The options as one RULES record, shape (1,)."""
    rules = np.zeros(1, RULES)
    r = rules[0]
    for name in _NUMBERS:
        r[name] = getattr(options, name)
    r["step"] = 1 if options.direction == "right" else options.players - 1
    r["pack"] = sum(1 << card for card, name in enumerate(CARDS) if name[0] in options.ranks)
    r["double"] = options.pass_out == "double"
    r["open_pot"] = options.open_min == "pot"
    mistigri = mistigri_of(options) if options.mistigri else None
    r["mistigri"] = CARDS.index(mistigri) if mistigri else -1
    r["mistigri_colour"] = options.mistigri_pair == "same_colour"
    r["st_james"] = CARDS.index("JC") if options.saint_james else -1
    r["st_james_colour"] = options.st_james_pair == "same_colour"
    r["favori_rank"] = RANKS.index(options.favori_rank)
    best_first = ACE_HIGH if options.brelan_order == "ace_high" else JACK_HIGH
    r["order"] = [len(RANKS) - 1 - best_first.index(rank) for rank in RANKS]
    simple, carre = options.pay_simple, options.pay_carre
    wild = (options.pay_mistigri, options.pay_st_james, simple, options.pay_mistigri_carre, options.pay_st_james_carre)
    r["pay"] = (0, simple, *wild, carre)
    r["live_pay"] = options.brelan_payers == "live"
    r["vis_a_vis"] = options.dealer_rotation == "vis_a_vis"
    r["reset"] = options.stack_policy == "reset"
    r["eliminate"] = options.bust_rule == "eliminate" and options.stack_policy == "carry"
    r["topup"] = options.topup == "to_cave"
    r["deals"] = most_deals(options)
    r["ladder"] = options.action_abstraction == "ladder"
    for rule, (option, values) in _INDICES.items():
        r[rule] = values.index(getattr(options, option))
    return rules


_INDICES = {
    "ante_mode": ("ante_mode", ANTE_MODES),
    "carre_mode": ("carre_mode", CARRE_MODES),
    "favori": ("favori_rule", FAVORI_RULES),
    "talon": ("carre_anglais", TALON_MODES),
    "point": ("point_rule", POINT_RULES),
    "cross": ("brelan_cross", CROSS_RULES),
    "scope": ("brelan_scope", SCOPES),
    "episode": ("episode", EPISODES),
}


def choices(options: Options) -> tuple[str, ...]:
    """The names of what a seat chooses from: all stakes, or the rungs of the ladder (4.8)."""
    return LADDER if options.action_abstraction == "ladder" else ACTIONS
