"""A graph as the search for communities wants it: edges without self loops, and the strength of every point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import reverse_cuthill_mckee

from s3nmf._indices import compact
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.affinity.range import within_range

# No weight in single precision is less (`reordered`), and so is no strength, which weights are divided by.
_LEAST = float(np.finfo(np.float32).tiny)
# A visit reads the communities of a point's neighbours, which is faster when they lie close to each other.
_WORTH_REORDERING = 4096


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
    def total(self) -> float:
        """2m: the sum of all strengths."""
        return float(self.strength.sum())


def weighted_graph(affinity: Affinity) -> WeightedGraph:
    """The graph of a checked affinity; of a large sparse one, in an order of points that keeps neighbours together."""
    from s3nmf._compiled.graphs import edges_of, reordered  # noqa: PLC0415

    W, _ = within_range(affinity)
    n = W.shape[0]
    strength = np.asarray(W.sum(axis=1), dtype=np.float64).ravel()
    # To weights of about 1, which single precision can hold, by a power of 2, which rounds nothing.
    scale = 2.0 ** -float(np.ceil(np.log2(_largest(W) or 1.0)))
    strength = np.maximum(strength * scale, _LEAST)
    if not sp.issparse(W):
        starts, neighbors, weights = edges_of(W, scale)
        return WeightedGraph(starts, neighbors, weights, strength, np.arange(n))
    W = compact(W)
    order = np.arange(n) if n < _WORTH_REORDERING else reverse_cuthill_mckee(sp.csr_matrix(W), symmetric_mode=True)
    row_of = np.empty(n, np.int32)
    row_of[order] = np.arange(n)
    starts, neighbors, weights = reordered(W.indptr, W.indices, W.data, order, row_of, scale)
    return WeightedGraph(starts, neighbors, weights, strength[order], row_of)


def _largest(W: Any) -> float:
    return float(np.max(W.data if sp.issparse(W) else W, initial=0.0))
