"""How good a partition is by the graph alone: its largest conductance, and its likelihood."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.graph.range import within_range
from s3nmf.method.settings import SCORE, SPEED, VIEWS


class Score(NamedTuple):
    """What decides between candidates.

    Attributes
    ----------
    max_conductance : float
        The largest share of its links that any cluster has to others.
    log_likelihood : float
        Of the partition by a degree-corrected planted partition, by unit of weight.
    n_clusters : int
    """

    max_conductance: float
    log_likelihood: float
    n_clusters: int


def score_of(affinity: Affinity, graph: WeightedGraph, labels: IntArray) -> Score:
    """The score of a partition."""
    W, _ = within_range(affinity)
    return Score(max_conductance(W, labels), log_likelihood(graph, labels), int(labels.max()) + 1)


def is_better(score: Score, than: Score, *, voted: bool = True) -> bool:
    """Whether a score is better than another by more than chance; that of fewer clusters never is.

    It is where its conductance is far less: then the other partition cuts through a cluster. It also is where its
    likelihood is far higher, and its conductance not far more: then clusters touch, and it tells them apart. One that
    was not voted for is better only if it has next to no conductance: it follows the links of one graph, and their
    chance.

    Examples
    --------
    >>> score = Score(0.03, 0.9, 5)
    >>> is_better(Score(0.001, 0.7, 5), than=score), is_better(Score(0.02, 0.9, 5), than=score)
    (True, False)
    >>> is_better(Score(0.03, 0.95, 5), than=score), is_better(Score(0.001, 0.7, 5), than=score, voted=False)
    (True, True)
    >>> is_better(Score(0.03, 0.95, 5), than=score, voted=False), is_better(Score(0.002, 0.7, 5), score, voted=False)
    (False, False)
    """
    if score.n_clusters < than.n_clusters:
        return False
    if score.max_conductance <= far_less_than(than.max_conductance, voted=voted):
        return True
    likelier = score.log_likelihood > than.log_likelihood + SCORE.likelier
    return voted and likelier and not is_far_less(than.max_conductance, than=score.max_conductance)


def is_far_less(conductance: float, than: float) -> bool:
    """Whether a conductance is so much less than another that the other partition cuts through a cluster.

    Examples
    --------
    >>> is_far_less(0.0, than=0.02), is_far_less(0.03, than=0.06), is_far_less(0.0, than=0.0005)
    (True, False, False)
    """
    return conductance <= far_less_than(than)


def far_less_than(conductance: float, *, voted: bool = True) -> float:
    """The largest conductance that is far less than this one; negative where none is."""
    most = SCORE.most_conductance if voted else VIEWS.least_conductance
    return min((conductance - VIEWS.least_conductance) / SCORE.less_conductance, most)


def max_conductance(affinity: Affinity, labels: IntArray) -> float:
    """The largest share of its links, by their weights, that any cluster has to others.

    Examples
    --------
    >>> path = np.array([[0, 1, 0, 0], [1, 0, 3, 0], [0, 3, 0, 1], [0, 0, 1, 0]])
    >>> max_conductance(path, np.array([0, 0, 1, 1])), max_conductance(path, np.array([0, 1, 1, 1]))
    (0.6, 1.0)
    """
    crossing, strength = _by_cluster(affinity, labels)
    return float(np.divide(crossing, strength, out=np.zeros(strength.size), where=strength > 0).max())


def _by_cluster(affinity: Affinity, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """The links of each cluster to others, and all of its links."""
    links, own = _of_points(affinity, labels)
    if sp.issparse(links):
        cluster_of = np.repeat(own, np.diff(links.indptr))
        crosses = labels[links.indices] != cluster_of
        crossing = np.bincount(cluster_of[crosses], links.data[crosses], minlength=int(own.max()) + 1)
    else:
        crossing = np.bincount(own, np.where(labels == own[:, None], 0.0, links).sum(axis=1))
    strength = np.bincount(own, np.asarray(links.sum(axis=1)).ravel(), minlength=crossing.size)
    return np.asarray(crossing, np.float64), np.asarray(strength, np.float64)


def share_across(affinity: Affinity, labels: IntArray) -> float:
    """The share of all links, by their weights, that lead from one cluster to another.

    Examples
    --------
    >>> path = np.array([[0, 1, 0, 0], [1, 0, 3, 0], [0, 3, 0, 1], [0, 0, 1, 0]])
    >>> share_across(path, np.array([0, 0, 1, 1]))
    0.6
    """
    crossing, strength = _by_cluster(affinity, labels)
    return float(crossing.sum() / strength.sum()) if strength.sum() > 0 else 0.0


def _of_points(affinity: Any, labels: IntArray) -> tuple[Any, IntArray]:
    """Rows of the affinity, and the clusters of their points: of all, or in a large graph of some, drawn at random."""
    n = labels.size
    n_entries = affinity.nnz if sp.issparse(affinity) else affinity.size
    if n_entries <= SPEED.entries_looked_at:
        return affinity, labels
    drawn = max(1, n * SPEED.entries_looked_at // n_entries)
    some = np.random.default_rng(0).choice(n, drawn, replace=False, shuffle=False)
    some.sort()
    return affinity[some], labels[some]


def log_likelihood(graph: WeightedGraph, labels: IntArray) -> float:
    """The log-likelihood of a partition by a degree-corrected planted partition, by unit of weight.

    The densities of clusters are those that fit the partition best. The model (`s3nmf._core.likeliest`) knows the sum
    of the links of each point, so that only where they lead to counts. Values of different graphs, and of partitions
    into different numbers of clusters, cannot be compared.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> path = weighted_graph(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]))
    >>> log_likelihood(path, np.array([0, 0, 1, 1])) > log_likelihood(path, np.array([0, 1, 1, 0]))
    True
    """
    import s3nmf._core.likeliest as compiled  # noqa: PLC0415

    of_partition: Any = compiled.log_likelihood
    starts, neighbors, weights, _ = graph.arrays
    return float(of_partition(starts, neighbors, weights, graph.by_row(labels), int(labels.max()) + 1))
