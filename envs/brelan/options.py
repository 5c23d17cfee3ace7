"""The presets of brelan, and its defaults among the options of bouillotte (spec section 8)."""

from dataclasses import dataclass
from typing import Any

from ..bouillotte import options as bouillotte
from ..engine.options import choice, integer, letters, switch


@dataclass(frozen=True)
class Options(bouillotte.Options):
    """The options of bouillotte; the defaults are the preset `brelan5`, with one deal as the episode."""

    players: int = integer(5, 2, 5)
    ranks: str = letters("AKQJT987", bouillotte.RANKS)
    carre_mode: str = choice("none", "optional", "forced_first", "dealer_ante")
    open_min: str = choice("pot", "match")
    tapissier_threshold: int = integer(0, 0, bouillotte.LARGEST)
    carre_anglais: str = choice("off", "auto_first", "choice")
    favori_rule: str = choice("declared_rank", "off", "queen_turned", "pair_retourne")
    favori_rank: str = choice("J", *bouillotte.RANKS.replace("J", ""))
    retourne_counts: bool = switch(False)
    brelan_locks_cards: bool = switch(True)


PRESETS: dict[str, dict[str, Any]] = {
    "brelan5": {},
    "brelan4": {"players": 4},
    "brelan3": {"players": 3},
    "brelan2": {"players": 2},
    "brelan24": {"players": 4, "ranks": "AKQJT9"},
    "brelan28": {"ranks": "AKQJT98"},
    "brelan36": {"ranks": "AKQJT9876"},
    "brelan_jacks": {"brelan_order": "jack_high", "mistigri": True, "saint_james": True, "st_james_pair": "any"},
}
