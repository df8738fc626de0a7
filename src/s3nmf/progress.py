"""How far a fit is, for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

# A round after the first costs about this share of the first, when points with equal labels are one row; and about so
# many rounds are to be expected. As in fits of USPST; with more clusters later rounds cost more.
_COLLAPSED_COST = 0.1
_EXPECTED_ROUNDS = 5


@dataclass(frozen=True)
class Progress:
    """Where a fit is.

    Attributes
    ----------
    round : int
        The round, counted from 1.
    share : float
        How much of the round is over, in [0, 1], if it takes as long as it may.
    agreement : tuple of float
        ANMI of the rounds that are over.
    elapsed : float
        Seconds since the fit began.
    remaining : float
        An estimate of the seconds to go, if every round takes as long as it may.
    """

    round: int
    share: float
    agreement: tuple[float, ...]
    elapsed: float
    remaining: float

    @property
    def fraction(self) -> float:
        """Share of the work that is done, in [0, 1]."""
        total = self.elapsed + self.remaining
        return self.elapsed / total if total > 0 else 0.0


Callback: TypeAlias = Callable[[Progress], None]


@dataclass
class Clock:
    """Tells a callback where the fit is, and guesses the time to go."""

    callback: Callback | None
    max_rounds: int
    collapsed: bool
    began: float = field(default_factory=time.perf_counter)
    _agreement: tuple[float, ...] = ()
    _work_done: float = 0.0

    def part_over(self, share: float) -> None:
        """So much of the round under way is over."""
        cost = self._cost()
        self._tell(len(self._agreement) + 1, share, cost * share, cost * (1 - share) + self._later(1))

    def rounds_over(self, agreement: Iterable[float], *, last: bool = False) -> None:
        """Another round is over; those that count have this agreement: fewer than before, if some are run again."""
        self._work_done += self._cost()
        self._agreement = tuple(agreement)
        self._tell(len(self._agreement), 1.0, 0.0, 0.0 if last else self._later(0))

    def _tell(self, number: int, share: float, done: float, to_do: float) -> None:
        if self.callback is None:
            return
        elapsed = time.perf_counter() - self.began
        remaining = elapsed * to_do / (self._work_done + done)
        self.callback(Progress(number, share, self._agreement, elapsed, remaining))

    def _cost(self) -> float:
        """Of the round under way, in units of the first."""
        return _COLLAPSED_COST if self.collapsed and self._agreement else 1.0

    def _later(self, under_way: int) -> float:
        rounds = max(min(_EXPECTED_ROUNDS, self.max_rounds) - len(self._agreement) - under_way, 0)
        return rounds * (_COLLAPSED_COST if self.collapsed else 1.0)
