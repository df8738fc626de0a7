"""Equal rows are one point: they have one label and one membership, and `predict` gives them that label."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from s3nmf import S3NMF
from s3nmf.method.copies import distinct_rows, with_copies_together
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER

pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.SuspiciousDataWarning")


def answers(n, n_columns, n_values=2, seed=0):
    """A table of few answers, most of whose rows have copies."""
    return np.random.default_rng(seed).integers(0, n_values, (n, n_columns)).astype(float)


@given(st.integers(1, 30), st.integers(1, 4), st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_rows_have_one_number_if_and_only_if_they_are_equal(n, d, seed):
    X = answers(n, d, 3, seed) - 1.0
    X[X == 0] *= np.random.default_rng(seed).choice([-1.0, 1.0], (X == 0).sum())  # -0.0 is 0.0
    expected = np.unique(X + 0.0, axis=0, return_inverse=True)[1].ravel()
    for table in (X, X.astype(np.float32), sp.csr_array(X)):
        found = distinct_rows(table)
        np.testing.assert_array_equal(found[:, None] == found, expected[:, None] == expected)


def literal(labels, membership, row_of):
    """The cluster of most copies, of the larger mean membership where several have as many."""
    chosen = np.empty_like(labels)
    for row in np.unique(row_of):
        own = np.flatnonzero(row_of == row)
        counts = np.array([(labels[own] == k).sum() for k in range(membership.shape[1])])
        best = np.flatnonzero(counts == counts.max())
        chosen[own] = best[np.argmax(membership[own].mean(axis=0)[best])]
    return chosen


@given(st.integers(5, 40), st.integers(1, 4), st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_copies_go_where_most_of_them_are_and_no_cluster_is_lost(n_rows, k, seed):
    random = np.random.default_rng(seed)
    row_of = np.concatenate([np.arange(n_rows), random.integers(0, n_rows, 2 * n_rows)])
    labels = np.concatenate([np.arange(k), random.integers(0, k, row_of.size - k)])
    membership = random.dirichlet(np.ones(k), row_of.size)
    whole = S3NMFResult(labels, membership, 1, (), np.empty(0, np.intp))
    found = with_copies_together(whole, row_of)
    assert np.unique(found.labels).size == k
    for row in range(n_rows):
        own = row_of == row
        assert np.unique(found.labels[own]).size == 1
        np.testing.assert_allclose(np.sort(found.membership[own]), np.sort([membership[own].mean(axis=0)] * own.sum()))
    expected = literal(labels, membership, row_of)
    if np.unique(expected).size == k:
        same = expected[:, None] == expected
        np.testing.assert_array_equal(found.labels[:, None] == found.labels, same)


@pytest.mark.parametrize("k", [2, 6, 12])
def test_equal_rows_have_one_label_and_predict_gives_it(k):
    X = answers(300, 4)
    model = S3NMF(k).fit(X)
    row_of = distinct_rows(X)
    assert np.unique(np.column_stack([row_of, model.labels_]), axis=0).shape[0] == row_of.max() + 1
    assert model.n_clusters_ == k
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.membership(X), model.membership_)
    backwards = np.random.default_rng(0).permutation(300)
    np.testing.assert_array_equal(model.predict(X[backwards]), model.labels_[backwards])


def test_copies_of_a_row_that_is_in_no_cluster_are_in_none():
    labels = np.array([0, 0, NO_CLUSTER, NO_CLUSTER, 0])
    result = S3NMFResult(labels, np.where(labels[:, None] == 0, 1.0, 0.0), 1, (), np.array([2, 3]))
    found = with_copies_together(result, np.array([0, 0, 1, 1, 1]))
    assert found.labels.tolist() == [0, 0, -1, -1, -1]
    assert not found.membership[2:].any()


def test_a_table_without_copies_is_left_alone():
    result = S3NMFResult(np.array([0, 1]), np.eye(2), 1, (), np.empty(0, np.intp))
    assert with_copies_together(result, np.array([1, 0])) is result
