import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances
from sklearn.pipeline import make_pipeline

from s3nmf import S3NMF, DisconnectedGraphWarning, SuspiciousDataWarning
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.estimators.assign import NO_MATCH, affinity_votes, assign, limit_among, neighbor_votes

X, y = make_blobs(240, centers=4, cluster_std=2.5, random_state=1)
TRAIN, NEW = X[:180], X[180:]


@pytest.fixture(scope="module", params=["communities", "factorizations"])
def model(request):
    return S3NMF(4, members=request.param, random_state=0).fit(TRAIN)


def literal_weights(train, new, k, metric="euclidean"):
    """exp(-d^2 / sigma^2) of the k nearest, sigma the mean of their distances and 0; rows add up to 1."""
    weights = np.zeros((len(new), len(train)))
    for i, distances in enumerate(pairwise_distances(new, train, metric=metric)):
        near = np.argsort(distances, kind="stable")[:k]
        sigma = distances[near].sum() / (k + 1)
        weights[i, near] = np.exp(-((distances[near] / sigma) ** 2))
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_weights_are_the_kernel_at_the_scale_of_the_point(metric):
    weights, matches, distances = neighbor_votes(TRAIN, NEW, 7, metric)
    np.testing.assert_allclose(distances, pairwise_distances(NEW, TRAIN, metric=metric).min(axis=1), atol=1e-12)
    np.testing.assert_allclose(weights.toarray(), literal_weights(TRAIN, NEW, 7, metric), atol=1e-12)
    assert (matches == NO_MATCH).all()


def test_new_points_take_the_label_and_the_mean_membership_of_those_around(model):
    weights = literal_weights(TRAIN, NEW, 8)
    votes = weights @ np.eye(4)[model.labels_]
    np.testing.assert_array_equal(model.predict(NEW), votes.argmax(axis=1))
    nearest = np.sort(pairwise_distances(TRAIN), axis=1)[:, 1].max()
    beyond = pairwise_distances(NEW, TRAIN).min(axis=1) / nearest
    left = np.where(beyond > 1, 0.5 / beyond, 1.0)[:, None]
    np.testing.assert_allclose(model.membership(NEW), left * (weights @ model.membership_), atol=1e-12)
    assert (model.membership(NEW).sum(axis=1) <= 1 + 1e-12).all()


def test_fitted_points_keep_their_labels_and_memberships(model):
    np.testing.assert_array_equal(model.predict(TRAIN), model.labels_)
    np.testing.assert_array_equal(model.membership(TRAIN), model.membership_)
    own = model.membership(TRAIN)[np.arange(180), model.labels_]
    np.testing.assert_array_equal(own, model.confidence_)
    some = np.array([170, 3, 99])
    np.testing.assert_array_equal(model.predict(TRAIN[some]), model.labels_[some])


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csc_matrix, np.float32])
@pytest.mark.parametrize("fitted_sparse", [False, True])
def test_features_of_every_kind_are_recognised(convert, fitted_sparse):
    digits = load_digits().data[:120]
    model = S3NMF(5, n_members=5, random_state=0).fit(sp.csr_array(digits) if fitted_sparse else digits)
    np.testing.assert_array_equal(model.predict(convert(digits)), model.labels_)
    np.testing.assert_array_equal(model.predict(convert(digits[40:])), model.labels_[40:])


@pytest.mark.filterwarnings("ignore::s3nmf.SuspiciousDataWarning")
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(8, 30))
def test_what_was_fitted_is_predicted_even_where_points_coincide(seed, n_values, n):
    """On a small grid many points are the same, and some of those have different labels."""
    points = np.random.default_rng(seed).integers(0, n_values, (n, 2)).astype(float)
    points[0] = 9.0
    model = S3NMF(3, n_members=4, max_rounds=2, random_state=seed).fit(points)
    np.testing.assert_array_equal(model.predict(points), model.labels_)
    np.testing.assert_array_equal(model.predict(points[: n // 2]), model.labels_[: n // 2])


def test_of_equal_points_the_one_in_the_same_row_comes_first_and_then_the_first():
    train = np.array([[0.0], [1.0], [0.0], [5.0], [0.0]])
    new = np.array([[5.0], [0.0], [0.0], [2.0], [0.0], [0.0]])
    _, matches, _ = neighbor_votes(train, new, 4, "euclidean")
    np.testing.assert_array_equal(matches, [3, 0, 2, NO_MATCH, 4, 0])


def test_a_point_is_judged_alone(model):
    whole = model.predict(NEW)
    np.testing.assert_array_equal(whole, [model.predict(point[None])[0] for point in NEW])
    np.testing.assert_array_equal(whole[::-1], model.predict(NEW[::-1]))


def test_most_held_out_points_are_placed_as_well_as_fitted_ones():
    """Over seeds: points that were left out of the fit land with the points of their class."""
    right = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        train, new = order[:180], order[180:]
        model = S3NMF(4, random_state=seed).fit(X[train])
        table = np.zeros((4, 4))
        np.add.at(table, (model.labels_, y[train]), 1)
        fitted = table.max(axis=1).sum() / len(train)
        right.append(np.mean(table.argmax(axis=1)[model.predict(X[new])] == y[new]) - fitted)
    assert np.mean(right) > -0.06


def test_a_point_far_from_all_gets_a_cluster(model):
    far = np.array([[1e6, 1e6], [-1e9, 3.0]])
    assert np.isfinite(model.membership(far)).all()
    totals = model.membership(far).sum(axis=1)
    assert (totals < 1e-4).all()
    assert set(model.predict(far)) <= set(range(4))


def test_given_affinities_vote_by_their_weight():
    W = nearest_neighbor_affinity(TRAIN)
    model = S3NMF(4, affinity="precomputed", random_state=0).fit(W)
    given = np.random.default_rng(0).random((20, 180)) * (np.random.default_rng(1).random((20, 180)) < 0.1)
    votes = given @ np.eye(4)[model.labels_]
    for convert in (np.asarray, sp.csr_array, sp.csc_matrix):
        np.testing.assert_array_equal(model.predict(convert(given)), votes.argmax(axis=1))
        shares = given @ model.membership_ / given.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.membership(convert(given)), shares)
        np.testing.assert_allclose(model.membership(convert(1e-9 * given)), shares)
    for convert in (sp.csr_array, sp.csr_array.toarray):
        np.testing.assert_array_equal(model.predict(convert(W)), model.labels_)
        np.testing.assert_array_equal(model.membership(convert(W)), model.membership_)
    assert not hasattr(model, "X_fit_")


def test_a_new_point_without_affinity_is_reported():
    W = np.kron(np.eye(2), np.ones((4, 4)))
    with pytest.warns(DisconnectedGraphWarning):
        model = S3NMF(2, affinity="precomputed", n_members=4, random_state=0).fit(W)
    given = np.zeros((3, 8))
    given[0, 5] = 1.0
    with pytest.warns(DisconnectedGraphWarning, match="2 of 3 new points .* the first in row 1"):
        labels = model.predict(given)
    np.testing.assert_array_equal(labels, [model.labels_[5], 0, 0])
    with pytest.warns(DisconnectedGraphWarning):
        np.testing.assert_array_equal(model.membership(given).sum(axis=1), [1, 0, 0])


def test_input_that_cannot_be_placed_is_refused(model):
    with pytest.raises(NotFittedError):
        S3NMF().predict(TRAIN)
    with pytest.raises(ValueError, match="3 features, but S3NMF is expecting 2"):
        model.predict(np.ones((2, 3)))
    with pytest.raises(ValueError, match="NaN in column 1"):
        model.predict([[0.0, np.nan]])
    with pytest.raises(ValueError, match="the text 'red'"):
        model.predict(pd.DataFrame({0: [1.0], 1: ["red"]}))
    given = S3NMF(2, affinity="precomputed", random_state=0).fit(nearest_neighbor_affinity(TRAIN))
    with pytest.raises(ValueError, match=r"negative in 1 entries, lowest -1 at \[0, 2\]"):
        given.predict([[0.0, 1.0, -1.0] + [0.0] * 177])


def test_a_refit_forgets_the_features_of_the_fit_before():
    model = S3NMF(3, n_members=4, random_state=0).fit(TRAIN)
    assert model.X_fit_ is TRAIN
    model.set_params(affinity="precomputed").fit(nearest_neighbor_affinity(TRAIN[:100]))
    assert not hasattr(model, "X_fit_")
    assert model.predict(np.ones((1, 100))).shape == (1,)


def test_votes_are_counted_in_full_and_memberships_in_the_mean():
    weights = sp.csr_array(np.array([[0.6, 0.2, 0.2], [0.0, 0.0, 0.0], [0.0, 0.5, 0.5]]))
    labels = np.array([0, 0, 1])
    membership = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]])
    found = assign(weights, np.array([NO_MATCH, NO_MATCH, 2]), labels, membership)
    np.testing.assert_array_equal(found.labels, [0, 0, 1])
    np.testing.assert_allclose(found.membership, [[0.66, 0.34], [0, 0], [0.1, 0.9]])


def test_affinities_are_matched_to_rows_of_the_graph():
    W = nearest_neighbor_affinity(TRAIN)
    changed = W.toarray()
    changed[7, 0] += 0.1
    _, matches = affinity_votes(W, changed)
    expected = np.arange(180)
    expected[7] = NO_MATCH
    np.testing.assert_array_equal(matches, expected)


def test_an_assignment_says_all_that_predict_and_membership_do():
    X, _ = make_blobs(150, centers=3, cluster_std=2.5, random_state=1)
    model = S3NMF(3, n_members=5, random_state=0).fit(X)
    found = model.assign(X[:20] + 0.1)
    np.testing.assert_array_equal(found.labels, model.predict(X[:20] + 0.1))
    np.testing.assert_array_equal(found.membership, model.membership(X[:20] + 0.1))
    np.testing.assert_array_equal(found.confidence, found.membership[np.arange(20), found.labels])
    again = model.assign(X)
    np.testing.assert_array_equal(again.confidence, model.confidence_)
    np.testing.assert_array_equal(again.second_choice, model.second_choice_)


def test_points_in_doubt_of_a_graph_are_put_into_no_cluster_on_request():
    W = nearest_neighbor_affinity(make_blobs(200, centers=4, cluster_std=2.5, random_state=3)[0])
    every, marked = (S3NMF(9, affinity="precomputed", noise=noise).fit(W) for noise in (False, True))
    doubtful = every.confidence_ < 0.5
    assert doubtful.any()
    np.testing.assert_array_equal(marked.labels_, np.where(doubtful, -1, every.labels_))
    assert (every.n_noise_, marked.n_noise_) == (0, doubtful.sum())
    np.testing.assert_array_equal(marked.predict(W), marked.labels_)
    new = W[np.random.default_rng(0).permutation(200)] * 2
    found = every.assign(new)
    in_none = found.membership.sum(axis=1) < 0.5
    np.testing.assert_array_equal(marked.predict(new), np.where(in_none, -1, found.labels))
    np.testing.assert_array_equal(marked.assign(new).labels, found.labels)
    np.testing.assert_array_equal(marked.result_.labels, every.labels_)


def test_memberships_are_features_with_names_for_a_next_step():
    X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    model = S3NMF(3, random_state=0)
    np.testing.assert_array_equal(model.fit_transform(X), model.membership_)
    np.testing.assert_array_equal(model.transform(X[:5]), model.membership(X[:5]))
    frame = S3NMF(3, random_state=0).set_output(transform="pandas").fit_transform(pd.DataFrame(X, index=range(7, 127)))
    assert frame.columns.tolist() == model.get_feature_names_out().tolist() == ["s3nmf0", "s3nmf1", "s3nmf2"]
    assert frame.index[0] == 7
    assert make_pipeline(model, LogisticRegression()).fit(X, y).score(X, y) > 0.5


def test_a_notebook_counts_the_new_points_of_each_cluster(model):
    found = model.assign(np.random.default_rng(0).normal(size=(7, 2)))
    page = found._repr_html_()
    assert "7 new points in " in page
    assert page.count("<tr>") == 1 + found.membership.shape[1]


def test_affinities_of_yes_and_no_are_shares_like_others():
    W = sp.csr_array(np.kron(np.eye(2, dtype=bool), np.ones((5, 5), dtype=bool)))
    votes, _ = affinity_votes(W, W)
    np.testing.assert_allclose(votes.toarray(), W.toarray() / 5)


@pytest.mark.parametrize("kind", [np.array, sp.csr_array])
def test_a_point_that_is_far_from_all_is_an_outlier(kind):
    model = S3NMF(4, noise=True, random_state=0).fit(kind(TRAIN))
    far = TRAIN.mean(axis=0) + np.array([[1e4, -1e4], [100.0, 0.0], [0.0, 30.0]])
    found = model.assign(kind(far))
    assert (found.confidence < [1e-2, 0.1, 0.3]).all()
    assert (np.diff(found.confidence) > 0).all(), "the less the farther"
    assert model.predict(kind(far)).tolist() == [-1] * 3
    assert (model.set_params(noise=False).predict(kind(far)) >= 0).all()


def test_as_many_points_of_the_same_origin_are_far_as_are_by_chance():
    rng = np.random.default_rng(0)
    train, new = rng.normal(size=(2, 2000, 3))
    limit = limit_among(train, 11, "euclidean")
    beyond = neighbor_votes(train, new, 11, "euclidean").distances > limit
    assert 0 < beyond.mean() < 0.005


def test_copies_do_not_make_all_others_far():
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 2, (300, 4)).astype(float)
    assert limit_among(cells, 3, "euclidean") == np.inf, "each has more copies"
    assert limit_among(cells, 40, "euclidean") == 1.0
    twice = np.repeat(rng.normal(size=(100, 2)), 2, axis=0)
    assert limit_among(twice, 8, "euclidean") == limit_among(twice[::2], 8, "euclidean") > 0
    with pytest.warns(SuspiciousDataWarning):
        model = S3NMF(3, random_state=0).fit(twice)
    assert (model.assign(twice[:50] + 1e-3).confidence > 0.4).mean() > 0.9
