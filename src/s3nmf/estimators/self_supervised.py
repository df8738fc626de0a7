"""scikit-learn's face of the method: many factorizations that come to agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from s3nmf._reporting import reported
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._types import Affinity, BoolArray
from s3nmf._validation import check_distinct_rows
from s3nmf._warnings import DisconnectedGraphWarning
from s3nmf.estimators.judging import Judging
from s3nmf.estimators.new_points import NewPoints
from s3nmf.estimators.other_views import OTHER_VIEWS, Graphs, OtherView, Table, View
from s3nmf.graph.affinity import GRAPH_PARAMETERS
from s3nmf.graph.given import reported_affinity
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search, resolve_n_neighbors
from s3nmf.method import fit as method
from s3nmf.method.copies import distinct_rows, with_copies_together
from s3nmf.method.fit import MembersName, cluster_affinity, first_round, no_features
from s3nmf.method.members import Communities
from s3nmf.method.paper import Factorizations
from s3nmf.method.recipe import Recipe, RecipeName
from s3nmf.method.result import S3NMFResult
from s3nmf.method.small import without_small_clusters
from s3nmf.method.too_large import entries_among, entries_of, refuse_large_fit
from s3nmf.progress import Callback
from s3nmf.trust.choose_k import ClusterCount, recounted
from s3nmf.trust.diagnostics import diagnose
from s3nmf.trust.noise import noise_among
from s3nmf.trust.number import Candidate
from s3nmf.trust.settings import NUMBER_SEARCH


class Clustered(NamedTuple):
    """A partition, and the graph it was found in."""

    affinity: Affinity
    result: S3NMFResult


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
        How matrices are factorized, weighted and compared, see `Recipe`. Where clusters touch, the default takes
        similar sizes to be more likely; "unequal" does not: it is for clusters of which some have many times as many
        points as others. With members="factorizations", "text" is the paper to the letter and "authors" its published
        code.
    noise : bool, default=False
        Whether noise is put into no cluster: -1 in `labels_`, and by `predict`. In a table, noise are points that are
        farther from others than the points of any cluster, if there is a gap between these distances; the others are
        clustered without them. In a graph that is given, they are points with less than half of the evidence for their
        own cluster.
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
        -1 for points without any edge, or in too small a part of the graph; with `noise`, also for noise.
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
        table = Table(X, self.n_neighbors, self.kernel, self.metric, self.search)
        view = View(table, self._graphs_of(X))
        self.affinity_matrix_ = view.graphs.affinity
        self._keep_features(X if self.affinity != "precomputed" else None)
        self.choice_ = self._choice_in(view, numbers)
        n_clusters, looks = self._n_asked, self._other_views()
        clustered = self._clustering(n_clusters, has_shape=self._has_shape, callback=callback)
        found = clustered(view)
        for look in looks:
            for other in look(table, found.result.share_across, n_clusters):
                found = self._clearer(found, other, clustered)
        if self.noise and view.graphs.reach is not None:
            noise = noise_among(view.graphs.reach, found.result.labels)
            found = self._without_noise(view, found, noise, callback) if noise.any() else found
        self.affinity_matrix_, result = found
        result = without_small_clusters(result, self.affinity_matrix_, self.min_cluster_size)
        if self.affinity != "precomputed" and not isinstance(first_round(self.members), Factorizations):
            result = with_copies_together(result, distinct_rows(X))
        self._describe(result, diagnose(result), self._traced(result))
        return self

    def _choice_in(self, view: View, numbers: list[int] | None) -> ClusterCount | None:
        """Which number of clusters there are in a view; None where one was asked for."""
        self._judged = None
        if numbers is not None and len(numbers) == 1:
            return None
        choice = self._chosen(numbers)
        return self._recounted(view, choice) if choice.has_clusters and self._was_sampled() else choice

    def _without_noise(self, view: View, found: Clustered, noise: BoolArray, callback: Callback | None) -> Clustered:
        """The partition of points that are not noise, in the graph where it was found, without the edges of noise."""
        kept = sp.diags_array((~noise).astype(np.float64))
        self.affinity_matrix_ = sp.csr_array(kept @ found.affinity @ kept)
        self.affinity_matrix_.eliminate_zeros()
        is_usual = found.affinity is view.graphs.affinity
        fewer, more = (view.graphs.narrower, view.graphs.wider) if is_usual else ([], None)
        rest = View(view.table, Graphs(self.affinity_matrix_, fewer, more))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DisconnectedGraphWarning)  # noise is apart on purpose
            self.choice_ = self._choice_in(rest, self._numbers())
            return self._clustering(self._n_asked, has_shape=self._has_shape, callback=callback)(rest)

    def _was_sampled(self) -> bool:
        """Whether the number of clusters is that of a sample, and all points may show more."""
        n = self.affinity_matrix_.shape[0]
        has_all = self.affinity != "precomputed" and self._judged_graph().rows is None
        return has_all and NUMBER_SEARCH.most_points < n <= NUMBER_SEARCH.most_refitted

    def _recounted(self, view: View, choice: ClusterCount) -> ClusterCount:
        """The number of clusters by borders between all points.

        From that of a sample down to as many as are real, and up from there.
        """
        allowed, found = self._numbers(), dict[int, Candidate]()

        def try_on_all_points(k: int) -> None:
            if k not in found and (allowed is None or k in allowed):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # the fit itself says what is wrong with the graph
                    labels = self._clustering(k, has_shape=False)(view).result.labels
                found[k] = Candidate(labels, self._borders_of(labels, self._judged_graph()))

        def best() -> int:
            return max(found, key=lambda k: found[k].evidence.worth)

        try_on_all_points(choice.n_clusters)
        try_on_all_points(max(2, found[choice.n_clusters].evidence.n_real))
        k = best()
        while k < best() + NUMBER_SEARCH.tries and (allowed is None or k < max(allowed)):
            k += 1
            try_on_all_points(k)
        return recounted(choice, list(found.values()))

    def _clustering(
        self, n_clusters: int, *, has_shape: bool, callback: Callback | None = None
    ) -> Callable[[View], Clustered]:
        """How a view is clustered, and whether its clusters may have a shape."""
        members, recipe, is_table = first_round(self.members), Recipe.of(self.recipe), self.affinity != "precomputed"
        in_turns = members if isinstance(members, Communities) and not members.more_graphs else None

        def clustered(view: View) -> Clustered:
            X, (affinity, fewer, more, _) = view.table.points, view.graphs
            W, isolated = reported_affinity(affinity, n_clusters, built=is_table)
            result = cluster_affinity(
                W,
                n_clusters,
                isolated=isolated,
                members=members if in_turns is None else replace(in_turns, more_graphs=fewer, wider=more),
                n_members=self.n_members,
                max_rounds=self.max_rounds,
                recipe=recipe,
                X=X if has_shape else no_features(X.shape[0]),
                random_state=self.random_state,
                n_jobs=self.n_jobs,
                callback=callback,
            )
            return Clustered(affinity, result)

        return clustered

    def _other_views(self) -> tuple[OtherView, ...]:
        """Those of tables, whose communities are looked for."""
        is_table, members = self.affinity != "precomputed", first_round(self.members)
        return OTHER_VIEWS if is_table and isinstance(members, Communities) else ()

    def _clearer(self, found: Clustered, view: View, clustered: Callable[[View], Clustered]) -> Clustered:
        """The partition in another view, if its weakest border there is stronger than that of what was found before."""
        judged = view.judged()
        before = self._borders_of(found.result.labels, judged)
        if before.stands_out:
            return found
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DisconnectedGraphWarning)  # that of the usual graph was said
            other = clustered(view)
        return other if self._borders_of(other.result.labels, judged).score > before.score else found

    @property
    def _has_shape(self) -> bool:
        """Whether clusters may have a shape."""
        return self.affinity != "precomputed" and self.metric == "euclidean"

    def _asked(self, X: Any, n_clusters: int) -> tuple[Any, ...] | None:
        """What is asked of memory, by the shape of X alone; None for anything that is not a table."""
        if len(getattr(X, "shape", ())) != 2 or X.shape[0] < 2:
            return None
        if self.affinity == "precomputed":
            size = entries_of(X)
        else:
            size = entries_among(X, resolve_n_neighbors(self.n_neighbors, X.shape[0]))
        return first_round(self.members), Recipe.of(self.recipe).precision, size, self.n_members, n_clusters

    def _graphs_of(self, X: Any) -> Graphs:
        """W of what `fit` was given."""
        if self.affinity == "precomputed":
            return Graphs(X, [], None)
        return Table(X, self.n_neighbors, self.kernel, self.metric, self.search).graphs()

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
