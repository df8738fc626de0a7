"""A graph as the search for communities wants it: edges without self loops, and the strength of every point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import reverse_cuthill_mckee

from s3nmf._indices import compact
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.affinity.range import within_range

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
    """The graph of a checked affinity, its points in an order that keeps neighbours together where it is large."""
    from s3nmf._compiled.graphs import reordered  # noqa: PLC0415

    W = compact(within_range(affinity)[0])
    n = W.shape[0]
    order = np.arange(n) if n < _WORTH_REORDERING else reverse_cuthill_mckee(sp.csr_matrix(W), symmetric_mode=True)
    row_of = np.empty(n, np.int32)
    row_of[order] = np.arange(n)
    # To weights of about 1, which single precision can hold, by a power of 2, which rounds nothing.
    scale = 2.0 ** -float(np.ceil(np.log2(W.data.max(initial=0.0) or 1.0)))
    strength = np.asarray(W.sum(axis=1), dtype=np.float64).ravel()[order] * scale
    starts, neighbors, weights = reordered(W.indptr, W.indices, W.data, order, row_of, scale)
    return WeightedGraph(starts, neighbors, weights, strength, row_of)
