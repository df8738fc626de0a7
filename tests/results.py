"""Results and fitted models that are made up, to know what must be said about them."""

import numpy as np
import scipy.sparse as sp

from s3nmf import S3NMF, Round, S3NMFResult
from s3nmf.graph.operators import CoAssociation
from s3nmf.method.confidence import membership
from s3nmf.partitions import by_decreasing_size
from s3nmf.trust.diagnostics import diagnose


def result_of(member_labels, weights=None, agreement=(1.0,), labels=None, isolated=()):
    """A result whose members of every round have these labels; the partition is that of the first, or as given.

    Every point is its own and only neighbour, but for isolated ones, so that its shares are its own.
    """
    member_labels = np.atleast_2d(member_labels)
    n_members, n = member_labels.shape
    weights = np.full(n_members, 1 / n_members) if weights is None else np.asarray(weights)
    labels = by_decreasing_size(member_labels[0] if labels is None else np.asarray(labels))
    isolated = np.array(isolated, dtype=np.intp)
    alone = sp.diags_array(np.where(np.isin(np.arange(n), isolated), 0.0, 1.0), format="csr")
    history = tuple(
        Round(number, member_labels, weights, value, np.zeros((2, n_members)), 1, True, 0.5)
        for number, value in enumerate(agreement, start=1)
    )
    shares = membership(CoAssociation(member_labels, weights), alone, labels)
    return S3NMFResult(labels, shares, int(np.argmax(agreement)) + 1, history, isolated)


def model_of(result, affinity=None, **parameters):
    """A model as if it had been fitted to a graph with that result; without a graph, to a ring of points."""
    n = result.labels.size
    if affinity is None:
        rows = np.arange(n)
        affinity = sp.csr_array((np.full(n, 0.5), (rows, (rows + 1) % n)), shape=(n, n))
        affinity = sp.csr_array(affinity + affinity.T)
    model = S3NMF(**{"n_clusters": int(result.labels.max()) + 1, "affinity": "precomputed", **parameters})
    model.affinity_matrix_ = affinity
    model.n_features_in_ = n
    model.choice_, model._judged = None, None
    model._describe(result, diagnose(result))
    return model


def random_model(n, n_clusters, noise=0.2, n_members=10, seed=0):
    """A model of points whose members put each one into a random cluster with this probability."""
    rng = np.random.default_rng(seed)
    labels = np.sort(rng.integers(0, n_clusters, n))
    members = np.where(rng.random((n_members, n)) < noise, rng.integers(0, n_clusters, (n_members, n)), labels)
    return model_of(result_of(members, agreement=(0.6, 0.9, 0.99), labels=labels))
