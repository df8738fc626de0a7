"""The k nearest neighbours of every point, itself excluded."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from sklearn.metrics.pairwise import paired_euclidean_distances
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import gen_batches

from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray

NeighborCount: TypeAlias = int | Literal["auto"]

_ENTRIES_AT_ONCE = 2**22


class Neighbors(NamedTuple):
    """Row i: the k nearest other points of point i, nearest first."""

    distances: FloatArray
    indices: IntArray


def resolve_n_neighbors(n_neighbors: NeighborCount, n_samples: int) -> int:
    """k as a number: "auto" is the paper's floor(log2 n) + 1, or all other points where there are fewer."""
    if n_neighbors == "auto":
        return min(int(np.log2(n_samples)) + 1, n_samples - 1)
    if not 1 <= n_neighbors < n_samples:
        raise ValueError(
            f"n_neighbors={n_neighbors} must be between 1 and {n_samples - 1}, the number of other points "
            f"(n_samples={n_samples}). Choose a smaller n_neighbors, or 'auto'."
        )
    return int(n_neighbors)


def nearest_neighbors(X: Any, n_neighbors: int, metric: str = "euclidean") -> Neighbors:
    """Exact neighbours by scikit-learn. A point is not its own neighbour; a duplicate of it is."""
    search = NearestNeighbors(n_neighbors=n_neighbors, metric=metric).fit(X)
    # Which of several equally near points is taken depends on how the search is cut up among threads.
    with one_thread():
        distances, indices = search.kneighbors()
    if metric == "euclidean":
        distances = _distances_of_differences(X, indices)
    return Neighbors(np.asarray(distances, dtype=np.float64), np.asarray(indices, dtype=np.intp))


def _distances_of_differences(X: Any, indices: IntArray) -> FloatArray:
    """||x_i - x_j||, exactly 0 for duplicates, where the search expands the square and is left with its rounding."""
    n, k = indices.shape
    distances = np.empty((n, k))
    for batch in gen_batches(n, max(1, _ENTRIES_AT_ONCE // (k * X.shape[1]))):
        points = X[np.repeat(np.arange(n)[batch], k)].astype(np.float64)
        others = X[indices[batch].ravel()].astype(np.float64)
        distances[batch] = paired_euclidean_distances(points, others).reshape(-1, k)
    return distances
