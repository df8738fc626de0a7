"""What speaks for clusters: all borders of a partition, and what is left when those that are not real are joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components

from s3nmf._threads import Team
from s3nmf._types import IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.borders import Border, borders_of
from s3nmf.trust.rows import RowLinks
from s3nmf.trust.settings import BORDERS


@dataclass(frozen=True)
class Evidence:
    """The borders of a partition.

    Attributes
    ----------
    n_clusters : int
        Of the partition.
    borders : tuple of Border
        Of the pairs that an edge joins, the weakest first; all other pairs are apart.
    sizes : tuple of int
        Points of each cluster.
    n_blocks : int
        How many blocks explain the graph, if they do, else 0.
    clear : bool or None
        What `shows_clusters` says where the graph is at hand.
    """

    n_clusters: int
    borders: tuple[Border, ...]
    sizes: tuple[int, ...]
    n_blocks: int = 0
    clear: bool | None = None

    @property
    def weakest(self) -> Border | None:
        """The border with the least evidence; None where no edge joins two clusters."""
        return self.borders[0] if self.borders else None

    @property
    def score(self) -> float:
        """The evidence for the weakest border, 1 or more if it is real; infinite if no edge joins two clusters."""
        if self.n_clusters < 2:
            return 0.0
        return min((border.evidence for border in self.borders), default=np.inf)

    @property
    def unclear(self) -> tuple[Border, ...]:
        """Borders that are not real: pairs that may be one cluster."""
        return tuple(border for border in self.borders if not border.is_real)

    @property
    def stands_out(self) -> bool:
        """Whether there is more than one cluster, and every border is real."""
        return self.n_clusters > 1 and not self.unclear

    @property
    def n_real(self) -> int:
        """How many clusters are left when clusters are joined across every border that is not real."""
        pairs = np.array([border[:2] for border in self.unclear], dtype=np.intp).reshape(-1, 2)
        joined = sp.coo_array((np.ones(len(pairs)), pairs.T), shape=(self.n_clusters, self.n_clusters))
        return int(connected_components(joined, directed=False)[0])

    @property
    def worth(self) -> float:
        """Clusters that are left after joining across borders that are not real, less a price for each that is joined.

        1 for a single cluster; the number of clusters where every border is real.
        """
        return self.n_real - BORDERS.price * (self.n_clusters - self.n_real)

    @property
    def depth(self) -> float:
        """How deep the valley at the weakest border is: 1 if no edge crosses it, 0 where there is one cluster."""
        if self.n_clusters < 2:
            return 0.0
        return 1.0 if self.weakest is None else max(0.0, 1.0 - self.weakest.valley)

    @property
    def is_clear(self) -> bool:
        """Whether this partition alone shows that there are clusters."""
        return self.shows_clusters() if self.clear is None else self.clear

    def shows_clusters(self, whole: Callable[[IntArray, Border], Border] | None = None) -> bool:
        """Whether clusters are left, or nearly, when they are joined.

        Clusters are joined across their borders, the weakest first. There are clusters if two groups are left, or are
        about to be joined across a border that is beyond chance, and neither group is a few outliers. Deviations have
        exponential tails, for edges come in clumps: the lowest of m is about log m below their mean, and m is the
        number of places of the graph, times the ways to join clusters. Blocks are found only where they are beyond
        chance.

        `whole` is the border between all of two groups, from the group of each cluster and the border between two of
        their clusters. A part of the data that touches many others, such as a corner, has few edges to each of them,
        and many to all.
        """
        if self.n_blocks:
            return self.n_blocks > 1
        n_points = sum(self.sizes)
        shares = np.array(self.sizes) / n_points
        group = np.arange(self.n_clusters)
        limit = BORDERS.clear * np.log(n_points)
        for border in sorted(self.borders, key=lambda border: border.beyond(limit, BORDERS.clear_valley)):
            first, second = group[border.first], group[border.second]
            if first == second:
                continue
            n_left = np.unique(group).size
            places = np.log(n_points) + BORDERS.ways * np.log(self.n_clusters / n_left)
            ask = BORDERS.clear * places, BORDERS.clear_valley
            is_large = min(shares[first], shares[second]) >= BORDERS.smallest_group
            if is_large and border.beyond(*ask) >= 1.0 and (whole is None or whole(group, border).beyond(*ask) >= 1.0):
                return True
            group[group == second] = first
            shares[first] += shares[second]
        return int((shares[np.unique(group)] >= BORDERS.smallest_group).sum()) > 1

    def renumbered(self, own: IntArray, other: IntArray) -> Evidence:
        """The same with the clusters numbered as those of another partition that they share most points with.

        Examples
        --------
        >>> evidence = Evidence(2, (Border(0, 1, 3.0, 30.0, 90.0, 5.0),), (9, 9))
        >>> evidence.renumbered(np.array([0, 0, 0, 1, 1]), np.array([1, 1, 1, 0, 0])).borders[0][:2]
        (0, 1)
        """
        both = (own != NO_CLUSTER) & (other != NO_CLUSTER)
        n = 1 + max(self.n_clusters - 1, int(other.max(initial=0)))
        shared = np.zeros((n, n))
        np.add.at(shared, (own[both], other[both]), 1)
        number_of = linear_sum_assignment(-shared)[1].tolist()
        borders = []
        for border in self.borders:
            first, second = sorted((number_of[border.first], number_of[border.second]))
            borders.append(border._replace(first=first, second=second))
        return replace(self, borders=tuple(borders))


def evidence_of(
    graph: WeightedGraph,
    labels: IntArray,
    threads: Team,
    links: RowLinks | None = None,
    *,
    n_blocks: int = 0,
    n_clusters: int = 0,
) -> Evidence:
    """The borders of a partition, see `borders_of`; `n_clusters` counts clusters without a point here, too."""
    sizes = np.bincount(labels[labels != NO_CLUSTER], minlength=n_clusters)
    borders = borders_of(graph, labels, threads, links, n_blocks=n_blocks)
    found = Evidence(sizes.size, borders, tuple(sizes.tolist()), n_blocks)

    def whole(group: IntArray, border: Border) -> Border:
        ends = [group == group[end] for end in (border.first, border.second)]
        if max(map(np.count_nonzero, ends)) == 1:
            return border
        side = np.where(ends[0], 0, np.where(ends[1], 1, NO_CLUSTER))
        both = np.where(labels == NO_CLUSTER, NO_CLUSTER, side[labels])
        return borders_of(graph, both, threads, links)[0]

    return replace(found, clear=found.shows_clusters(whole))
