"""The rules of piquet that golden records show, and the players who sit in them. Seat 0 is elder in a given deal.

A wish of the players is "seat phase action": where the phase is asked of the seat, the first legal action that begins
so is taken; * is any seat, ? any action at random. Where no wish fits they declare their best, answer truthfully,
announce nothing, exchange all they may and play to win the trick.
"""

from golden_tool import Rule, wished

from lomber.envs.piquet import state as st
from lomber.envs.piquet.actions import CARDS
from lomber.envs.piquet.scoring import RED_RANKS, SUIT_PIPS

ELDER, YOUNGER = 0, 1
RANK, SUIT = "AKQJT987", "SHDC"


def deck(game, cards, rng):
    """A shuffled pack in which `elder`, `younger` and `talon` begin with the given cards."""
    given = {place: cards.get(place, "").split() for place in ("elder", "younger", "talon")}
    rest = [card for card in CARDS if not any(card in held for held in given.values())]
    rng.shuffle(rest)
    out = []
    for place, size in (("elder", 12), ("younger", 12), ("talon", 8)):
        out += given[place]
        for _ in range(size - len(given[place])):
            out.append(rest.pop())
    return [CARDS.index(card) for card in out]


def choose(wishes, state, legal, rng):
    seat, phase = int(state["seat"]), st.Phase(int(state["phase"])).name
    taken = wished(wishes, seat, phase, legal, rng)
    if taken:
        return taken
    hand = int(state["hand"][seat])
    if phase == "EXCHANGE":
        marks = [name for name in legal if name.startswith("DISCARD")]
        return min(marks, key=lambda name: _keep(hand, name[8:])) if marks else "PASS"
    if phase == "LEAD":
        return max(legal, key=lambda name: (_length(hand, name[-1]), -RANK.index(name[5])))
    if phase == "FOLLOW":
        return _follow(CARDS[state["table"]], legal)
    if phase in ("CAPOT", "NAME", "LOOK", "BLANK"):
        return "PASS"
    if phase.endswith(("LEN", "VAL", "REPLY")):
        return next(name for name in legal if name != "GOOD")
    return max(legal, key=lambda name: _worth(hand, name))


def _keep(hand, card):
    """How much a card is worth keeping: length of its suit, cards of its rank, its height."""
    same = sum(hand >> (8 * suit + RANK.index(card[0])) & 1 for suit in range(4))
    return 2 * _length(hand, card[1]) + (2 * same if card[0] in "AKQJT" else 0) - RANK.index(card[0]), card


def _byte(hand, suit):
    return hand >> (8 * SUIT.index(suit)) & 0xFF


def _length(hand, suit):
    return _byte(hand, suit).bit_count()


def _follow(led, legal):
    winning = [name for name in legal if name[-1] == led[1] and RANK.index(name[5]) < RANK.index(led[0])]
    return max(winning or legal, key=lambda name: RANK.index(name[5]))


def _worth(hand, name):
    kind, _, item = name.partition(":")
    if kind == "POINT":
        return _length(hand, item), int(SUIT_PIPS[_byte(hand, item)])
    if kind == "SEQ":
        return run_length(hand, item), -RANK.index(item[0])
    return {"PASS": 0, "QUATORZE": 4, "TRIO": 3}[kind], -RANK.index(item[0]) if item else 0


def run_length(hand, top):
    """How many cards the run that begins with card `top` has."""
    byte, length = _byte(hand, top[1]) >> RANK.index(top[0]), 0
    while byte >> length & 1:
        length += 1
    return length


def ledger(deal):
    """Items I to VIII and the bonus, by seat."""
    return deal.final["ledger"].tolist()


def asked(deal, phase):
    """(state, legal, chosen) of the decisions of a phase."""
    return [(state, legal, name) for state, legal, name in deal.decisions() if state["phase"] == phase]


def follows(deal, *names):
    """Whether these moves, given by their beginnings, stand one behind the other."""
    return _stand_together(deal.moves, names)


def _stand_together(words, starts):
    spans = [words[i : i + len(starts)] for i in range(len(words) - len(starts) + 1)]
    return any(all(word.startswith(start) for word, start in zip(span, starts, strict=True)) for span in spans)


def credited(deal, seat, item):
    return int(deal.final["ledger"][seat, item])


def hand_total(deal, seat):
    return int(deal.final["ledger"][seat, : st.HAND_ITEMS].sum())


# What a deal has to be to show a rule.


def equal_point(deal):
    called = follows(deal, "0:POINT", "1:EQUAL", "1:EQUAL")
    return called and not deal.final["ledger"][:, st.ITEM_POINT].any()


def better_pips(deal):
    length = int(deal.final["call_class"][0])
    beaten = follows(deal, "0:POINT", "1:EQUAL", "1:NOT_GOOD")
    return beaten and credited(deal, YOUNGER, st.ITEM_POINT) == length and not credited(deal, ELDER, st.ITEM_POINT)


def better_number(deal):
    """Younger's suit of elder's number will not do, though better in pips: the longer one is forced."""
    length, chosen = int(deal.final["call_class"][0]), deal.final["shown"][YOUNGER]
    if not follows(deal, "0:POINT", "1:NOT_GOOD") or deal.final["outcome"][0] != st.BEATEN or asked(deal, st.YPOINT):
        return False
    hand = int(deal.final["hand"][YOUNGER] | deal.final["played"][YOUNGER])
    return any(_length(hand, suit) == length for suit in SUIT) and int(chosen).bit_count() > length


def named_at_once(deal):
    """Younger may choose; elder hears the number, calls a sequence, and sees the suit after it."""
    starts = ("1:POINT:?", "0:SEQ", "1:SHOWED+POINT")
    told = [word for word in deal.view(ELDER) if word.startswith(starts)]
    in_order = len(told) == 3 and all(word.startswith(start) for word, start in zip(told, starts, strict=True))
    return bool(asked(deal, st.COUNTER)) and in_order


def higher_not_counted(deal):
    for state, legal, name in asked(deal, st.SEQ):
        hand, won = int(state["hand"][ELDER]), deal.final["outcome"][1] == st.WON
        lengths = [run_length(hand, item[4:]) for item in legal if item != "PASS"]
        if won and len(lengths) == 2 and run_length(hand, name[4:]) < max(lengths):
            further = [item for _, names, _ in asked(deal, st.SEQ_EXTRA) for item in names if item != "PASS"]
            offered = any(run_length(hand, item[4:]) > 3 for item in further)
            return credited(deal, ELDER, st.ITEM_SEQ) == 3 and not offered
    return False


def understated(deal):
    sunk = [name for _, legal, name in asked(deal, st.SET) if name[:4] == "TRIO" and "QUATORZE:" + name[5] in legal]
    shown = [word for word in deal.view(YOUNGER) if word.startswith("0:SHOWED+TRIO") and word.count("+") == 4]
    return bool(sunk and shown) and credited(deal, ELDER, st.ITEM_SET) == 3


def must_beat(deal):
    """The first item is obliged, one of two, and a lower run waits for the further ones."""
    first, *further = asked(deal, st.YSEQ) or [(None, (), "")]
    return len(first[1]) > 1 and "PASS" not in first[1] and any(name != "PASS" for _, _, name in further)


def conceded(deal):
    gave = [name for state, legal, name in deal.decisions() if name == "GOOD" and "NOT_GOOD" in legal]
    return len(gave) == 1 and credited(deal, ELDER, st.ITEM_SET) == 3


def repique(seat):
    return lambda deal: deal.final["bonus"] == seat and credited(deal, seat, st.ITEM_BONUS) == 60


def repique_over_points(deal):
    return repique(ELDER)(deal) and hand_total(deal, YOUNGER) > 0


def repique_with_equality(deal):
    return repique(ELDER)(deal) and deal.final["outcome"][0] == st.VOID


def play_points(state, seat):
    return int(state["ledger"][seat, : st.ITEM_PLAY + 1].sum())


def pique_by_lost_lead(deal):
    for before, after, (_, _, name) in zip(deal.states, deal.states[1:], deal.decisions(), strict=False):
        if before[0]["bonus"] < 0 <= after[0]["bonus"] and before[0]["phase"] == st.LEAD:
            behind = deal.moves.index(f"0:{name}")
            loser = after[0]["phase"] == st.FOLLOW and play_points(before[0], ELDER) == 29
            led, answer = deal.moves[behind][7:], deal.moves[behind + 1][7:]
            return loser and led[1] == answer[1] and CARDS.index(answer) < CARDS.index(led)
    return False


def pique_missed(deal):
    hand, play = hand_total(deal, ELDER), credited(deal, ELDER, st.ITEM_PLAY)
    return hand < 30 <= hand + play and hand_total(deal, YOUNGER) == 0 and deal.final["bonus"] < 0 and hand > 19


def blank_laid_open(deal):
    told = [word for word in deal.view(YOUNGER) if word.startswith("0:BLANK")]
    return len(told) == 2 and told[1].count("+") == 12 and credited(deal, ELDER, st.ITEM_BLANK) == 10


def blank_kept(deal):
    return deal.moves[0] == "0:PASS" and not any(word == "0:PASS" for word in deal.view(YOUNGER)[:3])


def blank_at_the_end(deal):
    at = deal.moves.index("0:BLANK") if "0:BLANK" in deal.moves else 0
    return at >= 8 and deal.moves[at + 1].startswith("0:") and credited(deal, ELDER, st.ITEM_BLANK) == 10


def capot(points, play):
    def shows(deal):
        return credited(deal, ELDER, st.ITEM_CARDS) == points and credited(deal, ELDER, st.ITEM_PLAY) == play

    return shows


def capot_failed(deal):
    return [credited(deal, seat, st.ITEM_CARDS) for seat in (ELDER, YOUNGER)] == [10, 40]


def six_each(deal):
    return deal.final["tricks"].tolist() == [6, 6] and not deal.final["ledger"][:, st.ITEM_CARDS].any()


def last_by_follower(deal):
    """The last trick gives its follower 1 and the extra 3; the leader keeps his 1."""
    before = [state for state in deal.states[:-1] if state[0]["plays"] < 22][-1][0]
    (leader, _), (_, last) = (move.split(":PLAY:") for move in deal.moves[-2:])
    led = deal.moves[-2][7:]
    won = last[1] == led[1] and CARDS.index(last) < CARDS.index(led)
    return won and leader == "0" and before["plays"] == 20


def suit_named(deal):
    named = [move for move in deal.moves if move.startswith("0:NAME:")]
    (lead, legal, _), *_ = asked(deal, st.LEAD)
    bound = 1 < len(legal) < int(lead["hand"][ELDER]).bit_count() and {name[-1] for name in legal} == {named[0][-1]}
    return bool(named) and bound and follows_in_view(deal, ELDER, "0:NAME:", "0:SAW+6=")


def follows_in_view(deal, seat, *names):
    return _stand_together(deal.view(seat), names)


def looked(deal):
    both = all(follows_in_view(deal, seat, "1:LOOK", f"{seat}:SAW+6=") for seat in (ELDER, YOUNGER))
    return both and deal.final["looked"] == st.YES


def red(deal):
    return credited(deal, ELDER, st.ITEM_RED) == 30 and "0:RED_HAND" in deal.view(YOUNGER)


def full(deal):
    return credited(deal, ELDER, st.ITEM_FULL) == 20 and not credited(deal, ELDER, st.ITEM_RED)


def court_point(deal):
    """Younger shows AD to TD and holds a card below the ten as well."""
    shown = int(deal.final["shown"][YOUNGER])
    return shown & RED_RANKS == shown == 0x1F << 16 and not deal.final["ledger"][YOUNGER, st.ITEM_RED]


def exchanged(elder, younger):
    return lambda deal: deal.final["exchanged"].tolist() == [elder, younger]


def none_exchanged(deal):
    seen = follows_in_view(deal, ELDER, "0:PASS", "0:SAW+0=")
    return exchanged(0, 5)(deal) and seen and follows_in_view(deal, YOUNGER, "1:DREW+0=", "1:SAW+5=")


def decided_before_sets(deal):
    """Elder's sequence ends the game, though younger's quatorze would have brought him home too."""
    home = 90 + hand_total(deal, YOUNGER) >= 100
    return deal.final["decided"] == st.ITEM_SEQ and home and deal.final["match"]["net"][ELDER] > 0


def decided_by_lead(deal):
    by_lead = deal.final["decided"] == st.ITEM_PLAY and deal.final["plays"] == 1
    return by_lead and credited(deal, YOUNGER, st.ITEM_POINT) > 0


def refait(*deals):
    """The second deal is drawn: the first difference stands, and the next korolik counts double."""
    if len(deals) != 4:
        return False
    drawn, after = deals[1].final, deals[2].final
    scores = [int(drawn["ledger"][seat].sum()) for seat in range(2)]
    return scores[0] == scores[1] and after["start"]["refaits"] == 1 and after["start"]["records"].any()


def automatic(deal):
    """No decision between the exchange and the offer of a capot; of two equal suits the first of S H D C is counted."""
    phases = {st.Phase(int(state["phase"])).name for state, _, _ in deal.decisions()}
    suits = [_byte(int(deal.states[0][0]["hand"][ELDER]), suit) for suit in SUIT]
    best = max((byte.bit_count(), int(SUIT_PIPS[byte])) for byte in suits)
    equal = [suit for suit, byte in zip(SUIT, suits, strict=True) if (byte.bit_count(), SUIT_PIPS[byte]) == best]
    won = len(equal) == 2 and f"0:POINT:{equal[0]}" in deal.moves and credited(deal, ELDER, st.ITEM_POINT) == best[0]
    return won and phases == {"EXCHANGE", "CAPOT", "LEAD", "FOLLOW"}


def equal_shown(deal):
    return any(word.startswith("0:SHOWED+POINT") and word.count("+") == 1 for word in deal.view(YOUNGER))


BLANK = {"elder": "AS TS 9S 8S TH 9H 7H AD 9D 8D 8C 7C"}
NO_EXCHANGE = ("* EXCHANGE PASS",)
WINNERS = {"elder": "AS KS QS JS TS AH KH QH AD KD AC KC"}
STRONG = {"elder": "AS KS QS JS TS 9S"}
G = {"dealer": 1}  # seat 0 is elder

RULES = {
    "point_equal_is_void": Rule("equal number and pips: nobody scores the point (4.3)", equal_point, start=G),
    "point_equal_number_better_pips": Rule("NOT_GOOD to the pips: the same number counts (4.3)", better_pips, start=G),
    "point_better_number_binds": Rule(
        "NOT_GOOD to the number: a suit of that number will not do, whatever its pips (4.3)", better_number, start=G,
        wishes=("0 POINT ?",),
    ),
    "point_named_at_once": Rule(
        "point_counter=at_once: number before elder's sequences, suit and cards with younger's declarations (4.3)",
        named_at_once, "korolik_literal", wishes=("0 POINT ?",), start=G,
    ),
    "sequence_higher_not_counted": Rule(
        "further items do not rank above the contested call (4.4)", higher_not_counted, wishes=("0 SEQ ?",), start=G
    ),
    "set_understated": Rule(
        "a quatorze called as a trio: 3 points, three cards shown, the fourth stays hidden (4.4)", understated,
        wishes=("0 SET TRIO",), cards={"elder": "QS QH QD QC"}, start=G,
    ),
    "sequence_must_beat": Rule(
        "NOT_GOOD obliges to a higher item, then to nothing (4.5)", must_beat, wishes=("0 SEQ ?",), start=G,
        cards={"younger": "AS KS QS JS KH QH JH TH"},
    ),
    "younger_concedes": Rule(
        "younger may call a lower set good (4.4)", conceded, wishes=("1 SET_REPLY GOOD",), start=G
    ),
    "repique_elder": Rule("30 in hand against none: 60 more (5.4)", repique(ELDER), cards=STRONG, start=G),
    "repique_younger": Rule(
        "younger's repique, elder's first lead notwithstanding (5.4)", repique(YOUNGER), "salon",
        cards={"younger": "AS KS QS JS TS AH AD"}, start=G,
    ),
    "repique_by_precedence": Rule(
        "30 reached in the ledger before younger's first item (5.4)", repique_over_points, "rubicon", start=G,
        wishes=("0 EXCHANGE DISCARD:7C", "0 EXCHANGE PASS"),
        cards={"elder": "KS QS JS TS 9S 8S 7S JH TH 9H 8H 7C", "younger": "AS AH AD AC", "talon": "7H"},
    ),
    "repique_despite_equality": Rule(
        "an equality gives nobody points and stops nothing (5.4)", repique_with_equality, wishes=NO_EXCHANGE, start=G,
        cards={"elder": "KS QS JS TS 9S KH KD KC QD QC", "younger": "AH QH JH TH 8H"},
    ),
    "pique_by_a_lost_lead": Rule(
        "the lead from 29 to 30 makes the pique though its trick is lost (5.4)", pique_by_lost_lead,
        wishes=("0 LEAD ?",), cards=STRONG, start=G,
    ),
    "pique_missed": Rule(
        "a trick of younger before elder's 30 stops the pique (5.4)", pique_missed, cards=STRONG, start=G
    ),
    "blank_shown": Rule(
        "a blank is shown before the exchange and laid open after it: 10 (4, 4.8)", blank_laid_open,
        wishes=("0 BLANK BLANK",), cards=BLANK, start=G,
    ),
    "blank_declined": Rule("a declined blank stays hidden, the offer too (4.8)", blank_kept, cards=BLANK, start=G),
    "blank_final": Rule(
        "carte_blanche_when=final: judged on the final cards, open at once (4)", blank_at_the_end, "korolik_literal",
        wishes=("0 BLANK BLANK", "0 EXCHANGE DISCARD:K", "0 EXCHANGE DISCARD:Q", "0 EXCHANGE DISCARD:J"),
        cards={"elder": "AS TS 9S 8S TH 9H 7H AD 9D KD QC JC", "talon": "8D 8C 7C TD"}, start=G,
    ),
    "capot_open_made": Rule(
        "an announced capot is 80, without the extra for the last trick (5.3)", capot(80, 12),
        wishes=("0 CAPOT OPEN_CAPOT", *NO_EXCHANGE), cards=WINNERS, start=G,
    ),
    "capot_open_failed": Rule(
        "40 to the opponent, 10 for the cards all the same (5.3)", capot_failed, wishes=("0 CAPOT OPEN_CAPOT",),
        cards={"elder": "AS KS QS JS AH KH"}, start=G,
    ),
    "capot_closed": Rule(
        "a capot nobody announced is 40 instead of 10 (5.3)", capot(40, 12), wishes=NO_EXCHANGE, cards=WINNERS, start=G
    ),
    "tricks_six_each": Rule("6 to 6: nothing for the cards (5.3)", six_each, start=G),
    "last_trick_by_follower": Rule("the last trick is 4 for the follower too (5.2)", last_by_follower, start=G),
    "suit_named": Rule(
        "elder names a suit, sees the cards left and must lead it (4.2)", suit_named, "salon",
        wishes=("1 EXCHANGE PASS", "0 NAME NAME:"), start=G,
    ),
    "cards_left_looked_at": Rule(
        "younger looks after elder's first lead: both see the cards left (4.2)", looked, "rubicon",
        wishes=("1 EXCHANGE PASS", "1 LOOK LOOK"), start=G,
    ),
    "cartes_rouges": Rule(
        "twelve final cards from the ten up: 30 by themselves (5.1)", red, "salon", start=G,
        wishes=("0 EXCHANGE DISCARD:7", "0 EXCHANGE PASS"),
        cards={"elder": "AS KS JS TH KH QH JD QD AD TC JC 7C", "talon": "TS"},
    ),
    "shown_point_is_no_cartes_rouges": Rule(
        "a point from the ten up makes no cartes rouges, nor seem to (5.1, 7)", court_point, "salon", start=G,
        wishes=("0 POINT PASS",), cards={"younger": "AD KD QD JD TD 7C 8S 9H"},
    ),
    "full_hand": Rule(
        "every final card lies in a counted item: 20 (5.1)", full, "salon", start=G,
        wishes=("0 EXCHANGE DISCARD:7C", "0 EXCHANGE PASS"),
        cards={"elder": "AS KS QS JS TS 9S AH 9H 8H AD AC 7C", "talon": "7H"},
    ),
    "younger_takes_all_left": Rule(
        "elder takes one, younger all seven that are left (4.1)", exchanged(1, 7), "cent", wishes=("0 EXCHANGE PASS",),
        start=G,
    ),
    "exchange_of_none": Rule(
        "elder takes none: he sees five cards, younger takes five and sees three (4.1, 4.2)", none_exchanged,
        wishes=("0 EXCHANGE PASS",), start=G,
    ),
    "cent_decided_before_sets": Rule(
        "cent: a line at a time, elder's sequence before younger's quatorze (6.4)", decided_before_sets, "cent",
        {"episode": "partie"}, start={**G, "totals": [82, 90]},
        cards={"elder": "KS QS JS TS 9S", "younger": "AS AH AD AC"},
    ),
    "cent_decided_by_first_lead": Rule(
        "cent: the lead on the table counts after all items, before younger may look (6.4)", decided_by_lead, "cent",
        {"episode": "partie"}, wishes=("1 EXCHANGE PASS",), start={**G, "totals": [99, 70]},
    ),
    "refait_in_second_deal": Rule(
        "a drawn second deal: the first difference stands, the next korolik counts double (6.1)", refait,
        options={"episode": "partie"},
    ),
    "declarations_automatic": Rule(
        "declaration_mode=auto: no question; of two equal suits the first is the point (4.6)", automatic,
        options={"declaration_mode": "auto"}, wishes=("0 EXCHANGE PASS",), start=G,
    ),
    "equal_suit_is_shown": Rule(
        "show_equal: the suit of elder's equal point is public (4.8)", equal_shown, "rubicon", start=G
    ),
}  # fmt: skip
