"""Bouillotte twin, for its tests: options, decks and players at random, and what every state and every end must keep."""

from __future__ import annotations

import random

from .bouillotte import PRESETS, Deal, make_deck, make_options
from .bouillotte_rules import CHOICES, ENDS, PHASES, action_id, action_name, pack, stake_to, staked
from .bouillotte_showdown import contest, pay, strength

NUMBERS = {
    "cave": (2, 3, 5, 12, 30),
    "stake_cap": (3, 5, 20, 60),
    "ante": (1, 2, 5),
    "carre_max": (0, 1, 3, 4, 7),
    "raise_min": (2, 5),
    "raise_increment_max": (1, 4, 30),
    "max_raises": (1, 3),
    "pass_fee": (1, 2),
    "raise_fee": (1, 3),
    "tapissier_threshold": (0, 1, 3),
    "stack_max": (4, 31, 60),
    "pay_simple": (0, 1, 3),
    "pay_favori": (0, 5),
    "pay_carre": (1, 9),
    "pay_mistigri": (0, 3),
    "pay_st_james": (1, 6),
    "session_deals": (1, 3, 6),
    "coup_max_deals": (1, 2, 5),
}
FLAGS = (
    "carre_buyback", "passe_parole", "callers_may_reopen", "brelan_enabled", "mistigri", "saint_james", "retourne_counts",
    "brelan_locks_cards",
)  # fmt: skip
PACKS = ("AK98", "AKQ98", "AKQJ98", "AKQJT98", "AKT8", "AKQT8", "AKQJT8", "AKQJT9", "AKQJT987", "AKQJT9876", "AJT")


def random_options(rng: random.Random, share: float = 0.25) -> dict:
    """A preset with some of its options changed."""
    values = NUMBERS | CHOICES | dict.fromkeys(FLAGS, (True, False)) | {"players": (2, 3, 4, 5), "ranks": PACKS}
    while True:
        changes = {name: rng.choice(options) for name, options in values.items() if rng.random() < share}
        try:
            return make_options(rng.choice(list(PRESETS)), changes)
        except ValueError:  # too few cards, or two parts for the jack of clubs
            continue


def some_options(number: int, rng: random.Random) -> dict:
    """A preset as it is, or options at random."""
    return make_options(list(PRESETS)[number // 2 % len(PRESETS)]) if number % 2 else random_options(rng)


def shuffled(options: dict, rng: random.Random) -> list[str]:
    deck = pack(options)
    rng.shuffle(deck)
    return deck


def rich_deck(options: dict, order, rng: random.Random) -> list[str]:
    """Some seats have three or two of a rank, or a pair with a club court card; the retourne often fits one of them."""
    rest, hands = shuffled(options, rng), {}
    for seat in order:
        if rng.random() < 0.3:
            rest.sort(key=lambda card: card not in ("QC", "JC"))
            hands[seat] = rest[:1]
        else:
            hands[seat] = []
        rank = rng.choice([card[0] for card in rest[1:]])
        same = [card for card in rest if card[0] == rank and card not in hands[seat]]
        hands[seat] = (hands[seat] + same + rest)[:3]
        hands[seat] = list(dict.fromkeys(hands[seat]))
        rest = [card for card in rest if card not in hands[seat]]
    fits = [card for card in rest if any(card[0] == held[-1][0] for held in hands.values())]
    return make_deck(options, order, hands, rng.choice(fits) if fits and rng.random() < 0.6 else None)


def random_deal(number: int, rng: random.Random, options: dict | None = None) -> Deal:
    options = options or some_options(number, rng)
    players = options["players"]
    seats, dealer = list(range(players)), rng.randrange(players)
    if players > 2 and rng.random() < 0.2:
        seats.remove(rng.choice([seat for seat in seats if seat != dealer]))
    stacks, carried = None, None
    if rng.random() < 0.6:
        most = rng.choice((2, 6, options["cave"], 2 * options["cave"]))
        stacks = [rng.randint(1, most) if seat in seats else 0 for seat in range(players)]
    if rng.random() < 0.3:
        carried = [rng.choice((0, 0, 1, 4)) for _ in range(players)]
    order = Deal(options, pack(options), dealer, seats=seats).order
    deck = rich_deck(options, order, rng) if rng.random() < 0.5 else shuffled(options, rng)
    return Deal(options, deck, dealer, stacks, carried, seats=seats)


def chooser(rng: random.Random):
    """Random play: words first and then a stake, or all pass, or few bets, or small raises, or large ones."""
    style = rng.randrange(6)

    def choose(deal: Deal) -> str:
        legal = deal.legal()
        words = [name for name in legal if staked(name) is None]
        stakes = [name for name in legal if staked(name) is not None]
        if style == 0 or (style == 1 and rng.random() < 0.8):
            quiet = [name for name in words if name in ("PASS", "CALL")]
            return rng.choice(quiet or words)
        if stakes and rng.random() < (0.8 if style > 3 else 0.4):
            if style == 4:
                return stakes[0]
            return stakes[-1] if rng.random() < 0.2 else rng.choice(stakes[: 1 + rng.randrange(len(stakes))])
        if style == 3 and len(words) > 1 and "FOLD" in words:
            words.remove("FOLD")
        return rng.choice(words)

    return choose


def play_on(deal: Deal, choose) -> Deal:
    while deal.seat is not None:
        deal.apply(choose(deal))
    return deal


# ------------------------------------------------------------------ what every state must keep (section 5.6)


def check_state(deal: Deal) -> None:
    options, total = deal.options, sum(deal.start["stacks"]) + sum(deal.start["carried"])
    assert sum(deal.stacks) + deal.pot == total  # I1 within a deal
    assert all(stack >= 0 for stack in deal.stacks)  # I4
    assert all(0 <= stake <= options["stake_cap"] for stake in deal.stakes)
    assert deal.phase in PHASES and (deal.phase == "END") == (deal.seat is None)
    cards = [card for hand in deal.hands.values() for card in hand] + [deal.retourne, *deal.talon]
    assert sorted(cards + [card for _, card in deal.turned]) == sorted(pack(options))
    if deal.seat is not None:
        check_menu(deal)


def check_menu(deal: Deal) -> None:
    options, seat, legal = deal.options, deal.seat, deal.legal()
    assert len(legal) > 1 and len(set(legal)) == len(legal) and seat not in deal.folded
    assert seat in deal.order and (deal.stacks[seat] > 0 or deal.phase == "TALON")
    assert deal.phase == "TALON" or not deal.is_tapissier(seat)
    assert len(deal.ids()) == len(legal) and sorted(deal.ids().values()) == sorted(legal)
    stakes = [staked(name) for name in legal if staked(name) is not None]
    words = {
        "BLIND": [{"NO_CARRE", "CARRE"}],
        "OPENING": [{"PASS"}],
        "BETTING": [{"CALL"}, {"FOLD", "CALL"}],
        "TALON": [{"TALON_FIRST", "TALON_LAST"}],
    }
    assert {name for name in legal if staked(name) is None} in words[deal.phase]
    assert bool(stakes) == (deal.interval is not None)
    if not stakes:
        return
    lo, hi = deal.interval
    if options["action_abstraction"] == "ladder":
        assert lo in stakes and hi in stakes and len(stakes) <= 8 and max(deal.ids()) < 15
    else:
        assert stakes == list(range(lo, hi + 1)) and all(action_name(number) == name for number, name in deal.ids().items())
    assert lo > deal.stakes[seat] and lo >= deal.level and (deal.phase == "OPENING" or lo > deal.level)
    assert hi - deal.stakes[seat] + options["raise_fee"] <= deal.stacks[seat] and hi <= options["stake_cap"]
    assert action_id(stake_to(hi)) == hi + 6


def check_step(deal: Deal, before: dict, name: str, seat: int) -> None:
    """One decision: stakes never decrease, others' jetons move only by themselves."""
    if deal.seat is None:
        return
    assert all(now >= then for now, then in zip(deal.stakes, before["stakes"]))
    assert deal.carried == list(deal.start["carried"])
    moved = {who for who, _ in deal.history[before["moves"] :]}
    assert all(deal.stacks[s] == before["stacks"][s] for s in range(len(deal.stacks)) if s not in moved)
    if staked(name) is not None:
        assert deal.stakes[seat] == staked(name) and deal.aggressor == seat == deal.history[before["moves"]][0]


def most_decisions(deal: Deal) -> int:
    """4.7."""
    options, players = deal.options, len(deal.order)
    stake = min(options["stake_cap"], max(deal.start["stacks"]))
    blind = options["carre_max"] * (2 if options["carre_buyback"] else 1)
    if options["carre_mode"] in ("none", "dealer_ante"):
        blind = 0
    talon = players - 1 if options["carre_anglais"] == "choice" else 0
    return blind + players + stake * (players - 1) * (2 if options["callers_may_reopen"] else 1) + talon


# ------------------------------------------------------------------ what every end must keep


def check_end(deal: Deal) -> None:
    options, final = deal.options, deal.final
    assert deal.end in ENDS and deal.legal() == [] and len(deal.chosen) <= most_decisions(deal)
    carried = sum(deal.carried) - sum(deal.start["carried"])
    assert sum(deal.net) + carried == 0 == sum(deal.returns())  # I2, I7
    pot = sum(map(sum, final.values()))
    assert deal.stakes == deal.dead == [0] * options["players"]
    assert (deal.opener is None) == (deal.aggressor is None)
    if deal.end == "pass_out":
        assert deal.layers == [] and deal.winner is None and deal.pot == pot and deal.opener is None and deal.last is None
        assert deal.carried == [sum(jetons) for jetons in zip(*final.values())]
    else:
        assert sum(amount for amount, _ in deal.layers) == pot and deal.pot == 0  # I3
        assert all(winner in deal.unfolded for _, winner in deal.layers) and deal.winner == deal.layers[0][1]
        assert (deal.end == "showdown") == (len(deal.unfolded) > 1)
        assert deal.end != "carre_take" or (deal.opener is None and deal.winner == deal.last)
        assert deal.end != "uncontested" or deal.opener is not None
        highest = {seat for seat in deal.order if final["stakes"][seat] == max(final["stakes"])}
        assert highest & set(deal.unfolded) or may_be_short(options)  # I5
        assert jeton_by_jeton(deal) == won(deal)
    check_payments(deal)
    check_shown(deal)


def may_be_short(options: dict) -> bool:
    """The exception of 5.2: the dealer pays less than the others and nobody opens."""
    return options["carre_mode"] == "dealer_ante" and options["ante_mode"] != "dealer" and options["ante"] > 1


def won(deal: Deal) -> list[int]:
    """Jetons of the pot by winner."""
    return [sum(amount for amount, winner in deal.layers if winner == seat) for seat in range(deal.options["players"])]


def jeton_by_jeton(deal: Deal) -> list[int]:
    """5.2 another way: the n-th jetons of all stakes go to the best of those who staked as many."""
    won, stakes, unfolded = [0] * deal.options["players"], deal.final["stakes"], deal.unfolded
    most = max(stakes[seat] for seat in unfolded)
    for n in range(1, max(stakes) + 1):
        contestants = [seat for seat in unfolded if stakes[seat] >= min(n, most)]
        won[best_of(deal, contestants)] += sum(stake >= n for stake in stakes)
    won[best_of(deal, unfolded)] += sum(deal.final["dead"]) + sum(deal.final["carried"])
    return won


def best_of(deal: Deal, contestants) -> int:
    if len(contestants) == 1:
        return contestants[0]
    return contest(deal.options, deal.order, deal.hands, deal.retourne, contestants, deal.categories).winner


def check_payments(deal: Deal) -> None:
    """I6 and 5.4: transfers from what the payers have, the strongest holder first."""
    stacks = [stack + change for stack, change in zip(deal.start["stacks"], deal.net)]
    assert stacks == deal.stacks
    for payer, holder, amount in reversed(deal.payments):
        stacks[payer], stacks[holder] = stacks[payer] + amount, stacks[holder] - amount
        assert payer != holder and 0 <= amount <= min(stacks[payer], pay(deal.options, deal.categories[holder], deal.retourne))
    before = [start - put - fee for start, put, fee in zip(deal.start["stacks"], deal.final["stakes"], deal.final["dead"])]
    assert stacks == [jetons + prize for jetons, prize in zip(before, won(deal))]
    strengths = [strength(deal.options, deal.categories[holder]) for _, holder, _ in deal.payments]
    assert strengths == sorted(strengths, reverse=True)
    assert deal.options["brelan_enabled"] or not deal.payments
    assert deal.options["brelan_scope"] == "always" or deal.end == "showdown" or not deal.payments


def check_shown(deal: Deal) -> None:
    for seat in deal.order:
        knows = deal.knows(seat)
        assert knows["hand"] == frozenset(deal.hands[seat]) and knows["retourne"] == deal.retourne
        everybody = deal.end == "showdown"
        paid = deal.options["brelan_scope"] == "always"
        holders = {other for other in deal.order if paid and deal.categories[other].name != "point"}
        assert set(knows["hands"]) == {other for other in deal.order if everybody or other == seat or other in holders}
