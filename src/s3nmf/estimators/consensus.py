"""scikit-learn's faces of the consensus methods: many partitions in, one out."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data

from s3nmf._sklearn import n_samples_of
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._warnings import warn
from s3nmf.baselines.consensus.base_partitions import PARAMETERS as BASE_PARAMETERS
from s3nmf.baselines.consensus.base_partitions import base_partitions
from s3nmf.baselines.consensus.locally_weighted import PARAMETERS as LOCALLY_WEIGHTED_PARAMETERS
from s3nmf.baselines.consensus.locally_weighted import Consensus, LocallyWeightedResult, locally_weighted
from s3nmf.baselines.consensus.pool import check_partitions
from s3nmf.baselines.consensus.spectral_ensemble import PARAMETERS as SPECTRAL_ENSEMBLE_PARAMETERS
from s3nmf.baselines.consensus.spectral_ensemble import SpectralEnsembleResult, spectral_ensemble
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search


class ConsensusClusterer(GraphClusterer):
    """An estimator that combines base partitions: given ones, or symmetric NMFs of the affinity."""

    n_clusters: int
    n_members: int
    max_iter: int
    tol: float
    random_state: Any

    affinity_matrix_: Affinity
    n_iter_: int
    converged_: bool

    def _base_partitions(self, X: Any, partitions: Any) -> IntArray:
        """The partitions to combine; sets what is known about X and how the factorizations ended."""
        for name in ("affinity_matrix_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)  # a fit without X must not keep those of the fit before
        if partitions is None:
            return self._factorized(X)
        given = check_partitions(partitions)
        if X is not None:
            validate_data(self, X, skip_check_array=True)
            if given.shape[1] != n_samples_of(X):
                raise ValueError(
                    f"partitions has shape {given.shape}, and X has n_samples={n_samples_of(X)} rows; it must be "
                    "(n_members, n_samples), one row of labels a partition."
                )
        self.n_iter_, self.converged_ = 0, True
        return given

    def _factorized(self, X: Any) -> IntArray:
        if X is None:
            raise ValueError("There is nothing to cluster: X is None. Pass X, or partitions=... to combine.")
        self.affinity_matrix_ = self._affinity(X)
        found = base_partitions(
            self.affinity_matrix_,
            self.n_clusters,
            self.n_members,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        )
        self.n_iter_, self.converged_ = int(found.sweeps.max()), bool(found.converged.all())
        if not self.converged_ and self.tol > 0:
            warn(
                f"{int((~found.converged).sum())} of the n_members={self.n_members} base factorizations did not "
                f"converge within max_iter={self.max_iter} sweeps to tol={self.tol}. Raise one of them.",
                ConvergenceWarning,
            )
        return found.labels


class SpectralEnsembleClustering(ConsensusClusterer):
    """Spectral ensemble clustering (SEC): the normalised cut of how often base partitions put two points together.

    Parameters
    ----------
    n_clusters : int, default=8
        Clusters of the consensus, and of each base factorization.
    n_members : int, default=20
        Base factorizations.
    n_init : int, default=10
        Starts of the weighted k-means that finds the cut; the best is kept.
    max_iter : int, default=500
        The most sweeps of the base factorizations.
    tol : float, default=1e-3
        The sweeps of a base factorization end when no entry of its V moves by more, relative to the scale of W and,
        beyond 2048 points, to 1 / sqrt(n_samples), as the entries are.
    affinity : {"nearest_neighbors", "precomputed"}, default="nearest_neighbors"
        Whether `fit` gets features or an affinity matrix: symmetric, nonnegative, dense or sparse.
    n_neighbors : int or "auto", default="auto"
        Neighbours of each point in the graph; "auto" is floor(log2 n) + 1.
    kernel : str, default="mean-distance"
        Weights of the graph's edges, see `s3nmf.affinity.nearest_neighbor_affinity`.
    metric : str, default="euclidean"
        Distance between points, any of scikit-learn's NearestNeighbors.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours are searched for: exactly while that takes seconds, approximately for larger data, see
        `s3nmf.affinity.nearest_neighbor_affinity`.
    random_state : int, RandomState or None, default=None
        The same seed gives the same labels, on any number of threads.

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        The consensus. Cluster 0 is the largest.
    objective_ : float
        What the weighted k-means minimises, see `s3nmf.baselines.consensus.spectral_ensemble`.
    partitions_ : array of shape (n_members, n_samples)
        The base partitions, clusters of each by decreasing size.
    n_iter_ : int
        Sweeps of the slowest base factorization; 0 where partitions were given.
    converged_ : bool
        Whether all base factorizations met `tol` before `max_iter`; True where partitions were given.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
        Where no partitions were given.
    result_ : SpectralEnsembleResult
        What the method returned.
    n_features_in_ : int
        Where X was given.
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    References
    ----------
    H. Liu, J. Wu, T. Liu, D. Tao, Y. Fu, "Spectral Ensemble Clustering via Weighted K-Means: Theoretical and Practical
    Evidence", IEEE Transactions on Knowledge and Data Engineering 29 (5), 2017, 1129-1143.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import SpectralEnsembleClustering
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> SpectralEnsembleClustering(n_clusters=4, random_state=0).fit_predict(X).shape
    (300,)
    >>> partitions = [KMeans(k, random_state=0).fit_predict(X) for k in range(4, 9)]
    >>> SpectralEnsembleClustering(n_clusters=4, random_state=0).fit(X, partitions=partitions).partitions_.shape
    (5, 300)
    """

    labels_: IntArray
    objective_: float
    partitions_: IntArray
    result_: SpectralEnsembleResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BASE_PARAMETERS,
        **SPECTRAL_ENSEMBLE_PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_members: int = 20,
        n_init: int = 10,
        max_iter: int = 500,
        tol: float = 1e-3,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_members = n_members
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, partitions: Any = None) -> Self:
        """Cluster the rows of X, or combine partitions of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
            May be None where partitions are given; only its shape and its names are looked at then.
        y : ignored
        partitions : array-like of shape (n_members, n_samples), default=None
            Labels to combine, of any methods: integers or texts, each partition with its own names and number of
            clusters. None makes `n_members` partitions by symmetric NMF of the affinity.

        Returns
        -------
        self
        """
        self._validate_params()
        self.result_ = spectral_ensemble(
            self._base_partitions(X, partitions), self.n_clusters, n_init=self.n_init, random_state=self.random_state
        )
        self.labels_ = self.result_.labels
        self.objective_ = self.result_.objective
        self.partitions_ = self.result_.partitions
        return self


class LocallyWeightedClustering(ConsensusClusterer):
    """Locally weighted ensemble clustering: base clusters count by how far the other partitions confirm them.

    Parameters
    ----------
    n_clusters : int, default=8
        Clusters of the consensus, and of each base factorization.
    n_members : int, default=20
        Base factorizations.
    consensus : {"spectral", "average-linkage", "bipartite"}, default="spectral"
        Spectral clustering of the weighted co-association (LWCA); average linkage on it (LWEA), which needs 8 n^2
        bytes; or the cut of the graph of points and base clusters (LWGP).
    theta : float > 0, default=0.4
        The smaller, the less a base cluster counts that other partitions cut.
    max_iter : int, default=500
        The most sweeps of the base factorizations.
    tol : float, default=1e-3
        The sweeps of a base factorization end when no entry of its V moves by more, relative to the scale of W and,
        beyond 2048 points, to 1 / sqrt(n_samples), as the entries are.
    affinity : {"nearest_neighbors", "precomputed"}, default="nearest_neighbors"
        Whether `fit` gets features or an affinity matrix: symmetric, nonnegative, dense or sparse.
    n_neighbors : int or "auto", default="auto"
        Neighbours of each point in the graph; "auto" is floor(log2 n) + 1.
    kernel : str, default="mean-distance"
        Weights of the graph's edges, see `s3nmf.affinity.nearest_neighbor_affinity`.
    metric : str, default="euclidean"
        Distance between points, any of scikit-learn's NearestNeighbors.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours are searched for: exactly while that takes seconds, approximately for larger data, see
        `s3nmf.affinity.nearest_neighbor_affinity`.
    random_state : int, RandomState or None, default=None
        The same seed gives the same labels, on any number of threads.

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        The consensus. Cluster 0 is the largest.
    cluster_weights_ : array of shape (n_base_clusters,)
        The ensemble-driven cluster index of each base cluster, in [0, 1]; 1 if no partition cuts it. Those of the
        first partition by its labels, then those of the next.
    partitions_ : array of shape (n_members, n_samples)
        The base partitions, clusters of each by decreasing size.
    n_iter_ : int
        Sweeps of the slowest base factorization; 0 where partitions were given.
    converged_ : bool
        Whether all base factorizations met `tol` before `max_iter`; True where partitions were given.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
        Where no partitions were given.
    result_ : LocallyWeightedResult
        What the method returned.
    n_features_in_ : int
        Where X was given.
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    References
    ----------
    D. Huang, C.-D. Wang, J.-H. Lai, "Locally Weighted Ensemble Clustering", IEEE Transactions on Cybernetics 48 (5),
    2018, 1460-1473.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import LocallyWeightedClustering
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> model = LocallyWeightedClustering(n_clusters=4, random_state=0).fit(X)
    >>> model.labels_.shape, model.cluster_weights_.shape
    ((300,), (80,))
    """

    labels_: IntArray
    cluster_weights_: FloatArray
    partitions_: IntArray
    result_: LocallyWeightedResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BASE_PARAMETERS,
        **LOCALLY_WEIGHTED_PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_members: int = 20,
        consensus: Consensus = "spectral",
        theta: float = 0.4,
        max_iter: int = 500,
        tol: float = 1e-3,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_members = n_members
        self.consensus = consensus
        self.theta = theta
        self.max_iter = max_iter
        self.tol = tol
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, partitions: Any = None) -> Self:
        """Cluster the rows of X, or combine partitions of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
            May be None where partitions are given; only its shape and its names are looked at then.
        y : ignored
        partitions : array-like of shape (n_members, n_samples), default=None
            Labels to combine, of any methods: integers or texts, each partition with its own names and number of
            clusters. None makes `n_members` partitions by symmetric NMF of the affinity.

        Returns
        -------
        self
        """
        self._validate_params()
        self.result_ = locally_weighted(
            self._base_partitions(X, partitions),
            self.n_clusters,
            consensus=self.consensus,
            theta=self.theta,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.cluster_weights_ = self.result_.cluster_weights
        self.partitions_ = self.result_.partitions
        return self
