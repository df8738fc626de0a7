"""Other views of a table, in which clusters may be clearer than in the graph of its nearest neighbours.

A view applies where something in the usual one shows that neighbours are not to be trusted. What is found in it is kept
where its borders are clearer; that is decided in one place, for all views (`S3NMF._clearer`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from s3nmf._types import Affinity, FloatArray
from s3nmf.graph.affinity import affinity_among
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search, narrower, nearest_neighbors, resolve_n_neighbors, wider
from s3nmf.graph.settings import GROUPING
from s3nmf.method.settings import NOISY_GRAPH
from s3nmf.trust.judged import JudgedGraph, judged_graph
from s3nmf.trust.settings import NOISE, NUMBER_SEARCH
from s3nmf.trust.steps import have_weight, spread_over_steps, steps_of


class Graphs(NamedTuple):
    """W, and how to make other graphs of the same points, if they have features."""

    affinity: Affinity
    narrower: Sequence[Callable[[], Affinity]]
    wider: Callable[[], Affinity] | None
    reach: FloatArray | None = None
    """How far each point is from one of its nearest neighbours."""


@dataclass(frozen=True, eq=False)
class Table:
    """Points, and how graphs of them are made.

    Attributes
    ----------
    points : array or sparse matrix of shape (n_samples, n_features)
    n_neighbors : int or "auto"
    kernel, metric, search : str
    """

    points: Any
    n_neighbors: NeighborCount
    kernel: Kernel
    metric: str
    search: Search

    @property
    def k(self) -> int:
        """Neighbours of each point."""
        return resolve_n_neighbors(self.n_neighbors, self.points.shape[0])

    def affinity(self, k: int) -> Affinity:
        """The graph by so many neighbours."""
        return affinity_among(nearest_neighbors(self.points, k, self.metric, self.search), self.kernel)

    def graphs(self) -> Graphs:
        """That by the usual number, and those by fewer and by more."""
        neighbors = nearest_neighbors(self.points, self.k, self.metric, self.search)
        fewer = [partial(affinity_among, neighbors.nearest(k), self.kernel) for k in narrower(self.k)]
        more = partial(self.affinity, wider(self.k, self.points.shape[0]))
        reach = neighbors.distances[:, min(NOISE.neighbors, self.k) - 1]
        return Graphs(affinity_among(neighbors, self.kernel), fewer, more, reach)


class View(NamedTuple):
    """A table, and the graphs that members look at."""

    table: Table
    graphs: Graphs

    def judged(self) -> JudgedGraph:
        """The graph that borders are judged in."""
        table = self.table
        return judged_graph(
            table.points,
            self.graphs.affinity,
            NUMBER_SEARCH.most_points,
            n_neighbors=table.n_neighbors,
            kernel=table.kernel,
            metric=table.metric,
            search=table.search,
        )


OtherView: TypeAlias = Callable[[Table, float, int], Iterator[View]]
"""From a table, the share of links that lead from one cluster to another in its graph, and the number of clusters."""


def with_more_neighbors(table: Table, share_across: float, n_clusters: int) -> Iterator[View]:
    """A graph with many more neighbours, where those of the usual one are random: many links lead to other clusters.

    By few neighbours, columns that are noise outweigh the informative ones.
    """
    n = table.points.shape[0]
    more = min(NOISY_GRAPH.wider * table.k, int(NOISY_GRAPH.share_of_cluster * n / n_clusters))
    is_chosen_here, is_small = table.n_neighbors == "auto", n < GROUPING.many_points
    if all((is_chosen_here, is_small, more > table.k, share_across > NOISY_GRAPH.most_across)):
        yield View(replace(table, n_neighbors=more), Graphs(table.affinity(more), [], None))


def without_steps(table: Table, share_across: float, n_clusters: int) -> Iterator[View]:
    """The table with equal values spread over the steps between them, where some columns have steps.

    A column of few values can cut the graph of a table along its steps, whatever the other columns say. Where all
    columns have steps, none outweighs the others by them.
    """
    if have_weight(steps_of(table.points, table.k), table.points):
        spread = replace(table, points=spread_over_steps(table.points, table.k))
        yield View(spread, spread.graphs())


OTHER_VIEWS: tuple[OtherView, ...] = (with_more_neighbors, without_steps)
