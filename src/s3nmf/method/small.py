"""Clusters of fewer points than are wanted: they join the cluster that they have most edges to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size, indicator, sizes_of


def without_small_clusters(result: S3NMFResult, affinity: Affinity, smallest: int) -> S3NMFResult:
    """The result with clusters of fewer points joined to others; points of those without an edge to any are in none.

    The largest cluster stays, however small it is. Membership in a cluster is that in all parts of it: O(nnz + n c).
    """
    sizes = sizes_of(result.labels)
    if sizes.min() >= smallest:
        return result
    hot = indicator(result.labels)
    into = joined_small((hot.T @ affinity @ hot).toarray(), sizes, smallest)
    joined = np.bincount(into, sizes, minlength=sizes.size)
    keeps = joined >= min(smallest, joined.max())
    inside = result.labels != NO_CLUSTER
    inside[inside] = keeps[into[result.labels[inside]]]
    labels = np.full(result.labels.size, NO_CLUSTER, dtype=np.intp)
    labels[inside] = by_decreasing_size(into[result.labels[inside]])
    number = np.empty(sizes.size, dtype=np.intp)
    number[into[result.labels[inside]]] = labels[inside]
    membership = np.zeros((labels.size, int(labels.max()) + 1))
    for part in np.flatnonzero(keeps[into]):
        membership[:, number[into[part]]] += result.membership[:, part]
    membership[~inside] = 0.0
    return replace(result, labels=labels, membership=membership)


def joined_small(links: FloatArray, sizes: IntArray, smallest: int) -> IntArray:
    """The cluster that each cluster becomes part of: the smallest is joined first, to the one it has most links to.

    One without links to any other stays what it is.

    Examples
    --------
    >>> links = np.array([[9.0, 2.0, 0.0], [2.0, 1.0, 1.0], [0.0, 1.0, 9.0]])
    >>> joined_small(links, np.array([5, 2, 5]), 3)
    array([0, 0, 2])
    """
    links, sizes = links.copy(), sizes.copy()
    np.fill_diagonal(links, 0.0)
    into = np.arange(sizes.size)
    for small in np.argsort(sizes, kind="stable"):
        if sizes[small] >= smallest or not links[small].any():
            continue
        target = int(np.argmax(links[small]))
        into[into == small] = target
        links[target] += links[small]
        links[:, target] += links[:, small]
        links[small] = links[:, small] = 0.0
        links[target, target] = 0.0
        sizes[target] += sizes[small]
        sizes[small] = 0
    return into
