"""The two refinements of a partition: by the links of single points, and by the shape of clusters.

Members vote on how points lie together. Where exactly a cluster ends is a question of single points: of how many links
each has to which cluster, and, where clusters are Gaussians of one covariance, of the plane between two of them, which
follows from all of their points and not from the few that lie there. On touching blobs k-means beats every graph for
that reason.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.method.confidence import own_share
from s3nmf.method.settings import REFINEMENT, SPEED
from s3nmf.partitions import by_decreasing_size


def refine_by_block_model(graph: WeightedGraph, labels: IntArray) -> IntArray:
    """The partition with single points moved to where a degree-corrected planted partition makes them most likely.

    A point moves only to a cluster that it has a link to. Clusters stay as many, and each keeps at least half of its
    points. Sizes and resolutions have no part in it: each cluster has a density of its own (`s3nmf._core.likeliest`).
    Costs some visits of each edge, in one thread.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> two = np.kron(np.eye(2), np.ones((4, 4)) - np.eye(4))
    >>> two[3, 4] = two[4, 3] = 1.0
    >>> refine_by_block_model(weighted_graph(two), np.array([0, 0, 0, 0, 0, 1, 1, 1]))
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    import s3nmf._core.likeliest as compiled  # noqa: PLC0415

    move_to_likeliest: Any = compiled.move_to_likeliest
    label = graph.by_row(labels)
    starts, neighbors, weights, _ = graph.arrays
    move_to_likeliest(starts, neighbors, weights, label, int(labels.max()) + 1, SPEED.passes)
    return by_decreasing_size(label[graph.row_of])


class ByShape(NamedTuple):
    """What the refinement by shape came to.

    Attributes
    ----------
    labels : array of shape (n_samples,)
    shares : array of shape (n_samples, n_clusters)
        The likelihood of each cluster by the Gaussians, if it is one of them; rows add up to 1. Where the refinement
        was skipped, the shares that it was given.
    skipped : str
        Why it was; empty where it was not.
    """

    labels: IntArray
    shares: FloatArray
    skipped: str


def refine_by_lda(X: Any, labels: IntArray, shares: FloatArray) -> ByShape:
    """The partition by linear discriminant analysis, if its clusters are Gaussians of one covariance.

    Gaussians of one covariance, with equal priors, are fitted to the clusters, and points put where they are
    most likely, until none moves. Such Gaussians predict how many points lie across the border of their cluster. A step
    is taken only if no more points move than that by chance, if the graph is not certain of those that move, and if no
    cluster is far wider than another, or has far more points. So moons, rings, digits and all clusters that are not
    convex or not of one shape stay as they are. Clusters keep at least half of their points. Costs O(n d^2) a step.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        Of no columns where points have no features.
    labels : array of shape (n_samples,)
    shares : array of shape (n_samples, n_clusters)
        What the graph says of each point; of its own cluster, that is how sure the graph is of it.

    Returns
    -------
    ByShape

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, y = make_blobs([100, 100], centers=[[0, 0], [5, 0]], random_state=0)
    >>> crooked = np.where(np.abs(X[:, 0] - 2.5) < 0.5, 0, y)
    >>> refined = refine_by_lda(X, crooked, np.full((200, 2), 0.5))
    >>> int((crooked != y).sum()), int((refined.labels != y).sum()), refined.shares.shape
    (3, 1, (200, 2))
    """
    confidence = own_share(shares, labels)
    if reason := _reason_to_skip(X, labels, confidence):
        return ByShape(labels, shares, reason)
    points, n_clusters = _standardised(X.toarray() if sp.issparse(X) else X), int(labels.max()) + 1
    gaussians: Any = LinearDiscriminantAnalysis(
        solver="lsqr", shrinkage="auto", priors=np.full(n_clusters, 1 / n_clusters)
    )
    refined, found = labels, ByShape(labels, shares, "clusters are not Gaussians of one covariance")
    for _ in range(SPEED.steps):
        likelihood = gaussians.fit(points, refined).predict_proba(points)
        before, refined = refined, likelihood.argmax(axis=1)
        across = float((1 - likelihood.max(axis=1)).sum())
        if not (_is_as_expected(refined, labels, confidence, across) and _are_as_wide(points, before, gaussians)):
            break
        found = ByShape(*_by_decreasing_size(refined, likelihood), "")
        if np.array_equal(refined, before):
            break
    return found


def _reason_to_skip(X: Any, labels: IntArray, confidence: FloatArray) -> str:
    """Why there is too little to estimate Gaussians by, or nothing to be gained; empty where neither is so."""
    sizes = np.bincount(labels)
    made_dense = X.shape[0] * X.shape[1] if sp.issparse(X) else 0
    reasons = {
        "no features": X.shape[1] == 0,
        "there is one cluster": sizes.size < 2,
        "too few points to estimate a covariance": X.shape[0] < REFINEMENT.points_a_feature * X.shape[1],
        "the features are sparse, and too many to be made dense": made_dense > SPEED.entries_made_dense,
        "clusters are of very unequal sizes": sizes.min() < max(2, sizes.max() / REFINEMENT.most_unlike),
        "the graph is certain of every point": confidence.min() > REFINEMENT.certain,
    }
    return next((reason for reason, is_so in reasons.items() if is_so), "")


def _by_decreasing_size(labels: IntArray, likelihood: FloatArray) -> tuple[IntArray, FloatArray]:
    named = by_decreasing_size(labels)
    column = np.empty(likelihood.shape[1], np.intp)
    column[named] = labels
    return named, likelihood[:, column]


def _standardised(X: FloatArray) -> FloatArray:
    """Features of variance 1, without those that are constant."""
    # To a largest value of 1 first: squares of very large ones would be infinite.
    largest = np.abs(X).max(axis=0).astype(np.float64)
    scaler = StandardScaler(copy=False)
    points = scaler.fit_transform(X / np.where(largest > 0, largest, 1.0))
    return np.asarray(points[:, scaler.var_ > 0])


def _is_as_expected(moved: IntArray, labels: IntArray, confidence: FloatArray, across: float) -> bool:
    """Whether Gaussians would move such points, if so many are expected across a border; labels are those of before."""
    differs = moved != labels
    left = np.bincount(moved, minlength=int(labels.max()) + 1)
    return all(
        (
            across <= REFINEMENT.most_overlap * labels.size,
            differs.sum() <= across + REFINEMENT.deviations * np.sqrt(across),
            confidence[differs].sum() <= REFINEMENT.certain * differs.sum(),
            (2 * left >= np.bincount(labels)).all(),
        )
    )


def _are_as_wide(points: FloatArray, labels: IntArray, gaussians: Any) -> bool:
    """Whether clusters are about as wide as each other, by the covariance that they share."""
    away = points - gaussians.means_[labels]
    distances = np.einsum("ij,ij->i", away @ np.linalg.pinv(gaussians.covariance_, hermitian=True), away)
    spread = np.bincount(labels, distances) / np.bincount(labels)
    return bool(spread.max() <= REFINEMENT.most_unlike * spread.min())
