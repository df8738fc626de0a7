import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from ensembles import planted_ensemble
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool
from s3nmf.baselines.consensus.transfer_cut import transfer_cut


def literal_transfer_cut(B, weights, n_clusters):
    """Step by step as published, for every point; and all eigenvalues, largest first."""
    E = B @ np.diag(weights)
    dx = E.sum(axis=1)
    dx[dx == 0] = 1e-10
    Wy = E.T @ np.diag(1 / dx) @ E
    dy = Wy.sum(axis=1)
    normalised = np.diag(dy**-0.5) @ Wy @ np.diag(dy**-0.5)
    values, vectors = np.linalg.eigh((normalised + normalised.T) / 2)
    Y = np.diag(dy**-0.5) @ vectors[:, ::-1][:, :n_clusters]
    X = np.diag(1 / dx) @ E @ Y
    return X / (np.linalg.norm(X, axis=1, keepdims=True) + 1e-10), values[::-1]


@given(st.integers(6, 30), st.integers(2, 4), st.sampled_from([0.1, 0.5, 1.0]), st.integers(0, 1000))
def test_it_is_the_published_one(n, n_clusters, noise, seed):
    _, partitions = planted_ensemble(seed, n, n_clusters, 5, noise)
    pool = cluster_pool(check_partitions(partitions))
    weights = np.random.default_rng(seed).uniform(0.05, 1.0, pool.n_clusters)
    B = pool.indicator.toarray()[pool.group_of]
    expected, values = literal_transfer_cut(B, weights, n_clusters)
    assume(values[n_clusters - 1] > values[n_clusters] + 1e-6)
    found = transfer_cut(pool, weights, n_clusters)[pool.group_of]
    assert found.shape == (n, n_clusters)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-7)


def test_the_scale_of_the_weights_does_not_matter():
    _, partitions = planted_ensemble(0, 50, 3)
    pool = cluster_pool(check_partitions(partitions))
    weights = np.random.default_rng(0).uniform(0.05, 1.0, pool.n_clusters)
    one, other = (transfer_cut(pool, factor * weights, 3) for factor in (1.0, 1e-12))
    np.testing.assert_allclose(one, other, atol=1e-7)
