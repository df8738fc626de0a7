"""Communities of a graph at given resolutions, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s3nmf._threads import Team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.groups import Groups
from s3nmf.graph.settings import GROUPING
from s3nmf.partitions import by_decreasing_size, in_few_bytes

# How often an edge is visited, and what a visit costs in multiplications: to know when a thread is worth it.
_WORK_OF_EDGE = 50.0


def communities(groups: Groups, resolutions: FloatArray, seeds: Sequence[int], threads: Team) -> list[IntArray]:
    """Communities of the points, by decreasing size: for each member at its resolution, in the order of its seed."""
    import s3nmf._core.communities as compiled  # noqa: PLC0415

    find_communities: Any = compiled.find_communities
    settle: Any = compiled.settle
    graph = groups.graph
    by_groups = graph.n_rows >= GROUPING.many_points
    of_groups: Any = groups.arrays
    found: list[Any] = [None] * len(seeds)

    def members(first: int, last: int) -> None:
        community = np.empty(graph.n_rows, np.int32)
        for m in range(first, last):
            state = np.array([seeds[m]], np.uint64)
            pressure = resolutions[m] / graph.total
            if by_groups:
                joined = np.empty(of_groups[-1].size, np.int32)
                find_communities(*of_groups, pressure, joined, state)
                np.take(joined, groups.group_of, out=community)
                settle(*graph.arrays, pressure, community, state)
            else:
                find_communities(*graph.arrays, pressure, community, state)
            found[m] = in_few_bytes(by_decreasing_size(community[graph.row_of]))

    threads.run(members, len(seeds), work=_WORK_OF_EDGE * len(seeds) * graph.weights.size)
    return found
