"""The betting of bouillotte: what each seat chose at its words and answers, with which hand, and whether it won the pot."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.bouillotte import actions as act
from ...envs.bouillotte import state as st
from ...envs.bouillotte.showdown import LANE, LANE_CARDS, LANE_VALUE, categorize
from ...envs.engine.cards import bit
from ...envs.engine.game import Game
from ...envs.engine.jit import entry
from ...envs.engine.state import NONE
from .choices import OPEN, Choices

TO_SPEAK, TO_ANSWER = ("PASS", "OPEN"), ("FOLD", "CALL", "RAISE")
POINTS = (12, 20, 22, 30, 32)  # the bands below begin with the first of each: one card, two, two high ones, three, ...
HANDS = ("to 11", "12-19", "20-21", "22-29", "30-31", "32 up", "brelan", "carre")
DEEP = (1, 3, 6, 12, 24)  # pots that a stack is worth: the bands below begin with the first of each
STACKS = ("below 1", "1-3", "3-6", "6-12", "12-24", "24 up")


class Decision(NamedTuple):
    """One decision of a finished deal, of the phases OPENING and BETTING."""

    deal: int
    seat: int
    phase: int
    choice: int  # index in TO_SPEAK or TO_ANSWER
    stack: int  # jetons in front of the seat
    pot: int


@entry
def appraise_rows(rules, hands, retournes, categories, numbers):
    """Write the category of each hand (5.1), and the points of its best suit, with the retourne where that counts."""
    for i in range(hands.shape[0]):
        categories[i], _ = categorize(rules[0], hands[i], retournes[i], NONE)
        turned = bit(retournes[i]) if rules[0]["retourne_counts"] else 0
        numbers[i] = 0
        for suit in range(4):
            lane = hands[i] >> LANE * suit & LANE_CARDS
            if lane:
                numbers[i] = max(numbers[i], LANE_VALUE[lane | (turned >> LANE * suit & LANE_CARDS)])


def betting(game: Game, states: NDArray[Any]) -> list[Choices]:
    """A row for each word and each answer of each finished deal (4.3, 4.4); forced moves are none. Won: the seat won the pot,
    or its lowest layer, which all who stay play for. A fold was neither won nor lost, nor a word in a deal passed out.
    """
    decisions = np.array([decision for i in range(len(states)) for decision in _decisions(game, states, i)], np.int64)
    deal, seat, phase, choice, stack, pot = decisions.reshape(-1, len(Decision._fields)).T
    rules, ended = game.rules[0], states[deal]
    own, turned = ended["hand"][np.arange(len(deal)), seat], ended["retourne"].astype(np.int64)
    categories, numbers = np.zeros_like(own), np.zeros_like(own)
    appraise_rows(game.rules, own, turned, categories, numbers)
    hand = np.digitize(numbers, POINTS)
    hand[categories > st.POINT] = HANDS.index("brelan")
    hand[np.isin(categories, (st.CARRE, st.MISTIGRI_CARRE, st.ST_JAMES_CARRE))] = HANDS.index("carre")
    last_before = np.where(ended["last"] == NONE, ended["start"]["dealer"], ended["last"])
    place = ((seat - last_before) * rules["step"] - 1) % game.seats
    pots = np.digitize(stack / np.maximum(pot, 1), DEEP)
    won = (ended["winners"][:, 0] == seat).astype(np.int8)
    won[(ended["end"] == st.PASSED_OUT) | ((phase == st.BETTING) & (choice == TO_ANSWER.index("FOLD")))] = OPEN
    places = tuple(f"{k}" for k in range(1, game.seats + 1))
    return [
        Choices(f"{by}, {told}", classes, names, of_class[here], choice[here], won[here])
        for here, names, told in ((phase == st.OPENING, TO_SPEAK, "to speak"), (phase == st.BETTING, TO_ANSWER, "to answer"))
        for by, classes, of_class in (("hand", HANDS, hand), ("place", places, place), ("stack in pots", STACKS, pots))
    ]


def _decisions(game: Game, states: NDArray[Any], i: int) -> list[Decision]:
    """The decisions of one deal in order: it is played anew."""
    moves = game.moves(states[i : i + 1])
    walk = np.zeros(1, game.state_dtype)
    for source, field in (("start", "match"), ("deck", "deck"), ("key", "key"), ("deal", "deal")):
        walk[field] = states[i][source]
    game.loops.deal_rows(game.rules, walk)
    found = []
    for seat, action in moves[len(game.moves(walk)) :]:
        phase = int(walk[0]["phase"])
        if phase in (st.OPENING, st.BETTING) and game.legal(walk)[0].sum() > 1:
            names, name = (TO_SPEAK, "OPEN") if phase == st.OPENING else (TO_ANSWER, "RAISE")
            choice = names.index(name if action > act.STAKE else act.PLAIN[action])
            found.append(Decision(i, seat, phase, choice, int(walk[0]["match"]["stack"][seat]), int(walk[0]["pot"])))
        game.play_one(walk, action)
    return found
