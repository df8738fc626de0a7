"""Clusters that the graph keeps apart are found whatever their sizes, and others weigh as they did."""

import logging
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from graphs import connected_affinity
from s3nmf import S3NMF, Recipe, self_supervised_nmf
from s3nmf.method import score
from s3nmf.method.score import max_conductance
from s3nmf.method.views import is_far_less

IN_PIECES = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
COLLAPSED = Recipe(similarity="collapsed")
UNEQUAL = {
    "moons": make_moons((600, 60), noise=0.06, random_state=0),
    "circles": make_circles((800, 60), factor=0.4, noise=0.05, random_state=0),
    "two blobs": make_blobs([1000, 60], centers=[[0, 0], [9, 0]], random_state=0),
    "four blobs": make_blobs([500, 500, 30, 30], centers=[[0, 0], [6, 0], [0, 6], [6, 6]], random_state=0),
}


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_most_cut_is_the_largest_share_of_links_to_others(seed, n):
    random = np.random.default_rng(seed)
    W = random.random((n, n)) * (random.random((n, n)) < 0.3)
    W = W + W.T
    labels = np.unique(random.integers(0, 4, n), return_inverse=True)[1].astype(random.choice([np.uint8, np.intp]))
    shares = [0.0]
    for k in range(labels.max() + 1):
        of_cluster = W[labels == k]
        if of_cluster.sum() > 0:
            shares.append(of_cluster[:, labels != k].sum() / of_cluster.sum())
    for affinity in (W, sp.csr_array(W)):
        assert max_conductance(affinity, labels) == pytest.approx(max(shares), abs=1e-12)


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_some_points_of_a_large_graph_say_what_all_do(monkeypatch, convert):
    labels = np.arange(3000) % 3
    random = np.random.default_rng(0)
    W = (random.random((3000, 3000)) < np.where(labels[:, None] == labels, 0.02, 0.002 * (1 + labels))).astype(float)
    W = convert(np.maximum(W, W.T))
    whole = max_conductance(W, labels)
    few = 3000 * 300 if convert is np.asarray else W.nnz // 10
    monkeypatch.setattr(score, "SPEED", replace(score.SPEED, entries_looked_at=few))
    assert max_conductance(W, labels) == pytest.approx(whole, rel=0.05)
    assert max_conductance(W, labels) == max_conductance(W, labels) != whole


@IN_PIECES
@pytest.mark.parametrize("name", UNEQUAL)
def test_clusters_that_hardly_an_edge_joins_are_found_though_one_has_many_times_the_points(name):
    """A cluster that weighs the square of its size would be cut."""
    X, y = UNEQUAL[name]
    model = S3NMF(len(set(y))).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert [found.similarity for found in model.result_.history[:2]] == [None, "normalized"]
    weighed_by_size = S3NMF(len(set(y)), recipe=COLLAPSED).fit(X)
    assert adjusted_rand_score(y, weighed_by_size.labels_) < 0.8
    np.testing.assert_array_equal(model.labels_, S3NMF(len(set(y)), recipe="unequal").fit_predict(X))


@IN_PIECES
def test_a_factor_of_the_affinity_changes_nothing_and_a_dense_one_is_cut_as_a_sparse_one():
    X, _ = UNEQUAL["four blobs"]
    model = S3NMF(4, random_state=0).fit(X)
    W, members = model.affinity_matrix_, model.result_.history[0].member_labels
    assert model.result_.history[-1].similarity == "normalized"
    for other in (W * 1e-300, W * 1e300, W.toarray()):
        found = self_supervised_nmf(other, 4, members=members, features=X)
        np.testing.assert_array_equal(found.labels, model.labels_)


def test_clusters_of_like_sizes_that_touch_are_weighed_as_before(caplog):
    """On digits, clusters that weigh alike are cut half as much, and wrong."""
    X, y = load_digits(return_X_y=True)
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        model = S3NMF(10, random_state=0).fit(X)
    assert "again" not in caplog.text
    assert {found.similarity for found in model.result_.history[1:]} == {"collapsed"}
    alike = S3NMF(10, recipe="unequal", random_state=0).fit(X)
    cut, less = (max_conductance(model.affinity_matrix_, found.labels_) for found in (model, alike))
    assert less < 0.6 * cut
    assert not is_far_less(less, than=cut)
    assert adjusted_rand_score(y, alike.labels_) < 0.9 < adjusted_rand_score(y, model.labels_)


@IN_PIECES
def test_rounds_that_are_run_again_are_kept_only_if_they_cut_far_less_or_are_far_likelier(monkeypatch, caplog):
    X, _ = UNEQUAL["four blobs"]
    by_size = S3NMF(4, recipe=COLLAPSED, random_state=0).fit(X)

    def cut(W, labels):
        return 0.0 if labels.dtype == np.uint8 else 0.01  # of members; and of partitions, of whatever similarity

    monkeypatch.setattr("s3nmf.method.fit.max_conductance", cut)
    monkeypatch.setattr("s3nmf.method.fit.log_likelihood", lambda graph, labels: 0.0)
    told = []
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        model = S3NMF(4, random_state=0, callback=told.append).fit(X)
    assert told[-1].agreement == tuple(model.agreement_)
    assert "clusters may be of very unequal sizes: round 2 again" in caplog.text
    np.testing.assert_array_equal(model.labels_, by_size.labels_)
    assert model.result_.history[-1].similarity == "collapsed"


@pytest.mark.parametrize(
    "settings",
    [{"members": "factorizations"}, {"recipe": COLLAPSED}, {"recipe": "text", "members": "factorizations"}],
    ids=str,
)
def test_the_papers_form_never_weighs_clusters_alike(monkeypatch, settings):
    monkeypatch.setattr("s3nmf.method.fit.max_conductance", lambda W, labels: pytest.fail("looked at"))
    self_supervised_nmf(connected_affinity(0, 30), 3, n_members=3, max_rounds=3, random_state=0, **settings)
