"""What a fitted S3NMF says of points that it has not seen."""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.estimators.assign import Assignment, affinity_votes, assign, limit_among, neighbor_votes, times_beyond
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.neighbors import resolve_n_neighbors
from s3nmf.method.result import S3NMFResult
from s3nmf.trust.thresholds import noise_marked


class NewPoints(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GraphClusterer):  # type: ignore[misc]
    """A clusterer that puts new points into the clusters it has found, by the fitted points around them."""

    noise: bool
    result_: S3NMFResult
    membership_: FloatArray
    affinity_matrix_: Affinity
    X_fit_: Any
    _limits: list[float]

    def predict(self, X: Any) -> IntArray:
        """Cluster of each new point: that of most of the training points around it.

        The votes of its nearest training points, as many as the graph has neighbours, are weighted by distance. A point
        that was fitted keeps its label: row i of X is taken for row i of the training data if they are equal, and any
        other row for the first of its neighbours that it equals. So `predict(X_train)` is `labels_`. Every point gets a
        cluster, unless `noise` is set: then points in doubt get -1. In doubt is every outlier, a point that is farther
        from all training points than 999 of 1,000 of these are from the nearest other one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features), or (n_new, n_samples) if precomputed
            With `affinity="precomputed"`, the affinities of new points to those that were fitted, which are the weights
            of their votes.

        Returns
        -------
        labels : array of shape (n_new,)
        """
        found = self.assign(X)
        return noise_marked(found.labels, found.confidence) if self.noise else found.labels

    def membership(self, X: Any) -> FloatArray:
        """How far new points belong to each cluster: the mean `membership_` of the training points that `predict` asks.

        That in the predicted cluster says how sure the prediction is. `membership(X_train)` is `membership_`, and there
        it is `confidence_`. Outliers have less than half of it, and the less the farther they are.

        Parameters
        ----------
        X : array-like or sparse matrix, as for `predict`

        Returns
        -------
        membership : array of shape (n_new, n_clusters)
        """
        return self.assign(X).membership

    def transform(self, X: Any) -> FloatArray:
        """Points as their memberships, a column for each cluster: features for a next step in a `Pipeline`.

        `set_output` makes frames of them, with columns s3nmf0, s3nmf1, ...

        Parameters
        ----------
        X : array-like or sparse matrix, as for `predict`

        Returns
        -------
        membership : array of shape (n_new, n_clusters)
        """
        return self.membership(X)

    @property
    def _n_features_out(self) -> int:
        """For the names of the columns."""
        return int(self.membership_.shape[1])

    def assign(self, X: Any) -> Assignment:
        """What `predict` and `membership` say of new points, by one search for the training points around them.

        Parameters
        ----------
        X : array-like or sparse matrix, as for `predict`

        Returns
        -------
        Assignment
            With `labels`, `membership`, `confidence` and `second_choice` of each new point; a cluster for every one.
        """
        check_is_fitted(self)
        X = self._checked_new(X)
        if self.affinity == "precomputed":
            weights, matches = affinity_votes(self.affinity_matrix_, X)
            return assign(weights, matches, self.result_.labels, self.membership_)
        k = resolve_n_neighbors(self.n_neighbors, self.X_fit_.shape[0])
        votes = neighbor_votes(self.X_fit_, X, k, self.metric, self.search)
        beyond = times_beyond(votes.distances, self._limit(k))
        return assign(votes.weights, votes.matches, self.result_.labels, self.membership_, beyond)

    def _limit(self, n_neighbors: int) -> float:
        """How far training points are from each other: found when new points are first asked about, and kept."""
        if not self._limits:
            self._limits.append(limit_among(self.X_fit_, n_neighbors, self.metric, self.search))
        return self._limits[0]
