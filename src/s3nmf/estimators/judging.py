"""How far a fitted S3NMF can be trusted: its number of clusters, its borders, its levels and its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Literal, cast

from sklearn.utils.validation import check_is_fitted

from s3nmf._messages import Message, Parameter
from s3nmf._threads import team
from s3nmf._types import Affinity, IntArray
from s3nmf.estimators.stored import Stored
from s3nmf.graph.components import ConnectivityReport, connectivity
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search
from s3nmf.method.recipe import Recipe, RecipeName
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust import Verdict, judge
from s3nmf.trust.choose_k import ClusterCount, count_clusters, numbers_asked, refuse_more_than
from s3nmf.trust.columns import telling_column
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.doubts import TableFacts
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.judged import JudgedGraph, judged_graph
from s3nmf.trust.levels import Levels
from s3nmf.trust.rows import dependence, row_links
from s3nmf.trust.settings import NUMBER_SEARCH


class Judging(Stored):
    """An estimator that chooses and judges its number of clusters by the borders between them."""

    n_clusters: int | Literal["auto"] | Iterable[int]
    members: Any
    affinity: Literal["nearest_neighbors", "precomputed"]
    n_neighbors: NeighborCount
    kernel: Kernel
    metric: str
    search: Search
    recipe: RecipeName | Recipe
    min_cluster_size: int
    noise: bool

    def diagnose(self) -> Diagnostics:
        """Which points, clusters and pairs of clusters to doubt, see `s3nmf.diagnose`: found by `fit`, and kept."""
        check_is_fitted(self)
        return self._diagnostics

    @property
    def n_clusters_(self) -> int:
        """The number of clusters that were found."""
        check_is_fitted(self)
        return int(self.result_.labels.max()) + 1

    @property
    def levels_(self) -> Levels:
        """Coarser and finer partitions around this one."""
        check_is_fitted(self)
        if self._levels is None:
            n_blocks = self._judged_graph().n_blocks if self.affinity == "precomputed" else 0
            self._levels = Levels(self.affinity_matrix_, self.result_.labels, n_blocks)
        return self._levels

    def judge(self, *, borders: bool = True) -> Verdict:
        """How far to trust the partition, in plain words: what the command line says and a report begins with.

        Judged when it is first asked for, and kept.

        Parameters
        ----------
        borders : bool, default=True
            Look at the borders between clusters; and where some are not real, look for a partition all of whose borders
            are. Without it, nothing is said about whether there are clusters at all.

        Returns
        -------
        Verdict

        Examples
        --------
        >>> from sklearn.datasets import make_blobs
        >>> from s3nmf import S3NMF
        >>> X, y = make_blobs(300, centers=4, cluster_std=0.8, random_state=0)
        >>> verdict = S3NMF(n_clusters=4).fit(X).judge()
        >>> print(verdict.count, verdict.judgement, verdict.has_clusters)
        4 clusters. Every border between them is real. True
        """
        check_is_fitted(self)
        if borders not in self._verdicts:
            graph, given = self._connectivity(), self.affinity == "precomputed"
            evidence, has_clusters = self._evidence() if borders else ((), None)
            like_sizes = "normalized" not in (Recipe.of(self.recipe).similarity, self.result_.history[-1].similarity)
            self._verdicts[borders] = judge(
                self._diagnostics.placed,
                graph,
                self.n_clusters_ if self.min_cluster_size > 1 else self._n_asked,  # small ones were to be joined
                evidence,
                has_clusters=has_clusters,
                given=given,
                like_sizes=like_sizes,
                table=self._table_facts(),
            )
        return self._verdicts[borders]

    def _connectivity(self) -> ConnectivityReport:
        """How the graph hangs together; that of a table without the points that are noise."""
        W, placed = self.affinity_matrix_, self.result_.labels != NO_CLUSTER
        return connectivity(W[placed][:, placed] if self.noise and self.affinity != "precomputed" else W)

    def _table_facts(self) -> TableFacts | None:
        """What the table says about the clusters, where there is a table, and there are clusters."""
        if self.affinity == "precomputed" or self.n_clusters_ < 2:
            return None
        labels = self.result_.labels
        names = self._column_names if self._column_names is not None else getattr(self, "feature_names_in_", None)
        return TableFacts(
            telling_column(self.X_fit_, labels),
            dependence(row_links(self.affinity_matrix_), labels),
            names,
            in_file=self._column_names is not None,
        )

    def name_columns(self, names: Sequence[str]) -> None:
        """Tell the verdict what columns are called, where `fit` was given an array."""
        self._column_names = tuple(names)
        self._verdicts.clear()

    def _evidence(self) -> tuple[tuple[Evidence, ...], bool]:
        """The borders of the partition and, where not all are real, of one with real ones; and if there are clusters.

        What chooses the number also says whether there are clusters at all.
        """
        own = self._borders_of(self.result_.labels, self._judged_graph())
        if own.is_clear and own.stands_out and self.choice_ is None:
            return (own,), True
        choice = self.choice_ or self._chosen(None)
        if not choice.has_clusters and 2 not in (self._numbers() or [2]):
            choice = self._chosen(None)  # smaller numbers were not looked at
        if not choice.evidence:
            return (own,), own.is_clear
        if not choice.has_clusters:
            return (own,), False
        if own.stands_out:
            return (own,), True
        best, labels = choice.evidence[0], self._judged_graph().of(self.result_.labels)
        if choice.labels is not None and choice.labels.size == labels.size:
            best = best.renumbered(choice.labels, labels)
        return (own, best), True

    def _judged_graph(self) -> JudgedGraph:
        """The graph that borders are judged in: made when it is first asked for."""
        if self._judged is None:
            self._judged = self._graph_of_a_sample(self.affinity_matrix_)
        return self._judged

    def _searched_graph(self) -> JudgedGraph:
        """The graph in which the number of clusters is searched: of many rows of a table, that of a sample."""
        judged = self._judged_graph()
        if self.affinity == "precomputed" or judged.affinity.shape[0] <= NUMBER_SEARCH.most_points:
            return judged
        return self._graph_of_a_sample(None)

    def _graph_of_a_sample(self, affinity: Affinity | None) -> JudgedGraph:
        return judged_graph(
            None if self.affinity == "precomputed" else self.X_fit_,
            affinity,
            NUMBER_SEARCH.most_points,
            n_neighbors=self.n_neighbors,
            kernel=self.kernel,
            metric=self.metric,
            search=self.search,
        )

    def _numbers(self) -> list[int] | None:
        """The numbers of clusters to choose from; None for any."""
        if isinstance(self.n_clusters, Integral):
            return [int(self.n_clusters)]
        numbers = None if isinstance(self.n_clusters, str) else numbers_asked(cast("Iterable[int]", self.n_clusters))
        if isinstance(self.members, str) and self.members == "factorizations" and (numbers is None or len(numbers) > 1):
            raise ValueError(
                Message(
                    "{}, the paper's form, needs one number of clusters. Give it ({}), or leave out members.",
                    Parameter("members", self.members),
                    Parameter("n_clusters", 3),
                )
            )
        return numbers

    @property
    def _n_asked(self) -> int:
        """The number that was asked for, or chosen."""
        numbers = self._numbers()
        if numbers is not None and len(numbers) == 1:
            return numbers[0]
        return self.n_clusters_ if self.choice_ is None else self.choice_.n_clusters

    def _chosen(self, numbers: Sequence[int] | None) -> ClusterCount:
        """How many clusters there are."""
        searched = self._searched_graph()
        refuse_more_than(searched.affinity.shape[0] - 1, numbers)
        with team() as threads:
            return count_clusters(searched, numbers, threads)

    def _borders_of(self, labels: IntArray, judged: JudgedGraph) -> Evidence:
        """The borders of a partition in this graph."""
        with team() as threads:
            return judged.evidence(judged.of(labels), threads, n_clusters=int(labels.max()) + 1)
