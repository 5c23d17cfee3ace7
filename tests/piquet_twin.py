"""Plays engine and slow twin side by side; compares legal moves, seat, knowledge and points at every decision."""

import numpy as np
from reference.piquet import Deal, Partie
from reference.piquet_rules import make_options

from lomber.envs import make_game
from lomber.envs.engine.cards import cards_of
from lomber.envs.piquet import state as st
from lomber.envs.piquet.actions import ACTIONS, CARDS
from lomber.envs.piquet.options import PRESETS

NONE, UNKNOWN = -1, -2
OWN = tuple(PRESETS)
LONG = ("partie",)  # episodes of several deals
ROWS = ("blank", "point", "sequence", "set", "red", "full", "play", "cards", "bonus")
CHOICES = {
    "elder_exchange": ("0,3-5", "1-5", "1-rest", "0-rest"),
    "younger_exchange": ("0,3-5", "1-5", "1-rest", "0-rest"),
    "younger_left_view": ("private", "elder_names_suit", "look"),
    "younger_declares": ("before_lead", "after_lead"),
    "declaration_mode": ("strategic", "strategic", "auto"),
    "understate_sets": (True, False),
    "show_equal": (True, False),
    "point_min_len": (3, 4, 5),
    "point_counter": ("later", "at_once"),
    "carte_blanche": (10, 0),
    "carte_blanche_when": ("dealt", "final"),
    "red_hand": (0, 30),
    "full_hand": (0, 20),
    "play_count": ("lead_or_capture", "lead_and_trick"),
    "last_trick_extra": (3, 1),
    "capot_open": (80, 0),
    "open_capot_fail": (40, 0),
    "capot_excludes_last_extra": (True, False),
    "repique_block": ("any_points", "precedence", "any_stop"),
    "pique_block": ("hand_and_play", "hand_only"),
    "repique_at": (30, 20),
    "pique_at": (30, 20),
    "korolik_dealer": ("draw_alternate", "draw_same", "rotate"),
    "refait_mode": ("scale", "add20", "none"),
    "refait_margin": (0, 5),
    "refait_on": ("any", "korolik"),
    "refait_carry_in": (0, 2),
}


def random_options(rng) -> dict:
    """Some options of section 8 drawn at random."""
    return {name: values[rng.integers(len(values))] for name, values in CHOICES.items() if rng.random() < 0.4}


def names(mask) -> frozenset:
    return frozenset(CARDS[c] for c in cards_of(int(mask)))


def told(view, i: int) -> str:
    """An entry of a view's log in the twin's words."""
    action = int(view["log"][i])
    if action != UNKNOWN:
        return ACTIONS[action]
    if i == view["counter_at"]:
        return f"POINT:?{view['counter_class']}"
    category = [c for c in range(3) if view["call_at"][c] == i][0]
    rank = int(view["call_class"][category])
    top = "AKQJT987"[7 - rank % 8]
    return (f"POINT:?{rank}", f"SEQ:?{rank // 8}{top}", f"TRIO:{top}-?")[category]


def known(view, seat: int) -> dict:
    """A hidden record in the words of the twin's `knows`."""
    other, dealer = 1 - seat, int(view["start"]["dealer"])
    elder = 1 - dealer
    exchanged = tuple(None if n == NONE else int(n) for n in view["exchanged"])
    hand = int(view["hand"][seat]) | (int(view["discarded"][seat]) if exchanged[seat] is None else 0)
    held = int(view["shown"][other] | view["played"][other])
    if exchanged[other] is not None:
        first = 0 if other == elder else exchanged[elder]
        for p in range(first, first + exchanged[other]):
            held |= 1 << int(view["talon"][p]) if view["talon"][p] >= 0 else 0
        held |= int(view["dealt"][other]) if exchanged[other] == 0 else 0
    answers = {NONE: None, st.DECLINED: "declined", st.SHOWN: "shown"}
    phase = st.Phase(int(view["phase"])).name.lower()
    return {
        "hand": names(hand), "dealt": names(view["dealt"][seat]), "exchanged": exchanged,
        "discards": tuple(CARDS[c] for c in view["marks"][seat][: view["marked"][seat]]),
        "talon": {p: CARDS[c] for p, c in enumerate(view["talon"]) if c >= 0},
        "opponent_cards": names(held), "opponent_dealt": names(view["dealt"][other]),
        "log": tuple((int(view["log_seat"][i]), told(view, i)) for i in range(view["logged"])),
        "pips": int(view["call_pips"]) if view["call_pips"] >= 0 else None,
        "blank": tuple(answers[int(a)] for a in view["blank"]),
        "phase": "ypoint" if phase == "counter" else phase, "to_act": int(view["seat"]),
        "scores": {s: dict(zip(ROWS, map(int, view["ledger"][s]), strict=True)) for s in (0, 1)},
        "tricks": tuple(map(int, view["tricks"])), "dealer": dealer,
        "table": CARDS[view["table"]] if view["table"] >= 0 else None,
    }  # fmt: skip


def expected(twin: Deal, seat: int) -> dict:
    """What the twin says, in the engine's terms: a lead scores at once, and a final blank stands beside the log."""
    knows = twin.knows(seat)
    knows.pop("pips_younger"), knows.pop("leader")
    knows["log"] = tuple(entry for entry in knows["log"] if entry[1] != "BLANK")
    knows["tricks"] = tuple(knows["tricks"])
    scores = {s: {row: knows["scores"][s].get(row, 0) for row in ROWS} for s in (0, 1)}
    plays = sum(text.startswith("PLAY") for _, text in knows["log"])
    elder = 1 - twin.dealer
    if plays == 1 and scores[elder]["play"] == 0:
        scores[elder]["play"] = 1
    knows["scores"] = scores
    return knows


def compare(game, states, mask, twin: Deal, row: int) -> None:
    """One decision: seat, legal actions, and what both seats know."""
    state = states[row]
    assert int(state["seat"]) == twin.seat
    legal = sorted(ACTIONS[a] for a in np.flatnonzero(mask[row]))
    assert legal == sorted(twin.legal()), (game, twin.options, twin.history, legal, twin.legal())
    for seat in (0, 1):
        mine, theirs = known(game.hide(states[row : row + 1], seat)[0], seat), expected(twin, seat)
        offer = twin.phase == "blank" and seat != twin.seat
        if offer:  # while a final blank is offered, credits that follow either way are the engine's already
            mine.pop("scores"), theirs.pop("scores")
        differing = {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
        assert not differing, (twin.options, twin.history, seat, differing)


def play(preset: str, options: dict, deals: int, seed: int, episode: str = "deal") -> int:
    """Play `deals` episodes in both; returns the decisions compared."""
    game = make_game("piquet", preset, **options, episode=episode)
    rules = make_options(preset, options)
    rng = np.random.default_rng(seed)
    decisions = 0
    for number in range(deals):
        states = game.begin(seed, number)
        partie = Partie(rules) if episode == "partie" else None
        while True:
            state = states[0]
            lot = int(state["lot"]) & 1
            deck = [CARDS[c] for c in state["deck"]]
            if partie is None:
                twin = Deal(rules, deck, lot)
            else:
                assert partie.next_dealer(lot) == int(state["start"]["dealer"])
                twin = partie.new_deal(deck, lot)
            decisions += play_deal(game, states, twin, rng)
            if partie is None:
                assert tuple(game.points(states)[0]) == tuple(twin.result())
                assert tuple(map(int, states[0]["ledger"].sum(axis=1))) == tuple(twin.scores)
                break
            partie.finish(twin)
            assert tuple(game.points(states)[0]) == tuple(partie.points)
            assert (int(states[0]["stage"]) == 2) == partie.over
            if partie.over:
                break
            following = game.begin(seed, number)
            following[:] = states
            game.next_deal(following)
            states = following
    return decisions


def play_deal(game, states, twin: Deal, rng) -> int:
    decisions = 0
    while twin.seat is not None:
        mask = game.legal(states)
        compare(game, states, mask, twin, 0)
        action = int(rng.choice(np.flatnonzero(mask[0])))
        game.advance(states, [action], go_on=False)
        twin.apply(ACTIONS[action])
        decisions += 1
    assert states[0]["stage"] != 0
    assert [(s, ACTIONS[a]) for s, a in game.moves(states)] == list(twin.history)
    assert decisions == twin.decisions <= 51
    return decisions
