"""Average linkage on the locally weighted co-association (LWEA), Huang, Wang and Lai (2018)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components
from sklearn.utils import gen_batches

from s3nmf._memory import refuse_if_too_large
from s3nmf._types import FloatArray, IntArray
from s3nmf.baselines.consensus.pool import ClusterPool

_ENTRIES_AT_ONCE = 2**22


def average_linkage(pool: ClusterPool, weights: FloatArray, n_clusters: int) -> IntArray:
    """Labels of the points when average linkage on 1 - A has left so many clusters, (n,).

    It holds the n (n - 1) / 2 distances twice, 8 n^2 bytes, and takes O(n^2) steps. Of merges at the same height, the
    first ones that linkage makes are kept.
    """
    n = pool.group_of.size
    # linkage copies the distances, and asks of each whether it is finite.
    refuse_if_too_large(
        8.5 * n * n, f"consensus='average-linkage' compares all pairs of n_samples={n}: use 'spectral' or 'bipartite'."
    )
    merges = linkage(_distances(pool, weights), method="average")[: n - n_clusters, :2].astype(np.intp)
    # fcluster undoes all merges at the same height at once, and can come back with one cluster instead of many.
    made = n + np.arange(n - n_clusters)
    ends = np.repeat(made, 2), merges.ravel()
    forest = sp.csr_array((np.ones(merges.size), ends), shape=(2 * n - n_clusters, 2 * n - n_clusters))
    return np.asarray(connected_components(forest, directed=False)[1][:n], dtype=np.intp)


def _distances(pool: ClusterPool, weights: FloatArray) -> FloatArray:
    """1 - A of all pairs of points, row by row as scipy's linkage takes them."""
    n = pool.group_of.size
    distances = np.empty(n * (n - 1) // 2)
    weighted = (pool.indicator @ sp.diags_array(weights / pool.n_members)).T.tocsr()
    filled = 0
    for batch in gen_batches(n, max(1, _ENTRIES_AT_ONCE // n)):
        together = (pool.indicator[pool.group_of[batch]] @ weighted).toarray()
        for i, row in zip(range(n)[batch], together, strict=True):
            others = pool.group_of[i + 1 :]
            distances[filled : filled + others.size] = 1.0 - row[others]
            filled += others.size
    return distances
