"""The graph that borders are judged in: that of the fit, or one of a sample, or of columns without steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from s3nmf._threads import Team
from s3nmf._types import Affinity, IntArray
from s3nmf.graph import affinity as graphs
from s3nmf.graph.communities.graph import WeightedGraph, weighted_graph
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search, resolve_n_neighbors
from s3nmf.trust import blocks
from s3nmf.trust.evidence import Evidence, evidence_of
from s3nmf.trust.rows import RowLinks, row_links
from s3nmf.trust.steps import spread_over_steps


@dataclass(frozen=True, eq=False)
class JudgedGraph:
    """A graph of some points, or of all of them.

    Attributes
    ----------
    affinity : array or csr_array of shape (n_judged, n_judged)
    rows : array of shape (n_judged,) or None
        The points that are judged; None if all are.
    is_given : bool
        Whether the graph was given. Then it may be a network, whose clusters are blocks; the graph of a table has
        points with positions, whose rows may depend on the rows before them.
    """

    affinity: Affinity
    rows: IntArray | None = None
    is_given: bool = False

    @cached_property
    def graph(self) -> WeightedGraph:
        return weighted_graph(self.affinity)

    @cached_property
    def n_blocks(self) -> int:
        """How many blocks explain the graph, if it was given and they do, else 0."""
        return blocks.n_blocks(self.graph) if self.is_given else 0

    @cached_property
    def links(self) -> RowLinks | None:
        """Those between consecutive rows of a table."""
        return None if self.is_given else row_links(self.affinity)

    def evidence(self, labels: IntArray, threads: Team, n_clusters: int = 0) -> Evidence:
        """The borders of a partition of the points that are judged."""
        return evidence_of(self.graph, labels, threads, self.links, n_blocks=self.n_blocks, n_clusters=n_clusters)

    def without(self, points: IntArray) -> JudgedGraph:
        """The graph without these points, which have no edge."""
        if not points.size:
            return self
        rest = np.setdiff1d(np.arange(self.affinity.shape[0]), points, assume_unique=True)
        return JudgedGraph(self.affinity[rest][:, rest], rest, self.is_given)

    def of(self, values: Any) -> Any:
        """The values of the points that are judged, from those of all points."""
        return values if self.rows is None else values[self.rows]


def judged_graph(
    X: Any,
    affinity: Affinity | None,
    max_samples: int | None,
    *,
    n_neighbors: NeighborCount = "auto",
    kernel: Kernel = "mean-distance",
    metric: str = "euclidean",
    search: Search = "auto",
) -> JudgedGraph:
    """The graph of these features; that of the fit where it serves, and where there are no features.

    Of more rows than `max_samples`, so many are drawn, always the same, where a graph has to be built.
    """
    if X is None:
        assert affinity is not None
        return JudgedGraph(affinity, is_given=True)
    n, rows = X.shape[0], None
    if max_samples is not None and n > max_samples:
        rows = np.sort(np.random.default_rng(0).choice(n, max_samples, replace=False))
    table = X if rows is None else X[rows]
    spread = spread_over_steps(table, resolve_n_neighbors(n_neighbors, table.shape[0]))
    if spread is table and affinity is not None:
        return JudgedGraph(affinity)
    return JudgedGraph(graphs.affinity_of(spread, n_neighbors, kernel, metric, search), rows)
