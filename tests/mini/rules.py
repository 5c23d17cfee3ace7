"""What a win at mini is worth, in a file of its own: numba's cache would not see it change."""

from lomber.envs.engine.jit import jit


@jit
def worth(state):
    return 1
