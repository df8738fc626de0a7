"""The transfer cut of locally weighted graph partitioning (LWGP), Huang, Wang and Lai (2018)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize

from s3nmf._types import FloatArray
from s3nmf.baselines.consensus.pool import ClusterPool
from s3nmf.graph.spectrum.eigenpairs import leading_eigenpairs


def transfer_cut(pool: ClusterPool, weights: FloatArray, n_clusters: int) -> FloatArray:
    """Unit rows of the groups in the cut of the graph that joins points and their base clusters, (u, n_clusters).

    The edges are E = B diag(weights), all positive. The eigenvectors Y are those of the small graph of base clusters,
    Wy = E'Dx^-1 E, normalised by its degrees, and are carried over to the points by Dx^-1 E Y: O(u b^2) for Wy, and
    O(u b^2 c) a Lanczos iteration, or O(p^3) for p <= 500 base clusters.
    """
    E = pool.indicator @ sp.diags_array(weights)
    shares = sp.diags_array(1.0 / E.sum(axis=1)) @ E
    between = E.T @ sp.diags_array(pool.counts) @ shares
    scale = sp.diags_array(1.0 / np.sqrt(between.sum(axis=1)))
    normalised = scale @ between @ scale
    Y = leading_eigenpairs(sp.csr_array((normalised + normalised.T) / 2), n_clusters).vectors
    return np.asarray(normalize(shares @ (scale @ Y)))
