from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from graphs import affinities, random_affinity
from s3nmf._threads import ALONE
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.communities.resolution import find_resolutions
from s3nmf.graph.communities.search import communities
from s3nmf.graph.settings import GROUPING


def groups_of(W, n_clusters=2):
    return find_groups(weighted_graph(W), n_clusters, seed=0)


def blocks(sizes, weak=0.01):
    """Complete graphs that hang together weakly."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    W = np.where(labels[:, None] == labels, 1.0, weak)
    np.fill_diagonal(W, 0.0)
    return W, labels


@pytest.mark.parametrize("n_clusters", [2, 3, 5, 8])
def test_it_gives_the_number_of_blocks(n_clusters):
    W, labels = blocks([12] * n_clusters)
    found = find_resolutions(groups_of(W), n_clusters, seed=1, spread=0.5)
    assert found.n_communities == n_clusters
    assert found.lowest <= found.value <= found.highest
    members = communities(groups_of(W), np.array([found.value]), [3], ALONE)
    np.testing.assert_array_equal(members[0], labels)


def test_the_extremes_are_one_community_and_every_point_alone():
    W, _ = blocks([5, 5, 5], weak=0.1)
    groups = groups_of(W)
    assert find_resolutions(groups, 1, seed=0, spread=0.5).n_communities == 1
    assert find_resolutions(groups, 15, seed=0, spread=0.5).n_communities == 15


@pytest.mark.parametrize("spread", [0.2, 0.5])
def test_around_it_are_resolutions_that_give_fewer_or_more_by_a_share(spread):
    """On points without clusters, where every number of communities can be had."""
    W = nearest_neighbor_affinity(np.random.default_rng(0).random((2000, 2)))
    groups = groups_of(W, 20)
    found = find_resolutions(groups, 20, seed=0, spread=spread)
    ends = communities(groups, np.array([found.lowest, found.highest]), [0, 1], ALONE)
    fewest, most = (len(np.unique(labels)) for labels in ends)
    assert abs(fewest - (1 - spread) * 20) <= 1
    assert abs(most - (1 + spread) * 20) <= 1


def test_outliers_do_not_count():
    """Two large blocks and two points far out are two clusters, not three."""
    W, _ = blocks([60, 60, 2], weak=0.0)
    W[:120, :120] += 0.002
    np.fill_diagonal(W, 0.0)
    groups = groups_of(W)
    found = find_resolutions(groups, 2, seed=0, spread=0.5)
    labels = communities(groups, np.array([found.value]), [0], ALONE)[0]
    assert np.bincount(labels).tolist() == [60, 60, 2]


def test_two_long_chains_are_two_communities_however_many_pieces_the_first_resolution_tried_cuts_them_into():
    """At resolution 1 no piece has a tenth of half of the points: they are too many, and not too few."""
    n = 1500
    chain = sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1])
    groups = groups_of(sp.block_diag([chain, chain], format="csr"))
    assert len(np.unique(communities(groups, np.ones(1), [0], ALONE)[0])) > 40
    assert find_resolutions(groups, 2, seed=0, spread=0.5).n_communities == 2


def test_more_components_than_clusters_are_what_is_nearest():
    W, _ = blocks([10] * 6, weak=0.0)
    found = find_resolutions(groups_of(W), 4, seed=0, spread=0.5)
    assert found.n_communities == 6


def test_a_number_that_is_jumped_over_is_met_from_above():
    """Four equal blocks at equal distances are joined all at once, or not at all."""
    W, _ = blocks([10] * 4, weak=0.05)
    found = find_resolutions(groups_of(W), 3, seed=0, spread=0.5)
    assert found.n_communities in {3, 4}


@settings(max_examples=30, deadline=None)
@given(W=affinities(max_n=40), data=st.data())
def test_it_ends_on_any_graph(W, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    found = find_resolutions(groups_of(W), n_clusters, seed=0, spread=0.5)
    assert 0 < found.lowest <= found.value <= found.highest < np.inf
    np.testing.assert_allclose(found.spread(5)[[0, 2, 4]], [found.lowest, found.value, found.highest])
    np.testing.assert_allclose(found.spread(2), [found.lowest, found.highest])
    np.testing.assert_allclose(found.spread(1), [found.value])


@pytest.fixture
def coarse(monkeypatch):
    """Groups, where graphs of tests would have points."""
    monkeypatch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_groups=1000))
    monkeypatch.setattr("s3nmf.graph.communities.search.GROUPING", replace(GROUPING, many_points=0))


def test_groups_are_made_of_points_that_belong_together(coarse):
    X, y = make_blobs(3000, centers=[[0, 0], [12, 0], [0, 12]], random_state=0)
    graph = weighted_graph(nearest_neighbor_affinity(X))
    groups = find_groups(graph, 3, seed=0)
    assert 150 <= groups.arrays[-1].size <= 1000
    np.testing.assert_allclose(np.bincount(groups.group_of, weights=graph.strength), groups.arrays[-1])
    group_of_point = groups.group_of[graph.row_of]
    assert all(np.unique(y[group_of_point == group]).size == 1 for group in range(groups.arrays[-1].size))


def test_groups_are_no_clusters_however_many_outliers_there_are(monkeypatch):
    """Whole clusters and a thousand pairs of points are many groups, too, but nothing would be left to search in."""
    monkeypatch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_groups=1500))
    X, _ = make_blobs(4000, centers=4, n_features=8, cluster_std=3.0, random_state=0)
    pairs = sp.kron(sp.eye_array(1000), np.array([[0.0, 0.01], [0.01, 0.0]]))
    W = sp.block_diag([nearest_neighbor_affinity(X), pairs], format="csr")
    groups = find_groups(weighted_graph(W), 4, seed=0)
    sizes = np.bincount(groups.group_of)
    assert sizes.size < 5000
    assert sizes.sum() ** 2 / (sizes @ sizes) >= 20 * 4


def test_a_point_with_half_of_all_links_keeps_no_others_from_being_joined(monkeypatch):
    monkeypatch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_groups=500))
    n = 3000
    ring = sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1]).tolil()
    ring[0, 1:] = ring[1:, 0] = 1.0
    groups = find_groups(weighted_graph(sp.csr_array(ring)), 2, seed=0)
    assert 40 <= groups.arrays[-1].size <= 500
    assert np.bincount(groups.group_of).max() < n / 5


def test_groups_with_many_links_are_joined_further(monkeypatch):
    """In a graph in which all hangs together with all, it is the links that take the time, not the groups."""
    monkeypatch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_groups=4000))
    rng = np.random.default_rng(0)
    y = np.arange(3000) % 2
    W = sp.csr_array(np.triu((rng.random((3000, 3000)) < np.where(y[:, None] == y, 0.06, 0.02)), 1).astype(float))
    graph = weighted_graph(sp.csr_array(W + W.T))
    assert find_groups(graph, 2, seed=0).arrays[-1].size == 3000
    monkeypatch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_links=100_000))
    groups = find_groups(graph, 2, seed=0)
    assert groups.arrays[-1].size < 1500
    assert find_resolutions(groups, 2, seed=0, spread=0.5).n_communities == 2


def test_a_small_graph_is_its_own_groups():
    W, _ = blocks([5, 5, 5])
    groups = groups_of(W)
    assert groups.arrays[-1] is groups.graph.strength
    np.testing.assert_array_equal(groups.group_of, np.arange(15))


def test_the_search_on_groups_counts_as_one_on_points_does(coarse):
    X, _ = make_blobs(3000, centers=12, n_features=5, cluster_std=1.0, random_state=0)
    W = nearest_neighbor_affinity(X)
    by_groups = groups_of(W, 12)
    assert by_groups.arrays[-1].size < 3000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("s3nmf.graph.communities.groups.GROUPING", replace(GROUPING, few_groups=10**9))
        by_points = groups_of(W, 12)
    for groups in (by_groups, by_points):
        found = find_resolutions(groups, 12, seed=0, spread=0.5)
        assert found.n_communities == 12
        members = communities(groups, np.full(5, found.value), range(5), ALONE)
        counts = np.array([labels.max() + 1 for labels in members])
        assert (np.abs(counts - 12) <= 1).all()


def test_members_that_begin_with_groups_end_as_those_that_begin_with_points(coarse):
    """They move points out of their groups: no point wants to move, and the modularity is as high."""
    X, _ = make_blobs(3000, centers=6, n_features=4, cluster_std=2.0, random_state=1)
    groups = groups_of(nearest_neighbor_affinity(X), 6)
    graph = groups.graph
    by_groups = communities(groups, np.full(4, 0.5), range(4), ALONE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("s3nmf.graph.communities.search.GROUPING", replace(GROUPING, many_points=10**9))
        by_points = communities(groups, np.full(4, 0.5), range(4), ALONE)
    W = sp.csr_array((graph.weights, graph.neighbors, graph.starts), shape=(3000, 3000)).astype(float)

    def quality(labels):
        H = np.eye(labels.max() + 1)[labels[np.argsort(graph.row_of)]]
        return np.trace(H.T @ (W @ H)) / graph.total - 0.5 * ((graph.strength @ H / graph.total) ** 2).sum()

    assert np.mean([*map(quality, by_groups)]) == pytest.approx(np.mean([*map(quality, by_points)]), abs=0.005)
    group_of_point = groups.group_of[graph.row_of]
    assert any(np.unique(by_groups[0][group_of_point == group]).size > 1 for group in range(groups.arrays[-1].size))


def test_scaling_a_graph_changes_nothing():
    W = sp.csr_array(random_affinity(5, 40, 0.2))
    ones = find_resolutions(groups_of(W), 4, seed=2, spread=0.5)
    scaled = find_resolutions(groups_of(W * 1024.0), 4, seed=2, spread=0.5)
    assert scaled.value == pytest.approx(ones.value)
    assert scaled.n_communities == ones.n_communities
