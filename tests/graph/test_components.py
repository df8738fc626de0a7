import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from scipy.sparse.csgraph import connected_components

from graphs import random_affinity
from s3nmf import DisconnectedGraphWarning
from s3nmf.affinity import connectivity
from s3nmf.graph.components import components_of, joins_all_alike, warn_if_disconnected
from s3nmf.partitions import by_decreasing_size


def blocks(*sizes):
    W = block_diag(*(np.ones((size, size)) for size in sizes))
    np.fill_diagonal(W, 0)
    return sp.csr_array(W)


def test_components_are_listed_by_decreasing_size():
    report = connectivity(blocks(2, 5, 1, 3))
    assert report.sizes.tolist() == [5, 3, 2, 1]
    assert report.n_components == 4
    assert report.isolated.tolist() == [7]
    assert report.component_of.tolist() == [2, 2, 0, 0, 0, 0, 0, 3, 1, 1, 1]
    assert not report.is_connected


def test_a_stored_zero_is_no_edge():
    W = sp.csr_array((np.array([1.0, 1.0, 0.0, 0.0]), ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3))
    assert connectivity(W).isolated.tolist() == [2]
    assert W.nnz == 4, "the caller's matrix is not changed"


def test_a_connected_graph_is_reported_as_such_and_gives_no_warning():
    report = connectivity(blocks(4))
    assert report.is_connected
    assert "connected (4 points)" in str(report)
    assert report.advice(2) == "Nothing to do."
    warn_if_disconnected(report, 2)


@pytest.mark.parametrize(
    ("graph", "n_clusters", "words"),
    [
        (blocks(3, 2), 2, "2 components, of 3, 2 points.*fine if they are your clusters"),
        (blocks(3, 2, 2), 2, "more than n_clusters=2.*a larger n_neighbors"),
        (blocks(3, 1), 3, "Isolated points, without any edge: 1, rows 3.*drop it"),
        (blocks(*[2] * 20), 3, "20 components, of 2, 2, 2, 2, 2, 2, 2, 2, ... points"),
    ],
)
def test_the_warning_says_what_to_do(graph, n_clusters, words):
    with pytest.warns(DisconnectedGraphWarning, match=words):
        warn_if_disconnected(connectivity(graph), n_clusters)


@given(st.integers(0, 10_000), st.integers(2, 20), st.floats(0.0, 0.3))
def test_components_of_a_dense_graph_are_those_of_scipy(seed, n, density):
    W = random_affinity(seed, n, density)
    expected = by_decreasing_size(connected_components(sp.csr_array(W), directed=False)[1])
    for graph in (W, np.triu(W), np.tril(W), sp.csr_array(W)):
        np.testing.assert_array_equal(components_of(graph).component_of, expected)


@pytest.mark.parametrize(
    ("graph", "n_clusters", "given_as", "words"),
    [
        (blocks(3, 1), 3, True, "drop it, or give it an edge."),
        (blocks(3, 1), 3, False, "keep edges whose weight vanishes with distance"),
        (blocks(3, 2, 2), 2, True, "That is more than n_clusters=2.*join them by more edges,"),
        (blocks(3, 2, 2, 1), 2, True, "That, without them 3, is more than n_clusters=2"),
        (blocks(3, 2), 2, True, "otherwise join them by more edges."),
    ],
)
def test_advice_on_a_graph_that_was_given_is_about_its_edges(graph, n_clusters, given_as, words):
    advice = connectivity(graph).advice(n_clusters, given=given_as)
    assert re.search(words, str(advice))
    assert ("n_neighbors" in str(advice)) != given_as or "kernel" in str(advice)


@pytest.mark.parametrize("convert", [np.asarray, np.asfortranarray, sp.csr_array])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_graph_that_joins_every_two_points_by_the_same_weight_is_told_from_others(convert, n):
    W = np.full((n, n), 0.3)
    assert joins_all_alike(convert(W))
    for loops in (0.0, 5.0):
        assert joins_all_alike(convert(np.where(np.eye(n) > 0, loops, W)))
    rounded, more, none = W.copy(), W.copy(), W.copy()
    rounded[0, 1] = rounded[1, 0] = 0.3 * (1 + 5e-7)
    more[0, 1] = more[1, 0] = 0.3 * (1 + 5e-6)
    none[0, 1] = none[1, 0] = 0.0
    assert joins_all_alike(convert(rounded))
    assert joins_all_alike(convert(more)) == (n == 2)
    assert n == 2 or not joins_all_alike(convert(none))
