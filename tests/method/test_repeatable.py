"""What the labels do not depend on: threads, workers, backends, the scale, order and form of the affinity."""

import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_info, threadpool_limits

from graphs import connected_affinity, planted_blocks
from s3nmf import Recipe, _threads, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities import graph as communities_graph
from s3nmf.metrics import accuracy
from s3nmf.partitions import by_decreasing_size

MEMBERS = pytest.mark.parametrize("members", ["communities", "factorizations"])


def assert_same_fit(one, other):
    np.testing.assert_array_equal(one.labels, other.labels)
    for before, after in zip(one.history, other.history, strict=True):
        np.testing.assert_array_equal(before.member_labels, after.member_labels)
        np.testing.assert_array_equal(before.objective, after.objective)
        np.testing.assert_array_equal(before.weights, after.weights)
        np.testing.assert_array_equal(before.resolutions, after.resolutions)


@MEMBERS
def test_the_same_seed_gives_the_same_labels_on_one_and_on_two_threads(blobs_affinity, members):
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(self_supervised_nmf(blobs_affinity, 6, members=members, random_state=3))
    assert_same_fit(*found)


@MEMBERS
def test_no_number_of_threads_changes_a_bit(monkeypatch, members):
    """However little there is to do, so that all threads take part."""
    monkeypatch.setattr(_threads, "_WORTH_A_THREAD", 1.0)
    W, _ = planted_blocks(600, 4, within=6, across=2)
    found = []
    for threads in (1, 2, 4):
        monkeypatch.setattr(_threads, "available_threads", lambda threads=threads: threads)
        found.append(self_supervised_nmf(W, 4, members=members, random_state=0, max_rounds=3))
    assert_same_fit(found[0], found[1])
    assert_same_fit(found[0], found[2])


@MEMBERS
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_workers_and_backends_change_no_bit(blobs_affinity, backend, members):
    settings = {"members": members, "random_state": 3, "max_rounds": 3}
    alone = self_supervised_nmf(blobs_affinity, 6, **settings)
    with parallel_config(backend=backend):
        assert_same_fit(alone, self_supervised_nmf(blobs_affinity, 6, n_jobs=3, **settings))


@MEMBERS
@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same(blobs_affinity, members):
    distributed = pytest.importorskip("distributed")
    settings = {"members": members, "random_state": 3, "max_rounds": 2}
    alone = self_supervised_nmf(blobs_affinity, 6, **settings)
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster),
        parallel_config(backend="dask", wait_for_workers_timeout=60),
    ):
        split = self_supervised_nmf(blobs_affinity, 6, n_jobs=2, **settings)
    assert_same_fit(alone, split)


@MEMBERS
def test_fits_in_several_python_threads_leave_the_thread_pools_as_they_were(blobs_affinity, members):
    def threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    def fit(max_iter):
        recipe = Recipe(max_iter=max_iter)
        return self_supervised_nmf(blobs_affinity, 6, members=members, random_state=3, max_rounds=2, recipe=recipe)

    before = threads()
    with ThreadPoolExecutor(3) as executor:
        found = list(executor.map(fit, [5, 200, 50]))
    assert threads() == before
    assert_same_fit(found[1], fit(200))


@MEMBERS
@settings(max_examples=15)
@given(st.integers(8, 24), st.integers(2, 4), st.integers(0, 10_000), st.sampled_from([1e-6, 0.01, 300.0, 1e8]))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_scaling_the_affinity_changes_no_label(members, n, n_clusters, seed, factor):
    W = connected_affinity(seed, n)
    one, other = (
        self_supervised_nmf(s * W, n_clusters, members=members, n_members=5, random_state=seed) for s in (1.0, factor)
    )
    np.testing.assert_array_equal(one.member_labels, other.member_labels)
    np.testing.assert_array_equal(one.labels, other.labels)


@settings(max_examples=15)
@given(st.integers(8, 24), st.integers(2, 4), st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_permuting_the_points_permutes_the_labels(n, n_clusters, seed):
    """From starts that are permuted with them; communities depend on the order in which points are visited."""
    rng = np.random.default_rng(seed)
    W, starts, order = connected_affinity(seed, n), rng.random((3, 5, n, n_clusters)), rng.permutation(n)
    one, other = (
        self_supervised_nmf(
            affinity,
            n_clusters,
            members="factorizations",
            n_members=5,
            max_rounds=3,
            recipe=Recipe(starts=given, max_iter=60, precision="float64"),
        )
        for affinity, given in ((W, starts), (W[np.ix_(order, order)], starts[:, :, order]))
    )
    for before, after in zip(one.member_labels, other.member_labels, strict=True):
        np.testing.assert_array_equal(by_decreasing_size(before[order]), after)
    np.testing.assert_allclose(one.confidence[order], other.confidence)


@MEMBERS
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_order_of_rows_in_memory_is_not_that_of_the_labels(monkeypatch, members):
    monkeypatch.setattr("s3nmf.graph.operators._WORTH_REORDERING", 1)
    monkeypatch.setattr(communities_graph, "_WORTH_REORDERING", 1)
    X, y = make_blobs(200, centers=4, cluster_std=0.5, random_state=0)
    result = self_supervised_nmf(nearest_neighbor_affinity(X, n_neighbors=20), 4, members=members, random_state=0)
    assert accuracy(y, result.labels) == 1.0


@MEMBERS
def test_dense_and_sparse_affinities_give_the_same_labels(blobs_affinity, members):
    sparse = self_supervised_nmf(blobs_affinity, 6, members=members, random_state=3)
    dense = self_supervised_nmf(blobs_affinity.toarray(), 6, members=members, random_state=3)
    np.testing.assert_array_equal(sparse.labels, dense.labels)
