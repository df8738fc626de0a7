"""The exact nearest neighbours, by scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn import config_context
from sklearn.neighbors import NearestNeighbors

from s3nmf._threads import available_threads, on_threads_of_its_own
from s3nmf._types import FloatArray, IntArray

# scikit-learn shares out queries, not candidates, to its threads as long as there are more of them for each, and so
# finds the same neighbours, ties included, with any number of threads.
_QUERIES_A_THREAD = 1024
# Distances between sparse rows are held at a time, with their order: 1,024 MB, which is scikit-learn's, are no faster.
_MEGABYTES = 64


def searcher(X: Any, n_neighbors: int, metric: str = "euclidean", algorithm: str = "auto") -> NearestNeighbors:
    """What so many neighbours are searched for in."""
    return NearestNeighbors(n_neighbors=n_neighbors, metric=metric, algorithm=algorithm).fit(X)


def asked(search: NearestNeighbors, n_queries: int, queries: Any = None) -> tuple[FloatArray, IntArray]:
    """Distances and numbers of the points nearest to each query, or to each point, which is not its own neighbour."""
    n_threads = max(1, min(available_threads(), (n_queries - 1) // _QUERIES_A_THREAD))
    search.set_params(n_jobs=n_threads)

    def neighbors() -> tuple[FloatArray, IntArray]:
        with config_context(working_memory=_MEGABYTES):
            found: tuple[FloatArray, IntArray] = search.kneighbors(queries)
        return found

    return on_threads_of_its_own(neighbors, n_threads)
