"""What to doubt in a partition: points between clusters, clusters that fall apart, clusters that overlap.

All of it comes from the members of round 1, which saw the data independently of each other, and none of it needs the
n x n co-association: a product with the one-hot of the partition, O(n b + u b c) for u different label tuples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from s3nmf._notebook import html_table
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted, two_digits
from s3nmf.graph.operators import CoAssociation
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER, indicator, one_hot, sizes_of

# Of more clusters than this, sparse matrices are faster than dense ones.
_MANY_CLUSTERS = 50


class Dispute(NamedTuple):
    """Two clusters that members disagree about, and the mean co-association of a point of one with one of the other."""

    first: int
    second: int
    shared: float


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """How far a partition can be trusted: point by point, cluster by cluster, round by round.

    The co-association of two points is the weight of the members of round 1 that put them into one cluster, in [0, 1].

    Attributes
    ----------
    labels : array of shape (n_samples,)
        The partition; -1 for isolated points.
    isolated : array
        Points without any edge, in increasing order. Nothing is known about where they belong: all their shares, and
        their confidence, are 0.
    shares : array of shape (n_samples, n_clusters)
        How far each point belongs to each cluster, by the members of round 1 and the point's neighbours. Rows add up to
        1 where the cluster holds together around the point, to less where members cut it, to 0 for isolated points.
    confidence : array of shape (n_samples,)
        The share of a point's own cluster.
    second_choice : array of shape (n_samples,)
        The other cluster with the largest share, the smaller number on ties; -1 where no other cluster has any.
    second_share : array of shape (n_samples,)
        Its share. More than the confidence where the members of round 1 would rather have the point there.
    sizes : array of shape (n_clusters,)
    within : array of shape (n_clusters,)
        Mean co-association of two different points of the cluster: 1 if no member ever cut it. NaN for a single point.
    outside : array of shape (n_clusters,)
        Mean co-association of a point of the cluster with one outside of it: 0 if no member ever joined it with
        another. NaN where there is only one cluster.
    shared : array of shape (n_clusters, n_clusters)
        Mean co-association of the points of two clusters; the diagonal is `within`.
    agreement : array of shape (n_rounds,)
        ANMI of the members, by round.
    weights : tuple of arrays of shape (n_members,)
        Weights of the members, by round.
    chosen_round : int
        The round that the partition is from, counted from 1.
    co_association : CoAssociation
        The co-association of all points, as an operator.
    """

    labels: IntArray
    isolated: IntArray
    shares: FloatArray
    confidence: FloatArray
    second_choice: IntArray
    second_share: FloatArray
    sizes: IntArray
    within: FloatArray
    outside: FloatArray
    shared: FloatArray
    agreement: FloatArray
    weights: tuple[FloatArray, ...]
    chosen_round: int
    co_association: CoAssociation = field(repr=False)

    @property
    def placed(self) -> Diagnostics:
        """The same of the points that are in a cluster: what a verdict is about."""
        inside = np.flatnonzero(self.labels != NO_CLUSTER)
        if inside.size == self.labels.size:
            return self
        of_points = ("labels", "shares", "confidence", "second_choice", "second_share")
        return replace(self, **{name: getattr(self, name)[inside] for name in of_points})

    @property
    def mixing(self) -> FloatArray:
        """What share of the evidence for the points of a cluster is for every other one, (n_clusters, n_clusters)."""
        sums: FloatArray = np.asarray(indicator(self.labels).T @ self.shares)
        total = sums.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(sums, total, out=sums, where=total > 0))

    @property
    def disputes(self) -> tuple[Dispute, ...]:
        """The pairs of clusters that any member ever mixed, those that share most first."""
        first, second = np.triu_indices(self.sizes.size, k=1)
        shared = self.shared[first, second]
        order = [at for at in np.argsort(-shared, kind="stable") if shared[at] > 0]
        return tuple(Dispute(int(first[at]), int(second[at]), float(shared[at])) for at in order)

    def _repr_html_(self) -> str:
        header = ("cluster", "size", "confidence", "stability", "most mixed with")
        return html_table(
            [f"{self.labels.size:,} points in {counted(self.sizes.size, 'cluster')}."], header, self._rows()
        )

    def _rows(self) -> Iterator[tuple[str, ...]]:
        """The clusters as text: mean confidence, stability, and which other has most of the evidence for its points."""
        confidence = indicator(self.labels).T @ self.confidence / self.sizes
        others = self.mixing
        np.fill_diagonal(others, 0.0)
        for k, size in enumerate(self.sizes):
            most = int(np.argmax(others[k]))
            mixed = f"{most} ({two_digits(others[k, most])})" if others[k, most] > 0 else "none"
            yield str(k), f"{size:,}", two_digits(confidence[k]), two_digits(self.within[k]), mixed


def diagnose(result: Any) -> Diagnostics:
    """Say which points, clusters and pairs of clusters of a result to doubt: O(n c) memory.

    Parameters
    ----------
    result : S3NMFResult or S3NMF
        What `self_supervised_nmf` returned, or a fitted model, which has been diagnosed already.

    Returns
    -------
    Diagnostics

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import diagnose, self_supervised_nmf
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> found = diagnose(self_supervised_nmf(nearest_neighbor_affinity(X), 4, random_state=0))
    >>> found.shares.shape, found.shared.shape
    ((300, 4), (4, 4))
    """
    if not isinstance(result, S3NMFResult):
        return _of_model(result)
    labels, first = result.labels, result.history[0]
    co_association = CoAssociation(first.member_labels, first.weights)
    shares = result.membership
    choice, share = second_choice(shares, labels)
    placed = labels != NO_CLUSTER
    among = co_association if placed.all() else CoAssociation(first.member_labels[:, placed], first.weights)
    shared, outside = _of_clusters(among, labels[placed])
    return Diagnostics(
        labels=labels,
        isolated=result.isolated,
        shares=shares,
        confidence=result.confidence.copy(),
        second_choice=choice,
        second_share=share,
        sizes=sizes_of(labels),
        within=np.diag(shared).copy(),
        outside=outside,
        shared=shared,
        agreement=result.agreement,
        weights=tuple(found.weights for found in result.history),
        chosen_round=result.chosen_round,
        co_association=co_association,
    )


def second_choice(shares: FloatArray, labels: IntArray) -> tuple[IntArray, FloatArray]:
    """The cluster other than its own that each point has the largest share in, and that share."""
    others = shares.copy()
    others[np.arange(labels.size), labels] = 0.0
    choice = np.argmax(others, axis=1)
    share = others[np.arange(labels.size), choice]
    return np.where(share > 0, choice, NO_CLUSTER), share


def _of_model(model: Any) -> Diagnostics:
    if not hasattr(model, "diagnose"):
        raise TypeError(
            f"diagnose takes an S3NMFResult, which self_supervised_nmf returns, or a fitted S3NMF; there is a "
            f"{type(model).__name__}. Labels alone do not say what the members disagreed about."
        )
    found: Diagnostics = model.diagnose()
    return found


def _of_clusters(co_association: CoAssociation, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Mean co-association of every two clusters (c, c), and of each cluster with all points outside of it (c,)."""
    clusters = one_hot(labels[None, :])
    in_tuples = (co_association.rows.T @ clusters).T
    if clusters.shape[1] > _MANY_CLUSTERS:
        sums = (in_tuples @ co_association.with_many_clusters(labels)).toarray()
    else:
        sums = np.asarray(in_tuples @ co_association.with_clusters(labels))
    sums = (sums + sums.T) / 2  # equal but for rounding
    sizes = clusters.sum(axis=0)
    pairs = np.outer(sizes, sizes)
    # A point is always together with itself, by all members, whose weights add up to 1.
    own = np.diag(sums) - sizes
    np.fill_diagonal(sums, own)
    np.fill_diagonal(pairs, sizes * (sizes - 1))
    away = sizes * (labels.size - sizes)
    return _mean(sums, pairs), _mean(sums.sum(axis=1) - own, away)


def _mean(sums: FloatArray, counts: FloatArray) -> FloatArray:
    means = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return np.asarray(np.clip(means, 0.0, 1.0))
