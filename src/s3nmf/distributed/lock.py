"""A folder that one run at a time works in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from s3nmf.desk.sources import SourceError

_NAME = ".lock"

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Refuse a folder that another run works in. The system forgets the lock of a process that was killed."""
    try:
        file = (folder / _NAME).open("ab")
    except OSError as error:
        raise SourceError(f"Labels cannot be written to {folder}: {error.strerror}.") from error
    with file:
        try:
            _lock(file.fileno())
        except (BlockingIOError, PermissionError) as error:
            raise SourceError(
                f"Another process writes labels to {folder}. Wait for it, or stop it: the same command then goes on "
                "where it was."
            ) from error
        except OSError:  # a file system that knows no locks
            pass
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes no open file
                (folder / _NAME).unlink()
