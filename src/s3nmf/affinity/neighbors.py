"""The k nearest neighbours of every point, itself excluded."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from s3nmf._types import FloatArray, IntArray

NeighborCount: TypeAlias = int | Literal["auto"]


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
    with threadpool_limits(limits=1):
        distances, indices = search.kneighbors()
    return Neighbors(np.asarray(distances, dtype=np.float64), np.asarray(indices, dtype=np.intp))
