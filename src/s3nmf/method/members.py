"""Where members come from: communities of views of the data, or partitions that are given.

A source is a function from a `Task` to `Members`. The paper's, which factorizes the affinity, is in
`s3nmf.method.paper`; everything after members is the same for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from s3nmf._labels import labels_of
from s3nmf._threads import Team, team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph, weighted_graph
from s3nmf.graph.communities.groups import Groups, find_groups
from s3nmf.graph.communities.resolution import find_resolutions
from s3nmf.graph.communities.search import communities
from s3nmf.graph.settings import GROUPING
from s3nmf.method.factorize import Factorizer, Members
from s3nmf.method.settings import VIEWS
from s3nmf.method.views import View, fragmented_views
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size, stacked


@dataclass(frozen=True, eq=False)
class Task:
    """What round 1 has to do, and may use.

    Attributes
    ----------
    affinity : array or csr_array of shape (n_samples, n_samples)
        W, checked.
    n_clusters, n_members : int
    entropy : int
        What random streams are seeded by.
    factorize : Factorizer
    over : callable
        To be called with the share of the round that is done.
    """

    affinity: Affinity
    n_clusters: int
    n_members: int
    entropy: int
    factorize: Factorizer
    over: Callable[[float], None]

    @cached_property
    def graph(self) -> WeightedGraph:
        """W by edges, made when first asked for: for communities, for scores and for the refinement by links."""
        return weighted_graph(self.affinity, self.factorize.threads)


class FirstRound(Protocol):
    """Where members come from."""

    def __call__(self, task: Task) -> Members: ...


class ShareOut(Protocol):
    """How members are shared out over what can work: their communities, each at its resolution and by its seed.

    `over` is to be called with the share of these members that is done.
    """

    def __call__(
        self,
        groups: Groups,
        resolutions: FloatArray,
        seeds: Sequence[int],
        factorize: Factorizer,
        over: Callable[[float], None],
    ) -> list[IntArray]: ...


def shared_out(
    groups: Groups,
    resolutions: FloatArray,
    seeds: Sequence[int],
    factorize: Factorizer,
    over: Callable[[float], None],
) -> list[IntArray]:
    """Communities of the members, over the threads of the team, or over the workers of joblib that share them."""
    n_batches = min(effective_n_jobs(factorize.n_jobs), len(seeds))
    if n_batches == 1:
        found = communities(groups, resolutions, seeds, factorize.threads)
    else:
        find = partial(_batch, groups, n_threads=max(1, factorize.threads.n_threads // n_batches))
        batches = np.array_split(np.arange(len(seeds)), n_batches)
        parts = Parallel(n_jobs=n_batches)(
            delayed(find)(resolutions[batch], [seeds[member] for member in batch]) for batch in batches
        )
        found = [labels for part in parts for labels in part]
    over(1.0)
    return found


@dataclass(frozen=True, eq=False)
class Communities:
    """Communities of the graph: partitions of high modularity, by moving points and merging clusters.

    The resolution of the modularity is searched so that there are `n_clusters` communities, once for each graph, and
    spread over the members, which all weigh the same. A member may have more or fewer of them. Costs some five visits
    of each edge a member, and a byte a point and member.

    Parameters
    ----------
    more_graphs : sequence of callables that return an affinity
        Other views of the same points. Members take turns among W and these.
    wider : callable that returns an affinity, or None
        A graph with more links than W, whose communities take the place of those of fragmented views. With 20,000
        points and more it is not asked for: there, what breaks off is too small to count.
    share_out : callable
        How members are shared out: over threads and the workers of joblib, or as `s3nmf.distributed` does.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from s3nmf import self_supervised_nmf
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_moons(200, noise=0.07, random_state=0)
    >>> sparser = Communities(more_graphs=[lambda: nearest_neighbor_affinity(X, 4)])
    >>> result = self_supervised_nmf(nearest_neighbor_affinity(X), 2, members=sparser, random_state=0)
    >>> result.member_labels.shape, float(result.agreement[-1])
    ((20, 200), 1.0)
    """

    more_graphs: Sequence[Callable[[], Affinity]] = ()
    wider: Callable[[], Affinity] | None = None
    share_out: ShareOut = shared_out

    def __call__(self, task: Task) -> Members:
        """Find them, view by view, and those of fragmented views once more in a wider graph."""
        makers: list[Callable[[], WeightedGraph]] = [lambda: task.graph]
        makers += [partial(_graph_by, make, task.factorize.threads) for make in self.more_graphs]
        view_of = np.arange(task.n_members) % len(makers)
        labels: list[Any] = [None] * view_of.size
        resolutions = np.empty(view_of.size)
        spread = VIEWS.resolution_spread if self.more_graphs else VIEWS.resolution_spread_of_one
        views: list[View] = []

        def find(members: IntArray, number: int, graph: WeightedGraph) -> View:
            *seeds, search_seed, grouping_seed = _seeds(task.entropy, number, members.size + 2)
            groups = find_groups(graph, task.n_clusters, grouping_seed)
            searched = find_resolutions(groups, task.n_clusters, search_seed, spread)
            resolutions[members] = searched.spread(members.size)

            def over(share: float) -> None:
                task.over(min(1.0, (number + share) / len(makers)))

            found = self.share_out(groups, resolutions[members], seeds, task.factorize, over)
            for member, partition in zip(members, found, strict=True):
                labels[member] = partition
            return View((searched.lowest, searched.value, searched.highest), searched.n_communities)

        for number, make in enumerate(makers[: view_of.size]):
            views.append(find(np.flatnonzero(view_of == number), number, make()))
        if self.more_graphs and self.wider is not None and task.affinity.shape[0] < GROUPING.many_points:
            fragmented = fragmented_views(task.graph, labels, view_of)
            members = np.flatnonzero(np.isin(view_of, fragmented))
            if members.size:
                wider = find(members, len(makers), _graph_by(self.wider, task.factorize.threads))
                for number in fragmented:
                    views[number] = replace(wider, replaced=True)
        return _equal(np.stack(labels), resolutions=resolutions, views=tuple(views))


@dataclass(frozen=True, eq=False)
class Partitions:
    """Partitions that are there already: runs of k-means or Leiden, labels of several annotators, ...

    Parameters
    ----------
    labels : array of shape (n_partitions, n_samples)
        Numbers or names of clusters, any number of them in each partition. A point with the number -1 is a cluster of
        its own there: it is put together with no other point.
    """

    labels: Any

    def __call__(self, task: Task) -> Members:
        """Give them all the same weight."""
        n = task.affinity.shape[0]
        try:
            labels = np.asarray(self.labels)
        except ValueError:
            sizes = sorted({len(member) for member in self.labels})
            raise ValueError(
                f"members holds partitions of {sizes[0]} and of {sizes[-1]} points; each must have a label for each of "
                f"the {n} points."
            ) from None
        if labels.ndim != 2 or labels.shape[0] == 0 or labels.shape[1] != n:
            raise ValueError(
                f"members has shape {labels.shape}; partitions of {n} points must be (n_partitions, {n}): one row of "
                "labels for each partition."
            )
        return _equal(stacked(by_decreasing_size(_alone(member)) for member in labels))


def equal_members(labels: Any) -> Members:
    """Members that all weigh the same, with clusters of any numbers from 0 on."""
    return _equal(stacked(by_decreasing_size(np.asarray(member)) for member in labels))


def _equal(labels: IntArray, **more: Any) -> Members:
    b = len(labels)
    return Members(labels, np.full(b, 1.0 / b), np.empty((0, b)), **more)


def _graph_by(make: Callable[[], Affinity], threads: Team) -> WeightedGraph:
    return weighted_graph(make(), threads)


def _seeds(entropy: int, graph: int, count: int) -> list[int]:
    return [int(seed) for seed in np.random.SeedSequence((entropy, 1, graph)).generate_state(count, np.uint64)]


def _batch(groups: Groups, resolutions: FloatArray, seeds: Sequence[int], *, n_threads: int) -> list[IntArray]:
    with team(n_threads) as threads:
        return communities(groups, resolutions, seeds, threads)


def _alone(labels: NDArray[Any]) -> IntArray:
    """The clusters as numbers, each point without one as a cluster of its own."""
    # NaN is not equal to itself, and a comparison with pandas' NA has no truth value.
    missing = np.array([label is None or (label == label) is not True for label in labels.tolist()])  # noqa: PLR0124
    if missing.any():
        raise ValueError(
            f"members has no label for {int(missing.sum())} points of a partition, the first in column "
            f"{int(np.argmax(missing))}. Label points in no cluster -1."
        )
    outside = np.asarray(labels == NO_CLUSTER)
    names = np.unique(labels_of(labels, "members"), return_inverse=True)[1]
    return np.where(outside, names.max() + np.cumsum(outside), names)
