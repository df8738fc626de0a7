"""Leading eigenpairs of a symmetric matrix, each as often as it occurs, also where eigenvalues hardly differ.

A Krylov method started from one vector sees one copy of a repeated eigenvalue; it meets the others by rounding, or not
at all: of a graph in 60 components it was seen to find 28. So what was found is moved to the other end of the spectrum
and the largest ones are searched for again, until nothing new comes up.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, aslinearoperator, eigsh, lobpcg
from sklearn.exceptions import ConvergenceWarning

from s3nmf._memory import refuse_if_too_large
from s3nmf._types import FloatArray, SparseMatrix
from s3nmf._warnings import warn
from s3nmf.graph.spectrum.dense import largest_eigenpairs
from s3nmf.graph.spectrum.factorized import eigenvalue_of, factorization_is_affordable, factorized_inverse

# Below this a dense decomposition is as fast as Lanczos iterations, and has no trouble with repeated eigenvalues.
DENSE = 500
# Matrices that are dense anyway are decomposed in full where iterations do not converge: for so many points, in some
# seconds.
DENSE_AFTER_ALL = 4000
# Restarts of Lanczos. MNIST's 70,000 points need about 20, 50,000 points in a plane more than 100.
_RESTARTS = 60
# How many are searched for at once when some may have been missed, how exactly, and by how much they stand out.
_MISSED, _PRECISION_OF_CHECK, _MARGIN = 2, 1e-6, 1e-8
_BLOCK_ITERATIONS = 200
_BLOCK_PRECISION = 1e-6


class Eigenpairs(NamedTuple):
    """Eigenvalues (k,), largest first, and their eigenvectors (n, k)."""

    values: FloatArray
    vectors: FloatArray


def leading_eigenpairs(
    matrix: FloatArray | SparseMatrix | LinearOperator, count: int, known: FloatArray | None = None
) -> Eigenpairs:
    """The algebraically largest eigenvalues and their eigenvectors, the largest entry of each positive.

    Costs O(n^3) and four n x n arrays, 32 n^2 bytes, for few points or many eigenvectors, and otherwise Lanczos
    iterations of O(count) products each. Where those do not converge, a sparse matrix is factorized and a dense one
    decomposed in full if that is affordable; else the answer is approximate, and a ConvergenceWarning says how good it
    is. Where the pairs converge and only the search for missed copies does not, and nothing can be factorized, a copy
    may be missing.

    Parameters
    ----------
    matrix : array, sparse matrix or LinearOperator of shape (n, n)
        Symmetric; no eigenvalue of a sparse one is above 1, as for a normalised graph.
    count : int
    known : array of shape (n, m < count), or None
        Orthonormal eigenvectors that are known to be among them.
    """
    n = matrix.shape[0]
    if is_dense(n, count):
        return _signed(_dense(matrix, count))
    found, complete = _searched(aslinearoperator(matrix), count, known)
    if not complete and sp.issparse(matrix) and factorization_is_affordable(matrix):
        by_inverse, _ = _searched(factorized_inverse(matrix), count, known, eigenvalue_of)
        if by_inverse is not None:
            found = Eigenpairs(eigenvalue_of(by_inverse.values), by_inverse.vectors)
    if found is None and isinstance(matrix, np.ndarray) and n <= DENSE_AFTER_ALL:
        found = _dense(matrix, count)
    return _signed(found or _approximate(matrix, count))


def is_dense(n: int, count: int) -> bool:
    return n <= DENSE or 5 * count > n


def _dense(matrix: Any, count: int) -> Eigenpairs:
    n = matrix.shape[0]
    refuse_if_too_large(32.0 * n * n, "Ask for fewer clusters.")
    dense = matrix @ np.eye(n)
    values, vectors = largest_eigenpairs(lambda: (dense + dense.T) / 2, count)
    return Eigenpairs(values[::-1], vectors[:, ::-1])


def _searched(
    operator: LinearOperator,
    count: int,
    known: FloatArray | None,
    in_units: Callable[[FloatArray], FloatArray] = np.asarray,
) -> tuple[Eigenpairs | None, bool]:
    """The pairs, or None if they do not converge; and whether nothing else can be among the largest.

    Eigenvalues `in_units` are what a margin is meant for.
    """
    n = operator.shape[0]
    starts = np.random.default_rng(0)  # the same starts, and so the same answer, every time
    found = _on_basis(operator, np.empty((n, 0)) if known is None else known)
    try:
        first = _lanczos(_without(operator, found), count - found.values.size, starts.random(n), tol=0.0)
        found = _joined(found, first)
    except ArpackNoConvergence:
        return None, False
    while True:
        try:
            more = _lanczos(
                _without(operator, found), min(_MISSED, count), starts.standard_normal(n), tol=_PRECISION_OF_CHECK
            )
        except ArpackNoConvergence:
            return _first(found, count), False
        if in_units(more.values)[0] <= in_units(found.values)[count - 1] + _MARGIN:
            return _first(found, count), True
        found = _on_basis(operator, np.linalg.qr(np.hstack([found.vectors, more.vectors]))[0])


def _lanczos(operator: LinearOperator, count: int, start: FloatArray, *, tol: float) -> Eigenpairs:
    # More Lanczos vectors than the default, for eigenvalues that are close to each other.
    basis = min(operator.shape[0], max(2 * count + 10, 40))
    return _joined(Eigenpairs(*eigsh(operator, k=count, which="LA", v0=start, ncv=basis, maxiter=_RESTARTS, tol=tol)))


def _without(operator: LinearOperator, found: Eigenpairs) -> LinearOperator:
    """The same matrix with the eigenvalues that were found moved to the lower end of the spectrum."""
    if not found.values.size:
        return operator
    drop = (found.values - found.values[-1] + 2 * np.abs(found.values).max())[:, None]

    def product(V: FloatArray) -> FloatArray:
        columns = V.reshape(V.shape[0], -1)
        return np.asarray(operator @ columns - found.vectors @ (drop * (found.vectors.T @ columns))).reshape(V.shape)

    return LinearOperator(operator.shape, matvec=product, matmat=product, dtype=np.float64)


def _on_basis(operator: LinearOperator, basis: FloatArray) -> Eigenpairs:
    """The best eigenpairs in the span of an orthonormal basis."""
    if not basis.shape[1]:
        return Eigenpairs(np.empty(0), basis)
    values, rotation = np.linalg.eigh(basis.T @ (operator @ basis))
    return Eigenpairs(values[::-1], (basis @ rotation)[:, ::-1])


def _joined(*parts: Eigenpairs) -> Eigenpairs:
    values = np.concatenate([part.values for part in parts])
    order = np.argsort(-values, kind="stable")
    return Eigenpairs(values[order], np.hstack([part.vectors for part in parts])[:, order])


def _first(pairs: Eigenpairs, count: int) -> Eigenpairs:
    return Eigenpairs(pairs.values[:count], pairs.vectors[:, :count])


def _signed(pairs: Eigenpairs) -> Eigenpairs:
    """The same, the largest entry of each vector positive."""
    vectors = pairs.vectors
    signs = np.sign(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])])
    return Eigenpairs(pairs.values, np.asarray(vectors * np.where(signs == 0, 1.0, signs)))


def _approximate(matrix: Any, count: int) -> Eigenpairs:
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
    return Eigenpairs(values, np.asarray(vectors))
