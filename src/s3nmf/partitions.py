"""Partitions as label vectors: one name for each cluster, one column for each cluster, one row for each tuple."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray, IntArray, SparseMatrix

NO_CLUSTER = -1
"""In place of a cluster where there is none."""


def partition(factor: FloatArray) -> IntArray:
    """Cluster of each row of V: the column with the largest entry, the first one on ties; any leading axes."""
    return np.asarray(np.argmax(factor, axis=-1), dtype=np.intp)


def by_decreasing_size(labels: IntArray) -> IntArray:
    """The same partition with clusters numbered 0, 1, ... by decreasing size, ties by their first point.

    Equal partitions get equal label vectors, so this is also how two partitions are compared.

    Examples
    --------
    >>> import numpy as np
    >>> by_decreasing_size(np.array([7, 2, 2, 5, 5]))
    array([2, 0, 0, 1, 1])
    """
    names = labels if _are_counted(labels) else np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(names)
    first = np.zeros(sizes.size, dtype=np.intp)
    first[names[::-1]] = np.arange(names.size)[::-1]  # the last to be written is the first point
    rank = np.empty(sizes.size, dtype=np.intp)
    rank[np.lexsort((first, -sizes))] = np.arange(sizes.size)
    return rank[names]


def _are_counted(labels: IntArray) -> bool:
    """Whether labels are numbers from 0 to less than there are points, so that they can be counted without sorting."""
    return labels.dtype.kind in "iu" and bool(labels.min() >= 0) and bool(labels.max() < labels.size)


def in_few_bytes(labels: IntArray) -> IntArray:
    """The same labels in as few bytes as the number of clusters needs."""
    return labels.astype(np.min_scalar_type(int(labels.max())))


def stacked(members: Iterable[IntArray]) -> IntArray:
    """The labels of all members, (b, n), in few bytes; each is made when the one before it has been made small."""
    return np.stack([in_few_bytes(labels) for labels in members])


def one_hot(member_labels: IntArray) -> SparseMatrix:
    """B, the n x (b c) indicator of all clusters of all members; member m owns columns m c to (m + 1) c."""
    n_members, n = member_labels.shape
    if member_labels.min() < 0:
        raise ValueError(
            f"Labels start at 0; there is {member_labels.min()}. Give such points a cluster, or drop them."
        )
    n_clusters = int(member_labels.max()) + 1
    columns = member_labels.T + n_clusters * np.arange(n_members)
    return sp.csr_array(
        (np.ones(columns.size), columns.ravel(), n_members * np.arange(n + 1)), shape=(n, n_members * n_clusters)
    )


def indicator(labels: IntArray) -> SparseMatrix:
    """The n x c indicator of one partition; the rows of points in no cluster are empty.

    Examples
    --------
    >>> import numpy as np
    >>> indicator(np.array([0, -1, 1])).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    """
    placed = labels != NO_CLUSTER
    starts = np.concatenate([[0], np.cumsum(placed)])
    columns = labels[placed]
    return sp.csr_array((np.ones(columns.size), columns, starts), shape=(labels.size, int(labels.max()) + 1))


def sizes_of(labels: IntArray) -> IntArray:
    """How many points each cluster has; those in none are not counted."""
    return np.bincount(labels[labels != NO_CLUSTER])


def distinct_tuples(member_labels: IntArray, place: IntArray | None = None) -> tuple[IntArray, IntArray, IntArray]:
    """The distinct label tuples (b, u), the tuple of each point (n,), and how many points share it (u,).

    The labels of as many members as fit are packed into one integer, and the distinct ones of it numbered: O(n log n).
    If points have a `place` each, tuples are numbered by their first points in that order, and not by their labels.
    """
    base = int(member_labels.max()) + 1
    tuple_of = np.zeros(member_labels.shape[1], dtype=np.int64)
    n_distinct = 1
    for labels in member_labels:
        if n_distinct * base > np.iinfo(np.int64).max:
            distinct, tuple_of = np.unique(tuple_of, return_inverse=True)
            n_distinct = distinct.size
        tuple_of = tuple_of * base + labels
        n_distinct *= base
    _, first, tuple_of, counts = np.unique(tuple_of, return_index=True, return_inverse=True, return_counts=True)
    if place is not None:
        foremost = np.full(counts.size, place.size)
        np.minimum.at(foremost, tuple_of, place)
        order = np.argsort(foremost)
        first, tuple_of, counts = first[order], np.argsort(order)[tuple_of], counts[order]
    return member_labels[:, first], tuple_of, counts
