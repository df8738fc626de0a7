"""Spectral rotation by Huang, Nie and Huang (2013): turn the spectral embedding until its rows point along the axes."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import orthogonal_procrustes
from sklearn.utils import check_random_state

from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_parameters
from s3nmf._warnings import warn_if_empty
from s3nmf.baselines.spectral.embedding import spectral_embedding
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.operators import AffinityOperator
from s3nmf.partitions import by_decreasing_size, partition

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class SpectralRotationResult:
    """A partition and how the rotation came to it.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        Clusters by decreasing size.
    embedding : array of shape (n_samples, n_clusters)
        F, its rows of length one; a row of zeros for a point without any edge.
    objective : array of shape (n_iter + 1,)
        ||F R - G||^2 at the start and after each iteration, G the one-hot of the labels; it never increases.
    n_iter : int
    converged : bool
        Whether the labels repeated before `max_iter`.
    """

    labels: IntArray
    embedding: FloatArray
    objective: FloatArray
    n_iter: int
    converged: bool


class Rotated(NamedTuple):
    """Column of each row, the rotation R (c, c), the trace of the objective, and whether the columns repeated."""

    columns: IntArray
    rotation: FloatArray
    objective: FloatArray
    converged: bool


def spectral_rotation(
    affinity: Any, n_clusters: int, *, n_init: int = 1, max_iter: int = 100, random_state: Any = None
) -> SpectralRotationResult:
    """Cluster an affinity by min ||F R - G||^2 over rotations R and one-hot G, F its spectral embedding.

    The affinity is normalised, whether it is so already or not, and a constant factor of it changes nothing. Costs what
    the embedding does, see `s3nmf.baselines.spectral.embedding.spectral_embedding`, and O(n c^2) an iteration. No n x n
    array is allocated beside a dense affinity, unless there are hardly more points than clusters.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative.
    n_clusters : int
    n_init : int
        Random rotations to start from; the best end counts. The paper takes one.
    max_iter : int
        The most iterations from each of them.
    random_state : int, RandomState or None

    Returns
    -------
    SpectralRotationResult

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> spectral_rotation(W, 2, random_state=0).labels
    array([0, 0, 0, 1, 1, 1])
    """
    check_parameters(PARAMETERS, locals(), "spectral_rotation")
    with one_thread():
        W = prepare_affinity(affinity, n_clusters).matrix
        embedding = spectral_embedding(AffinityOperator(W), n_clusters)
        draw = check_random_state(random_state)
        starts = [np.linalg.qr(draw.standard_normal((n_clusters, n_clusters)))[0] for _ in range(n_init)]
        found = min((rotate(embedding, start, max_iter) for start in starts), key=lambda run: run.objective[-1])
    labels = by_decreasing_size(found.columns)
    warn_if_empty(int(labels.max()) + 1, n_clusters)
    return SpectralRotationResult(labels, embedding, found.objective, found.objective.size - 1, found.converged)


def rotate(embedding: FloatArray, start: FloatArray, max_iter: int) -> Rotated:
    """Alternate the nearest one-hot G and the nearest rotation R, each the best for the other: ||F R - G|| falls.

    A column without any row stays so, unless the rotation brings one in.
    """
    rotation = start
    columns, error = _nearest_one_hot(embedding @ rotation)
    objective = [error]
    for _ in range(max_iter):
        one_hot = np.eye(len(start))[columns]
        rotation = orthogonal_procrustes(embedding, one_hot, check_finite=False)[0]
        before = columns
        columns, error = _nearest_one_hot(embedding @ rotation)
        objective.append(error)
        if np.array_equal(columns, before):
            return Rotated(columns, rotation, np.array(objective), converged=True)
    return Rotated(columns, rotation, np.array(objective), converged=False)


def _nearest_one_hot(rotated: FloatArray) -> tuple[IntArray, float]:
    """Its columns, and the squared distance to it."""
    columns = partition(rotated)
    agreement = np.take_along_axis(rotated, columns[:, None], axis=1).sum()
    return columns, float(np.vdot(rotated, rotated) + len(rotated) - 2.0 * agreement)
