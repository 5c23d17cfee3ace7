"""Plays engine and slow twin of ombre side by side; compares legal moves, seat, knowledge and chips at every decision."""

import numpy as np
from reference.ombre import Deal, Partie
from reference.ombre_rules import CHOICES, CONTRACTS, PRESETS, make_options
from reference.ombre_settle import divide
from reference.rocambole import Match

from lomber.envs import make_game
from lomber.envs.engine.cards import cards_of
from lomber.envs.ombre import state as st
from lomber.envs.ombre.actions import ACTIONS, CARDS, GO_FIRST, LEAVE, LOOK, PASS, STOP, VOLE, YIELD

NONE = -1
OWN = ("default", "seed_000", "french", "espadille_force", "tresillo")  # presets of ombre
LONG = ("partie",)  # episodes of several deals
SUITS = "SHDC"
NUMBERS = {
    "second_leave_min": (0, 5), "ante": (3, 0), "dealer_ante": (4, 1), "paid_pass": (0, 1), "pass_out_each": (2, 0),
    "bete_cap": (54, 0, 20), "bete_min": (0, 8), "premiers_value": (1, 0), "vole_value": (6, 0), "partie_deals": (3, 6),
}  # fmt: skip
BIDS = ("E,V,S", "E,V", "E,S", "V,S", "E", "V", "S")


def random_options(rng, numbers=NUMBERS, preset="default") -> dict:
    """Some options of section 8 drawn at random, in the engine's words."""
    pools = {name: values for name, values in (CHOICES | numbers).items() if name in PRESETS[preset]} | {"bids": BIDS}
    drawn = {name: values[rng.integers(len(values))] for name, values in pools.items() if rng.random() < 0.3}
    if drawn.get("bete_rule") == "fixed":
        drawn["bete_fixed"] = 7
    return drawn


def rules_of(preset: str, options: dict) -> dict:
    """The options for the twin."""
    options = {name: value for name, value in options.items() if name != "episode" and not name.startswith("start_")}
    words = {"E": "ENTRADA", "V": "VUELTA", "S": "SOLO"}
    changes = {**options}
    if "bids" in changes:
        changes["bids"] = tuple(words[letter] for letter in changes["bids"].split(","))
    if "prem" in changes:
        changes["prem"] = dict(zip(CONTRACTS, changes["prem"], strict=True))
    return make_options(preset, changes)


def names(mask) -> frozenset:
    return frozenset(CARDS[c] for c in cards_of(int(mask)))


def seat_or_none(value):
    return None if value == NONE else int(value)


def logged(view, *spans) -> tuple:
    entries = [(int(view["log_seat"][i]), int(view["log"][i])) for i in range(view["logged"])]
    return tuple((seat, ACTIONS[a]) for seat, a in entries if any(low <= a <= high for low, high in spans))


def known(view, seat: int) -> dict:
    """A hidden record in the words of the twin's `knows`."""
    open_exchange = view["exchanged"][seat] == NONE
    thrown = names(view["discarded"][seat])
    used = sum(max(int(n), 0) for n in view["exchanged"])
    plays = logged(view, (0, 39))
    in_trick = len(plays) % 3 if view["led"] != NONE else 0
    handover, look, premiers = logged(view, (GO_FIRST, YIELD)), logged(view, (LOOK, LEAVE)), logged(view, (STOP, VOLE))
    talon = [CARDS[c] if c >= 0 else None for c in view["talon"]]
    looked = view["looked"] == st.YES
    return {
        "hand": names(view["hand"][seat]) | (thrown if open_exchange else frozenset()),
        "dealt": names(view["dealt"][seat]),
        "discards": frozenset() if open_exchange else thrown,
        "marks": tuple(c for c in CARDS if c in thrown),
        "phase": st.Phase(int(view["phase"])).name,
        "to_act": seat_or_none(view["seat"]),
        "dealer": int(view["start"]["dealer"]),
        "calls": logged(view, (PASS, PASS + 5)),
        "ombre": seat_or_none(view["ombre"]),
        "contract": None if view["contract"] == NONE else st.CONTRACTS[view["contract"]],
        "trump": None if view["trump"] == NONE else SUITS[view["trump"]],
        "turned": talon[0] if view["contract"] == st.VUELTA else None,
        "handover": handover[0][1] if handover else None,
        "look": look[0][1] if look else None,
        "exchanged": tuple(seat_or_none(n) for n in view["exchanged"]),
        "talon_left": st.TALON - used,
        "talon": frozenset(talon[used:]) if looked else None,
        "plays": plays,
        "trick": tuple(card for _, card in plays[len(plays) - in_trick :]),
        "tricks": tuple(map(int, view["tricks"])),
        "premiers": premiers[0][1] if premiers else None,
        "outcome": None if view["outcome"] == NONE else st.OUTCOMES[view["outcome"]],
        "codille_by": seat_or_none(view["codille"]),
        "first_five": bool(view["first_five"]),
        "vole": st.VOLES[view["vole"]],
        "pot": int(view["match"]["pot"]),
        "queue": tuple(sorted(int(b) for b in view["match"]["queue"] if b)),
        "kon": int(view["match"]["kon"]),
        "tour": int(view["start"]["tour"]) or None,
        "match": match_of(view["start"]),
        "totals": tuple(int(t) for t in view["start"]["totals"] + view["delta"]),
        "drawn": own_draw(view, seat, talon),
        "seen": frozenset(card for card in talon if card),
        "others": frozenset().union(*(names(view["hand"][other]) for other in range(3) if other != seat)),
    }  # fmt: skip


def match_of(start) -> dict:
    """How far the match of rocambole is; nothing in ombre."""
    if not start["part"]:
        return {}
    cum_tricks = tuple(map(int, start["cum_tricks"]))
    return {"part": int(start["part"]), "deals_in_tour": int(start["deals_in_tour"]), "cum_tricks": cum_tricks}


def own_draw(view, seat, talon) -> frozenset:
    n = int(view["exchanged"][seat])
    order = [int(view["ombre"])]
    if view["first"] != NONE:
        order += [int(view["first"]), 3 - int(view["first"]) - order[0]]
    first = 0
    for who in order:
        if who == seat:
            break
        first += max(int(view["exchanged"][who]), 0)
    return frozenset(talon[first : first + max(n, 0)])


def expected(twin: Deal, seat: int) -> dict:
    """What the twin says, in the engine's terms: while somebody throws cards the others' exchange is not told."""
    knows = twin.knows(seat)
    shown = knows.pop("held")
    knows["others"] = frozenset().union(*(cards - {twin.turned} for cards in shown.values()))
    knows["queue"] = tuple(sorted(bete for bete in knows["queue"] if bete))  # one of no chips changes nothing
    knows["seen"] = knows["drawn"] | (knows["talon"] or frozenset()) | ({twin.turned} if twin.turned else set())
    return knows


def compare(game, state, mask, twin: Deal) -> None:
    """One decision: seat, legal actions, and what all seats know."""
    assert int(state[0]["seat"]) == twin.seat, (twin.options, twin.history)
    legal = sorted(ACTIONS[a] for a in np.flatnonzero(mask[0]))
    assert legal == sorted(twin.legal()), (twin.options, twin.history, legal, twin.legal())
    know_alike(game, state, twin)


def know_alike(game, state, twin: Deal) -> None:
    for seat in range(3):
        mine, theirs = known(game.hide(state, seat)[0], seat), expected(twin, seat)
        differing = {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
        assert not differing, (twin.options, twin.history, seat, differing)


def play(preset: str, options: dict, deals: int, seed: int, episode: str = "deal", name: str = "ombre") -> int:
    """Play `deals` episodes in both; returns the decisions compared."""
    game = make_game(name, preset, **options, episode=episode)
    rules = rules_of(preset, options)
    rng = np.random.default_rng(seed)
    decisions = 0
    for number in range(deals):
        states = game.begin(seed, number)
        partie = partie_of(rules, game.options, states[0]["start"])
        if rules["seat_draw"] == "spadille":
            assert states[0]["start"]["dealer"] == 0
        while not partie.over:
            assert partie.dealer == int(states[0]["start"]["dealer"])
            twin = partie.new_deal([CARDS[c] for c in states[0]["deck"]])
            decisions += play_deal(game, states, twin, rng)
            partie.finish(twin)
            assert game.points(states)[0].tolist() == list(partie.totals), (rules, twin.history)
            assert (int(states[0]["stage"]) == 2) == partie.over
            game.next_deal(states)
    return decisions


def partie_of(rules: dict, options, start):
    """The twin's match for an episode of these options."""
    dealer = int(start["dealer"])
    if "tour1_rule" not in rules:
        return Partie(rules, dealer, None if options.episode == "partie" else 1)
    if options.episode == "deal":
        return OneDeal(rules, dealer, 1, tour=options.start_tour, pot=options.start_pot, kon=options.start_kon)
    return Match(rules, dealer, rules["parts"] if options.episode == "full" else 1)


class OneDeal(Match):
    """Episode `deal` of rocambole: the chips are divided after it (section 4)."""

    def finish(self, deal) -> None:
        super().finish(deal)
        if not self.over:
            self.totals, self.over = divide(self.totals, self.chips), True


def play_deal(game, states, twin: Deal, rng) -> int:
    decisions = 0
    while twin.seat is not None:
        mask = game.legal(states)
        compare(game, states, mask, twin)
        action = int(rng.choice(np.flatnonzero(mask[0])))
        game.advance(states, [action], go_on=False)
        twin.apply(ACTIONS[action])
        decisions += 1
    assert states[0]["stage"] != 0, twin.history
    assert decisions == twin.decisions
    if int(states[0]["stage"]) == 1:  # behind the last deal the chips are divided
        know_alike(game, states, twin)
    assert [(s, ACTIONS[a]) for s, a in game.moves(states)] == list(twin.history)
    return decisions
