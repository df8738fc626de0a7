"""Equal rows of a table are in one cluster.

The nearest neighbours of a row with many copies are some of these, whichever a search finds first. So the graph, and
the members with it, may part rows that nothing tells apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.cells import canonical
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size

# Entries whose bits are mixed at a time.
_AT_ONCE = 2**20


def with_copies_together(result: S3NMFResult, row_of: IntArray) -> S3NMFResult:
    """The result with equal rows in the cluster that most of them are in, and with their mean membership.

    A cluster that would lose all of its points keeps those rows that have most copies in it. `row_of` is the number of
    the distinct row of each point.
    """
    copies = np.bincount(row_of)
    if copies.size == row_of.size:
        return result
    n, n_clusters = result.membership.shape
    sums = sp.csr_array((np.ones(n), (row_of, np.arange(n))), shape=(copies.size, n))
    membership = np.asarray(sums @ result.membership) / copies[:, None]
    votes = np.zeros((copies.size, n_clusters + 1))
    np.add.at(votes, (row_of, np.where(result.labels == NO_CLUSTER, n_clusters, result.labels)), 1.0)
    votes[:, :n_clusters] += np.clip(membership, 0.0, 1.0) / 2  # decides between as many copies
    chosen = _with_no_cluster_empty(votes)
    chosen[chosen == n_clusters] = NO_CLUSTER
    labels, column = np.full(n, NO_CLUSTER, dtype=np.intp), np.empty(n_clusters, dtype=np.intp)
    own = chosen[row_of]
    placed = own != NO_CLUSTER
    labels[placed] = by_decreasing_size(own[placed])
    column[labels[placed]] = own[placed]
    membership = membership[:, column][row_of]
    membership[~placed] = 0.0
    isolated = result.isolated[labels[result.isolated] == NO_CLUSTER]
    return replace(result, labels=labels, membership=membership, isolated=isolated)


def _with_no_cluster_empty(votes: FloatArray) -> IntArray:
    """The column of each row with most votes; each but the last column has a row, if there are as many rows."""
    chosen = np.asarray(votes.argmax(axis=1))
    n_clusters = votes.shape[1] - 1
    for empty in np.setdiff1d(np.arange(n_clusters), chosen):
        rows = np.bincount(chosen, minlength=n_clusters + 1)
        can_go = (rows[chosen] > 1) | (chosen == n_clusters)
        chosen[np.argmax(np.where(can_go, votes[:, empty] / votes.sum(axis=1), -1.0))] = empty
    return chosen


def distinct_rows(X: Any) -> IntArray:
    """The number of the distinct row that each row is, (n,): by 64 bits of each, O(n d).

    Examples
    --------
    >>> distinct_rows(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -0.0]])).tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    return np.unique(_sparse_keys(X) if sp.issparse(X) else _keys(np.asarray(X)), return_inverse=True)[1]


def _keys(X: FloatArray) -> NDArray[np.uint64]:
    columns = _mixed(np.arange(1, X.shape[1] + 1, dtype=np.uint64))
    keys = np.empty(X.shape[0], np.uint64)
    step = max(1, _AT_ONCE // X.shape[1])
    for first in range(0, X.shape[0], step):
        rows = X[first : first + step].astype(np.float64) + 0.0  # -0.0 is 0.0
        keys[first : first + step] = np.where(rows == 0.0, 0, _mixed(rows.view(np.uint64) ^ columns)).sum(axis=1)
    return keys


def _sparse_keys(X: Any) -> NDArray[np.uint64]:
    """The same of sparse rows, whose zeros count nothing."""
    rows = canonical(X)
    data = rows.data.astype(np.float64)
    mixed = _mixed(data.view(np.uint64) ^ _mixed(rows.indices.astype(np.uint64) + np.uint64(1)))
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(np.where(data == 0.0, 0, mixed), dtype=np.uint64)])
    return np.asarray(total[rows.indptr[1:]] - total[rows.indptr[:-1]])


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The bits in a random order of their own (splitmix64)."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
