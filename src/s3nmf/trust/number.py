"""How many clusters? As many as have a real border to every other one.

One search over all resolutions of modularity gives communities of every size. For a small number of clusters, those
with about as many communities vote, as the members of a fit do; a large number of communities is taken as it is. Each
partition is judged by its borders.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._threads import Team
from s3nmf._types import Affinity, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.graph.communities.groups import Groups, find_groups
from s3nmf.graph.communities.resolution import communities_that_count
from s3nmf.graph.communities.search import communities
from s3nmf.method.fit import self_supervised_nmf
from s3nmf.method.recipe import Recipe
from s3nmf.method.small import joined_small
from s3nmf.partitions import by_decreasing_size
from s3nmf.trust.evidence import Evidence
from s3nmf.trust.judged import JudgedGraph
from s3nmf.trust.settings import NUMBER_SEARCH

# Resolutions that are searched at a time, on all threads.
_AT_A_TIME = 8


@dataclass(frozen=True, eq=False)
class Candidate:
    """A partition that was looked at.

    Attributes
    ----------
    labels : array of shape (n_samples,)
    evidence : Evidence
    """

    labels: IntArray
    evidence: Evidence

    @property
    def n_clusters(self) -> int:
        return self.evidence.n_clusters


def candidates(
    judged: JudgedGraph,
    numbers: Sequence[int] | None,
    threads: Team,
    callback: Callable[[Candidate], None] | None = None,
) -> list[Candidate]:
    """Partitions into these numbers of clusters above 1, or into all that the graph suggests, by increasing number.

    Where several partitions have the same number, the one with the most evidence is kept. The same graph has the same
    candidates.
    """
    n = judged.affinity.shape[0]
    largest = max(numbers) if numbers else min(NUMBER_SEARCH.most_clusters, n // NUMBER_SEARCH.points_a_cluster)
    ladder = _ladder(judged.graph, largest, threads)
    best: dict[int, Candidate] = {}
    hopeless = 0
    for labels in _partitions(judged, ladder, numbers, largest):
        k = int(labels.max()) + 1
        if k < 2 or (numbers is not None and k not in numbers):
            continue
        candidate = Candidate(labels, judged.evidence(labels, threads))
        if callback is not None:
            callback(candidate)
        if k not in best or candidate.evidence.score > best[k].evidence.score:
            best[k] = candidate
        hopeless = hopeless + 1 if k > NUMBER_SEARCH.voted and len(candidate.evidence.unclear) > k else 0
        if hopeless == NUMBER_SEARCH.patience and numbers is None:
            break
    return [best[k] for k in sorted(best)]


def _ladder(graph: WeightedGraph, largest: int, threads: Team) -> list[IntArray]:
    """Communities from the coarsest resolution up, until there are more than the largest number."""
    groups: Groups = find_groups(graph, largest, 0)
    found: list[IntArray] = []
    resolution = NUMBER_SEARCH.coarsest
    while resolution <= groups.finest:
        steps = resolution * NUMBER_SEARCH.step ** np.arange(_AT_A_TIME)
        resolutions = np.repeat(steps[steps <= groups.finest], NUMBER_SEARCH.orders)
        seeds = [len(found) + at for at in range(resolutions.size)]
        found += [np.asarray(labels, np.intp) for labels in communities(groups, resolutions, seeds, threads)]
        if communities_that_count(np.bincount(found[-1])) > 1.5 * largest:
            break
        resolution = steps[-1] * NUMBER_SEARCH.step
    return found


def _partitions(
    judged: JudgedGraph, ladder: list[IntArray], numbers: Sequence[int] | None, largest: int
) -> Iterator[IntArray]:
    """A vote for every small number and for that of the blocks, and every partition of the ladder into more."""
    affinity = judged.affinity
    if not ladder:
        return
    counts = np.array([communities_that_count(np.bincount(labels)) for labels in ladder])
    small = [k for k in (numbers or range(2, largest + 1)) if 2 <= k <= NUMBER_SEARCH.voted]
    for k in small:
        yield _voted(affinity, ladder, counts, k)
    seen: set[bytes] = set()
    for labels, count in zip(ladder, counts, strict=True):
        if NUMBER_SEARCH.voted < count <= largest:
            whole = without_fragments(affinity, labels, NUMBER_SEARCH.smallest)
            if (name := whole.tobytes()) not in seen:
                seen.add(name)
                yield whole
    for k in (k for k in numbers or [judged.n_blocks] if k > NUMBER_SEARCH.voted):
        yield _voted(affinity, ladder, counts, k)


def _voted(affinity: Affinity, ladder: list[IntArray], counts: IntArray, k: int) -> IntArray:
    """The partition into k that communities of about as many vote for."""
    away = np.abs(np.log(np.maximum(counts, 1) / k))
    voters = np.sort(np.argsort(away, kind="stable")[: NUMBER_SEARCH.voters])
    with warnings.catch_warnings():
        # A graph in pieces and clusters that stay empty are what is being looked for.
        warnings.simplefilter("ignore")
        result = self_supervised_nmf(
            affinity,
            k,
            members=np.stack([ladder[at] for at in voters]),
            n_members=NUMBER_SEARCH.voters,
            max_rounds=NUMBER_SEARCH.rounds,
            recipe=Recipe(max_iter=NUMBER_SEARCH.sweeps),
        )
    return result.labels


def without_fragments(affinity: Any, labels: IntArray, smallest: int) -> IntArray:
    """The partition, communities of fewer points joined with those that they have most edges to, the smallest first.

    Examples
    --------
    >>> path = sp.diags_array([np.ones(6), np.ones(6)], offsets=[-1, 1]).tocsr()
    >>> without_fragments(path, np.array([0, 0, 0, 1, 2, 2, 2]), 2)
    array([0, 0, 0, 0, 1, 1, 1])
    """
    sizes = np.bincount(labels)
    if sizes.min() >= smallest:
        return by_decreasing_size(labels)
    hot = sp.csr_array((np.ones(labels.size), (np.arange(labels.size), labels)))
    W = affinity if sp.issparse(affinity) else sp.csr_array(affinity)
    into = joined_small((hot.T @ W @ hot).toarray(), sizes, smallest)
    return by_decreasing_size(np.unique(into[labels], return_inverse=True)[1])


def number_of(found: Sequence[Candidate]) -> int:
    """The number of clusters of the best partition, if any shows that there are clusters; else 1.

    The best has most clusters left when those are joined that have no real border between them, less a price for each
    that was joined; of equally good ones, the one with more clusters.
    """
    if not any(one.evidence.is_clear for one in found):
        return 1

    def worth(one: Candidate) -> tuple[float, int]:
        return (one.evidence.worth, -one.n_clusters) if one.evidence.n_real > 1 else (-np.inf, 0)

    best = max(found, key=worth)
    return best.n_clusters if best.evidence.n_real > 1 else 1
