"""Borders between clouds of one form are planes; those of anything else are left as the graph found them."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf
from sklearn.datasets import load_digits, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from s3nmf import S3NMF, self_supervised_nmf
from s3nmf.graph.operators import CoAssociation
from s3nmf.method import refine
from s3nmf.method.confidence import membership
from s3nmf.method.refine import refine_by_lda
from s3nmf.metrics import correct
from s3nmf.partitions import by_decreasing_size


def line(draw, sizes=(100, 100, 100)):
    """Three groups in a row, their centres five standard deviations apart."""
    return make_blobs(list(sizes), centers=[[0, 0], [5, 0], [10, 0]], random_state=draw)


def misplaced(X, y, width=0.3):
    """The groups on a line, but that points near to a border are left of it."""
    labels = y.copy()
    for left, border in enumerate((2.5, 7.5)):
        labels[np.abs(X[:, 0] - border) < width] = left
    return by_decreasing_size(labels)


def settled_by_shape(X, labels, confidence):
    """The partition after the refinement, which is the one before where clusters are no Gaussians."""
    return by_lda(X, labels, confidence).labels


def by_lda(X, labels, confidence):
    """The refinement where the graph is so sure of each point."""
    return refine_by_lda(X, labels, np.tile(confidence, (labels.max() + 1, 1)).T)


def doubted(X):
    return np.full(len(X), 0.6)


def literal_step(X, labels):
    """Every point to the cluster with the largest density of Gaussians that have the mean of their covariances."""
    covariances, means = [], []
    for k in range(labels.max() + 1):
        own = X[labels == k]
        scale = own.std(axis=0)
        covariances.append(scale[:, None] * ledoit_wolf((own - own.mean(axis=0)) / scale)[0] * scale)
        means.append(own.mean(axis=0))
    precision = np.linalg.inv(np.mean(covariances, axis=0))
    away = [X - mean for mean in means]
    return np.argmin([((one @ precision) * one).sum(axis=1) for one in away], axis=0)


@pytest.mark.parametrize(("draw", "sizes"), [(0, (100, 100, 100)), (1, (100, 100, 100)), (2, (240, 100, 100))])
def test_points_end_where_the_gaussians_of_their_clusters_are_likeliest(draw, sizes):
    """Whatever their sizes: none is likelier than another by itself."""
    X, y = line(draw, sizes)
    labels = misplaced(X, y)
    settled = settled_by_shape(X, labels, doubted(X))
    expected = labels
    for _ in range(20):
        expected = literal_step(X, expected)
    assert settled.tolist() == by_decreasing_size(expected).tolist() != labels.tolist()


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_a_graph_sees_a_border_by_few_points_and_the_shape_by_all():
    """Over twenty draws, on which knowing the centres would give .974."""
    graph, shape = [], []
    for draw in range(20):
        X, y = line(draw)
        model = S3NMF(3).fit(X)
        given_graph = self_supervised_nmf(model.affinity_matrix_, 3, members=model.result_.history[0].member_labels)
        graph.append(adjusted_rand_score(y, given_graph.labels))
        shape.append(adjusted_rand_score(y, model.labels_))
    assert np.mean(shape) > np.mean(graph) + 0.005
    assert min(shape) > min(graph) + 0.02


NOT_CLOUDS = {
    "moons": make_moons(500, noise=0.05, random_state=0),
    "of other widths": make_blobs(600, centers=[[0, 0], [6, 0]], cluster_std=[1.4, 0.7], random_state=0),
    "of other sizes": make_blobs([500, 100], centers=[[0, 0], [4, 0]], random_state=0),
    "digits": load_digits(return_X_y=True),
    "one, cut": (X := np.random.default_rng(0).normal(size=(300, 2)), (X[:, 0] > 0).astype(int)),
}


@pytest.mark.parametrize("name", NOT_CLOUDS)
def test_what_is_no_cloud_stays_even_if_all_is_in_doubt(name):
    X, y = NOT_CLOUDS[name]
    labels = by_decreasing_size(y)
    assert settled_by_shape(X, labels, doubted(X)).tolist() == labels.tolist()


def test_points_that_the_graph_is_sure_of_stay():
    X, y = line(0)
    labels = misplaced(X, y)
    sure = np.full(len(X), 0.97)
    sure[0] = 0.1  # or nobody would look
    assert settled_by_shape(X, labels, sure).tolist() == labels.tolist()
    rings, inner = make_circles(400, factor=0.5, noise=0.04, random_state=0)
    assert settled_by_shape(rings, inner, sure.mean() * np.ones(400)).tolist() == inner.tolist()


def test_a_form_of_too_few_points_is_none():
    X, y = line(0)
    labels = misplaced(X, y)
    for n_more, stay in ((20, False), (29, True)):
        more = np.column_stack([X, np.random.default_rng(0).normal(size=(300, n_more))])
        assert (settled_by_shape(more, labels, doubted(X)).tolist() == labels.tolist()) == stay


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 4))
def test_clusters_stay_as_many_and_keep_half_of_their_points(seed, n_clusters, n_features):
    random = np.random.default_rng(seed)
    labels = by_decreasing_size(np.append(np.arange(n_clusters), random.integers(0, n_clusters, 60)))
    centers = 4.0 * random.normal(size=(n_clusters, n_features))
    X = centers[labels] + random.normal(size=(labels.size, n_features))
    labels = by_decreasing_size(np.where(random.random(labels.size) < 0.05, labels[0], labels))
    settled = settled_by_shape(X, labels, random.random(labels.size))
    assert settled.max() == labels.max()
    together = np.zeros((labels.max() + 1,) * 2)
    np.add.at(together, (labels, settled), 1)
    assert (together.max(axis=1) >= np.bincount(labels) / 4).all()
    assert (np.sort(np.bincount(settled)) >= np.sort(np.bincount(labels)) / 2).all()


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e150, 1e300])
def test_units_do_not_matter_nor_do_columns_that_say_nothing(factor):
    X, y = line(1)
    labels = misplaced(X, y)
    expected = settled_by_shape(X, labels, doubted(X)).tolist()
    assert settled_by_shape(X * [factor, 1.0], labels, doubted(X)).tolist() == expected
    assert settled_by_shape(np.column_stack([X, np.full(300, factor)]), labels, doubted(X)).tolist() == expected


def test_only_features_with_euclidean_distances_have_a_shape():
    """And the paper's form has none."""
    X, _ = line(0)
    whole = S3NMF(3).fit(X)
    members = whole.result_.history[0].member_labels
    by_graph = self_supervised_nmf(whole.affinity_matrix_, 3, members=members).labels
    assert whole.labels_.tolist() != by_graph.tolist()
    precomputed = S3NMF(3, members=members, affinity="precomputed")
    assert precomputed.fit_predict(whole.affinity_matrix_).tolist() == by_graph.tolist()
    assert S3NMF(3, metric="manhattan").fit(X).result_.trace.shape_skipped == "no features"
    paper = S3NMF(3, members="factorizations", random_state=0).fit(X)
    assert paper.result_.labels.tolist() == by_decreasing_size(paper.member_labels_[paper.weights_.argmax()]).tolist()


@pytest.mark.parametrize("draw", [0, 1])
def test_sparse_features_have_the_shape_of_dense_ones(draw):
    X, _ = line(draw)
    dense, sparse = (S3NMF(3).fit(data) for data in (X, sp.csr_array(X)))
    assert dense.result_.trace.moved_by_shape > 0
    assert dense.result_.trace == sparse.result_.trace
    np.testing.assert_array_equal(dense.labels_, sparse.labels_)
    np.testing.assert_allclose(dense.membership_, sparse.membership_)


def test_why_shapes_are_not_used_is_said(monkeypatch):
    X, y = line(0)
    labels = by_decreasing_size(y)
    assert by_lda(X, labels, doubted(X)).skipped == ""
    monkeypatch.setattr(refine, "SPEED", replace(refine.SPEED, entries_made_dense=599))
    for data, partition, confidence, words in (
        (X[:, :0], labels, doubted(X), "no features"),
        (X, np.zeros(300, int), doubted(X), "there is one cluster"),
        (X[:15], by_decreasing_size(y[:15]), doubted(X)[:15], "too few points to estimate a covariance"),
        (sp.csr_array(X), labels, doubted(X), "sparse, and too many"),
        (X, by_decreasing_size(np.minimum(np.arange(300), 1)), doubted(X), "very unequal sizes"),
        (X, labels, np.ones(300), "certain of every point"),
        (X, by_decreasing_size(np.arange(300) % 3), doubted(X), "not Gaussians of one covariance"),
    ):
        shares = np.tile(confidence, (partition.max() + 1, 1)).T
        found = refine_by_lda(data, partition, shares)
        assert words in found.skipped
        assert found.shares is shares
        assert found.labels is partition


def test_the_likelihood_is_that_of_the_gaussians_by_the_names_of_the_clusters():
    X, y = line(1, (120, 100, 110))
    settled, likelihood, _ = by_lda(X, misplaced(X, y), doubted(X))
    np.testing.assert_allclose(likelihood.sum(axis=1), 1.0)
    np.testing.assert_array_equal(likelihood.argmax(axis=1), settled)
    middle = np.abs(X[:, 0] - 5.0) < 1.0
    assert (likelihood[middle, np.bincount(settled[middle]).argmax()] > 0.95).all()


def test_the_graph_and_the_shape_say_alike_how_far_a_point_belongs_to_a_cluster():
    X, _ = line(0)
    model = S3NMF(3).fit(X)
    first = model.result_.history[0]
    by_graph = self_supervised_nmf(model.affinity_matrix_, 3, members=first.member_labels)
    np.testing.assert_array_equal(model.confidence_, model.membership_[np.arange(300), model.labels_])
    settled, likelihood, _ = refine_by_lda(X, by_graph.labels, by_graph.membership)
    np.testing.assert_array_equal(settled, model.labels_)
    votes = CoAssociation(first.member_labels, first.weights)
    shares = membership(votes, model.affinity_matrix_, settled)
    np.testing.assert_allclose(model.membership_, (shares + likelihood) / 2)
    moved = ~correct(by_graph.labels, model.labels_)
    assert 0 < moved.sum() < 10
    assert model.confidence_[moved].max() < 0.8
