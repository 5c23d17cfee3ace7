"""Duplicate evaluation: zero between equals, the same in any batch, right against a sure win."""

import math

import numpy as np
import pytest

from lomber.agents.random import RandomAgent
from lomber.envs import LomberError, make_game
from lomber.training.evaluate import evaluate, seatings_of


class First:
    """Plays the first legal action."""

    name, seed, wants_view = "first", 0, False

    def act(self, positions):
        return positions.action_mask.argmax(axis=1)


def test_seatings():
    assert seatings_of(2) == [(0, 1), (1, 0)]
    assert len(seatings_of(3)) == len(set(seatings_of(3))) == 6
    assert len(set(seatings_of(4))) == 8


def test_an_agent_against_itself_is_exactly_even():
    result = evaluate(make_game("piquet"), First(), First(), ids=40)
    assert result.mean == 0 and result.sd == 0 and result.n == 40 and result.sd_single > 0


def test_the_result_depends_on_no_batch_size():
    game = make_game("piquet")
    whole, parts = (evaluate(game, First(), RandomAgent(), ids=60, batch=batch) for batch in (60, 7))
    assert whole.mean == parts.mean and whole.sd == parts.sd and np.isfinite(whole.mean)


def test_exchanging_the_two_turns_the_sign():
    game = make_game("piquet")
    one, two = evaluate(game, First(), RandomAgent(), ids=50), evaluate(game, RandomAgent(), First(), ids=50)
    assert one.mean == -two.mean


@pytest.mark.parametrize("name", ["piquet", "ombre"])
def test_two_are_compared_over_the_same_episodes_against_a_third(name):
    game, seatings = make_game(name), 2 if name == "piquet" else 6
    first, third = RandomAgent(), RandomAgent(1)
    result = evaluate(game, First(), first, ids=50, against=third, batch=7)
    above = [evaluate(game, agent, third, ids=50) for agent in (First(), first)]
    assert result.mean == pytest.approx(above[0].mean - above[1].mean) and result.n == 50 and result.seatings == seatings
    assert result.sd_single == pytest.approx(math.hypot(above[0].sd_single, above[1].sd_single))
    assert result.deals == above[0].deals + above[1].deals
    data = [evaluate(game, First(), first, ids=ids, against=third).mean * ids for ids in range(1, 51)]
    assert result.sd == pytest.approx(np.diff([0, *data]).std(ddof=1))  # over the datum of each id, not of each agent
    assert result.interval[1] - result.mean == pytest.approx(1.96 * result.sd / 50**0.5)


def test_an_agent_and_itself_are_even_against_any_third():
    result = evaluate(make_game("ombre"), First(), First(), ids=20, against=RandomAgent())
    assert result.mean == 0 and result.sd == 0 and result.sd_single > 0


@pytest.mark.parametrize("ids", [0, -5, 2.5, True, None, "9", 10_000_001, 3_000_000_000])
def test_a_number_of_episodes_that_cannot_be_is_told(ids):
    with pytest.raises(LomberError, match="an integer from 1 to 10,000,000"):
        evaluate(make_game("piquet"), First(), First(), ids=ids)
