"""A data set as the methods see it: its graph, made once, and the truth that they are scored by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.datasets import DataSet, data_hash
from s3nmf._types import IntArray, SparseMatrix
from s3nmf.affinity import connectivity, nearest_neighbor_affinity


@dataclass(frozen=True, eq=False)
class Problem:
    """The paper's graph of a data set, its true labels, and what it is known by."""

    name: str
    data_hash: str
    W: SparseMatrix
    y: IntArray
    n_clusters: int
    components: int


def problem_of(data: DataSet) -> Problem:
    """Build the graph: a neighbour search."""
    W = nearest_neighbor_affinity(data.X)
    return Problem(
        name=data.name,
        data_hash=data_hash(data),
        W=W,
        y=data.y,
        n_clusters=int(np.unique(data.y).size),
        components=connectivity(W).n_components,
    )
