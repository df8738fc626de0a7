"""How far a fit is, for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

# A round after the first costs about this share of the first, when points with equal labels are one row; and about so
# many rounds are to be expected. Measured on the paper's data sets.
_COLLAPSED_COST = 0.1
_EXPECTED_ROUNDS = 5


@dataclass(frozen=True)
class Progress:
    """Where a fit is.

    Attributes
    ----------
    round, sweep : int
        The round, from 1, and the sweeps that it has made.
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
    _began: float = field(default_factory=time.perf_counter)
    _agreement: tuple[float, ...] = ()
    _work_done: float = 0.0

    def round_over(self, agreement: float) -> None:
        self._work_done += self._cost_of_round()
        self._agreement = (*self._agreement, agreement)
        self.sweep_over(0)

    def sweep_over(self, sweep: int) -> None:
        if self.callback is None:
            return
        elapsed = time.perf_counter() - self._began
        done = self._work_done + self._cost_of_round() * sweep / self.max_iter
        rounds_after = max(min(_EXPECTED_ROUNDS, self.max_rounds) - len(self._agreement) - 1, 0)
        later = rounds_after * (_COLLAPSED_COST if self.collapse else 1.0)
        to_do = self._cost_of_round() * (1 - sweep / self.max_iter) + later
        remaining = elapsed * to_do / done if done > 0 else float("inf")
        number = len(self._agreement) + 1
        self.callback(Progress(number, sweep, self.max_iter, self._agreement, elapsed, remaining))

    def over(self) -> None:
        """The last call: nothing remains."""
        if self.callback is not None:
            elapsed = time.perf_counter() - self._began
            number = len(self._agreement)
            self.callback(Progress(number, 0, self.max_iter, self._agreement, elapsed, 0.0))

    def _cost_of_round(self) -> float:
        return _COLLAPSED_COST if self.collapse and self._agreement else 1.0
