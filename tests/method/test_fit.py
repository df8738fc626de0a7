import logging

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

from graphs import connected_affinity
from s3nmf import DisconnectedGraphWarning, Recipe, SuspiciousDataWarning, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.method import agreement
from s3nmf.method.confidence import own_share
from s3nmf.metrics import accuracy

MEMBERS = pytest.mark.parametrize("members", ["communities", "factorizations"])


def ends_of(W, n_clusters, **settings):
    """How the rounds of a fit end; and that they do so at the first drop, and that the best one is returned."""
    result = self_supervised_nmf(W, n_clusters, n_members=3, **settings)
    factorized = [found for found in result.history if found.is_factorized]
    levels = np.array([found.agreement for found in factorized])
    assert (np.diff(levels[:-1]) >= 0).all()
    assert result.chosen_round == factorized[np.argmax(levels)].number
    return "full" if levels[-1] == 1.0 else "drop" if levels[-1] < levels[-2] else "limit"


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_rounds_end_at_the_first_drop_and_the_best_one_that_factorized_is_returned(blobs_affinity):
    """By the seed where round 1 factorizes; otherwise by the data alone."""
    ends = {ends_of(blobs_affinity, 6, members="factorizations", random_state=seed) for seed in range(16)}
    assert {"full", "drop"} <= ends
    recipe = Recipe(similarity="collapsed", max_iter=30)
    drawn = {ends_of(connected_affinity(seed, 40), 5, recipe=recipe) for seed in range(16)}
    assert "full" in drawn


@MEMBERS
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_rounds_that_never_stop_begin_as_those_that_do(blobs_affinity, members):
    stopped, endless = (
        self_supervised_nmf(
            blobs_affinity, 6, members=members, n_members=3, recipe=Recipe(outer_stop=outer_stop), random_state=0
        )
        for outer_stop in ("drop", "never")
    )
    assert len(stopped.history) < len(endless.history) == 10
    for found, same in zip(endless.history, stopped.history, strict=False):
        np.testing.assert_array_equal(found.member_labels, same.member_labels)


@MEMBERS
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@pytest.mark.parametrize("max_rounds", [1, 2])
def test_no_more_rounds_than_allowed(blobs_affinity, members, max_rounds):
    result = self_supervised_nmf(blobs_affinity, 6, members=members, max_rounds=max_rounds, random_state=0)
    assert len(result.history) == result.chosen_round == max_rounds


@MEMBERS
def test_the_partition_is_that_of_the_heaviest_member_of_the_chosen_round(blobs_affinity, members):
    result = self_supervised_nmf(blobs_affinity, 6, members=members, random_state=1)
    chosen = result.history[result.chosen_round - 1]
    np.testing.assert_array_equal(result.labels, chosen.member_labels[np.argmax(chosen.weights)])
    np.testing.assert_array_equal(result.member_labels, chosen.member_labels)
    np.testing.assert_array_equal(result.weights, chosen.weights)
    assert result.weights.sum() == pytest.approx(1)
    assert result.weights.std() > 0
    assert chosen.agreement == agreement(result.member_labels)


@MEMBERS
def test_one_member_is_as_sure_of_a_point_as_its_neighbours_are_in_its_cluster(blobs_affinity, members):
    result = self_supervised_nmf(blobs_affinity, 6, members=members, n_members=1, random_state=0)
    assert set(result.agreement) == {1.0}
    if members == "factorizations":
        assert len(result.history) == 1
        neighbours = blobs_affinity @ np.eye(6)[result.labels] / blobs_affinity.sum(axis=1)[:, None]
        own = own_share(neighbours, result.labels)
        held = neighbours.max(axis=1) ** 0.5
        np.testing.assert_allclose(result.confidence, own**2.5 / (neighbours**2.5).sum(axis=1) * held)


def test_communities_that_agree_on_the_number_that_was_asked_for_need_no_further_round():
    W = np.kron(np.eye(3), connected_affinity(0, 8)) + 1e-6
    result = self_supervised_nmf(W, 3, random_state=0)
    assert result.agreement.tolist() == [1.0]
    assert accuracy(np.repeat([0, 1, 2], 8), result.labels) == 1.0


def test_members_that_agree_on_another_number_of_clusters_are_factorized_to_the_one_asked_for():
    """Three cliques, two of which are tied more closely."""
    cliques = np.repeat([0, 1, 2], 8)
    W = np.kron(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [0.0, 0.2, 1.0]]), np.ones((8, 8))) + 1e-3
    result = self_supervised_nmf(W, 2, members=[cliques, cliques, cliques > 0], random_state=0)
    assert result.chosen_round > 1
    assert accuracy(cliques > 0, result.labels) == 1.0
    agreed = self_supervised_nmf(W, 2, members=[cliques, cliques], random_state=0)
    assert agreed.agreement[0] == 1.0
    assert agreed.chosen_round > 1
    assert agreed.labels.max() + 1 == 2


@MEMBERS
def test_rounds_are_logged(blobs_affinity, caplog, members):
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        result = self_supervised_nmf(blobs_affinity, 6, members=members, random_state=0)
    told = [record.getMessage() for record in caplog.records]
    for number, level in enumerate(result.agreement, start=1):
        assert any(line.startswith(f"round {number}: agreement {level:.4f}") for line in told)
    assert sum(line.startswith("round 1:") for line in told) == 1


@MEMBERS
def test_a_disconnected_graph_is_clustered_with_a_warning(members):
    W = np.kron(np.eye(3), connected_affinity(0, 8))
    with pytest.warns(DisconnectedGraphWarning, match="3 components, of 8, 8, 8 points"):
        result = self_supervised_nmf(W, 3, members=members, random_state=0)
    assert accuracy(np.repeat([0, 1, 2], 8), result.labels) == 1.0


def test_so_many_clusters_that_it_takes_minutes_are_warned_of_before_they_do():
    def stop(task):
        raise ZeroDivisionError

    W = connected_affinity(0, 60)
    words = r"n_clusters=40 for 60 points is 1\.5 points a cluster, and may take 1\d\d minutes.*max_rounds=2"
    with pytest.warns(SuspiciousDataWarning, match=words), pytest.raises(ZeroDivisionError):
        self_supervised_nmf(W, 40, members=stop, recipe=Recipe(max_iter=10**6))
    with pytest.raises(ZeroDivisionError):  # and no warning of few, or of quick ones
        self_supervised_nmf(W, 4, members=stop, recipe=Recipe(max_iter=10**8))


@pytest.mark.parametrize(
    ("features", "words"),
    [
        (np.eye(7), r"features is 7 rows; the affinity is of 30 points\. Give an array or a sparse matrix with a row"),
        (sp.eye_array(29, format="csr"), "features is 29 rows"),
        ([["a", "b"]] * 30, "no number|text"),
        (np.full((30, 2), np.nan), "NaN"),
    ],
)
def test_features_that_are_not_those_of_the_points_are_refused(features, words):
    W = connected_affinity(0, 30)
    with pytest.raises((ValueError, TypeError), match=words):
        self_supervised_nmf(W, 2, features=features)


def test_features_may_be_a_frame():
    X, y = make_blobs([60, 60], centers=[[0, 0], [4, 0]], random_state=0)
    W = nearest_neighbor_affinity(X)
    found = [self_supervised_nmf(W, 2, features=features).labels for features in (X, X.tolist(), pd.DataFrame(X))]
    assert accuracy(y, found[0]) > 0.95
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
