"""How far a base cluster can be trusted: the ensemble-driven cluster index of Huang, Wang and Lai (2018)."""

from __future__ import annotations

import numpy as np
from scipy.special import entr

from s3nmf._types import FloatArray
from s3nmf.baselines.consensus.pool import ClusterPool


def ensemble_driven_cluster_index(pool: ClusterPool, theta: float = 0.4) -> FloatArray:
    """ECI of each cluster of the pool, in [0, 1]; 1 if no partition cuts it. O(u b^2) for u groups of points.

    The other partitions cut a cluster C into shares p_mj = |C & C_mj| / |C|. Its uncertainty is the sum of their
    entropies over the b partitions, H(C) = -sum_mj p_mj log2 p_mj, and

        ECI(C) = exp(-H(C) / (theta b)).
    """
    weighted = pool.indicator.multiply(pool.counts[:, None]).tocsr()
    shared = (pool.indicator.T @ weighted).tocoo()
    shares = shared.data / pool.sizes[shared.row]
    uncertainty = np.bincount(shared.row, weights=entr(shares), minlength=pool.n_clusters) / np.log(2.0)
    return np.asarray(np.exp(-uncertainty / (theta * pool.n_members)))
