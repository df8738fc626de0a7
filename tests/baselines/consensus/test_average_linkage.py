import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from ensembles import by_member, dense_co_association, planted_ensemble
from graphs import member_partitions
from s3nmf import _memory
from s3nmf.baselines.consensus import average_linkage as module
from s3nmf.baselines.consensus.average_linkage import average_linkage
from s3nmf.baselines.consensus.cluster_index import ensemble_driven_cluster_index
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool
from s3nmf.partitions import by_decreasing_size


def pool_and_matrix(partitions):
    checked = check_partitions(partitions)
    pool = cluster_pool(checked)
    weights = ensemble_driven_cluster_index(pool)
    return pool, weights, dense_co_association(checked, by_member(checked, weights))


@given(member_partitions(max_n=20), st.integers(1, 7))
def test_distances_are_those_of_the_matrix_however_many_rows_at_once(partitions, rows):
    pool, weights, A = pool_and_matrix(partitions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ENTRIES_AT_ONCE", rows * A.shape[0])
        found = module._distances(pool, weights)
    np.testing.assert_allclose(found, squareform(1.0 - A, checks=False), atol=1e-12)


@given(member_partitions(max_n=20), st.data())
def test_it_finds_exactly_as_many_clusters_as_asked_for(partitions, data):
    pool, weights, _ = pool_and_matrix(partitions)
    n_clusters = data.draw(st.integers(1, partitions.shape[1]))
    assert np.unique(average_linkage(pool, weights, n_clusters)).size == n_clusters


@given(st.integers(5, 25), st.integers(2, 4), st.integers(0, 1000))
def test_it_cuts_the_tree_where_scipy_does_unless_merges_tie(n, n_clusters, seed):
    """Weights of their own break ties."""
    _, partitions = planted_ensemble(seed, n, n_clusters, 6, 0.4)
    checked = check_partitions(partitions)
    pool = cluster_pool(checked)
    weights = np.random.default_rng(seed).uniform(0.05, 1.0, pool.n_clusters)
    tree = linkage(module._distances(pool, weights), "average")
    expected = fcluster(tree, n_clusters, "maxclust")
    if np.unique(expected).size == n_clusters:
        found = average_linkage(pool, weights, n_clusters)
        np.testing.assert_array_equal(by_decreasing_size(found), by_decreasing_size(expected))


def test_merges_at_the_same_height_do_not_end_in_one_cluster():
    partition = np.arange(5).repeat(4)
    pool, weights, _ = pool_and_matrix(partition[None])
    found = average_linkage(pool, weights, 3)
    assert np.unique(found).size == 3
    assert all(np.unique(found[partition == k]).size == 1 for k in range(5))


def test_too_many_pairs_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 8_000_000_000)
    _, partitions = planted_ensemble(0, 40_000, 3, 2)
    pool = cluster_pool(check_partitions(partitions))
    with pytest.raises(MemoryError, match=r"13\.6 GB.*8\.0 GB.*n_samples=40000: use 'spectral' or 'bipartite'"):
        average_linkage(pool, np.ones(pool.n_clusters), 3)
