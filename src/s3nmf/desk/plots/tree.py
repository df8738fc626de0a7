"""The levels of a clustering as a tree to draw: one row a level, and places at which no two lines cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from s3nmf.desk.plots.style import legible
from s3nmf.partitions import NO_CLUSTER

if TYPE_CHECKING:
    from s3nmf.trust.borders import Border
    from s3nmf.trust.levels import Levels

# More rows are not told apart.
_MOST_ROWS = 12


@dataclass(frozen=True)
class Node:
    """A cluster of a level.

    Attributes
    ----------
    cluster : int
        Its number at its level.
    size : int
    share : float
        Of all points.
    x : float
        Where it is drawn, from 0 to 1.
    parent : int or None
        The cluster of the row above that it is a part of.
    found : int or None
        The cluster of the clustering that it is; None if it is several of them.
    """

    cluster: int
    size: int
    share: float
    x: float
    parent: int | None
    found: int | None


@dataclass(frozen=True)
class Row:
    """A level.

    Attributes
    ----------
    n_clusters : int
    nodes : tuple of Node
        By the numbers of the clusters.
    joins : tuple of int, or None
        The two clusters with the weakest border; None where no edge joins two clusters, and of one cluster.
    is_real : bool
        Whether that border is real.
    words : str
        How many edges cross it.
    """

    n_clusters: int
    nodes: tuple[Node, ...]
    joins: tuple[int, int] | None = None
    is_real: bool = True
    words: str = ""


def tree_of(levels: Levels) -> tuple[Row, ...]:
    """The rows of the tree from one cluster to those that were found; of many levels some."""
    borders = {level.n_clusters: level.border for level in levels}
    found = max(borders, default=1)
    numbers = [found - at for at in legible(found - 1, _MOST_ROWS - 2)]
    numbers = sorted({1, *([2] if found > 1 else []), *numbers})
    labels = levels.labels
    inside = labels != NO_CLUSTER
    cuts = [levels.cut(number)[inside] for number in numbers]
    _, first = np.unique(cuts[-1], return_index=True)
    # A row a cluster that was found: the clusters that it is in, level by level. Parts of one cluster stand together.
    ways = np.column_stack([cut[first] for cut in cuts])
    places = np.empty(found)
    places[np.lexsort(ways.T[::-1])] = (np.arange(found) + 0.5) / found
    rows = []
    for at, number in enumerate(numbers):
        sizes = np.bincount(cuts[at], minlength=number)
        nodes = []
        for cluster in range(number):
            parts = np.flatnonzero(ways[:, at] == cluster)
            nodes.append(
                Node(
                    cluster=cluster,
                    size=int(sizes[cluster]),
                    share=float(sizes[cluster] / cuts[at].size),
                    x=float(places[parts].mean()),
                    parent=int(ways[parts[0], at - 1]) if at else None,
                    found=int(parts[0]) if parts.size == 1 else None,
                )
            )
        rows.append(_row(tuple(nodes), borders.get(number)))
    return tuple(rows)


def _row(nodes: tuple[Node, ...], border: Border | None) -> Row:
    if border is None:
        return Row(len(nodes), nodes)
    words = f"{border.crossing:,.0f} of {border.level:,.0f}"
    return Row(len(nodes), nodes, (border.first, border.second), border.is_real, words)
