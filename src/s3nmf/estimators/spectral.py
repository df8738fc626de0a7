"""scikit-learn's face of clustering by eigenvectors: k-means on them, and their rotation."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from sklearn.exceptions import ConvergenceWarning

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._warnings import warn
from s3nmf.baselines.spectral import k_means, ng_jordan_weiss, rotation
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search


class NJWSpectralClustering(GraphClusterer):
    """Spectral clustering by Ng, Jordan and Weiss: k-means on unit rows of the leading eigenvectors.

    Unlike scikit-learn's SpectralClustering, it normalises the rows of the eigenvectors of D^-1/2 W D^-1/2, and by
    default takes one random start of k-means, as the paper's comparison does. A sparse graph stays sparse.

    It cuts where edges weigh least. With the default kernel the edges of points far out weigh next to nothing, and such
    points can become clusters of their own; kernel="self-tuning" or "binary" keeps them with the rest.

    Parameters
    ----------
    n_clusters : int, default=8
    n_init : int, default=1
        Random starts of k-means; the best one counts. More of them make the labels depend less on the seed.
    affinity : {"nearest_neighbors", "precomputed"}, default="nearest_neighbors"
        Whether `fit` gets features or an affinity matrix: symmetric, nonnegative, dense or sparse.
    n_neighbors : int or "auto", default="auto"
        Neighbours of each point in the graph; "auto" is floor(log2 n) + 1.
    kernel : str, default="mean-distance"
        Weights of the graph's edges, see `s3nmf.affinity.nearest_neighbor_affinity`.
    metric : str, default="euclidean"
        Distance between points, any of scikit-learn's NearestNeighbors.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours are searched for, see `s3nmf.affinity.nearest_neighbor_affinity`.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        Cluster 0 is the largest.
    embedding_ : array of shape (n_samples, n_clusters)
        Rows of length one; a row of zeros for a point without any edge.
    n_iter_ : int
        Iterations of k-means.
    converged_ : bool
        Whether k-means came to its end.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
    result_ : NgJordanWeissResult
        All of this.
    n_features_in_ : int
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import NJWSpectralClustering
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> NJWSpectralClustering(n_clusters=4, random_state=0).fit_predict(X).shape
    (300,)
    """

    labels_: IntArray
    embedding_: FloatArray
    n_iter_: int
    converged_: bool
    affinity_matrix_: Affinity
    result_: ng_jordan_weiss.NgJordanWeissResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **k_means.PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 1,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
        y : ignored

        Returns
        -------
        self
        """
        self._validate_params()
        self.affinity_matrix_ = self._affinity(X)
        self.result_ = ng_jordan_weiss.ng_jordan_weiss(
            self.affinity_matrix_,
            self.n_clusters,
            n_init=self.n_init,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.embedding_ = self.result_.embedding
        self.n_iter_ = self.result_.n_iter
        self.converged_ = self.result_.converged
        return self


class SpectralRotation(GraphClusterer):
    """Spectral rotation by Huang, Nie and Huang: turn the spectral embedding until its rows point along the axes.

    In place of k-means, min ||F R - G||^2 over rotations R and one-hot G, F the embedding of `NJWSpectralClustering`.
    A sparse graph stays sparse.

    Parameters
    ----------
    n_clusters : int, default=8
    n_init : int, default=1
        Random rotations to start from; the best end counts. More of them make the labels depend less on the seed.
    max_iter : int, default=100
        The most iterations from each start; a handful is usual.
    affinity : {"nearest_neighbors", "precomputed"}, default="nearest_neighbors"
        Whether `fit` gets features or an affinity matrix: symmetric, nonnegative, dense or sparse.
    n_neighbors : int or "auto", default="auto"
        Neighbours of each point in the graph; "auto" is floor(log2 n) + 1.
    kernel : str, default="mean-distance"
        Weights of the graph's edges, see `s3nmf.affinity.nearest_neighbor_affinity`.
    metric : str, default="euclidean"
        Distance between points, any of scikit-learn's NearestNeighbors.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours are searched for, see `s3nmf.affinity.nearest_neighbor_affinity`.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        Cluster 0 is the largest.
    embedding_ : array of shape (n_samples, n_clusters)
        F, its rows of length one; a row of zeros for a point without any edge.
    objective_ : array of shape (`n_iter_` + 1,)
        ||F R - G||^2 at the start and after each iteration; it never increases.
    n_iter_ : int
    converged_ : bool
        Whether the labels repeated before `max_iter`.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
    result_ : SpectralRotationResult
        All of this.
    n_features_in_ : int
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import SpectralRotation
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> SpectralRotation(n_clusters=4, random_state=0).fit_predict(X).shape
    (300,)
    """

    labels_: IntArray
    embedding_: FloatArray
    objective_: FloatArray
    n_iter_: int
    converged_: bool
    affinity_matrix_: Affinity
    result_: rotation.SpectralRotationResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **rotation.PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 1,
        max_iter: int = 100,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
        y : ignored

        Returns
        -------
        self
        """
        self._validate_params()
        self.affinity_matrix_ = self._affinity(X)
        self.result_ = rotation.spectral_rotation(
            self.affinity_matrix_,
            self.n_clusters,
            n_init=self.n_init,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.embedding_ = self.result_.embedding
        self.objective_ = self.result_.objective
        self.n_iter_ = self.result_.n_iter
        self.converged_ = self.result_.converged
        if not self.converged_:
            warn(f"SpectralRotation did not converge within max_iter={self.max_iter}. Raise it.", ConvergenceWarning)
        return self
