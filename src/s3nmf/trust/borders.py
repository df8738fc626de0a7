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
from s3nmf.trust.rows import RowLinks, pairs_on_a_path
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
        Edges that cross the middle of either cluster; of the two, the fewer.
    edges : float
        All edges of the two clusters.
    clump : float
        Edges a point: edges come in clumps, those of one point.
    is_on_path : bool
        Whether rows that depend on each other lead from one cluster to the other: then it is no border.
    most : float or None
        Where blocks explain the graph (`s3nmf.trust.blocks`), the level is what would cross by chance if the two were
        one block, and the border is real if its valley is not above this. None where the profile of cuts decides.
    """

    first: int
    second: int
    crossing: float
    level: float
    edges: float
    clump: float
    is_on_path: bool = False
    most: float | None = None

    @property
    def valley(self) -> float:
        """The edges that cross at the border as a share of those that cross inside the clusters."""
        return self.crossing / self.level if self.level > 0 else np.inf

    @property
    def deviation(self) -> float:
        """By how many standard deviations fewer cross at the border: the signed root of the deviance of a Poisson law.

        Clumps of edges are counted, not edges, for those of one point cross together.
        """
        p, level = self.crossing, self.level
        if level <= 0 or self.clump <= 0:
            return 0.0
        log_ratio = p * np.log(p / level) if p > 0 else 0.0
        deviance = 2 * (log_ratio - (p - level)) / self.clump
        return float(np.copysign(np.sqrt(max(deviance, 0.0)), level - p))

    @property
    def expected(self) -> float:
        """The deviation of the weakest place of one cluster by chance.

        An edge reaches over level / edges of the way from one end to the other, so that there are edges / level places
        which know nothing of each other. The lowest of m normal numbers is about sqrt(2 log m) below their mean.
        """
        return float(np.sqrt(2 * np.log(max(self.edges / self.level, 1.0)))) if self.level > 0 else 0.0

    @property
    def evidence(self) -> float:
        """How far the border is beyond what one cluster has by chance: real borders have 1 or more."""
        if self.most is not None:
            return float(self.most / self.valley) if self.valley > 0 else np.inf
        return self.beyond(BORDERS.beyond_chance * max(self.expected, 1.0), BORDERS.max_valley)

    @property
    def is_real(self) -> bool:
        """Whether these are two clusters, and not one that was cut."""
        return self.evidence >= 1.0

    def beyond(self, deviation: float, max_valley: float) -> float:
        """1 or more if the border deviates by so much and its valley is so deep; 0 on a path of rows."""
        if self.level <= 0 or self.is_on_path:
            return 0.0
        return float(min(self.deviation / deviation, (1 - self.valley) / (1 - max_valley)))


def borders_of(
    graph: WeightedGraph,
    labels: IntArray,
    threads: Team,
    links: RowLinks | None = None,
    *,
    n_blocks: int = 0,
    of: int | None = None,
) -> tuple[Border, ...]:
    """The borders of all pairs of clusters that an edge joins, the one with the least evidence first.

    Pairs without an edge between them are apart, and are not listed. Points without a cluster are left out. `links`
    are those between consecutive rows, where rows have an order; `n_blocks`, how many blocks explain the graph, if they
    do; `of` is the cluster whose borders are asked for, by default all are. Costs a walk over the edges of each pair.

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
    if n_blocks:
        return tuple(one for one in _of_blocks(starts, neighbors, label, n_blocks) if of is None or of in one[:2])
    pairs = joined_pairs(starts, neighbors, label)
    if of is not None:
        pairs = pairs[(pairs == of).any(axis=1)]
    n_clusters = int(labels.max(initial=NO_CLUSTER)) + 1
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(n_clusters + 1))
    rows = [np.ascontiguousarray(order[first:last], dtype=np.int64) for first, last in pairwise(bounds)]
    found: list[Any] = [None] * len(pairs)
    on_path = set() if links is None else pairs_on_a_path(links, labels)

    def some(first: int, last: int) -> None:
        place = np.full(label.size, -1, np.int32)
        for at in range(first, last):
            a, b = pairs[at]
            crossing, *levels, edges, _ = border_between(
                starts, neighbors, rows[a], rows[b], BORDERS.separation, BORDERS.most_steps, BORDERS.margin, place
            )
            clump = edges / (rows[a].size + rows[b].size)
            found[at] = Border(int(a), int(b), crossing, min(levels), edges, clump, (int(a), int(b)) in on_path)

    threads.run(some, len(pairs), work=_WORK_OF_EDGE * len(pairs) * neighbors.size / max(1, n_clusters))
    return tuple(sorted(found, key=lambda border: border.evidence))


def _of_blocks(starts: Any, neighbors: Any, label: IntArray, n_blocks: int) -> tuple[Border, ...]:
    """The borders where so many blocks explain the graph: of more clusters, those are joined that are joined most."""
    edges = _edges_between(starts, neighbors, label)
    inside, sizes = edges.diagonal(), np.bincount(label[label != NO_CLUSTER])
    both = sp.triu(edges, k=1).tocoo()
    found = []
    for a, b, crossing in zip(both.row.tolist(), both.col.tolist(), both.data.tolist(), strict=True):
        ends = (inside[a] + crossing) * (inside[b] + crossing)
        total = inside[a] + inside[b] + 2 * crossing
        found.append(Border(a, b, crossing, ends / total, total / 2, total / 2 / (sizes[a] + sizes[b]), most=1.0))
    group, most, n_left = np.arange(sizes.size), 1.0, np.count_nonzero(sizes)
    found.sort(key=lambda border: -border.valley)
    for at, border in enumerate(found):
        if n_left <= n_blocks:
            break
        first, second = group[border.first], group[border.second]
        if first != second:
            group[group == second] = first
            n_left -= 1
            less = [one.valley for one in found[at:] if one.valley < border.valley]
            most = min(1.0, (border.valley + max(less, default=0.0)) / 2)
    return tuple(border._replace(most=most) for border in found)


def joined_pairs(starts: Any, neighbors: Any, label: IntArray) -> IntArray:
    """The pairs of clusters that an edge joins, (n_pairs, 2), the smaller number first."""
    first, second = sp.triu(_edges_between(starts, neighbors, label), k=1).nonzero()
    return np.column_stack([first, second])


def _edges_between(starts: Any, neighbors: Any, label: IntArray) -> sp.csr_array:
    """The edges between any two clusters; those inside one are counted from both ends."""
    n_clusters = int(label.max(initial=NO_CLUSTER)) + 1
    own, other = np.repeat(label, np.diff(starts)), label[neighbors]
    placed = (own != NO_CLUSTER) & (other != NO_CLUSTER)
    own, other = own[placed], other[placed]
    return sp.coo_array((np.ones(own.size), (own, other)), shape=(n_clusters, n_clusters)).tocsr()
