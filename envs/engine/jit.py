"""The one compiler switch: numba where it is installed, plain Python where it is not.

`jit` compiles a leaf, `entry` an entry point called from Python and cached on disk, `bind` copies a generic loop for one
game. The cache folder carries a hash of every source under envs and agents, since numba's own cache does not see an edit
in another file, and the bounds-check flag. It is set only while decorating: a process's other numba users keep theirs.
"""

import contextlib
import hashlib
import os
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

try:
    import numba
except ImportError:  # pragma: no cover - tested in a subprocess
    numba = None
    warnings.warn("numba is not installed: lomber runs as plain Python, several hundred times slower", stacklevel=2)

Function = TypeVar("Function", bound=Callable[..., Any])
COMPILED = numba is not None and not numba.config.DISABLE_JIT
_ROOT = Path(__file__).resolve().parents[1]


def sources() -> list[Path]:
    """Every Python file whose edit must empty the cache: the games, the engine, and the agents beside them."""
    folders = [_ROOT, _ROOT.parent / "agents"]
    return sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*.py"))


def source_hash() -> str:
    """Sixteen hex digits over the contents of all sources and the version of numba."""
    digest = hashlib.sha256(numba.__version__.encode() if numba else b"none")
    for path in sources():
        digest.update(path.relative_to(_ROOT.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_base() -> Path:
    """The folder that holds the caches of all versions: `LOMBER_CACHE_DIR`, else the user's cache folder."""
    given = os.environ.get("LOMBER_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lomber"


def _make_cache_folder() -> Path | None:
    if not COMPILED:
        return None
    bounds = "-bounds" if numba.config.BOUNDSCHECK else ""
    try:
        folder = cache_base() / (source_hash() + bounds)
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except (OSError, RuntimeError) as error:
        warnings.warn(f"no cache folder for compiled code ({error}): each start compiles anew", stacklevel=2)
        return None
    return folder


CACHE_FOLDER = _make_cache_folder()


@contextlib.contextmanager
def _own_cache() -> Iterator[None]:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def jit(function: Function) -> Function:
    """Compile a leaf: called from compiled code only, so not cached by itself."""
    return numba.njit(nogil=True)(function) if COMPILED else function  # type: ignore[no-any-return]


def entry(function: Function) -> Function:
    """Compile an entry point and keep it on disk."""
    if not COMPILED:
        return function
    if CACHE_FOLDER is None:
        return jit(function)
    with _own_cache():
        return numba.njit(nogil=True, cache=True)(function)  # type: ignore[no-any-return]


def bind(loop: Callable[..., Any], owner: str, functions: Mapping[str, Any], cached: bool = True) -> Callable[..., Any]:
    """Copy a generic loop with `functions` as its globals, named after `owner`, and compile the copy.

    The name matters: globals are not part of numba's cache key, so two games with equal dtypes would otherwise run each
    other's rules.
    """
    name = f"{owner.replace('.', '_')}_{loop.__name__}"
    copy = types.FunctionType(loop.__code__, {**loop.__globals__, **functions}, name, loop.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = loop.__module__  # a module that can be imported: a cached copy looks it up when it is loaded
    copy.__doc__ = loop.__doc__
    return entry(copy) if cached else jit(copy)
