"""Dropping symmetry (Zhu, Li, Liu, Li 2018): min ||S - U V'||^2 / 2 + penalty ||U - V||^2 / 2 over U, V >= 0.

With U and V in turn held, the other one solves a least squares problem with nonnegative unknowns, row by row: exactly
(ANLS), or by one sweep over its coordinates (HALS). The objective never increases, and for a penalty that is large
enough U and V end up equal, so that S = V V' is what has been solved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Starts, StoppingRule, Watch, sweep_until, with_residuals
from s3nmf.solvers.declared import solver

PENALTY = 0.66
"""The authors' choice, for an affinity with largest eigenvalue 1."""

_NO_INDICES = np.empty(0, np.int32)
# A column that has become zero would stay so; this share of the largest entry lets it grow again.
_REVIVAL = 1e-16


@solver("anls", takes_penalty=True)
def anls(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
    penalty: float = PENALTY,
) -> Factorization:
    """Solve for U, then for V, exactly: O(nnz(S) c) and a few systems of up to c equations a row, for each member."""
    from s3nmf._core.alternating import solve  # noqa: PLC0415

    batch = _Pairs(operator, starts, team, solve, penalty)
    return with_residuals(operator, sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch))


@solver("hals", takes_penalty=True)
def hals(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
    penalty: float = PENALTY,
) -> Factorization:
    """Sweep over the columns of U, then of V: O(nnz(S) c + n c^2) a member."""
    from s3nmf._core.alternating import descend  # noqa: PLC0415

    batch = _Pairs(operator, starts, team, descend, penalty)
    return with_residuals(operator, sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch))


class _Pairs:
    """U and V of the members at work, (n, c, b), with their Gram matrices (c, c, b), in double precision."""

    def __init__(self, operator: SymmetricOperator, starts: Starts, team: Team, loop: Any, penalty: float) -> None:
        from s3nmf._core.alternating import BLOCK  # noqa: PLC0415

        self._operator, self._team, self._loop, self._penalty = operator, team, loop, penalty
        rows = operator.rows
        self._matrix = (
            (_NO_INDICES, _NO_INDICES, np.empty(0)) if rows is None else (rows.indptr, rows.indices, rows.data)
        )
        self._row_scale = 1.0 / np.sqrt(operator.multiplicity)
        self._n_blocks = -(-operator.shape[0] // BLOCK)
        factors = [np.asarray(starts[member], np.float64) for member in range(len(starts))]
        self._V = np.stack(factors, axis=2)
        self._U = self._V.copy()
        self._gram_V = np.stack([V.T @ V for V in factors], axis=2)
        self._gram_U = self._gram_V
        self._fit = np.array([np.vdot(V, operator @ V) for V in factors])
        self._overlap = np.array([np.vdot(V, V) for V in factors])

    @property
    def factors(self) -> Any:
        return np.moveaxis(self._V, 2, 0)

    def measure(self) -> FloatArray:
        """||S - U V'||^2 / 2 + penalty ||U - V||^2 / 2 of each member."""
        both = (self._gram_U * self._gram_V).sum(axis=(0, 1))
        traces = np.trace(self._gram_U) + np.trace(self._gram_V)
        misfit = np.maximum(self._operator.squared_norm - 2 * self._fit + both, 0.0)
        apart = np.maximum(traces - 2 * self._overlap, 0.0)
        return np.asarray((misfit + self._penalty * apart) / 2)

    def keep(self, members: BoolArray) -> None:
        for name in ("_U", "_V", "_gram_U", "_gram_V", "_fit", "_overlap"):
            setattr(self, name, np.ascontiguousarray(np.compress(members, getattr(self, name), axis=-1)))

    def advance(self) -> FloatArray:
        self._gram_U, *_ = self._improve(self._U, self._V, self._gram_V)
        self._gram_V, self._fit, self._overlap, steps = self._improve(self._V, self._U, self._gram_U)
        return steps

    def _improve(self, U: FloatArray, V: FloatArray, gram: FloatArray) -> tuple[FloatArray, ...]:
        """Change U with V held; return U'U, <U, S V>, <U, V> and the largest step, by member."""
        n, c, b = V.shape
        source = self._operator.source(V.reshape(n, -1), self._team)
        grams = np.empty((self._n_blocks, c, c, b))
        products, overlaps, steps = np.empty((3, self._n_blocks, b))

        def blocks(first: int, last: int) -> None:
            given = (*self._matrix, source, V, gram, self._penalty, self._row_scale)
            self._loop(first, last, *given, U, grams, products, overlaps, steps)

        self._team.run(blocks, self._n_blocks, work=V.size * (len(self._matrix[1]) / n + c))
        new = grams.sum(axis=0)
        above = np.triu_indices(c, k=1)
        new[above] = new[above[::-1]]
        for cluster, member in np.argwhere(np.diagonal(new).T == 0):
            U[:, cluster, member] = _REVIVAL * U[:, :, member].max()
        return new, _sum_of_blocks(products), _sum_of_blocks(overlaps), steps.max(axis=0)

    def final_factor(self, member: int) -> FloatArray:
        """V; without a penalty, its columns at the scale that they share with those of U."""
        V = np.array(self.factors[member])
        if self._penalty == 0.0:
            norms = np.sqrt(np.diagonal(self._gram_V)[member]), np.sqrt(np.diagonal(self._gram_U)[member])
            V *= np.sqrt(np.divide(norms[1], norms[0], out=np.zeros_like(norms[0]), where=norms[0] > 0))
        return V


def _sum_of_blocks(parts: FloatArray) -> FloatArray:
    """One contiguous row a member, so that NumPy adds in an order that does not depend on how many there are."""
    return np.asarray(np.ascontiguousarray(parts.T).sum(axis=1))
