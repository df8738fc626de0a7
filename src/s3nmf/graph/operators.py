"""Symmetric matrices that are known by their products.

A solver sees only this: S V and `squared_norm`, or `by_rows()` if it changes V row by row. The affinity W is dense or
sparse; the similarity S that the ensemble rebuilds from its members is n x n in meaning and never in memory.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import LinearOperator

from s3nmf._indices import compact
from s3nmf._threads import ALONE, Team
from s3nmf._types import Affinity, FloatArray, IntArray, SparseMatrix
from s3nmf.partitions import distinct_tuples, one_hot

# Reordering was measured to pay for 70,000 points; where it begins to has not been measured.
_WORTH_REORDERING = 4096


class SymmetricOperator(LinearOperator):  # type: ignore[misc]
    """A symmetric n x n matrix S, as a product with n x k blocks and its squared Frobenius norm.

    A product is taken in two steps, S V = `rows` @ `source(V)`: the second combines a few rows of the source for each
    row of the result, and a compiled solver does it row by row, without ever holding S V. Where `rows` is None, the
    source is the product.

    A row may stand for several points that are alike, see `collapsed_co_association`; `multiplicity` says for how many.
    `precision` is that of the factors that it is made for. Its entries are held in it too, so it is the `dtype` that
    SciPy knows, that of the entries; the norm is always that of the matrix in float64.
    """

    precision: np.dtype[Any]
    rows: SparseMatrix | None = None
    squared_norm: float
    multiplicity: FloatArray
    row_penalty: FloatArray
    """p of a penalty 2 sum_i p_i ||V_i||^2 that is added to ||S - V V'||^2; zero unless a solver's problem has one."""

    def __init__(
        self, n: int, squared_norm: float, multiplicity: FloatArray | None = None, precision: Any = np.float64
    ) -> None:
        self.precision = np.dtype(precision)
        super().__init__(self.precision, (n, n))
        self.squared_norm = squared_norm
        self.multiplicity = np.ones(n) if multiplicity is None else multiplicity
        self.row_penalty = np.zeros(n)

    @abstractmethod
    def source(self, V: FloatArray, team: Team = ALONE) -> FloatArray:
        """What the rows combine."""

    @abstractmethod
    def by_rows(self) -> RowOperator:
        """The same matrix, for solvers that change V row by row."""

    def _matmat(self, V: FloatArray) -> FloatArray:
        # Compiled products have the type of V, which for a product with integers must be that of the entries.
        source = self.source(V.astype(np.result_type(V, self.dtype), copy=False))
        return source if self.rows is None else np.asarray(self.rows @ source)

    def _adjoint(self) -> SymmetricOperator:
        return self


class RowOperator(SymmetricOperator):
    """A matrix whose product can follow V as its rows change, one at a time.

    When row i of V changes by d, row `rows.indices[e]` of the source changes by `returns[e]` d, for each entry e of row
    i. Where `returns` is empty, the source is V.
    """

    rows: SparseMatrix
    returns: FloatArray
    diagonal: FloatArray

    def by_rows(self) -> RowOperator:
        return self


class AffinityOperator(RowOperator):
    """A matrix that is in memory: O(nnz k) a product."""

    def __init__(self, matrix: Affinity, multiplicity: FloatArray | None = None, precision: Any = np.float64) -> None:
        entries = matrix.data if sp.issparse(matrix) else np.asarray(matrix).ravel(order="K")  # no copy of any order
        super().__init__(matrix.shape[0], float(np.dot(entries, entries)), multiplicity, precision)
        self._matrix = compact(matrix, precision) if sp.issparse(matrix) else matrix.astype(precision, copy=False)
        self.diagonal = matrix.diagonal()
        self.returns = np.empty(0)
        if sp.issparse(matrix):
            self.rows = self._matrix

    def by_rows(self) -> RowOperator:
        if self.rows is not None:
            return self
        operator = AffinityOperator(sp.csr_array(self._matrix), self.multiplicity, self.precision)
        operator.squared_norm, operator.row_penalty = self.squared_norm, self.row_penalty
        return operator

    def source(self, V: FloatArray, team: Team = ALONE) -> FloatArray:
        return V if self.rows is not None else np.asarray(self._matrix @ V)


class WeightedGram(RowOperator):
    """S = F diag(a) F' for a tall, sparse F (n x p): O(nnz(F) k) a product, and the n x n matrix is never formed.

    Its norm needs the small Gram matrix only: ||S||^2 = sum_pq a_p a_q (F'F)_pq^2.
    """

    def __init__(
        self, F: SparseMatrix, a: FloatArray, multiplicity: FloatArray | None = None, precision: Any = np.float64
    ) -> None:
        super().__init__(F.shape[0], _squared_norm(F.T @ F, a), multiplicity, precision)
        self.rows = compact(F, precision)
        self._weighted_transpose = compact(sp.diags_array(a) @ F.T, precision)
        self.returns = a[self.rows.indices] * self.rows.data
        self.diagonal = np.asarray(self.rows.multiply(self.rows) @ a)

    def source(self, V: FloatArray, team: Team = ALONE) -> FloatArray:
        return sparse_product(self._weighted_transpose, V, team)


class SoftCoAssociation(SymmetricOperator):
    """S = sum_m alpha_m V_m V_m', from the factors of all members side by side: O(n b c k) a product.

    Parameters
    ----------
    factors : array of shape (n_samples, n_members * n_clusters)
    weights : array of shape (n_members * n_clusters,)
        alpha of the member that each column belongs to.
    """

    def __init__(self, factors: FloatArray, weights: FloatArray, precision: Any = np.float64) -> None:
        super().__init__(factors.shape[0], _squared_norm(factors.T @ factors, weights), precision=precision)
        self._factors, self._weights = factors.astype(precision, copy=False), weights.astype(precision, copy=False)

    def source(self, V: FloatArray, team: Team = ALONE) -> FloatArray:
        return np.asarray(self._factors @ (self._weights[:, None] * (self._factors.T @ V)))

    def by_rows(self) -> RowOperator:
        return WeightedGram(sp.csr_array(self._factors, dtype=np.float64), self._weights.astype(np.float64))


def soft_co_association(
    factors: list[FloatArray], weights: FloatArray, precision: Any = np.float64
) -> SymmetricOperator:
    """S = sum_m alpha_m V_m V_m', as a matrix if that takes no more memory than the factors, and half the time."""
    F = np.hstack(factors).astype(np.float64)
    a = np.repeat(weights, [V.shape[1] for V in factors])
    if F.shape[0] > F.shape[1]:
        return SoftCoAssociation(F, a, precision)
    F *= np.sqrt(a)
    return AffinityOperator(F @ F.T, precision=precision)


class CoAssociation(SymmetricOperator):
    """S = sum_m alpha_m M_m M_m', the weight of the members that put two points together.

    Points with the same tuple of member labels have the same row of S, so a product first adds the rows of V up over
    the u distinct tuples, multiplies by the u x u core, and copies the rows back: O(n k + u b k) instead of O(n^2 k).

    Parameters
    ----------
    member_labels : array of shape (n_members, n_samples)
    weights : array of shape (n_members,)
    """

    rows: SparseMatrix

    def __init__(self, member_labels: IntArray, weights: FloatArray) -> None:
        tuples, tuple_of, counts = distinct_tuples(member_labels)
        n, u = tuple_of.size, counts.size
        self._member_labels, self._weights = member_labels, weights
        self._members = compact(one_hot(tuples))
        column_weights = np.repeat(weights, self._members.shape[1] // len(weights))
        shared = self._members.T @ self._members.multiply(counts[:, None]).tocsr()
        super().__init__(n, _squared_norm(shared, column_weights))
        self.rows = compact(sp.csr_array((np.ones(n), tuple_of, np.arange(n + 1)), shape=(n, u)))
        self._sum_rows = compact(self.rows.T)
        self._weighted_transpose = compact(sp.diags_array(column_weights) @ self._members.T)

    def source(self, V: FloatArray, team: Team = ALONE) -> FloatArray:
        by_tuple = sparse_product(self._sum_rows, V, team)
        return sparse_product(self._members, sparse_product(self._weighted_transpose, by_tuple, team), team)

    def with_clusters(self, labels: IntArray) -> FloatArray:
        """S times the one-hot of a partition, (u, c): a row for each tuple, which is that of all its points."""
        in_tuples = np.asarray((self._sum_rows @ one_hot(labels[None, :])).toarray())
        return np.asarray(self._members @ (self._weighted_transpose @ in_tuples))

    def with_many_clusters(self, labels: IntArray) -> SparseMatrix:
        """The same as a sparse matrix: of many clusters, a point is together with points of few."""
        in_tuples = self._sum_rows @ one_hot(labels[None, :])
        return sp.csr_array(self._members @ (self._weighted_transpose @ in_tuples))

    def among(self, points: IntArray) -> FloatArray:
        """S of m of the points with each other, (m, m)."""
        tuples = self.rows.indices[points]
        return np.asarray((self._members[tuples] @ self._weighted_transpose[:, tuples]).toarray())

    def by_rows(self) -> RowOperator:
        B = one_hot(self._member_labels)
        return WeightedGram(B, np.repeat(self._weights, B.shape[1] // len(self._weights)))


class Problem(NamedTuple):
    """A matrix to factorize, and the row of each point in it."""

    operator: SymmetricOperator
    row_of: IntArray


def local_affinity(matrix: Affinity, precision: Any = np.float64) -> Problem:
    """The affinity with the rows of neighbours close to each other.

    A sweep reads the rows of a point's neighbours, which is faster when they are still in the processor's cache: the
    points of a large graph are put into reverse Cuthill-McKee order.
    """
    n = matrix.shape[0]
    if not sp.issparse(matrix) or n < _WORTH_REORDERING:
        return Problem(AffinityOperator(matrix, precision=precision), np.arange(n))
    order = reverse_cuthill_mckee(sp.csr_matrix(matrix), symmetric_mode=True)
    row_of = np.empty(n, dtype=np.intp)
    row_of[order] = np.arange(n)
    return Problem(AffinityOperator(sp.csr_array(matrix)[order][:, order], precision=precision), row_of)


def collapsed_co_association(
    member_labels: IntArray,
    weights: FloatArray,
    precision: Any = np.float64,
    *,
    few: float | None = None,
    place: IntArray | None = None,
) -> Problem:
    """The co-association with one row for each of the u distinct label tuples, in the order of points by `place`.

    With E the n x u one-hot of the tuples and D = E'E their counts, S = E T E'. For V = E D^-1/2 Y,

        ||S - V V'||_F = ||D^1/2 T D^1/2 - Y Y'||_F,

    so factorizing S with equal rows for equal tuples is factorizing the u x u matrix D^1/2 T D^1/2, which comes back
    here: as a matrix where members agree so well that few tuples share a cluster of any, else as a weighted Gram of the
    tuples, O(u b k) a product.

    In ||S - V V'|| a cluster of n_k points weighs n_k^2: to follow members that cut a large one is worth more than to
    keep two small ones apart. If it is said what are `few` points, a point counts 1 / (few + sum_j S_ij) instead of 1,
    and a cluster weighs (n_k / (few + n_k))^2, nearly the same for all that are not few: it is D^-1/2 S D^-1/2 that is
    factorized, D the row sums of S and `few` more.
    """
    tuples, tuple_of, counts = distinct_tuples(member_labels, place)
    members = one_hot(tuples)
    a = np.repeat(weights, members.shape[1] // len(weights))
    multiplicity = counts.astype(np.float64)
    if few is not None:
        multiplicity /= few + members @ (a * (members.T @ multiplicity))
    F = members.multiply(np.sqrt(multiplicity)[:, None]).tocsr()
    # A product with the Gram takes 2 nnz(F) multiplications, one with the matrix as many as it has entries. Two tuples
    # share at most b clusters: where all pairs share more than this, the matrix is known to be too full unformed.
    shared = np.square(np.bincount(F.indices), dtype=np.float64).sum()
    if shared <= 2 * F.nnz * len(weights):
        matrix = (F @ sp.diags_array(a) @ F.T).tocsr()
        if matrix.nnz <= 2 * F.nnz:
            return Problem(AffinityOperator(matrix, multiplicity, precision), tuple_of)
    return Problem(WeightedGram(F, a, multiplicity, precision), tuple_of)


def sparse_product(matrix: SparseMatrix, V: FloatArray, team: Team) -> FloatArray:
    """A CSR matrix times V, its rows shared out to the team; row by row the same on any number of threads."""
    from s3nmf._core.products import product_rows  # noqa: PLC0415

    V = np.ascontiguousarray(V)
    product = np.empty((matrix.shape[0], V.shape[1]), V.dtype)

    def rows(first: int, last: int) -> None:
        product_rows(first, last, matrix.indptr, matrix.indices, matrix.data, V, product)

    team.run(rows, matrix.shape[0], work=matrix.nnz * V.shape[1])
    return product


def _squared_norm(gram: Any, a: FloatArray) -> float:
    squares = gram.multiply(gram) if sp.issparse(gram) else gram * gram
    return float(a @ (squares @ a))
