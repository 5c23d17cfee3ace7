"""The match of rocambole in observations: all of it is public (spec section 5); the deal is seen as in ombre."""

from ..engine.jit import inline
from ..engine.layout import layout_of
from ..ombre import knowledge as ombre
from ..ombre import state as ombre_state

_observe_deal, _reveal_deal, _share = ombre.observe, ombre.reveal, ombre.share


@inline
def observe(rules, view, seat, out):
    """The view as the flat floats of OBSERVATION."""
    _observe_deal(rules, view, seat, out)
    observe_match(view["match"], seat, out, _OBSERVED)


@inline
def reveal(rules, state, out):
    """The perfect state as the flat floats of REVEAL, by seat."""
    _reveal_deal(rules, state, out)
    observe_match(state["match"], 0, out, _REVEALED)


@inline
def observe_match(match, seat, out, first):
    """Part, tour, deals in the tour, tricks in the tour, kon; triples from `seat` on."""
    out[first] = match["part"] / 3
    out[first + match["tour"]] = 1
    out[first + 4] = match["deals_in_tour"] / 12
    for k in range(3):
        out[first + 5 + k] = _share(match["cum_tricks"][(seat + k) % 3], 27)
    out[first + 8] = _share(match["kon"], 1000)


_OBSERVED, _REVEALED = layout_of(ombre_state.OBSERVATION)[-1].stop, layout_of(ombre_state.REVEAL)[-1].stop
