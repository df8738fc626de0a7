from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

import results
from graphs import member_partitions
from s3nmf import S3NMF, SymNMF, diagnose, self_supervised_nmf
from s3nmf._warnings import DisconnectedGraphWarning
from s3nmf.partitions import by_decreasing_size

MEMBERS = pytest.mark.parametrize("members", ["communities", "factorizations"])


def result_of(member_labels, weights=None, isolated=()):
    """A result of one round with these members, whose partition is that of the first."""
    return results.result_of(
        [by_decreasing_size(np.asarray(labels)) for labels in member_labels], weights, isolated=isolated
    )


@given(member_partitions(), st.integers(0, 1000))
def test_tables_are_those_of_the_co_association_matrix(member_labels, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(member_labels)))
    result = result_of(member_labels, weights)
    labels, n = result.labels, result.labels.size
    S = sum(w * (one[:, None] == one) for w, one in zip(weights, result.history[0].member_labels, strict=True))
    found = diagnose(result)
    clusters = range(labels.max() + 1)
    for i in clusters:
        inside = np.flatnonzero(labels == i)
        pairs = S[np.ix_(inside, inside)][~np.eye(inside.size, dtype=bool)]
        np.testing.assert_allclose(found.within[i], pairs.mean() if pairs.size else np.nan, atol=1e-12)
        others = S[np.ix_(inside, np.flatnonzero(labels != i))]
        np.testing.assert_allclose(found.outside[i], others.mean() if others.size else np.nan, atol=1e-12)
        for j in clusters:
            if i != j:
                np.testing.assert_allclose(found.shared[i, j], S[np.ix_(inside, labels == j)].mean(), atol=1e-12)
    np.testing.assert_array_equal(found.shared, found.shared.T)
    np.testing.assert_array_equal(np.diag(found.shared), found.within)
    np.testing.assert_array_equal(found.sizes, np.bincount(labels))
    np.testing.assert_array_equal(found.shares[np.arange(n), labels], result.confidence)


@given(member_partitions())
def test_the_second_choice_is_the_best_other_cluster(member_labels):
    result = result_of(member_labels)
    found = diagnose(result)
    for shares, own, choice, share in zip(
        found.shares, result.labels, found.second_choice, found.second_share, strict=True
    ):
        others = np.delete(shares, own)
        if others.size and others.max() > 0:
            assert choice != own
            assert shares[choice] == share == others.max()
        else:
            assert choice == -1
            assert share == 0


def test_members_that_agree_leave_nothing_to_doubt():
    labels = [0, 0, 0, 1, 1]
    found = diagnose(result_of([labels, labels]))
    np.testing.assert_array_equal(found.confidence, 1.0)
    np.testing.assert_array_equal(found.second_choice, -1)
    np.testing.assert_array_equal(found.within, 1.0)
    np.testing.assert_array_equal(found.outside, 0.0)
    assert found.disputes == ()


def test_a_point_between_two_clusters_names_the_other():
    labels = np.repeat([0, 1, 2], 8)
    moved = labels.copy()
    moved[0] = 2
    found = diagnose(result_of([labels, moved]))
    assert found.second_choice[0] == 2
    assert 0.1 < found.second_share[0] < found.confidence[0] < 0.7
    assert (found.second_choice[8:16] == -1).all()
    assert found.disputes[0][:2] == (0, 2)


def test_the_clusters_that_members_mix_most_come_first():
    apart, one_joined = np.repeat([0, 1, 2, 3], 5), np.repeat([0, 0, 1, 2], 5)
    other_joined = np.repeat([0, 1, 2, 2], 5)
    found = diagnose(result_of([apart, one_joined, one_joined, other_joined]))
    assert [(dispute.first, dispute.second) for dispute in found.disputes] == [(0, 1), (2, 3)]
    np.testing.assert_allclose([dispute.shared for dispute in found.disputes], [0.5, 0.25])


def test_a_cluster_that_a_member_cut_is_less_stable():
    whole, cut = np.repeat([0, 1], 6), np.repeat([0, 1, 2, 2], 3)
    found = diagnose(result_of([whole, cut]))
    np.testing.assert_allclose(found.within, [(6 / 15 + 1) / 2, 1.0])


def test_a_single_point_and_a_single_cluster_have_no_answer():
    alone = diagnose(result_of([[0, 0, 0, 1]]))
    assert np.isnan(alone.within[1])
    assert alone.outside[1] == 0
    assert np.isnan(diagnose(result_of([[0, 0, 0]])).outside).all()


def test_a_point_without_edges_belongs_nowhere():
    found = diagnose(result_of([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]], isolated=[2]))
    assert not found.shares[2].any()
    assert (found.confidence[2], found.second_choice[2], found.second_share[2]) == (0, -1, 0)
    assert found.isolated.tolist() == [2]


def test_a_confidence_of_zero_is_no_sign_of_a_point_without_edges():
    """All neighbours of a point may be sure of another cluster."""
    result = result_of([[0, 0, 0, 1, 1], [0, 0, 0, 1, 1]])
    shares = result.membership.copy()
    shares[2] = [0.0, 1.0]
    found = diagnose(replace(result, membership=shares))
    assert (found.confidence[2], found.second_choice[2], found.second_share[2]) == (0, 1, 1)
    assert found.isolated.size == 0
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)


@MEMBERS
def test_the_model_tells_the_same(members):
    X, _ = make_blobs(150, centers=3, cluster_std=2.5, random_state=1)
    model = S3NMF(3, members=members, random_state=0).fit(X)
    found = model.diagnose()
    np.testing.assert_array_equal(model.membership_, found.shares)
    np.testing.assert_array_equal(model.second_choice_, found.second_choice)
    np.testing.assert_array_equal(model.confidence_, found.confidence)
    np.testing.assert_array_equal(model.agreement_, found.agreement)
    assert [weights.sum() for weights in found.weights] == pytest.approx([1.0] * len(model.agreement_))


@MEMBERS
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
def test_isolated_points_of_a_graph_are_known(members):
    W = np.zeros((7, 7))
    W[:3, :3] = W[3:6, 3:6] = 1.0
    result = self_supervised_nmf(W, 2, members=members, n_members=5, random_state=0)
    found = diagnose(result)
    assert result.isolated.tolist() == found.isolated.tolist() == [6]
    assert not found.shares[6].any()
    assert (found.confidence[:6] > 0.8).all()
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1, -1]
    assert found.sizes.tolist() == [3, 3]
    assert (found.mixing >= 0).all()


def test_results_and_models_are_diagnosed_alike_and_models_once():
    X, _ = make_blobs(150, centers=3, cluster_std=2.5, random_state=1)
    model = S3NMF(3, n_members=4, random_state=0)
    with pytest.raises(NotFittedError):
        diagnose(model)
    model.fit(X)
    assert diagnose(model) is model.diagnose()
    np.testing.assert_array_equal(diagnose(model.result_).shares, model.diagnose().shares)
    before = model.diagnose()
    assert model.fit(X[::-1]).diagnose() is not before


@pytest.mark.parametrize("thing", [np.zeros(5, dtype=int), SymNMF(2), None])
def test_what_cannot_be_diagnosed_is_told_what_can(thing):
    with pytest.raises(TypeError, match=f"a fitted S3NMF; there is a {type(thing).__name__}"):
        diagnose(thing)


def test_a_notebook_shows_the_clusters():
    X, _ = make_blobs(90, centers=[[0, 0], [3, 0], [30, 30]], random_state=0)
    with pytest.warns(DisconnectedGraphWarning):
        page = S3NMF(3, random_state=0).fit(X).diagnose()._repr_html_()
    assert "90 points in 3 clusters." in page
    assert page.count("<tr>") == 4
    assert page.count("<td ") == 12
    assert ">none</td>" in page, "the far one is mixed with no other"
