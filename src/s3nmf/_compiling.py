"""What only a first run spends: the time in which loops are compiled. It is said, and it is not taken for a fit's own.

Nothing of numba is loaded here. `_compiled` tells when it compiles, and whoever speaks to somebody listens.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

logger = logging.getLogger("s3nmf")

BEGINS = "compiling loops, which only a first run does, for up to half a minute"


@dataclass
class CompileClock:
    """The seconds in which loops were compiled, by this program, and who is to know when that begins."""

    seconds: float = 0.0
    listeners: list[Callable[[], None]] = field(default_factory=list)
    _depth: int = 0
    _began: float = 0.0

    def begin(self) -> None:
        """A loop is being compiled; those that it calls are compiled within its time."""
        if self._depth == 0:
            self._began = time.perf_counter()
            for listener in self.listeners:
                listener()
        self._depth += 1

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._began


CLOCK = CompileClock()


@contextmanager
def compiling_said(say: Callable[[str], None] = logger.info) -> Iterator[None]:
    """Say that loops are being compiled, if any are, when the first one is; and for how long, when all is done."""
    before, begun = CLOCK.seconds, False

    def begin() -> None:
        nonlocal begun
        if not begun:
            begun = True
            say(BEGINS)

    CLOCK.listeners.append(begin)
    try:
        yield
    finally:
        CLOCK.listeners.remove(begin)
        if begun:
            say(f"compiled loops in {CLOCK.seconds - before:.1f} s, which the next run will not need")
