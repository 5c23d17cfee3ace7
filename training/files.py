"""Files written so that they are whole or not there: a kill or a full disk leaves the old one as it was; and text read."""

import os
import sys
from pathlib import Path

from ..envs.engine.errors import LomberError


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` in the place of `path`, in one step, once it is on the disk. OSError leaves the old file as it was."""
    part = path.with_name(f"part-{os.getpid()}-{path.name}")  # another process may write the same file
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk names no file
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # Windows opens no folders
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_text(file: str) -> str:
    """The text of a file, or of standard input where it is -; LomberError where there is none, or it is no text."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LomberError(f"{file} is no text in UTF-8: {error}") from error
    if not text.strip():
        raise LomberError("the input is empty" if file == "-" else f"the file is empty: {file}")
    return text
