import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ensembles import by_member, dense_co_association, planted_ensemble
from graphs import member_partitions
from s3nmf.baselines.consensus.co_association import grouped_co_association
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool
from s3nmf.baselines.spectral.embedding import spectral_embedding


def weighted_pool(partitions, seed):
    checked = check_partitions(partitions)
    pool = cluster_pool(checked)
    weights = np.random.default_rng(seed).uniform(0.05, 1.0, pool.n_clusters)
    return pool, weights, dense_co_association(checked, by_member(checked, weights))


@given(member_partitions(), st.integers(0, 1000))
def test_it_adds_the_co_association_up_over_groups(partitions, seed):
    pool, weights, A = weighted_pool(partitions, seed)
    operator = grouped_co_association(pool, weights)
    E = np.eye(pool.n_groups)[pool.group_of]
    summed = E.T @ A @ E
    np.testing.assert_allclose(operator @ np.eye(pool.n_groups), summed, atol=1e-12)
    assert operator.squared_norm == pytest.approx(np.sum(summed**2))


@given(st.integers(2, 40), st.integers(0, 1000))
def test_where_all_points_differ_it_is_the_co_association_with_a_diagonal_of_one(n, seed):
    partitions = np.random.default_rng(seed).integers(0, 3, (5, n))
    partitions[0] = np.arange(n)
    pool, weights, A = weighted_pool(partitions, seed)
    found = (grouped_co_association(pool, weights) @ np.eye(n))[pool.group_of][:, pool.group_of]
    np.testing.assert_allclose(found, A, atol=1e-12)
    np.testing.assert_allclose(np.diag(found), 1.0)


def ng_jordan_weiss(A, n_clusters):
    """Unit rows of the leading eigenvectors, and all eigenvalues, largest first."""
    roots = np.sqrt(A.sum(axis=1))
    values, vectors = np.linalg.eigh(A / np.outer(roots, roots))
    U = vectors[:, ::-1][:, :n_clusters]
    return U / np.linalg.norm(U, axis=1, keepdims=True), values[::-1]


@given(st.integers(8, 30), st.integers(2, 4), st.sampled_from([0.1, 0.3]), st.integers(0, 1000))
def test_its_embedding_is_that_of_the_co_association(n, n_clusters, noise, seed):
    """If the leading eigenvectors of A are equal within groups: the others have eigenvalues (1 - weight) / degree."""
    _, partitions = planted_ensemble(seed, n, n_clusters, 5, noise)
    pool, weights, A = weighted_pool(partitions, seed)
    assume(pool.n_groups > n_clusters)
    expected, values = ng_jordan_weiss(A, n_clusters)
    mean_weight = (pool.indicator @ weights / pool.n_members)[pool.group_of]
    assume(values[n_clusters - 1] > values[n_clusters] + 1e-6)
    assume(values[n_clusters - 1] > max((1 - mean_weight) / A.sum(axis=1)) + 1e-6)
    found = spectral_embedding(grouped_co_association(pool, weights), n_clusters)[pool.group_of]
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-7)
