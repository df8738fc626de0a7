"""An affinity as the algorithms take it: checked, reported on if it falls apart, and at unit scale."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from s3nmf._types import Affinity, IntArray
from s3nmf._validation import canonical, check_affinity, check_has_entries, check_n_clusters
from s3nmf.graph.components import components_of, warn_if_disconnected
from s3nmf.graph.range import within_range

_DENSE_EIGENVALUES = 32
# The eigenvalue only sets a scale; to more digits, Lanczos takes very long on graphs that are chains.
_PRECISION = 1e-6


class ReportedAffinity(NamedTuple):
    """A checked W, and the points without any edge."""

    matrix: Affinity
    isolated: IntArray


class ScaledAffinity(NamedTuple):
    """W divided by its largest eigenvalue, and that eigenvalue."""

    matrix: Affinity
    scale: float


def reported_affinity(affinity: Any, n_clusters: int, *, built: bool = False) -> ReportedAffinity:
    """Check an affinity, unless it was built here, and warn if its graph falls apart."""
    W = canonical(affinity) if built else check_affinity(affinity)
    check_has_entries(W)
    check_n_clusters(n_clusters, W.shape[0])
    report = components_of(W)
    warn_if_disconnected(report, n_clusters)
    return ReportedAffinity(W, report.isolated)


def unit_scale(W: Affinity) -> ScaledAffinity:
    """Bring a checked affinity to unit scale.

    The paper's tolerances are absolute and meant for normalised affinities, whose largest eigenvalue is 1. At unit
    scale they mean the same for every W, so that multiplying an affinity by a constant changes no label. A normalised
    affinity stays as it is.
    """
    W, exponent = within_range(W)
    largest = float(W.max())
    scale = largest * largest_eigenvalue(W / largest)
    if np.isclose(scale, 1.0, rtol=_PRECISION, atol=0.0) and not exponent:
        return ScaledAffinity(W, 1.0)
    return ScaledAffinity(W / scale, float(np.ldexp(scale, exponent)))


class PreparedAffinity(NamedTuple):
    """W divided by its largest eigenvalue, that eigenvalue, and the points without any edge."""

    matrix: Affinity
    scale: float
    isolated: IntArray


def prepare_affinity(affinity: Any, n_clusters: int) -> PreparedAffinity:
    """Both: checked and at unit scale."""
    W, isolated = reported_affinity(affinity, n_clusters)
    return PreparedAffinity(*unit_scale(W), isolated)


def largest_eigenvalue(W: Affinity) -> float:
    """To six digits, which is enough for a scale."""
    W, exponent = within_range(W)
    if W.shape[0] <= _DENSE_EIGENVALUES:
        return float(np.ldexp(np.linalg.eigvalsh(sp.csr_array(W).toarray())[-1], exponent))
    degrees = np.asarray(W.sum(axis=1), dtype=np.float64).ravel()
    found = eigsh(W, k=1, which="LA", v0=degrees, tol=_PRECISION, return_eigenvectors=False)[0]
    return float(np.ldexp(found, exponent))
