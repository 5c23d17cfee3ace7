"""Bouillotte twin: packs, options, presets, names of actions, the ladder (bouillotte.md 2, 4, 8; brelan.md 2, 8)."""

from __future__ import annotations

RANKS = "AKQJT9876"  # high to low inside a suit
SUITS = "SHDC"
VALUES = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7, "6": 6}

# ------------------------------------------------------------------ actions (section 4)

WORDS = ("PASS", "FOLD", "CALL", "NO_CARRE", "CARRE", "TALON_FIRST", "TALON_LAST")
STAKE = len(WORDS) - 1  # STAKE_TO t has the number STAKE + t
RUNGS = 8  # of the ladder: numbers 7..14

PHASES = ("BLIND", "OPENING", "BETTING", "TALON", "END")
ENDS = ("pass_out", "carre_take", "uncontested", "showdown")


def stake_to(t: int) -> str:
    return f"STAKE_TO {t}"


def staked(name: str) -> int | None:
    """The t of STAKE_TO t, None for the other actions."""
    return int(name.removeprefix("STAKE_TO ")) if name.startswith("STAKE_TO ") else None


def action_id(name: str) -> int:
    """Flat number among 7 + S."""
    t = staked(name)
    return WORDS.index(name) if t is None else STAKE + t


def action_name(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else stake_to(number - STAKE)


def ladder_targets(lo: int, hi: int, pot: int, need: int, stack: int, stake: int) -> list[int | None]:
    """4.8: the stake of each of the rungs 7..14, None where a lower rung has the same."""
    wished = (
        lo,
        lo + 4,
        lo + 9,
        lo - 1 + (pot + need + 1) // 2,
        lo - 1 + pot + need,
        lo - 1 + 2 * (pot + need),
        stake + (stack + 1) // 2,
        hi,
    )
    clamped = [min(max(t, lo), hi) for t in wished]
    return [None if t in clamped[:rung] else t for rung, t in enumerate(clamped)]


# ------------------------------------------------------------------ options (section 8)

CHOICES = {
    "direction": ("right", "left"),
    "ante_mode": ("dealer", "all", "all_plus_dealer"),
    "pass_out": ("add", "double"),
    "carre_mode": ("none", "optional", "forced_first", "dealer_ante"),
    "open_min": ("match", "pot"),
    "mistigri_pair": ("any", "same_colour"),
    "mistigri_card": ("QC", "JC", "by_pack"),
    "st_james_pair": ("same_colour", "any"),
    "favori_rule": ("off", "queen_turned", "declared_rank", "pair_retourne"),
    "favori_rank": tuple(RANKS),
    "carre_anglais": ("off", "auto_first", "choice"),
    "brelan_order": ("ace_high", "jack_high"),
    "point_rule": ("collect", "parlett", "own_hand"),
    "brelan_payers": ("all", "live"),
    "brelan_cross": ("higher_exempt", "cancel", "all_pay"),
    "brelan_scope": ("always", "showdown", "off"),
    "dealer_rotation": ("next", "vis_a_vis"),
    "bust_rule": ("recave", "eliminate"),
    "stack_policy": ("carry", "reset"),
    "topup": ("none", "to_cave"),
    "episode": ("deal", "coup", "session"),
    "action_abstraction": ("none", "ladder"),
}
POSITIVE = ("cave", "stake_cap", "raise_min", "session_deals", "coup_max_deals")  # the other numbers may be 0

DEFAULTS = {
    "players": 4,
    "ranks": "AKQ98",
    "direction": "right",
    "cave": 30,
    "stake_cap": 60,
    "ante": 1,
    "ante_mode": "dealer",
    "pass_out": "add",
    "carre_mode": "optional",
    "carre_max": 2,
    "carre_buyback": False,
    "open_min": "match",
    "passe_parole": True,
    "raise_min": 1,
    "raise_increment_max": 0,
    "max_raises": 0,
    "pass_fee": 0,
    "raise_fee": 0,
    "callers_may_reopen": False,
    "tapissier_threshold": 1,
    "brelan_enabled": True,
    "mistigri": False,
    "mistigri_pair": "any",
    "mistigri_card": "QC",
    "saint_james": False,
    "st_james_pair": "same_colour",
    "favori_rule": "off",
    "favori_rank": "Q",
    "carre_anglais": "auto_first",
    "brelan_order": "ace_high",
    "point_rule": "collect",
    "retourne_counts": True,
    "brelan_locks_cards": False,
    "pay_simple": 1,
    "pay_favori": 2,
    "pay_carre": 4,
    "pay_mistigri": 1,
    "pay_mistigri_carre": 2,
    "pay_st_james": 2,
    "pay_st_james_carre": 4,
    "brelan_payers": "all",
    "brelan_cross": "higher_exempt",
    "brelan_scope": "always",
    "dealer_rotation": "next",
    "bust_rule": "recave",
    "stack_policy": "carry",
    "topup": "none",
    "stack_max": 0,
    "episode": "deal",
    "session_deals": 20,
    "coup_max_deals": 20,
    "action_abstraction": "none",
}

OLD = {"players": 5, "ranks": "AKQJT98", "direction": "left", "favori_rule": "queen_turned", "topup": "to_cave"}
LITERAL = {
    "pass_out": "double",
    "open_min": "pot",
    "retourne_counts": False,
    "dealer_rotation": "vis_a_vis",
    "carre_anglais": "choice",
}
MODERN = {"tapissier_threshold": 0, "carre_anglais": "off", "retourne_counts": False}

BOUILLOTTE = {
    "bouillotte4": {},
    "bouillotte3": {"players": 3, "ranks": "AK98", "direction": "left"},
    "bouillotte5": {"players": 5, "ranks": "AKQJ98"},
    "bouillotte2": {"players": 2},
    "mini": {"players": 2, "ranks": "AK98", "cave": 5, "stake_cap": 5},
    "forced_carre": {"carre_mode": "dealer_ante"},
    "brelan_mistigri": {"mistigri": True, "mistigri_pair": "any"},
    "saint_james": {"players": 5, "ranks": "AKQJ98", "mistigri": True, "saint_james": True},
    "without_brelan": {"brelan_enabled": False, "raise_increment_max": 30, "stack_max": 60},
    "old_bouillotte": {**OLD, "ante_mode": "all"},
    "old_bouillotte_literal": {**OLD, "ante_mode": "dealer", "pass_fee": 1, "raise_fee": 1},
    "seed_literal4": {**LITERAL, "players": 4, "ranks": "AKQT8"},
    "seed_literal3": {**LITERAL, "players": 3, "ranks": "AKT8", "direction": "left"},
    "seed_literal5": {**LITERAL, "players": 5, "ranks": "AKQJT8"},
    "pagat": {
        **MODERN,
        "cave": 100,
        "stake_cap": 100,
        "ante_mode": "all_plus_dealer",
        "carre_max": 4,
        "carre_buyback": True,
        "callers_may_reopen": True,
        "brelan_cross": "cancel",
        "brelan_scope": "showdown",
    },
    "parlett": {**MODERN, "ante_mode": "all", "carre_mode": "none", "point_rule": "parlett", "brelan_scope": "showdown"},
    "britannica": {
        **MODERN,
        "ante_mode": "all",
        "point_rule": "own_hand",
        "favori_rule": "pair_retourne",
        "brelan_scope": "off",
    },
}

FAMILY = {
    **MODERN,
    "carre_mode": "none",
    "open_min": "pot",
    "favori_rule": "declared_rank",
    "favori_rank": "J",
    "brelan_locks_cards": True,
    "bust_rule": "recave",
}
BRELAN = {
    "brelan5": {**FAMILY, "players": 5, "ranks": "AKQJT987"},
    "brelan4": {**FAMILY, "players": 4, "ranks": "AKQJT987"},
    "brelan3": {**FAMILY, "players": 3, "ranks": "AKQJT987"},
    "brelan2": {**FAMILY, "players": 2, "ranks": "AKQJT987"},
    "brelan24": {**FAMILY, "players": 4, "ranks": "AKQJT9"},
    "brelan28": {**FAMILY, "players": 5, "ranks": "AKQJT98"},
    "brelan36": {**FAMILY, "players": 5, "ranks": "AKQJT9876"},
    "brelan_jacks": {
        **FAMILY,
        "players": 5,
        "ranks": "AKQJT987",
        "brelan_order": "jack_high",
        "mistigri": True,
        "saint_james": True,
        "st_james_pair": "any",
    },
}

PRESETS = BOUILLOTTE | BRELAN


def make_options(preset: str = "bouillotte4", changes=None) -> dict:
    """All options of section 8. ValueError for an unknown name, a wrong value, or options that do not go together."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}")
    options = DEFAULTS | PRESETS[preset]
    for name, value in (changes or {}).items():
        if name not in DEFAULTS:
            raise ValueError(f"unknown option {name!r}")
        options[name] = value
    for name, value in options.items():
        check_value(name, value)
    if not 2 <= options["players"] <= 5:
        raise ValueError("2 to 5 players")
    if 4 * len(options["ranks"]) < 3 * options["players"] + 1:
        raise ValueError("too few cards for so many players")
    if options["mistigri"] and options["saint_james"] and mistigri_of(options) == "JC":
        raise ValueError("the jack of clubs cannot be mistigri and Saint-James at once")  # 5.1
    return options


def check_value(name: str, value) -> None:
    if name == "ranks":
        fits = isinstance(value, str) and value == "".join(rank for rank in RANKS if rank in value)
    elif name in CHOICES:
        fits = value in CHOICES[name]
    elif isinstance(DEFAULTS[name], bool):
        fits = isinstance(value, bool)
    else:
        fits = type(value) is int and value >= (name in POSITIVE)
    if not fits:
        raise ValueError(f"{name}={value!r}")


def mistigri_of(options: dict) -> str | None:
    """The card that is mistigri (whether or not the option is on); it need not be in the pack."""
    if options["mistigri_card"] != "by_pack":
        return options["mistigri_card"]
    return next((rank + "C" for rank in "QJ" if rank in options["ranks"]), None)


# ------------------------------------------------------------------ cards (sections 2 and 3)


def pack(options: dict) -> list[str]:
    return [rank + suit for suit in SUITS for rank in options["ranks"]]


def seats_after(options: dict, seat: int, seats) -> list[int]:
    """The seats in play in turn: next(seat), ..., and seat itself last if it is in play (section 3)."""
    step = 1 if options["direction"] == "right" else -1
    players = options["players"]
    turn = [(seat + step * n) % players for n in range(1, players + 1)]
    return [other for other in turn if other in seats]


def deal_cards(deck, order) -> tuple[dict[int, tuple[str, ...]], str, list[str]]:
    """(hands by seat, retourne, talon with its first card first): one card at a time, three rounds."""
    count = len(order)
    hands = {seat: tuple(deck[place + count * turn] for turn in range(3)) for place, seat in enumerate(order)}
    return hands, deck[3 * count], list(deck[3 * count + 1 :])


def make_deck(options: dict, order, hands=None, retourne=None, talon=()) -> list[str]:
    """A deck that deals these cards: `hands` by seat (list or dict); what is not given is filled up from the pack."""
    given = {seat: list(hands[seat]) if hands else [] for seat in order}
    used = {card for hand in given.values() for card in hand} | {retourne, *talon}
    rest = [card for card in pack(options) if card not in used]
    for hand in given.values():
        while len(hand) < 3:
            hand.append(rest.pop(0))
    retourne = retourne or rest.pop(0)
    return [given[seat][turn] for turn in range(3) for seat in order] + [retourne, *talon, *rest]
