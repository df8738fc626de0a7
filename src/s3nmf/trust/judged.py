"""The graph that borders are judged in: that of the fit, or one of a sample, or of columns without steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.graph import affinity as graphs
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search, resolve_n_neighbors
from s3nmf.trust.steps import spread_over_steps


@dataclass(frozen=True, eq=False)
class JudgedGraph:
    """A graph of some points, or of all of them.

    Attributes
    ----------
    affinity : array or csr_array of shape (n_judged, n_judged)
    rows : array of shape (n_judged,) or None
        The points that are judged; None if all are.
    """

    affinity: Affinity
    rows: IntArray | None = None

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

    Of more rows than `max_samples`, so many are drawn, always the same.
    """
    if X is None:
        assert affinity is not None
        return JudgedGraph(affinity)
    n, rows = X.shape[0], None
    if max_samples is not None and n > max_samples:
        rows = np.sort(np.random.default_rng(0).choice(n, max_samples, replace=False))
    table = X if rows is None else X[rows]
    spread = spread_over_steps(table, resolve_n_neighbors(n_neighbors, table.shape[0]))
    if rows is None and spread is X and affinity is not None:
        return JudgedGraph(affinity)
    return JudgedGraph(graphs.affinity_of(spread, n_neighbors, kernel, metric, search), rows)
