"""Spectral ensemble clustering (SEC) of Liu, Wu, Liu, Tao and Fu (2017): a normalised cut by weighted k-means."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

from sklearn.cluster import KMeans

from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray, SparseMatrix
from s3nmf._validation import check_n_clusters, check_parameters
from s3nmf._warnings import warn_if_empty
from s3nmf.baselines.consensus.pool import ClusterPool, check_partitions, cluster_pool
from s3nmf.partitions import by_decreasing_size

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class SpectralEnsembleResult:
    """The consensus of base partitions.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        Clusters by decreasing size.
    objective : float
        That of the weighted k-means, see `spectral_ensemble`; lower is better.
    partitions : array of shape (n_members, n_samples)
        The base partitions, clusters of each by decreasing size.
    """

    labels: IntArray
    objective: float
    partitions: IntArray


def spectral_ensemble(
    partitions: Any, n_clusters: int, *, n_init: int = 10, random_state: Any = None
) -> SpectralEnsembleResult:
    """Combine base partitions by spectral ensemble clustering.

    S = B B' counts the partitions that put two points together; B is the one-hot of all base clusters. The normalised
    cut of S is the weighted k-means of the points b_i / w_i with weights w = S 1: for Z, the scaled indicator of the
    clusters, and D = diag(w),

        sum_i w_i ||b_i / w_i - m_i||^2 = sum_i w_i ||b_i / w_i||^2 - tr(Z' D^-1/2 S D^-1/2 Z),

    so S is never formed. Points with the same label in every partition are one point of k-means that weighs more, and
    always end in the same cluster: O(n b log n) to find them and O(u b c) an iteration for u different ones.

    Parameters
    ----------
    partitions : array-like of shape (n_members, n_samples)
        Labels, integers or texts; each partition has its own, and its own number of clusters. -1 is a label like any.
    n_clusters : int
    n_init : int
        Starts of k-means; the best is kept. One alone is often poor.
    random_state : int, RandomState or None

    Returns
    -------
    SpectralEnsembleResult

    Examples
    --------
    >>> partitions = [[0, 0, 0, 1, 1, 1], [5, 5, 5, 5, 3, 3], [2, 2, 2, 1, 1, 0]]
    >>> spectral_ensemble(partitions, 2, random_state=0).labels
    array([0, 0, 0, 1, 1, 1])
    """
    check_parameters(PARAMETERS, locals(), "spectral_ensemble")
    checked = check_partitions(partitions)
    check_n_clusters(n_clusters, checked.shape[1])
    pool = cluster_pool(checked)
    points, weights, scale = _weighted_points(pool)
    with one_thread():
        # Its tolerance is on the centres. At 0 it stops when no label changes.
        search = KMeans(min(n_clusters, pool.n_groups), n_init=n_init, tol=0.0, random_state=random_state)
        search.fit(points, sample_weight=weights)
    labels = by_decreasing_size(search.labels_[pool.group_of])
    warn_if_empty(int(labels.max()) + 1, n_clusters, "give more partitions")
    return SpectralEnsembleResult(labels, float(search.inertia_) / scale, checked)


def _weighted_points(pool: ClusterPool) -> tuple[SparseMatrix, FloatArray, float]:
    """b / w and w of each group, times and over a scale that brings both to about 1, and the scale of the objective."""
    w = pool.indicator @ pool.sizes
    scale = float(pool.counts @ w / pool.counts.sum())
    points = pool.indicator.multiply((scale / w)[:, None]).tocsr()
    return points, pool.counts * w / scale, scale
