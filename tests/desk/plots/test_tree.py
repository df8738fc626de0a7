"""The tree of levels: what is where, and that no two lines cross."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.desk.plots.tree import tree_of
from s3nmf.plots import LevelsDisplay
from s3nmf.trust.levels import Levels


@pytest.fixture(scope="module")
def model():
    """Two pairs of clusters, those of a pair close to each other."""
    X, _ = make_blobs([120, 90, 80, 60], centers=[[0, 0], [4.5, 0], [0, 6], [4.5, 6]], random_state=0)
    return S3NMF(4).fit(X)


def test_a_row_a_level_from_one_cluster_to_those_that_were_found(model):
    rows = tree_of(model.levels_)
    assert [row.n_clusters for row in rows] == [1, 2, 3, 4]
    for row in rows:
        np.testing.assert_array_equal([node.size for node in row.nodes], np.bincount(model.levels_.cut(row.n_clusters)))
        assert sum(node.share for node in row.nodes) == pytest.approx(1)


def test_every_cluster_is_below_those_that_it_is_a_part_of(model):
    rows = tree_of(model.levels_)
    assert [node.parent for node in rows[0].nodes] == [None]
    for above, row in pairwise(rows):
        coarse, fine = model.levels_.cut(above.n_clusters), model.levels_.cut(row.n_clusters)
        for node in row.nodes:
            assert set(coarse[fine == node.cluster]) == {node.parent}
        for parent in above.nodes:
            parts = [node for node in row.nodes if node.parent == parent.cluster]
            assert sum(node.size for node in parts) == parent.size
            assert min(node.x for node in parts) <= parent.x <= max(node.x for node in parts)


def test_what_was_found_is_named_and_what_was_joined_is_not(model):
    rows = tree_of(model.levels_)
    assert [node.found for node in rows[-1].nodes] == [0, 1, 2, 3]
    assert [node.found for node in rows[0].nodes] == [None]
    labels, coarse = model.labels_, model.levels_.cut(3)
    for node in rows[2].nodes:
        if node.found is not None:
            np.testing.assert_array_equal(coarse == node.cluster, labels == node.found)


def test_the_weakest_border_joins_two_clusters_that_are_one_above(model):
    rows = tree_of(model.levels_)
    for above, row in pairwise(rows):
        if row.joins is not None:
            first, second = (row.nodes[cluster].parent for cluster in row.joins)
            assert first == second
            assert above.nodes[first].size == sum(row.nodes[cluster].size for cluster in row.joins)


def test_no_lines_cross():
    X, y = make_blobs(600, centers=9, cluster_std=2.5, random_state=2)
    rows = tree_of(Levels(nearest_neighbor_affinity(X), y))
    for above, row in pairwise(rows):
        across = sorted(row.nodes, key=lambda node: node.x)
        parents = [above.nodes[node.parent].x for node in across]
        assert parents == sorted(parents)


def test_of_very_many_levels_some_are_drawn():
    X, y = make_blobs(900, centers=60, random_state=0)
    rows = tree_of(Levels(nearest_neighbor_affinity(X), y))
    numbers = [row.n_clusters for row in rows]
    assert numbers == sorted(set(numbers))
    assert numbers[:2] == [1, 2]
    assert numbers[-1] == 60
    assert len(numbers) <= 12


def test_points_without_an_edge_are_in_no_circle(model):
    labels = model.labels_.copy()
    labels[:7] = -1
    assert tree_of(Levels(model.affinity_matrix_, labels))[0].nodes[0].size == labels.size - 7


def test_a_border_that_is_not_real_looks_different():
    X, _ = make_blobs(300, centers=[[0, 0], [6, 0]], random_state=0)
    ax = LevelsDisplay.from_estimator(S3NMF(3).fit(X)).ax_
    dotted = [line for line in ax.lines if line.get_linestyle() == ":" and len(line.get_xdata())]
    rows = tree_of(S3NMF(3).fit(X).levels_)
    assert [line.get_ydata()[0] for line in dotted] == [at for at, row in enumerate(rows) if row.joins is not None]
    colors = {row.is_real: line.get_color() for line, row in zip(dotted, [r for r in rows if r.joins], strict=True)}
    assert len(set(colors.values())) == len(colors)
