"""The ombre between two tricks: whether to undertake the vole, and whether to give up."""

from ...envs.engine.cards import count
from ...envs.engine.jit import jit
from ...envs.ombre.trumps import MATADORS, TRUMPS
from .hands import KINGS
from .play import hands_of
from .suits import sure_tricks


@jit
def undertakes_vole(rules, view, seat):
    """Where every card left surely wins."""
    following, last = hands_of(rules, view, seat)
    hand = view["hand"][seat]
    return sure_tricks(view["trump"], hand, following[0] | last[0]) == count(hand)


@jit
def gives_up(view, seat):
    """Where tricks won, trumps, matadors once more and kings are five or fewer: played on, such a hand costs more."""
    trump, hand = view["trump"], view["hand"][seat]
    kings = count(hand & KINGS & ~TRUMPS[trump])
    return view["tricks"][seat] + count(hand & TRUMPS[trump]) + count(hand & MATADORS[trump]) + kings <= 5
