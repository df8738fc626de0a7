"""What a fitted S3NMF says of points that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from s3nmf._threads import team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.estimators.assign import Assignment, affinity_votes, assign, limit_among, neighbor_votes, times_beyond
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.neighbors import resolve_n_neighbors
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.judged import judged_graph
from s3nmf.trust.settings import NUMBER_SEARCH

# Two points have no border between them.
_FEWEST_SCORED = 3


def _is_of_dense_features(model: NewPoints) -> bool:
    """Whether there is a `predict_proba`: scikit-learn's checks take what has one for sparse data for a classifier."""
    return not sp.issparse(getattr(model, "X_fit_", None))


class NewPoints(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GraphClusterer):  # type: ignore[misc]
    """A clusterer that puts new points into the clusters it has found, by the fitted points around them."""

    noise: bool
    labels_: IntArray
    result_: S3NMFResult
    membership_: FloatArray
    affinity_matrix_: Affinity
    X_fit_: Any
    _limits: list[float]

    def predict(self, X: Any, *, outliers: bool = False) -> IntArray:
        """Cluster of each new point: that of most of the training points around it.

        The votes of its nearest training points, as many as the graph has neighbours, are weighted by distance. A point
        that was fitted keeps its label: row i of X is taken for row i of the training data if they are equal, and any
        other row for the first of its neighbours that it equals. So `predict(X_train)` is `labels_`. Every point gets a
        cluster, unless `outliers` or `noise` is set.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features), or (n_new, n_samples) if precomputed
            With `affinity="precomputed"`, the affinities of new points to those that were fitted, which are the weights
            of their votes.
        outliers : bool, default=False
            Whether outliers get -1: points that are farther from all training points than 999 of 1,000 of these are
            from the nearest other one, or have no affinity to any. With `noise`, the parameter of the model, noise
            gets -1: points of which less than half of the training points around them, by their weights and
            memberships, are in any cluster. Outliers are among them.

        Returns
        -------
        labels : array of shape (n_new,)

        Examples
        --------
        >>> from sklearn.datasets import make_blobs
        >>> from s3nmf import S3NMF
        >>> X, y = make_blobs(300, centers=3, cluster_std=1.2, random_state=0)
        >>> model = S3NMF(3).fit(X)
        >>> model.predict([X[0], [50.0, 50.0]], outliers=True).tolist() == [model.labels_[0], -1]
        True
        """
        found = self.assign(X)
        labels = found.labels_without_noise if self.noise else found.labels
        return np.where(found.outliers, NO_CLUSTER, labels) if outliers else labels

    @available_if(_is_of_dense_features)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> FloatArray:
        """Share of each cluster in each point and, in the last column, of none; they add up to 1.

        The share of the cluster of `predict` is the confidence, and of all clusters the largest. The last column is
        what speaks for no cluster: more than half of it for every outlier, all of it for a point without any edge. It
        also has what another cluster has beyond the predicted one, which `membership` tells apart. A model of sparse
        features has this as `assign(X).probabilities` only.

        Parameters
        ----------
        X : array-like or sparse matrix, as for `predict`

        Returns
        -------
        shares : array of shape (n_new, n_clusters + 1)

        Examples
        --------
        >>> from sklearn.datasets import make_blobs
        >>> from s3nmf import S3NMF
        >>> X, y = make_blobs(300, centers=3, cluster_std=1.2, random_state=0)
        >>> model = S3NMF(3).fit(X)
        >>> shares = model.predict_proba(X)
        >>> shares.shape, bool((shares[:, :-1].argmax(axis=1) == model.labels_).all())
        ((300, 4), True)
        """
        return self.assign(X).probabilities

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

    def score(self, X: Any, y: Any = None) -> float:
        """How well the borders between clusters hold among these points; more is better.

        What `n_clusters="auto"` goes by: the number of clusters that are left when those without a real border between
        them are joined, less one for each that is joined. Among equals counts a fraction, how deep the valley at the
        weakest border is. Points that were not fitted are clustered by `predict`, in a graph of their own whose
        `n_neighbors` and `kernel` are the defaults, so that searches over the parameters of a model can compare them.

        Parameters
        ----------
        X : array-like or sparse matrix, as for `predict`
            Of a precomputed affinity, the graph is that of the fitted and the new points.
        y : ignored
            To go by known groups, ask for a score such as `scoring="adjusted_rand_score"` there.

        Returns
        -------
        score : float
            1 for a single cluster, n_clusters or more where every border is real, and less the more are not.

        Examples
        --------
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn.model_selection import GridSearchCV
        >>> from s3nmf import S3NMF
        >>> X, y = make_blobs(400, centers=[[0, 0], [5, 0], [0, 5]], random_state=0)
        >>> GridSearchCV(S3NMF(), {"n_clusters": [2, 3, 4]}, cv=2).fit(X).best_params_
        {'n_clusters': 3}
        """
        labels, given = self.assign(X).labels, self.affinity == "precomputed"
        if labels.size < _FEWEST_SCORED:
            raise ValueError(f"There is a score of at least {_FEWEST_SCORED} points, and X has {labels.size}.")
        X = self._checked_new(X)
        if given:  # which does not say how new points are joined to each other
            labels = np.concatenate([self.result_.labels, labels])
            judged = judged_graph(None, _with_new_points(self.affinity_matrix_, X), None)
        else:
            judged = judged_graph(X, None, NUMBER_SEARCH.most_points, metric=self.metric)
        inside = judged.of(labels) != NO_CLUSTER
        here = np.full(inside.size, NO_CLUSTER)
        here[inside] = np.unique(judged.of(labels)[inside], return_inverse=True)[1]  # some clusters may have no point
        with team() as threads:
            evidence = judged.evidence(here, threads)
        return evidence.worth + evidence.depth

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
            With `labels`, `membership`, `confidence` and `second_choice` of each new point, and whether it is `noise`;
            a cluster for every one that was not fitted as noise.
        """
        check_is_fitted(self)
        X, is_noise = self._checked_new(X), self.labels_ == NO_CLUSTER
        if self.affinity == "precomputed":
            weights, matches = affinity_votes(self.affinity_matrix_, X)
            return assign(weights, matches, self.result_.labels, self.membership_, is_noise=is_noise)
        k = resolve_n_neighbors(self.n_neighbors, self.X_fit_.shape[0])
        votes = neighbor_votes(self.X_fit_, X, k, self.metric, self.search)
        beyond = times_beyond(votes.distances, self._limit(k))
        return assign(votes.weights, votes.matches, self.result_.labels, self.membership_, beyond, is_noise=is_noise)

    def _limit(self, n_neighbors: int) -> float:
        """How far training points are from each other: found when new points are first asked about, and kept."""
        if not self._limits:
            self._limits.append(limit_among(self.X_fit_, n_neighbors, self.metric, self.search))
        return self._limits[0]


def _with_new_points(W: Affinity, affinity_new: Affinity) -> Affinity:
    """The affinity of fitted and new points, which are joined to those that were fitted, and not to each other."""
    new = sp.csr_array(affinity_new)
    return sp.csr_array(sp.block_array([[sp.csr_array(W), new.T], [new, None]]))
