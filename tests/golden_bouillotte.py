"""The rules of bouillotte that golden records show, and the players who sit in them.

In a given deal the last seat in order deals, so that seat 0 is first hand. A wish of the players is "seat phase action":
where the phase is asked of the seat, the first legal action that begins so is taken; * is any seat, ? any action at random.
Where no wish fits they double nothing blind, pass, and call or fold at random.
"""

from golden_tool import Rule, wished

from lomber.envs.bouillotte import positions
from lomber.envs.bouillotte import state as st
from lomber.envs.bouillotte.actions import CARDS
from lomber.envs.engine.cards import cards_of, mask_of


def deck(game, cards, rng):
    """A shuffled pack in which the hands "0", "1", ... , the `retourne` and the `talon` begin with the given cards."""
    given = {place: cards.get(place, "").split() for place in (*map(str, range(game.seats)), "retourne", "talon")}
    rest = [name for card in game.deck() if (name := CARDS[card]) not in {c for names in given.values() for c in names}]
    rng.shuffle(rest)
    made = {}
    for place, size in (*((str(seat), 3) for seat in range(game.seats)), ("retourne", 1)):
        made[place] = [CARDS.index(card) for card in given[place] + [rest.pop() for _ in range(size - len(given[place]))]]
    talon = [CARDS.index(card) for card in given["talon"] + rest]
    return positions.deck_of(game, [made[str(seat)] for seat in range(game.seats)], made["retourne"][0], dealer(game), talon)


def dealer(game):
    return game.seats - 1 if game.options.direction == "right" else 1


def choose(wishes, state, legal, rng):
    seat, phase = int(state["seat"]), st.Phase(int(state["phase"])).name
    taken = wished(wishes, seat, phase, legal, rng)
    if taken:
        return taken
    if phase == "BETTING":
        return rng.choice([name for name in legal if name in ("CALL", "FOLD")])
    return next(name for name in ("NO_CARRE", "PASS", "TALON_FIRST") if name in legal)


def ledger(deal):
    """How the deal ended, layers with their winners, what was paid for brelans, change of stacks, what is carried on."""
    final, seats = deal.final, deal.game.seats
    layers = [[int(n), int(who)] for n, who in zip(final["layers"], final["winners"], strict=True) if who >= 0]
    paid = [
        [payer, holder, int(final["paid"][payer, holder])]
        for holder in range(seats)
        for payer in range(seats)
        if final["paid"][payer, holder] >= 0
    ]
    carried = final["match"]["carried"][:seats].tolist()
    return [st.ENDS[final["end"]], layers, paid, final["net"][:seats].tolist(), carried]


def names_of(deal):
    return [name for _, name in deal.record.moves]


def end_is(deal, end):
    return deal.final["end"] == end


def layers(deal):
    final = deal.final
    return [(int(n), int(who)) for n, who in zip(final["layers"], final["winners"], strict=True) if who >= 0]


def numbers(deal, contestants=None):
    """The number of each contestant, by seat; empty where a brelan decides."""
    final, game = deal.final, deal.game
    live = [s for s in range(game.seats) if int(final["dealt"]) >> s & 1 and not int(final["folded"]) >> s & 1]
    hands = [cards_of(int(hand)) for hand in final["hand"][: game.seats]]
    _, found, _ = positions.one_layer(game, hands, int(final["retourne"]), int(final["start"]["dealer"]), contestants or live)
    return found


def categories(deal):
    """The category of each hand, before any talon card."""
    final, game = deal.final, deal.game
    return [positions.category(game, cards_of(int(hand)), int(final["retourne"]))[0] for hand in final["hand"][: game.seats]]


def paid(deal):
    """(payer, holder) -> jetons."""
    found = deal.final["paid"]
    return {(p, h): int(found[p, h]) for p in range(5) for h in range(5) if found[p, h] >= 0}


def holds(deal, seat, cards):
    return int(deal.final["hand"][seat]) == mask_of([CARDS.index(card) for card in cards.split()])


def point_shown(deal):
    return end_is(deal, st.SHOWN) and not any(name != "point" for name in categories(deal)) and len(layers(deal)) == 1


# Blind stakes.


def carre_takes(deal):
    return end_is(deal, st.CARRE_TAKE) and names_of(deal)[:2] == ["CARRE", "NO_CARRE"] and deal.final["last"] == 0


def counter_carre(deal):
    """Two doublings; the seat after the last carreur speaks first, he himself last, with a raise."""
    moves = deal.record.moves
    return (
        [name for _, name in moves[:2]] == ["CARRE", "CARRE"] and moves[2][0] == 2
        and deal.final["raises"] > 0 and deal.final["aggressor"] == 1 == deal.final["last"] and end_is(deal, st.SHOWN)
    )  # fmt: skip


def nothing_seen_blind(deal):
    """While the carres are asked no view has a card, not even one's own."""
    blind = [state for state in deal.states if state[0]["phase"] == st.BLIND]
    views = [deal.game.hide(state, seat)[0] for state in blind for seat in range(deal.game.seats)]
    unseen = all(not view["hand"].any() and view["retourne"] < 0 and not view["deck"].any() for view in views)
    return len(blind) == 2 and unseen and end_is(deal, st.UNCONTESTED) and "CARRE" in names_of(deal)


def bought_back(deal):
    """Two carres, then the displaced first carreur doubles again and is the last; the other does not."""
    carres = ((0, "CARRE"), (1, "CARRE"), (0, "CARRE"), (1, "NO_CARRE"), (2, "NO_CARRE"))
    return deal.record.moves[:5] == carres and deal.final["last"] == 0


def forced_carre(deal):
    """Nobody opens: the dealer's ante was the carre, and he takes it back."""
    return end_is(deal, st.CARRE_TAKE) and names_of(deal) == ["PASS"] * 3 and layers(deal) == [(1, 3)]


# Betting.


def passer_returns(deal):
    final, passed = deal.final, int(deal.final["passed"])
    return point_shown(deal) and bool(passed & 1) and layers(deal)[0][1] == 0 and final["opener"] == 1


def tapissier(deal):
    """Seat 1 has one jeton: its pass and its call are automatic, and it contests the lowest layer."""
    asked = {int(state[0]["seat"]) for state in deal.states[:-1]}
    forced = [name for seat, name in deal.record.moves if seat == 1]
    return 1 not in asked and forced == ["PASS", "CALL"] and end_is(deal, st.SHOWN) and len(layers(deal)) == 2


def two_winners(deal):
    """Three stakes, the shortest wins, the better of the others takes the rest."""
    found = layers(deal)
    stakes = {int(n) for n in deal.final["stake"][:3]}
    return end_is(deal, st.SHOWN) and len(found) == 2 and found[0][1] == 0 != found[1][1] and stakes == {5, 12}


def uncalled_returns(deal):
    found = layers(deal)
    return len(found) == 2 and found[0][1] != found[1][1] == 0 and names_of(deal)[1] == "STAKE_TO 30" and len(deal.states) < 9


def reopened(deal):
    """A raise in the callers' extra turn, logged as such, is answered by all."""
    final = deal.final
    log = final["log"][: final["logged"]].tolist()
    return any(action < -1 for action in log) and end_is(deal, st.SHOWN)


def fees(deal):
    """A jeton for each pass that was a choice and for each stake lies in the lowest layer."""
    dead = deal.final["dead"]
    return int((dead > 0).sum()) == 2 and int(dead.max()) == 2 and end_is(deal, st.SHOWN)


# Showdown.


def folded_ace(deal):
    """The king collects his suit, with the value of an ace that has folded."""
    out = [seat for seat in range(4) if int(deal.final["folded"]) >> seat & 1]
    return point_shown(deal) and holds(deal, 0, "AS 9H 8D") and out == [0, 3] and layers(deal)[0][1] == 1


def retourne_collected(deal):
    """The retourne makes the difference: without it another seat would have won."""
    if not point_shown(deal):
        return False
    bare = deal.game.__reduce__()[1]
    game = type(deal.game)(deal.game.spec, bare[0], bare[1], {"retourne_counts": False})
    hands = [cards_of(int(hand)) for hand in deal.final["hand"][:4]]
    winner, _, _ = positions.one_layer(game, hands, int(deal.final["retourne"]), 3, list(numbers(deal)))
    return winner != layers(deal)[0][1] and not deal.final["folded"]


def privilege(deal):
    """Two equal numbers: the earlier hand wins, and it was not first hand."""
    found = numbers(deal) if point_shown(deal) else {}
    winner = layers(deal)[0][1] if found else -1
    return len(found) == 4 and list(found.values()).count(found[winner]) == 2 and winner == 2


def dead_suit(deal):
    """The largest suit belongs to a folded ace; own cards of the others decide."""
    return point_shown(deal) and holds(deal, 0, "AS KS 8D") and deal.final["folded"] == 1 and set(numbers(deal)) == {1, 2, 3}


def own_hands(deal):
    """Only own cards count: three of a suit beat a lone ace."""
    return point_shown(deal) and holds(deal, 0, "AS 9H 8D") and holds(deal, 1, "KS QS 9S") and layers(deal)[0][1] == 1


# Brelans.


def paid_unshown(deal):
    """The brelan has folded; it is shown and paid by all, the winner shows nothing."""
    shown = [word for word in deal.view(1) if ":SHOWED" in word]
    return end_is(deal, st.UNCONTESTED) and len(shown) == 1 and shown[0].startswith("2:") and len(paid(deal)) == 3


def paid_passed_out(deal):
    return end_is(deal, st.PASSED_OUT) and categories(deal).count("simple") == 1 and sum(paid(deal).values()) == 3


def two_brelans(deal):
    """The lower is paid by two, and pays the higher."""
    both = categories(deal)
    return both[0] == both[2] == "simple" and (0, 2) not in paid(deal) and paid(deal)[2, 0] == 1 and len(paid(deal)) == 5


def english_turn(deal, hits):
    """Against a carre the simple brelan turns the first card of the talon."""
    kinds = categories(deal)
    turned = [name for name in names_of(deal) if name == "TALON_FIRST"]
    won = layers(deal)[0][1]
    return kinds[0] == "simple" and kinds[2] == "carre" and len(turned) == 1 and won == (0 if hits else 2)


def english_choice(deal):
    return "TALON_LAST" in names_of(deal) and deal.final["turned"].max() >= 0


def ruined_payer(deal):
    """Who has lost his stack owes, and pays nothing."""
    return 0 in paid(deal).values() and end_is(deal, st.SHOWN) and len(layers(deal)) == 1


def wild(deal, category):
    """It loses to natural eights, and is paid by the others."""
    kinds = categories(deal)
    return kinds[0] == category and kinds[1] == "simple" and layers(deal)[0][1] == 1 and (2, 0) in paid(deal)


def queen_turned(deal):
    return "simple" in categories(deal) and CARDS[deal.final["retourne"]][0] == "Q" and set(paid(deal).values()) == {2}


def only_points(deal):
    """Three nines in hand count as points, and are paid by nobody; the stack above 60 is cut to a cave."""
    final = deal.final
    return holds(deal, 0, "9S 9H 9D") and end_is(deal, st.SHOWN) and final["match"]["bank"].max() > 0 and not paid(deal)


# Several deals.


def carried_pot(*deals):
    """Two deals passed out, then the pot is won with what was carried."""
    ends = [deal.final["end"] for deal in deals]
    return ends == [st.PASSED_OUT] * 2 + [st.SHOWN] and len({int(d.final["start"]["dealer"]) for d in deals}) == 3


def doubled_ante(*deals):
    """The dealer after a deal passed out antes as much as is carried: 1, 1, 2."""
    stakes = [int(deal.states[0][0]["stake"].max()) for deal in deals]
    return stakes == [1, 1, 2] and [deal.final["end"] for deal in deals[:2]] == [st.PASSED_OUT] * 2


def refunded(*deals):
    """Never a winner: everybody has back what he put in."""
    return len(deals) == 3 and all(end_is(d, st.PASSED_OUT) for d in deals) and not any(deals[-1].record.points)


def vis_a_vis(*deals):
    """After a won pot the opposite seat deals, after a deal passed out the next."""
    dealers = [int(deal.final["start"]["dealer"]) for deal in deals]
    steps = [(b - a) % 4 for a, b in zip(dealers, dealers[1:], strict=False)]
    ends = [deal.final["end"] != st.PASSED_OUT for deal in deals[:-1]]
    return steps == [2 if won else 1 for won in ends] and set(steps) == {1, 2}


def eliminated(*deals):
    """A seat that has lost all is dealt no more, and the order passes over it."""
    seats = [int(deal.final["dealt"]).bit_count() for deal in deals]
    return seats[0] == 4 and seats[-1] == 3 and len(deals[-1].record.start["stacks"]) == 4


def recaved(*deals):
    """A seat that has lost all begins the next deal with a new cave."""
    start = deals[-1].record.start
    return len(deals) == 2 and sorted(start["buyins"]) == [30, 30, 30, 60] and end_is(deals[0], st.SHOWN)


G = {"dealer": 3}
HANDS = {"0": "AS 9H 8D", "1": "KS QS 9S", "2": "KH QH 8H", "3": "KD QD 9D", "retourne": "8C"}
OPEN, CALLS = "0 OPENING STAKE_TO", "* BETTING CALL"
ALL_STAY = (OPEN, CALLS)
ACES, EIGHTS = "AS AH AD", "8S 8H 8D"

RULES = {
    "carre_takes": Rule(
        "nobody opens: the last carreur takes the pot without a word (4.7)", carre_takes, wishes=("0 BLIND CARRE",),
        cards=HANDS, start=G,
    ),
    "counter_carre": Rule(
        "the second hand doubles again and has the last word (4.2, 4.4)", counter_carre,
        wishes=("0 BLIND CARRE", "1 BLIND CARRE", "2 OPENING STAKE_TO", "1 BETTING STAKE_TO", CALLS), start=G,
    ),
    "blind": Rule(
        "in the blind phase nobody sees a card (4.2, 7)", nothing_seen_blind,
        wishes=("0 BLIND CARRE", "2 OPENING STAKE_TO 5", "* BETTING FOLD"), start=G,
    ),
    "bought_back": Rule(
        "a displaced carreur buys the last word back (4.2)", bought_back, "pagat",
        wishes=("0 BLIND CARRE", "1 BLIND ?"), start=G,
    ),
    "forced_carre": Rule(
        "the dealer's ante is the carre: no deal is passed out (4.2)", forced_carre, "forced_carre", start=G
    ),
    "passer_returns": Rule(
        "a passer comes back and wins (4.4)", passer_returns, wishes=("1 OPENING STAKE_TO", CALLS), cards=HANDS, start=G
    ),
    "tapissier": Rule(
        "one jeton has to see, and cannot open (4.4, 4.5)", tapissier,
        wishes=("2 OPENING STAKE_TO 4", CALLS), start={"dealer": 3, "stacks": [30, 1, 30, 30]},
    ),
    "two_winners": Rule(
        "the odd rule of the seed is two layers of the pot (5.2)", two_winners,
        wishes=("0 OPENING STAKE_TO 5", "1 BETTING STAKE_TO 12", "2 BETTING CALL", "3 BETTING FOLD"), cards=HANDS,
        start={"dealer": 3, "stacks": [5, 30, 30, 30]},
    ),
    "uncalled_returns": Rule(
        "what nobody can call comes back as the top layer (5.2)", uncalled_returns,
        wishes=("0 OPENING STAKE_TO 30", "1 BETTING CALL", "* BETTING FOLD"), start={"dealer": 3, "stacks": [30, 12, 30, 30]},
    ),
    "callers_reopen": Rule(
        "with three in the game the callers get another turn (4.5)", reopened, "pagat",
        wishes=("0 OPENING STAKE_TO 2", "2 BETTING ?", CALLS), start=G,
    ),
    "fees": Rule(
        "a jeton for each pass and each stake (4.4, 4.5)", fees, "old_bouillotte_literal",
        wishes=("4 OPENING STAKE_TO 3", "0 BETTING STAKE_TO 9", CALLS), start={"dealer": 1},
    ),
    "folded_ace": Rule(
        "the king collects his suit with the folded ace (5.3)", folded_ace,
        wishes=("1 OPENING STAKE_TO 5", "0 BETTING FOLD", "3 BETTING FOLD", CALLS), cards=HANDS, start=G,
    ),
    "retourne_collected": Rule(
        "the retourne counts for who owns its suit (5.3)", retourne_collected, wishes=ALL_STAY, start=G
    ),
    "privilege": Rule("equal numbers go to the earlier hand (5.3)", privilege, wishes=ALL_STAY, start=G),
    "dead_suit": Rule(
        "parlett: a suit whose ace has folded is dead (5.3)", dead_suit, "parlett",
        wishes=("1 OPENING STAKE_TO", "0 BETTING FOLD", CALLS), cards={"0": "AS KS 8D", "1": "QS 9S"}, start=G,
    ),
    "own_hands": Rule(
        "britannica: only own cards count (5.3)", own_hands, "britannica", wishes=ALL_STAY,
        cards={"0": "AS 9H 8D", "1": "KS QS 9S"}, start=G,
    ),
    "paid_unshown": Rule(
        "a folded brelan is shown and paid, without a showdown (5.4, 7)", paid_unshown,
        wishes=("0 OPENING STAKE_TO 5", "* BETTING FOLD"), cards={"2": ACES}, start=G,
    ),
    "paid_passed_out": Rule(
        "a brelan is paid even in a deal passed out (5.4)", paid_passed_out, cards={"2": ACES}, start=G
    ),
    "two_brelans": Rule(
        "the higher brelan does not pay the lower (5.4)", two_brelans, wishes=(OPEN, "2 BETTING CALL", "* BETTING FOLD"),
        cards={"0": ACES, "2": EIGHTS, "retourne": "QC"}, start=G,
    ),
    "english_turn_misses": Rule(
        "against a carre a brelan turns a talon card in vain (4.6)", lambda deal: english_turn(deal, False),
        wishes=(OPEN, "2 BETTING CALL", "* BETTING FOLD"), cards={"0": ACES, "2": EIGHTS, "retourne": "8C", "talon": "KH"},
        start=G,
    ),
    "english_turn": Rule(
        "the talon card makes a carre, which wins and is paid as one (4.6)", lambda deal: english_turn(deal, True),
        wishes=(OPEN, "2 BETTING CALL", "* BETTING FOLD"), cards={"0": ACES, "2": EIGHTS, "retourne": "8C", "talon": "AC"},
        start=G,
    ),
    "english_choice": Rule(
        "the first or the last talon card, by option (4.6)", english_choice, "seed_literal4",
        wishes=(OPEN, "* TALON TALON_LAST", CALLS), cards={"0": ACES, "2": EIGHTS, "retourne": "8C"}, start=G,
    ),
    "ruined_payer": Rule(
        "who has nothing left pays nothing for a brelan (5.4)", ruined_payer,
        wishes=("0 OPENING STAKE_TO 6", "1 BETTING CALL", "* BETTING FOLD"), cards={"0": ACES},
        start={"dealer": 3, "stacks": [30, 6, 30, 30]},
    ),
    "mistigri": Rule(
        "mistigri is below natural brelans (5.1)", lambda deal: wild(deal, "mistigri"), "brelan_mistigri",
        wishes=(OPEN, "1 BETTING CALL", "* BETTING FOLD"), cards={"0": "QC AS AH", "1": EIGHTS, "retourne": "KD"}, start=G,
    ),
    "saint_james": Rule(
        "the jack of clubs and a pair of one colour (5.1)", lambda deal: wild(deal, "st_james"), "saint_james",
        wishes=(OPEN, "1 BETTING CALL", "* BETTING FOLD"), cards={"0": "JC AH AD", "1": EIGHTS[:5] + " 8C", "retourne": "KD"},
        start={"dealer": 4},
    ),
    "queen_turned": Rule(
        "a queen turned doubles brelans (5.1)", queen_turned, "old_bouillotte",
        cards={"0": "AS AH AD", "retourne": "QC"}, start={"dealer": 1},
    ),
    "without_brelan": Rule(
        "without brelans three nines are points; a large stack is cut (5.1, 5.5)", only_points, "without_brelan",
        wishes=("0 OPENING STAKE_TO 30", CALLS), cards={"0": "9S 9H 9D"}, start=G,
    ),
    "carried_pot": Rule(
        "what was passed out is won with the next pot (4.7, 6)", carried_pot, options={"episode": "coup", "cave": 6},
        wishes=("* BETTING CALL", "0 OPENING ?"),
    ),
    "doubled_ante": Rule(
        "after a deal passed out the dealer doubles the pot (4.1)", doubled_ante, "seed_literal4",
        options={"episode": "coup", "cave": 6}, wishes=("* BETTING CALL", "0 OPENING ?"),
    ),
    "refunded": Rule(
        "a coup that nobody wins is given back (6)", refunded, options={"episode": "coup", "coup_max_deals": 3}
    ),
    "vis_a_vis": Rule(
        "the opposite seat deals next, unless all passed (6)", vis_a_vis, "seed_literal4",
        options={"episode": "session", "session_deals": 4}, wishes=("0 OPENING ?",),
    ),
    "eliminated": Rule(
        "who has lost all leaves (6)", eliminated,
        options={"episode": "session", "session_deals": 2, "bust_rule": "eliminate"},
        wishes=("* OPENING STAKE_TO 30", CALLS.replace("*", "0"), "1 BETTING CALL", "* BETTING FOLD"),
    ),
    "recaved": Rule(
        "who has lost all buys a new cave (6)", recaved, options={"episode": "session", "session_deals": 2},
        wishes=("* OPENING STAKE_TO 30", "0 BETTING CALL", "1 BETTING CALL", "* BETTING FOLD"),
    ),
}  # fmt: skip
