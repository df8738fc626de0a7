"""scikit-learn's face of one symmetric NMF."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from sklearn.exceptions import ConvergenceWarning

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._warnings import warn
from s3nmf.estimators.graph_clusterer import GraphClusterer
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search
from s3nmf.solvers import symmetric_nmf
from s3nmf.solvers.alternating import PENALTY
from s3nmf.solvers.base import Solver
from s3nmf.solvers.starts import StartScale
from s3nmf.solvers.symmetric_nmf import SolverName


class SymNMF(GraphClusterer):
    """Clustering by one symmetric nonnegative matrix factorization, W = V V'.

    Another seed gives another partition; `S3NMF` makes use of that.

    Parameters
    ----------
    n_clusters : int, default=8
    solver : str or callable, default="multiplicative"
        How. `s3nmf.symmetric_nmf` names all solvers, and says what each does.
    penalty : float, default=0.66
        Of the difference between the two factors of solvers that have two, relative to the scale of W.
    graph_regularization : float, default=0.0
        Strength of a term tr(V'L V), L the Laplacian of W, which asks neighbours to have similar rows of V; for solvers
        that take it.
    max_iter : int, default=500
        The most sweeps.
    tol : float, default=1e-3
        Sweeps end when no entry of V moves by more, relative to the scale of W and, beyond 2048 points, to
        1 / sqrt(n_samples), as the entries are.
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
    starts : {"uniform", "kuang"} or array of shape (n_samples, n_clusters), default="uniform"
        Where the factorization starts: at random, at random in the scale of the solution, or here.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        The largest entry of each row of V. Cluster 0 is the largest.
    factor_ : array of shape (n_samples, n_clusters)
        V, its columns in the order of the labels; a row of zeros for a point without any edge.
    objective_ : array of shape (`n_iter_` + 1,)
        What the solver minimises, at the start and after each sweep.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was met before `max_iter`.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
    result_ : SymNMFResult
        All of this.
    n_features_in_ : int
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import SymNMF
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> SymNMF(n_clusters=4, random_state=0).fit_predict(X).shape
    (300,)
    """

    labels_: IntArray
    factor_: FloatArray
    objective_: FloatArray
    n_iter_: int
    converged_: bool
    affinity_matrix_: Affinity
    result_: symmetric_nmf.SymNMFResult
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **symmetric_nmf.PARAMETERS,
        **GRAPH_PARAMETERS,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        solver: SolverName | Solver = "multiplicative",
        penalty: float = PENALTY,
        graph_regularization: float = 0.0,
        max_iter: int = 500,
        tol: float = 1e-3,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        starts: StartScale | Any = "uniform",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.solver = solver
        self.penalty = penalty
        self.graph_regularization = graph_regularization
        self.max_iter = max_iter
        self.tol = tol
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.starts = starts
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
        self.result_ = symmetric_nmf.symmetric_nmf(
            self.affinity_matrix_,
            self.n_clusters,
            solver=self.solver,
            penalty=self.penalty,
            graph_regularization=self.graph_regularization,
            max_iter=self.max_iter,
            tol=self.tol,
            starts=self.starts,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.factor_ = self.result_.factor
        self.objective_ = self.result_.objective
        self.n_iter_ = self.result_.n_iter
        self.converged_ = self.result_.converged
        if not self.converged_ and self.tol > 0:
            warn(
                f"SymNMF did not converge within max_iter={self.max_iter} sweeps to tol={self.tol}. Raise one of them.",
                ConvergenceWarning,
            )
        return self
