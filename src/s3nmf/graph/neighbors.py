"""The k nearest neighbours of every point, itself excluded: exact while that is cheap, approximate beyond."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import paired_euclidean_distances
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import gen_batches

from s3nmf._messages import Message, Parameter
from s3nmf._threads import available_threads, on_threads_of_its_own, team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.approximate import answer, index_of, neighbors_of_others, neighbors_within

NeighborCount: TypeAlias = int | Literal["auto"]
Search: TypeAlias = Literal["auto", "exact", "approximate"]

# Exact search compares all pairs unless there are few features: n^2 d multiplications, some 5 s for so many of them.
EXACT_WORK = 3e11
_FEW_FEATURES = 15

# Measured on 80 sets of blobs that touch, with five resolutions a graph: ARI .90, with two neighbours .86.
_FEWEST_NEIGHBORS = 3

_ENTRIES_AT_ONCE = 2**22
# scikit-learn shares out queries, not candidates, to its threads as long as there are more of them for each, and so
# finds the same neighbours, ties included, with any number of threads.
_QUERIES_A_THREAD = 1024

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

    The exact search gives the same answer on any number of threads. The approximate one repeats wherever numba has at
    least two threads, which is what it always takes; docs/performance.md says how many of the neighbours it finds.
    """
    if _is_exact(search, X, X.shape[0]):
        distances, indices = _exact(X, n_neighbors, metric)
    else:
        distances, indices = neighbors_within(X, n_neighbors, metric)
    if metric == "euclidean":
        distances = _distances_of_differences(X, indices)
    return Neighbors(np.asarray(distances, dtype=np.float64), np.asarray(indices, dtype=np.intp))


def nearest_to(X: Any, queries: Any, n_neighbors: int, metric: str = "euclidean", search: Search = "auto") -> Neighbors:
    """Find the rows of X nearest to each of other points, by the same rule: exactly while that takes seconds.

    An approximate answer for a point does not depend on the points beside it, and holds a row that it is equal to.
    """
    if _is_exact(search, X, queries.shape[0]):
        distances, indices = _exact(X, n_neighbors, metric, queries)
    else:
        distances, indices = neighbors_of_others(X, queries, n_neighbors, metric)
        if metric == "euclidean":
            distances, indices = _by_differences(X, indices, queries)
    return Neighbors(np.asarray(distances, dtype=np.float64), np.asarray(indices, dtype=np.intp))


@dataclass(frozen=True, eq=False)
class NeighborIndex:
    """Points among which the nearest to others are searched for many times: built once, and pickled where it goes.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
    n_neighbors : int
        How many neighbours are asked for, at most.
    metric : str
    is_exact : bool
    searcher : NearestNeighbors, or NNDescent
    """

    X: FloatArray
    n_neighbors: int
    metric: str
    is_exact: bool
    searcher: Any

    def nearest(self, queries: FloatArray) -> Neighbors:
        """The points nearest to each of others. What is found for one does not depend on those beside it."""
        if self.is_exact:
            distances, indices = _asked(self.searcher, queries.shape[0], queries)
        else:
            distances, indices = answer(self.searcher, queries, self.n_neighbors)
            if self.metric == "euclidean":
                distances, indices = _by_differences(self.X, indices, queries)
        return Neighbors(np.asarray(distances, dtype=np.float64), np.asarray(indices, dtype=np.intp))


def neighbor_index(
    X: FloatArray, n_queries: int, n_neighbors: int, metric: str = "euclidean", search: Search = "auto"
) -> NeighborIndex:
    """An index for so many other points in all, by the same rule: exact while asking it takes seconds."""
    is_exact = _is_exact(search, X, n_queries)
    if is_exact:
        searcher = NearestNeighbors(n_neighbors=n_neighbors, metric=metric).fit(X)
    else:
        searcher = index_of(X, n_neighbors, metric)
        searcher.prepare()  # keeps what answers, and not what the graph was made of
    return NeighborIndex(X, n_neighbors, metric, is_exact, searcher)


def _is_exact(search: Search, X: Any, n_queries: int) -> bool:
    n, d = X.shape
    if search != "auto":
        return search == "exact"
    if sp.issparse(X) or d <= _FEW_FEATURES or float(n) * n_queries * d <= EXACT_WORK:
        return True
    if find_spec("pynndescent") is None:
        logger.warning(
            "exact neighbours of %d points with %d features will take long; s3nmf[approx] searches approximately",
            n_queries,
            d,
        )
        return True
    logger.info("neighbours of %d points with %d features: approximate (search='exact' finds them all)", n_queries, d)
    return False


def _exact(X: Any, n_neighbors: int, metric: str, queries: Any = None) -> tuple[FloatArray, IntArray]:
    search = NearestNeighbors(n_neighbors=n_neighbors, metric=metric).fit(X)
    return _asked(search, (X if queries is None else queries).shape[0], queries)


def _asked(search: NearestNeighbors, n_queries: int, queries: Any) -> tuple[FloatArray, IntArray]:
    n_threads = max(1, min(available_threads(), (n_queries - 1) // _QUERIES_A_THREAD))
    search.set_params(n_jobs=n_threads)
    found: tuple[FloatArray, IntArray] = on_threads_of_its_own(lambda: search.kneighbors(queries), n_threads)
    return found


def _by_differences(X: Any, indices: IntArray, queries: Any) -> tuple[FloatArray, IntArray]:
    """Distances that are 0 for equal rows, nearest first, and the numbers in that order."""
    distances = _distances_of_differences(X, indices, queries)
    nearest_first = np.argsort(distances, axis=1, kind="stable")
    return np.take_along_axis(distances, nearest_first, axis=1), np.take_along_axis(indices, nearest_first, axis=1)


def _distances_of_differences(X: Any, indices: IntArray, queries: Any = None) -> FloatArray:
    """||x_i - x_j||, exactly 0 for duplicates, where the search expands the square and is left with its rounding."""
    n, k = indices.shape
    distances = np.empty((n, k))
    if queries is None and not sp.issparse(X):
        from s3nmf._core.products import distances_of_rows  # noqa: PLC0415

        points = np.asarray(X)  # a memory map as a plain array, not a copy

        def rows(first: int, last: int) -> None:
            distances_of_rows(first, last, points, indices, distances)

        with team() as threads:
            threads.run(rows, n, work=indices.size * X.shape[1])
        return distances
    for batch in gen_batches(n, max(1, _ENTRIES_AT_ONCE // (k * X.shape[1]))):
        here, there = (X if queries is None else queries)[np.repeat(np.arange(n)[batch], k)], X[indices[batch].ravel()]
        distances[batch] = paired_euclidean_distances(here, there).reshape(-1, k)
    return distances
