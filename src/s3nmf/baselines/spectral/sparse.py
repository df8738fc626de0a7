"""Sparse spectral clustering by Lu, Yan and Lin (2016): k-means on the eigenvectors of a sparse projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from s3nmf._types import IntArray
from s3nmf._validation import check_parameters
from s3nmf.baselines.spectral import k_means
from s3nmf.baselines.spectral import sparse_projection as convex
from s3nmf.baselines.spectral.sparse_projection import SparseProjection, sparse_projection

__all__ = ["SparseProjection", "SparseSpectralResult", "sparse_projection", "sparse_spectral_clustering"]

PARAMETERS: dict[str, list[Any]] = {
    **{name: allowed for name, allowed in convex.PARAMETERS.items() if name != "growth"},
    **k_means.PARAMETERS,
}


@dataclass(frozen=True, eq=False)
class SparseSpectralResult:
    """A partition, and the convex program that it was read off.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        Clusters by decreasing size.
    inertia : float
        The sum of squared distances of the embedding's rows to the centres of their clusters.
    solution : SparseProjection
        It holds two n x n arrays.
    """

    labels: IntArray
    inertia: float
    solution: SparseProjection


def sparse_spectral_clustering(
    affinity: Any,
    n_clusters: int,
    *,
    beta: float = 1e-6,
    max_iter: int = 500,
    tol: float = 1e-6,
    n_init: int = 1,
    random_state: Any = None,
) -> SparseSpectralResult:
    """Cluster an affinity by k-means on the leading eigenvectors of its `sparse_projection`.

    To repeat the random part alone, call `sparse_projection` once, and `s3nmf.baselines.spectral.k_means.cluster_rows`
    on its embedding as often as needed. O(n^3) an iteration and up to 56 n^2 bytes.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised, see `s3nmf.affinity.normalize_affinity`.
    n_clusters : int
    beta, max_iter, tol
        Of `sparse_projection`.
    n_init : int
        Random starts of k-means; the best one counts. The paper takes one.
    random_state : int, RandomState or None

    Returns
    -------
    SparseSpectralResult

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> sparse_spectral_clustering(W, 2, random_state=0).labels
    array([0, 0, 0, 1, 1, 1])
    """
    check_parameters(PARAMETERS, locals(), "sparse_spectral_clustering")
    solution = sparse_projection(affinity, n_clusters, beta=beta, max_iter=max_iter, tol=tol)
    found = k_means.cluster_rows(solution.embedding, n_clusters, n_init=n_init, random_state=random_state)
    return SparseSpectralResult(found.labels, found.inertia, solution)
