"""Block successive upper-bound minimisation (Shi, Sun, Lu, Hong, Razaviyayn 2017): sBSUM by entries, vBSUM by rows.

Each block of V, an entry or a row, moves to the minimiser of a convex bound of ||S - V V'||^2 that touches it, and the
next block sees the result. The objective never increases.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise
from typing import Any

import numpy as np

from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Starts, StoppingRule, Watch, misfit, sweep_until
from s3nmf.solvers.declared import solver

# V'V follows the changes of V, and is computed anew so often that rounding cannot add up.
_SWEEPS_BETWEEN_GRAMS = 20
# Beyond this the c x c matrices of several members do not fit into a processor's cache.
_MANY_CLUSTERS = 32
# Rows are visited in a new order in each sweep, the same one for every member and every run.
_ORDER_SEED = 0


@solver("sbsum", stops_jointly=True)
def scalar_bsum(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """Change V entry by entry: O(nnz(S) c + n c^2) a sweep and member, in double precision."""
    from s3nmf._core.bsum import sweep_entries  # noqa: PLC0415

    batch = _Batch(operator, starts, team, lambda sweep, *given: sweep_entries(*given))
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


@solver("vbsum", stops_jointly=True)
def vector_bsum(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """Change V row by row, ten steps a row: O(nnz(S) c + n c^2) a sweep and member, in double precision."""
    from s3nmf._core.bsum import sweep_rows  # noqa: PLC0415

    def loop(sweep: int, *given: Any) -> None:
        sweep_rows(np.random.default_rng((_ORDER_SEED, sweep)).permutation(operator.shape[0]), *given)

    batch = _Batch(operator, starts, team, loop)
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


class _Batch:
    """The members in groups, each (n, c, members), that threads share; members do not see each other."""

    def __init__(self, operator: SymmetricOperator, starts: Starts, team: Team, loop: Any) -> None:
        self._operator, self._team, self._loop = operator.by_rows(), team, loop
        rows = self._operator.rows
        self._matrix = (
            rows.indptr,
            rows.indices,
            rows.data,
            self._operator.returns,
            self._operator.diagonal,
            1.0 / np.sqrt(operator.multiplicity),
        )
        self._sweep = 0
        factors = [np.asarray(starts[member], np.float64) for member in range(len(starts))]
        self._group(factors)
        self._objective = np.array([misfit(self._operator, V) for V in factors])

    def _group(self, factors: Sequence[FloatArray]) -> None:
        # Contiguous, because BLAS multiplies strided arrays in another order, and strides depend on the group.
        factors = [np.ascontiguousarray(V) for V in factors]
        self._groups = self._shared_out(factors)
        self._grams = self._shared_out([V.T @ V for V in factors])

    def _shared_out(self, arrays: Sequence[FloatArray]) -> list[FloatArray]:
        """One array a thread, or a member if there are many clusters; members along its last axis."""
        side_by_side = arrays[0].shape[1] <= _MANY_CLUSTERS
        n_groups = min(self._team.n_threads, len(arrays)) if side_by_side else len(arrays)
        bounds = [len(arrays) * group // n_groups for group in range(n_groups + 1)]
        return [np.stack(arrays[first:last], axis=2) for first, last in pairwise(bounds)]

    @property
    def factors(self) -> list[FloatArray]:
        return _members(self._groups)

    def measure(self) -> FloatArray:
        return np.asarray(np.maximum(self._objective, 0.0))

    def keep(self, members: BoolArray) -> None:
        self._objective = self._objective[members]
        self._groups = self._shared_out(list(compress(_members(self._groups), members)))
        self._grams = self._shared_out(list(compress(_members(self._grams), members)))

    def advance(self) -> FloatArray:
        if self._sweep % _SWEEPS_BETWEEN_GRAMS == 0:
            self._group(self.factors)
        changes = [np.empty(V.shape[2]) for V in self._groups]
        steps = [np.empty(V.shape[2]) for V in self._groups]

        def sweep(first: int, last: int) -> None:
            for group in range(first, last):
                V = self._groups[group]
                source = self._operator.source(V.reshape(V.shape[0], -1))
                self._loop(self._sweep, *self._matrix, source, V, self._grams[group], changes[group], steps[group])

        size = sum(V.size for V in self._groups)
        work = size * (self._operator.rows.nnz / self._operator.shape[0] + self._groups[0].shape[1])
        self._team.run(sweep, len(self._groups), work=work)
        self._sweep += 1
        self._objective = self._objective + np.concatenate(changes)
        return np.concatenate(steps)

    def final_factor(self, member: int) -> FloatArray:
        return np.ascontiguousarray(self.factors[member])


def _members(groups: Sequence[FloatArray]) -> list[FloatArray]:
    return [group[:, :, member] for group in groups for member in range(group.shape[2])]
