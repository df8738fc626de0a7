import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from graphs import affinities, random_affinity
from s3nmf._threads import ALONE
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.communities.graph import weighted_graph
from s3nmf.communities.resolution import find_resolutions
from s3nmf.communities.search import communities


def blocks(sizes, weak=0.01):
    """Complete graphs that hang together weakly."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    W = np.where(labels[:, None] == labels, 1.0, weak)
    np.fill_diagonal(W, 0.0)
    return W, labels


@pytest.mark.parametrize("n_clusters", [2, 3, 5, 8])
def test_it_gives_the_number_of_blocks(n_clusters):
    W, labels = blocks([12] * n_clusters)
    found = find_resolutions(weighted_graph(W), n_clusters, seed=1, leeway=1.5)
    assert found.n_communities == n_clusters
    assert found.lowest <= found.value <= found.highest
    members = communities(weighted_graph(W), np.array([found.value]), [3], ALONE)
    np.testing.assert_array_equal(members[0], labels)


def test_the_extremes_are_one_community_and_every_point_alone():
    W, _ = blocks([5, 5, 5], weak=0.1)
    graph = weighted_graph(W)
    assert find_resolutions(graph, 1, seed=0, leeway=1.5).n_communities == 1
    assert find_resolutions(graph, 15, seed=0, leeway=1.5).n_communities == 15


def test_outliers_do_not_count():
    """Two large blocks and two points far out are two clusters, not three."""
    W, _ = blocks([60, 60, 2], weak=0.0)
    W[:120, :120] += 0.002
    np.fill_diagonal(W, 0.0)
    graph = weighted_graph(W)
    found = find_resolutions(graph, 2, seed=0, leeway=1.5)
    labels = communities(graph, np.array([found.value]), [0], ALONE)[0]
    assert np.bincount(labels).tolist() == [60, 60, 2]


def test_more_components_than_clusters_are_what_is_nearest():
    W, _ = blocks([10] * 6, weak=0.0)
    found = find_resolutions(weighted_graph(W), 4, seed=0, leeway=1.5)
    assert found.n_communities == 6


def test_a_number_that_is_jumped_over_is_met_from_above():
    """Four equal blocks at equal distances are joined all at once, or not at all."""
    W, _ = blocks([10] * 4, weak=0.05)
    found = find_resolutions(weighted_graph(W), 3, seed=0, leeway=1.5)
    assert found.n_communities in {3, 4}


@settings(max_examples=30, deadline=None)
@given(W=affinities(max_n=40), data=st.data())
def test_it_ends_on_any_graph(W, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    found = find_resolutions(weighted_graph(W), n_clusters, seed=0, leeway=2.0)
    assert 0 < found.lowest <= found.value <= found.highest < np.inf
    np.testing.assert_allclose(found.spread(5)[[0, 2, 4]], [found.lowest, found.value, found.highest])


def test_the_search_on_groups_counts_as_one_on_points_does(monkeypatch):
    X, _ = make_blobs(3000, centers=12, n_features=5, cluster_std=1.0, random_state=0)
    graph = weighted_graph(nearest_neighbor_affinity(X))
    by_groups = find_resolutions(graph, 12, seed=0, leeway=1.5)
    monkeypatch.setattr("s3nmf.communities.resolution._FEW_GROUPS", 10**9)
    by_points = find_resolutions(graph, 12, seed=0, leeway=1.5)
    assert by_groups.n_communities == by_points.n_communities == 12
    for found in (by_groups, by_points):
        counts = np.array([labels.max() + 1 for labels in communities(graph, np.full(5, found.value), range(5), ALONE)])
        assert (np.abs(counts - 12) <= 1).all()


def test_scaling_a_graph_changes_nothing():
    W = sp.csr_array(random_affinity(5, 40, 0.2))
    ones = find_resolutions(weighted_graph(W), 4, seed=2, leeway=1.5)
    scaled = find_resolutions(weighted_graph(W * 1024.0), 4, seed=2, leeway=1.5)
    assert scaled.value == pytest.approx(ones.value)
    assert scaled.n_communities == ones.n_communities
