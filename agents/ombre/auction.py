"""The auctions: bid what is worth more than to pass, name the best trump, keep the best card."""

from ...envs.engine.cards import bit, count, lowest
from ...envs.engine.jit import jit
from ...envs.ombre import actions as act
from ...envs.ombre import state as st
from ...envs.ombre.settle import bete_of
from ...envs.ombre.trumps import BASTO, SPADILLE, matador_run
from .hands import KINGS, casco_chances, chances_of, vuelta_chances
from .weights import PASS_WORTH


@jit
def payment(rules, pot, contract, run, won, codille):
    """What an ombre gains on the mean, what is left of the pot shared by three, with chances to win and to lose by codille."""
    bete = bete_of(rules, pot)
    each = rules["prem"][contract] + (run if rules["matador_premium"] else 0)
    lost = -bete - 2.0 * each
    remise = lost + (pot + bete) / 3.0
    beaten = lost + bete / 3.0 if rules["codille_pot"] else remise
    return won * (pot + 2.0 * each) + codille * beaten + (1.0 - won - codille) * remise


@jit
def worth_of(rules, view, seat, contract, trump):
    """The payment of a contract with nine cards and a trump suit."""
    won, codille = chances_of(view, seat, contract, trump)
    return payment(rules, view["match"]["pot"], contract, matador_run(trump, view["hand"][seat]), won, codille)


@jit
def best_suit(rules, view, seat, contract):
    best, chosen = -1e9, 0
    for trump in range(4):
        worth = worth_of(rules, view, seat, contract, trump)
        if worth > best:
            best, chosen = worth, trump
    return best, chosen


@jit
def pass_share(hand):
    """What it is worth to pass: the others may win, or lose to each other or to this hand, or pass too."""
    share = PASS_WORTH[0] + PASS_WORTH[3] * count(hand & KINGS)
    if hand & bit(SPADILLE):
        share += PASS_WORTH[1]
    if hand & bit(BASTO):
        share += PASS_WORTH[2]
    return share


@jit
def best_bid(rules, view, seat, legal):
    """The call of most worth."""
    pot = view["match"]["pot"]
    best, chosen = pass_share(view["hand"][seat]) * pot, act.PASS
    if legal & bit(act.ENTRADA):
        worth, _ = best_suit(rules, view, seat, st.ENTRADA)
        if worth > best:
            best, chosen = worth, act.ENTRADA
    if legal & bit(act.VUELTA):
        won, codille = vuelta_chances(view, seat)
        worth = payment(rules, pot, st.VUELTA, 0, won, codille)
        if worth > best:
            best, chosen = worth, act.VUELTA
    if legal & bit(act.SOLO):
        worth, _ = best_suit(rules, view, seat, st.SOLO)
        if worth > best:
            best, chosen = worth, act.SOLO
    for contract in (st.CASCO_LESSER, st.CASCO_GREATER):
        call = act.CASCO_LESSER + contract - st.CASCO_LESSER
        if legal & bit(call):
            won, codille = casco_chances(view, seat, contract)
            worth = payment(rules, pot, contract, 0, won, codille)
            if worth > best:
                best, chosen = worth, call
    return chosen


@jit
def best_trump(rules, view, seat):
    """The suit of most worth; after a casco a hand that is worth less than its bete is refused."""
    casco = view["phase"] == st.CASCO_TRUMP
    worth, trump = best_suit(rules, view, seat, st.SOLO if casco else view["contract"])
    pot = view["match"]["pot"]
    bete = bete_of(rules, pot)
    if casco and worth < (pot + bete) / 3.0 - bete:
        return act.REFUSE
    return act.TRUMP + trump


@jit
def card_to_keep(legal):
    """Spadille before Basto, a king before the others."""
    if legal & bit(SPADILLE):
        return SPADILLE
    if legal & bit(BASTO):
        return BASTO
    return lowest(legal & KINGS) if legal & KINGS else lowest(legal)
