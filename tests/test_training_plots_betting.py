"""`lomber plot betting`: its numbers are those that a count of the deals' records gives."""

import numpy as np
import pytest

from lomber.agents.registry import load_agent
from lomber.envs import LomberError, make_game
from lomber.envs.engine import records
from lomber.training import commands
from lomber.training.evaluate import play_out
from lomber.training.plots import bouillotte, choices
from lomber.training.plots.run import measure

POINTS = ((32, "32 up"), (30, "30-31"), (22, "22-29"), (20, "20-21"), (12, "12-19"), (0, "to 11"))
STACKS = ((24, "24 up"), (12, "12-24"), (6, "6-12"), (3, "3-6"), (1, "1-3"), (0, "below 1"))
VALUES = {"A": 11, "9": 9, "8": 8, "7": 7, "6": 6}  # all others count 10


def band(bands, number):
    return next(name for least, name in bands if number >= least)


def hand_class(hand, retourne, options):
    """Of three names of cards: section 5.1 once more, without Saint-James."""
    of_brelan = {card[0] for card in hand}
    if options.mistigri and "QC" in hand and len(of_brelan) == 2 and sum(card[0] == "Q" for card in hand) == 1:
        of_brelan = of_brelan - {"Q"}
    if len(of_brelan) == 1:
        return "carre" if retourne[0] in of_brelan else "brelan"
    counting = [*hand, retourne] if options.retourne_counts else hand
    return band(POINTS, max(sum(VALUES.get(r, 10) for r, s in counting if s == suit) for _, suit in hand))


def counted(game, agent, ids, seed):
    """{(by, class, choice): [times, decided, won]} of the records of self-play."""
    tables, _, _ = play_out(game, [agent] * game.seats, np.arange(ids), seed)
    found, n = {}, game.seats
    step = 1 if game.options.direction == "right" else -1
    for ended in tables.states:
        record = records.record_of(game, ended)
        dealt = [int(ended["start"]["dealer"] + step * (k + 1)) % n for k in range(n)]
        carreurs = [seat for seat, move in record.moves if move == "CARRE"]
        first = dealt.index(carreurs[-1]) + 1 if carreurs else 0
        spoken = dealt[first:] + dealt[:first]
        for before in records.replay_states(record)[:-1]:
            done = len(game.moves(before))
            seat, move = record.moves[done]
            if move in ("CARRE", "NO_CARRE", "TALON_FIRST", "TALON_LAST"):
                continue
            answers = any(word.startswith("STAKE_TO") for _, word in record.moves[:done])
            choice = ("RAISE" if answers else "OPEN") if move.startswith("STAKE_TO") else move
            hand = [record.deck[dealt.index(seat) + n * part] for part in range(3)]
            stack, pot = int(before[0]["match"]["stack"][seat]), int(before[0]["pot"])
            for by, one in (
                ("hand", hand_class(hand, record.deck[3 * n], game.options)),
                ("place", f"{spoken.index(seat) + 1}"),
                ("stack in pots", band(STACKS, stack / pot)),
            ):
                told = found.setdefault((f"{by}, to {'answer' if answers else 'speak'}", one, choice), [0, 0, 0])
                told[0] += 1
                if move != "FOLD" and ended["end"] != 0:
                    told[1] += 1
                    told[2] += ended["winners"][0] == seat
    return found


@pytest.mark.jit
@pytest.mark.parametrize(
    ("game", "preset", "name"),
    [
        ("bouillotte", "bouillotte4", "bouillotte/heuristic"),
        ("bouillotte", "bouillotte3", "random"),  # to the left
        ("bouillotte", "brelan_mistigri", "random"),
        ("bouillotte", "pagat", "random"),  # an extra turn, carres bought back, without the retourne
        ("brelan", None, "random"),
    ],
)
def test_the_numbers_are_those_of_the_records(game, preset, name):
    game = make_game(game, preset, episode="deal")
    agent = load_agent(name, game)
    rows = measure("betting", game, {name: agent}, 300, 5, batch=120)
    told = {(row["by"], row["class"], row["choice"]): [row["times"], row["decided"], row["won"]] for row in rows}
    assert {key: value for key, value in told.items() if value[0]} == counted(game, agent, 300, 5)


def test_who_passed_and_came_back_has_won_with_both():
    game = make_game("bouillotte")
    hands = (("AS", "9H", "8D"), ("KS", "QS", "9S"), ("KH", "QH", "8H"), ("KD", "QD", "9D"))
    dealt = [hand[part] for part in range(3) for hand in hands] + ["8C"]
    deck = dealt + [card for card in (game.spec.cards[c] for c in game.deck()) if card not in dealt]
    states = game.deal(game.card_ids(deck), {"dealer": 3})
    for move in ("NO_CARRE", "PASS", "STAKE_TO 6", "CALL", "FOLD", "CALL"):
        game.advance(states, [game.action_id(move)], go_on=False)
    told = bouillotte.betting(game, states)
    seen = [
        [
            (one.by, one.classes[c], one.choices[k], int(won))
            for c, k, won in zip(one.of_class, one.chosen, one.won, strict=True)
        ]
        for one in told
    ]
    assert seen == [
        [("hand, to speak", "to 11", "PASS", 1), ("hand, to speak", "22-29", "OPEN", 0)],
        [("place, to speak", "1", "PASS", 1), ("place, to speak", "2", "OPEN", 0)],
        [("stack in pots, to speak", "24 up", "PASS", 1), ("stack in pots, to speak", "24 up", "OPEN", 0)],
        [("hand, to answer", name, k, won) for name, k, won in (
            ("22-29", "CALL", 0), ("22-29", "FOLD", choices.OPEN), ("to 11", "CALL", 1),
        )],
        [("place, to answer", name, k, won) for name, k, won in (
            ("3", "CALL", 0), ("4", "FOLD", choices.OPEN), ("1", "CALL", 1),
        )],
        [("stack in pots, to answer", name, k, won) for name, k, won in (
            ("3-6", "CALL", 0), ("1-3", "FOLD", choices.OPEN), ("1-3", "CALL", 1),
        )],
    ]  # fmt: skip


@pytest.mark.jit
def test_a_policy_of_whole_coups_is_plotted_over_single_deals(capsys):
    pytest.importorskip("onnxruntime")
    with pytest.warns(UserWarning, match="bouillotte/ppo was trained on"):
        commands.plot("betting", ["bouillotte/ppo"], ids=50)
    told = capsys.readouterr().out.splitlines()
    assert {line.split(",")[0] for line in told[1:]} == {"bouillotte/ppo"} and "hands" in told[0]
    with pytest.raises(LomberError, match="counts single deals"), pytest.warns(UserWarning):
        commands.plot("betting", ["bouillotte/ppo"], ids=50, option=["episode=session"])
