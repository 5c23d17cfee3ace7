"""The library's errors: each names what is wrong and what would be right."""

import difflib
from collections.abc import Iterable


class LomberError(Exception):
    """Base of all errors of this library."""


class UnknownName(LomberError, ValueError):
    """A game, preset, option, value, action or agent that does not exist; the message names the nearest that do."""


class IllegalAction(LomberError, ValueError):
    """An action that the rules do not allow now. `seat`, `action` (text), `reason` and `legal` (texts) are attributes."""

    def __init__(self, message: str, seat: int, action: str, reason: str, legal: tuple[str, ...]):
        super().__init__(message)
        self.seat, self.action, self.reason, self.legal = seat, action, reason, legal

    def __reduce__(self):
        return (type(self), (str(self), self.seat, self.action, self.reason, self.legal))


class RecordError(LomberError, ValueError):
    """A record or a view that cannot be: the message names the move or the line, and the reason."""


def unknown(kind: str, name: object, known: Iterable[str]) -> UnknownName:
    """An UnknownName with the nearest of `known`."""
    names = list(known)
    near = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names[:40])}"
    return UnknownName(f"unknown {kind} {name!r}; {hint}")
