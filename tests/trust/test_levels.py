"""Levels: nested partitions around the one that was found."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from graphs import affinities, planted_blocks
from s3nmf import S3NMF
from s3nmf._threads import ALONE
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.partitions import by_decreasing_size
from s3nmf.trust.borders import borders_of
from s3nmf.trust.levels import Levels


def is_nested(fine, coarse):
    return all(np.unique(coarse[fine == cluster]).size == 1 for cluster in np.unique(fine))


@pytest.fixture(scope="module")
def model():
    X, _ = make_blobs([120, 90, 80, 60], centers=[[0, 0], [4.5, 0], [0, 6], [4.5, 6]], random_state=0)
    return S3NMF(4).fit(X)


def test_the_partition_itself_is_its_own_level(model):
    np.testing.assert_array_equal(model.levels_.cut(4), model.labels_)
    assert [level.n_clusters for level in model.levels_] == [4, 3, 2]
    assert len(model.levels_) == 3


def test_every_coarser_level_joins_the_pair_with_the_weakest_border(model):
    graph = weighted_graph(model.affinity_matrix_)
    for level in model.levels_:
        fine, coarse = model.levels_.cut(level.n_clusters), model.levels_.cut(level.n_clusters - 1)
        first, second = borders_of(graph, fine, ALONE)[0][:2]
        assert level.border[:2] == (first, second)
        expected = by_decreasing_size(np.where(fine == second, first, fine))
        np.testing.assert_array_equal(coarse, expected)


def test_levels_above_and_below_are_nested(model):
    cuts = [model.levels_.cut(number) for number in range(1, 9)]
    for number, cut in enumerate(cuts, start=1):
        sizes = np.bincount(cut)
        assert sizes.size == number
        assert (np.diff(sizes) <= 0).all()
    for coarse, fine in pairwise(cuts):
        assert is_nested(fine, coarse)


def test_the_order_in_which_cuts_are_asked_for_does_not_matter(model):
    again = Levels(model.affinity_matrix_, model.labels_)
    for number in (7, 2, 8, 3, 5):
        np.testing.assert_array_equal(again.cut(number), model.levels_.cut(number))


def test_a_coarse_clustering_is_split_into_the_clusters_within_it():
    X, y = make_blobs(400, centers=[[0, 0], [5, 0], [0, 20], [5, 20]], random_state=0)
    coarse = (y >= 2).astype(int)
    assert adjusted_rand_score(y, Levels(nearest_neighbor_affinity(X), coarse).cut(4)) > 0.95


def test_where_no_edge_joins_two_clusters_the_smallest_are_joined():
    pieces = sp.csr_array(sp.block_diag([np.ones((n, n)) for n in (6, 5, 4)]))
    levels = Levels(pieces, np.repeat([0, 1, 2], [6, 5, 4]))
    assert [level.border for level in levels] == [None, None]
    assert all(level.is_supported for level in levels)
    np.testing.assert_array_equal(np.bincount(levels.cut(2)), [9, 6])


def test_what_cannot_be_cut_is_refused(model):
    with pytest.raises(ValueError, match=r"cut\(n_clusters=0\) must be from 1 to the number of points, 350"):
        model.levels_.cut(0)
    with pytest.raises(ValueError, match="must be from 1 to the number of points"):
        model.levels_.cut(351)
    pairs = sp.csr_array(np.kron(np.eye(3), [[0.0, 1.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="There is no partition into 5 clusters here: the 3 that were found"):
        Levels(pairs, np.repeat([0, 1, 2], 2)).cut(5)


def test_points_without_a_cluster_stay_in_none(model):
    labels = model.labels_.copy()
    labels[::10] = -1
    levels = Levels(model.affinity_matrix_, labels)
    for number in (1, 3, 4, 6):
        np.testing.assert_array_equal(np.flatnonzero(levels.cut(number) == -1), np.arange(0, labels.size, 10))


def test_levels_of_a_graph_are_those_of_its_groups():
    W, y = planted_blocks(120, 4, within=10, across=1)
    model = S3NMF(4, affinity="precomputed").fit(W)
    assert adjusted_rand_score(y, model.levels_.cut(4)) > 0.9
    assert all(level.is_supported for level in model.levels_)


def test_a_notebook_shows_a_row_a_level(model):
    page = model.levels_._repr_html_()
    assert "4 clusters and its coarser levels." in page
    assert page.count("<tr>") == 1 + 3


@settings(max_examples=25)
@given(affinities(min_n=4, max_n=25), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_any_partition_of_any_graph_has_nested_coarser_levels(W, n_clusters, seed):
    labels = by_decreasing_size(np.random.default_rng(seed).integers(0, n_clusters, W.shape[0]))
    levels = Levels(sp.csr_array(W), labels)
    found = int(labels.max()) + 1
    for number in range(1, found):
        assert is_nested(levels.cut(number + 1), levels.cut(number))
