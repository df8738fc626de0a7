"""The locally weighted co-association: how far trusted base clusters put two points together."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray
from s3nmf.baselines.consensus.pool import ClusterPool
from s3nmf.graph.operators import WeightedGram


def grouped_co_association(pool: ClusterPool, weights: FloatArray) -> WeightedGram:
    """E'A E for A = B diag(weights) B' / b with a diagonal of 1, and E the one-hot of the groups: O(u b k) a product.

    Entry (s, t) adds A up over the points of group s and those of group t, so the degrees of its rows are those of A,
    added up. Normalised by them, it has all eigenvectors of A (normalised by its own) that are equal within groups:
    y_t / sqrt(count_t) for the points of group t. The others of A tell points apart that are the same in every
    partition, by nothing but the diagonal. So the spectral embedding of this is that of A without them.
    """
    a = weights / pool.n_members
    # Within a group A is the mean weight of its clusters, except that a point is with itself by 1.
    missing = pool.counts * (1.0 - pool.indicator @ a)
    F = sp.hstack([pool.indicator.multiply(pool.counts[:, None]), sp.eye_array(pool.n_groups)], format="csr")
    return WeightedGram(F, np.concatenate([a, missing]))
