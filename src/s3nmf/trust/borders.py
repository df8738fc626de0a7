"""Is the border between two clusters real? Go from one to the other, and count the edges that cross.

Inside one cluster many edges cross from one part to the next. Between two clusters there is a valley. The profile of
cuts orders the points of two clusters by a random walk that begins at +1 on one and at -1 on the other, and counts for
every place in that order the edges that cross it. It knows nothing of Gaussians, sizes or dimensions.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._threads import Team
from s3nmf._types import IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.settings import BORDERS

# Visits of an edge by the walk, on average: to know when a thread is worth it.
_WORK_OF_EDGE = 50.0


class Border(NamedTuple):
    """What lies between two clusters that are joined by an edge.

    Attributes
    ----------
    first, second : int
        The clusters.
    crossing : float
        Edges of the graph that cross from one to the other.
    level : float
        Edges that cross in the middle of either cluster; of the two, the fewer.
    evidence : float
        By how many standard deviations fewer cross at the border. Edges come in clumps, those of one point, and are
        counted by them: (level - crossing) / sqrt(level * edges a point).
    """

    first: int
    second: int
    crossing: float
    level: float
    evidence: float

    @property
    def valley(self) -> float:
        """The edges that cross at the border as a share of those that cross inside."""
        return self.crossing / self.level if self.level > 0 else np.inf

    @property
    def is_real(self) -> bool:
        """Whether these are two clusters, and not one that was cut."""
        return self.valley < BORDERS.max_valley and self.evidence >= BORDERS.min_evidence


def borders_of(graph: WeightedGraph, labels: IntArray, threads: Team) -> tuple[Border, ...]:
    """The borders of all pairs of clusters that an edge joins, the one with the least evidence first.

    Pairs without an edge between them are apart, and are not listed. Points without a cluster are left out. Costs a
    walk over the edges of each pair.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf._threads import ALONE
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> X, y = make_blobs(300, centers=[[0, 0], [5, 0]], random_state=0)
    >>> graph = weighted_graph(nearest_neighbor_affinity(X))
    >>> [border.is_real for border in borders_of(graph, y, ALONE)]
    [True]
    >>> halves = (X[:, 1] > 0).astype(int)
    >>> [border.is_real for border in borders_of(graph, halves, ALONE)]
    [False]
    """
    from s3nmf._core.profiles import border_between  # noqa: PLC0415

    starts, neighbors, _, _ = graph.arrays
    label = np.empty(labels.size, np.int64)
    label[graph.row_of] = labels
    pairs = joined_pairs(starts, neighbors, label)
    n_clusters = int(labels.max(initial=NO_CLUSTER)) + 1
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(n_clusters + 1))
    rows = [np.ascontiguousarray(order[first:last], dtype=np.int64) for first, last in pairwise(bounds)]
    found: list[Any] = [None] * len(pairs)

    def some(first: int, last: int) -> None:
        place = np.full(label.size, -1, np.int32)
        for at in range(first, last):
            a, b = pairs[at]
            crossing, *levels, edges, _ = border_between(
                starts, neighbors, rows[a], rows[b], BORDERS.separation, BORDERS.most_steps, BORDERS.margin, place
            )
            level, clump = min(levels), edges / (rows[a].size + rows[b].size)
            spread = np.sqrt(level * clump)
            evidence = (level - crossing) / spread if spread > 0 else 0.0
            found[at] = Border(int(a), int(b), crossing, level, float(evidence))

    threads.run(some, len(pairs), work=_WORK_OF_EDGE * len(pairs) * neighbors.size / max(1, n_clusters))
    return tuple(sorted(found, key=lambda border: border.evidence))


def joined_pairs(starts: Any, neighbors: Any, label: IntArray) -> IntArray:
    """The pairs of clusters that an edge joins, (n_pairs, 2), the smaller number first."""
    n_clusters = int(label.max(initial=NO_CLUSTER)) + 1
    own, other = np.repeat(label, np.diff(starts)), label[neighbors]
    crosses = (own != other) & (own != NO_CLUSTER) & (other != NO_CLUSTER)
    own, other = own[crosses], other[crosses]
    counts = sp.coo_array((np.ones(own.size), (own, other)), shape=(n_clusters, n_clusters))
    first, second = sp.triu(counts.tocsr(), k=1).nonzero()
    return np.column_stack([first, second])
