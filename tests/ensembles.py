"""Base partitions whose consensus is known."""

import numpy as np


def planted_ensemble(seed, n, n_clusters, n_members=20, noise=0.1):
    """The truth (n,), and partitions (b, n) that each put a share of the points anywhere and name clusters anew."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_clusters, n)
    truth[:n_clusters] = np.arange(n_clusters)
    anywhere = rng.integers(0, n_clusters, (n_members, n))
    partitions = np.where(rng.random((n_members, n)) < noise, anywhere, truth)
    return truth, np.array([rng.permutation(n_clusters)[labels] for labels in partitions])


def dense_co_association(partitions, weights):
    """A, with weights (b, clusters) of base clusters, point by point."""
    n_members, n = partitions.shape
    A = np.zeros((n, n))
    for m in range(n_members):
        for i in range(n):
            for j in range(n):
                if partitions[m, i] == partitions[m, j]:
                    A[i, j] += weights[m][partitions[m, i]] / n_members
    np.fill_diagonal(A, 1.0)
    return A


def by_member(partitions, cluster_weights):
    """Weights of the clusters of each member, from those of the pool."""
    bounds = np.cumsum(partitions.max(axis=1) + 1)[:-1]
    return np.split(cluster_weights, bounds)
