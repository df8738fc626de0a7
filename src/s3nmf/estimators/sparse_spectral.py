"""scikit-learn's face of sparse spectral clustering, which looks for a sparse projection in place of eigenvectors."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from sklearn.exceptions import ConvergenceWarning

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._warnings import warn
from s3nmf.baselines.spectral import sparse
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search


class SparseSpectralClustering(GraphClusterer):
    """Sparse spectral clustering by Lu, Yan and Lin: a convex program for a sparse similarity, then k-means.

    O(n^3) an iteration and up to 56 n^2 bytes, 224 MB for 2,000 points: for some thousands of points at most. It is
    refused before it starts where the memory is not there.

    Parameters
    ----------
    n_clusters : int, default=8
    beta : float, default=1e-6
        Weight of sparsity. 0 is spectral clustering without it.
    max_iter : int, default=500
    tol : float, default=1e-6
        Iterations end when the sparse and the low-rank similarity differ by less in every entry, and change by less.
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
        Rows of the leading eigenvectors of the low-rank similarity, of length one.
    n_iter_ : int
        Iterations of the convex program.
    converged_ : bool
        Whether `tol` was met before `max_iter`.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
    result_ : SparseSpectralResult
        All of this, with two n x n arrays.
    n_features_in_ : int
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import SparseSpectralClustering
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> SparseSpectralClustering(n_clusters=4, random_state=0).fit_predict(X).shape
    (300,)
    """

    labels_: IntArray
    embedding_: FloatArray
    n_iter_: int
    converged_: bool
    affinity_matrix_: Affinity
    result_: sparse.SparseSpectralResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **sparse.PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        beta: float = 1e-6,
        max_iter: int = 500,
        tol: float = 1e-6,
        n_init: int = 1,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.max_iter = max_iter
        self.tol = tol
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
        self.result_ = sparse.sparse_spectral_clustering(
            self.affinity_matrix_,
            self.n_clusters,
            beta=self.beta,
            max_iter=self.max_iter,
            tol=self.tol,
            n_init=self.n_init,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.embedding_ = self.result_.solution.embedding
        self.n_iter_ = self.result_.solution.n_iter
        self.converged_ = self.result_.solution.converged
        if not self.converged_ and self.tol > 0:
            warn(
                f"SparseSpectralClustering did not converge within max_iter={self.max_iter} iterations to "
                f"tol={self.tol}. Raise one of them.",
                ConvergenceWarning,
            )
        return self
