import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score

from graphs import member_partitions
from s3nmf import S3NMF
from s3nmf.ensemble.confidence import confidence, membership
from s3nmf.metrics import correct
from s3nmf.operators import CoAssociation
from s3nmf.partitions import by_decreasing_size


@given(member_partitions(), st.integers(0, 1000))
def test_shares_are_the_mean_co_association_with_each_cluster(member_labels, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(member_labels)))
    labels = by_decreasing_size(member_labels[0])
    S = sum(w * (one[:, None] == one) for w, one in zip(weights, member_labels, strict=True))
    means = np.column_stack([S[:, labels == k].mean(axis=1) for k in range(labels.max() + 1)])
    operator = CoAssociation(member_labels, weights)
    shares = means / means.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(membership(operator, labels), shares)
    np.testing.assert_allclose(confidence(operator, labels), shares[np.arange(labels.size), labels])
    assert ((shares >= 0) & (shares <= 1)).all()


def test_members_that_agree_are_sure():
    labels = np.array([0, 0, 0, 1, 1])
    operator = CoAssociation(np.array([labels, 1 - labels]), np.full(2, 0.5))
    np.testing.assert_allclose(confidence(operator, labels), 1.0)


def test_a_point_that_members_move_is_doubted_and_the_others_are_not():
    labels = np.repeat([0, 1], 10)
    moved = labels.copy()
    moved[9] = 1
    sure = confidence(CoAssociation(np.array([labels, moved]), np.full(2, 0.5)), labels)
    assert np.argmin(sure) == 9
    assert sure[9] == pytest.approx(0.5, abs=0.05)
    assert (np.delete(sure, 9) > 0.9).all()


def test_confidence_ranks_right_points_above_wrong_ones():
    """Errors lie among the doubted points, where clusters touch."""
    ranks = []
    for seed in range(6):
        X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1 + seed % 3)
        model = S3NMF(4, random_state=seed).fit(X)
        ranks.append(roc_auc_score(correct(y, model.labels_), model.confidence_))
    assert np.mean(ranks) > 0.7
