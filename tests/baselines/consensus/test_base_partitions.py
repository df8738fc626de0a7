import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from graphs import affinities, connected_affinity
from s3nmf import _memory, symmetric_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.consensus import base_partitions, locally_weighted, spectral_ensemble
from s3nmf.graph.operators import AffinityOperator
from s3nmf.partitions import by_decreasing_size
from s3nmf.solvers.starts import start_source


@pytest.fixture(scope="module")
def blobs_affinity():
    X, _ = make_blobs(150, centers=3, cluster_std=3.0, random_state=0)
    return nearest_neighbor_affinity(X)


@pytest.mark.parametrize("tol", [0.1, 1e-3])
@pytest.mark.parametrize("n_members", [1, 8])
def test_a_member_is_what_one_factorization_finds_from_its_start(n_members, tol, blobs_affinity):
    found = base_partitions(blobs_affinity, 3, n_members, tol=tol, random_state=5)
    starts = start_source("uniform", n_members, 3, 5)(1, AffinityOperator(blobs_affinity))
    for m in range(n_members):
        alone = symmetric_nmf(blobs_affinity, 3, tol=tol, starts=starts[m])
        np.testing.assert_array_equal(found.labels[m], alone.labels)
        assert (found.sweeps[m], found.converged[m]) == (alone.n_iter, alone.converged)


def test_more_members_leave_the_first_ones_as_they_are(blobs_affinity):
    few, many = (base_partitions(blobs_affinity, 3, n_members, random_state=0).labels for n_members in (5, 9))
    np.testing.assert_array_equal(few, many[:5])
    assert len({tuple(labels) for labels in many}) > 1


def test_points_keep_their_order_in_large_graphs_too():
    """Large graphs are factorized with their points in another order. Points that are joined share a label."""
    X, _ = make_blobs(5000, centers=3, cluster_std=3.0, random_state=0)
    W = nearest_neighbor_affinity(X).tocoo()
    for labels in base_partitions(W, 3, 4, random_state=0).labels:
        assert W.data[labels[W.row] == labels[W.col]].sum() > 0.6 * W.data.sum()


def test_members_stop_by_tol_or_by_max_iter(blobs_affinity):
    short = base_partitions(blobs_affinity, 3, max_iter=4, random_state=0)
    assert (short.sweeps == 4).all()
    assert not short.converged.any()
    loose, tight = (base_partitions(blobs_affinity, 3, tol=tol, random_state=0) for tol in (1e-2, 1e-3))
    assert tight.converged.all()
    assert (loose.sweeps < tight.sweeps).all()


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_members_of_a_large_graph_are_not_stopped_before_their_columns_differ():
    """With the tolerance of a small one they are, after a handful of sweeps."""
    X = np.random.default_rng(0).random((50_000, 2))
    found = base_partitions(nearest_neighbor_affinity(X, 5), 4, 4, max_iter=25, random_state=0)
    assert not found.converged.any()


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@given(affinities(), st.integers(1, 4), st.integers(0, 100))
def test_any_graph_has_a_consensus(W, n_clusters, seed):
    """Isolated points, duplicates and components included."""
    n_clusters = min(n_clusters, len(W))
    labels = base_partitions(W, n_clusters, 5, random_state=seed).labels
    np.testing.assert_array_equal(labels, [by_decreasing_size(member) for member in labels])
    found = [spectral_ensemble(labels, n_clusters, random_state=seed)] + [
        locally_weighted(labels, n_clusters, consensus=consensus, random_state=seed)
        for consensus in ("spectral", "average-linkage", "bipartite")
    ]
    for result in found:
        assert result.labels.shape == (len(W),)
        assert result.labels.max() < n_clusters


def test_threads_change_nothing():
    X, _ = make_blobs(3000, centers=5, cluster_std=3.0, random_state=0)
    W = nearest_neighbor_affinity(X)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(base_partitions(W, 5, 8, max_iter=50, random_state=0).labels)
    np.testing.assert_array_equal(found[0], found[1])


def test_what_cannot_be_done_is_refused(monkeypatch):
    W = connected_affinity(0, 10)
    with pytest.raises(ValueError, match="'n_members' parameter of base_partitions"):
        base_partitions(W, 2, 0)
    with pytest.raises(ValueError, match="n_clusters=11 is more than n_samples=10"):
        base_partitions(W, 11)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 1000)
    with pytest.raises(MemoryError, match="n_samples=10, n_members=20 and n_clusters=2"):
        base_partitions(W, 2)
