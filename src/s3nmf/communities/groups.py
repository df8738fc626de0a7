"""Groups of points that surely belong together: a small graph in which a large one can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s3nmf._types import IntArray
from s3nmf.communities.graph import WeightedGraph

# Many more groups than clusters are wanted, and as many as can be searched in milliseconds.
_GROUPS_A_CLUSTER = 50
_FEW_GROUPS = 5000
# Moves that leave more groups than this share of those before need a finer resolution.
_SHRINKING = 0.9
# Resolutions are searched by steps of this factor.
STEP = 4.0


@dataclass(frozen=True, eq=False)
class Groups:
    """A graph, and the graph of its groups: of single points, where the graph is small.

    Attributes
    ----------
    graph : WeightedGraph
    arrays : tuple of arrays
        The graph of the groups, as compiled loops take it.
    group_of : array of shape (n_rows,)
        The group of each row of the graph.
    finest : float
        The resolution at which every point is a community of its own.
    """

    graph: WeightedGraph
    arrays: Any
    group_of: IntArray
    finest: float


def find_groups(graph: WeightedGraph, n_clusters: int, seed: int) -> Groups:
    """Join points by few moves, and groups, until there are some thousand: many more than clusters are wanted."""
    from s3nmf._compiled import communities as compiled  # noqa: PLC0415

    arrays: Any = graph.arrays
    local_moves: Any = compiled.local_moves
    largest_pressure: Any = compiled.largest_pressure
    aggregate: Any = compiled.aggregate
    state = np.array([seed], np.uint64)
    finest = 1.01 * largest_pressure(*arrays) * graph.total or 1.0  # any, where all edges are self loops
    fewest = _GROUPS_A_CLUSTER * n_clusters
    most = max(_FEW_GROUPS, 2 * fewest)
    group_of = np.arange(graph.n_rows, dtype=np.int32)
    resolution = 1.0
    while (size := arrays[-1].size) > most and resolution < finest:
        groups = np.arange(size, dtype=np.int32)
        local_moves(*arrays, resolution / graph.total, groups, state, compiled.FIRST_VISITS * size)
        found = compiled.renumber(groups)
        if found >= fewest:
            arrays = aggregate(*arrays, groups, found)
            group_of = groups[group_of]
        if found < fewest:  # at most in proportion to the resolution there will be more
            resolution *= STEP ** max(1, int(np.log(fewest / found) / np.log(STEP)))
        elif found > _SHRINKING * size:  # hardly fewer by moves at this resolution
            resolution *= STEP
    return Groups(graph, arrays, group_of, finest)
