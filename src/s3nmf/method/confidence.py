"""Which points to doubt: how far the evidence for a point lies with its own cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.graph.operators import CoAssociation
from s3nmf.method.settings import CONFIDENCE
from s3nmf.partitions import indicator

# From so many clusters on, sparse matrices are faster than dense ones.
_MANY_CLUSTERS = 50


def membership(co_association: CoAssociation, affinity: Affinity, labels: IntArray) -> FloatArray:
    """How far each point belongs to each cluster, (n, c); rows add up to 1 at most, and for a point without edges to 0.

    A point's co-association with a cluster is the mean weight of the members that put it together with the points of
    that cluster; the partition itself counts as one member more, of a fifth of the weight, for it has had a look at the
    edges that members have not. Taken is the mean over the point's neighbours, by the weights of their edges: a point
    whose neighbours are in one cluster belongs there, and one that members put into a cluster, but that lies among
    others, does not.

    There are two ways to be wrong. A point may lie between clusters: then others have a share of its co-association.
    Or its cluster may be none: then members that look closer cut it, and the point is together with only a part of it.
    So shares are multiplied by a root of the largest co-association with any cluster, and what a row lacks to 1 says
    that no cluster holds together around the point. With it, confidence tells right labels from wrong ones with an AUC
    of .88 instead of .82 on nine sets beside the paper's ten, and of .81 instead of .80 on those.

    Members look at several resolutions, and share out even a point that no repetition would ever move. So the shares
    are sharpened until they mean something: of the points with .9, about nine in ten keep their cluster when a random
    half of the data is clustered alone. Costs one product with each matrix.
    """
    if sp.issparse(affinity) and int(labels.max()) >= _MANY_CLUSTERS:
        return _membership_in_many(co_association, affinity, labels)
    means = co_association.with_clusters(labels) / np.bincount(labels)
    evidence = (1 - CONFIDENCE.own_vote) * means[co_association.rows.indices]
    evidence[np.arange(labels.size), labels] += CONFIDENCE.own_vote
    shares = np.asarray(affinity @ evidence)
    strength = np.asarray(affinity.sum(axis=1)).reshape(-1, 1)
    most = shares.max(axis=1, keepdims=True)
    hold = np.divide(most, strength, out=np.zeros_like(most), where=strength > 0)
    np.divide(shares, most, out=shares, where=most > 0)
    shares **= CONFIDENCE.sharpness
    total = shares.sum(axis=1, keepdims=True)
    np.divide(shares, total, out=shares, where=total > 0)
    shares *= np.minimum(hold, 1.0) ** CONFIDENCE.hold
    return shares


def _membership_in_many(co_association: CoAssociation, affinity: Any, labels: IntArray) -> FloatArray:
    """The same by sparse matrices: the evidence for a point lies with few of many clusters."""
    means = co_association.with_many_clusters(labels)
    means.data /= np.bincount(labels)[means.indices]
    means.data *= 1 - CONFIDENCE.own_vote
    own = indicator(labels)
    own.data *= CONFIDENCE.own_vote
    shares = sp.csr_array(affinity @ (means[co_association.rows.indices] + own))
    strength = np.asarray(affinity.sum(axis=1)).ravel()
    most = shares.max(axis=1).toarray().ravel()
    hold = np.divide(most, strength, out=np.zeros_like(most), where=strength > 0)
    row_of = np.repeat(np.arange(labels.size), np.diff(shares.indptr))
    shares.data /= np.where(most > 0, most, 1.0)[row_of]
    shares.data **= CONFIDENCE.sharpness
    total = np.bincount(row_of, shares.data, minlength=labels.size)
    factor = np.divide(np.minimum(hold, 1.0) ** CONFIDENCE.hold, total, out=np.zeros_like(total), where=total > 0)
    shares.data *= factor[row_of]
    return np.asarray(shares.toarray())


def own_share(shares: FloatArray, labels: IntArray) -> FloatArray:
    """What each point has of its own cluster; of its membership, that is the confidence."""
    return np.asarray(shares[np.arange(labels.size), labels])
