"""A file that appears whole or not at all. Every file that the library writes goes through `written_whole`."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

_HELD_IN_MEMORY = 2**24


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to, beside `path`, which takes its place at the end; if anything goes wrong, nothing changes.

    Only a regular file is ever replaced. A device, a pipe or a socket stays what it is: the bytes are kept until they
    are complete and then written into it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     with written_whole(Path(directory) / "note.txt") as file:
    ...         _ = file.write(b"all of it")
    ...     (Path(directory) / "note.txt").read_bytes()
    b'all of it'
    """
    if not may_be_replaced(path):
        with _written_into(path) as file:
            yield file
        return
    target = destination(path)
    beside = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode)
        beside.replace(target)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        _name(error, path)
        raise
    _sync_directory(target.parent)


def may_be_replaced(path: str | os.PathLike[str]) -> bool:
    """Whether there is a regular file, or nothing yet, behind all links of a path.

    Raises
    ------
    OSError
        The path is a directory, or a circle of links.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- Path.resolve does not find a pipe behind /dev/stdout
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    return stat.S_ISREG(mode)


def destination(path: str | os.PathLike[str]) -> Path:
    """The path behind all links, so that the file is replaced and not a link to it."""
    try:
        return Path(path).resolve()
    except RuntimeError as error:  # what Python 3.11 and 3.12 say of a circle of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path)) from error


@contextmanager
def _written_into(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    with SpooledTemporaryFile(_HELD_IN_MEMORY) as kept:
        yield kept
        kept.seek(0)
        try:
            with Path(path).open("wb") as device:
                shutil.copyfileobj(kept, device)
        except OSError as error:
            _name(error, path)
            raise


def _name(error: BaseException, path: str | os.PathLike[str]) -> None:
    """Let an error of writing say of which file: that of a full disk has no name, and some that of the file beside."""
    if isinstance(error, OSError) and error.errno is not None:
        error.filename = os.fspath(path)


def _sync_directory(directory: Path) -> None:
    """Have the new name on the disk, too, where the system can."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
