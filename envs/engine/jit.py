"""The one compiler switch: numba where it is installed, plain Python where it is not.

`jit` compiles a leaf, `entry` an entry point called from Python and cached on disk, `bind` copies a generic loop for one
game. The cache folder carries a hash of the sources that the compiled code can depend on (engine, the game's folder and
all that these import), since numba's own cache does not see an edit in another file, and the bounds-check flag. It is set
only while decorating: a process's other numba users keep theirs. Kernels must not recurse: numba loads recursive code from
its cache wrongly (seen: a crash).
"""

import contextlib
import functools
import hashlib
import os
import re
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
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}  # no fastmath: the bytes must be those of plain Python
_IMPORT = re.compile(r"^from (\.+)([\w.]*) import \(?([^()\n]*)", re.MULTILINE)
_ROOT = Path(__file__).resolve().parents[1]


def sources(file: str) -> list[Path]:
    """The Python files whose edit must empty the cache of what is compiled in `file`.

    Those of its own folder and the engine's, and of every folder of this library that they import from.
    """
    folders, waiting, files = set(), [Path(__file__).resolve().parent, Path(file).resolve().parent], []
    while waiting:
        folder = waiting.pop()
        if folder in folders or folder == _ROOT:  # the registry compiles nothing
            continue
        folders.add(folder)
        for path in sorted(folder.glob("*.py")):
            files.append(path)
            waiting += _imported_folders(path)
    return sorted(files)


def _imported_folders(path: Path) -> Iterator[Path]:
    for dots, module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        base = path.parent
        for _ in dots[1:]:
            base = base.parent
        target = base.joinpath(*module.split(".")) if module else base
        for name in [target, *(target / name.strip() for name in names.split(","))]:
            if name.is_dir():
                yield name
        if target.with_suffix(".py").is_file():
            yield target.parent


@functools.cache
def source_hash(file: str) -> str:
    """Sixteen hex digits over the contents of `sources(file)` and the version of numba."""
    digest = hashlib.sha256(numba.__version__.encode() if numba else b"none")
    for path in sources(file):
        digest.update(f"{path.parent.name}/{path.name}".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_base() -> Path:
    """The folder that holds the caches of all versions: `LOMBER_CACHE_DIR`, else the user's cache folder."""
    given = os.environ.get("LOMBER_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lomber"


@functools.cache
def cache_folder(file: str) -> Path | None:
    """Where what is compiled in `file` is kept; None, with a warning, where no folder can be written."""
    bounds = "-bounds" if numba.config.BOUNDSCHECK else ""
    try:
        folder = cache_base() / (source_hash(file) + bounds)
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except (OSError, RuntimeError) as error:
        warnings.warn(f"no cache folder for compiled code ({error}): each start compiles anew", stacklevel=2)
        return None
    return folder


@contextlib.contextmanager
def _own_cache(folder: Path) -> Iterator[None]:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def jit(function: Function) -> Function:
    """Compile a leaf: called from compiled code only, so not cached by itself."""
    return numba.njit(**_FLAGS)(function) if COMPILED else function  # type: ignore[no-any-return]


def inline(function: Function) -> Function:
    """Compile a leaf into each of its callers. For small ones that take arrays: to hand an array to a function that is
    called costs two locked steps of its reference count, 30 ns where the work takes 3. It makes compiling longer.
    """
    return numba.njit(forceinline=True, **_FLAGS)(function) if COMPILED else function  # type: ignore[no-any-return]


def entry(function: Function, file: str | None = None) -> Function:
    """Compile an entry point and keep it on disk; `file` is where its own rules stand, if not where it does."""
    if not COMPILED:
        return function
    folder = cache_folder(file or function.__code__.co_filename)
    if folder is None:
        return jit(function)
    with _own_cache(folder):
        return numba.njit(cache=True, **_FLAGS)(function)  # type: ignore[no-any-return]


def bind(
    loop: Callable[..., Any], owner: str, functions: Mapping[str, Any], file: str | None = None, inlined: bool = False
) -> Callable[..., Any]:
    """Copy a generic loop with `functions` as its globals, named after `owner`, and compile the copy.

    With `file`, where the owner's rules stand, the copy is an entry point kept on disk; without, a leaf, `inlined` or called.

    The name matters: globals are not part of numba's cache key, so two games with equal dtypes would otherwise run each
    other's rules.
    """
    name = f"{owner.replace('.', '_')}_{loop.__name__}"
    copy = types.FunctionType(loop.__code__, {**loop.__globals__, **functions}, name, loop.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = loop.__module__  # a module that can be imported: a cached copy looks it up when it is loaded
    copy.__doc__ = loop.__doc__
    return entry(copy, file) if file else inline(copy) if inlined else jit(copy)


if COMPILED:
    from llvmlite import ir
    from numba.core import types as _types
    from numba.extending import intrinsic

    _TRUE = ir.Constant(ir.IntType(1), 1)

    @intrinsic
    def count_bits(typingctx: Any, word: Any) -> Any:
        """How many bits of an int64 are set."""
        return _types.int64(_types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @intrinsic
    def lowest_bit(typingctx: Any, word: Any) -> Any:
        """The position of the lowest set bit of an int64 that is not 0."""
        return _types.int64(_types.int64), lambda context, builder, signature, args: builder.cttz(args[0], _TRUE)

else:

    def count_bits(word: int) -> int:
        return int(word).bit_count()

    def lowest_bit(word: int) -> int:
        return (int(word) & -int(word)).bit_length() - 1
