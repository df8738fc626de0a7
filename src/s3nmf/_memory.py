"""Say no before the work, not in the middle of it: what a fit needs against what the machine has."""

from __future__ import annotations

import os
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_CONTROL_GROUP = Path("/sys/fs/cgroup")
_OWN_PAGES = Path("/proc/self/statm")


class TooLargeError(MemoryError):
    """A fit that was not begun; the message says what it needs, what there is, and what to do."""


def refuse_if_too_large(needed: float, remedy: str) -> None:
    """Raise TooLargeError if so many bytes are more than there are; where that is unknown, let it pass."""
    available = available_bytes()
    if available is not None and needed > available:
        raise TooLargeError(
            f"This fit needs about {_amount(needed)} of memory; {_amount(available)} are available. {remedy}"
        )


def _amount(n_bytes: float) -> str:
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.1f} MB"


def available_bytes() -> int | None:
    """Memory that can be had without swapping: what the system has free, within limits of container and process."""
    limits = (_free_in_system(), _free_in_container(), _free_in_process())
    return min((limit for limit in limits if limit is not None), default=None)


def _free_in_system() -> int | None:
    if _MEMINFO.exists():
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _free_in_container() -> int | None:
    try:
        limit = (_CONTROL_GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = int((_CONTROL_GROUP / "memory.current").read_text(encoding="ascii"))
        kept = (_CONTROL_GROUP / "memory.stat").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    if limit == "max":
        return None
    # Pages of files that can be dropped count as used, and are free for the taking.
    reclaimable = sum(int(line.split()[1]) for line in kept if line.startswith("inactive_file "))
    return int(limit) - used + reclaimable


def _free_in_process() -> int | None:
    """What a limit on the address space leaves, as shells and job schedulers set it (`ulimit -v`)."""
    try:
        import resource  # noqa: PLC0415, not on every system
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or not _OWN_PAGES.exists():
        return None
    used = int(_OWN_PAGES.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return max(0, limit - used)
