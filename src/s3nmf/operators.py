"""Symmetric matrices that are known by their products.

A solver sees only this: ``operator @ V`` and ``operator.squared_norm``. The affinity W is dense or sparse; the
similarity S that the ensemble rebuilds from its members is n x n in meaning and never in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

from s3nmf._types import Affinity, FloatArray, IntArray, SparseMatrix
from s3nmf.partitions import distinct_tuples, one_hot

# Up to so many tuples for each member a dense product is faster than a sparse one: measured with 5 and 20 members, 3 to
# 100 clusters, the break-even lies between 15 and 45.
_DENSE_TUPLES_PER_MEMBER = 20


class SymmetricOperator(LinearOperator):  # type: ignore[misc]
    """A symmetric n x n matrix, as a product with n x k blocks and its squared Frobenius norm.

    A row may stand for several points that are alike, see `collapsed_co_association`; `multiplicity` says for how many.
    """

    squared_norm: float
    multiplicity: FloatArray

    def __init__(self, n: int, squared_norm: float, multiplicity: FloatArray | None = None) -> None:
        super().__init__(np.dtype(np.float64), (n, n))
        self.squared_norm = squared_norm
        self.multiplicity = np.ones(n) if multiplicity is None else multiplicity

    def _adjoint(self) -> SymmetricOperator:
        return self


class AffinityOperator(SymmetricOperator):
    """A matrix that is in memory: O(nnz k) a product."""

    def __init__(self, matrix: Affinity, multiplicity: FloatArray | None = None) -> None:
        self.matrix = matrix
        entries = matrix.data if sp.issparse(matrix) else np.asarray(matrix).ravel()
        super().__init__(matrix.shape[0], float(np.dot(entries, entries)), multiplicity)

    def _matmat(self, V: FloatArray) -> FloatArray:
        return np.asarray(self.matrix @ V)


class WeightedGram(SymmetricOperator):
    """S = F diag(a) F' for a tall F (n x p): O(nnz(F) k) a product, and the n x n matrix is never formed.

    Its norm needs the small Gram matrix only: ||S||^2 = sum_pq a_p a_q (F'F)_pq^2.
    """

    def __init__(self, F: FloatArray | SparseMatrix, a: FloatArray, multiplicity: FloatArray | None = None) -> None:
        self.F, self.a = F, a
        super().__init__(F.shape[0], _squared_norm(F.T @ F, a), multiplicity)

    def _matmat(self, V: FloatArray) -> FloatArray:
        return np.asarray(self.F @ (self.a[:, None] * (self.F.T @ V)))


class CoAssociation(SymmetricOperator):
    """S = sum_m alpha_m M_m M_m', the weight of the members that put two points together.

    Points with the same tuple of member labels have the same row of S, so a product first adds the rows of V up over
    the u distinct tuples, multiplies by the u x u core, and copies the rows back: O(n k + u b k) instead of O(n^2 k).

    Parameters
    ----------
    member_labels : array of shape (n_members, n_samples)
    weights : array of shape (n_members,)
    """

    def __init__(self, member_labels: IntArray, weights: FloatArray) -> None:
        tuples, self._tuple_of, counts = distinct_tuples(member_labels)
        n, u = self._tuple_of.size, counts.size
        self._sum_rows: Any = sp.csr_array((np.ones(n), self._tuple_of, np.arange(n + 1)), shape=(n, u)).T.tocsr()
        self._members = one_hot(tuples)
        self._column_weights = np.repeat(weights, self._members.shape[1] // len(weights))
        shared = self._members.T @ self._members.multiply(counts[:, None]).tocsr()
        super().__init__(n, _squared_norm(shared, self._column_weights))

    def _matmat(self, V: FloatArray) -> FloatArray:
        by_cluster = self._members.T @ (self._sum_rows @ V)
        by_tuple = self._members @ (self._column_weights[:, None] * by_cluster)
        return np.asarray(by_tuple[self._tuple_of])


def collapsed_co_association(member_labels: IntArray, weights: FloatArray) -> tuple[SymmetricOperator, IntArray]:
    """The co-association with one row for each of the u distinct label tuples, and the row of each point.

    With E the n x u one-hot of the tuples and D = E'E their counts, S = E T E'. For V = E D^-1/2 Y,

        ||S - V V'||_F = ||D^1/2 T D^1/2 - Y Y'||_F,

    so factorizing S with equal rows for equal tuples is factorizing the u x u matrix D^1/2 T D^1/2, which comes back
    here: as a matrix where it is small, else as a weighted Gram of the tuples. O(u b k) a product at the most.
    """
    tuples, tuple_of, counts = distinct_tuples(member_labels)
    F = one_hot(tuples).multiply(np.sqrt(counts)[:, None]).tocsr()
    a = np.repeat(weights, F.shape[1] // len(weights))
    multiplicity = counts.astype(np.float64)
    if counts.size > _DENSE_TUPLES_PER_MEMBER * len(weights):
        return WeightedGram(F, a, multiplicity), tuple_of
    return AffinityOperator(((F * a) @ F.T).toarray(), multiplicity), tuple_of


def _squared_norm(gram: Any, a: FloatArray) -> float:
    squares = gram.multiply(gram) if sp.issparse(gram) else gram * gram
    return float(a @ (squares @ a))
