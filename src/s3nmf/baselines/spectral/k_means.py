"""k-means on the rows of an embedding, the last step of spectral clustering."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, NamedTuple

from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray
from s3nmf._warnings import warn_if_empty
from s3nmf.partitions import by_decreasing_size

MAX_ITER = 300

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
}


class RowClusters(NamedTuple):
    """Labels by decreasing size, the sum of squared distances to the centres, iterations, and whether they ended."""

    labels: IntArray
    inertia: float
    n_iter: int
    converged: bool


def cluster_rows(rows: FloatArray, n_clusters: int, *, n_init: int = 1, random_state: Any = None) -> RowClusters:
    """Lloyd's k-means from `n_init` random draws of rows as centres, the best of them: O(n c^2) an iteration."""
    with one_thread(), warnings.catch_warnings():
        # Fewer distinct rows than clusters are reported below, as empty clusters.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KMeans(n_clusters, init="random", n_init=n_init, max_iter=MAX_ITER, random_state=random_state).fit(rows)
    labels = by_decreasing_size(model.labels_)
    warn_if_empty(int(labels.max()) + 1, n_clusters)
    return RowClusters(labels, float(model.inertia_), int(model.n_iter_), bool(model.n_iter_ < MAX_ITER))
