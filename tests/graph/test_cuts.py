"""Recursive cuts, against all cuts of small graphs, and where one resolution fails."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from graphs import connected_affinity
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph import cuts
from s3nmf.graph.communities import groups
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.cuts import CoarseGraph, best_cut, recursive_cuts, second_eigenvector
from s3nmf.graph.settings import GROUPING
from s3nmf.partitions import by_decreasing_size


def conductance(W, side):
    volume = min(W[side].sum(), W[~side].sum())
    return W[side][:, ~side].sum() / volume if volume > 0 else np.inf


def coarse(W, n_clusters=3):
    return CoarseGraph.of(find_groups(weighted_graph(W), n_clusters, 0))


@given(st.integers(0, 10_000), st.integers(4, 9), st.sampled_from([1.0, 2.0]))
def test_the_best_cut_is_the_best_of_those_along_the_eigenvector_and_no_better_than_the_best_of_all(seed, n, fewest):
    W = connected_affinity(seed, n)
    found = best_cut(sp.csr_array(W), np.ones(n), fewest)
    order = np.argsort(second_eigenvector(sp.csr_array(W), W.sum(axis=1)), kind="stable")
    swept = [np.isin(np.arange(n), order[:first]) for first in range(int(fewest), n - int(fewest) + 1)]
    assert found.conductance == pytest.approx(min(conductance(W, side) for side in swept))
    assert found.conductance == pytest.approx(conductance(W, found.side))
    every = [np.array(side) for side in product([False, True], repeat=n) if fewest <= sum(side) <= n - fewest]
    assert found.conductance >= min(conductance(W, side) for side in every) - 1e-9


@given(st.integers(0, 10_000), st.integers(140, 200))
def test_lanczos_finds_a_vector_of_nearly_the_second_eigenvalue(seed, n):
    W = connected_affinity(seed, n) * (np.random.default_rng(seed).random((n, n)) < 0.2)
    W = np.maximum(W, W.T) + np.diag(np.full(n - 1, 0.1), 1) + np.diag(np.full(n - 1, 0.1), -1)
    strength = W.sum(axis=1)
    scaled = W / np.sqrt(np.outer(strength, strength))
    values = np.linalg.eigvalsh(scaled)
    found = second_eigenvector(sp.csr_array(W), strength) * np.sqrt(strength)
    found /= np.linalg.norm(found)
    assert n > cuts._DENSE
    assert values[-2] - 0.01 < found @ scaled @ found < values[-2] + 1e-9


def test_components_are_cut_off_whole_and_small_ones_stay_with_the_rest():
    W = np.kron(np.eye(5), np.ones((4, 4)))
    W[16:18, 18:20] = W[18:20, 16:18] = 0.0  # the last one falls into two pairs
    sizes = np.ones(20)
    found = best_cut(sp.csr_array(W), sizes, 3.0)
    assert found.conductance == 0.0
    assert found.side.sum() == 4
    assert not found.side[16:].any()
    assert best_cut(sp.csr_array(W[16:, 16:]), sizes[:4], 3.0).side is None


def test_a_graph_that_cannot_be_cut_has_fewer_clusters():
    np.testing.assert_array_equal(recursive_cuts(coarse(np.ones((3, 3)), 2), 2, 0.1), [0, 0, 0])
    assert recursive_cuts(coarse(np.ones((8, 8))), 8, 0.1).max() + 1 == 4


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("few_groups", [5000, 400])
def test_clusters_of_very_different_sizes_are_cut_apart_also_in_a_graph_of_groups(monkeypatch, few_groups):
    monkeypatch.setattr(groups, "GROUPING", replace(GROUPING, few_groups=few_groups))
    centers = [[0, 0], [12, 0], [30, 30], [44, 30], [30, 44], [44, 44]]
    X, y = make_blobs([800, 800, 60, 60, 60, 60], centers=centers, cluster_std=[1, 1, 2, 2, 2, 2], random_state=0)
    graph = coarse(nearest_neighbor_affinity(X), 6)
    assert graph.sizes.sum() == y.size
    assert (graph.sizes.size < y.size) == (few_groups < y.size)
    assert adjusted_rand_score(y, recursive_cuts(graph, 6, 0.1)) > 0.99


def test_groups_have_the_links_of_their_points():
    W = connected_affinity(0, 30)
    graph = coarse(W)
    scale = graph.links.sum() / W.sum()
    members = np.equal.outer(np.arange(graph.sizes.size), graph.group_of).astype(float)
    np.testing.assert_allclose(graph.links.toarray(), scale * members @ W @ members.T, rtol=1e-5, atol=1e-6)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_the_order_of_the_points_decides_nothing(seed, n_clusters):
    W = connected_affinity(seed, 40)
    order = np.random.default_rng(seed).permutation(40)
    one, other = (recursive_cuts(coarse(A), n_clusters, 0.1) for A in (W, W[np.ix_(order, order)]))
    np.testing.assert_array_equal(by_decreasing_size(one[order]), other)


@given(st.integers(0, 10_000), st.integers(2, 5), st.floats(0.0, 1.0))
def test_cuts_that_end_early_would_have_had_more_conductance(seed, n_clusters, most):
    W = connected_affinity(seed, 30)
    whole = recursive_cuts(coarse(W), n_clusters, 0.1)
    found = recursive_cuts(coarse(W), n_clusters, 0.1, most)
    if found is not None:
        np.testing.assert_array_equal(found, whole)
    else:
        assert max(conductance_of(W, whole == cluster) for cluster in range(whole.max() + 1)) > most * (1 - 1e-6)


def conductance_of(W, side):
    return W[side][:, ~side].sum() / W[side].sum()


def test_the_search_ends_as_soon_as_the_smaller_side_has_too_much_conductance():
    labels = np.repeat([0, 1], [12, 5])
    W = np.where(labels[:, None] == labels, 1.0, 0.01)
    found = conductance(W, labels == 1)
    assert recursive_cuts(coarse(W, 2), 2, 0.1, 0.99 * found) is None
    np.testing.assert_array_equal(recursive_cuts(coarse(W, 2), 2, 0.1, 1.01 * found), labels)


def test_the_smallest_component_is_cut_off_first():
    sizes = (10, 4, 6)
    component = np.repeat(np.arange(3), sizes)
    W = sp.csr_array((component[:, None] == component).astype(float))
    np.testing.assert_array_equal(best_cut(W, np.ones(20), 3.0).side, component == 1)


@pytest.mark.parametrize("n", [30, 150])
def test_the_eigenvector_is_that_of_the_laplacian_with_its_largest_entry_positive(n):
    """A path, whose second eigenvector goes from one end to the other."""
    W = np.diag(np.linspace(1.0, 2.0, n - 1), 1)
    W += W.T
    strength = W.sum(axis=1)
    found = second_eigenvector(sp.csr_array(W), strength)
    assert found[np.argmax(np.abs(found))] > 0
    first, last = np.sign(found[[0, -1]])
    assert first == -last
    assert (np.abs(np.diff(np.sign(found))) > 0).sum() == 1
    if n <= cuts._DENSE:
        walk = W / strength[:, None]
        np.testing.assert_allclose(walk @ found, np.sort(np.linalg.eigvals(walk).real)[-2] * found, atol=1e-9)


def test_a_vector_that_does_not_converge_is_good_enough(monkeypatch):
    """On a long path Lanczos takes long; the order of the nodes is nearly that of the path all the same."""
    monkeypatch.setattr(cuts, "_RESTARTS", 1)
    n = 3000
    W = sp.csr_array(sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1]))
    found = second_eigenvector(W, np.asarray(W.sum(axis=1)))
    assert np.isfinite(found).all()
    assert found.std() > 0


def test_a_cut_inside_the_largest_component_leaves_small_ones_with_the_other_side():
    W = np.kron(np.eye(2), np.ones((6, 6))) + 0.01
    W = np.pad(W, (0, 2))
    W[12, 13] = W[13, 12] = 1.0  # two points on their own, too few for a side
    found = best_cut(sp.csr_array(W), np.ones(14), 3.0)
    assert sorted([found.side[:6].all(), found.side[6:12].all()]) == [False, True]
    assert not found.side[12:].any()
    assert found.crossing == pytest.approx(0.36)
    assert found.conductance == pytest.approx(0.36 / (36 + 36 * 0.01 + 0.36), rel=1e-9)


@pytest.mark.parametrize("fewest", [1.0, 2.0, 3.0, 4.0])
def test_both_sides_of_a_cut_have_enough_points(fewest):
    labels = np.repeat([0, 1], [9, 3])
    W = np.where(labels[:, None] == labels, 1.0, 0.01)
    found = best_cut(sp.csr_array(W), np.ones(12), fewest)
    sizes = np.bincount(found.side.astype(int))
    assert sizes.min() >= fewest
    assert (sizes.min() == 3) == (fewest <= 3)
