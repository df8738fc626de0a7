"""Leading eigenvectors of a symmetric operator, also where eigenvalues repeat or hardly differ.

A Krylov method started from one vector sees one copy of a repeated eigenvalue; it meets the others by rounding, or not
at all: of a graph in 60 components it was seen to find 28. So what was found is taken out, and Lanczos asked again.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, aslinearoperator, eigsh, lobpcg
from sklearn.exceptions import ConvergenceWarning

from s3nmf._memory import refuse_if_too_large
from s3nmf._types import FloatArray
from s3nmf._warnings import warn

# Below this a dense decomposition is as fast as Lanczos iterations, and has no trouble with repeated eigenvalues.
DENSE = 500
# Restarts of Lanczos. MNIST's 70,000 points need about 20, 50,000 points in a plane more than 100.
_RESTARTS = 60
_RESTARTS_OF_CHECK = 10
# An eigenvalue that was missed stands out by this much.
_MARGIN = 1e-8
_BLOCK_ITERATIONS = 200
_BLOCK_PRECISION = 1e-6


class Eigenpairs(NamedTuple):
    """Eigenvalues (k,), largest first, and their eigenvectors (n, k)."""

    values: FloatArray
    vectors: FloatArray


def leading_eigenvectors(matrix: LinearOperator, count: int) -> FloatArray:
    """Eigenvectors of the algebraically largest eigenvalues, largest first; the largest entry of each is positive.

    Costs O(n^3) and four n x n arrays, 32 n^2 bytes, for few points or many eigenvectors, and otherwise Lanczos
    iterations of O(count) products each. Where those do not converge, the answer is approximate, and a
    ConvergenceWarning says how good it is.
    """
    n = matrix.shape[0]
    if is_dense(n, count):
        refuse_if_too_large(32.0 * n * n, "Ask for fewer clusters.")
        dense = matrix @ np.eye(n)
        vectors = eigh((dense + dense.T) / 2, subset_by_index=(n - count, n - 1), overwrite_a=True)[1][:, ::-1]
    else:
        try:
            vectors = lanczos(matrix, count).vectors
        except ArpackNoConvergence:
            vectors = approximate(matrix, count)
    return with_signs(vectors)


def is_dense(n: int, count: int) -> bool:
    return n <= DENSE or 5 * count > n


def with_signs(vectors: FloatArray) -> FloatArray:
    """The same vectors, the largest entry of each positive."""
    signs = np.sign(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))


def lanczos(matrix: LinearOperator, count: int, known: Eigenpairs | None = None) -> Eigenpairs:
    """The `count` largest eigenpairs, the known ones among them; ArpackNoConvergence if that takes too long."""
    n = matrix.shape[0]
    # A fixed seed, for the same answer every time.
    starts = np.random.default_rng(0)
    found = known or Eigenpairs(np.empty(0), np.empty((n, 0)))
    found = _joined(found, _lanczos(_without(matrix, found), count - found.values.size, starts.random(n)), count)
    while True:
        missed = _missed(matrix, found, starts.standard_normal(n))
        if missed is None:
            return found
        found = _joined(found, missed, count)


def _lanczos(
    matrix: LinearOperator, count: int, start: FloatArray, *, restarts: int = _RESTARTS, tol: float = 0.0
) -> Eigenpairs:
    n = matrix.shape[0]
    # More Lanczos vectors than the default, for eigenvalues that are close to each other.
    basis = min(n, max(2 * count + 10, 40))
    return Eigenpairs(*eigsh(matrix, k=count, which="LA", v0=start, ncv=basis, maxiter=restarts, tol=tol))


def _missed(matrix: LinearOperator, found: Eigenpairs, start: FloatArray) -> Eigenpairs | None:
    """An eigenpair that should be among those found, if there is one."""
    try:
        best = _lanczos(_without(matrix, found), 1, start, restarts=_RESTARTS_OF_CHECK, tol=1e-6)
    except ArpackNoConvergence:
        return None  # no eigenvalue stands out from the rest
    return best if best.values[0] > found.values[-1] + _MARGIN else None


def _joined(some: Eigenpairs, others: Eigenpairs, count: int) -> Eigenpairs:
    values = np.concatenate([some.values, others.values])
    order = np.argsort(-values, kind="stable")[:count]
    return Eigenpairs(values[order], np.hstack([some.vectors, others.vectors])[:, order])


def _without(matrix: LinearOperator, found: Eigenpairs) -> LinearOperator:
    """The same matrix with the eigenvalues that were found moved to the lower end of the spectrum."""
    if not found.values.size:
        return aslinearoperator(matrix)
    drop = (found.values - found.values[-1] + 2 * np.abs(found.values).max())[:, None]

    def product(V: FloatArray) -> FloatArray:
        columns = V.reshape(V.shape[0], -1)
        return np.asarray(matrix @ columns - found.vectors @ (drop * (found.vectors.T @ columns))).reshape(V.shape)

    return LinearOperator(matrix.shape, matvec=product, matmat=product, dtype=np.float64)


def approximate(matrix: LinearOperator, count: int) -> FloatArray:
    """The best of so many iterations of a block method, which always has an answer."""
    start = np.random.default_rng(0).standard_normal((matrix.shape[0], count))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, vectors = lobpcg(matrix, start, largest=True, tol=_BLOCK_PRECISION, maxiter=_BLOCK_ITERATIONS)
    error = np.linalg.norm(matrix @ vectors - vectors * values, axis=0).max()
    warn(
        f"The {count} leading eigenvectors did not converge: ||A u - lambda u|| reaches {error:.1e}. Their eigenvalues "
        "hardly differ, as for long chains of points, and labels may be poor. Join points by more edges (a larger "
        "n_neighbors), or ask for fewer clusters.",
        ConvergenceWarning,
    )
    return np.asarray(vectors)
