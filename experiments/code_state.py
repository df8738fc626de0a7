"""The state of the code that makes a run, so that its numbers can be traced to it."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from pathlib import Path

import s3nmf

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent

# What a run depends on: of an installed library, the compiled loops themselves.
_SOURCES = {".py", ".pyx", ".pxd", ".hpp", ".so", ".pyd"}


@cache
def code_state() -> str:
    """What `git describe --always --dirty` says; outside of a checkout, the version and a digest of the sources.

    It is asked once: a process runs what it has loaded.
    """
    library = Path(s3nmf.__file__).resolve().parent
    # Of a library from elsewhere, or of a copy inside another repository, git would name the wrong state.
    if library.is_relative_to(CHECKOUT / "src") and (CHECKOUT / ".git").exists():
        try:
            return _described(CHECKOUT)
        except (OSError, subprocess.CalledProcessError):  # no git, or one that refuses the directory
            pass
    return f"{s3nmf.__version__}+{digest_of(library, HERE)}"


def digest_of(*packages: Path) -> str:
    """A name for the sources of packages: equal for equal files, wherever they are. O(bytes)."""
    digest = hashlib.sha256()
    for package in packages:
        for path in sorted(path for path in package.rglob("*") if path.suffix in _SOURCES):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _described(directory: Path) -> str:
    command = ["git", "-C", str(directory), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
