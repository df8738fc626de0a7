"""Coarser and finer partitions around the one that was found: clusters joined across weak borders, or split."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from s3nmf._notebook import html_table
from s3nmf._threads import Team, team
from s3nmf._types import Affinity, IntArray
from s3nmf._words import counted
from s3nmf.graph.communities.graph import WeightedGraph, weighted_graph
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size
from s3nmf.trust import number
from s3nmf.trust.borders import Border, borders_of
from s3nmf.trust.judged import JudgedGraph


@dataclass(frozen=True)
class Level:
    """A partition of the tree.

    Attributes
    ----------
    n_clusters : int
    border : Border or None
        The weakest border, which the next coarser level joins; None where no edge joins two clusters: then the next
        level joins the two smallest.
    """

    n_clusters: int
    border: Border | None

    @property
    def is_supported(self) -> bool:
        """Whether every border is real: the weakest is."""
        return self.border is None or self.border.is_real


@dataclass(frozen=True, eq=False)
class Levels:
    """A tree of partitions around one: coarser ones join its clusters, finer ones split them, so that all are nested.

    Iterating gives the coarser levels, the partition itself first.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
    labels : array of shape (n_samples,)
        The partition; -1 for points in no cluster, which stay in none.
    n_blocks : int
        How many blocks explain the graph, if they do, else 0.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> X, y = make_blobs(400, centers=[[0, 0], [4.5, 0], [0, 6], [4.5, 6]], random_state=0)
    >>> levels = S3NMF(4).fit(X).levels_
    >>> [level.n_clusters for level in levels]
    [4, 3, 2]
    >>> np.bincount(levels.cut(2)).size
    2
    """

    affinity: Affinity
    labels: IntArray
    n_blocks: int = 0
    _cuts: dict[int, IntArray] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Any:
        return iter(self._coarser)

    def __len__(self) -> int:
        return len(self._coarser)

    def cut(self, n_clusters: int) -> IntArray:
        """The partition of this tree into so many clusters, numbered by decreasing size.

        Coarser ones join the clusters whose border is weakest, first; finer ones split the cluster whose best border
        inside has the most evidence.
        """
        n_points = int(np.count_nonzero(self.labels != NO_CLUSTER))
        if not 1 <= n_clusters <= max(1, n_points):
            raise ValueError(f"cut(n_clusters={n_clusters}) must be from 1 to the number of points, {n_points}.")
        found = int(self.labels.max()) + 1
        if n_clusters == found:
            return self.labels
        if n_clusters > found:
            self._split_to(n_clusters)
        else:
            _ = self._coarser
        if n_clusters not in self._cuts:
            most = max([found, *self._cuts])
            raise ValueError(
                f"There is no partition into {n_clusters} clusters here: the {most} that were found cannot be split "
                "further. Take a smaller number."
            )
        return self._cuts[n_clusters]

    @cached_property
    def _coarser(self) -> tuple[Level, ...]:
        graph, labels, found = weighted_graph(self.affinity), self.labels, []
        # Clusters keep the number that they had at first: only the borders of those that were joined are new.
        first_number = labels.copy()
        with team() as threads:
            borders = {border[:2]: border for border in self._borders(graph, first_number, threads)}
            while (k := int(labels.max()) + 1) > 1:
                _, some = np.unique(labels[labels != NO_CLUSTER], return_index=True)
                at_first = first_number[labels != NO_CLUSTER][some]
                number = {old: new for new, old in enumerate(at_first.tolist())}
                weakest = min(borders.values(), key=lambda one: one.evidence, default=None)
                if weakest is None:  # where all are apart, the two smallest are joined
                    kept, joined = at_first[k - 2], at_first[k - 1]
                else:
                    kept, joined = weakest[:2]
                    first, second = sorted((number[kept], number[joined]))
                    weakest = weakest._replace(first=first, second=second)
                found.append(Level(k, weakest))
                first_number[first_number == joined] = kept
                borders = {pair: one for pair, one in borders.items() if not {kept, joined} & set(pair)}
                borders |= {one[:2]: one for one in self._borders(graph, first_number, threads, int(kept))}
                labels = np.where(labels == number[int(joined)], number[int(kept)], labels)
                labels = self._cuts[k - 1] = _renumbered(labels)
        return tuple(found)

    def _borders(
        self, graph: WeightedGraph, labels: IntArray, threads: Team, of: int | None = None
    ) -> tuple[Border, ...]:
        return borders_of(graph, labels, threads, n_blocks=self.n_blocks, of=of)

    def _split_to(self, n_clusters: int) -> None:
        labels = self._cuts.get(max([k for k in self._cuts if k <= n_clusters], default=0), self.labels)
        if int(labels.max()) + 1 < int(self.labels.max()) + 1:
            labels = self.labels
        with team() as threads:
            halves: dict[bytes, Any] = {}
            while (k := int(labels.max()) + 1) < n_clusters:
                best = None
                for cluster in range(k):
                    points = np.flatnonzero(labels == cluster)
                    name = points.tobytes()
                    if name not in halves:
                        halves[name] = _halved(self.affinity, points, threads)
                    half = halves[name]
                    if half is not None and (best is None or half[0] > best[0]):
                        best = (half[0], points[half[1] == 1])
                if best is None:
                    return
                labels = labels.copy()
                labels[best[1]] = k
                labels = self._cuts[k + 1] = _renumbered(labels)

    def _repr_html_(self) -> str:
        rows = [
            (
                str(level.n_clusters),
                "apart" if level.border is None else f"{level.border.first} and {level.border.second}",
                "" if level.border is None else f"{level.border.crossing:,.0f} of {level.border.level:,.0f}",
                "yes" if level.is_supported else "no",
            )
            for level in self
        ]
        found = f"{counted(int(self.labels.max()) + 1, 'cluster')} and its coarser levels."
        return html_table([found], ("clusters", "weakest border", "edges across, of those inside", "all real"), rows)


def _halved(affinity: Any, points: IntArray, threads: Any) -> tuple[float, IntArray] | None:
    """The best partition of some points into two, and the evidence for it; None if there is none."""
    if points.size < 2:
        return None
    part = affinity[points][:, points]
    found = number.candidates(JudgedGraph(part), [2], threads) if points.size > 2 else []
    if not found:
        return None
    return found[0].evidence.score, found[0].labels


def _renumbered(labels: IntArray) -> IntArray:
    """By decreasing size, points in no cluster left aside."""
    inside = labels != NO_CLUSTER
    found = labels.copy()
    found[inside] = by_decreasing_size(np.unique(labels[inside], return_inverse=True)[1])
    return found
