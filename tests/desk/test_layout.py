import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score
from threadpoolctl import threadpool_limits

from graphs import affinities
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.desk import layout
from s3nmf.layout import graph_layout, untangled


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(300, centers=4, n_features=5, random_state=0)
    return nearest_neighbor_affinity(X), y


def test_clusters_that_are_apart_in_the_graph_are_apart_on_the_plane(blobs):
    W, y = blobs
    assert silhouette_score(graph_layout(W), y) > 0.5


def test_points_that_are_no_landmarks_go_where_their_cluster_is(blobs, monkeypatch):
    W, y = blobs
    monkeypatch.setattr(layout, "_LANDMARKS", 100)
    positions = graph_layout(W)
    assert np.unique(positions, axis=0).shape[0] > 250
    assert silhouette_score(positions, y) > 0.5


def test_the_same_graph_looks_the_same_on_any_number_of_threads(blobs):
    W, _ = blobs
    with threadpool_limits(1):
        expected = graph_layout(W)
    with threadpool_limits(2):
        np.testing.assert_array_equal(graph_layout(W), expected)


def test_a_dense_affinity_is_laid_out_like_a_sparse_one():
    W = nearest_neighbor_affinity(make_blobs(9, random_state=0)[0], 3)
    np.testing.assert_allclose(graph_layout(W.toarray()), graph_layout(W), atol=1e-4)


@settings(max_examples=15)
@given(affinities(min_n=3, max_n=30))
def test_any_graph_has_a_layout(W):
    positions = graph_layout(sp.csr_array(W))
    assert positions.shape == (W.shape[0], 2)
    assert np.isfinite(positions).all()


def test_two_points_have_a_layout():
    assert np.isfinite(graph_layout(np.array([[0.0, 1.0], [1.0, 0.0]]))).all()


def test_a_walk_of_many_steps_is_a_sum_of_a_few_polynomials(blobs, monkeypatch):
    monkeypatch.setattr(layout, "_DIRECTIONS", 3)
    W, _ = blobs
    n, n_steps = W.shape[0], round(2 * np.sqrt(W.shape[0]))
    walk = W.toarray() / W.sum(axis=1)[:, None]
    start = np.random.default_rng(0).standard_normal((n, 3)) / np.sqrt(W.sum(axis=1))[:, None]
    lazy = (np.eye(n) + walk) / 2
    long, short = (np.linalg.matrix_power(lazy, steps) @ start for steps in (n_steps, round(np.sqrt(n_steps) / 2)))
    expected = np.hstack([long / long.std(), layout._SHORT * short / short.std()])
    np.testing.assert_allclose(layout._walks(W, np.random.default_rng(0)), expected, atol=2e-3)
    assert len(layout._coins(200)) < 50


def test_some_points_are_where_they_are_among_all(blobs, monkeypatch):
    W, _ = blobs
    some = np.array([3, 7, 250])
    np.testing.assert_array_equal(graph_layout(W, some), graph_layout(W)[some])
    monkeypatch.setattr(layout, "_LANDMARKS", 100)
    np.testing.assert_allclose(graph_layout(W, some), graph_layout(W)[some])


def test_the_unit_of_the_weights_does_not_matter(blobs):
    W, _ = blobs
    np.testing.assert_allclose(
        layout._walks(1e-60 * W, np.random.default_rng(0)),
        layout._walks(W, np.random.default_rng(0)),
        rtol=1e-3,
        atol=1e-3,
    )


def test_an_untangled_graph_has_edges_of_one_length_and_room_between_nodes():
    cliques = np.kron(np.eye(4), np.ones((8, 8)))
    cliques[0, 8] = cliques[8, 16] = cliques[16, 24] = 1.0
    W = sp.csr_array(np.triu(cliques, 1) + np.triu(cliques, 1).T)
    places = graph_layout(W)
    for found in (untangled(places, W), untangled(np.zeros((32, 2)), W.toarray())):
        distances = np.linalg.norm(found[:, None] - found[None], axis=2)
        closest = distances[np.triu_indices(32, 1)].min()
        edges = distances[W.toarray() > 0]
        assert closest > 0.1 * edges.mean()
        assert edges.mean() < 0.6 * distances[np.triu_indices(32, 1)].mean()
    np.testing.assert_array_equal(untangled(places, W), untangled(places, W))


def test_the_pieces_of_a_graph_stay_together():
    W = sp.csr_array((np.ones(2), ([0, 1], [1, 0])), shape=(6, 6))
    assert np.abs(untangled(np.random.default_rng(0).random((6, 2)), W)).max() < 3


@pytest.mark.parametrize("W", [np.zeros((0, 0)), np.full((3, 3), np.nan), np.zeros((4, 4)), np.ones((3, 4))])
def test_what_is_no_graph_is_refused(W):
    with pytest.raises(ValueError, match=r"affinity|minimum of 2"):
        graph_layout(W)


@pytest.mark.parametrize("scale", [1e-310, 1e300])
def test_the_scale_of_the_weights_does_not_matter(scale):
    W = np.kron(np.eye(2), np.ones((4, 4))) + 0.125
    np.testing.assert_allclose(graph_layout(scale * W), graph_layout(W), rtol=1e-6, atol=1e-6)


def test_the_share_that_is_over_is_told_and_changes_nothing(blobs, monkeypatch):
    W, _ = blobs
    monkeypatch.setattr(layout, "_LANDMARKS", 100)
    shares = []
    np.testing.assert_array_equal(graph_layout(W, callback=shares.append), graph_layout(W))
    assert len(shares) > 10
    assert shares == sorted(set(shares))
    assert 0 < shares[0] < shares[-1] < 1
