"""The embedding of Ng, Jordan and Weiss (2002): rows of the leading eigenvectors of D^-1/2 S D^-1/2, on the sphere."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from s3nmf._memory import refuse_if_too_large
from s3nmf._types import FloatArray
from s3nmf.operators import SymmetricOperator

# Below this a dense decomposition is as fast as Lanczos iterations, and has no trouble with repeated eigenvalues.
_DENSE = 500


def spectral_embedding(similarity: SymmetricOperator, n_clusters: int) -> FloatArray:
    """Unit rows of the eigenvectors of D^-1/2 S D^-1/2 with the `n_clusters` largest eigenvalues, (n, c).

    D is the row sums of S, also where S is a normalised affinity already. The row of a point without any similarity is
    zero. Costs O(c) products with S a Lanczos iteration, or O(n^3) for few points or nearly as many clusters.
    """
    n = similarity.shape[0]
    degrees = np.asarray(similarity @ np.ones(n))
    scale = np.zeros(n)
    np.divide(1.0, np.sqrt(degrees), out=scale, where=degrees > 0)
    rows = leading_eigenvectors(_scaled(similarity, scale), n_clusters)
    # What is left of a point that no leading eigenvector reaches is rounding, not a direction.
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, norms, out=np.zeros_like(rows), where=(norms > 1e-12) & (scale > 0)[:, None]))


def leading_eigenvectors(matrix: LinearOperator, count: int) -> FloatArray:
    """Eigenvectors of the algebraically largest eigenvalues, largest first; the largest entry of each is positive."""
    n = matrix.shape[0]
    if n <= _DENSE or 2 * count > n:
        refuse_if_too_large(24.0 * n * n, "Ask for fewer clusters.")
        dense = matrix @ np.eye(n)
        vectors = eigh((dense + dense.T) / 2, subset_by_index=(n - count, n - 1))[1]
    else:
        # More Lanczos vectors than the default, for the repeated eigenvalue of a graph in several components; a fixed
        # start, for the same answer every time.
        start = np.random.default_rng(0).random(n)
        values, vectors = eigsh(matrix, k=count, which="LA", v0=start, ncv=min(n, max(2 * count + 10, 40)))
        vectors = vectors[:, np.argsort(values)]
    vectors = vectors[:, ::-1]
    signs = np.sign(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(count)])
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))


def _scaled(S: SymmetricOperator, scale: FloatArray) -> LinearOperator:
    """diag(scale) S diag(scale)."""

    def product(V: FloatArray) -> FloatArray:
        weights = scale if V.ndim == 1 else scale[:, None]
        return np.asarray(weights * (S @ (weights * V)))

    return LinearOperator(S.shape, matvec=product, matmat=product, dtype=np.float64)
