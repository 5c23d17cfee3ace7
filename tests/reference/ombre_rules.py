"""Ombre twin: cards, options, auction, trick rules and outcomes (ombre.md sections 2 to 5.2 and 8), slow and literal."""

from __future__ import annotations

RANKS, SUITS = "A234567JQK", "SHDC"
CARDS = tuple(r + s for s in SUITS for r in RANKS)  # position = card id of section 2
BLACK_ACES = ("AS", "AC")
TRUMP_NAMES = tuple(f"TRUMP_{s}" for s in SUITS)
MAIN_BIDS = ("ENTRADA", "VUELTA", "SOLO")
CASCO_BIDS = ("CASCO_LESSER", "CASCO_GREATER")
CONTRACTS = MAIN_BIDS + CASCO_BIDS
LAST_ACTIONS = ("REFUSE", "DONE", "GO_FIRST", "YIELD", "STOP", "VOLE", "SURRENDER", "LOOK", "LEAVE")
ACTIONS = (*CARDS, "PASS", *CONTRACTS, *TRUMP_NAMES, *LAST_ACTIONS)  # position = action id of section 4.6
OUTCOMES = ("WIN", "CODILLE", "REMISE", "SURRENDER", "REFUSED", "PASS_OUT")


def by_id(names) -> list[str]:
    """Actions or cards in the order of their ids."""
    return sorted(names, key=ACTIONS.index)


# ------------------------------------------------------------------ options (section 8; rocambole.md section 6)

CHOICES = {
    "auction": ("hold", "one_round"),
    "all_pass": ("casco", "pass_out", "spadille", "casco_then_spadille"),
    "casco_lesser_keep": ("black_ace", "any"),
    "min_exchange_ombre": (0, 1),
    "max_exchange": (8, 9),
    "handover": (True, False),
    "defenders_exchange": (True, False),
    "solo_defenders_exchange": (True, False),
    "talon_rest": ("hidden", "last_may_show"),
    "ante_mode": ("all_when_empty", "all_every_deal", "dealer_every_deal"),
    "paid_pass_casco": (True, False),
    "bete_rule": ("pot", "fixed"),
    "bete_pool": ("merged", "queue"),
    "codille_award": ("pot", "none"),
    "matador_premium": (True, False),
    "first_five_stop": (True, False),
    "vole_defenders_see": (True, False),
    "surrender": ("none", "before_trick2_covered", "before_trick4_card"),
    "seat_draw": ("fixed", "spadille"),
    "stop_when_decided": (True, False),
    # the match of rocambole
    "tour1_rule": ("cumulative_tricks", "single_deal_tricks"),
    "kon_rule": ("both", "kon_only"),
    "tour3_until_taken": (True, False),
}
NUMBERS = {  # option -> least value
    **dict.fromkeys(("second_leave_min", "ante", "dealer_ante", "paid_pass", "pass_out_each"), 0),
    **dict.fromkeys(("bete_cap", "bete_min", "premiers_value", "vole_value", "kon_contribution"), 0),
    **dict.fromkeys(("parts", "tour1_tricks", "tour1_max_deals", "tour2_deals", "tour3_max_deals"), 1),
}

DEFAULT = {
    "bids": MAIN_BIDS,
    "auction": "hold",
    "all_pass": "casco",
    "casco_lesser_keep": "black_ace",
    "min_exchange_ombre": 1,
    "max_exchange": 9,
    "second_leave_min": 0,
    "handover": True,
    "defenders_exchange": True,
    "solo_defenders_exchange": True,
    "talon_rest": "hidden",
    "ante_mode": "all_when_empty",
    "ante": 3,
    "dealer_ante": 4,
    "paid_pass": 0,
    "paid_pass_casco": False,
    "pass_out_each": 2,
    "bete_rule": "pot",
    "bete_cap": 54,
    "bete_min": 0,
    "bete_fixed": None,
    "bete_pool": "merged",
    "codille_award": "pot",
    "prem": {"ENTRADA": 0, "VUELTA": 1, "SOLO": 3, "CASCO_LESSER": 0, "CASCO_GREATER": 1},
    "matador_premium": True,
    "first_five_stop": True,
    "premiers_value": 1,
    "vole_value": 6,
    "vole_defenders_see": False,
    "surrender": "none",
    "seat_draw": "fixed",
    "partie_deals": 12,
    "stop_when_decided": False,
}
SILENT = {  # what the seed does not pay: common to both seed presets
    "handover": False,
    "codille_award": "none",
    "matador_premium": False,
    "first_five_stop": False,
    "premiers_value": 0,
    "vole_value": 0,
    "seat_draw": "spadille",
}
FRENCH = {
    "bids": ("ENTRADA", "SOLO"),
    "all_pass": "pass_out",
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
TRESILLO = {
    "all_pass": "pass_out",
    "prem": {**DEFAULT["prem"], "ENTRADA": 1, "VUELTA": 2},
    "surrender": "before_trick4_card",
}
ROCAMBOLE = {
    "ante_mode": "dealer_every_deal",
    "dealer_ante": 4,
    "paid_pass": 1,
    "paid_pass_casco": False,
    "pass_out_each": 0,
    "surrender": "before_trick2_covered",
    "bete_min": 4,
    "bete_cap": 24,
    "parts": 3,
    "tour1_rule": "cumulative_tricks",
    "tour1_tricks": 7,
    "tour1_max_deals": 12,
    "tour2_deals": 10,
    "kon_contribution": 4,
    "kon_rule": "both",
    "tour3_until_taken": True,
    "tour3_max_deals": 5,
}
PRESETS = {
    "default": DEFAULT,
    "seed_000": {**DEFAULT, **SILENT, "pass_out_each": 0},
    "french": {**DEFAULT, **FRENCH},
    "espadille_force": {**DEFAULT, **FRENCH, "all_pass": "spadille"},
    "tresillo": {**DEFAULT, **TRESILLO},
    "rocambole": {**DEFAULT, **ROCAMBOLE},
    "seed_000_rocambole": {**DEFAULT, **ROCAMBOLE, **SILENT, "paid_pass_casco": True, "kon_rule": "kon_only"},
}


def is_rocambole(options: dict) -> bool:
    return "tour1_rule" in options


def make_options(preset: str = "default", changes: dict | None = None) -> dict:
    """The options of a preset with changes laid over; ValueError for what section 8 does not allow."""
    options = dict(PRESETS[preset])
    for name, value in (changes or {}).items():
        if name not in options:
            raise ValueError(f"{preset} has no option {name!r}")
        options[name] = {**options["prem"], **value} if name == "prem" else value
    options["bids"] = tuple(b for b in MAIN_BIDS if b in options["bids"]) if known_bids(options["bids"]) else ()
    for name, value in options.items():
        if not allowed(name, value):
            raise ValueError(f"{name} cannot be {value!r}")
    if options["bete_rule"] == "fixed" and options["bete_fixed"] is None:
        raise ValueError("bete_rule=fixed needs bete_fixed")
    return options


def known_bids(bids) -> bool:
    return all(b in MAIN_BIDS for b in bids)


def is_number(value, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def allowed(name: str, value) -> bool:
    if name in CHOICES:
        return any(value == v and type(value) is type(v) for v in CHOICES[name])
    if name in NUMBERS:
        return is_number(value, NUMBERS[name])
    if name == "bids":
        return bool(value)
    if name == "prem":
        return set(value) == set(CONTRACTS) and all(is_number(v, 0) for v in value.values())
    if name == "bete_fixed":
        return value is None or is_number(value, 0)
    return is_number(value, 3) and value % 3 == 0  # partie_deals


# ------------------------------------------------------------------ ranking (section 2)


def matadors(trump: str) -> list[str]:
    """Spadille, Manille, Basto, high to low."""
    return ["AS", ("2" if trump in "SC" else "7") + trump, "AC"]


def trump_order(trump: str) -> list[str]:
    rest = "KQJ76543" if trump in "SC" else "AKQJ23456"
    return matadors(trump) + [r + trump for r in rest]


def plain_order(suit: str) -> list[str]:
    return [r + suit for r in ("KQJ765432" if suit in "SC" else "KQJA234567")]


def is_trump(card: str, trump: str) -> bool:
    return card in BLACK_ACES or card[1] == trump


def effective_suit(card: str, trump: str) -> str:
    return "TRUMP" if is_trump(card, trump) else card[1]


def trick_winner(trump: str, leader: int, cards: list[str]) -> int:
    """The seat that takes the trick; cards in order of play."""
    trumps = [c for c in cards if is_trump(c, trump)]
    if trumps:
        best = min(trumps, key=trump_order(trump).index)
    else:
        best = min((c for c in cards if c[1] == cards[0][1]), key=plain_order(cards[0][1]).index)
    return (leader + cards.index(best)) % 3


def legal_play(trump: str, hand, trick: list[str]) -> list[str]:
    """4.5, the matadors' privilege included."""
    hand = by_id(hand)
    if not trick:
        return hand
    led = trick[0]
    if not is_trump(led, trump):
        return [c for c in hand if effective_suit(c, trump) == led[1]] or hand
    trumps = [c for c in hand if is_trump(c, trump)]
    return trumps if forced_to_trump(trump, hand, led) else hand


def forced_to_trump(trump: str, hand, led: str) -> bool:
    """Must some trump be played on this led trump?"""
    best = matadors(trump)
    if any(is_trump(c, trump) and c not in best for c in hand):
        return True
    return led in best and any(c in hand for c in best[best.index(led) + 1 :])


def matador_run(trump: str, hand) -> int:
    """Trumps from Spadille down without a gap, any length."""
    run = 0
    for card in trump_order(trump):
        if card not in hand:
            break
        run += 1
    return run


# ------------------------------------------------------------------ outcome (5.2)


def outcome_of(ombre: int, tricks) -> tuple[str, int | None]:
    """(outcome, codille seat)."""
    for seat in range(3):
        if all(tricks[seat] > tricks[other] for other in range(3) if other != seat):
            return ("WIN", None) if seat == ombre else ("CODILLE", seat)
    return "REMISE", None


def decided(ombre: int, tricks) -> tuple[str, int | None] | None:
    """What every division of the remaining tricks leads to, None if they differ."""
    left = 9 - sum(tricks)
    found = set()
    for a in range(left + 1):
        for b in range(left - a + 1):
            found.add(outcome_of(ombre, (tricks[0] + a, tricks[1] + b, tricks[2] + left - a - b)))
    return found.pop() if len(found) == 1 else None


# ------------------------------------------------------------------ seats and deal (section 3)


def deal_cards(deck, dealer: int) -> tuple[list[list[str]], list[str]]:
    """(hands by seat, talon with its top first)."""
    hands: list[list[str]] = [[], [], []]
    for place in range(3):  # 0 eldest, 1 middle, 2 dealer
        for packet in range(3):
            first = 9 * packet + 3 * place
            hands[(dealer + 1 + place) % 3] += deck[first : first + 3]
    return hands, list(deck[27:])


def make_deck(hands, talon, dealer: int) -> list[str]:
    """The deck that deals these hands and this talon."""
    order = [list(hands[(dealer + 1 + place) % 3]) for place in range(3)]
    deck = [card for packet in range(3) for hand in order for card in hand[3 * packet : 3 * packet + 3]]
    return deck + list(talon)


def seats_of_draw(draw: dict) -> tuple[dict, int]:
    """seat_draw=spadille: (agent -> seat, first dealer) from agent -> card; Spadille deals, the manille is eldest."""
    seat_of = {agent: {"AS": 0, "AC": 2}.get(card, 1) for agent, card in draw.items()}
    return seat_of, 0


# ------------------------------------------------------------------ auction (4.1, 4.2)


class Auction:
    """The main auction, or with casco=True the casco auction; `holders` are the seats that may bid CASCO_LESSER."""

    def __init__(self, options: dict, dealer: int, casco: bool = False, holders=(0, 1, 2)):
        self.options, self.casco, self.holders = options, casco, set(holders)
        self.bids = CASCO_BIDS if casco else options["bids"]
        self.order = [(dealer + 1 + i) % 3 for i in range(3)]  # by seniority
        self.level, self.holder, self.contract = 0, None, None
        self.active, self.spoken = set(self.order), 0
        self.seat: int | None = self.order[0]
        self.calls: list[tuple[int, str]] = []
        self.paid = [0, 0, 0]

    def level_of(self, bid: str) -> int:
        return (CASCO_BIDS if self.casco else MAIN_BIDS).index(bid) + 1

    def senior(self, seat: int) -> bool:
        return self.holder is not None and self.order.index(seat) < self.order.index(self.holder)

    def legal(self) -> list[str]:
        if self.seat is None:
            return []
        held = self.options["auction"] == "hold" and self.senior(self.seat)
        found = ["PASS"]
        for bid in self.bids:
            if bid == "CASCO_LESSER" and self.seat not in self.holders:
                continue
            level = self.level_of(bid)
            if level > self.level or (held and level == self.level):
                found.append(bid)
        return found

    def call(self, name: str) -> int:
        """Enters a call; returns the chips the speaker has to pay for it."""
        if name not in self.legal():
            raise ValueError(f"illegal call {name}")
        seat, cost = self.seat, 0
        self.calls.append((seat, name))
        self.spoken += 1
        if name == "PASS":
            self.active.discard(seat)
            if self.holder is None and (not self.casco or self.options["paid_pass_casco"]):
                cost = self.options["paid_pass"]
                self.paid[seat] += cost
        else:
            self.level, self.holder, self.contract = self.level_of(name), seat, name
        self.seat = self.next_speaker(seat)
        return cost

    def next_speaker(self, seat: int) -> int | None:
        if self.options["auction"] == "one_round":
            return self.order[self.spoken] if self.spoken < 3 else None
        for step in (1, 2, 3):
            other = (seat + step) % 3
            if other in self.active and other != self.holder:
                return other
        return None
