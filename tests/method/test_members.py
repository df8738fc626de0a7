from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from ensembles import planted_ensemble
from graphs import connected_affinity, planted_blocks
from s3nmf import S3NMF, Communities, Recipe, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.neighbors import narrower
from s3nmf.graph.settings import GROUPING
from s3nmf.method.members import equal_members
from s3nmf.metrics import accuracy
from s3nmf.partitions import by_decreasing_size

TRUTH, GIVEN = planted_ensemble(0, 120, 3)
BLOCKS = (TRUTH[:, None] == TRUTH) + 0.01


def fitted(members, W=BLOCKS, n_clusters=3, **settings):
    return self_supervised_nmf(W, n_clusters, members=members, random_state=0, **settings)


def test_given_partitions_are_the_first_round_and_weigh_the_same():
    result = fitted(GIVEN)
    first = result.history[0]
    np.testing.assert_array_equal(first.member_labels, [by_decreasing_size(labels) for labels in GIVEN])
    assert first.member_labels.dtype == np.uint8, "in as few bytes as they need"
    np.testing.assert_allclose(first.weights, 1 / len(GIVEN))
    assert not first.is_factorized
    assert first.resolutions is None
    assert result.chosen_round > 1
    assert accuracy(TRUTH, result.labels) == 1.0


@pytest.mark.parametrize(
    "convert",
    [
        lambda labels: labels.tolist(),
        lambda labels: labels.astype(np.uint8),
        lambda labels: labels.astype(float) * 0.5,
        lambda labels: labels * 10**12,
        lambda labels: labels - 7,
        lambda labels: np.array(["oak", "elm", "ash"])[labels],
        lambda labels: np.array(["oak", "elm", "ash"], dtype=object)[labels],
    ],
    ids=["lists", "bytes", "floats", "large numbers", "negative numbers", "names", "objects"],
)
def test_clusters_of_given_partitions_may_be_called_anything(convert):
    result, expected = fitted(convert(GIVEN)), fitted(GIVEN)
    np.testing.assert_array_equal(result.history[0].member_labels, expected.history[0].member_labels)
    np.testing.assert_array_equal(result.labels, expected.labels)


def test_a_point_with_minus_1_is_put_together_with_no_other():
    given = GIVEN.copy()
    given[0, :5] = -1
    first = fitted(given).history[0]
    sizes = np.bincount(first.member_labels[0])
    assert (sizes[first.member_labels[0][:5]] == 1).all()
    assert np.unique(first.member_labels[0][:5]).size == 5
    np.testing.assert_array_equal(
        by_decreasing_size(first.member_labels[0][5:]), by_decreasing_size(GIVEN[0, 5:]), "the others stay as they are"
    )
    np.testing.assert_array_equal(first.member_labels[1:], [by_decreasing_size(labels) for labels in GIVEN[1:]])


def test_a_partition_in_which_no_point_has_a_cluster_joins_nothing():
    first = fitted([*GIVEN, np.full(120, -1)]).history[0]
    assert np.unique(first.member_labels[-1]).size == 120


@pytest.mark.parametrize("kind", [float, object])
def test_the_number_minus_1_is_known_in_any_kind_of_array(kind):
    given = GIVEN.astype(kind)
    given[0, :5] = -1
    assert np.unique(fitted(given).history[0].member_labels[0][:5]).size == 5


@pytest.mark.parametrize("missing", [np.nan, None], ids=["NaN", "None"])
def test_points_whose_label_is_missing_are_refused_not_put_together(missing):
    given = GIVEN.astype(object if missing is None else float)
    given[0, :5] = missing
    with pytest.raises(ValueError, match="members"):
        fitted(given)


def test_partitions_may_have_any_number_of_clusters():
    X, y = make_blobs(200, centers=4, cluster_std=0.6, random_state=3)
    given = [KMeans(k, n_init=1, random_state=k).fit_predict(X) for k in range(2, 12)]
    result = fitted(given, nearest_neighbor_affinity(X).toarray() + 1e-6, 4)
    assert [labels.max() + 1 for labels in result.history[0].member_labels] == list(range(2, 12))
    assert accuracy(y, result.labels) > 0.95


@pytest.mark.parametrize(
    ("members", "shape"),
    [
        (GIVEN[:, :-1], r"\(20, 119\)"),
        (GIVEN.T, r"\(120, 20\)"),
        (GIVEN[0], r"\(120,\)"),
        (GIVEN[None], r"\(1, 20, 120\)"),
        (np.empty((0, 120), dtype=int), r"\(0, 120\)"),
    ],
)
def test_partitions_of_a_wrong_shape_are_refused_with_theirs_and_the_right_one(members, shape):
    words = rf"members has shape {shape}; partitions of 120 points must be \(n_partitions, 120\)"
    with pytest.raises(ValueError, match=words):
        fitted(members)
    with pytest.raises(ValueError, match=words):
        S3NMF(3, affinity="precomputed", members=members).fit(BLOCKS)


def test_partitions_of_different_lengths_are_refused_as_members():
    with pytest.raises(ValueError, match="members"):
        fitted([[0] * 120, [0] * 119])


@pytest.mark.parametrize("members", ["leiden", "Communities", 3, None])
def test_members_that_do_not_exist_are_refused_with_those_that_do(members):
    with pytest.raises(ValueError, match=r"'members' parameter of S3NMF must be (?=.*'communities').*'factorizations'"):
        S3NMF(3, members=members).fit(BLOCKS)
    with pytest.raises(ValueError, match=r"'members' parameter of self_supervised_nmf"):
        fitted(members)


def test_given_partitions_are_left_as_they_were():
    given = GIVEN.copy()
    given[0, 0] = -1
    before = given.copy()
    fitted(given)
    np.testing.assert_array_equal(given, before)


def test_a_function_can_be_the_first_round():
    tasks = []

    def mine(task):
        tasks.append(task)
        task.over(0.5)
        return equal_members(GIVEN)

    told = []
    result = fitted(mine, n_members=7, callback=told.append)
    np.testing.assert_array_equal(result.labels, fitted(GIVEN, n_members=7).labels)
    (task,) = tasks
    assert (task.n_clusters, task.n_members, task.affinity.shape) == (3, 7, (120, 120))
    assert (told[0].round, told[0].share) == (1, 0.5)
    model = S3NMF(3, affinity="precomputed", members=mine, n_members=7, random_state=0).fit(BLOCKS)
    np.testing.assert_array_equal(model.labels_, result.labels)


@pytest.mark.parametrize("n_clusters", [2, 4, 8])
def test_communities_of_planted_blocks_are_the_blocks(n_clusters):
    W, block_of = planted_blocks(400, n_clusters, across=1)
    first = fitted("communities", W, n_clusters, max_rounds=1).history[0]
    assert np.median([accuracy(block_of, labels) for labels in first.member_labels]) > 0.95
    assert np.median(first.member_labels.max(axis=1) + 1) == n_clusters


def test_members_take_turns_among_the_graphs_that_are_given():
    W, block_of = planted_blocks(200, 4)
    order = np.random.default_rng(0).permutation(200)
    asked = []

    def other():
        asked.append(1)
        return W[order][:, order]

    first = fitted(Communities([other]), W, 4, max_rounds=1, n_members=6).history[0]
    assert asked == [1], "once a fit"
    for member, labels in enumerate(first.member_labels):
        right, wrong = (block_of, block_of[order])[:: 1 if member % 2 == 0 else -1]
        assert accuracy(right, labels) > accuracy(wrong, labels)


def test_with_fewer_members_than_graphs_some_graphs_are_never_made():
    W, _ = planted_blocks(200, 2)

    def never():
        raise AssertionError("not needed")

    assert fitted(Communities([never, never]), W, 2, n_members=1).labels.shape == (200,)


def in_another_order(W):
    """A graph that cuts through all that W holds together."""
    order = np.random.default_rng(0).permutation(W.shape[0])
    return W[order][:, order]


def test_communities_of_a_graph_in_pieces_give_way_to_those_of_a_wider_one():
    """Those of a graph that agrees with W stay, whatever the wider one says."""
    W, block_of = planted_blocks(200, 4)
    makers = [lambda: W, lambda: in_another_order(W)]
    mistaken = fitted(Communities(makers), W, 4, max_rounds=1).history[0]
    rights = [accuracy(block_of, labels) for labels in mistaken.member_labels]
    assert max(rights[2::3]) < 0.5 < min(rights[0::3] + rights[1::3])
    asked = []

    def wider():
        asked.append(1)
        return W

    first = fitted(Communities(makers, wider), W, 4, max_rounds=1).history[0]
    assert asked == [1], "once a fit"
    assert np.median([accuracy(block_of, labels) for labels in first.member_labels[2::3]]) > 0.95
    for turn in (0, 1):
        np.testing.assert_array_equal(first.member_labels[turn::3], mistaken.member_labels[turn::3])
        np.testing.assert_array_equal(first.resolutions[turn::3], mistaken.resolutions[turn::3])


def test_a_wider_graph_is_made_only_where_one_is_in_pieces_and_points_are_few(monkeypatch):
    W, _ = planted_blocks(200, 4)

    def never():
        raise AssertionError("not needed")

    fitted(Communities([lambda: W], never), W, 4, max_rounds=1)
    monkeypatch.setattr("s3nmf.method.members.GROUPING", replace(GROUPING, many_points=200))
    fitted(Communities([lambda: in_another_order(W)], never), W, 4, max_rounds=1)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("draw", [22, 38, 37])
def test_groups_on_a_line_are_not_mistaken_for_what_few_neighbours_hold_together(draw):
    """By three or four neighbours each, groups of the plane fall into pieces that are no clusters."""
    X, y = make_blobs([100, 100, 100], centers=[[0, 0], [5, 0], [10, 0]], random_state=draw)
    model = S3NMF(3, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9
    k = 9
    narrow = Communities([partial(nearest_neighbor_affinity, X, fewer) for fewer in narrower(k)])
    collapsed = Recipe(similarity="collapsed")
    before = self_supervised_nmf(nearest_neighbor_affinity(X, k), 3, members=narrow, recipe=collapsed)
    assert adjusted_rand_score(y, before.labels) < 0.9


def test_members_given_as_a_name_or_as_what_it_stands_for_are_the_same():
    W, _ = planted_blocks(200, 4, across=3)
    by_name, by_object = fitted("communities", W, 4), fitted(Communities(), W, 4)
    np.testing.assert_array_equal(by_name.history[0].member_labels, by_object.history[0].member_labels)


def test_communities_do_not_depend_on_how_matrices_are_factorized(blobs_affinity):
    default, text = (
        fitted("communities", blobs_affinity, 6, max_rounds=2, recipe=recipe) for recipe in ("default", "text")
    )
    np.testing.assert_array_equal(default.history[0].member_labels, text.history[0].member_labels)
    assert text.history[1].n_iter != default.history[1].n_iter


def test_every_member_has_an_order_of_its_own():
    found = self_supervised_nmf(connected_affinity(0, 60), 5, n_members=10, max_rounds=1)
    assert len(np.unique(found.member_labels, axis=0)) > 5


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@given(st.integers(0, 10**6), st.integers(20, 90), st.integers(2, 6), st.booleans())
def test_neither_the_seed_nor_the_order_of_the_points_decides(seed, n, n_clusters, dense):
    """Not the partitions of any round either, but for the names of clusters of one size."""
    random = np.random.default_rng(seed)
    W = nearest_neighbor_affinity(random.normal(size=(n, 3)) + 3.0 * random.integers(0, 3, (n, 1)))
    W = W.toarray() if dense else W
    order = random.permutation(n)
    one = self_supervised_nmf(W, n_clusters, n_members=8, random_state=0)
    other = self_supervised_nmf(W[np.ix_(order, order)], n_clusters, n_members=8, random_state=1)
    assert by_decreasing_size(one.labels[order]).tolist() == other.labels.tolist()
    assert len(one.history) == len(other.history)
    for here, there in zip(one.history, other.history, strict=True):
        for labels, shuffled in zip(here.member_labels, there.member_labels, strict=True):
            assert by_decreasing_size(labels[order]).tolist() == shuffled.tolist()


def test_given_partitions_have_one_consensus():
    partitions = np.random.default_rng(0).integers(0, 4, (9, 80))
    W = connected_affinity(1, 80)
    one, other = (self_supervised_nmf(W, 4, members=partitions, random_state=seed) for seed in (0, 1))
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_array_equal(one.weights, other.weights)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@pytest.mark.parametrize("n_clusters", [1, 3, 12])
def test_communities_of_odd_graphs_are_survived(n_clusters):
    """Two components, an isolated point, self loops and duplicates; one cluster, and as many as points."""
    W = np.zeros((12, 12))
    W[:5, :5] = W[5:11, 5:11] = 1.0
    W[0, 0] = 3.0
    result = fitted("communities", W, n_clusters, recipe=Recipe(max_iter=50))
    assert 0 <= result.labels[:11].min() <= result.labels.max() < n_clusters
    assert result.labels[11] == -1
    assert result.isolated.tolist() == [11]
    assert not result.membership[11].any()
    assert np.isfinite(result.membership).all()


def test_a_label_that_pandas_does_not_know_is_missing():
    labels = np.array([[0, 1, pd.NA, 1]], dtype=object)
    with pytest.raises(ValueError, match="members has no label for 1 points of a partition, the first in column 2"):
        S3NMF(2, members=labels).fit(np.arange(8.0).reshape(4, 2))
