"""From neighbours to edge weights, and from directed to symmetric."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.utils import gen_batches

from s3nmf._indices import compact
from s3nmf._types import FloatArray, SparseMatrix
from s3nmf.graph.neighbors import Neighbors

Kernel: TypeAlias = str
"""One of `KERNELS`."""

_Weigh: TypeAlias = Callable[[Neighbors], FloatArray]
_Symmetrise: TypeAlias = Callable[[SparseMatrix], SparseMatrix]

SELF_TUNING_NEIGHBOR = 7

_ENTRIES_AT_ONCE = 2**20


def average(A: SparseMatrix) -> SparseMatrix:
    """(A + A') / 2: an edge that only one of its points chose gets half the weight."""
    both = sp.csr_array(A + A.T)
    both.data *= 0.5
    return both


def union(A: SparseMatrix) -> SparseMatrix:
    """max(A, A'): an edge counts in full if either of its points chose it."""
    return sp.csr_array(A.maximum(A.T))


class _Recipe(NamedTuple):
    weigh: _Weigh
    symmetrise: _Symmetrise


KERNELS: dict[str, _Recipe] = {}
"""The kernels by name, as the functions below declare themselves."""


def kernel(name: str, symmetrise: _Symmetrise) -> Callable[[_Weigh], _Weigh]:
    """Declare a function to weigh edges by that name, and how the two directions of an edge become one."""

    def declare(weigh: _Weigh) -> _Weigh:
        KERNELS[name] = _Recipe(weigh, symmetrise)
        return weigh

    return declare


@kernel("mean-distance", average)
def mean_distance(neighbors: Neighbors) -> FloatArray:
    """exp(-d^2 / sigma^2), sigma the mean distance to the k + 1 nearest points, the point itself (d = 0) included.

    The published SEEDS affinity is made this way. If every neighbour is a duplicate, sigma is 0 and every weight 1.
    """
    n, k = neighbors.distances.shape
    sigma = neighbors.distances.sum() / (n * (k + 1))
    if sigma == 0.0:
        return np.ones((n, k))
    return np.asarray(np.exp(-((neighbors.distances / sigma) ** 2)))


@kernel("self-tuning", union)
def self_tuning(neighbors: Neighbors) -> FloatArray:
    """exp(-d_ij^2 / (s_i s_j)), s_i the distance of point i to its 7th neighbour (to its last where k < 7)."""
    distances, indices = neighbors
    scale = distances[:, min(SELF_TUNING_NEIGHBOR, distances.shape[1]) - 1]
    if not scale.any():
        return np.ones_like(distances)
    # A point with seven duplicates has no scale of its own: it takes the average one, and keeps its other edges.
    scale = np.where(scale > 0, scale, scale[scale > 0].mean())
    return np.asarray(np.exp(-(distances**2) / (scale[:, None] * scale[indices])))


@kernel("binary", average)
def binary(neighbors: Neighbors) -> FloatArray:
    """1 for every neighbour."""
    return np.ones_like(neighbors.distances)


@kernel("jaccard", union)
def jaccard(neighbors: Neighbors) -> FloatArray:
    """The share of neighbours that i and j have in common; a point counts as its own, so no edge gets weight 0."""
    n, k = neighbors.indices.shape
    indicator = _directed(neighbors, np.ones((n, k))) + sp.eye_array(n, format="csr")
    shared = np.empty((n, k))
    for batch in gen_batches(n, max(1, _ENTRIES_AT_ONCE // k**2)):
        of_point = indicator[np.repeat(np.arange(n)[batch], k)]
        of_neighbor = indicator[neighbors.indices[batch].ravel()]
        shared[batch] = of_point.multiply(of_neighbor).sum(axis=1).reshape(-1, k)
    return np.asarray(shared / (2 * (k + 1) - shared))


def edge_weights(neighbors: Neighbors, kernel: Kernel) -> SparseMatrix:
    """The symmetric weighted graph A of the neighbours, before normalisation."""
    recipe = KERNELS[kernel]
    return recipe.symmetrise(_directed(neighbors, recipe.weigh(neighbors)))


def _directed(neighbors: Neighbors, weights: FloatArray) -> SparseMatrix:
    n, k = neighbors.indices.shape
    return compact(sp.csr_array((weights.ravel(), neighbors.indices.ravel(), k * np.arange(n + 1)), shape=(n, n)))
