"""Locally weighted ensemble clustering, Huang, Wang and Lai (2018): base clusters count by how far they are trusted."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.cluster import KMeans

from s3nmf._sklearn import Interval, StrOptions
from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_n_clusters, check_parameters
from s3nmf._warnings import warn_if_empty
from s3nmf.baselines.consensus.average_linkage import average_linkage
from s3nmf.baselines.consensus.cluster_index import ensemble_driven_cluster_index
from s3nmf.baselines.consensus.co_association import grouped_co_association
from s3nmf.baselines.consensus.pool import ClusterPool, check_partitions, cluster_pool
from s3nmf.baselines.consensus.transfer_cut import transfer_cut
from s3nmf.baselines.spectral.embedding import spectral_embedding
from s3nmf.partitions import by_decreasing_size

Consensus: TypeAlias = Literal["spectral", "average-linkage", "bipartite"]

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "consensus": [StrOptions({"spectral", "average-linkage", "bipartite"})],
    "theta": [Interval(Real, 0, None, closed="neither")],
    "random_state": ["random_state"],
}

_KMEANS_STARTS = 10


@dataclass(frozen=True, eq=False)
class LocallyWeightedResult:
    """The consensus of base partitions, and what each of their clusters is worth.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        Clusters by decreasing size.
    cluster_weights : array of shape (n_base_clusters,)
        ECI of each base cluster, in [0, 1]: those of the first partition by its labels, then those of the next.
    partitions : array of shape (n_members, n_samples)
        The base partitions, clusters of each by decreasing size.
    """

    labels: IntArray
    cluster_weights: FloatArray
    partitions: IntArray


def locally_weighted(
    partitions: Any,
    n_clusters: int,
    *,
    consensus: Consensus = "spectral",
    theta: float = 0.4,
    random_state: Any = None,
) -> LocallyWeightedResult:
    """Combine base partitions by locally weighted ensemble clustering.

    A base cluster that the other partitions cut to pieces counts little; its weight is its ensemble-driven cluster
    index (ECI). With B the one-hot of all b partitions' clusters, two points belong together by
    A = B diag(ECI) B' / b, with a diagonal of 1.

    Points with the same label in every partition are the same to the ensemble, and one group. Where there are no more
    groups than `n_clusters`, they are the clusters. The spectral and the bipartite consensus keep every group together,
    form no matrix of all points, and cost O(n b log n) to find the u groups and O(u b^2 + u b c) an iteration.

    Parameters
    ----------
    partitions : array-like of shape (n_members, n_samples)
        Labels, integers or texts; each partition has its own, and its own number of clusters. -1 is a label like any.
    n_clusters : int
    consensus : {"spectral", "average-linkage", "bipartite"}
        Spectral clustering of A (the paper's LWCA); average linkage on 1 - A (LWEA), which needs 8 n^2 bytes and
        O(n^2) time; or the cut of the graph that joins points and their clusters (LWGP), which needs at least as many
        base clusters as `n_clusters`.
    theta : float > 0
        The smaller, the less a cluster counts that others cut. From 0.2 to 1 the choice is reported to matter little.
    random_state : int, RandomState or None
        Of k-means; average linkage does not draw.

    Returns
    -------
    LocallyWeightedResult

    Examples
    --------
    >>> result = locally_weighted([[0, 0, 0, 1, 1, 1], [5, 5, 5, 5, 3, 3], [2, 2, 2, 1, 1, 0]], 2, random_state=0)
    >>> result.labels
    array([0, 0, 0, 1, 1, 1])
    >>> result.cluster_weights.round(2)
    array([1.  , 0.22, 0.26, 0.43, 1.  , 0.43, 1.  ])
    """
    check_parameters(PARAMETERS, locals(), "locally_weighted")
    checked = check_partitions(partitions)
    check_n_clusters(n_clusters, checked.shape[1])
    pool = cluster_pool(checked)
    if consensus == "bipartite" and pool.n_clusters < n_clusters:
        raise ValueError(
            f"The partitions have {pool.n_clusters} clusters in all, fewer than n_clusters={n_clusters}, which "
            "consensus='bipartite' cannot part. Give more partitions, or ask for fewer clusters."
        )
    weights = ensemble_driven_cluster_index(pool, theta)
    if not weights.all():
        raise ValueError(
            f"theta={theta} is so small that the weights of {int((weights == 0).sum())} base clusters vanish. Choose a "
            "larger one, such as 0.4."
        )
    with one_thread():
        if pool.n_groups <= n_clusters:
            found = pool.group_of
        elif consensus == "average-linkage":
            found = average_linkage(pool, weights, n_clusters)
        elif consensus == "bipartite":
            found = _k_means(pool, transfer_cut(pool, weights, n_clusters), random_state)
        else:
            similarity = grouped_co_association(pool, weights)
            found = _k_means(pool, spectral_embedding(similarity, n_clusters), random_state)
    labels = by_decreasing_size(found)
    warn_if_empty(int(labels.max()) + 1, n_clusters, "give more partitions")
    return LocallyWeightedResult(labels, weights, checked)


def _k_means(pool: ClusterPool, embedding: FloatArray, random_state: Any) -> IntArray:
    """As many clusters of the points as the embedding of their groups has columns."""
    search = KMeans(embedding.shape[1], n_init=_KMEANS_STARTS, random_state=random_state)
    search.fit(embedding, sample_weight=pool.counts)
    return np.asarray(search.labels_[pool.group_of])
