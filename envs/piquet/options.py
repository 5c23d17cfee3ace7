"""The options of piquet, the presets, and the options flattened for the kernels (spec sections 4.1 and 8)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.options import choice, integer, integers, switch

EXCHANGES = ("0,3-5", "1-5", "1-rest", "0-rest")
LEFT_VIEWS = ("private", "elder_names_suit", "look")
PRIVATE, NAMES, LOOKS = range(3)  # rules["left_view"]
REPIQUE_BLOCKS = ("any_points", "precedence", "any_stop")
MATCHES = ("korolik", "rubicon", "cent")
KOROLIK_DEALERS = ("draw_alternate", "draw_same", "rotate")
REFAIT_MODES = ("scale", "add20", "none")


@dataclass(frozen=True)
class Options:
    """Options of section 8; the defaults are the preset `korolik`, with one deal as the episode."""

    elder_exchange: str = choice(*EXCHANGES)
    younger_exchange: str = choice(*EXCHANGES)
    younger_left_view: str = choice(*LEFT_VIEWS)
    younger_declares: str = choice("before_lead", "after_lead")
    declaration_mode: str = choice("strategic", "auto")
    understate_sets: bool = switch(True)
    show_equal: bool = switch(False)
    point_min_len: int = integer(3, 1, 8)
    point_counter: str = choice("later", "at_once")
    carte_blanche: int = integer(10, 0, 1000)
    carte_blanche_when: str = choice("dealt", "final")
    seq_scores: tuple[int, ...] = integers(3, 4, 15, 16, 17, 18, high=1000)
    red_hand: int = integer(0, 0, 1000)
    full_hand: int = integer(0, 0, 1000)
    play_count: str = choice("lead_or_capture", "lead_and_trick")
    last_trick_extra: int = integer(3, 0, 1000)
    cards_bonus: int = integer(10, 0, 1000)
    capot_closed: int = integer(40, 0, 1000)
    capot_open: int = integer(80, 0, 1000)
    open_capot_fail: int = integer(40, 0, 1000)
    capot_excludes_last_extra: bool = switch(True)
    repique_block: str = choice(*REPIQUE_BLOCKS)
    pique_block: str = choice("hand_and_play", "hand_only")
    repique_at: int = integer(30, 1, 1000)
    pique_at: int = integer(30, 1, 1000)
    repique_bonus: int = integer(60, 0, 1000)
    pique_bonus: int = integer(30, 0, 1000)
    match: str = choice(*MATCHES)
    koroliks_per_partie: int = integer(2, 1, 100)
    korolik_dealer: str = choice(*KOROLIK_DEALERS)
    refait_mode: str = choice(*REFAIT_MODES)
    refait_margin: int = integer(0, 0, 1000)
    refait_on: str = choice("any", "korolik")
    refait_carry_in: int = integer(0, 0, 100)
    through_bonus: int = integer(100, 0, 10_000)
    cent_target: int = integer(100, 1, 10_000)
    episode: str = choice("deal", "partie")


_ENGLISH: dict[str, Any] = {
    "elder_exchange": "1-5",
    "younger_left_view": "look",
    "younger_declares": "after_lead",
    "show_equal": True,
    "last_trick_extra": 1,
    "capot_open": 0,
    "capot_excludes_last_extra": False,
    "repique_block": "precedence",
}

PRESETS: dict[str, dict[str, Any]] = {
    "korolik": {},
    "korolik_literal": {
        "point_counter": "at_once",
        "carte_blanche_when": "final",
        "seq_scores": (13, 14, 15, 16, 17, 18),
        "open_capot_fail": 0,
        "pique_block": "hand_only",
        "korolik_dealer": "draw_same",
    },
    "salon": {
        "elder_exchange": "1-5",
        "younger_exchange": "1-rest",
        "younger_left_view": "elder_names_suit",
        "younger_declares": "after_lead",
        "red_hand": 30,
        "full_hand": 20,
        "capot_excludes_last_extra": False,
    },
    "rubicon": {**_ENGLISH, "younger_exchange": "1-rest", "match": "rubicon"},
    "cent": {**_ENGLISH, "younger_exchange": "0-rest", "match": "cent"},
}

RULES = np.dtype(
    [
        ("exchange_zero", np.int64, (2,)),  # elder, younger: 1 = none may be exchanged
        ("exchange_low", np.int64, (2,)),
        ("exchange_high", np.int64, (2,)),
        ("left_view", np.int64),  # index in LEFT_VIEWS
        ("after_lead", np.int64),
        ("auto", np.int64),
        ("understate", np.int64),
        ("show_equal", np.int64),
        ("point_min", np.int64),
        ("at_once", np.int64),
        ("blank_points", np.int64),
        ("blank_final", np.int64),
        ("seq_scores", np.int64, (9,)),  # by number of cards
        ("red_hand", np.int64),
        ("full_hand", np.int64),
        ("lead_and_trick", np.int64),
        ("last_extra", np.int64),
        ("cards_bonus", np.int64),
        ("capot_closed", np.int64),
        ("capot_open", np.int64),
        ("capot_fail", np.int64),
        ("capot_excludes_extra", np.int64),
        ("repique_block", np.int64),  # index in REPIQUE_BLOCKS
        ("pique_hand_only", np.int64),
        ("repique_at", np.int64),
        ("pique_at", np.int64),
        ("repique_bonus", np.int64),
        ("pique_bonus", np.int64),
        ("match", np.int64),  # index in MATCHES
        ("koroliks", np.int64),
        ("korolik_dealer", np.int64),  # index in KOROLIK_DEALERS
        ("refait_mode", np.int64),  # index in REFAIT_MODES
        ("refait_margin", np.int64),
        ("refait_korolik_only", np.int64),
        ("carry_in", np.int64),
        ("through_bonus", np.int64),
        ("cent_target", np.int64),
        ("partie", np.int64),
    ]
)
_SIZES = {"0,3-5": (1, 3, 5), "1-5": (0, 1, 5), "1-rest": (0, 1, 8), "0-rest": (1, 1, 8)}  # zero, low, high


def flatten(options: Options) -> NDArray[Any]:
    """The options as one RULES record, shape (1,)."""
    rules = np.zeros(1, RULES)
    r = rules[0]
    for who, exchange in enumerate((options.elder_exchange, options.younger_exchange)):
        r["exchange_zero"][who], r["exchange_low"][who], r["exchange_high"][who] = _SIZES[exchange]
    r["seq_scores"][3:] = options.seq_scores
    r["left_view"] = LEFT_VIEWS.index(options.younger_left_view)
    r["after_lead"] = options.younger_declares == "after_lead"
    r["auto"] = options.declaration_mode == "auto"
    r["at_once"] = options.point_counter == "at_once"
    r["blank_final"] = options.carte_blanche_when == "final"
    r["lead_and_trick"] = options.play_count == "lead_and_trick"
    r["repique_block"] = REPIQUE_BLOCKS.index(options.repique_block)
    r["pique_hand_only"] = options.pique_block == "hand_only"
    r["match"] = MATCHES.index(options.match)
    r["korolik_dealer"] = KOROLIK_DEALERS.index(options.korolik_dealer)
    r["refait_mode"] = REFAIT_MODES.index(options.refait_mode)
    r["refait_korolik_only"] = options.refait_on == "korolik"
    r["partie"] = options.episode == "partie"
    for rule, option in _SAME.items():
        r[rule] = getattr(options, option)
    return rules


_SAME = {
    "understate": "understate_sets",
    "show_equal": "show_equal",
    "point_min": "point_min_len",
    "blank_points": "carte_blanche",
    "red_hand": "red_hand",
    "full_hand": "full_hand",
    "last_extra": "last_trick_extra",
    "cards_bonus": "cards_bonus",
    "capot_closed": "capot_closed",
    "capot_open": "capot_open",
    "capot_fail": "open_capot_fail",
    "capot_excludes_extra": "capot_excludes_last_extra",
    "repique_at": "repique_at",
    "pique_at": "pique_at",
    "repique_bonus": "repique_bonus",
    "pique_bonus": "pique_bonus",
    "koroliks": "koroliks_per_partie",
    "refait_margin": "refait_margin",
    "carry_in": "refait_carry_in",
    "through_bonus": "through_bonus",
    "cent_target": "cent_target",
}
