"""What the course of every deal shares: the question that is open, and the log of the public moves."""

from .jit import inline, jit


@jit
def ask(state, phase, seat):
    """`seat` decides next, in `phase`."""
    state["phase"] = phase
    state["seat"] = seat


@inline
def log(state, seat, action):
    """Write a move behind those of `log` and `log_seat`, of which there are `logged`."""
    n = state["logged"]
    state["log"][n] = action
    state["log_seat"][n] = seat
    state["logged"] = n + 1
