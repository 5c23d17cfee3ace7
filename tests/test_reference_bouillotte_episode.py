"""The slow twin of bouillotte and brelan: episodes (section 6) beyond the worked cases, and many at random."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reference.bouillotte import make_deck, make_options
from reference.bouillotte_episode import Episode
from reference.bouillotte_rules import seats_after
from reference.bouillotte_samples import chooser, play_on, random_options, rich_deck, shuffled

POINTS = (["AS", "9H", "8D"], ["KS", "QS", "9S"], ["KH", "QH", "8H"], ["KD", "QD", "9D"])


def played(episode: Episode, *names, hands=POINTS):
    """The next deal with these cards, whoever is to act."""
    order = seats_after(episode.options, episode.dealer, episode.seats)
    deal = episode.new_deal(make_deck(episode.options, order, hands, "8C"))
    for name in names:
        deal.apply(name)
    assert deal.seat is None
    episode.finish(deal)
    return deal


def begun(kind="session", dealer=3, preset="bouillotte4", start=None, **changes) -> Episode:
    return Episode(make_options(preset, {"episode": kind, **changes}), dealer, **(start or {}))


PASSES = ("NO_CARRE", "PASS", "PASS", "PASS", "PASS")
OPENS = ("NO_CARRE", "STAKE_TO 5", "FOLD", "FOLD", "FOLD")


def test_one_deal():
    episode = begun("deal", start={"stacks": [9, 20, 30, 31], "carried": [2, 0, 0, 0]})
    played(episode, *PASSES)
    assert episode.over and episode.carried == [2, 0, 0, 1] and episode.returns() == [0] * 4
    episode = begun("deal", start={"carried": [2, 0, 0, 0]})
    played(episode, *OPENS)
    assert episode.returns() == [1 + 2 - 2, 0, 0, -1] and episode.balance() == [3, 0, 0, -1]
    episode = begun("deal", preset="without_brelan", start={"stacks": [30, 30, 30, 61]})
    played(episode, *OPENS)
    assert episode.stacks[3] == 30 and episode.bank[3] == 30 and episode.returns() == [1, 0, 0, -1]


def test_coup():
    episode = begun("coup")
    played(episode, *PASSES)
    played(episode, *PASSES)
    assert not episode.over and episode.carried == [1, 0, 0, 1] and episode.dealer == 1
    played(episode, *OPENS)
    assert episode.over and episode.dealers == [3, 0, 1] and episode.returns() == [-1, -1, 3, -1]
    episode = begun("coup", coup_max_deals=2)
    played(episode, *PASSES)
    played(episode, *PASSES)
    assert episode.over and episode.returns() == [0] * 4 and episode.balance() == [-1, 0, 0, -1]
    with pytest.raises(ValueError):
        played(episode, *PASSES)


def test_recave_and_topup():
    """A ruined seat buys a cave; with `to_cave` all below it fill up, but not behind the last deal."""
    ruin = ("NO_CARRE", "STAKE_TO 30", "CALL", "FOLD", "FOLD")  # seat 0 opens, seat 1 is ruined
    episode = begun()
    played(episode, *ruin)
    assert episode.stacks == [61, 30, 30, 29] and episode.buyins == [30, 60, 30, 30]
    episode = begun(topup="to_cave", session_deals=2)
    played(episode, *ruin)
    assert episode.stacks == [61, 30, 30, 30] and episode.buyins == [30, 60, 30, 31] and episode.balance() == [31, -30, 0, -1]
    played(episode, *OPENS)
    assert episode.over and episode.stacks == [60, 31, 30, 30] and episode.returns() == [30, -29, 0, -1]


def test_reset_and_skim():
    episode = begun(stack_policy="reset", bust_rule="eliminate")
    played(episode, "NO_CARRE", "STAKE_TO 30", "CALL", "FOLD", "FOLD")
    assert episode.stacks == [30] * 4 and episode.bank == [31, -30, 0, -1] and episode.seats == {0, 1, 2, 3}
    episode = begun(stack_max=31)
    played(episode, *OPENS)
    assert episode.stacks == [30, 30, 30, 29] and episode.bank == [1, 0, 0, 0] and episode.buyins == [30] * 4


def test_elimination():
    """What the seat carries stays in the pot and is its own when the pot comes back."""
    short = {"stacks": [1, 30, 30, 2]}
    episode = begun(bust_rule="eliminate", ante_mode="all", session_deals=3, start=short, carre_mode="none")
    played(episode, "PASS", "PASS")  # seat 0 is all-in, seat 3 a tapissier
    assert episode.seats == {1, 2, 3} and episode.carried == [1, 1, 1, 1] and episode.dealer == 1
    played(episode, "PASS", "PASS", hands=[[], *POINTS[1:]])  # now seat 3 is all-in
    assert episode.seats == {1, 2} and episode.carried == [1, 2, 2, 2] and episode.dealer == 2
    played(episode, "PASS", "PASS", hands=[[], *POINTS[1:3], []])
    assert episode.over and episode.stacks == [0, 27, 27, 0] and episode.returns() == [0] * 4
    won = begun(bust_rule="eliminate", ante_mode="all", session_deals=2, start=short, carre_mode="none")
    played(won, "PASS", "PASS")
    deal = played(won, "STAKE_TO 5", "FOLD", hands=[[], *POINTS[1:]])  # seat 3 is all-in with king and queen of diamonds
    assert deal.layers == [(4 + 1 + 1 + 1, 3), (4, 2)] and won.carried == [0] * 4
    assert won.returns() == [-1, -2, -2, 5]


def test_end_by_elimination():
    episode = begun(bust_rule="eliminate", preset="bouillotte2", dealer=0)
    hands = [["AS", "KS", "8D"], ["9H", "8H", "9D"]]
    played(episode, "NO_CARRE", "STAKE_TO 30", "CALL", hands=hands)
    assert episode.over and episode.returns() == [30, -30] and episode.dealt == 1
    both = begun(bust_rule="eliminate", preset="bouillotte2", dealer=1, ante_mode="all", start={"stacks": [1, 1]})
    both.finish(both.new_deal(make_deck(both.options, [0, 1])))
    assert both.over and both.returns() == [0, 0]


def test_dealers():
    def next_dealer(names, dealer=3, **changes):
        episode = begun(dealer=dealer, **changes)
        played(episode, *names)
        return episode.dealer

    assert next_dealer(OPENS) == 0 and next_dealer(OPENS, direction="left") == 2
    across = {"dealer_rotation": "vis_a_vis"}
    assert next_dealer(OPENS, **across) == 1 and next_dealer(PASSES, **across) == 0
    assert next_dealer(("CARRE", "NO_CARRE", "PASS", "PASS", "PASS"), **across) == 1
    episode = begun(preset="bouillotte5", dealer=4, **across)
    episode.finish(play_on(episode.new_deal(shuffled(episode.options, random.Random(1))), lambda deal: deal.legal()[0]))
    assert episode.dealer == 0


def test_new_deals_carry_on():
    episode = begun()
    played(episode, *PASSES)
    deal = episode.new_deal(shuffled(episode.options, random.Random(2)))
    assert deal.start == {"stacks": (30, 30, 30, 29), "carried": (0, 0, 0, 1)} and deal.dealer == 0
    assert deal.public()["match"] == {"deal": 1, "bank": (0, 0, 0, 0), "buyins": (30, 30, 30, 30)}
    with pytest.raises(ValueError):
        episode.finish(deal)  # not played yet


@pytest.mark.parametrize("seed", range(12))
def test_random_episodes(seed):
    """I1 at every decision and between deals, I7, and that nothing is lost by leaving."""
    for number in range(25):
        rng = random.Random(1000 * seed + number)
        options = random_options(rng)
        episode = Episode(options, rng.randrange(options["players"]))
        choose = chooser(rng)
        while not episode.over:
            order = seats_after(options, episode.dealer, episode.seats)
            deck = rich_deck(options, order, rng) if rng.random() < 0.5 else shuffled(options, rng)
            before = dict(enumerate(episode.stacks))
            deal = episode.new_deal(deck)
            while deal.seat is not None:
                assert sum(deal.stacks) + deal.pot + sum(episode.bank) == sum(episode.buyins)  # I1
                deal.apply(choose(deal))
            assert all(deal.stacks[seat] == 0 for seat in range(options["players"]) if seat not in order)
            assert [before[seat] + deal.net[seat] for seat in before] == deal.stacks
            episode.finish(deal)
            assert sum(episode.stacks) + sum(episode.carried) + sum(episode.bank) == sum(episode.buyins)
            assert sum(episode.returns()) == 0  # I7
            if episode.over:
                break
            assert all(episode.stacks[seat] > 0 for seat in episode.seats) and episode.dealer in episode.seats
            assert deal.end == "pass_out" or episode.carried == [0] * options["players"]
        most = {"deal": 1, "coup": options["coup_max_deals"], "session": options["session_deals"]}[options["episode"]]
        assert episode.dealt <= most and len(episode.dealers) == episode.dealt
        if episode.dealt < most:
            ruined = len([seat for seat in episode.seats if episode.stacks[seat] > 0]) < 2
            assert ruined or (options["episode"] == "coup" and deal.end != "pass_out")
