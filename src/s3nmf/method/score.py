"""How good a partition is by the graph alone: its largest conductance, and its likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.method.settings import SPEED


def max_conductance(affinity: Affinity, labels: IntArray) -> float:
    """The largest share of its links, by their weights, that any cluster has to others.

    Examples
    --------
    >>> path = np.array([[0, 1, 0, 0], [1, 0, 3, 0], [0, 3, 0, 1], [0, 0, 1, 0]])
    >>> max_conductance(path, np.array([0, 0, 1, 1])), max_conductance(path, np.array([0, 1, 1, 1]))
    (0.6, 1.0)
    """
    links, own = _of_points(affinity, labels)
    if sp.issparse(links):
        cluster_of = np.repeat(own, np.diff(links.indptr))
        crosses = labels[links.indices] != cluster_of
        crossing = np.bincount(cluster_of[crosses], links.data[crosses], minlength=int(own.max()) + 1)
    else:
        crossing = np.bincount(own, np.where(labels == own[:, None], 0.0, links).sum(axis=1))
    strength = np.bincount(own, np.asarray(links.sum(axis=1)).ravel())
    return float(np.divide(crossing, strength, out=np.zeros(strength.size), where=strength > 0).max())


def _of_points(affinity: Any, labels: IntArray) -> tuple[Any, IntArray]:
    """Rows of the affinity, and the clusters of their points: of all, or in a large graph of some, drawn at random."""
    n = labels.size
    n_entries = affinity.nnz if sp.issparse(affinity) else affinity.size
    if n_entries <= SPEED.entries_looked_at:
        return affinity, labels
    drawn = max(1, n * SPEED.entries_looked_at // n_entries)
    some = np.random.default_rng(0).choice(n, drawn, replace=False, shuffle=False)
    some.sort()
    return affinity[some], labels[some]


def log_likelihood(graph: WeightedGraph, labels: IntArray) -> float:
    """The log-likelihood of a partition by a degree-corrected planted partition, by unit of weight.

    The densities of clusters are those that fit the partition best. The model (`s3nmf._core.likeliest`) knows the sum
    of the links of each point, so that only where they lead to counts. Values of different graphs, and of partitions
    into different numbers of clusters, cannot be compared.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> path = weighted_graph(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]))
    >>> log_likelihood(path, np.array([0, 0, 1, 1])) > log_likelihood(path, np.array([0, 1, 1, 0]))
    True
    """
    import s3nmf._core.likeliest as compiled  # noqa: PLC0415

    of_partition: Any = compiled.log_likelihood
    starts, neighbors, weights, _ = graph.arrays
    return float(of_partition(starts, neighbors, weights, graph.by_row(labels), int(labels.max()) + 1))
