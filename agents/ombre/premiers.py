"""The ombre between two tricks: whether to undertake the vole, and whether to give up."""

from ...envs.engine.cards import count, lowest
from ...envs.engine.jit import jit
from ...envs.ombre.trumps import STRENGTH, TRUMPS
from .play import possible_for, unseen_by
from .suits import ABOVE


@jit
def sure_winners(view, seat):
    """How many tricks the ombre surely makes if he leads now: trumps from the top, then masters once no trump is out."""
    trump = view["trump"]
    unseen = unseen_by(view, seat)
    theirs, _ = possible_for(view, seat, (seat + 1) % 3, unseen)
    others, _ = possible_for(view, seat, (seat + 2) % 3, unseen)
    theirs |= others
    hand = view["hand"][seat]
    out = count(TRUMPS[trump] & theirs)
    tops = 0
    cards = hand
    masters = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not ABOVE[trump, card] & theirs:
            if STRENGTH[trump, card] > 10:
                tops += 1
            else:
                masters += 1
    if tops >= out:
        return count(TRUMPS[trump] & hand) + masters
    return tops


@jit
def undertakes_vole(view, seat):
    """Where every card left wins."""
    return sure_winners(view, seat) >= 4


@jit
def gives_up(rules, view, seat):
    """Where the ombre can hardly win, and codille, which costs him more, is near."""
    trump = view["trump"]
    hand = view["hand"][seat]
    hopes = view["tricks"][seat] + count(hand & TRUMPS[trump])
    return hopes <= 1
