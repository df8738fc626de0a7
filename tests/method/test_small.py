import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.method.result import S3NMFResult
from s3nmf.method.small import joined_small, without_small_clusters
from s3nmf.partitions import by_decreasing_size


def result_of(labels):
    shares = np.random.default_rng(0).dirichlet(np.ones(labels.max() + 1), labels.size)
    return S3NMFResult(labels, shares, 1, (), np.array([], dtype=int))


def joined_literally(W, labels, smallest):
    """One after the other, the smallest first, each to the cluster with most edges, all counted anew."""
    labels, order = labels.copy(), np.argsort(np.bincount(labels), kind="stable")
    for small in order:
        inside = labels == small
        if not inside.any() or inside.sum() >= smallest:
            continue
        links = [W[inside][:, labels == k].sum() if k != small else 0.0 for k in range(labels.max() + 1)]
        if max(links) > 0:
            labels[inside] = int(np.argmax(links))
    return labels


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_clusters_are_joined_as_if_edges_were_counted_anew_each_time(seed, smallest):
    random = np.random.default_rng(seed)
    labels = by_decreasing_size(random.integers(0, 6, 24))
    W = np.triu(random.integers(0, 4, (24, 24)) * (random.random((24, 24)) < 0.1), 1).astype(float)
    W += W.T
    sums = sp.csr_array((np.ones(24), (np.arange(24), labels))).T.toarray()
    into = joined_small(sums @ W @ sums.T, np.bincount(labels), smallest)
    np.testing.assert_array_equal(into[labels], joined_literally(W, labels, smallest))


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_no_cluster_is_smaller_than_asked_and_nothing_of_membership_is_made_up(seed, smallest):
    random = np.random.default_rng(seed)
    labels = by_decreasing_size(random.integers(0, 6, 24))
    W = np.triu(random.random((24, 24)) < 0.08, 1).astype(float)
    before = result_of(labels)
    after = without_small_clusters(before, sp.csr_array(W + W.T), smallest)
    sizes = np.bincount(after.labels[after.labels >= 0])
    assert (sizes >= smallest).all() or sizes.size == 1
    assert (np.diff(sizes) <= 0).all()
    assert after.membership.shape == (24, sizes.size)
    assert (after.membership.sum(axis=1) <= before.membership.sum(axis=1) + 1e-12).all()
    assert not after.membership[after.labels < 0].any()
    for k in range(sizes.size):  # clusters are unions of clusters, and membership is that in all of them
        parts = np.unique(labels[after.labels == k])
        assert (np.isin(labels, parts) == (after.labels == k)).all()
        kept = after.labels >= 0
        np.testing.assert_allclose(after.membership[kept, k], before.membership[kept][:, parts].sum(axis=1))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_points_that_are_too_few_and_apart_are_in_no_cluster():
    X, _ = make_blobs([80, 60, 6], centers=[[0, 0], [4, 0], [40, 40]], shuffle=False, random_state=0)
    whole, without = (S3NMF(3, n_neighbors=4, min_cluster_size=fewest).fit(X) for fewest in (1, 10))
    assert np.bincount(whole.labels_).min() == 6
    assert (without.labels_[140:] == -1).all()
    assert (without.n_clusters_, without.n_noise_, without.membership_.shape) == (2, 6, (146, 2))
    np.testing.assert_array_equal(without.predict(X), without.labels_)
    assert "Fewer clusters than asked for" not in [doubt.what for doubt in without.judge().doubts]


def test_small_clusters_join_their_neighbours_and_the_rest_is_as_before():
    X, _ = make_blobs(300, centers=3, cluster_std=1.5, random_state=4)
    many, few = S3NMF(12).fit(X), S3NMF(12, min_cluster_size=40).fit(X)
    assert np.bincount(many.labels_).min() < 40 <= np.bincount(few.labels_).min()
    assert (few.labels_ >= 0).all()
    for k in range(few.n_clusters_):
        parts = np.unique(many.labels_[few.labels_ == k])
        assert (np.isin(many.labels_, parts) == (few.labels_ == k)).all()
    np.testing.assert_allclose(few.membership_.sum(axis=1), many.membership_.sum(axis=1))


def test_the_smallest_size_is_written_to_the_file_of_a_model(tmp_path):
    X, _ = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    model = S3NMF(3, min_cluster_size=5).fit(X)
    model.save(tmp_path / "m.s3nmf")
    assert S3NMF.load(tmp_path / "m.s3nmf").min_cluster_size == 5
    with warnings.catch_warnings(), pytest.raises(ValueError, match="min_cluster_size"):
        S3NMF(3, min_cluster_size=0).fit(X)
