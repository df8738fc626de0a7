"""The k nearest neighbours of every point, itself excluded: exact while that is cheap, approximate beyond."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import paired_euclidean_distances
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches

from s3nmf._messages import Message, Parameter
from s3nmf._threads import team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.approximate import index_of
from s3nmf.graph.cells import CellIndex
from s3nmf.graph.exact import asked, searcher
from s3nmf.graph.settings import NEIGHBOR_SEARCH

NeighborCount: TypeAlias = int | Literal["auto"]
Search: TypeAlias = Literal["auto", "exact", "approximate"]

# Measured on 80 sets of blobs that touch, with five resolutions a graph: ARI .90, with two neighbours .86.
_FEWEST_NEIGHBORS = 3

_ENTRIES_AT_ONCE = 2**22
_COORDINATES = 2
_EUCLIDEAN, _COSINE = ("euclidean", "l2", "minkowski"), "cosine"

logger = logging.getLogger("s3nmf")


class Neighbors(NamedTuple):
    """Row i: the k nearest other points of point i, nearest first."""

    distances: FloatArray
    indices: IntArray

    def nearest(self, k: int) -> Neighbors:
        """Only the k nearest of them."""
        return Neighbors(self.distances[:, :k], self.indices[:, :k])


def resolve_n_neighbors(n_neighbors: NeighborCount, n_samples: int) -> int:
    """k as a number: "auto" is the paper's floor(log2 n) + 1, or all other points where there are fewer."""
    if n_neighbors == "auto":
        return min(int(np.log2(n_samples)) + 1, n_samples - 1)
    if not 1 <= n_neighbors < n_samples:
        raise ValueError(
            Message(
                "{k} must be between 1 and {most}, the number of other points. Choose a smaller one, or leave it out.",
                k=Parameter("n_neighbors", n_neighbors),
                most=n_samples - 1,
            )
        )
    return int(n_neighbors)


def narrower(n_neighbors: int) -> list[int]:
    """Half, a third and a quarter of so many neighbours, three at least: what a graph of them looks like from closer.

    By two neighbours a cloud in the plane falls to pieces, and members that see only those mistake them for clusters.

    Examples
    --------
    >>> narrower(11), narrower(5), narrower(3)
    ([6, 4, 3], [3], [])
    """
    fewer = {max(_FEWEST_NEIGHBORS, round(n_neighbors / part)) for part in (2, 3, 4)}
    return sorted((k for k in fewer if k < n_neighbors), reverse=True)


def wider(n_neighbors: int, n_samples: int) -> int:
    """Twice as many neighbours, or all other points where there are fewer: the same from farther away."""
    return min(2 * n_neighbors, n_samples - 1)


def nearest_neighbors(X: Any, n_neighbors: int, metric: str = "euclidean", search: Search = "auto") -> Neighbors:
    """Find the neighbours of each point. A point is not its own neighbour; a duplicate of it is.

    The answer is the same on any number of threads. docs/performance.md says how many of the neighbours the approximate
    search finds.
    """
    index = neighbor_index(X, X.shape[0], n_neighbors, metric, search)
    if isinstance(index.searcher, CellIndex):
        return _found(index.searcher.within(n_neighbors), metric)
    distances, indices = asked(index.searcher, X.shape[0])
    if metric == "euclidean":
        distances = _distances_of_differences(X, indices)
    return Neighbors(np.asarray(distances, dtype=np.float64), indices)


def nearest_to(X: Any, queries: Any, n_neighbors: int, metric: str = "euclidean", search: Search = "auto") -> Neighbors:
    """Find the rows of X nearest to each of other points, by the same rule: exactly while that takes seconds.

    An approximate answer for a point does not depend on the points beside it, and holds a row that it is equal to.
    """
    return neighbor_index(X, queries.shape[0], n_neighbors, metric, search).nearest(queries)


@dataclass(frozen=True, eq=False)
class NeighborIndex:
    """Points among which the nearest to others are searched for many times: built once, and pickled where it goes.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
    n_neighbors : int
        How many neighbours are asked for, at most.
    metric : str
    searcher : NearestNeighbors, or CellIndex
        For an exact or an approximate search.
    """

    X: FloatArray
    n_neighbors: int
    metric: str
    searcher: NearestNeighbors | CellIndex

    def nearest(self, queries: FloatArray) -> Neighbors:
        """The points nearest to each of others. What is found for one does not depend on those beside it."""
        if isinstance(self.searcher, CellIndex):
            return _found(self.searcher.nearest(_euclidean(queries, self.metric), self.n_neighbors), self.metric)
        distances, indices = asked(self.searcher, queries.shape[0], queries)
        return Neighbors(np.asarray(distances, dtype=np.float64), indices)


def check_metric(X: Any, metric: str) -> None:
    """Refuse a metric that features of so many columns do not have."""
    if metric == "haversine" and X.shape[1] != _COORDINATES:
        raise ValueError(
            Message(
                "{metric} is a distance between latitudes and longitudes; the features have {n} columns. Give these "
                "two, in radians, or choose another metric.",
                metric=Parameter("metric", metric),
                n=X.shape[1],
            )
        )


def neighbor_index(
    X: FloatArray, n_queries: int, n_neighbors: int, metric: str = "euclidean", search: Search = "auto"
) -> NeighborIndex:
    """An index for so many other points in all, by the same rule: exact while asking it takes seconds."""
    check_metric(X, metric)
    index = _approximate_index(X, n_queries, n_neighbors, metric, search)
    return NeighborIndex(X, n_neighbors, metric, index or searcher(X, n_neighbors, metric))


def _approximate_index(X: Any, n_queries: int, n_neighbors: int, metric: str, search: Search) -> CellIndex | None:
    """For an approximate search where that is asked for, or is faster and finds nearly all. It is logged."""
    if search == "exact" or (search == "auto" and _is_quick(X, n_queries)):
        return None
    which = f"neighbours of {n_queries} points with {X.shape[1]} features"
    if metric not in (*_EUCLIDEAN, _COSINE):
        logger.info("%s: exact, since there is no approximate search by metric=%r", which, metric)
        return None
    index = index_of(_euclidean(X, metric), n_neighbors)
    if search == "auto" and not index.is_worthwhile:
        logger.info("%s: exact, since an approximate search would find too few of them or be as slow", which)
        return None
    share = 100 * index.recall
    logger.info("%s: approximate, which finds %.1f %% of them in a sample (search='exact' finds all)", which, share)
    return index


def _is_quick(X: Any, n_queries: int) -> bool:
    """Whether an exact search takes seconds."""
    pairs = float(X.shape[0]) * n_queries
    width = X.nnz / X.shape[0] if sp.issparse(X) else X.shape[1]
    return pairs <= NEIGHBOR_SEARCH.exact_pairs and pairs * width <= NEIGHBOR_SEARCH.exact_work


def _euclidean(X: Any, metric: str) -> Any:
    """Rows whose Euclidean distances are in the order of those by the metric.

    For the cosine these are rows of length 1; one of zeros, which is at a distance of 1 from all others, has its own
    column.
    """
    if metric != _COSINE:
        return X
    unit = normalize(X)
    is_zero = (abs(unit).sum(axis=1) == 0).astype(unit.dtype)
    if sp.issparse(X):
        return sp.hstack([unit, sp.csr_array(is_zero.reshape(-1, 1))], format="csr")
    return np.column_stack([unit, is_zero])


def _found(neighbors: tuple[FloatArray, IntArray], metric: str) -> Neighbors:
    """What an index of `_euclidean` rows finds, by the metric: 1 - cos is half the square of the distance."""
    distances, indices = neighbors
    return Neighbors(np.square(distances) / 2 if metric == _COSINE else distances, indices)


def _distances_of_differences(X: Any, indices: IntArray) -> FloatArray:
    """||x_i - x_j||, exactly 0 for duplicates, where the search expands the square and is left with its rounding."""
    n, k = indices.shape
    distances = np.empty((n, k))
    if not sp.issparse(X):
        from s3nmf._core.products import distances_of_rows  # noqa: PLC0415

        points = np.asarray(X)  # a memory map as a plain array, not a copy

        def rows(first: int, last: int) -> None:
            distances_of_rows(first, last, points, indices, distances)

        with team() as threads:
            threads.run(rows, n, work=indices.size * X.shape[1])
        return distances
    for batch in gen_batches(n, max(1, _ENTRIES_AT_ONCE // (k * (1 + X.nnz // n)))):
        here, there = X[np.repeat(np.arange(n)[batch], k)], X[indices[batch].ravel()]
        distances[batch] = paired_euclidean_distances(here, there).reshape(-1, k)
    return distances
