"""The kinds of ombre's case file (spec section 13), each by the engine's own functions."""

from lomber.envs import UnknownName, make_game
from lomber.envs.engine.cards import SUITS, cards_of, mask_of
from lomber.envs.ombre import positions, settle, trumps
from lomber.envs.ombre import state as st
from lomber.envs.ombre.actions import ACTIONS, CARDS

LETTERS = {"ENTRADA": "E", "VUELTA": "V", "SOLO": "S"}
UNORDERED = ("legal", "queue", "queue_add")


def plain(function):
    return getattr(function, "py_func", function)


def game_of(given, **more):
    options = {**given.get("options", {}), **more}
    preset = given.get("preset", "default")
    name = "rocambole" if "rocambole" in preset else "ombre"
    if "bids" in options:
        options["bids"] = ",".join(letter for bid, letter in LETTERS.items() if bid in options["bids"])
    if "prem" in options:
        prem = dict(zip(st.CONTRACTS, make_game(name, preset).options.prem, strict=True))
        options["prem"] = tuple({**prem, **options["prem"]}.values())
    return make_game(name, preset, **options)


def ids(cards):
    return [CARDS.index(card) for card in cards]


def names(mask):
    return sorted(CARDS[c] for c in cards_of(int(mask)))


def seat_or_none(seat):
    return None if seat < 0 else int(seat)


def name_or_none(names_of, index):
    return None if index < 0 else names_of[index]


def queue_of(match):
    return [int(bete) for bete in match["queue"] if bete]


def chips(state):
    return {
        "delta": state["delta"].tolist(),
        "pot": int(state["match"]["pot"]),
        "queue": queue_of(state["match"]),
    }


def order(given):
    return {"order": list(trumps.order_of(given["trump"], given["suit"]))}


def trick(given):
    trump, (led, *others) = SUITS.index(given["trump"]), ids(given["cards"])
    best, winner = led, given["leader"]
    for place, card in enumerate(others, 1):
        if plain(trumps.beats)(trump, card, best, led):
            best, winner = card, (given["leader"] + place) % 3
    return {"winner": winner}


def legal_play(given):
    led = ids(given["trick"])[0] if given["trick"] else -1
    return {"legal": names(plain(trumps.playable)(mask_of(ids(given["hand"])), SUITS.index(given["trump"]), led))}


def outcome(given):
    found, codille = plain(settle.classify)(given["ombre"], given["tricks"])
    return {"outcome": st.OUTCOMES[found], "codille_by": seat_or_none(codille)}


def matadors(given):
    trump, hand = SUITS.index(given["trump"]), mask_of(ids(given["hand"]))
    premium = plain(trumps.matador_run)(trump, hand)
    paid = game_of(given).rules[0]["matador_premium"]
    return {"run": int(plain(trumps.trump_run)(trump, hand)), "premium": int(premium) if paid else 0}


def antes(given):
    start = {name: given[name] for name in ("dealer", "pot", "queue") if name in given}
    return chips(positions.staked(game_of(given), start)[0])


def settled(given):
    game = game_of(given)
    states = game.fresh()
    states[0]["match"]["pot"] = given["pot"]
    positions.write_result(game, states, given)
    found = chips(states[0])
    return {"delta": found["delta"], "pot": found["pot"], "queue_add": found["queue"]}


def split(given):
    states = game_of(given).fresh()
    match = states[0]["match"]
    match["pot"], match["totals"] = given["pot"], given["totals"]
    queue = sorted(given.get("queue", ()), reverse=True)
    match["queue"][: len(queue)] = queue
    positions.divide_pot(states)
    return {"totals": match["totals"].tolist()}


def auction(given):
    game, casco = game_of(given), given.get("phase", "main") == "casco"
    states = positions.auction(game, given["dealer"], casco, given.get("black_ace_holders", ()))
    state = states[0]
    before, phase = state["delta"].copy(), int(state["phase"])
    for name in given["calls"]:
        step(game, states, name)
    ended = state["phase"] != phase
    result = {"ended": bool(ended), "paid": paid_passes(game, state, before)}
    if not ended:
        return {**result, "seat": int(state["seat"]), "legal": list(game.legal_names(states))}
    bid = state["holder"] >= 0
    contract = name_or_none(st.CONTRACTS, state["contract"]) if bid else None
    return {**result, "ombre": seat_or_none(state["holder"]), "contract": contract}


def paid_passes(game, state, before):
    """What the seats have paid since, the payment of a pass-out apart."""
    each = int(game.rules[0]["pass_out_each"]) if state["outcome"] == st.PASSED_OUT else 0
    return [int(paid) - each for paid in before - state["delta"]]


def step(game, states, name):
    """One listed action, forced ones too; it must be legal."""
    assert name in game.legal_names(states), f"{name} is not legal: {game.legal_names(states)}"
    game.play_one(states, ACTIONS.index(name))


def deal_cards(given):
    state = game_of(given).deal(ids(given["deck"]), {"dealer": given["dealer"]})[0]
    return {"hands": [names(hand) for hand in state["hand"]], "talon": [CARDS[card] for card in state["talon"]]}


def refused(given):
    try:
        game_of(given)
    except UnknownName:
        return {"refused": True}
    return {"refused": False}


def seat_draw(given):
    states = game_of(given, seat_draw="spadille").begin()
    dealer = int(states[0]["start"]["dealer"])
    return {"seat_of": positions.seating(given["draw"]), "first_dealer_seat": dealer, "eldest_seat": int(states[0]["seat"])}


def deal(given):
    episode = "part" if "rocambole" in given.get("preset", "") else "partie"  # a pot that is left is not divided
    game = game_of(given, episode=episode)
    deck = positions.deck_of([ids(hand) for hand in given["hands"]], ids(given["talon"]), given["dealer"])
    start = {"dealer": given["dealer"], "pot": given.get("pot", 0), "queue": given.get("queue", [])}
    states = game.deal(deck, start)
    for name in given["actions"]:
        step(game, states, name)
    state = states[0]
    used = int(state["exchanged"].clip(0).sum())
    return {
        **chips(state),
        "phase": st.Phase(int(state["phase"])).name,
        "seat": seat_or_none(state["seat"]),
        "legal": list(game.legal_names(states)),
        "hands": [names(hand) for hand in state["hand"]],
        "talon_left": [CARDS[card] for card in state["talon"][used:]],
        "trump": name_or_none(SUITS, state["trump"]),
        "tricks": state["tricks"].tolist(),
        "outcome": name_or_none(st.OUTCOMES, state["outcome"]),
        "ombre": seat_or_none(state["ombre"]),
        "contract": name_or_none(st.CONTRACTS, state["contract"]),
        "codille_by": seat_or_none(state["codille"]),
        "matador_run": int(state["run"]),
        "first_five": bool(state["first_five"]),
        "vole": st.VOLES[state["vole"]],
    }


def partie(given):
    game = game_of(given, episode="partie")
    states = positions.staked(game, {"dealer": given["first_dealer"]})
    for number, result in enumerate(given["deals"]):
        if number:
            positions.next_stakes(game, states)
        positions.write_result(game, states, result, closed=True)
    positions.divide_pot(states)
    return {"totals": states[0]["match"]["totals"].tolist(), "pot": int(states[0]["match"]["pot"])}


KINDS = {
    "order": order, "trick": trick, "legal_play": legal_play, "outcome": outcome, "matadors": matadors, "antes": antes,
    "settle": settled, "split": split, "auction": auction, "deal_cards": deal_cards, "refused": refused,
    "seat_draw": seat_draw, "deal": deal, "partie": partie,
}  # fmt: skip


def comparable(key, value):
    if key in UNORDERED:
        return sorted(value)
    return [sorted(hand) for hand in value] if key == "hands" else value


def differences(given, expect, kinds=KINDS):
    """What the engine makes otherwise: key -> (expected, made); empty where all is as the case states."""
    result = kinds[given["kind"]](given)
    return {
        key: (value, result[key]) for key, value in expect.items() if comparable(key, value) != comparable(key, result[key])
    }
