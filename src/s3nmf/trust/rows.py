"""Whether rows depend on the rows before them: then clusters may be stretches of one path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from s3nmf._types import Affinity, IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.settings import ROWS


class RowLinks(NamedTuple):
    """Which rows are neighbours of the row below, (n - 1,), and how many neighbours each has, (n,)."""

    linked: NDArray[np.bool_]
    degree: IntArray


class Dependence(NamedTuple):
    """How many rows of a cluster are neighbours of the row below, and how many would be in another order of rows."""

    share: float
    by_chance: float


def row_links(affinity: Affinity) -> RowLinks:
    """The links between consecutive rows of a graph."""
    return RowLinks(np.asarray(affinity.diagonal(1)) > 0, np.asarray((affinity > 0).sum(axis=1)).ravel())


def dependence(links: RowLinks, labels: IntArray) -> Dependence | None:
    """The links between consecutive rows, if there are far more than another order of the rows would have.

    Only pairs of rows in one cluster count, so that a table that is sorted by its clusters is not taken for a path.

    Examples
    --------
    >>> path = np.eye(100, k=1) + np.eye(100, k=-1)
    >>> dependence(row_links(path), np.repeat([0, 1], 50)).share
    1.0
    """
    inside = (labels[1:] == labels[:-1]) & (labels[1:] != NO_CLUSTER)
    if int(inside.sum()) < ROWS.fewest_pairs:
        return None
    others = np.bincount(labels[labels != NO_CLUSTER])[labels[:-1][inside]] - 1
    by_chance = float(np.mean(np.minimum(1.0, links.degree[:-1][inside] / others)))
    share = float(links.linked[inside].mean())
    return Dependence(share, by_chance) if share >= max(ROWS.share, ROWS.beyond_chance * by_chance) else None


def pairs_on_a_path(links: RowLinks, labels: IntArray) -> set[tuple[int, int]]:
    """The pairs of clusters, the smaller number first, that consecutive rows lead between; none if no row depends.

    A path that is slow here and fast there has fewer edges where it is fast, and no border.

    Examples
    --------
    >>> path = np.eye(100, k=1) + np.eye(100, k=-1)
    >>> pairs_on_a_path(row_links(path), np.repeat([0, 1], 50))
    {(0, 1)}
    """
    if dependence(links, labels) is None:
        return set()
    crosses = links.linked & (labels[1:] != labels[:-1]) & (labels[1:] != NO_CLUSTER) & (labels[:-1] != NO_CLUSTER)
    pairs = np.sort(np.column_stack([labels[:-1][crosses], labels[1:][crosses]]), axis=1)
    return {(first, second) for first, second in np.unique(pairs, axis=0).tolist()}
