"""scikit-learn's face of the method: many factorizations that come to agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from s3nmf._reporting import reported
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._types import Affinity
from s3nmf._validation import check_distinct_rows
from s3nmf.estimators.judging import Judging
from s3nmf.estimators.new_points import NewPoints
from s3nmf.graph.affinity import GRAPH_PARAMETERS, affinity_among
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search, narrower, nearest_neighbors, resolve_n_neighbors, wider
from s3nmf.graph.settings import GROUPING
from s3nmf.method import fit as method
from s3nmf.method.fit import MembersName, first_round, self_supervised_nmf
from s3nmf.method.members import Communities
from s3nmf.method.recipe import Recipe, RecipeName
from s3nmf.method.result import S3NMFResult
from s3nmf.method.score import share_across
from s3nmf.method.settings import NOISY_GRAPH
from s3nmf.method.small import without_small_clusters
from s3nmf.method.too_large import entries_among, entries_of, refuse_large_fit
from s3nmf.progress import Callback
from s3nmf.trust.choose_k import ClusterCount, recounted
from s3nmf.trust.diagnostics import diagnose
from s3nmf.trust.number import Candidate
from s3nmf.trust.settings import NUMBER_SEARCH
from s3nmf.trust.steps import have_weight, spread_over_steps, steps_of


class Graphs(NamedTuple):
    """W, and how to make other graphs of the same points, if they have features."""

    affinity: Affinity
    narrower: list[Callable[[], Affinity]]
    wider: Callable[[], Affinity] | None


class S3NMF(Judging, NewPoints):
    """Clustering by self-supervised symmetric nonnegative matrix factorization.

    Many partitions of one similarity graph vote on a sharper similarity, which is factorized, in rounds, until they
    agree. The result is one partition, and for each point how sure it is.

    Parameters
    ----------
    n_clusters : int, "auto" or iterable of int, default="auto"
        How many clusters; "auto" is as many as have a real border to every other one, 1 where there are none; several
        numbers are those to choose from. The paper's form, members="factorizations", needs one number.
    members : {"communities", "factorizations"} or array of shape (n_partitions, n_samples), default="communities"
        Where round 1 gets its partitions. Communities of the graph by modularity, of features also of graphs with a
        half, a third and a quarter of the neighbours, or with twice as many where those fall to pieces. Factorizations
        of it from random starts: the paper's form. Or these ones: runs of k-means or Leiden, labels of several people;
        any number of clusters each, -1 for a point in none.
    n_members : int, default=20
        Partitions a round.
    max_rounds : int, default=10
    affinity : {"nearest_neighbors", "precomputed"}, default="nearest_neighbors"
        Whether `fit` gets features or an affinity matrix: symmetric, nonnegative, dense or sparse.
    n_neighbors : int or "auto", default="auto"
        Neighbours of each point in the graph; "auto" is floor(log2 n) + 1, or six times as many where neighbours are
        random: where by these more than .3 of the links lead to other clusters.
    kernel : {"mean-distance", "self-tuning", "binary", "jaccard"}, default="mean-distance"
        Weights of the graph's edges, see `s3nmf.affinity.nearest_neighbor_affinity`.
    metric : str, default="euclidean"
        Distance between points, any of scikit-learn's NearestNeighbors.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours are searched for: exactly while that takes seconds, approximately for larger data, see
        `s3nmf.affinity.nearest_neighbor_affinity`.
    recipe : {"default", "unequal", "text", "authors"} or Recipe, default="default"
        How matrices are factorized, weighed and compared, see `Recipe`. The default takes clusters of like sizes to be
        more likely where they touch; "unequal" does not, for clusters of which some have many times as many points as
        others. With members="factorizations", "text" is the paper to the letter and "authors" its published code.
    noise : bool, default=False
        Whether points in doubt, with less than half of the evidence for their own cluster, are put into none: -1 in
        `labels_`, and by `predict`.
    min_cluster_size : int, default=1
        The fewest points of a cluster. Smaller ones join the cluster that they have most edges to, so that there may be
        fewer than `n_clusters`; points of those without an edge to any other are put into none: -1.
    random_state : int, RandomState or None, default=None
        For members="factorizations", which start at random. Otherwise the same data have the same labels, whatever the
        seed: the order in which communities are searched for comes from the links of the graph. Either way they are the
        same on any number of threads, for any `n_jobs`, by any backend of joblib.
    n_jobs : int or None, default=None
        Workers of joblib that the members are split over. One worker already uses all cores.
    callback : callable or None, default=None
        Called with a `s3nmf.Progress` as the rounds go on: where the fit is, and an estimate of the time left.
    verbose : bool or int, default=False
        Whether to show how far the fit is: by a bar in a notebook, and in a terminal where rich is installed
        (s3nmf[cli]); elsewhere by lines of the log, of logger "s3nmf" at level INFO, on standard error.

    Attributes
    ----------
    labels_ : array of shape (n_samples,)
        The partition: that of the highest-weight member of the chosen round; with communities, the candidate with the
        best score, refined by the links of points and by the shape of clusters. Cluster 0 is the largest.
        -1 for points without any edge, or in too small a part of the graph; with `noise`, also for points in doubt,
        whose clusters are in `result_.labels`.
    n_clusters_ : int
        The number of clusters that were found.
    choice_ : ClusterCount or None
        How the number was chosen, if it was; `print` says it in words.
    levels_ : Levels
        Coarser and finer partitions around this one: `levels_.cut(k)` joins or splits its clusters, without another
        search for neighbours. Found when it is first asked for.
    n_noise_ : int
        How many points have the label -1.
    confidence_ : array of shape (n_samples,)
        How sure the partition is of each point, in [0, 1]. Look at the lowest ones first.
    membership_ : array of shape (n_samples, n_clusters)
        How far each point belongs to each cluster, by the members of round 1 and the point's neighbours; to its own,
        that is the confidence. Rows add up to 1 at most: to less where members cut the cluster that a point is in. As
        many columns as clusters were found.
    second_choice_ : array of shape (n_samples,)
        The other cluster with the largest share; -1 where no other cluster has any.
    member_labels_ : array of shape (n_members, n_samples)
        The partitions of the chosen round.
    weights_ : array of shape (n_members,)
        Their weights.
    agreement_ : array of shape (n_rounds,)
        Average normalised mutual information of the members, by round.
    chosen_round_ : int
        The round with the highest agreement, counted from 1.
    n_iter_ : int
        Sweeps, over all rounds.
    affinity_matrix_ : array or csr_array of shape (n_samples, n_samples)
    X_fit_ : array or csr_array of shape (n_samples, n_features)
        The features that were fitted, which `predict` needs: X itself where that was an array of floats, so do not
        change it in place. Not there if the affinity is precomputed.
    result_ : S3NMFResult
        All of this, with the history of every round.
    n_features_in_ : int
    feature_names_in_ : array of shape (`n_features_in_`,)
        Where X has names for its columns.

    References
    ----------
    Y. Jia, H. Liu, J. Hou, S. Kwong, Q. Zhang, "Self-supervised Symmetric Nonnegative Matrix Factorization", IEEE
    Transactions on Circuits and Systems for Video Technology 32 (7), 2022, 4526-4537.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    >>> model = S3NMF(n_clusters=4, random_state=0).fit(X)
    >>> model.labels_.shape, model.confidence_.shape
    ((300,), (300,))
    >>> model.predict([[0.0, 0.0]]).shape, model.membership([[0.0, 0.0]]).shape
    ((1,), (1, 4))
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **method.PARAMETERS,
        **GRAPH_PARAMETERS,
        "n_clusters": [*method.PARAMETERS["n_clusters"], StrOptions({"auto"}), "array-like"],
        "noise": ["boolean"],
        "min_cluster_size": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | Iterable[int] = "auto",
        *,
        members: MembersName | Any = "communities",
        n_members: int = 20,
        max_rounds: int = 10,
        affinity: Literal["nearest_neighbors", "precomputed"] = "nearest_neighbors",
        n_neighbors: NeighborCount = "auto",
        kernel: Kernel = "mean-distance",
        metric: str = "euclidean",
        search: Search = "auto",
        recipe: RecipeName | Recipe = "default",
        noise: bool = False,
        min_cluster_size: int = 1,
        random_state: Any = None,
        n_jobs: int | None = None,
        callback: Callback | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.members = members
        self.n_members = n_members
        self.max_rounds = max_rounds
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.metric = metric
        self.search = search
        self.recipe = recipe
        self.noise = noise
        self.min_cluster_size = min_cluster_size
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callback = callback
        self.verbose = verbose

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
        with reported(self.verbose, self.callback) as callback:
            return self._fit(X, callback)

    def _fit(self, X: Any, callback: Callback | None) -> Self:
        numbers = self._numbers()
        if asked := self._asked(X, max(numbers or [NUMBER_SEARCH.voted])):  # before X is copied, or looked at
            refuse_large_fit(*asked)
        X = self._checked(X)
        if numbers is not None and self.affinity != "precomputed":
            check_distinct_rows(X, max(numbers))
        graphs = self._graphs_of(X)
        self.affinity_matrix_ = graphs.affinity
        self._keep_features(X if self.affinity != "precomputed" else None)
        self._judged = None
        self.choice_ = None if numbers is not None and len(numbers) == 1 else self._chosen(numbers)
        if self.choice_ is not None and self.choice_.has_clusters and self._was_sampled():
            self.choice_ = self._recounted(graphs, self.choice_)
        result = self._clustered(X, graphs, callback)
        if (wider := self._clustered_in_wider_graph(X, result, callback)) is not None:
            self.affinity_matrix_, result = wider
        if (without_steps := self._clustered_without_steps(X, result, callback)) is not None:
            self.affinity_matrix_, result = without_steps
        result = without_small_clusters(result, self.affinity_matrix_, self.min_cluster_size)
        self._describe(result, diagnose(result), self._traced(result))
        return self

    def _was_sampled(self) -> bool:
        """Whether the number of clusters is that of a sample, and all points may show more."""
        n = self.affinity_matrix_.shape[0]
        has_all = self.affinity != "precomputed" and self._judged_graph().rows is None
        return has_all and NUMBER_SEARCH.most_points < n <= NUMBER_SEARCH.most_refitted

    def _recounted(self, graphs: Graphs, choice: ClusterCount) -> ClusterCount:
        """The number of clusters by borders between all points.

        From that of a sample down to as many as are real, and up from there.
        """
        allowed, found = self._numbers(), dict[int, Candidate]()

        def try_on_all_points(k: int) -> None:
            if k not in found and (allowed is None or k in allowed):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # the fit itself says what is wrong with the graph
                    labels = self._clustered(None, graphs, None, n_clusters=k).labels
                found[k] = Candidate(labels, self._borders_of(labels))

        def best() -> int:
            return max(found, key=lambda k: found[k].evidence.worth)

        try_on_all_points(choice.n_clusters)
        try_on_all_points(max(2, found[choice.n_clusters].evidence.n_real))
        k = best()
        while k < best() + NUMBER_SEARCH.tries and (allowed is None or k < max(allowed)):
            k += 1
            try_on_all_points(k)
        return recounted(choice, list(found.values()))

    def _clustered(
        self, X: Any, graphs: Graphs, callback: Callback | None, *, n_clusters: int | None = None
    ) -> S3NMFResult:
        """The partition in these graphs of X, into as many clusters as were asked for or chosen, or another number.

        Without X, clusters have no shape.
        """
        members = first_round(self.members)
        if isinstance(members, Communities) and not members.more_graphs:
            members = replace(members, more_graphs=graphs.narrower, wider=graphs.wider)
        return self_supervised_nmf(
            graphs.affinity,
            n_clusters or self._n_asked,
            members=members,
            n_members=self.n_members,
            max_rounds=self.max_rounds,
            recipe=self.recipe,
            features=X if X is not None and self._has_shape(X) else None,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            callback=callback,
        )

    def _clustered_in_wider_graph(
        self, X: Any, result: S3NMFResult, callback: Callback | None
    ) -> tuple[Affinity, S3NMFResult] | None:
        """The partition in a graph with many more neighbours, and that graph, where those of the usual one are random.

        By few neighbours, columns that are noise outweigh the informative ones.
        """
        n = X.shape[0]
        if self.affinity == "precomputed" or self.n_neighbors != "auto" or n >= GROUPING.many_points:
            return None
        k = resolve_n_neighbors(self.n_neighbors, n)
        more = min(NOISY_GRAPH.wider * k, int(NOISY_GRAPH.share_of_cluster * n / self._n_asked))
        if more <= k or not isinstance(first_round(self.members), Communities):
            return None
        placed = np.maximum(result.labels, 0)  # points without an edge have no links to count
        if share_across(self.affinity_matrix_, placed) <= NOISY_GRAPH.most_across:
            return None
        W = affinity_among(nearest_neighbors(X, more, self.metric, self.search), self.kernel)
        return W, self._clustered(X, Graphs(W, [], None), callback)

    def _clustered_without_steps(
        self, X: Any, result: S3NMFResult, callback: Callback | None
    ) -> tuple[Affinity, S3NMFResult] | None:
        """The partition in the table without steps, and its graph, where its weakest border is the stronger one.

        A column of few values can cut the graph of a table along its steps, whatever the other columns say. Where all
        columns have steps, none outweighs the others by them.
        """
        if self.affinity == "precomputed" or not isinstance(first_round(self.members), Communities):
            return None
        k = resolve_n_neighbors(self.n_neighbors, X.shape[0])
        steps = steps_of(X, k)
        if len(steps) == X.shape[1] or not have_weight(steps, X):
            return None
        own = self._borders_of(result.labels)
        if own.n_clusters < 2 or own.stands_out:
            return None
        spread = spread_over_steps(X, k)
        graphs = self._graphs_of_table(spread)
        other = self._clustered(spread, graphs, callback)
        return (graphs.affinity, other) if self._borders_of(other.labels).score > own.score else None

    def _has_shape(self, X: Any) -> bool:
        """Whether the clusters of X may have a shape."""
        return self.affinity != "precomputed" and self.metric == "euclidean"

    def _asked(self, X: Any, n_clusters: int) -> tuple[Any, ...] | None:
        """What is asked of memory, by the shape of X alone; None of what is no table."""
        if len(getattr(X, "shape", ())) != 2 or X.shape[0] < 2:
            return None
        if self.affinity == "precomputed":
            size = entries_of(X)
        else:
            size = entries_among(X, resolve_n_neighbors(self.n_neighbors, X.shape[0]))
        return first_round(self.members), self._recipe.precision, size, self.n_members, n_clusters

    def _graphs_of(self, X: Any) -> Graphs:
        """W of what `fit` was given."""
        return Graphs(X, [], None) if self.affinity == "precomputed" else self._graphs_of_table(X)

    def _graphs_of_table(self, X: Any) -> Graphs:
        n = X.shape[0]
        k = resolve_n_neighbors(self.n_neighbors, n)
        neighbors = nearest_neighbors(X, k, self.metric, self.search)
        return Graphs(
            affinity_among(neighbors, self.kernel),
            [partial(affinity_among, neighbors.nearest(fewer), self.kernel) for fewer in narrower(k)],
            lambda: affinity_among(nearest_neighbors(X, wider(k, n), self.metric, self.search), self.kernel),
        )

    def _traced(self, result: S3NMFResult) -> dict[str, Any]:
        """How the answer came about, for the file and for programs."""
        trace: dict[str, Any] = {
            "similarity": result.history[-1].similarity,
            "agreement": [round(float(value), 6) for value in result.agreement],
            "chosen_round": result.chosen_round,
            **({} if result.trace is None else result.trace.as_numbers()),
        }
        if self.choice_ is not None:
            trace["number_of_clusters"] = {
                "chosen": self.choice_.n_clusters,
                "reason": str(self.choice_.reason),
                "candidates": [one.as_numbers() for one in self.choice_.candidates],
            }
        return trace
