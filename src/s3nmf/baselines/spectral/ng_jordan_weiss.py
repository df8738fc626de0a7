"""Spectral clustering by Ng, Jordan and Weiss (2002): k-means on the spectral embedding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_parameters
from s3nmf.baselines.spectral.embedding import spectral_embedding
from s3nmf.baselines.spectral.k_means import PARAMETERS, cluster_rows
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.operators import AffinityOperator


@dataclass(frozen=True, eq=False)
class NgJordanWeissResult:
    """A partition and the embedding that it was found in.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        Clusters by decreasing size.
    embedding : array of shape (n_samples, n_clusters)
        Rows of length one; a row of zeros for a point without any edge.
    inertia : float
        The sum of squared distances of the rows to the centres of their clusters.
    n_iter : int
        Iterations of k-means.
    converged : bool
        Whether k-means came to its end.
    """

    labels: IntArray
    embedding: FloatArray
    inertia: float
    n_iter: int
    converged: bool


def ng_jordan_weiss(
    affinity: Any, n_clusters: int, *, n_init: int = 1, random_state: Any = None
) -> NgJordanWeissResult:
    """Cluster an affinity by k-means on its spectral embedding.

    The affinity is normalised, whether it is so already or not, and a constant factor of it changes nothing. Costs what
    the embedding does, see `s3nmf.baselines.spectral.embedding.spectral_embedding`, and O(n c^2) an iteration of
    k-means. No n x n array is allocated beside a dense affinity, unless there are hardly more points than clusters.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative.
    n_clusters : int
    n_init : int
        Random starts of k-means; the best one counts. The paper takes one.
    random_state : int, RandomState or None

    Returns
    -------
    NgJordanWeissResult

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> ng_jordan_weiss(W, 2, random_state=0).labels
    array([0, 0, 0, 1, 1, 1])
    """
    check_parameters(PARAMETERS, locals(), "ng_jordan_weiss")
    with one_thread():
        W = prepare_affinity(affinity, n_clusters).matrix
        embedding = spectral_embedding(AffinityOperator(W), n_clusters)
    found = cluster_rows(embedding, n_clusters, n_init=n_init, random_state=random_state)
    return NgJordanWeissResult(found.labels, embedding, found.inertia, found.n_iter, found.converged)
