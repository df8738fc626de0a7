"""The leading eigenvalues of a symmetric matrix, each as often as it occurs.

Not those of `eigenvectors`: that one's Lanczos iterations, made for embeddings, give up on copies that come slowly, and
were seen to leave one out of a graph in three rings. Counting clusters by eigenvalues needs all of them.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from s3nmf._types import Affinity, FloatArray

# Below this a dense decomposition is as fast as Lanczos iterations.
_DENSE = 500
_TOLERANCE = 1e-6
_SAME = 1e-8


def leading_eigenpairs(matrix: Affinity, count: int) -> tuple[FloatArray, FloatArray]:
    """The `count` largest eigenvalues, largest first, and their eigenvectors (n, count).

    A graph in m components has m times the same eigenvalue, of which Lanczos iterations from one start may find only
    some. So those that were found are moved to the other end of the spectrum, and the largest ones are searched for
    again, until nothing new comes up. For a matrix whose eigenvalues lie in [-1, 1].
    """
    n = matrix.shape[0]
    if n <= _DENSE or 2 * count > n:
        values, vectors = eigh(sp.csr_array(matrix).toarray(), subset_by_index=(n - count, n - 1))
        return values[::-1], vectors[:, ::-1]
    random = np.random.default_rng(0)  # the same starts, and so the same answer, every time
    values, vectors = _largest(matrix, count, random.random((n,)))
    while True:
        more, beside = _largest(_without(matrix, values, vectors), min(2, count), random.random((n,)))
        if more[-1] <= values[-count] + _SAME:
            return values[::-1][:count], vectors[:, ::-1][:, :count]
        vectors = np.linalg.qr(np.hstack([vectors, beside]))[0]
        values, rotation = np.linalg.eigh(vectors.T @ (matrix @ vectors))
        vectors = vectors @ rotation


def _largest(matrix: Affinity | LinearOperator, count: int, start: FloatArray) -> tuple[FloatArray, FloatArray]:
    values, vectors = eigsh(matrix, k=count, which="LA", v0=start, tol=_TOLERANCE, ncv=max(2 * count + 10, 40))
    order = np.argsort(values)
    return values[order], vectors[:, order]


def _without(matrix: Affinity, values: FloatArray, vectors: FloatArray) -> LinearOperator:
    """The matrix with the eigenvalues of these vectors moved to -1."""

    def product(x: FloatArray) -> FloatArray:
        return np.asarray(matrix @ x - vectors @ ((values + 1.0) * (vectors.T @ x)))

    return LinearOperator(matrix.shape, matvec=product, dtype=np.float64)
