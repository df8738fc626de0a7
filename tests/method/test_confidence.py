import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score

from graphs import connected_affinity, member_partitions, random_affinity
from s3nmf import S3NMF
from s3nmf.graph.operators import CoAssociation
from s3nmf.method import confidence
from s3nmf.method.confidence import membership, own_share
from s3nmf.metrics import correct
from s3nmf.partitions import by_decreasing_size


@given(member_partitions(), st.integers(0, 1000), st.sampled_from([0.1, 0.5, 1.0]))
def test_membership_is_the_neighbours_co_association_with_each_cluster_sharpened_and_held(member_labels, seed, density):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(member_labels)))
    labels = by_decreasing_size(member_labels[0])
    W = random_affinity(seed, labels.size, density)
    S = sum(w * (one[:, None] == one) for w, one in zip(weights, member_labels, strict=True))
    means = np.column_stack([S[:, labels == k].mean(axis=1) for k in range(labels.max() + 1)])
    evidence = 0.8 * means + 0.2 * np.eye(labels.max() + 1)[labels]
    shares = membership(CoAssociation(member_labels, weights), W, labels)
    for row, neighbours in zip(shares, W, strict=True):
        if neighbours.any():
            around = np.average(evidence, axis=0, weights=neighbours)
            np.testing.assert_allclose(row, around**2.5 / (around**2.5).sum() * around.max() ** 0.5)
        else:
            assert not row.any()
    assert ((shares >= 0) & (shares <= 1 + 1e-12)).all()
    np.testing.assert_array_equal(own_share(shares, labels), shares[np.arange(labels.size), labels])


@given(member_partitions(), st.integers(0, 1000), st.sampled_from([0.1, 0.5]))
def test_membership_in_many_clusters_is_that_in_few(member_labels, seed, density):
    labels = by_decreasing_size(member_labels[0])
    W = random_affinity(seed, labels.size, density)
    members = CoAssociation(member_labels, np.random.default_rng(seed).dirichlet(np.ones(len(member_labels))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confidence, "_MANY_CLUSTERS", 1)
        many = membership(members, sp.csr_array(W), labels)
    np.testing.assert_allclose(many, membership(members, W, labels), atol=1e-12)


def test_the_scale_of_the_affinity_does_not_matter():
    labels = np.repeat([0, 1], 10)
    members = CoAssociation(np.array([labels, np.roll(labels, 1)]), np.full(2, 0.5))
    W = connected_affinity(0, 20)
    np.testing.assert_allclose(membership(members, W, labels), membership(members, 1e-6 * W, labels))


def test_members_that_agree_are_sure_of_points_among_their_own():
    labels = np.array([0, 0, 0, 1, 1])
    members = CoAssociation(np.array([labels, 1 - labels]), np.full(2, 0.5))
    shares = membership(members, (labels[:, None] == labels).astype(float), labels)
    np.testing.assert_allclose(own_share(shares, labels), 1.0)


def test_a_point_without_edges_has_no_share_of_any_cluster():
    labels = np.repeat([0, 1], 4)
    W = connected_affinity(0, 8)
    W[:, 3] = W[3, :] = 0.0
    shares = membership(CoAssociation(labels[None], np.ones(1)), W, labels)
    assert not shares[3].any()
    assert np.delete(shares, 3, axis=0).sum(axis=1).all()


def test_a_point_that_all_members_put_among_others_is_doubted():
    labels = np.repeat([0, 1], 10)
    labels[9] = 1
    W = np.kron(np.eye(2), np.ones((10, 10)) - np.eye(10))
    sure = own_share(membership(CoAssociation(labels[None], np.ones(1)), W, labels), labels)
    assert sure[9] == 0.0
    assert (np.delete(sure, 9) > 0.85).all()


def test_a_cluster_that_half_of_the_members_cut_is_doubted_though_no_other_has_a_share_of_it():
    labels = np.repeat([0, 1], 10)
    cut = np.repeat([0, 1, 2], [5, 5, 10])
    W = np.kron(np.eye(4), np.ones((5, 5)))
    shares = membership(CoAssociation(np.array([labels, cut]), np.full(2, 0.5)), W, labels)
    np.testing.assert_allclose(own_share(shares, labels), np.repeat([0.8**0.5, 1.0], 10))
    np.testing.assert_array_equal(shares[:10, 1], 0.0)


def test_a_point_that_members_move_makes_its_neighbours_doubt_a_little():
    labels = np.repeat([0, 1], 10)
    moved = labels.copy()
    moved[9] = 1
    W = np.kron(np.eye(2), np.ones((10, 10)))
    W[9, 10:] = W[10:, 9] = 1.0
    members = CoAssociation(np.array([labels, moved]), np.full(2, 0.5))
    sure = own_share(membership(members, W, labels), labels)
    assert np.argmin(sure) == 9
    assert sure[9] == pytest.approx(0.35, abs=0.05)
    assert (np.delete(sure, 9) > 0.9).all()


@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_confidence_ranks_right_points_above_wrong_ones(members):
    """Errors lie among the doubted points, where clusters touch."""
    ranks = []
    for seed in range(6):
        X, y = make_blobs(300, centers=4, cluster_std=2.0, random_state=1 + seed % 3)
        model = S3NMF(4, members=members, random_state=seed).fit(X)
        ranks.append(roc_auc_score(correct(y, model.labels_), model.confidence_))
    assert np.mean(ranks) > 0.7
