"""Which points to doubt: how far the evidence for a point lies with its own cluster."""

from __future__ import annotations

import numpy as np

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.operators import CoAssociation

# Shares to this power, in proportion, are about the probability that a point keeps its cluster when a random half of
# the data is clustered alone: of 2, 2.25, ... 3.5 the one with the least Brier score on 900 sets of blobs, as good as
# 2.75 but nearer where confidence is low. One number for all data.
_SHARPNESS = 2.5


def membership(co_association: CoAssociation, affinity: Affinity, labels: IntArray) -> FloatArray:
    """Share of each cluster in each point, (n, c); rows add up to 1, but for points without any edge, which have 0.

    A point's co-association with a cluster is the mean weight of the members that put it together with the points of
    that cluster, and its own share of a cluster is that over the sum for all clusters. What is returned is the mean of
    the shares of the point's neighbours, by the weights of their edges: a point whose neighbours are sure of a cluster
    belongs there, and one that members put into a cluster, but that lies among others, does not. Averaged over the
    neighbours it tells right labels from wrong ones better than the point's own share on all of nine data sets but one
    (AUC .834 against .810). Costs one product with each matrix.

    Members look at several resolutions, and share out even a point that no repetition would ever move. So the shares
    are sharpened until they mean something: of the points with .9, about nine in ten keep their cluster when a random
    half of the data is clustered alone.
    """
    means = co_association.with_clusters(labels) / np.bincount(labels)
    means /= means.sum(axis=1, keepdims=True)
    shares = np.asarray(affinity @ means[co_association.rows.indices])
    most = shares.max(axis=1, keepdims=True)
    np.divide(shares, most, out=shares, where=most > 0)
    shares **= _SHARPNESS
    total = shares.sum(axis=1, keepdims=True)
    np.divide(shares, total, out=shares, where=total > 0)
    return shares


def own_share(membership: FloatArray, labels: IntArray) -> FloatArray:
    """The share of each point's own cluster: its confidence."""
    return np.asarray(membership[np.arange(labels.size), labels])
