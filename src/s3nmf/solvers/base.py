"""What every solver of min ||S - V V'||^2, V >= 0 shares: where it starts, when it stops, and what it returns.

A solver is one function, `solver(operator, starts, *, max_iter, stop, team, watch)`, that factorizes one operator from
several starts. Adding a solver is adding a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from s3nmf._types import FloatArray, IntArray

BoolArray: TypeAlias = NDArray[np.bool_]


class Starts(Protocol):
    """The first V (n, c) of each of b members: an array (b, n, c), or drawn when asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, member: Any, /) -> Any: ...


@dataclass(frozen=True)
class Iterate:
    """The members that are still at work, after a sweep."""

    sweep: int
    factors: Sequence[FloatArray]
    """V of each member, (n, c)."""
    steps: FloatArray
    """The largest change of an entry of each V in this sweep, for a single point."""
    residuals: FloatArray
    """||S - V V'||_F^2 of each member."""


StoppingRule: TypeAlias = Callable[[Iterate], BoolArray]
"""Which of the members have come to their end."""


@dataclass(frozen=True)
class Factorization:
    """Where each member ended, and how it got there."""

    factors: list[FloatArray]
    """V of each member, (n, c)."""
    objective: FloatArray
    """||S - V V'||_F^2 of each member, at the start and after each sweep, (most sweeps + 1, b).

    A member that has stopped keeps its last value.
    """
    sweeps: IntArray
    """How many sweeps each member took."""
    converged: BoolArray
    """Which members were stopped by the rule, not by `max_iter`."""

    @property
    def n_iter(self) -> int:
        return int(self.sweeps.max())

    @property
    def residuals(self) -> FloatArray:
        return np.asarray(self.objective[-1])


Watch: TypeAlias = Callable[[int], None]
"""Called with the number of each sweep that is over."""


@dataclass(frozen=True)
class StepBelow:
    """Each member stops by itself, when no entry of its V has moved by `tol`."""

    tol: float

    def __call__(self, iterate: Iterate) -> BoolArray:
        return iterate.steps < self.tol


def side_by_side(parts: Sequence[Factorization]) -> Factorization:
    """The factorization of all members, from those of some each."""
    length = max(len(part.objective) for part in parts)
    objectives = [np.pad(part.objective, ((0, length - len(part.objective)), (0, 0)), mode="edge") for part in parts]
    return Factorization(
        [V for part in parts for V in part.factors],
        np.hstack(objectives),
        np.concatenate([part.sweeps for part in parts]),
        np.concatenate([part.converged for part in parts]),
    )
