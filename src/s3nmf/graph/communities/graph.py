"""A graph as the search for communities wants it: edges without self loops, and the strength of every point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import reverse_cuthill_mckee

from s3nmf._indices import compact
from s3nmf._threads import ALONE, Team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.range import within_range

# No weight in single precision is less (`reordered`), and so is no strength, which weights are divided by.
_LEAST = float(np.finfo(np.float32).tiny)
# A visit reads the communities of a point's neighbours, which is faster when they lie close to each other.
_WORTH_REORDERING = 4096
# What it costs to put an edge in its place, in multiplications: to know when a thread is worth it.
_WORK_OF_EDGE = 10.0


@dataclass(frozen=True, eq=False)
class WeightedGraph:
    """The edges of a symmetric graph by rows, and the sum of each row.

    Attributes
    ----------
    starts, neighbors, weights : arrays
        CSR, without self loops, at a scale at which the largest weight is about 1.
    strength : array of shape (n_rows,)
        The sum of the row in the affinity at that scale, self loop included.
    row_of : array of shape (n_samples,)
        The row of each point.
    """

    starts: NDArray[np.int64]
    neighbors: NDArray[np.int32]
    weights: NDArray[np.float32]
    strength: FloatArray
    row_of: IntArray

    @property
    def n_rows(self) -> int:
        return int(self.strength.size)

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], FloatArray]:
        """As compiled loops take it."""
        return self.starts, self.neighbors, self.weights, self.strength

    @property
    def matrix(self) -> Any:
        """The edges as a matrix."""
        return sp.csr_array((self.weights, self.neighbors, self.starts), shape=(self.n_rows,) * 2)

    @property
    def total(self) -> float:
        """2m: the sum of all strengths."""
        return float(self.strength.sum())

    def by_row(self, labels: IntArray) -> NDArray[np.int64]:
        """The labels of points in the order of the rows, as compiled loops take them."""
        label = np.empty(labels.size, np.int64)
        label[self.row_of] = labels
        return label


def weighted_graph(affinity: Affinity, threads: Team = ALONE) -> WeightedGraph:
    """The graph of a checked affinity, its rows in an order of their own.

    The rows of a small graph are in an order by its links: what is found does not depend on that of the points. Those
    of a large sparse one are in an order that keeps neighbours together.
    """
    from s3nmf._core.graphs import edges_of  # noqa: PLC0415

    W, _ = within_range(affinity)
    W = W.astype(np.result_type(W.dtype, np.float32), copy=False)  # whole numbers, too
    n = W.shape[0]
    # To weights of about 1, which single precision can hold, by a power of 2, which rounds nothing.
    scale = 2.0 ** -float(np.ceil(np.log2(_largest(W) or 1.0)))
    strength = np.asarray(W.sum(axis=1), dtype=np.float64).ravel()
    order = np.argsort(_degree_fingerprint(W, strength), kind="stable") if n < _WORTH_REORDERING else np.arange(n)
    strength = np.maximum(strength * scale, _LEAST)
    if not sp.issparse(W):
        starts, neighbors, weights = edges_of(W, order, scale)
        return WeightedGraph(starts, neighbors, weights, strength[order], _inverse(order))
    W = compact(W)
    if n < _WORTH_REORDERING:
        W = W[np.ix_(order, order)]
        W.sort_indices()
        row_of, as_it_is = _inverse(order), np.arange(n, dtype=np.int32)
        starts, neighbors, weights = _reordered(W, as_it_is, as_it_is, scale, threads)
    else:
        order = np.ascontiguousarray(reverse_cuthill_mckee(sp.csr_matrix(W), symmetric_mode=True))
        row_of = _inverse(order)
        starts, neighbors, weights = _reordered(W, order, row_of, scale, threads)
    return WeightedGraph(starts, neighbors, weights, strength[order], row_of)


def _reordered(W: Any, order: IntArray, row_of: IntArray, scale: float, threads: Team) -> tuple[Any, Any, Any]:
    from s3nmf._core.graphs import reordered, sizes_of_rows  # noqa: PLC0415

    n, graph = order.size, (W.indptr, W.indices, W.data, order)
    starts = np.zeros(n + 1, np.int64)
    threads.run(lambda first, last: sizes_of_rows(first, last, *graph, starts[1:]), n, work=_WORK_OF_EDGE * W.nnz)
    np.cumsum(starts, out=starts)
    neighbors, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)

    def rows(first: int, last: int) -> None:
        reordered(first, last, *graph, row_of, scale, starts, neighbors, weights)

    threads.run(rows, n, work=_WORK_OF_EDGE * W.nnz)
    return starts, neighbors, weights


def _degree_fingerprint(W: Any, strength: FloatArray) -> FloatArray:
    """A number for each point that its links, and those of its neighbours, make its own; points alike have the same."""
    fingerprint = strength
    for _ in range(3):
        fingerprint = np.asarray(W @ np.sqrt(fingerprint))
    return fingerprint


def _inverse(order: IntArray) -> IntArray:
    inverse = np.empty(order.size, np.int32)
    inverse[order] = np.arange(order.size, dtype=np.int32)
    return inverse


def _largest(W: Any) -> float:
    return float(np.max(W.data if sp.issparse(W) else W, initial=0.0))
