"""Members vote on links: a partition of the graph whose edges weigh by how many members keep their ends together.

The factorization of a co-association takes O(u c (b + c)) a sweep and member, for u distinct tuples of labels. Where
members agree on little, or very many clusters are asked for, that is far more than anything else of a fit. A vote on
the edges alone is linear in them (ensemble clustering for graphs; Poulin and Theberge 2019).
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import Any

import numpy as np

from s3nmf._threads import Team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.graph.communities.groups import Groups, find_groups
from s3nmf.graph.communities.resolution import nearest_resolution
from s3nmf.graph.communities.search import communities
from s3nmf.method.settings import LINK_VOTE
from s3nmf.partitions import by_decreasing_size, indicator


def link_voted_partition(voted: WeightedGraph, n_clusters: int, seed: int, threads: Team) -> IntArray:
    """The partition into so many communities of a voted graph: some searches, each linear in the edges.

    Examples
    --------
    >>> from s3nmf._threads import ALONE
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> cliques = weighted_graph(np.kron(np.eye(3), np.ones((4, 4))) + 0.1)
    >>> members = np.repeat([[0, 1, 2], [0, 0, 1]], 4, axis=1)
    >>> link_voted_partition(voted_graph(cliques, members, np.array([0.5, 0.5])), 3, 0, ALONE).reshape(3, 4)
    array([[0, 0, 0, 0],
           [1, 1, 1, 1],
           [2, 2, 2, 2]])
    """
    if voted.weights.size == 0:
        return joined_to(voted, np.arange(voted.n_rows), n_clusters)
    groups = find_groups(voted, n_clusters, seed)
    value = nearest_resolution(groups, n_clusters, seed)
    return joined_to(voted, _enough(groups, value, n_clusters, seed, threads), n_clusters)


def voted_graph(graph: WeightedGraph, member_labels: IntArray, weights: FloatArray) -> WeightedGraph:
    """The graph with every edge weighted by the members that put both of its ends into one cluster: O(edges b).

    An edge that no member keeps has a small part of its weight left, so that what hangs together still does.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> path = weighted_graph(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]))
    >>> members = np.array([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> ends = path.by_row(np.arange(4))
    >>> found = voted_graph(path, members, np.array([0.5, 0.5])).weights
    >>> bool(found.min() == np.float32(LINK_VOTE.least_share) + 0.475)
    True
    """
    counts = np.diff(graph.starts)
    share = np.zeros(graph.neighbors.size, np.float32)
    label = np.empty(graph.n_rows, member_labels.dtype)
    for labels, weight in zip(member_labels, weights / weights.sum(), strict=True):
        label[graph.row_of] = labels
        share += np.float32(weight) * (np.repeat(label, counts) == label[graph.neighbors])
    voted = graph.weights * (LINK_VOTE.least_share + (1 - LINK_VOTE.least_share) * share)
    inner = graph.strength - _row_sums(graph.weights, counts)
    strength = np.maximum(_row_sums(voted, counts) + inner, np.finfo(np.float32).tiny)
    return replace(graph, weights=voted, strength=strength)


def _row_sums(weights: Any, counts: IntArray) -> FloatArray:
    rows = np.repeat(np.arange(counts.size), counts)
    return np.asarray(np.bincount(rows, weights, minlength=counts.size), np.float64)


def _enough(groups: Groups, value: float, n_clusters: int, seed: int, threads: Team) -> IntArray:
    """Communities of the rows at this resolution, or at the first one above it that has enough of them."""
    step = LINK_VOTE.step
    while True:
        (labels,) = communities(groups, np.array([value]), [seed], threads)
        if int(labels.max()) + 1 >= n_clusters:
            return np.asarray(groups.graph.by_row(labels))
        if value >= groups.finest:
            return np.arange(groups.graph.n_rows)
        value, step = min(value * step, groups.finest), step**2


def joined_to(graph: WeightedGraph, community: IntArray, n_clusters: int) -> IntArray:
    """The partition of the points with communities of the rows joined, the smallest first, until so many are left.

    Each is joined with the community that it has the largest share of the links of; without links, with the next
    smallest one. Costs O(links log links) of the graph of the communities.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> path = weighted_graph(np.eye(6, k=1) + np.eye(6, k=-1))
    >>> joined_to(path, path.by_row(np.array([0, 0, 0, 1, 2, 2])), 2)
    array([0, 0, 0, 1, 1, 1])
    """
    community = by_decreasing_size(community)  # ties by rows, whose order comes from the links
    count = int(community.max()) + 1
    links = _links_between(graph, community)
    volume = np.bincount(community, graph.strength).tolist()
    sizes = np.bincount(community).tolist()
    into = np.arange(count)
    queue = [(size, c) for c, size in enumerate(sizes)]
    heapq.heapify(queue)
    left = count

    def next_smallest() -> int:
        while True:
            size, c = heapq.heappop(queue)
            if into[c] == c and sizes[c] == size:
                return c

    while left > n_clusters:
        small = next_smallest()
        of = links[small]
        target = max(of, key=lambda c: (of[c] / volume[c], -c)) if of else next_smallest()
        # The longer list of links is kept, so that a link is moved O(log n) times in all.
        kept, gone = (small, target) if len(links[small]) > len(links[target]) else (target, small)
        for other, weight in links[gone].items():
            del links[other][gone]
            if other != kept:
                links[kept][other] = links[other][kept] = links[kept].get(other, 0.0) + weight
        links[gone].clear()
        into[gone] = kept
        sizes[kept] += sizes[gone]
        volume[kept] += volume[gone]
        heapq.heappush(queue, (sizes[kept], kept))
        left -= 1
    while (further := into[into]).tolist() != into.tolist():
        into = further
    return by_decreasing_size(into[community][graph.row_of])


def _links_between(graph: WeightedGraph, community: IntArray) -> list[dict[int, float]]:
    """For each community, the weights of its links to others."""
    hot = indicator(community)
    between = (hot.T @ graph.matrix @ hot).tocoo()
    links: list[dict[int, float]] = [{} for _ in range(hot.shape[1])]
    for first, second, weight in zip(between.row.tolist(), between.col.tolist(), between.data.tolist(), strict=True):
        if first != second:
            links[first][second] = weight
    return links
