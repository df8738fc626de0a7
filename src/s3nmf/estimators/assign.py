"""Which cluster a new point belongs to: that of the training points around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import gen_batches

from s3nmf._notebook import html_table
from s3nmf._types import Affinity, BoolArray, FloatArray, IntArray, SparseMatrix
from s3nmf._warnings import DisconnectedGraphWarning, warn
from s3nmf._words import counted, two_digits
from s3nmf.graph.neighbors import Neighbors, Search, nearest_to
from s3nmf.graph.range import within_range
from s3nmf.partitions import NO_CLUSTER, indicator
from s3nmf.trust.diagnostics import second_choice
from s3nmf.trust.thresholds import is_doubtful

NO_MATCH = -1

# A point is far from all training points if it is farther than this share of these are from each other: so many of the
# same origin are expected to be.
FAR_BY_CHANCE = 0.001
# Of a point as far as that so much of the membership is left, less than is in doubt, and less the farther it is.
_LEFT_OF_FAR = 0.5
_ASKED_FOR_THE_LIMIT = 2000
# Distances up to this share of the largest may be rounding: the two points are copies.
_ROUNDING = 1e-6
_ENTRIES_AT_ONCE = 2**22


@dataclass(frozen=True, eq=False)
class Assignment:
    """Where new points belong.

    Attributes
    ----------
    labels : array of shape (n_new,)
        The cluster with most of the votes of the training points around each point.
    membership : array of shape (n_new, n_clusters)
        The mean of those points' own memberships; less than half of it for a point that is farther from all training
        points than these are from each other.
    outliers : array of shape (n_new,)
        Which points are that far, or have no affinity to any point that was fitted. Those that were fitted are not.
    noise : array of shape (n_new,)
        Whether each point is noise: less than half of the evidence around it is for any cluster, or it was fitted, and
        is in none.
    """

    labels: IntArray
    membership: FloatArray
    outliers: BoolArray
    noise: BoolArray

    @property
    def labels_without_noise(self) -> IntArray:
        """The labels, -1 for noise."""
        return np.where(self.noise, NO_CLUSTER, self.labels)

    @property
    def confidence(self) -> FloatArray:
        """How sure that is: each point's membership in its cluster, (n_new,)."""
        return np.asarray(self.membership[np.arange(self.labels.size), self.labels])

    @property
    def second_choice(self) -> IntArray:
        """The other cluster with the largest membership, -1 where no other has any, (n_new,)."""
        return second_choice(self.membership, self.labels)[0]

    @property
    def probabilities(self) -> FloatArray:
        """Shares that add up to 1, of each cluster and, in the last column, of none, (n_new, n_clusters + 1).

        That of a point's own cluster is its confidence, and the largest of all clusters: what another one has beyond
        it, as in a few points in a hundred, goes to none with what speaks for no cluster at all.
        """
        rows, placed = np.arange(self.labels.size), self.labels != NO_CLUSTER
        own = np.where(placed, self.confidence, 0.0)
        shares = np.minimum(self.membership, np.nextafter(own, 0.0)[:, None])
        shares[rows[placed], self.labels[placed]] = own[placed]
        return np.column_stack([shares, np.maximum(1.0 - shares.sum(axis=1), 0.0)])

    def _repr_html_(self) -> str:
        placed = self.labels != NO_CLUSTER
        sizes = np.bincount(self.labels[placed], minlength=self.membership.shape[1])
        sums = np.bincount(self.labels[placed], self.confidence[placed], minlength=sizes.size)
        rows = [
            (str(k), f"{size:,}", two_digits(total / size if size else np.nan))
            for k, (size, total) in enumerate(zip(sizes, sums, strict=True))
        ]
        said = f"{counted(self.labels.size, 'new point')} in {counted(int(np.count_nonzero(sizes)), 'cluster')}."
        return html_table([said], ("cluster", "new points", "confidence"), rows)


class Votes(NamedTuple):
    """Who says where new points belong, and from how far away."""

    weights: SparseMatrix
    """Of each training point for each new one; rows add up to 1."""
    matches: IntArray
    """The training point that a new point is, or -1."""
    distances: FloatArray
    """Of each new point to the nearest training point."""


def assign(
    weights: SparseMatrix,
    matches: IntArray,
    labels: IntArray,
    membership: FloatArray,
    beyond: FloatArray | None = None,
    *,
    is_noise: BoolArray | None = None,
) -> Assignment:
    """Let training points vote: O(n_new k c).

    A vote is for a point's label, in full: weighing it by the point's confidence, or splitting it by membership, was
    measured on twelve data sets to place new points no better. How sure the result is, is another question: there the
    voters' own doubts tell wrong from right better than the majority does.

    Parameters
    ----------
    weights : csr_array of shape (n_new, n_train)
        Rows add up to 1, or are zero for a point with no training point around it: it goes to the largest cluster, with
        no membership in any.
    matches : array of shape (n_new,)
        The training point that a new point is, whose label and membership it takes, or -1.
    labels : array of shape (n_train,)
    membership : array of shape (n_train, n_clusters)
    beyond : array of shape (n_new,) or None
        How many times as far from the nearest training point each new one is as `limit_of` says that these are from
        each other. More than 1 is an outlier, which belongs to its cluster by less than half.
    is_noise : array of shape (n_train,) or None
        Which training points are noise; None are those without a label.
    """
    votes = weights @ indicator(labels).toarray()
    found = np.argmax(votes, axis=1)
    shares = np.asarray(weights @ membership)
    if beyond is None:
        far = np.asarray(weights.sum(axis=1)).ravel() == 0
    else:
        far = np.asarray(beyond > 1)
        shares[far] *= _LEFT_OF_FAR / beyond[far, None]
    noise = is_doubtful(shares.sum(axis=1))
    known = matches != NO_MATCH
    found[known] = labels[matches[known]]
    shares[known] = membership[matches[known]]
    noise[known] = (labels == NO_CLUSTER if is_noise is None else is_noise)[matches[known]]
    return Assignment(found, shares, far & ~known, noise)


def limit_of(distances: FloatArray) -> float:
    """The distance to the nearest different point that one in a thousand exceeds, from those to several neighbours.

    Copies of a point say nothing about how far others are. It is infinite where there are only copies.
    """
    nearest = np.where(distances > _ROUNDING * distances.max(), distances, np.inf).min(axis=1)
    nearest = nearest[np.isfinite(nearest)]
    return float(np.quantile(nearest, 1 - FAR_BY_CHANCE, method="higher")) if nearest.size else np.inf


def limit_among(X_fit: Any, n_neighbors: int, metric: str, search: Search = "auto") -> float:
    """The same for the training points, of which some thousand are asked."""
    n = X_fit.shape[0]
    rows = np.arange(0, n, -(-n // _ASKED_FOR_THE_LIMIT))
    found = nearest_to(X_fit, X_fit[rows], min(n_neighbors + 1, n), metric, search)
    return limit_of(np.where(found.indices == rows[:, None], 0.0, found.distances))


def times_beyond(distances: FloatArray, limit: float) -> FloatArray:
    """Distances as multiples of a limit; where that is infinite, nothing is far."""
    return np.asarray(distances / limit)


def neighbor_votes(X_fit: Any, X_new: Any, n_neighbors: int, metric: str, search: Search = "auto") -> Votes:
    """Weights of the nearest training points of each new point, and the training point that it is, or -1.

    The weight of a neighbour at distance d is exp(-d^2 / sigma^2), sigma the mean distance of the new point to its k
    nearest and itself: the graph's kernel, at the scale of the point. So no point is too far out to have neighbours:
    `assign` is told separately how far it is.
    """
    n_new = X_new.shape[0]
    X_new = _like(X_fit, X_new)
    matches = same_rows(X_fit, X_new)
    unknown = np.flatnonzero(matches == NO_MATCH)
    weights = np.zeros((n_new, n_neighbors))
    indices = np.zeros((n_new, n_neighbors), dtype=np.intp)
    nearest = np.zeros(n_new)
    if unknown.size:
        distances, indices[unknown] = nearest_to(X_fit, X_new[unknown], n_neighbors, metric, search)
        weights[unknown], nearest[unknown] = _kernel(distances), distances[:, 0]
        matches[unknown] = _equal_neighbor(X_fit, X_new[unknown], indices[unknown])
    return Votes(_by_rows(weights, indices, X_fit.shape[0]), matches, nearest)


def votes_of(neighbors: Neighbors, X_fit: FloatArray, X_new: FloatArray) -> Votes:
    """The same where the nearest training points of each new point are found already."""
    weights = _by_rows(_kernel(neighbors.distances), neighbors.indices, X_fit.shape[0])
    return Votes(weights, _equal_neighbor(X_fit, X_new, neighbors.indices), neighbors.distances[:, 0])


def affinity_votes(W: Affinity, affinity_new: Affinity) -> tuple[SparseMatrix, IntArray]:
    """The same for given affinities of new points to the training points, whose affinities are W."""
    given = sp.csr_array(within_range(affinity_new)[0])
    totals = np.asarray(given.sum(axis=1)).ravel()
    if not totals.all():
        alone = np.flatnonzero(totals == 0)
        warn(
            f"{alone.size} of {totals.size} new points have no affinity to any point that was fitted, the first in row "
            f"{alone[0]}. They are put into cluster 0, the largest, with a membership of 0.",
            DisconnectedGraphWarning,
        )
    of_row = np.repeat(totals, np.diff(given.indptr))  # divided by, for the inverse of 1e-310 is no number
    shares = np.divide(given.data, of_row, out=np.zeros(of_row.size), where=of_row > 0)
    votes = sp.csr_array((shares, given.indices, given.indptr), shape=given.shape)
    return votes, same_rows(W, _like(W, affinity_new))


def same_rows(X_fit: Any, X_new: Any) -> IntArray:
    """The row of X_fit with the same number if it is the same, else -1.

    What was fitted is recognised row by row, even where equal rows got different labels.
    """
    n = min(X_fit.shape[0], X_new.shape[0])
    matches = np.full(X_new.shape[0], NO_MATCH, dtype=np.intp)
    matches[:n] = np.where(_equal(X_fit[:n], X_new[:n]), np.arange(n), NO_MATCH)
    return matches


def _equal_neighbor(X_fit: Any, X_new: Any, indices: IntArray) -> IntArray:
    """The first training row among its neighbours that a new row is equal to, or -1."""
    n_new, k = indices.shape
    equal = np.empty(indices.shape, dtype=bool)
    for batch in gen_batches(n_new, max(1, _ENTRIES_AT_ONCE // (k * X_fit.shape[1]))):
        repeated = np.repeat(np.arange(n_new)[batch], k)
        equal[batch] = _equal(X_fit[indices[batch].ravel()], X_new[repeated]).reshape(-1, k)
    first = np.where(equal, indices, X_fit.shape[0]).min(axis=1)
    return np.where(equal.any(axis=1), first, NO_MATCH)


def _equal(one: Any, other: Any) -> Any:
    """Which rows are equal."""
    if sp.issparse(one):
        return np.asarray(abs(one - other).sum(axis=1)).ravel() == 0
    return (one == other).all(axis=1)


def _by_rows(weights: FloatArray, indices: IntArray, n_train: int) -> SparseMatrix:
    n_new, k = indices.shape
    return sp.csr_array((weights.ravel(), indices.ravel(), k * np.arange(n_new + 1)), shape=(n_new, n_train))


def _kernel(distances: FloatArray) -> FloatArray:
    n_neighbors = distances.shape[1]
    scale = distances.sum(axis=1, keepdims=True) / (n_neighbors + 1)
    weights = np.exp(-np.square(np.divide(distances, scale, out=np.zeros_like(distances), where=scale > 0)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _like(X_fit: Any, X_new: Any) -> Any:
    """X_new, sparse where X_fit is and dense where it is not."""
    if sp.issparse(X_fit):
        return sp.csr_array(X_new)
    return X_new.toarray() if sp.issparse(X_new) else X_new
