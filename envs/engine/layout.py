"""An observation's named segments: a dtype of float32 fields, seen flat or by name."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Segment:
    """One named run of an observation: `flat[start:stop]`, reshaped to `shape`."""

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]


def layout_of(dtype: np.dtype) -> tuple[Segment, ...]:
    """The segments of a dtype whose fields are all float32, in order."""
    segments, at = [], 0
    for name in dtype.names or ():
        field = dtype.fields[name][0]  # type: ignore[index]
        if field.base != np.float32:
            raise TypeError(f"observation field {name} is {field.base}, not float32")
        size = int(np.prod(field.shape, dtype=int)) if field.shape else 1
        segments.append(Segment(name, at, at + size, field.shape))
        at += size
    return tuple(segments)


def offsets(dtype: np.dtype) -> list[int]:
    """Where each segment of such a dtype begins, in order: the constants of the kernels that write it."""
    return [segment.start for segment in layout_of(dtype)]


def unflatten(flat: np.ndarray, layout: tuple[Segment, ...]) -> dict[str, np.ndarray]:
    """Views of `flat` (..., D) by segment name, each (..., *shape)."""
    return {s.name: flat[..., s.start : s.stop].reshape(*flat.shape[:-1], *s.shape) for s in layout}


def fingerprint(table: "tuple[Segment, ...] | tuple[str, ...]") -> str:
    """Sixteen hex digits naming a layout or an action table, for files that must match it."""
    plain = [[s.name, s.start, s.stop, list(s.shape)] if isinstance(s, Segment) else s for s in table]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()[:16]
