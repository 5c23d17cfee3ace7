"""The kinds of piquet's case file (spec section 13), each by the engine's own functions. Seat 0 is elder, and P1."""

from lomber.envs import make_game
from lomber.envs.engine.cards import cards_of
from lomber.envs.engine.records import Record, replay
from lomber.envs.piquet import scoring
from lomber.envs.piquet import state as st
from lomber.envs.piquet.actions import ACTIONS, CARDS
from lomber.envs.piquet.positions import final_hands, settle_deal

ELDER, YOUNGER = 0, 1
SEATS = ("elder", "younger")
CATEGORIES = ("point", "sequence", "set")
DECIDED = ("blank", "point", "sequence", "set", "red", "full", "play", "cards")


def plain(function):
    return getattr(function, "py_func", function)


def game_of(given, **more):
    return make_game("piquet", given["preset"], **{**given["options"], **more})


def names(mask):
    return sorted(CARDS[c] for c in cards_of(int(mask)))


def pair(values):
    return {"elder": int(values[ELDER]), "younger": int(values[YOUNGER])}


def winner_of(state, category):
    outcome, rows = int(state["outcome"][category]), state["ledger"][:, category + 1]
    if outcome == st.VOID:
        return "equal"
    return "elder" if rows[ELDER] else "younger" if rows[YOUNGER] else "none"


def category_result(state, category):
    winner = winner_of(state, category)
    return {"winner": winner, "score": int(state["ledger"][SEATS.index(winner), category + 1]) if winner in SEATS else 0}


def bonus_of(game, state):
    who = int(state["bonus"])
    if who < 0:
        return None
    made_in_hand = plain(scoring.repique_seat)(game.rules[0], state, ELDER) == who
    return {"who": SEATS[who], "kind": "repique" if made_in_hand else "pique"}


def play_on(game, states, choose):
    """Play by `choose(state, legal names)` until it gives None or the deal is over."""
    while states[0]["stage"] == 0:
        name = choose(states[0], game.legal_names(states))
        if name is None:
            return
        game.advance(states, [game.action_id(name)], go_on=False)


def dealt_out(given, **more):
    """A deal from final hands with automatic declarations, announcements and play as given."""
    game = game_of(given, declaration_mode="auto", **more)
    blank = None if given["blank"] is None else SEATS.index(given["blank"])
    totals = [given["prior"][seat] for seat in SEATS] if "prior" in given else [0, 0]
    states = final_hands(game, given["elder"], given["younger"], blank, {"totals": totals})
    cards, announced = given.get("play", []), given.get("open_capot", [])

    def choose(state, legal):
        if state["phase"] == st.CAPOT and SEATS[state["seat"]] in announced:
            return "OPEN_CAPOT"
        if state["phase"] not in (st.LEAD, st.FOLLOW):
            return "PASS"
        if state["plays"] < len(cards):
            return f"PLAY:{cards[state['plays']]}"
        return None if state["younger_done"] or state["plays"] else legal[0]  # younger may declare after the lead

    play_on(game, states, choose)
    state = states[0]
    played = [ACTIONS[a][5:] for a in state["log"][: state["logged"]] if 32 <= a < 64]
    assert played[: len(cards)] == list(cards)[: len(played)]
    return game, state


def hand_totals(state):
    return {seat: int(plain(scoring.hand_total)(state, i)) for i, seat in enumerate(SEATS)}


def declare(given):
    game, state = dealt_out(given)
    bonus = bonus_of(game, state)
    result = {name: category_result(state, c) for c, name in enumerate(CATEGORIES)}
    repique = bonus["who"] if bonus and bonus["kind"] == "repique" else None
    return {**result, "hand": hand_totals(state), "repique": repique}


def deal_score(given):
    game, state = dealt_out(given)
    return {
        "hand": hand_totals(state),
        "bonus": bonus_of(game, state),
        "tricks": pair(state["tricks"]),
        "play_points": pair(state["ledger"][:, st.ITEM_PLAY]),
        "cards": pair(state["ledger"][:, st.ITEM_CARDS]),
        "total": pair(state["ledger"].sum(axis=1)),
    }


def muette(given):
    game, state = dealt_out({**given, "blank": given.get("blank"), "declarations": "auto"})
    offender = SEATS.index(given["offender"])
    items, play, bonus = scoring.muette(game.rules[0], state, offender, given["offence"] == "card_count")
    other = 1 - offender
    cards = int(state["ledger"][other, st.ITEM_CARDS])
    points = (0, int(game.rules[0]["pique_bonus"]), int(game.rules[0]["repique_bonus"]))[bonus]
    return {
        "offender_total": 0, "other": SEATS[other], "hand": sum(items), "bonus": (None, "pique", "repique")[bonus],
        "play_points": play, "cards": cards, "total": sum(items) + play + cards + points,
    }  # fmt: skip


def label(phase):
    name = st.Phase(int(phase)).name.lower()
    return "ypoint" if name == "counter" else name


def dialogue(given):
    game = game_of(given)
    states = final_hands(game, given["elder"], given["younger"])
    waiting, decisions = list(given["actions"]), []

    def choose(state, legal):
        decisions.append({"seat": SEATS[state["seat"]], "phase": label(state["phase"]), "legal": sorted(legal)})
        if not waiting:
            return None
        decisions[-1]["chosen"] = waiting.pop(0)
        return decisions[-1]["chosen"]

    play_on(game, states, choose)
    return {"decisions": decisions}


def dealt_deck(elder, younger, talon):
    return [CARDS.index(card) for card in (*elder, *younger, *talon)]


def mark(game, states, cards):
    """Mark cards at the open exchange and stop, declining the offer of a blank first."""
    for name in [*(f"DISCARD:{card}" for card in cards), "PASS"]:
        while states[0]["phase"] == st.BLANK:
            game.advance(states, [game.action_id("PASS")], go_on=False)
        seat, phase = int(states[0]["seat"]), int(states[0]["phase"])
        if name == "PASS" and (phase != st.EXCHANGE or states[0]["marked"][seat] != len(cards)):
            return  # the exchange ended by itself
        game.advance(states, [game.action_id(name)], go_on=False)


def allowed(game, states, seat):
    """The sizes after which the exchange may stop or ends by itself."""
    sizes = []
    states = states.copy()
    while states[0]["phase"] == st.BLANK:
        game.advance(states, [game.action_id("PASS")], go_on=False)
    if states[0]["exchanged"][seat] >= 0:
        return [int(states[0]["exchanged"][seat])]
    for d in range(9):
        legal = game.legal_names(states)
        if "PASS" in legal:
            sizes.append(d)
        marks = [name for name in legal if name.startswith("DISCARD")]
        if not marks:
            return sizes
        game.advance(states, [game.action_id(marks[0])], go_on=False)
        if states[0]["exchanged"][seat] >= 0:
            return [*sizes, d + 1]
    return sizes


def exchange(given):
    game = game_of(given)
    states = game.deal(dealt_deck(given["dealt_elder"], given["dealt_younger"], given["talon"]), {"dealer": 1})
    elder_sizes = allowed(game, states, ELDER)
    mark(game, states, given["elder_discards"])
    younger_sizes = allowed(game, states, YOUNGER)
    if states[0]["exchanged"][YOUNGER] < 0:
        mark(game, states, given["younger_discards"])
    state = states[0].copy()
    n, m = (int(x) for x in state["exchanged"])

    def seen(seat, first):
        talon = game.hide(states, seat)[0]["talon"]
        return [CARDS[talon[p]] for p in range(first, 8) if talon[p] >= 0]

    result = {
        "elder_legal_counts": elder_sizes, "younger_legal_counts": younger_sizes,
        "elder_hand": names(state["hand"][ELDER]), "younger_hand": names(state["hand"][YOUNGER]),
        "elder_sees_talon": seen(ELDER, n), "younger_sees_talon": seen(YOUNGER, n + m), "left": 8 - n - m,
    }  # fmt: skip
    asked = []
    play_on(game, states, lambda s, legal: asked.append(int(s["phase"])) or ("PASS" if "PASS" in legal else legal[0]))
    result["offer"] = "NAME" if st.NAME in asked else "LOOK" if st.LOOK in asked else None
    return result


def same_offer(ours, sentence):
    """The file tells the offer in a sentence for people: the look it speaks of must be the one the engine offers."""
    if ours is None or sentence is None:
        return ours is sentence
    return {"LOOK": "look", "NAME": "nam"}[ours] in sentence.lower()


def legal(given):
    game, phase = game_of(given), given["phase"]
    hand = [CARDS.index(card) for card in given["hand"]]
    rest = [card for card in range(32) if card not in hand]
    if phase.startswith("exchange"):
        elder = phase == "exchange_elder"
        deck = [*hand, *rest] if elder else [*rest[:12], *hand, *rest[12:]]
        states = game.deal(deck, {"dealer": 1})
        if not elder:
            mark(game, states, [CARDS[card] for card in rest[: given["elder_taken"]]])
        for card in given["marked"]:
            while states[0]["phase"] == st.BLANK:
                game.advance(states, [game.action_id("PASS")], go_on=False)
            game.advance(states, [game.action_id(f"DISCARD:{card}")], go_on=False)
        return {"legal": sorted(game.legal_names(states))}
    states = game.deal([*rest[:12], *rest[12:20], *hand[:12], *rest[20:]][:32], {"dealer": 1})
    state = states[0]
    state["hand"][ELDER] = sum(1 << card for card in hand)
    state["seat"] = ELDER
    state["phase"] = {"name_suit": st.NAME, "lead_first": st.LEAD, "follow": st.FOLLOW}[phase]
    if phase == "lead_first" and given.get("named"):
        state["named"] = "SHDC".index(given["named"])
    if phase == "follow":
        state["table"] = CARDS.index(given["lead"])
    return {"legal": sorted(game.legal_names(states))}


def running_count(given):
    game = game_of(given)
    states = game.begin(0)
    state, leader, spoken = states[0], None, []
    for event in given["events"]:
        who, verb = event.split()
        seat = SEATS.index(who)
        if verb == "leads":
            leader = seat
            plain(scoring.credit_lead)(state, seat)
        else:
            plain(scoring.credit_trick)(game.rules[0], state, seat, leader, False)
        spoken.append(given["declared"][who] + int(state["ledger"][seat, st.ITEM_PLAY]))
    return {"spoken": spoken}


def partie(given, carry=0):
    """The match record after each of the given deals, the fresh one first."""
    game = game_of(given, episode="partie", refait_carry_in=carry)
    states = game.fresh()
    steps = [states[0]["match"].copy()]
    for scores in given["deals"]:
        assert states[0]["stage"] != 2, "a deal after the end of the partie"
        settle_deal(game, states, [scores["P1"], scores["P2"]])
        steps.append(states[0]["match"].copy())
    return game, states[0], steps


def ints(values):
    return [int(v) for v in values]


def korolik_partie(given):
    game, state, steps = partie(given, given["refait_carry_in"])
    koroliks, first = [], 0
    for i in range(1, len(steps)):
        if steps[i]["korolik"] > steps[first]["korolik"]:
            before, after = steps[first], steps[i]
            record = after["records"] - before["records"]
            winner = "P1" if record[0] else "P2" if record[1] else None
            koroliks.append({
                "written": ints(after["columns"] - before["columns"]),
                "factor": int(plain(scoring.korolik_factor)(game.rules[0], before)),
                "record": int(record.max()), "winner": winner, "refait": bool(after["refaits"] > 0),
            })  # fmt: skip
            first = i
    end = steps[-1]
    return {
        "koroliks": koroliks, "columns": ints(end["columns"]), "records": ints(end["records"]),
        "final_bonus": ints(end["final_bonus"]), "through_bonus": ints(end["through"]), "totals": ints(end["totals"]),
        "net": ints(end["net"]), "deals_used": len(given["deals"]) if state["stage"] == 2 else -1,
        "refait_carry": int(end["refaits"]),
    }  # fmt: skip


def rubicon_partie(given):
    _, state, steps = partie(given)
    end = steps[-1]
    totals = ints(end["totals"])
    loser = int(end["net"][0] > 0)
    rubiconed = f"P{loser + 1}" if end["net"][0] and totals[loser] < 100 else None
    used = int(end["deals"]) if state["stage"] == 2 else -1
    return {"totals": totals, "deals_used": used, "net": ints(end["net"]), "rubiconed": rubiconed}


def cent_finish(given):
    game, state = dealt_out(given, episode="partie", match="cent")
    if state["stage"] != 2:
        return {"winner": None, "decided_by": None, "totals": pair(state["match"]["totals"]), "game_value": 0}
    decided = DECIDED[int(state["decided"])]
    if decided == "cards" and 12 in state["tricks"]:
        decided = "capot"
    winner = SEATS[int(state["match"]["net"][1] > 0)]
    value = abs(int(state["match"]["net"][0]))
    return {"winner": winner, "decided_by": decided, "totals": pair(state["match"]["totals"]), "game_value": value}


def replay_case(given):
    game = game_of(given)
    moves = tuple((SEATS.index(seat), name) for seat, name in given["actions"])
    record = Record("piquet", given["preset"], given["options"], 0, 0, {"dealer": 1}, tuple(given["deck"]), moves)
    state = replay(record)[0]
    assert state["stage"] == 2, "the deal is not finished"
    return {
        "elder_final_hand": names(state["hand"][ELDER] | state["played"][ELDER]),
        "younger_final_hand": names(state["hand"][YOUNGER] | state["played"][YOUNGER]),
        **{name: winner_of(state, c) for c, name in enumerate(CATEGORIES)},
        "hand": hand_totals(state), "bonus": bonus_of(game, state), "tricks": pair(state["tricks"]),
        "total": pair(state["ledger"].sum(axis=1)), "decisions": len(moves),
    }  # fmt: skip


KINDS = {
    "declare": declare, "deal_score": deal_score, "dialogue": dialogue, "exchange": exchange, "legal": legal,
    "running_count": running_count, "korolik_partie": korolik_partie, "rubicon_partie": rubicon_partie,
    "cent_finish": cent_finish, "replay": replay_case, "muette": muette,
}  # fmt: skip
UNORDERED = ("legal", "elder_hand", "younger_hand", "elder_final_hand", "younger_final_hand")


def differences(given, expect):
    """What the engine gives otherwise than the case expects: {key: (ours, expected)}."""
    result = KINDS[given["kind"]](given)
    wrong = {}
    for key, value in expect.items():
        ours = result.get(key, "missing")
        if key in UNORDERED:
            ours, value = sorted(ours), sorted(value)
        if key == "decisions" and isinstance(value, list):
            value = [{**decision, "legal": sorted(decision["legal"])} for decision in value]
        same = same_offer(ours, value) if key == "offer" else ours == value
        if not same:
            wrong[key] = (ours, value)
    return wrong
