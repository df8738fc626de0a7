import numpy as np
import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.trust.rows import dependence, pairs_on_a_path, row_links


def walk(n, d, seed=0):
    return np.cumsum(np.random.default_rng(seed).normal(size=(n, d)), axis=0)


def test_rows_of_a_walk_depend_on_each_other_and_in_another_order_do_not():
    X, labels = walk(400, 3), np.zeros(400, dtype=int)
    found = dependence(row_links(nearest_neighbor_affinity(X)), labels)
    assert found.share > 10 * found.by_chance
    mixed = np.random.default_rng(0).permutation(400)
    assert dependence(row_links(nearest_neighbor_affinity(X[mixed])), labels) is None


def test_a_table_that_is_sorted_by_its_clusters_is_no_path():
    X, y = make_blobs([100] * 4, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0, shuffle=False)
    links = row_links(nearest_neighbor_affinity(X))
    assert dependence(links, y) is None
    assert pairs_on_a_path(links, y) == set()


def test_of_few_rows_nothing_is_said():
    W = np.eye(10, k=1) + np.eye(10, k=-1)
    assert dependence(row_links(W), np.zeros(10, dtype=int)) is None
    assert dependence(row_links(W), np.full(10, -1)) is None


def test_points_in_no_cluster_are_on_no_path():
    W = np.eye(100, k=1) + np.eye(100, k=-1)
    labels = np.repeat([0, -1, 1], [45, 10, 45])
    assert pairs_on_a_path(row_links(W), labels) == set()


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_nearly_no_random_walk_has_clusters():
    found = [choose_n_clusters(walk(500, 3, seed)).n_clusters for seed in range(10)]
    assert sum(k > 1 for k in found) <= 1


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_dependent_rows_are_a_doubt_about_clusters():
    X = walk(400, 2)
    model = S3NMF(3).fit(X)
    assert "Consecutive rows are alike" in [doubt.what for doubt in model.judge().doubts]
