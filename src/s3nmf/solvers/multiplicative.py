"""The multiplicative update of the paper, V <- V * (S V / V V'V)^(1/4), and the same with the square root.

The fourth root minimises an auxiliary function that touches the objective at V and lies above it elsewhere, so the
objective never increases. Scaling S or V scales the next V, and no label changes.

The square root goes the same way in steps of twice the length, so that half the sweeps lead to the same partitions. No
proof is known that the objective cannot increase; in tests it never did.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._threads import ALONE, Team
from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Starts, StoppingRule, Watch, sweep_until
from s3nmf.solvers.declared import solver

# Keeps 0 / 0 = 0 where a row of V has vanished, as that of a point without neighbours does.
EPSILON = float(np.finfo(np.float64).eps)
# Entries of V decay without end, and arithmetic on denormal numbers is many times slower: they are held here while the
# sweeps last, far below what decides a label, and are 0 in the result. To the fourth root in double precision, by which
# they take long to get there, nothing is added: it is the paper's formula.
FLOORS = {np.dtype(np.float32): 1e-12, np.dtype(np.float64): 1e-100}
# With many clusters, or few members, BLAS multiplies by the Gram matrix faster than a loop over members. With 20 of
# them the two were measured to meet between 30 and 45 clusters, the earlier the fewer rows.
_MANY_CLUSTERS = 32
MEMBERS_FOR_A_LOOP = 4
_NO_INDICES = np.empty(0, np.int32)


@solver("multiplicative", takes_graph_regularization=True, stops_jointly=True)
def multiplicative(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """Sweep over all members together until the rule has stopped each or `max_iter` is reached.

    A sweep costs O(nnz(S) c + n c^2) a member, in the precision of the operator. What a member is worth after a sweep
    is known from the pass of the next one over S V, so a run ends with one sweep that counts for nothing else.
    """
    batch = _Batch(operator, starts, team, fourth_root=True)
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


@solver("square_root", stops_jointly=True)
def square_root(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    max_iter: int,
    stop: StoppingRule,
    team: Team = ALONE,
    watch: Watch | None = None,
) -> Factorization:
    """The same as `multiplicative` with the square root."""
    batch = _Batch(operator, starts, team, fourth_root=False)
    return sweep_until(batch, max_iter=max_iter, stop=stop, watch=watch)


class _Batch:
    """V of the members at work, the next V, and V'V, in the layout that the compiled loops want.

    The members stand side by side, so that one pass over S serves them all. With few clusters members are innermost: V
    is (n, c, b), V'V (c, c, b). With many clusters, the clusters are: (n, b, c) and (b, c, c).
    """

    def __init__(self, operator: SymmetricOperator, starts: Starts, team: Team, *, fourth_root: bool) -> None:
        import s3nmf._core.multiplicative as loops  # noqa: PLC0415

        self._operator, self._team, self._fourth_root = operator, team, fourth_root
        rows = operator.rows
        self._row_scale = (1.0 / np.sqrt(operator.multiplicity)).astype(operator.precision)
        self._row_penalty = operator.row_penalty.astype(operator.precision)
        self._matrix = (
            (_NO_INDICES, _NO_INDICES, self._row_scale) if rows is None else (rows.indptr, rows.indices, rows.data)
        )
        self._floor = operator.precision.type(
            0.0 if fourth_root and operator.precision == np.float64 else FLOORS[operator.precision]
        )
        b, (n, c) = len(starts), starts[0].shape
        self._steps: FloatArray = np.full(b, np.inf)
        self._work_of_entry = (n if rows is None else rows.nnz) / n + c
        self._loop: Any
        if c <= _MANY_CLUSTERS and b >= MEMBERS_FOR_A_LOOP:
            self._loop, block, self._axis, self._gram_axis = loops.sweep_members_innermost, loops.BLOCK, 2, 2
            shape, gram_shape = (n, c, b), (c, c, b)
        else:
            self._loop, block, self._axis, self._gram_axis = (
                loops.sweep_clusters_innermost,
                loops.BLAS_BLOCK,
                1,
                0,
            )
            shape, gram_shape = (n, b, c), (b, c, c)
        self._n_blocks = -(-n // block)
        self._V, self._next = np.empty(shape, operator.precision), np.empty(shape, operator.precision)
        self._gram, self._grams = np.empty(gram_shape, operator.precision), self._by_block(gram_shape)
        for member in range(b):
            V = self.factors[member]
            V[:] = starts[member]
            np.moveaxis(self._gram, self._gram_axis, 0)[member] = V.T @ V

    @property
    def factors(self) -> Any:
        """V of each member, (b, n, c): a view."""
        return np.moveaxis(self._V, self._axis, 0)

    def final_factor(self, member: int) -> FloatArray:
        """V of a member, without the floor."""
        V = self.factors[member]
        return np.asarray(np.where(self._floor >= V, V.dtype.type(0), V))

    def measure(self) -> FloatArray:
        """||S - V V'||^2 of each member; the next V and the steps to it come from the same pass."""
        n, b = self._V.shape[0], self._V.shape[self._axis]
        source = self._operator.source(self._V.reshape(n, -1), self._team)
        limits = self._V.dtype.type(EPSILON), self._floor, self._fourth_root
        fits, steps = self._by_block((b,)), self._by_block((b,))

        def sweep(first: int, last: int) -> None:
            given = (*self._matrix, source, self._V, self._gram, self._row_scale, self._row_penalty, *limits)
            self._loop(first, last, *given, self._next, self._grams, fits, steps)

        n_pieces = self._n_blocks if self._axis == 2 else self._n_blocks * b
        self._team.run(sweep, n_pieces, work=self._work_of_entry * self._V.size)
        # As in `misfit`. One contiguous row a member, so that NumPy adds in an order that does not depend on how many
        # members there are.
        gram = np.moveaxis(self._gram, self._gram_axis, 0).astype(np.float64, order="C").reshape(b, -1)
        fit = fits.T.astype(np.float64, order="C").sum(axis=1)
        misfit = self._operator.squared_norm - 2 * fit + (gram * gram).sum(axis=1)
        self._steps = steps.max(axis=0).astype(np.float64)
        return np.asarray(np.maximum(misfit, 0.0))

    def advance(self) -> FloatArray:
        """Make the next V the current one."""
        self._V, self._next = self._next, self._V
        gram = self._grams.sum(axis=0, dtype=np.float64)
        if self._gram_axis == 2:  # only the lower triangle has been summed
            above = np.triu_indices(gram.shape[0], k=1)
            gram[above] = gram[above[::-1]]
        self._gram = gram.astype(self._V.dtype)
        return self._steps

    def keep(self, members: BoolArray) -> None:
        """Let the other members go, before the advance."""
        self._steps = self._steps[members]
        self._next = np.ascontiguousarray(np.compress(members, self._next, axis=self._axis))
        self._grams = np.ascontiguousarray(np.compress(members, self._grams, axis=1 + self._gram_axis))
        self._V = np.empty_like(self._next)

    def _by_block(self, shape: tuple[int, ...]) -> FloatArray:
        return np.empty((self._n_blocks, *shape), self._operator.precision)
