"""The affinity matrix W: from features, and what every affinity has in common."""

from __future__ import annotations

from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import VALID_METRICS

from s3nmf._indices import compact
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._types import Affinity, SparseMatrix
from s3nmf._validation import check_affinity, check_features, check_parameters
from s3nmf.graph.kernels import KERNELS, Kernel, edge_weights
from s3nmf.graph.neighbors import NeighborCount, Neighbors, Search, nearest_neighbors, resolve_n_neighbors
from s3nmf.graph.range import within_range

# What the names alone do not say: a matrix or variances that go with them, a function, or distances in place of points.
_INCOMPLETE = frozenset({"mahalanobis", "p", "precomputed", "pyfunc", "seuclidean", "wminkowski"})
METRICS: frozenset[str] = frozenset(chain(*VALID_METRICS.values())) - _INCOMPLETE
"""Distances by name: those of scikit-learn's NearestNeighbors that need nothing but two points."""

PARAMETERS: dict[str, list[Any]] = {
    "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
    "kernel": [StrOptions(KERNELS.keys())],
    "metric": [StrOptions(METRICS)],
    "search": [StrOptions({"auto", "exact", "approximate"})],
}
# Of what takes features or a graph.
GRAPH_PARAMETERS: dict[str, list[Any]] = {
    "affinity": [StrOptions({"nearest_neighbors", "precomputed"})],
    **PARAMETERS,
}


def nearest_neighbor_affinity(
    X: Any,
    n_neighbors: NeighborCount = "auto",
    kernel: Kernel = "mean-distance",
    *,
    metric: str = "euclidean",
    search: Search = "auto",
) -> SparseMatrix:
    """Build the sparse, symmetric, normalised affinity of a table of features.

    Each point is joined to its nearest neighbours, the edges are weighted by the kernel and made symmetric, and the
    result is W = D^-1/2 A D^-1/2 with D the degrees of A: zero diagonal, largest eigenvalue 1. The defaults are the
    paper's graph. Costs a neighbour search and O(n k) memory.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Features, used as they are: scale them first if their units differ.
    n_neighbors : int or "auto"
        Neighbours of each point; "auto" is floor(log2 n) + 1.
    kernel : {"mean-distance", "self-tuning", "binary", "jaccard"}
        How an edge is weighted: by its length against the mean length (the paper), by its length against the local
        scale of its two points, equally, or by the neighbours its points share.
    metric : str
        Any metric of scikit-learn's NearestNeighbors that needs no parameters of its own.
    search : {"auto", "exact", "approximate"}
        How neighbours are searched for. "auto" is exact up to n^2 = 1e9 (31,622 points) and n^2 d = 3e11 (17,320 points
        with 1,000 features). Beyond, it is approximate by the Euclidean metric and the cosine, if an approximate search
        finds 97 % of the neighbours of a sample in less time. "approximate" takes what it finds. It is logged.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> W = nearest_neighbor_affinity(load_iris().data)
    >>> W.shape, float(W.diagonal().max())
    ((150, 150), 0.0)
    """
    check_parameters(PARAMETERS, locals(), "nearest_neighbor_affinity")
    return affinity_of(check_features(X), n_neighbors, kernel, metric, search)


def affinity_of(X: Any, n_neighbors: NeighborCount, kernel: Kernel, metric: str, search: Search) -> SparseMatrix:
    """The same for features and parameters that have been checked."""
    return affinity_among(nearest_neighbors(X, resolve_n_neighbors(n_neighbors, X.shape[0]), metric, search), kernel)


def affinity_among(neighbors: Neighbors, kernel: Kernel) -> SparseMatrix:
    """The same for neighbours that have been found."""
    A = edge_weights(neighbors, kernel)
    A.eliminate_zeros()  # of points so far out that their weight underflows: isolated, and reported as such
    return _normalized(A)


def normalize_affinity(A: Any) -> Affinity:
    """D^-1/2 A D^-1/2, D the row sums of A, so that hubs do not outweigh the rest. A row of zeros stays zero.

    Examples
    --------
    >>> import numpy as np
    >>> normalize_affinity(np.array([[0.0, 4.0], [4.0, 0.0]]))
    array([[0., 1.],
           [1., 0.]])
    """
    return _normalized(check_affinity(A))


def _normalized(A: Affinity) -> Affinity:
    A, _ = within_range(A)
    degrees = np.asarray(A.sum(axis=1), dtype=np.float64).ravel()
    scale = np.zeros_like(degrees)
    np.divide(1.0, np.sqrt(degrees), out=scale, where=degrees > 0)
    if sp.issparse(A):
        normalized = sp.csr_array(A, copy=True)  # D @ A @ D makes one more, and takes ten times as long
        normalized.data *= np.repeat(scale, np.diff(normalized.indptr))
        normalized.data *= scale[normalized.indices]
        if not normalized.data.all():  # of weights that vanish
            normalized.eliminate_zeros()
        return compact(normalized)
    return np.asarray(scale[:, None] * A * scale)
