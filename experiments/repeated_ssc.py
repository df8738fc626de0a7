"""Sparse spectral clustering again and again: its convex program takes minutes and knows no seed, k-means does."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from sklearn.base import BaseEstimator, ClusterMixin

from s3nmf._types import Affinity, FloatArray, IntArray


class Projection(NamedTuple):
    """What SSC clusters: the embedding by its convex program, and how that ended."""

    embedding: FloatArray
    n_iter: int
    converged: bool


class RepeatedSSC(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """The random part of sparse spectral clustering: k-means on an embedding that is given.

    Parameters
    ----------
    n_clusters : int
    beta, max_iter, tol : float
        Of the convex program.
    n_init : int
        Starts of k-means.
    random_state : int, RandomState or None
    """

    labels_: IntArray
    n_iter_: int
    converged_: bool

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        beta: float = 1e-6,
        max_iter: int = 500,
        tol: float = 1e-6,
        n_init: int = 1,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    @classmethod
    def like(cls, model: BaseEstimator) -> Self:
        """With the settings of an estimator that does both parts."""
        known = cls().get_params()
        return cls(**{name: value for name, value in model.get_params(deep=False).items() if name in known})

    def fit(self, W: Affinity, y: Any = None, *, projection: Projection) -> Self:
        """Cluster the rows of the embedding."""
        from s3nmf.baselines.spectral.k_means import cluster_rows  # noqa: PLC0415

        found = cluster_rows(projection.embedding, self.n_clusters, n_init=self.n_init, random_state=self.random_state)
        self.labels_ = found.labels
        self.n_iter_, self.converged_ = projection.n_iter, projection.converged
        return self
