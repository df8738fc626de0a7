"""A last look at single points: each belongs where its links make it likeliest."""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.communities.graph import weighted_graph
from s3nmf.partitions import by_decreasing_size

# Nearly all that moves has moved by the third.
_MOST_PASSES = 10


def likeliest(affinity: Affinity, labels: IntArray) -> IntArray:
    """The partition, but for points that the graph makes likelier in another cluster next to them.

    Members vote on what is between clusters, and what they look at is how points lie together, at several resolutions.
    Where a cluster ends is a question of the links of single points: how many there are to each cluster, and how many
    there would be by its density, whatever its size (`s3nmf._compiled.likeliest`). Clusters stay as many, and each
    keeps half of its points at least. Costs some visits of each edge, in one thread.

    Examples
    --------
    >>> two = np.kron(np.eye(2), np.ones((4, 4)) - np.eye(4))
    >>> two[3, 4] = two[4, 3] = 1.0
    >>> likeliest(two, np.array([0, 0, 0, 0, 0, 1, 1, 1]))
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    from s3nmf._compiled import likeliest as compiled  # noqa: PLC0415

    move_to_likeliest: Any = compiled.move_to_likeliest
    graph = weighted_graph(affinity)
    label = np.empty(labels.size, np.int64)
    label[graph.row_of] = labels
    starts, neighbors, weights, _ = graph.arrays
    move_to_likeliest(starts, neighbors, weights, label, int(labels.max()) + 1, _MOST_PASSES)
    return by_decreasing_size(label[graph.row_of])
