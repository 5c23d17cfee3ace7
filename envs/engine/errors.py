"""The library's errors: each names what is wrong and what would be right."""

import difflib
from collections.abc import Iterable

FEW = 10  # names that a message may list in full


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


def cut(value: object, most: int = 80) -> str:
    """How a value that somebody gave reads in a message: its repr, of at most so many characters."""
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def unknown(kind: str, name: object, known: Iterable[str]) -> UnknownName:
    """An UnknownName with the nearest of `known`, or all where they are few."""
    names, word = list(known), str(name)[:200]
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(names) <= FEW:
        hint = f"known: {', '.join(names)}"
    else:
        hint = f"of {len(names)} the nearest: {', '.join(difflib.get_close_matches(word, names, n=5, cutoff=0.0))}"
    return UnknownName(f"unknown {kind} {cut(name)}; {hint}")
