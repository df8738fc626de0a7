"""No machine code on disk that is older than its source.

numba keeps what it compiled of a file, and compiles anew when that file has changed: not when another one has, whose
functions are part of the machine code as well. So after an update of the library a loop could go on calling products of
the version before. (A program that began before an update, and compiles after it, can still leave such code behind.)
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from itertools import chain
from pathlib import Path

from s3nmf._files import written_whole

_STAMP = "s3nmf-sources.txt"


def drop_outdated(cache: Path) -> None:
    """Empty numba's cache of the loops unless it belongs to the loops as they are now."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    stamp = cache / _STAMP
    if stamp.exists() and stamp.read_text() == digest:
        return
    for path in chain(cache.glob("*.nbi"), cache.glob("*.nbc")):
        path.unlink(missing_ok=True)
    with suppress(OSError), written_whole(stamp) as file:  # without a stamp, the next program compiles anew
        file.write(digest.encode())
