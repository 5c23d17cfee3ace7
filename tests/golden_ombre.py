"""The rules of ombre that golden records show, and the players who sit in them. Seat 0 is eldest in a given deal.

A wish of the players is "seat phase action": where the phase is asked of the seat, the first legal action that begins
so is taken; * is any seat, ? any action at random. Where no wish fits they pass, name the suit in which they have most
trumps, throw plain cards below the king, and win tricks as cheaply as they can.
"""

from golden_tool import Rule, wished

from lomber.envs.engine.cards import SUITS, cards_of, mask_of
from lomber.envs.ombre import state as st
from lomber.envs.ombre.actions import CARDS
from lomber.envs.ombre.positions import deck_of
from lomber.envs.ombre.trumps import BLACK_ACES, LOWER, MATADORS, STRENGTH, SUIT_OF, TRUMPS

PLAIN_ANSWERS = ("PASS", "GO_FIRST", "STOP", "LEAVE", "REFUSE")


def deck(game, cards, rng):
    """A shuffled pack in which the hands "0", "1", "2" and the `talon` begin with the given cards; seat 2 deals."""
    given = {place: cards.get(place, "").split() for place in ("0", "1", "2", "talon")}
    rest = [card for card in CARDS if not any(card in held for held in given.values())]
    rng.shuffle(rest)
    made = []
    for place, size in (("0", 9), ("1", 9), ("2", 9), ("talon", 13)):
        names = [*given[place], *(rest.pop() for _ in range(size - len(given[place])))]
        made.append([CARDS.index(card) for card in names])
    return deck_of(made[:3], made[3], 2)


def choose(wishes, state, legal, rng):
    seat, phase = int(state["seat"]), st.Phase(int(state["phase"])).name
    taken = wished(wishes, seat, phase, legal, rng)
    if taken:
        return taken
    hand, trump = int(state["hand"][seat]), int(state["trump"])
    if phase in ("NAME_TRUMP", "CASCO_TRUMP"):
        suit = max(range(4), key=lambda s: (hand & int(TRUMPS[s])).bit_count())
        return f"TRUMP_{SUITS[suit]}"
    cards = [name for name in legal if name in CARDS]
    if phase == "DISCARD":
        poor = [name for name in cards if SUIT_OF[trump, CARDS.index(name)] < 4 and name[0] != "K"]
        return poor[0] if poor else "DONE" if "DONE" in legal else cards[0]
    if phase == "PLAY":
        return _play(state, trump, cards)
    return next((name for name in PLAIN_ANSWERS if name in legal), legal[0])


def _play(state, trump, cards):
    def strength(name):
        return int(STRENGTH[trump, CARDS.index(name)])

    if state["led"] < 0:
        return max(cards, key=strength)
    suit, best = int(SUIT_OF[trump, state["led"]]), int(STRENGTH[trump, state["best"]])
    winning = [name for name in cards if SUIT_OF[trump, CARDS.index(name)] in (suit, 4) and strength(name) > best]
    return min(winning or cards, key=strength)


def ledger(deal):
    """Outcome, tricks, chips and what is left on the table."""
    final = deal.final
    outcome = st.OUTCOMES[final["outcome"]]
    return [outcome, final["tricks"].tolist(), final["delta"].tolist(), int(final["match"]["pot"])]


def names_of(deal):
    return [name for _, name in deal.record.moves]


def plays(deal):
    """(seat, card, card led, hand before) of each card played; the card led is None for the leader."""
    final = deal.final
    hands = [int(final["hand"][seat]) | int(final["played"][seat]) for seat in range(3)]
    out, led = [], None
    log = zip(final["log_seat"].tolist(), final["log"].tolist(), strict=True)
    for seat, card in log:
        if 0 <= card < 40:
            led = None if len(out) % 3 == 0 else led
            out.append((seat, card, led, hands[seat]))
            led = card if led is None else led
            hands[seat] &= ~(1 << card)
    return out


def outcome_is(deal, outcome, *tricks):
    return deal.final["outcome"] == outcome and (not tricks or sorted(deal.final["tricks"].tolist()) == sorted(tricks))


def ombre_of(deal):
    return int(deal.final["ombre"])


def casco_of(deal, *aces):
    """A lesser casco whose ombre was dealt these black aces."""
    final = deal.final
    if final["contract"] != st.CASCO_LESSER:
        return False
    held = int(final["dealt"][ombre_of(deal)]) & BLACK_ACES
    return held == mask_of([CARDS.index(card) for card in aces])


def two_aces(deal):
    """Basto is kept, Spadille thrown away, and nobody else is told that there was a choice."""
    kept = casco_of(deal, "AS", "AC") and "AC" in names_of(deal)[4:8] and "TRUMP" in " ".join(names_of(deal))
    return kept and all(not word.endswith(":AC") for seat in (1, 2) for word in deal.view(seat)[:10])


def one_ace(deal):
    """The ace is kept without a move: trumps are named next after the last pass."""
    names = names_of(deal)
    return casco_of(deal, "AC") and names[names.index("CASCO_LESSER") + 1 :][2].startswith("TRUMP")


def casco_refused(deal):
    return outcome_is(deal, st.REFUSED) and deal.final["contract"] == st.CASCO_GREATER


def turned(deal, card):
    return deal.final["contract"] == st.VUELTA and CARDS[deal.final["talon"][0]] == card


def turned_black_ace(deal):
    """Spadille turned makes spades trumps, and the ombre plays it."""
    spades = turned(deal, "AS") and deal.final["trump"] == 0
    return spades and any(seat == ombre_of(deal) and CARDS[card] == "AS" for seat, card, _, _ in plays(deal))


def trump_lead(deal):
    """(card, card led, trumps in hand before, trump suit) where a trump was led."""
    trump = int(deal.final["trump"])
    for _, card, led, hand in plays(deal):
        if led is not None and SUIT_OF[trump, led] == 4:
            yield card, led, hand & int(TRUMPS[trump]), trump


def only_matadors(held, trump):
    return held and not held & ~int(MATADORS[trump])


def matador_forced(deal):
    """A superior matador led forces the only trumps held, matadors; other cards were in hand."""
    return any(
        only_matadors(held, trump) and held & int(LOWER[trump, led]) and SUIT_OF[trump, card] == 4
        for card, led, held, trump in trump_lead(deal)
    )


def matador_withheld(deal):
    """An ordinary trump is led, a seat with matadors only plays a plain card."""
    return any(
        only_matadors(held, trump) and SUIT_OF[trump, card] < 4 and not int(MATADORS[trump]) >> led & 1
        for card, led, held, trump in trump_lead(deal)
    )


def spadille_not_forced(deal):
    """Manille or Basto led does not force Spadille, the only trump of a seat."""
    return any(
        held == 1 and SUIT_OF[trump, card] < 4 and int(MATADORS[trump]) >> led & 1
        for card, led, held, trump in trump_lead(deal)
    )


def superior_instead(deal):
    """Manille led forces Basto, and Spadille is played in its place."""
    return any(
        CARDS[card] == "AS" and int(LOWER[trump, led]) == 1 << CARDS.index("AC") and cards_of(held) == [0, 30]
        for card, led, held, trump in trump_lead(deal)
    )


def codille(deal, after):
    """Won by the defender so many seats after the ombre, with the pot."""
    final = deal.final
    return outcome_is(deal, st.CODILLE) and final["codille"] == (final["ombre"] + after) % 3


def tied_defenders(deal):
    return outcome_is(deal, st.REMISE, 4, 4, 1) and deal.final["tricks"][ombre_of(deal)] == 1


def tied_with_ombre(deal):
    return outcome_is(deal, st.REMISE, 4, 4, 1) and deal.final["tricks"][ombre_of(deal)] == 4


def four_to_three(deal):
    return outcome_is(deal, st.WIN, 4, 3, 2)


def vole(deal, result):
    return deal.final["vole"] == result


def stopped(deal):
    return names_of(deal)[-1] == "STOP"


def forced(deal):
    final = deal.final
    return final["contract"] == st.ENTRADA and final["holder"] < 0


def passed_out(deal):
    return outcome_is(deal, st.PASSED_OUT)


def largest_first(deal):
    """The pot was empty and three betes waited: the largest is played for, nobody stakes; the new bete is as large."""
    waited, delta = deal.record.start["queue"], deal.final["delta"]
    return waited == [27, 18, 9] and outcome_is(deal, st.CODILLE) and delta.max() == 27 and delta.sum() == 0


def held(deal):
    """The senior holds the bid of the junior, who gives up."""
    calls = [name for name in names_of(deal) if name in ("PASS", "ENTRADA", "VUELTA", "SOLO")]
    return calls[:5] == ["ENTRADA", "VUELTA", "PASS", "VUELTA", "PASS"]


def leaves_five(deal):
    """The first defender has no matador: he may take what is left but five, and his exchange closes by itself."""
    final = deal.final
    first = int(final["first"])
    left = 13 - int(final["exchanged"][ombre_of(deal)])
    no_matador = first >= 0 and not int(final["dealt"][first]) & int(MATADORS[final["trump"]])
    closed = no_matador and 0 < final["exchanged"][first] == left - 5 < 8
    return bool(closed) and sum(seat == first and name == "DONE" for seat, name in deal.record.moves) == 0


def looked(deal):
    return deal.final["looked"] == st.YES and all(any(":TALON" in word for word in deal.view(seat)) for seat in range(3))


def shown_for_vole(deal):
    """The defenders see each other's hands, the ombre neither."""
    ombre = ombre_of(deal)
    return "VOLE" in names_of(deal) and [
        sum(":SHOWED" in word for word in deal.view(seat)) for seat in range(3)
    ] == [int(seat != ombre) for seat in range(3)]  # fmt: skip


def surrendered(deal):
    """In the middle of a trick, which does not count."""
    return outcome_is(deal, st.SURRENDERED) and deal.final["plays"] % 3 > 0


def yielded(deal):
    final = deal.final
    return "YIELD" in names_of(deal) and final["first"] == (final["ombre"] + 2) % 3 and final["exchanged"].sum() == 13


def divided(*deals):
    """Odd chips of the pot that is left go to the seat with the lowest total."""
    final = deals[-1].final
    before = [int(t) for t in final["start"]["totals"] + final["delta"]]
    gained = [int(t) - b for t, b in zip(final["match"]["totals"], before, strict=True)]
    return (
        len(deals) == 3 and sum(gained) % 3 > 0 and len(set(before)) == 3 and max(gained) == gained[before.index(min(before))]
    )


G = {"dealer": 2}  # seat 0 is eldest
ENTRADA = ("0 AUCTION ENTRADA",)
SOLO = ("0 AUCTION SOLO", "* DISCARD DONE")
STRONG = {"0": "AS 7H AC AH KH"}

RULES = {
    "casco_two_black_aces": Rule(
        "lesser casco with both black aces: one is kept, the other thrown away (4.2)", two_aces,
        wishes=("0 CASCO_AUCTION CASCO_LESSER", "0 CASCO_KEEP AC"), cards={"0": "AS AC"}, start=G,
    ),
    "casco_one_black_ace": Rule(
        "lesser casco with one black ace: it is kept without a decision (4.2)", one_ace,
        wishes=("0 CASCO_AUCTION CASCO_LESSER",), cards={"0": "AC", "1": "AS"}, start=G,
    ),
    "casco_refused": Rule(
        "greater casco refused after the draw: a bete, no premium (4.2, 5.3)", casco_refused,
        wishes=("1 CASCO_AUCTION CASCO_GREATER", "* CASCO_TRUMP REFUSE"), start=G,
    ),
    "vuelta_black_ace": Rule(
        "vuelta turns Spadille: spades are trumps, the ombre draws it (4.3)", turned_black_ace,
        wishes=("0 AUCTION VUELTA",), cards={"talon": "AS"}, start=G,
    ),
    "matador_forced": Rule(
        "a superior matador led forces a lower one (4.5)", matador_forced, wishes=SOLO, cards={"0": "AS 7H", "1": "AC"},
        start=G,
    ),
    "matador_withheld": Rule(
        "a matador is withheld from an ordinary trump led (4.5)", matador_withheld,
        wishes=(*SOLO, "0 NAME_TRUMP TRUMP_H", "0 PLAY KH", "1 PLAY ?"), cards={"0": "KH QH", "1": "AS"}, start=G,
    ),
    "spadille_is_not_forced": Rule(
        "Manille or Basto led does not force Spadille (4.5)", spadille_not_forced,
        wishes=(*SOLO, "0 NAME_TRUMP TRUMP_H", "1 PLAY ?"), cards={"0": "7H AC KH", "1": "AS"}, start=G,
    ),
    "spadille_in_place_of_basto": Rule(
        "Manille led forces Basto; Spadille may be played in its place (4.5)", superior_instead,
        wishes=(*SOLO, "0 NAME_TRUMP TRUMP_H", "0 PLAY 7H", "1 PLAY AS"), cards={"0": "7H KH", "1": "AS AC"}, start=G,
    ),
    "codille_by_next": Rule(
        "codille by the defender after the ombre (5.2)", lambda deal: codille(deal, 1), wishes=ENTRADA, start=G
    ),
    "codille_by_last": Rule(
        "codille by the defender before the ombre (5.2)", lambda deal: codille(deal, 2), wishes=ENTRADA, start=G
    ),
    "remise_four_four_one": Rule("the ombre ties with a defender at four (5.2)", tied_with_ombre, wishes=ENTRADA, start=G),
    "remise_one_four_four": Rule(
        "the defenders tie at four, the ombre has one: remise, no codille (5.2)", tied_defenders,
        wishes=("0 AUCTION SOLO",), start=G,
    ),
    "remise_three_each": Rule(
        "three tricks each (5.2)", lambda deal: outcome_is(deal, st.REMISE, 3, 3, 3), wishes=ENTRADA, start=G
    ),
    "win_by_four": Rule("four tricks win against three and two (5.2)", four_to_three, wishes=ENTRADA, start=G),
    "premiers": Rule("five tricks in a row, and the ombre stops (4.5)", stopped, wishes=SOLO, cards=STRONG, start=G),
    "vole_failed": Rule(
        "an undertaken vole fails at the first trick lost; the deal is won all the same (4.5, 5.3)",
        lambda deal: vole(deal, st.FAILED), wishes=(*SOLO, "0 PREMIERS VOLE"), cards=STRONG, start=G,
    ),
    "vole_made": Rule(
        "all nine tricks (4.5, 5.3)", lambda deal: vole(deal, st.MADE), wishes=(*SOLO, "0 PREMIERS VOLE"),
        cards={"0": "AS 7H AC AH KH QH JH"}, start=G,
    ),
    "spadille_forced": Rule(
        "all pass: the holder of Spadille must play an entrada (4.2)", forced, "espadille_force", cards={"1": "AS"}, start=G
    ),
    "spadille_in_talon": Rule(
        "all pass, Spadille is in the talon: the deal is passed out (4.2)", passed_out, "espadille_force",
        cards={"talon": "2S AS"}, start=G,
    ),
    "largest_bete_first": Rule(
        "of the betes that wait the largest becomes the pot, without stakes (5.1)", largest_first, "french", wishes=ENTRADA,
        start={"dealer": 2, "pot": 0, "totals": [-18, -18, -18], "queue": [9, 27, 18]},
    ),
    "senior_holds": Rule(
        "a senior may hold the bid of a junior (4.1)", held,
        wishes=("1 AUCTION VUELTA", "1 AUCTION PASS", "2 AUCTION PASS", "0 AUCTION ENTRADA", "0 AUCTION VUELTA"), start=G,
    ),
    "first_defender_leaves_five": Rule(
        "second_leave_min: without a matador the first defender leaves five cards (4.4)", leaves_five, "french",
        wishes=ENTRADA, start=G,
    ),
    "talon_looked_at": Rule(
        "the last drawer turns up the rest of the talon for all (4.4)", looked, "french",
        wishes=(*ENTRADA, "* LOOK LOOK"), start=G,
    ),
    "hands_shown_for_vole": Rule(
        "vole_defenders_see: the defenders of a vole see each other's hand (7)", shown_for_vole, "french",
        wishes=(*SOLO, "0 PREMIERS VOLE"), cards=STRONG, start=G,
    ),
    "surrender_in_a_trick": Rule(
        "the ombre gives up at his turn, before the fourth trick (4.5)", surrendered, "tresillo",
        wishes=("1 AUCTION VUELTA", "1 PLAY ?"), start=G,
    ),
    "exchange_handed_over": Rule(
        "the other defender exchanges first, and the talon is used up (4.4)", yielded,
        wishes=(*ENTRADA, "* HANDOVER YIELD"), start=G,
    ),
    "odd_chips_divided": Rule(
        "chips left at the end of the partie: a third each, odd chips to the lowest total (6)", divided,
        options={"ante_mode": "dealer_every_deal", "episode": "partie", "partie_deals": 3}, wishes=("* AUCTION ?",),
    ),
}  # fmt: skip
