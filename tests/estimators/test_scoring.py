"""What searches over parameters and other tools of scikit-learn ask of a clusterer: `predict_proba` and `score`."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from s3nmf import S3NMF, Assignment
from s3nmf.affinity import nearest_neighbor_affinity

pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")

X, y = make_blobs(240, centers=4, cluster_std=2.5, random_state=1)


@pytest.fixture(scope="module")
def model():
    return S3NMF(4).fit(X)


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_shares_add_up_to_one_and_the_largest_of_a_cluster_is_the_confidence_of_the_label(seed, c):
    random = np.random.default_rng(seed)
    membership = random.dirichlet(np.ones(c + 1), 30)[:, :c] * random.choice([1.0, 0.5, 0.0], (30, 1))
    labels = np.where(membership.any(axis=1), random.integers(0, c, 30), -1)
    found = Assignment(labels, membership, np.zeros(30, dtype=bool), labels < 0)
    shares = found.probabilities
    assert shares.shape == (30, c + 1)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    placed = labels >= 0
    np.testing.assert_array_equal(shares[placed, :-1].argmax(axis=1), labels[placed])
    np.testing.assert_array_equal(shares[placed, :-1].max(axis=1), found.confidence[placed])
    np.testing.assert_array_equal(shares[~placed], np.eye(c + 1)[np.full((~placed).sum(), c)])
    assert (shares[:, :-1] <= membership).all()


def test_probabilities_are_those_of_labels_and_confidence(model):
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(shares[:, :-1].argmax(axis=1), model.labels_)
    np.testing.assert_array_equal(shares[:, :-1].max(axis=1), model.confidence_)
    clear = model.membership_.argmax(axis=1) == model.labels_
    np.testing.assert_allclose(shares[clear, :-1], model.membership_[clear], atol=1e-12)
    new = np.random.default_rng(0).normal(size=(50, 2)) * 5
    np.testing.assert_array_equal(model.predict_proba(new)[:, :-1].argmax(axis=1), model.predict(new))


def test_outliers_have_more_than_half_for_none_and_no_cluster_on_request(model):
    new = np.vstack([X[:5] + 0.01, [[300.0, 300.0], [-90.0, 4.0]]])
    found = model.predict(new, outliers=True)
    assert found[-2:].tolist() == [-1, -1]
    np.testing.assert_array_equal(found[:5], model.predict(new)[:5])
    assert (model.predict(new) >= 0).all()
    assert (model.predict_proba(new)[-2:, -1] > 0.5).all()
    assert model.assign(new).outliers.tolist() == [False] * 5 + [True] * 2
    assert not model.assign(X).outliers.any(), "what was fitted is no outlier"


def test_of_a_graph_an_outlier_is_what_has_no_affinity():
    W = nearest_neighbor_affinity(X)
    of_graph = S3NMF(4, affinity="precomputed").fit(W)
    new = W[:3].toarray() + 0.001
    new[1] = 0.0
    assert of_graph.predict(new, outliers=True)[1] == -1
    assert of_graph.assign(new).outliers.tolist() == [False, True, False]


def test_the_score_of_real_clusters_is_their_number_and_more():
    fitted, new = (make_blobs(300, centers=[[0, 0], [5, 0]], random_state=seed)[0] for seed in (0, 1))
    scores = {k: S3NMF(k).fit(fitted).score(new) for k in (1, 2, 4)}
    assert scores[1] == 1.0
    assert 2.0 < scores[2] <= 3.0
    assert scores[4] < scores[2]


def test_a_score_counts_only_clusters_that_have_points():
    blobs, _ = make_blobs(300, centers=[[0, 0], [5, 0], [0, 5]], random_state=0)
    model = S3NMF(3).fit(blobs)
    two = blobs[model.labels_ < 2]
    assert 2.0 < model.score(two) <= 3.0 < model.score(blobs) <= 4.0


@pytest.mark.parametrize("graph", ["nearest_neighbors", "precomputed"])
def test_a_search_over_parameters_finds_the_clusters_that_are_there(graph):
    blobs, _ = make_blobs(240, centers=[[0, 0], [5, 0], [0, 5]], random_state=0)
    given = blobs if graph == "nearest_neighbors" else nearest_neighbor_affinity(blobs)
    search = GridSearchCV(S3NMF(affinity=graph), {"n_clusters": [2, 3, 5]}, cv=2).fit(given)
    assert search.best_params_ == {"n_clusters": 3}
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_a_search_may_go_by_known_groups_and_through_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), S3NMF(4))
    grid = {"s3nmf__n_neighbors": ["auto", 20]}
    search = GridSearchCV(pipeline, grid, cv=2, scoring="adjusted_rand_score").fit(X, y)
    assert search.best_score_ > 0.3


def test_two_points_have_no_score(model):
    with pytest.raises(ValueError, match="at least 3 points, and X has 2"):
        model.score(X[:2])


def test_sparse_features_have_probabilities_under_another_name():
    sparse = S3NMF(4).fit(sp.csr_array(X))
    assert not hasattr(sparse, "predict_proba")
    np.testing.assert_allclose(sparse.assign(X).probabilities.sum(axis=1), 1.0)
