"""How good a partition is by the links of the graph alone: its largest conductance, and its likelihood."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.method.settings import SCORE, VIEWS

# Links are divided by no less.
_NONE = float(np.finfo(np.float64).tiny)


class Score(NamedTuple):
    """What decides between candidates.

    Attributes
    ----------
    max_conductance : float
        The largest share of its links that any cluster has to others.
    log_likelihood : float
        Of the partition by a degree-corrected planted partition, by unit of weight. Values of different graphs cannot
        be compared; of partitions into different numbers of clusters, that of more is higher by itself.
    share_across : float
        The share of all links, by their weights, that lead from one cluster to another. It decides nothing here.
    n_clusters : int
    """

    max_conductance: float
    log_likelihood: float
    share_across: float
    n_clusters: int


def score_of(graph: WeightedGraph, labels: IntArray) -> Score:
    """The score of a partition; one visit of each edge.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> path = weighted_graph(np.array([[0, 1, 0, 0], [1, 0, 3, 0], [0, 3, 0, 1], [0, 0, 1, 0]]))
    >>> two = score_of(path, np.array([0, 0, 1, 1]))
    >>> round(two.max_conductance, 2), round(two.share_across, 2), two.n_clusters
    (0.6, 0.6, 2)
    >>> score_of(path, np.array([0, 1, 1, 0])).max_conductance > two.max_conductance
    True
    """
    import s3nmf._core.likeliest as compiled  # noqa: PLC0415

    links_of_clusters: Any = compiled.links_of_clusters
    starts, neighbors, weights, _ = graph.arrays
    found = np.empty((4, int(labels.max()) + 1))
    links_of_clusters(starts, neighbors, weights, graph.by_row(labels), found)
    size, links, squares, inside = found
    outside, total = np.maximum(links - inside, 0.0), max(float(links.sum()), _NONE)
    # Pairs k_i k_j of points in a cluster, and of points in different ones; a single point is in no pair.
    within, between = np.where(size > 1, links**2 - squares, 0.0), total**2 - (links**2).sum()
    fit = _fitted(np.append(inside, outside.sum()), np.append(within, between))
    return Score(
        max_conductance=float((outside / np.maximum(links, _NONE)).max()),
        log_likelihood=(fit / total + float(np.log(total))) / 2,
        share_across=float(outside.sum()) / total,
        n_clusters=size.size,
    )


def _fitted(links: FloatArray, pairs: FloatArray) -> float:
    """The log-likelihood with the densities that fit best: links log(links / pairs), where there are any."""
    there = (links > 0) & (pairs > 0)
    return float((links[there] * np.log(links[there] / pairs[there])).sum())


def is_better(score: Score, than: Score) -> bool:
    """Whether a score is better than another by more than chance; that of fewer clusters never is.

    It is where its conductance is far less: then the other partition cuts through a cluster. It also is where its
    likelihood is far higher, and its conductance not far more: then clusters touch, and it tells them apart.

    Examples
    --------
    >>> score = Score(0.03, 0.9, 0.02, 5)
    >>> is_better(score._replace(max_conductance=0.001), than=score)
    True
    >>> is_better(score._replace(max_conductance=0.02), than=score)
    False
    >>> is_better(score._replace(log_likelihood=0.95), than=score)
    True
    """
    less = score.max_conductance <= far_less_than(than.max_conductance)
    far_more = than.max_conductance <= far_less_than(score.max_conductance)
    likelier = score.log_likelihood > than.log_likelihood + SCORE.likelier
    return score.n_clusters >= than.n_clusters and (less or (likelier and not far_more))


def far_less_than(conductance: float) -> float:
    """The largest conductance that is far less than this one; negative where none is.

    Of two partitions, the one with so much more cuts through a cluster.

    Examples
    --------
    >>> 0.0 <= far_less_than(0.02), 0.03 <= far_less_than(0.06), 0.0 <= far_less_than(0.0005)
    (True, False, False)
    """
    return min((conductance - VIEWS.least_conductance) / SCORE.less_conductance, SCORE.most_conductance)
