"""Whether rows depend on the rows before them: then clusters may be stretches of one path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.settings import ROWS


class LinkedRows(NamedTuple):
    """How many rows of a cluster are neighbours of the row below, and how many would be in another order of rows."""

    share: float
    by_chance: float


def linked_rows(affinity: Affinity, labels: IntArray) -> LinkedRows | None:
    """The links between consecutive rows, if there are far more than another order of the rows would have.

    Only pairs of rows in one cluster count, so that a table that is sorted by its clusters is not taken for a path.

    Examples
    --------
    >>> path = np.eye(100, k=1) + np.eye(100, k=-1)
    >>> linked_rows(path, np.repeat([0, 1], 50)).share
    1.0
    """
    inside = (labels[1:] == labels[:-1]) & (labels[1:] != NO_CLUSTER)
    if int(inside.sum()) < ROWS.fewest_pairs:
        return None
    linked = np.asarray(affinity.diagonal(1))[inside] > 0
    own = labels[:-1][inside]
    degree = np.asarray((affinity > 0).sum(axis=1)).ravel()[:-1][inside]
    sizes = np.bincount(labels[labels != NO_CLUSTER])
    by_chance = float(np.mean(np.minimum(1.0, degree / np.maximum(sizes[own] - 1, 1))))
    share = float(linked.mean())
    return LinkedRows(share, by_chance) if share >= max(ROWS.share, ROWS.beyond_chance * by_chance) else None
