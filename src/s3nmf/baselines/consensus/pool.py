"""The clusters of all base partitions in one pool, and the points that no partition tells apart as one."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from s3nmf._indices import compact
from s3nmf._types import FloatArray, IntArray, SparseMatrix
from s3nmf.partitions import by_decreasing_size, distinct_tuples, one_hot


@dataclass(frozen=True, eq=False)
class ClusterPool:
    """Which points are in which base clusters.

    Points with the same label in every partition are the same to a consensus of them. They make one group, of which
    there are u, and a consensus works on groups that count as often as they have points.
    """

    indicator: SparseMatrix
    """B, which base clusters a group is in, (u, n_base_clusters); those of the first partition first."""
    counts: FloatArray
    """Points in each group, (u,)."""
    group_of: IntArray
    """Group of each point, (n,)."""
    n_members: int

    @property
    def n_groups(self) -> int:
        return int(self.counts.size)

    @property
    def n_clusters(self) -> int:
        """Clusters in the pool, over all partitions."""
        return int(self.indicator.shape[1])

    @property
    def sizes(self) -> FloatArray:
        """Points in each base cluster."""
        return np.asarray(self.counts @ self.indicator)


def cluster_pool(partitions: IntArray) -> ClusterPool:
    """The pool of checked partitions: O(n b log n)."""
    tuples, group_of, counts = distinct_tuples(partitions)
    B = one_hot(tuples)
    occupied = np.flatnonzero(B.sum(axis=0))
    indicator = compact(B[:, occupied])
    return ClusterPool(indicator, counts.astype(np.float64), group_of, len(partitions))


def check_partitions(partitions: Any) -> IntArray:
    """Base partitions as an array (b, n) of labels 0, 1, ... in each row, by decreasing size of the clusters.

    Any integers or texts are labels, and each partition has its own: only which points share one counts.
    """
    try:
        labels = np.asarray(partitions)
    except ValueError as error:
        raise ValueError("The partitions have different numbers of points. Each needs one label a point.") from error
    if labels.ndim != 2 or labels.size == 0:
        raise ValueError(
            f"partitions has shape {labels.shape}; it must be (n_members, n_samples), one row of labels a partition."
        )
    if labels.dtype == object and all(isinstance(label, str | Integral) for label in labels.flat):
        labels = labels.astype(str)  # the columns of a data frame
    if labels.dtype.kind not in "iubUS":
        raise ValueError(
            f"partitions has dtype {labels.dtype}; labels must be integers or texts, and none may be missing. Give "
            "points without a label a cluster, or drop them, and convert the rest with .astype(int)."
        )
    return np.array([by_decreasing_size(member) for member in labels])
