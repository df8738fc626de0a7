"""Leiden's communities of a graph, as many as are asked for or about so many; by igraph (extra `leiden`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, IntArray

# A resolution is searched by factors of this until the number of clusters lies between two, which are then halved.
_STEP, _FARTHEST, _HALVINGS = 4.0, 1e4, 12


def leiden(affinity: Affinity, n_clusters: int, seed: int) -> IntArray:
    """The communities of highest modularity at a resolution that gives about so many of them.

    igraph draws from a generator that all of a program share: meanwhile it is one of this seed.
    """
    import igraph  # noqa: PLC0415

    graph = igraph_of(affinity)
    igraph.set_random_number_generator(random.Random(seed))
    try:
        return about_so_many(
            lambda resolution: (
                graph.community_leiden(
                    objective_function="modularity", weights="weight", resolution=resolution, n_iterations=2
                ).membership
            ),
            n_clusters,
        )
    finally:
        igraph.set_random_number_generator(random)


def igraph_of(affinity: Affinity) -> Any:
    """The graph for igraph, without self loops."""
    import igraph  # noqa: PLC0415

    edges = sp.triu(sp.csr_array(affinity), k=1).tocoo()
    graph = igraph.Graph(affinity.shape[0], np.column_stack(edges.coords).tolist())
    graph.es["weight"] = edges.data.tolist()
    return graph


def about_so_many(partition_at: Callable[[float], Any], n_clusters: int) -> IntArray:
    """The partition with the number of clusters nearest to what is wanted, by bisection over the resolution.

    Examples
    --------
    >>> about_so_many(lambda resolution: np.arange(12) % max(1, int(7 * resolution)), 3).max() + 1
    np.int64(3)
    """
    tried: dict[float, IntArray] = {}

    def excess(resolution: float) -> int:
        if resolution not in tried:
            tried[resolution] = np.asarray(partition_at(resolution), dtype=np.intp)
        return int(tried[resolution].max()) + 1 - n_clusters

    low = high = 1.0
    while excess(low) > 0 and low > 1 / _FARTHEST:
        low /= _STEP
    while excess(high) < 0 and high < _FARTHEST:
        high *= _STEP
    for _ in range(_HALVINGS):
        if 0 in (excess(low), excess(high)):
            break
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return min(tried.values(), key=lambda labels: abs(int(labels.max()) + 1 - n_clusters))
