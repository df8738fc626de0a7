"""How far communities stand apart: how few links cut them, and how sparse the data are where they are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from s3nmf._threads import ALONE
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.affinity import affinity_among
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.communities.resolution import SMALLEST_SHARE, rough_resolution
from s3nmf.graph.communities.search import communities
from s3nmf.graph.neighbors import nearest_neighbors, resolve_n_neighbors

_MEMBERS = 5
# Distances below this part of the mean are those of duplicates.
_DUPLICATE = 1e-3


class Figures(NamedTuple):
    """Of partitions into communities, on average.

    Attributes
    ----------
    crossing : float
        Share of the links of a community that lead out of it.
    sparseness : float
        Logarithm of how many times farther than all points those at such links are from their neighbours. NaN where no
        link joins two large communities, or where there are no distances.
    """

    crossing: float
    sparseness: float


class Links(NamedTuple):
    """Links between points, and how far each point is from its neighbours, by its logarithm, if that is known."""

    rows: IntArray
    columns: IntArray
    weights: FloatArray
    log_distance: FloatArray | None


class Search(NamedTuple):
    """A search for communities: how many, and its random stream."""

    n_clusters: int
    seed: int


def of_points(points: FloatArray, metric: str, search: Search) -> Figures | None:
    """The figures of points; None if they cannot be cut."""
    k = resolve_n_neighbors("auto", len(points))
    neighbors = nearest_neighbors(points, k, metric, "exact")
    distances = neighbors.distances
    least = _DUPLICATE * distances.mean()
    if least == 0:  # all points are in one place, as far as numbers tell
        return None
    log_distance = np.log(np.maximum(distances, least)).mean(axis=1)
    rows = np.repeat(np.arange(len(points)), k)
    links = Links(rows, neighbors.indices.ravel(), np.ones(rows.size), log_distance)
    return _of_communities(affinity_among(neighbors, "mean-distance"), links, search)


def of_graph(W: Any, search: Search) -> Figures | None:
    """The same of a graph, which has no distances."""
    rows = np.repeat(np.arange(W.shape[0]), np.diff(W.indptr))
    return _of_communities(W, Links(rows, W.indices, W.data, None), search)


def _of_communities(W: Affinity, links: Links, search: Search) -> Figures | None:
    groups = find_groups(weighted_graph(W), search.n_clusters, search.seed)
    resolution = rough_resolution(groups, search.n_clusters, search.seed)
    seeds = [search.seed * _MEMBERS + member for member in range(_MEMBERS)]
    members = communities(groups, np.full(_MEMBERS, resolution), seeds, ALONE)
    return mean([_figures(labels, links, search.n_clusters) for labels in members])


def _figures(labels: IntArray, links: Links, n_clusters: int) -> Figures | None:
    sizes = np.bincount(labels)
    # Outliers: that they are far from all others is no news.
    large = sizes >= SMALLEST_SHARE * labels.size / n_clusters
    if np.count_nonzero(large) == 1:
        return None
    here, there = labels[links.rows], labels[links.columns]
    crosses = here != there
    total = np.bincount(here, links.weights, sizes.size)
    out = np.bincount(here, links.weights * crosses, sizes.size)
    counted = large & (total > 0)
    crossing = float(np.mean(out[counted] / total[counted])) if counted.any() else 0.0
    between = crosses & large[here] & large[there]
    if links.log_distance is None or not between.any():
        return Figures(crossing, np.nan)
    at_the_border = np.average(links.log_distance, weights=np.bincount(links.rows, between, labels.size))
    return Figures(crossing, float(at_the_border - links.log_distance[large[labels]].mean()))


def mean(found: Sequence[Figures | None]) -> Figures | None:
    """The mean of all that there are; no sparseness where half of them have none."""
    there = [one for one in found if one is not None]
    if not there:
        return None
    sparseness = known_sparseness(there)
    return Figures(
        crossing=float(np.mean([one.crossing for one in there])),
        sparseness=float(sparseness.mean()) if sparseness.size > len(there) / 2 else np.nan,
    )


def known_sparseness(found: Sequence[Figures]) -> FloatArray:
    sparseness = np.array([one.sparseness for one in found])
    return np.asarray(sparseness[np.isfinite(sparseness)])
