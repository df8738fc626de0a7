"""What every solver of min ||S - V V'||^2, V >= 0 shares: where it starts, when it stops, and what it returns.

A solver is one function, `solver(operator, starts, *, max_iter, stop, team, watch)`, that factorizes one operator from
several starts. Most describe one sweep over all members, as a `Batch`, and leave the rest to `sweep_until`. Adding a
solver is adding a file, in which it declares itself by `s3nmf.solvers.declared.solver`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.partitions import partition

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
    objective: FloatArray
    """What the solver minimises, of each member."""


StoppingRule: TypeAlias = Callable[[Iterate], BoolArray]
"""Which of the members have come to their end."""


@dataclass(frozen=True)
class StepBelow:
    """Each member stops by itself, when no entry of its V has moved by `tol`."""

    tol: float

    def __call__(self, iterate: Iterate) -> BoolArray:
        return iterate.steps < self.tol


# The paper's tolerance is made for its data sets, of up to 2007 points. The entries of V shrink as 1 / sqrt(n), and at
# n = 50,000 a tolerance of 1e-3 was measured to stop all members after 5 sweeps, with labels no better than chance.
_POINTS_OF_THE_TOLERANCE = 2048


def tolerance(tol: float, n_samples: int) -> float:
    """What `tol` means for so many points: itself up to 2048, and less beyond, as the entries of V are."""
    return tol * min(1.0, float(np.sqrt(_POINTS_OF_THE_TOLERANCE / n_samples)))


Watch: TypeAlias = Callable[[int], None]
"""Called with the number of each sweep that is over."""


@dataclass(frozen=True)
class Factorization:
    """Where each member ended, and how it got there."""

    factors: list[FloatArray]
    """V of each member, (n, c)."""
    objective: FloatArray
    """What the solver minimises, of each member, at the start and after each sweep, (most sweeps + 1, b).

    A member that has stopped keeps its last value.
    """
    residuals: FloatArray
    """||S - V V'||_F^2 of each member at its end."""
    sweeps: IntArray
    """How many sweeps each member took."""
    converged: BoolArray
    """Which members were stopped by the rule, not by `max_iter`."""

    @property
    def n_iter(self) -> int:
        return int(self.sweeps.max())


class Solver(Protocol):
    """Factorizes one operator from several starts."""

    def __call__(
        self,
        operator: SymmetricOperator,
        starts: Starts,
        *,
        max_iter: int,
        stop: StoppingRule,
        team: Team = ALONE,
        watch: Watch | None = None,
    ) -> Factorization: ...


class Batch(Protocol):
    """The members at work, and one sweep over all of them."""

    @property
    def factors(self) -> Sequence[FloatArray]:
        """V of each member, (n, c): views."""

    def measure(self) -> FloatArray:
        """The objective of each member."""

    def keep(self, members: BoolArray) -> None:
        """Let the other members go."""

    def advance(self) -> FloatArray:
        """Sweep; return the largest change of an entry of each V, for a single point."""

    def final_factor(self, member: int) -> FloatArray:
        """V of a member that has come to its end."""


def sweep_until(batch: Batch, *, max_iter: int, stop: StoppingRule, watch: Watch | None) -> Factorization:
    """Sweep until the rule has stopped each member or `max_iter` is reached; members that have stopped leave."""
    n_members = len(batch.factors)
    at_work = np.arange(n_members)
    now, sweeps = np.empty(n_members), np.zeros(n_members, dtype=np.intp)
    converged = np.zeros(n_members, dtype=bool)
    factors: dict[int, FloatArray] = {}
    objective: list[FloatArray] = []
    steps = np.full(n_members, np.inf)
    for sweep in range(max_iter + 1):
        now[at_work] = batch.measure()
        objective.append(now.copy())
        stopped = stop(Iterate(sweep, batch.factors, steps, now[at_work]))
        leaving = stopped | (sweep == max_iter)
        if leaving.any():
            converged[at_work[stopped]] = True
            sweeps[at_work[leaving]] = sweep
            for place in np.flatnonzero(leaving):
                factors[int(at_work[place])] = batch.final_factor(int(place))
            at_work = at_work[~leaving]
            if not at_work.size:
                break
            batch.keep(~leaving)
        steps = batch.advance()
        if watch is not None:
            watch(sweep + 1)
    trace = np.array(objective)
    return Factorization([factors[m] for m in range(n_members)], trace, trace[-1], sweeps, converged)


def misfit(operator: SymmetricOperator, V: FloatArray) -> float:
    """||S - V V'||_F^2 = ||S||^2 - 2 <V, SV> + ||V'V||^2; rounding can take a perfect fit below zero."""
    gram = V.T @ V
    return max(operator.squared_norm - 2 * float(np.vdot(V, operator @ V)) + float(np.vdot(gram, gram)), 0.0)


def with_residuals(operator: SymmetricOperator, factorization: Factorization) -> Factorization:
    """The same for a solver that minimises something else than ||S - V V'||^2 along the way."""
    return replace(factorization, residuals=np.array([misfit(operator, V) for V in factorization.factors]))


def clusters_of(operator: SymmetricOperator, V: FloatArray) -> IntArray:
    """Cluster of each row of V: its largest entry. A row of zeros goes where its neighbours pull it, by S V."""
    labels = partition(V)
    empty = ~V.any(axis=1)
    if empty.any():
        labels[empty] = partition((operator @ V)[empty])
    return labels


def side_by_side(parts: Sequence[Factorization]) -> Factorization:
    """The factorization of all members, from those of some each."""
    length = max(len(part.objective) for part in parts)
    objectives = [np.pad(part.objective, ((0, length - len(part.objective)), (0, 0)), mode="edge") for part in parts]
    return Factorization(
        [V for part in parts for V in part.factors],
        np.hstack(objectives),
        np.concatenate([part.residuals for part in parts]),
        np.concatenate([part.sweeps for part in parts]),
        np.concatenate([part.converged for part in parts]),
    )
