"""Greedy coordinate descent for graph-regularized SymNMF, the algorithm of Gao, Guan and Su (2018).

V is split into H and H' that are driven together by multipliers Y, in the augmented Lagrangian

    ||S - H H''||^2 / 2 + sum_i p_i <H_i, H'_i> + <Y, H - H'> + mu ||H - H'||^2 / 2,

where S and p are those of `graph_regularized`. Each row in turn takes the coordinate step that gains most. The term in
p is bilinear and unbounded below, so the scheme is not monotone, and with a mu that is not well above p it ends nowhere
good.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Starts, StoppingRule, Watch, misfit, sweep_until
from s3nmf.solvers.declared import solver

# mu is at least 1, and this many times the largest p.
_COUPLING = 20.0
# A row is done when no step gains more than this share of the largest gain at the beginning of the sweep.
_SHARE = 0.01


@solver("greedy", takes_graph_regularization=True, stops_jointly=True, monotone=False)
def greedy(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """Descend in H, then in H', then move Y: O(nnz(S) c + n c^2) and up to c^2 steps a row, for each member."""
    batch = _Batch(operator, starts, team)
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


class _Batch:
    """H, H' and Y of the members at work, (n, c, b)."""

    def __init__(self, operator: SymmetricOperator, starts: Starts, team: Team) -> None:
        from s3nmf._core.greedy import BLOCK  # noqa: PLC0415

        self._operator, self._team = operator.by_rows(), team
        self._penalty = self._operator.row_penalty
        self._mu = max(1.0, _COUPLING * float(self._penalty.max()))
        self._row_scale = 1.0 / np.sqrt(operator.multiplicity)
        self._n_blocks = -(-operator.shape[0] // BLOCK)
        self._H = np.stack([np.asarray(starts[m], np.float64) for m in range(len(starts))], axis=2)
        self._other, self._dual = self._H.copy(), np.zeros_like(self._H)

    @property
    def factors(self) -> Any:
        return np.moveaxis(self._H, 2, 0)

    def measure(self) -> FloatArray:
        """||S - H H'||^2 + 2 sum_i p_i ||H_i||^2 of each member."""
        penalties = [2.0 * float(self._penalty @ (V * V).sum(axis=1)) for V in self.factors]
        return np.array([misfit(self._operator, V) for V in self.factors]) + penalties

    def keep(self, members: BoolArray) -> None:
        for name in ("_H", "_other", "_dual"):
            setattr(self, name, np.ascontiguousarray(np.compress(members, getattr(self, name), axis=2)))

    def advance(self) -> FloatArray:
        steps = self._descend(self._H, self._other, self._dual)
        self._descend(self._other, self._H, -self._dual)
        self._dual += self._mu * (self._H - self._other)
        return steps

    def _descend(self, H: FloatArray, other: FloatArray, dual: FloatArray) -> FloatArray:
        """Change H with the other factor held; return the largest step of each member."""
        from s3nmf._core.greedy import descend, gradients  # noqa: PLC0415

        n, c, b = H.shape
        rows = self._operator.rows
        source = self._operator.source(other.reshape(n, -1), self._team)
        Q = np.stack([V.T @ V + self._mu * np.eye(c) for V in np.ascontiguousarray(np.moveaxis(other, 2, 0))], axis=2)
        slopes, gains, steps = np.empty_like(H), np.empty((self._n_blocks, b)), np.empty((self._n_blocks, b))
        matrix = (rows.indptr, rows.indices, rows.data)

        def find(first: int, last: int) -> None:
            given = (source, H, other, dual, Q, self._mu, self._penalty)
            gradients(first, last, *matrix, *given, slopes, gains)

        work = H.size * (rows.nnz / n + c)
        self._team.run(find, self._n_blocks, work=work)
        enough = _SHARE * gains.max(axis=0)
        self._team.run(
            lambda first, last: descend(first, last, H, slopes, Q, enough, self._row_scale, steps),
            self._n_blocks,
            work=work,
        )
        return np.asarray(steps.max(axis=0))

    def final_factor(self, member: int) -> FloatArray:
        return np.array(self.factors[member])
