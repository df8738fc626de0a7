"""An affinity as the algorithms take it: checked, reported on if it falls apart, and at unit scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from s3nmf._types import Affinity
from s3nmf._validation import check_affinity, check_n_clusters
from s3nmf.affinity.connectivity import warn_if_disconnected

_DENSE_EIGENVALUES = 32


def prepare_affinity(affinity: Any, n_clusters: int) -> tuple[Affinity, float]:
    """Return W divided by its largest eigenvalue, and that eigenvalue.

    The paper's tolerances are absolute and meant for normalised affinities, whose largest eigenvalue is 1. At unit
    scale they mean the same for every W, so that multiplying an affinity by a constant changes no label.
    """
    W = check_affinity(affinity)
    check_n_clusters(n_clusters, W.shape[0])
    warn_if_disconnected(W, n_clusters)
    scale = _largest_eigenvalue(W)
    return (W, 1.0) if np.isclose(scale, 1.0, rtol=1e-9, atol=0.0) else (W / scale, scale)


def _largest_eigenvalue(W: Affinity) -> float:
    if W.shape[0] <= _DENSE_EIGENVALUES:
        return float(np.linalg.eigvalsh(sp.csr_array(W).toarray())[-1])
    degrees = np.asarray(W.sum(axis=1), dtype=np.float64).ravel()
    return float(eigsh(W, k=1, which="LA", v0=degrees, return_eigenvectors=False)[0])
