"""Which points to doubt: how far the evidence for a point lies with its own cluster."""

from __future__ import annotations

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.operators import SymmetricOperator
from s3nmf.partitions import one_hot


def membership(co_association: SymmetricOperator, labels: IntArray) -> FloatArray:
    """Share of each cluster in the co-association of each point, (n, c); rows add up to 1. Costs one product.

    A point's co-association with a cluster is the mean weight of the members that put it together with the points of
    that cluster. A point that all members put with its own cluster and no other has a share of 1 there; one that they
    move between two clusters has half with each.
    """
    clusters = one_hot(labels[None, :])
    means = (co_association @ clusters.toarray()) / clusters.sum(axis=0)
    return np.asarray(means / means.sum(axis=1, keepdims=True))


def confidence(co_association: SymmetricOperator, labels: IntArray) -> FloatArray:
    """The share of each point's own cluster, in [0, 1]."""
    return np.asarray(membership(co_association, labels)[np.arange(labels.size), labels])
