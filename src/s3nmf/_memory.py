"""Say no before the work, not in the middle of it: what a fit needs against what the machine has."""

from __future__ import annotations

import os
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_CONTROL_GROUP = Path("/sys/fs/cgroup")


def refuse_if_too_large(needed: float, remedy: str) -> None:
    """Raise a MemoryError if so many bytes are more than there are; where that is unknown, let it pass."""
    available = available_bytes()
    if available is not None and needed > available:
        raise MemoryError(
            f"This fit needs about {needed / 1e9:.1f} GB of memory; {available / 1e9:.1f} GB are available. {remedy}"
        )


def available_bytes() -> int | None:
    """Memory that can be had without swapping: what the system has free, within the limit of its container."""
    limits = [limit for limit in (_free_in_system(), _free_in_container()) if limit is not None]
    return min(limits, default=None)


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
