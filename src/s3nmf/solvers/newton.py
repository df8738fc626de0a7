"""The Newton-like method of Kuang, Yun and Park (2015): a projected Newton step for each column of V.

With G = 4 (V V'V - S V) the gradient, column j moves on its free entries (positive, or wanting to become so) by the
inverse of their block of the Hessian, H = 4 (V V' - S + v v' + ||v||^2 I), or along G where that block is not positive
definite. A step is shortened until the objective falls enough. It converges in tens of iterations, at O(n^3 c) each.
"""

from __future__ import annotations

import logging

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from s3nmf._memory import refuse_if_too_large
from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Starts, StoppingRule, Watch, misfit, sweep_until
from s3nmf.solvers.declared import solver

logger = logging.getLogger("s3nmf")

_EPSILON = 1e-12
_SHORTER = 0.1
_ENOUGH = 0.1
# After so many cuts by ten a step is below rounding, and V stays where it is.
_MOST_CUTS = 16


@solver("newton", stops_jointly=True, dense=True)
def newton(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """Projected Newton steps, column by column; the matrix is made dense: 8 n^2 (1 + 2 threads) bytes."""
    n = operator.shape[0]
    needed = 8.0 * n * n * (1 + 2 * team.n_threads)
    refuse_if_too_large(needed, "solver='newton' works on a dense matrix; use another solver for so many points.")
    logger.info("newton: %d points, %.3g bytes for dense matrices, O(n^3) a step.", n, needed)
    batch = _Batch(operator, starts, team)
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


class _Batch:
    """V of each member, beside the dense S that they share."""

    def __init__(self, operator: SymmetricOperator, starts: Starts, team: Team) -> None:
        self._operator, self._team = operator, team
        self._S = np.asarray(operator @ np.eye(operator.shape[0]))
        self._row_scale = 1.0 / np.sqrt(operator.multiplicity)[:, None]
        self._factors = [np.asarray(starts[member], np.float64) for member in range(len(starts))]
        self._objective = np.array([misfit(operator, V) for V in self._factors])

    @property
    def factors(self) -> list[FloatArray]:
        return self._factors

    def measure(self) -> FloatArray:
        return self._objective.copy()

    def keep(self, members: BoolArray) -> None:
        self._objective = self._objective[members]
        self._factors = [V for V, kept in zip(self._factors, members, strict=True) if kept]

    def advance(self) -> FloatArray:
        steps = np.empty(len(self._factors))

        def members(first: int, last: int) -> None:
            for member in range(first, last):
                old = self._factors[member]
                V, self._objective[member] = self._step(old, float(self._objective[member]))
                steps[member] = np.abs((V - old) * self._row_scale).max()
                self._factors[member] = V

        n, c = self._factors[0].shape
        self._team.run(members, len(self._factors), work=float(n) ** 3 * c)
        return steps

    def _step(self, V: FloatArray, before: float) -> tuple[FloatArray, float]:
        """The next V, and its objective."""
        gradient = 4.0 * (V @ (V.T @ V) - self._S @ V)
        direction = self._direction(V, gradient)
        length = 1.0
        for _ in range(_MOST_CUTS):
            new = np.maximum(V - length * direction, 0.0)
            after = misfit(self._operator, new)
            if after - before <= _ENOUGH * float(np.vdot(gradient, new - V)):
                return new, after
            length *= _SHORTER
        return V, before

    def _direction(self, V: FloatArray, gradient: FloatArray) -> FloatArray:
        """Newton's direction in each column, or the gradient where that does not descend."""
        base = V @ V.T - self._S
        direction = gradient.copy()
        for j in range(V.shape[1]):
            v, g = V[:, j], gradient[:, j]
            free = np.flatnonzero((g <= _EPSILON) | (v > _EPSILON))
            block = base[np.ix_(free, free)] + np.outer(v[free], v[free])
            block[np.diag_indices_from(block)] += float(v @ v)
            try:
                step = cho_solve(cho_factor(4.0 * block, overwrite_a=True, check_finite=False), g[free])
            except LinAlgError:
                continue
            newton = np.zeros_like(v)
            newton[free] = step
            newton[(newton > -_EPSILON) & (v <= _EPSILON)] = 0.0
            if newton @ g > _EPSILON * np.linalg.norm(newton) * np.linalg.norm(g):
                direction[:, j] = newton
        return direction

    def final_factor(self, member: int) -> FloatArray:
        return self._factors[member]
