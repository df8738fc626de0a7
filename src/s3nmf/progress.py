"""How far a fit is, for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable
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
    round, sweep : int
        The round, from 1, and the sweeps that it has made; `max_iter` when it is over.
    max_iter : int
        The most sweeps of a round.
    agreement : tuple of float
        ANMI of the rounds that are over.
    elapsed : float
        Seconds since the fit began.
    remaining : float
        An estimate of the seconds to go, if every round makes all its sweeps.
    """

    round: int
    sweep: int
    max_iter: int
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
    """Tells a callback after each sweep and round where the fit is, and guesses the time to go."""

    callback: Callback | None
    max_iter: int
    max_rounds: int
    collapse: bool
    began: float = field(default_factory=time.perf_counter)
    _agreement: tuple[float, ...] = ()
    _work_done: float = 0.0

    def sweep_over(self, sweep: int) -> None:
        """A sweep of the round under way is over."""
        share = sweep / self.max_iter
        self._tell(len(self._agreement) + 1, sweep, self._cost() * share, self._cost() * (1 - share) + self._later(1))

    def round_over(self, agreement: float, *, last: bool) -> None:
        self._work_done += self._cost()
        self._agreement = (*self._agreement, agreement)
        self._tell(len(self._agreement), self.max_iter, 0.0, 0.0 if last else self._later(0))

    def _tell(self, number: int, sweep: int, done: float, to_do: float) -> None:
        if self.callback is None:
            return
        elapsed = time.perf_counter() - self.began
        remaining = elapsed * to_do / (self._work_done + done)
        self.callback(Progress(number, sweep, self.max_iter, self._agreement, elapsed, remaining))

    def _cost(self) -> float:
        """Of the round under way, in units of the first."""
        return _COLLAPSED_COST if self.collapse and self._agreement else 1.0

    def _later(self, under_way: int) -> float:
        rounds = max(min(_EXPECTED_ROUNDS, self.max_rounds) - len(self._agreement) - under_way, 0)
        return rounds * (_COLLAPSED_COST if self.collapse else 1.0)
