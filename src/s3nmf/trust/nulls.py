"""Data like those at hand, but without clusters."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray


def one_cloud(points: FloatArray, random: np.random.Generator) -> FloatArray:
    """As many points of one normal distribution with the same mean and covariance.

    Parameters
    ----------
    points : array of shape (n_points, n_dimensions)
        On their principal axes: the columns are uncorrelated.
    random : Generator
    """
    return np.asarray(points.mean(axis=0) + random.normal(size=points.shape) * points.std(axis=0, ddof=1))


def same_radii(points: FloatArray, random: np.random.Generator) -> FloatArray:
    """The same points, each turned to a random direction around the mean, along the same ellipsoids.

    They keep what one cloud lacks: heavy tails, an empty middle. A single ring stays a ring.
    """
    mean, spread = points.mean(axis=0), points.std(axis=0, ddof=1)
    whitened = np.divide(points - mean, spread, out=np.zeros_like(points), where=spread > 0)
    directions = random.normal(size=points.shape) * (spread > 0)
    length = np.linalg.norm(directions, axis=1, keepdims=True)
    directions *= np.linalg.norm(whitened, axis=1, keepdims=True) / np.where(length > 0, length, 1.0)
    return np.asarray(mean + directions * spread)


def rewired(W: sp.csr_array, most_points: int, random: np.random.Generator) -> sp.csr_array:
    """A graph of at most so many points whose ends of edges are joined at random: the same degrees, no communities.

    Examples
    --------
    >>> W = sp.csr_array(np.kron(np.eye(4), 1 - np.eye(5)))
    >>> found = rewired(W, 12, np.random.default_rng(0))
    >>> found.shape, bool((found != found.T).nnz == 0)
    ((12, 12), True)
    """
    n = min(W.shape[0], most_points)
    drawn = np.sort(random.permutation(W.shape[0])[:n])
    degree = np.diff(W.indptr)[drawn]
    ends = random.permutation(np.repeat(np.arange(n), degree))
    half = ends.size // 2
    weights = random.permutation(np.concatenate([W.data[W.indptr[i] : W.indptr[i + 1]] for i in drawn]))[:half]
    edges = sp.coo_array((weights, (ends[:half], ends[half : 2 * half])), shape=(n, n))
    return sp.csr_array(edges + edges.T)
