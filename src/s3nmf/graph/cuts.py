"""Recursive cuts: a partition that knows no resolution, and so holds clusters of very unequal sizes side by side.

Begin with all points. Of all clusters, cut the one whose best cut has the smallest conductance, until there are as many
as wanted. The best cut is found by a sweep along the second eigenvector of the normalised Laplacian (Shi and Malik).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.groups import Groups
from s3nmf.partitions import by_decreasing_size

# Up to so many groups a dense decomposition is as fast as Lanczos iterations.
_DENSE = 128
# A sweep needs the order of the entries of an eigenvector, not their digits.
_PRECISION, _RESTARTS = 1e-2, 100


class Cut(NamedTuple):
    """A cut into two sides.

    Attributes
    ----------
    conductance : float
    crossing : float
        The weight of the links that it cuts.
    side : array of bool, or None
        Whether each node is on the first side; None where there is no cut.
    """

    conductance: float
    crossing: float
    side: Any


_NONE = Cut(np.inf, np.inf, None)


@dataclass(frozen=True, eq=False)
class CoarseGraph:
    """A graph of groups of points: of single points, where there are few.

    Attributes
    ----------
    links : csr_array of shape (n_groups, n_groups)
        Weights of the links between groups, those inside them on the diagonal.
    sizes : array of shape (n_groups,)
        Points in each group.
    group_of : array of shape (n_samples,)
        The group of each point.
    """

    links: Any
    sizes: FloatArray
    group_of: IntArray

    @classmethod
    def of(cls, groups: Groups) -> CoarseGraph:
        """The graph of these groups."""
        starts, neighbors, weights, strength = groups.arrays
        links = sp.csr_array((weights.astype(np.float64), neighbors, starts), shape=(strength.size,) * 2)
        inside = np.maximum(strength - np.asarray(links.sum(axis=1)).ravel(), 0.0)
        group_of = groups.group_of[groups.graph.row_of]
        sizes = np.bincount(group_of, minlength=strength.size).astype(np.float64)
        return cls(sp.csr_array(links + sp.diags_array(inside)), sizes, group_of)


def recursive_cuts(
    graph: CoarseGraph, n_clusters: int, smallest_share: float, most_conductance: float = np.inf
) -> IntArray | None:
    """The partition of the points by recursive cuts; into fewer clusters where nothing can be cut any more.

    Every side of a cut has at least `smallest_share` of an equal share of the points, and two points. None, and the
    search ends, where the largest conductance of the clusters will be more than `most_conductance`: however the sides
    of a cut are cut again, one of their parts has at least the conductance of the whole.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> from s3nmf.graph.communities.groups import find_groups
    >>> W = np.kron(np.eye(3), np.ones((4, 4))) + 0.01
    >>> recursive_cuts(CoarseGraph.of(find_groups(weighted_graph(W), 3, 0)), 3, 0.1).reshape(3, 4)
    array([[0, 0, 0, 0],
           [1, 1, 1, 1],
           [2, 2, 2, 2]])
    """
    fewest = max(2.0, smallest_share * graph.sizes.sum() / n_clusters)
    strength = np.asarray(graph.links.sum(axis=1)).ravel()
    clusters = [np.arange(graph.sizes.size)]
    cuts = [best_cut(graph.links, graph.sizes, fewest)]
    while len(clusters) < n_clusters:
        weakest = int(np.argmin([cut.conductance for cut in cuts]))
        whole, (_, crossing, side) = clusters.pop(weakest), cuts.pop(weakest)
        if side is None:
            clusters.append(whole)
            break
        if crossing > most_conductance * min(strength[whole[side]].sum(), strength[whole[~side]].sum()):
            return None
        for part in (whole[side], whole[~side]):
            clusters.append(part)
            cuts.append(best_cut(graph.links[part][:, part], graph.sizes[part], fewest))
    labels = np.empty(graph.sizes.size, np.intp)
    for number, cluster in enumerate(clusters):
        labels[cluster] = number
    return by_decreasing_size(labels[graph.group_of])


def best_cut(links: Any, sizes: FloatArray, fewest: float) -> Cut:
    """The cut with the smallest conductance along the second eigenvector, both sides with `fewest` points at least.

    A component of enough points is cut off as it is, the smallest first. Other components stay on the side of the rest.
    """
    if sizes.size < 2 or sizes.sum() < 2 * fewest:
        return _NONE
    n_components, component_of = connected_components(links, directed=False)
    if n_components > 1:
        points = np.bincount(component_of, sizes)
        enough = np.flatnonzero(points >= fewest)
        if enough.size > 1:
            return Cut(0.0, 0.0, component_of == enough[np.argmin(points[enough])])
        largest = np.flatnonzero(component_of == np.argmax(points))
        inside = best_cut(links[largest][:, largest], sizes[largest], fewest)
        if inside.side is None:
            return _NONE
        side = np.zeros(sizes.size, bool)
        side[largest[inside.side]] = True
        return Cut(inside.conductance, inside.crossing, side)
    strength = np.asarray(links.sum(axis=1)).ravel()
    order = np.argsort(second_eigenvector(links, strength), kind="stable")
    return _swept(links, strength, sizes, order, fewest)


def _swept(links: Any, strength: FloatArray, sizes: FloatArray, order: IntArray, fewest: float) -> Cut:
    """The cut with the smallest conductance of those between the first nodes in an order and the others."""
    n = order.size
    rank = np.empty(n, np.intp)
    rank[order] = np.arange(n)
    first, second = np.repeat(rank, np.diff(links.indptr)), rank[links.indices]
    forward = first < second
    begun = np.bincount(first[forward], links.data[forward], minlength=n)
    ended = np.bincount(second[forward], links.data[forward], minlength=n)
    crossing = np.cumsum(begun - ended)[:-1]
    volume, points = np.cumsum(strength[order]), np.cumsum(sizes[order])
    smaller = np.minimum(volume, volume[-1] - volume)[:-1]
    allowed = (points[:-1] >= fewest) & (points[-1] - points[:-1] >= fewest) & (smaller > 0)
    if not allowed.any():
        return _NONE
    conductance = np.divide(np.maximum(crossing, 0.0), smaller, out=np.full(n - 1, np.inf), where=allowed)
    best = int(np.argmin(conductance))
    return Cut(float(conductance[best]), float(crossing[best]), rank <= best)


def second_eigenvector(links: Any, strength: FloatArray) -> FloatArray:
    """Of the normalised Laplacian of a connected graph, by D^-1/2: one number for each node."""
    n = strength.size
    roots = 1 / np.sqrt(strength)
    scaled = sp.csr_array(links.multiply(roots[:, None]).multiply(roots[None, :]))
    if n <= _DENSE:
        found = np.linalg.eigh(scaled.toarray())[1][:, -2]
    else:
        found = _by_lanczos(scaled, np.sqrt(strength / strength.sum()))
    found = found * roots
    return np.asarray(found if found[np.argmax(np.abs(found))] > 0 else -found)


def _by_lanczos(scaled: Any, first: FloatArray) -> FloatArray:
    """The second eigenvector of a normalised adjacency whose first one is known; approximate where that takes long."""
    n = first.size

    def without_first(x: FloatArray) -> FloatArray:
        x = x.ravel()
        return np.asarray((scaled @ x + x) / 2 - first * (first @ x))

    start = np.sin(np.arange(1.0, n + 1))
    operator = LinearOperator((n, n), matvec=without_first, dtype=np.float64)
    try:
        return np.asarray(
            eigsh(operator, k=1, which="LA", v0=start - first * (first @ start), tol=_PRECISION, maxiter=_RESTARTS)[1]
        ).ravel()
    except ArpackNoConvergence:
        for _ in range(_RESTARTS):
            start = without_first(start)
            start /= np.linalg.norm(start)
        return np.asarray(start)
