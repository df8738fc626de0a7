"""A last look at shape: clusters that are clouds of one form have straight borders, of which all their points tell.

A graph of neighbours knows a border by the few points that lie there. Where clusters are Gaussian and of one form, the
plane between two of them follows from all of their points, and is known much better: on touching blobs, k-means beats
every graph. Whether they are so, the partition itself can tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import by_decreasing_size

# With fewer points a feature, a form that fits is no news.
_POINTS_A_FEATURE = 10
# Clouds that share more of their points than this are one.
_MOST_SHARED = 0.1
# By how many standard deviations more points than expected may be across a border.
_DEVIATIONS = 2.5
# How many times as wide, by squared distances, or as many points as another a cloud may be: wider or fewer, and the
# plane is not where it would be between likes. Blobs that are alike look up to twice as wide as each other.
_MOST_UNLIKE = 3.0
# Points of more confidence than this, on average, are not to be moved: moons and rings, of which a plane cuts a part.
_CERTAIN = 0.95
_MOST_STEPS = 20


def settled_by_shape(X: FloatArray, labels: IntArray, confidence: FloatArray) -> tuple[IntArray, FloatArray] | None:
    """If clusters are clouds of one form: the partition by the planes between them, and how likely each point is where.

    Gaussians of one covariance, each as likely as the others, are fitted to the clusters, and points put where they are
    likeliest, until none moves. Such Gaussians say themselves how many points are across the border of their cluster.
    A step is taken only if no more are moved, of all points, than that by chance, if these are not points that the
    graph is certain of, and if no cluster is far wider than another, or has far more points. So moons, rings, digits
    and all that is not convex or not of one form stays as it is. Clusters keep half of their points at least. Costs
    O(n d^2) a step.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    labels : array of shape (n_samples,)
    confidence : array of shape (n_samples,)
        How sure the graph is of each point.

    Returns
    -------
    labels : array of shape (n_samples,)
    likelihood : array of shape (n_samples, n_clusters)
        By the Gaussians, of each cluster, if it is one of them; rows add up to 1.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, y = make_blobs([100, 100], centers=[[0, 0], [5, 0]], random_state=0)
    >>> crooked = np.where(np.abs(X[:, 0] - 2.5) < 0.5, 0, y)
    >>> settled, likelihood = settled_by_shape(X, crooked, np.full(200, 0.5))
    >>> int((crooked != y).sum()), int((settled != y).sum()), likelihood.shape
    (3, 1, (200, 2))
    """
    sizes = np.bincount(labels)
    if (
        len(X) < _POINTS_A_FEATURE * X.shape[1]
        or sizes.size < 2
        or sizes.min() < max(2, sizes.max() / _MOST_UNLIKE)
        or confidence.min() > _CERTAIN
    ):
        return None
    points = _standardised(X)
    clouds: Any = LinearDiscriminantAnalysis(
        solver="lsqr", shrinkage="auto", priors=np.full(sizes.size, 1 / sizes.size)
    )
    settled, found = labels, None
    for _ in range(_MOST_STEPS):
        likelihood = clouds.fit(points, settled).predict_proba(points)
        likeliest = likelihood.argmax(axis=1)
        across = float((1 - likelihood.max(axis=1)).sum())
        if not (_is_as_expected(likeliest, labels, confidence, across) and _are_as_wide(points, settled, clouds)):
            break
        found = _by_decreasing_size(likeliest, likelihood)
        if np.array_equal(likeliest, settled):
            break
        settled = likeliest
    return found


def _by_decreasing_size(labels: IntArray, likelihood: FloatArray) -> tuple[IntArray, FloatArray]:
    named = by_decreasing_size(labels)
    column = np.empty(likelihood.shape[1], np.intp)
    column[named] = labels
    return named, likelihood[:, column]


def _standardised(X: FloatArray) -> FloatArray:
    """Features of variance 1; those of none have no say in the form."""
    # To a largest value of 1 first: squares of very large ones would be infinite.
    largest = np.abs(X).max(axis=0).astype(np.float64)
    scaler = StandardScaler(copy=False)
    points = scaler.fit_transform(X / np.where(largest > 0, largest, 1.0))
    return np.asarray(points[:, scaler.var_ > 0])


def _is_as_expected(moved: IntArray, labels: IntArray, confidence: FloatArray, across: float) -> bool:
    """Whether clouds would move such points, if so many are expected across a border; labels are those of before."""
    differs = moved != labels
    return bool(
        across <= _MOST_SHARED * labels.size
        and differs.sum() <= across + _DEVIATIONS * np.sqrt(across)
        and (not differs.any() or confidence[differs].mean() <= _CERTAIN)
        and (2 * np.bincount(moved, minlength=int(labels.max()) + 1) >= np.bincount(labels)).all()
    )


def _are_as_wide(points: FloatArray, labels: IntArray, clouds: Any) -> bool:
    """Whether clusters are about as wide as each other, by the form that is common to them."""
    away = points - clouds.means_[labels]
    distances = np.einsum("ij,ij->i", away @ np.linalg.pinv(clouds.covariance_, hermitian=True), away)
    spread = np.bincount(labels, distances) / np.bincount(labels)
    return bool(spread.max() <= _MOST_UNLIKE * spread.min())
