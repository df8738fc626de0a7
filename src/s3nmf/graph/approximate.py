"""Almost all of the nearest neighbours, by pynndescent: what a search in large data is left with."""

from __future__ import annotations

import logging
import os
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._messages import Message, Parameter
from s3nmf._types import FloatArray, IntArray

# The answer of pynndescent depends on its number of threads; with always the same number it repeats.
_THREADS = 2
_SEED = 0
# Neighbours held for each one wanted while they are searched for. Measured: 3 find 99.5 % of the true ones among a
# million points in 32 dimensions and 99.98 % in MNIST; 2 find 97.1 % and 99.9 %, 1 finds 80 % and 99.2 %.
_OVERSAMPLING = 3
# How far beyond the k-th candidate a search for new points goes on. Measured on 8,000 points in 40 dimensions: 0.2
# finds 99.3 % of the true ones, pynndescent's own 0.1 finds 96.6 %.
_EPSILON = 0.2

logger = logging.getLogger("s3nmf")
_openmp_of_parent = False


def neighbors_within(X: Any, n_neighbors: int, metric: str) -> tuple[FloatArray, IntArray]:
    """Distances and numbers of the nearest other points of each point."""
    n = X.shape[0]
    indices, distances = index_of(X, n_neighbors, metric).neighbor_graph
    # The point itself, and gaps (-1), go last.
    unusable = (indices == np.arange(n)[:, None]) | (indices < 0)
    first = np.argsort(unusable, axis=1, kind="stable")[:, :n_neighbors]
    _refuse_gaps(np.take_along_axis(unusable, first, axis=1), n_neighbors)
    return np.take_along_axis(distances, first, axis=1), np.take_along_axis(indices, first, axis=1)


def neighbors_of_others(X: Any, queries: Any, n_neighbors: int, metric: str) -> tuple[FloatArray, IntArray]:
    """Distances and numbers of the rows of X nearest to each of other points; a row that is equal is never missed."""
    distances, indices = answer(index_of(X, n_neighbors, metric), queries, n_neighbors)
    for query, row in _equal_rows(X, queries):
        if row not in indices[query]:
            indices[query, 1:], indices[query, 0] = indices[query, :-1].copy(), row
            distances[query, 1:], distances[query, 0] = distances[query, :-1].copy(), 0.0
    return distances, indices


def answer(index: Any, queries: Any, n_neighbors: int) -> tuple[FloatArray, IntArray]:
    """Distances and numbers of the rows of an index nearest to each of other points."""
    indices, distances = index.query(queries, k=n_neighbors, epsilon=_EPSILON)
    _refuse_gaps(~np.isfinite(distances), n_neighbors)
    return np.array(distances, dtype=np.float64), np.array(indices, dtype=np.intp)


def index_of(X: Any, n_neighbors: int, metric: str) -> Any:
    """What so many neighbours of a point are searched for in."""
    try:
        from pynndescent import NNDescent  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            "search='approximate' needs pynndescent. Install s3nmf[approx], or choose search='exact'."
        ) from error
    _refuse_after_fork()
    return NNDescent(
        X,
        metric=metric,
        n_neighbors=min(_OVERSAMPLING * n_neighbors, X.shape[0] - 1) + 1,
        random_state=_SEED,
        n_jobs=_n_threads(),
        low_memory=True,
    )


def _n_threads() -> int:
    # What numba was imported with: its settings may say something else since, and more cannot be had.
    from numba.np.ufunc.parallel import NUM_THREADS  # noqa: PLC0415

    if NUM_THREADS < _THREADS:
        logger.info("numba has one thread here, as in a worker of joblib: other neighbours may be found than with two")
    return int(min(_THREADS, NUM_THREADS))


def _note_fork() -> None:
    """Remember in a forked process whether numba's OpenMP threads, which are not there any more, had begun before."""
    global _openmp_of_parent  # noqa: PLW0603
    numba = sys.modules.get("numba")
    try:
        _openmp_of_parent = numba is not None and numba.threading_layer() == "omp"
    except (ValueError, AttributeError):  # no threads yet; or another thread was in the middle of importing numba
        _openmp_of_parent = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def _refuse_after_fork() -> None:
    if _openmp_of_parent:  # numba would end the process
        raise RuntimeError(
            Message(
                "Neighbours cannot be searched for approximately in a process that was forked after such a search: "
                "threads do not survive a fork. Start processes by 'spawn' or 'forkserver' "
                "(multiprocessing.set_start_method), use joblib's loky, or choose {exact}.",
                exact=Parameter("search", "exact"),
            )
        )


def _equal_rows(X: Any, queries: Any) -> list[tuple[int, int]]:
    """Queries that are rows of X, with the first such row of each."""
    first: dict[int, int] = {}
    for row, key in enumerate(_keys(X)):
        first.setdefault(key, row)
    return [(query, first[key]) for query, key in enumerate(_keys(queries)) if key in first]


def _keys(X: Any) -> list[int]:
    """A number for each row: the same for equal rows, and, but by a chance of 2^-64, for no others."""
    if sp.issparse(X):
        canonical = sp.csr_array(X, dtype=np.float64, copy=True)
        canonical.sum_duplicates()
        canonical.eliminate_zeros()
        columns, values = canonical.indices.astype(np.int64), canonical.data
        rows = [slice(first, last) for first, last in pairwise(canonical.indptr)]
        return [hash((columns[row].tobytes(), values[row].tobytes())) for row in rows]
    # Adding zero makes 0.0 of -0.0, which is equal to it.
    return [hash((np.asarray(row, dtype=np.float64) + 0.0).tobytes()) for row in X]


def _refuse_gaps(gaps: Any, n_neighbors: int) -> None:
    if gaps.any():
        raise RuntimeError(
            f"The approximate search did not find n_neighbors={n_neighbors} neighbours of every point. Choose "
            "search='exact'."
        )
