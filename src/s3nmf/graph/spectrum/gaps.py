"""Where the spectrum of a graph has gaps: a graph of k clusters has k eigenvalues near 1, and then comes a gap.

The k slowest modes of a random walk are those between clusters; the next one is inside a cluster.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._memory import refuse_if_too_large
from s3nmf._types import Affinity, FloatArray
from s3nmf._warnings import DisconnectedGraphWarning
from s3nmf.graph import affinity as graph
from s3nmf.graph.components import components_of
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.spectrum.eigenpairs import leading_eigenpairs

# Fewer points than this are outliers rather than a cluster.
FEWEST_POINTS = 4
# Eigenvalues nearer to 1 than this share of the distance of a later one are as good as 1: whether two clusters hang
# together by one weak edge or by none is no gap.
NEGLIGIBLE = 0.01
# How many eigenvalues later that one is.
LATER = 8
# Where all eigenvalues are 1 but for rounding, no gap is any larger than another.
ROUNDING = 1e-8
# Outliers are those of so many eigenvectors, however many are asked for: the same points for every question.
_LOOKED_AT = 13
# Of few points fewer: on average a point's leverage is the number of vectors over that of points.
_POINTS_A_VECTOR = 20
# Groups that hang together weakly have eigenvalues near 1; of others, eigenvectors may be any points'.
_SLOW = 0.5


def normalized(affinity: Affinity) -> Affinity:
    """The graph at the scale at which its largest eigenvalue is 1 and no cluster is heavier than another."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisconnectedGraphWarning)
        W, scale, _ = prepare_affinity(affinity, 1)
    return W if scale == 1.0 else graph.normalize_affinity(W)


def spectrum(W: Affinity, count: int) -> tuple[FloatArray, int]:
    """The leading eigenvalues of a normalised graph without its outliers, and how many points those are.

    A few points far out form components, or nearly so, with an eigenvalue near 1 each. Their leverage, the squared norm
    of a point's row of the eigenvectors, gives them away: a group of m points shares an eigenvector, 1/m each.

    Where points are fewer than `count`, the last eigenvalue is repeated.
    """
    if not sp.issparse(W):
        refuse_if_too_large(3.0 * 8 * W.shape[0] ** 2, "Pass a sparse affinity.")
    n = W.shape[0]
    report = components_of(W)
    W = _part(W, report.sizes[report.component_of] >= FEWEST_POINTS)
    values, vectors = leading_eigenpairs(W, min(_LOOKED_AT, 1 + W.shape[0] // _POINTS_A_VECTOR))
    W = _part(W, (vectors[:, values > _SLOW] ** 2).sum(axis=1) < 1 / FEWEST_POINTS)
    found = np.minimum(leading_eigenpairs(W, min(count, W.shape[0])).values, 1.0)
    return np.pad(found, (0, count - found.size), mode="edge"), n - W.shape[0]


def spectral_gaps(eigenvalues: FloatArray) -> FloatArray:
    """For k = 1, 2, ...: (1 - lambda_(k+1)) / (1 - lambda_k), both raised by a share of a later 1 - lambda.

    The later one is eight after k, or the last; so the gaps are the same however many eigenvalues come after that.

    Examples
    --------
    >>> spectral_gaps(np.array([1.0, 1.0, 0.5, 0.5])).round(1)
    array([  1., 101.,   1.])
    """
    distance = 1.0 - eigenvalues
    k = np.arange(1, distance.size)
    later = distance[np.minimum(k + LATER, distance.size - 1)]
    raised = np.maximum(NEGLIGIBLE * later, ROUNDING)
    return np.asarray((distance[1:] + raised) / (distance[:-1] + raised))


def pieces_of(eigenvalues: FloatArray) -> int:
    """As good as in how many pieces a graph is, at least: by its leading eigenvalues but for the last eight.

    Examples
    --------
    >>> pieces_of(np.array([1.0, 1.0, 1.0, 0.9, *[0.5] * 8]))
    3
    """
    distance = 1.0 - eigenvalues
    return int(np.count_nonzero(distance[:-LATER] <= max(NEGLIGIBLE * float(distance[-1]), ROUNDING)))


def _part(W: Affinity, keep: Any) -> Affinity:
    """The graph of the points to keep; all of them, where what goes would be no exception, or leave too few."""
    if keep.all() or keep.sum() <= max(_LOOKED_AT, keep.size / 2):
        return W
    rows = np.flatnonzero(keep)
    return sp.csr_array(W)[rows][:, rows] if sp.issparse(W) else W[np.ix_(rows, rows)]
