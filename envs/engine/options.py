"""Options of a game: a frozen dataclass whose fields state what they accept, and presets as a table."""

from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Any

from .errors import UnknownName, unknown


def choice(*values: str) -> Any:
    """A field that takes one of these strings; the first is the default."""
    return field(default=values[0], metadata={"values": values})


def integer(default: int, low: int = 0, high: int = 10_000) -> Any:
    """A field that takes an integer in [low, high]."""
    return field(default=default, metadata={"low": low, "high": high})


def switch(default: bool) -> Any:
    """A field that takes True or False."""
    return field(default=default, metadata={"switch": True})


def integers(*default: int, low: int = 0, high: int = 10_000) -> Any:
    """A field that takes as many integers as the default has, each in [low, high]."""
    return field(default=default, metadata={"length": len(default), "low": low, "high": high})


def letters(default: str, alphabet: str) -> Any:
    """A field that takes some letters of an alphabet, each once and in its order."""
    return field(default=default, metadata={"alphabet": alphabet})


def make_options(cls: type, presets: Mapping[str, Mapping[str, Any]], preset: str, given: Mapping[str, Any]) -> Any:
    """The options of a preset with `given` laid over them. UnknownName names the nearest valid name or value."""
    if preset not in presets:
        raise unknown("preset", preset, presets)
    known = {f.name: f for f in fields(cls)}
    values = {**presets[preset], **given}
    for name, value in values.items():
        if name not in known:
            raise unknown("option", name, known)
        values[name] = _checked(name, value, known[name].metadata)
    return cls(**values)


def changes(cls: type, presets: Mapping[str, Mapping[str, Any]], preset: str, options: Any) -> dict[str, Any]:
    """What `options` has that its preset has not."""
    base = make_options(cls, presets, preset, {})
    return {f.name: getattr(options, f.name) for f in fields(cls) if getattr(options, f.name) != getattr(base, f.name)}


def _checked(name: str, value: Any, accepts: Mapping[str, Any]) -> Any:
    if "values" in accepts:
        if value not in accepts["values"]:
            raise unknown(f"value of option {name}", value, accepts["values"])
        return value
    if "switch" in accepts:
        if not isinstance(value, bool):
            raise UnknownName(f"option {name} takes True or False, not {value!r}")
        return value
    if "alphabet" in accepts:
        if not isinstance(value, str) or value != "".join(letter for letter in accepts["alphabet"] if letter in value):
            raise UnknownName(f"option {name} takes letters of {accepts['alphabet']} in this order, not {value!r}")
        return value
    if "length" in accepts:
        wanted = f"{accepts['length']} integers in [{accepts['low']}, {accepts['high']}]"
        if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != accepts["length"]:
            raise UnknownName(f"option {name} takes {wanted}, not {value!r}")
        return tuple(_integer(name, item, accepts, wanted) for item in value)
    return _integer(name, value, accepts, f"an integer in [{accepts['low']}, {accepts['high']}]")


def _integer(name: str, value: Any, accepts: Mapping[str, Any], wanted: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not accepts["low"] <= int(value) <= accepts["high"]:
        raise UnknownName(f"option {name} takes {wanted}, not {value!r}")
    return int(value)


__all__ = ["changes", "choice", "integer", "integers", "letters", "make_options", "replace", "switch"]
