"""Where round 1 gets its partitions: from communities of the graph, from factorizations of it, or from the caller.

A source is a function from a `Task` to `Members`. Whatever it is, later rounds, confidence and diagnostics are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from s3nmf._labels import labels_of
from s3nmf._threads import Team, team
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph, weighted_graph
from s3nmf.graph.communities.groups import Groups, find_groups
from s3nmf.graph.communities.resolution import find_resolutions
from s3nmf.graph.communities.search import MANY_POINTS, communities
from s3nmf.graph.given import unit_scale
from s3nmf.graph.operators import AffinityOperator, Problem, local_affinity
from s3nmf.graph.range import at_scale, within_range
from s3nmf.method.cuts import is_far_less, most_cut
from s3nmf.method.members import Factorizer, Members, equal_members
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size, stacked

MembersName: TypeAlias = Literal["communities", "factorizations"]

# Members look at a graph at several resolutions, with fewer or more communities than were asked for by up to so large
# a share: what they still agree on does not hang on the resolution. Twice as many cut large clusters that touch small
# ones: on 240 sets of touching blobs the ARI is .90 then and .92 with half as many more, on unequal ones .85 and .89,
# and on nine data sets both have an accuracy of .81. A graph that is one of several of the same features shows
# structure at many scales; where there is only one, it is the data: on LFR graphs .5 is worse than .2, by up to .04 in
# NMI.
_LEEWAY = 0.5
_LEEWAY_OF_ONE = 0.2


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
        """W by edges, made when first asked for: for communities, and for the last look."""
        return weighted_graph(self.affinity, self.factorize.threads)


class FirstRound(Protocol):
    """Where round 1 gets its partitions."""

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
        Other graphs of the same points. Members take turns among W and these.
    wider : callable that returns an affinity, or None
        A graph with more links than W, whose communities take the place of those of graphs that have fallen to pieces:
        by few neighbours each, points that lie close together may not be joined, and pieces of a cluster be mistaken
        for clusters. One can tell by W, of which they cut far more than its own communities do. With 20,000 points and
        more it is not asked for: there, what breaks off is too small to count.
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
        """Find them, graph by graph."""
        makers: list[Callable[[], WeightedGraph]] = [lambda: task.graph]
        makers += [partial(_graph_by, make, task.factorize.threads) for make in self.more_graphs]
        graph_of = np.arange(task.n_members) % len(makers)
        labels: list[Any] = [None] * graph_of.size
        resolutions = np.empty(graph_of.size)
        leeway = _LEEWAY if self.more_graphs else _LEEWAY_OF_ONE

        def find(members: IntArray, number: int, graph: WeightedGraph) -> None:
            *seeds, search_seed, grouping_seed = _seeds(task.entropy, number, members.size + 2)
            groups = find_groups(graph, task.n_clusters, grouping_seed)
            resolutions[members] = find_resolutions(groups, task.n_clusters, search_seed, leeway).spread(members.size)

            def over(share: float) -> None:
                task.over(min(1.0, (number + share) / len(makers)))

            found = self.share_out(groups, resolutions[members], seeds, task.factorize, over)
            for member, partition in zip(members, found, strict=True):
                labels[member] = partition

        for number, make in enumerate(makers[: graph_of.size]):
            find(np.flatnonzero(graph_of == number), number, make())
        if self.more_graphs and self.wider is not None and task.affinity.shape[0] < MANY_POINTS:
            in_pieces = np.flatnonzero(np.isin(graph_of, _in_pieces(task.affinity, labels, graph_of)))
            if in_pieces.size:
                find(in_pieces, len(makers), _graph_by(self.wider, task.factorize.threads))
        return equal_members(np.stack(labels), resolutions=resolutions)


@dataclass(frozen=True, eq=False)
class Factorizations:
    """Factorizations of W from random starts: the paper's round 1."""

    def __call__(self, task: Task) -> Members:
        """Factorize W at unit scale."""
        W, scale = unit_scale(task.affinity)
        recipe = task.factorize.recipe
        factorize = task.factorize
        if recipe.has_starts:  # which are given for the points in their order, and for W at its own scale
            problem = Problem(AffinityOperator(W, precision=recipe.precision), np.arange(W.shape[0]))
            given = factorize.starts_of
            factorize = replace(factorize, starts_of=lambda *of: np.asarray(given(*of)) / np.sqrt(scale))
        else:
            problem = local_affinity(W, recipe.precision)
        del W  # in single precision the problem has its own
        members = factorize(1, problem)
        return replace(members, objective=at_scale(members.objective, scale))


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
        return equal_members(stacked(by_decreasing_size(_alone(member)) for member in labels))


def first_round(members: MembersName | FirstRound | Any) -> FirstRound:
    """The source of that name, the source itself, or partitions as one."""
    if isinstance(members, str):
        return Communities() if members == "communities" else Factorizations()
    return members if callable(members) else Partitions(members)


def _graph_by(make: Callable[[], Affinity], threads: Team) -> WeightedGraph:
    return weighted_graph(make(), threads)


def _seeds(entropy: int, graph: int, count: int) -> list[int]:
    return [int(seed) for seed in np.random.SeedSequence((entropy, 1, graph)).generate_state(count, np.uint64)]


def _in_pieces(affinity: Affinity, labels: Sequence[IntArray], graph_of: IntArray) -> IntArray:
    """The graphs whose communities cut far more of W, which is graph 0, than its own communities do."""
    W, _ = within_range(affinity)
    cuts = np.array([most_cut(W, partition) for partition in labels])
    usual = np.array([np.median(cuts[graph_of == number]) for number in np.unique(graph_of)])
    return np.flatnonzero([is_far_less(usual[0], than=cut) for cut in usual])


def _batch(groups: Groups, resolutions: FloatArray, seeds: Sequence[int], *, n_threads: int) -> list[IntArray]:
    with team(n_threads) as threads:
        return communities(groups, resolutions, seeds, threads)


def _alone(labels: NDArray[Any]) -> IntArray:
    """The clusters as numbers, each point without one as a cluster of its own."""
    # NaN is not itself, and of pandas' NA nobody knows.
    missing = np.array([label is None or (label == label) is not True for label in labels.tolist()])  # noqa: PLR0124
    if missing.any():
        raise ValueError(
            f"members has no label for {int(missing.sum())} points of a partition, the first in column "
            f"{int(np.argmax(missing))}. Label points in no cluster -1."
        )
    outside = np.asarray(labels == NO_CLUSTER)
    names = np.unique(labels_of(labels, "members"), return_inverse=True)[1]
    return np.where(outside, names.max() + np.cumsum(outside), names)
