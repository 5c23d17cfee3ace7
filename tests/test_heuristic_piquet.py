"""The rule-based player of piquet in positions where one who knows the game would insist on the move."""

import pytest
from answers import ask, play_on

from lomber.envs import make_game
from lomber.envs.piquet import state as st
from lomber.envs.piquet.actions import CARDS
from lomber.envs.piquet.positions import final_hands


def discards(hand, elder, preset="korolik"):
    """The set that the heuristic discards from twelve dealt cards."""
    game = make_game("piquet", preset)
    rest = [card for card in CARDS if card not in hand.split()]
    hands = (hand.split(), rest[::2][:12]) if elder else (rest[::2][:12], hand.split())
    deck = [*hands[0], *hands[1], *(card for card in rest if card not in rest[::2][:12])]
    states = game.deal(game.card_ids(deck), {"dealer": 1})
    seat, told = 0 if elder else 1, []
    while states[0]["phase"] == st.EXCHANGE:
        acts, name = int(states[0]["seat"]), ask(game, states)
        if acts == seat and name != "PASS":
            told.append(name.removeprefix("DISCARD:"))
        play_on(game, states, name)
    return set(told)


@pytest.mark.parametrize(
    ("hand", "elder", "kept"),
    [
        ("AS KS QS 9S QH 8H 7H QD TD QC JC 8C", True, "AS KS QS QH QD QC"),  # the quatorze of queens
        ("AS KS QS JS TS KH 8H 7H 9D 8D 9C 7C", True, "AS KS QS JS TS"),  # the quint
        ("AS 9S 8S AH KH QH JH 9H KD 8D JC 7C", True, "AS AH KH QH JH"),  # aces, and the quart in the long suit
        ("9S 8S 7S 9H 8H AD KD 9D 8D 7D 8C 7C", True, "AD KD 9D 8D 7D"),  # the long suit behind its tops
        ("KS 7S KH 9H QH 7H KD 9D AD KC JC TC", False, "KS 7S KH KD AD KC"),  # four kings, none of them bare
    ],
)
def test_discards_keep_what_counts(hand, elder, kept):
    for preset in ("korolik", "rubicon"):
        thrown = discards(hand, elder, preset)
        assert not thrown & set(kept.split()) and len(thrown) >= 3


def test_a_hand_near_perfection_is_hardly_touched():
    hand = "AS KS QS JS TS 9S 8S 7S AH KH QH 7D"
    assert discards(hand, True, "rubicon") == {"7D"}
    thrown = discards(hand, True, "korolik")  # none, or three to five
    assert len(thrown) != 1 and not thrown & set(hand.split()[:9])


def test_younger_leaves_no_king_bare():
    hand = "AS 9S 8S KH 7H 8H QD JD 9D KC TC 7C"
    left = set(hand.split()) - discards(hand, False)
    assert {"AS", "KH", "KC"} <= left and all(sum(card[1] == suit for card in left) > 1 for suit in "HC")


ELDER = "AS KS QS 9S AH KH QH JH 9H AD KD AC"
YOUNGER = "TS 8S JS TH 8H QD JD TD 9D KC QC JC"


def test_declarations_are_the_best_and_the_truth():
    game = make_game("piquet")
    states = final_hands(game, ELDER.split(), YOUNGER.split())
    told = []
    while states[0]["phase"] < st.CAPOT:
        told.append(ask(game, states))
        play_on(game, states, told[-1])
    assert told == ["POINT:H", "SEQ:AH", "SEQ:AS", "QUATORZE:A", "TRIO:K-C"]
    assert states[0]["ledger"][0, : st.ITEM_SET + 1].tolist() == [0, 5, 7, 17]


def test_younger_does_not_concede():
    game = make_game("piquet")
    states = final_hands(game, YOUNGER.split(), ELDER.split())
    while states[0]["phase"] < st.CAPOT:
        play_on(game, states, ask(game, states))
    assert states[0]["ledger"][:, : st.ITEM_SET + 1].tolist() == [[0, 0, 0, 0], [0, 5, 7, 17]]


def finished(elder, younger, preset="korolik"):
    """The state after the heuristic has played both hands, and whether elder announced a capot."""
    game = make_game("piquet", preset)
    states = final_hands(game, elder.split(), younger.split())
    announced = False
    while states[0]["stage"] == 0:
        name = ask(game, states)
        announced = announced or (name == "OPEN_CAPOT" and states[0]["seat"] == 0)
        play_on(game, states, name)
    return states[0], announced


RUNNING = "AS KS QS JS TS 9S 8S 7S"
THREE_ACES = "AH KH JH TH AD KD JD TD AC QC JC TC"


def test_a_certain_capot_is_announced_and_made():
    state, announced = finished(f"{RUNNING} AH KH QH JH", "TH 9H 8H 7H AD KD QD JD AC KC QC JC")
    assert announced and state["tricks"].tolist() == [12, 0]
    assert not finished(f"{RUNNING} KH QH JH TH", "AH 9H 8H 7H AD KD QD JD AC KC QC JC")[1]


def test_younger_keeps_his_aces_while_elder_runs_a_suit():
    for preset in ("korolik", "rubicon"):
        state, _ = finished(f"{RUNNING} QH QD KC 9C", THREE_ACES, preset)
        assert state["tricks"].tolist() == [8, 4]


def test_a_king_is_kept_guarded():
    """Elder runs his spades and holds the ace and queen of diamonds: younger's king of two makes a trick, a bare one none."""
    state, _ = finished(f"{RUNNING} AH KH AD QD", "QH JH TH 9H 8H 7H KD 7D KC QC JC TC")
    assert state["tricks"].tolist() == [11, 1]


@pytest.mark.parametrize(
    ("led", "held", "played"),
    [
        ("TS", "AS QS 8S", "QS"),  # as cheaply as can be
        ("JS", "TS 9S 7S", "7S"),  # nothing to be won: the lowest
        ("KS", "AS 8S 7S", "AS"),
    ],
)
def test_following_suit(led, held, played):
    game = make_game("piquet")
    others = [card for card in CARDS if card[1] != "S"]
    spades = [card for card in CARDS if card[1] == "S" and card not in held.split() and card != led]
    younger = [*held.split(), *others[:9]]
    elder = [led, *spades[-2:], *others[9:18]]
    states = final_hands(game, elder, younger)
    while states[0]["phase"] != st.LEAD:
        play_on(game, states, ask(game, states))
    play_on(game, states, f"PLAY:{led}")
    assert ask(game, states) == f"PLAY:{played}"
