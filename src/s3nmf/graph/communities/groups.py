"""Groups of points that surely belong together: a small graph in which a large one can be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.graph.settings import GROUPING, RESOLUTION_SEARCH


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
    """Join points by few moves, and groups, until there are some thousand: many more than clusters are wanted.

    Few large groups among many small ones are clusters already, and what is joined in them is joined for all members.
    So groups are counted by their sizes, and those of a resolution that leaves too few are not taken.
    """
    import s3nmf._core.communities as compiled  # noqa: PLC0415

    arrays: Any = graph.arrays
    local_moves: Any = compiled.local_moves
    largest_pressure: Any = compiled.largest_pressure
    aggregate: Any = compiled.aggregate
    state = np.array([seed], np.uint64)
    finest = 1.01 * largest_pressure(*arrays) * graph.total or 1.0  # any, where all edges are self loops
    fewest = GROUPING.groups_a_cluster * n_clusters
    group_of = np.arange(graph.n_rows, dtype=np.int32)
    n_points: Any = np.ones(graph.n_rows)
    too_coarse, too_fine = RESOLUTION_SEARCH.coarsest, finest
    resolution = min(1.0, finest)
    while _is_large(arrays, n_clusters) and too_fine > GROUPING.close * too_coarse:
        size = arrays[-1].size
        groups = np.arange(size, dtype=np.int32)
        local_moves(*arrays, resolution / graph.total, groups, state, GROUPING.visits * size)
        found = compiled.renumber(groups)
        joined = np.bincount(groups, weights=n_points)
        is_too_coarse = effective_number(joined) < fewest
        if found < size and not is_too_coarse:
            arrays = aggregate(*arrays, groups, found)
            group_of, n_points = groups[group_of], joined
        if is_too_coarse:
            too_coarse = resolution
        elif found > GROUPING.shrinking * size:
            too_fine = resolution
        if not too_coarse < resolution < too_fine:
            resolution = _between(too_coarse, too_fine, resolution)
    return Groups(graph, arrays, group_of, finest)


def _is_large(arrays: Any, n_clusters: int) -> bool:
    """Whether a graph of groups has more of them than need be, or more links, and can do with fewer groups."""
    _, neighbors, _, strength = arrays
    enough = GROUPING.most_groups_a_cluster * n_clusters
    return bool(
        strength.size > max(GROUPING.few_groups, enough)
        or (neighbors.size > GROUPING.few_links and strength.size > enough)
    )


def effective_number(sizes: FloatArray | IntArray) -> float:
    """The inverse Simpson index: how many groups of one size would have the same sum of squares.

    Examples
    --------
    >>> effective_number(np.ones(4)), round(effective_number(np.array([500, 500, 1, 1])), 1)
    (4.0, 2.0)
    """
    shares = sizes / sizes.sum()
    return float(1 / (shares @ shares))


def _between(low: float, high: float, tried: float) -> float:
    """The middle, by factors, but not farther than a step from what was tried."""
    return float(np.clip(np.sqrt(low * high), tried / RESOLUTION_SEARCH.step, tried * RESOLUTION_SEARCH.step))
