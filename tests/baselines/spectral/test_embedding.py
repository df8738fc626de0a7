import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from graphs import affinities, connected_affinity
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.spectral.embedding import spectral_embedding, unit_rows
from s3nmf.graph.operators import AffinityOperator, CoAssociation
from s3nmf.graph.spectrum import eigenpairs


def literal_embedding(W, n_clusters):
    """The text of the paper, with dense matrices; and by how much the last eigenvalue differs from the next."""
    degrees = W.sum(axis=1)
    root = np.array([1 / np.sqrt(degree) if degree > 0 else 0.0 for degree in degrees])
    values, U = np.linalg.eigh(root[:, None] * W * root)
    U = U[:, ::-1][:, :n_clusters]
    gap = np.inf if n_clusters == len(W) else values[::-1][n_clusters - 1] - values[::-1][n_clusters]
    norms = np.linalg.norm(U, axis=1, keepdims=True)
    return np.where((norms > 1e-12) & (degrees[:, None] > 0), U / np.where(norms > 0, norms, 1), 0.0), gap


def assert_same_up_to_rotation(F, G, atol=1e-6):
    np.testing.assert_allclose(F @ F.T, G @ G.T, atol=atol)


def blocks(sizes, seed=0):
    """A graph in components of these sizes, none of them bipartite."""
    return sp.csr_array(block_diag(*(connected_affinity(seed + i, size) for i, size in enumerate(sizes))))


@given(affinities(), st.booleans(), st.data())
def test_it_is_the_literal_embedding_up_to_rotation(W, sparse, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    expected, gap = literal_embedding(W, n_clusters)
    assume(gap > 1e-6)
    F = spectral_embedding(AffinityOperator(sp.csr_array(W) if sparse else W), n_clusters)
    assert_same_up_to_rotation(F, expected)


@pytest.mark.parametrize("sparse", [True, False])
def test_many_points_have_the_literal_embedding_too(sparse):
    X, _ = make_blobs(700, n_features=5, centers=6, cluster_std=4.0, random_state=0)
    W = nearest_neighbor_affinity(X)
    F = spectral_embedding(AffinityOperator(W if sparse else W.toarray()), 6)
    assert_same_up_to_rotation(F, literal_embedding(W.toarray(), 6)[0])


def test_rows_have_unit_length_and_a_point_without_any_edge_has_none():
    W = connected_affinity(0, 12)
    W[:, 5] = W[5, :] = 0.0
    norms = np.linalg.norm(spectral_embedding(AffinityOperator(W), 3), axis=1)
    assert norms[5] == 0
    np.testing.assert_allclose(np.delete(norms, 5), 1.0)


def test_rounding_is_not_taken_for_a_direction():
    assert unit_rows(np.array([[0.0, 3.0], [1e-14, -1e-15], [0.0, 0.0]])).tolist() == [[0, 1], [0, 0], [0, 0]]


@pytest.mark.parametrize("n", [8, 60])
def test_one_cluster_and_a_cluster_for_each_point(n):
    operator = AffinityOperator(connected_affinity(0, n))
    np.testing.assert_allclose(spectral_embedding(operator, 1), 1.0)
    assert_same_up_to_rotation(spectral_embedding(operator, n), np.eye(n))


@pytest.mark.parametrize("sizes", [[5, 4, 3], range(5, 65)])
def test_each_component_gets_a_direction_of_its_own(sizes):
    component_of = np.repeat(np.arange(len(sizes)), sizes)
    F = spectral_embedding(AffinityOperator(blocks(sizes)), len(sizes))
    np.testing.assert_allclose(F @ F.T, component_of[:, None] == component_of, atol=1e-9)


def test_clusters_within_components_are_found_beside_them():
    W = blocks([300, 250, 40])
    F = spectral_embedding(AffinityOperator(W), 5)
    expected, gap = literal_embedding(W.toarray(), 5)
    assert gap > 1e-6
    assert_same_up_to_rotation(F, expected)


@pytest.mark.parametrize("sparse", [True, False])
def test_of_more_components_than_clusters_the_largest_are_embedded(sparse):
    W = blocks([3, 9, 5, 7, 3])
    F = spectral_embedding(AffinityOperator(W if sparse else W.toarray()), 3)
    expected = np.repeat([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 0]], [3, 9, 5, 7, 3], axis=0)
    np.testing.assert_allclose(F, expected, atol=1e-12)


def test_groups_that_hardly_touch_the_rest_are_not_missed():
    """Twelve groups of four points, each joined to a large graph by an edge of 1e-9."""
    X, _ = make_blobs(2000, n_features=20, centers=1, random_state=0)
    groups = sp.kron(sp.eye_array(12), 0.1 * (np.ones((4, 4)) - np.eye(4)))
    W = sp.lil_array(sp.block_diag([nearest_neighbor_affinity(X), groups]))
    for group in range(12):
        W[2000 + 4 * group, group] = W[group, 2000 + 4 * group] = 1e-9
    F = spectral_embedding(AffinityOperator(sp.csr_array(W)), 13)
    group_of = np.concatenate([np.zeros(2000), np.repeat(np.arange(1, 13), 4)])
    np.testing.assert_allclose(F @ F.T, group_of[:, None] == group_of, atol=1e-3)


def test_a_long_ring_is_embedded_as_a_circle():
    """Its leading eigenvectors are constant, sine and cosine; Lanczos alone does not tell their eigenvalues apart."""
    n = 4000
    after = np.roll(np.arange(n), -1)
    A = sp.coo_array((np.ones(n), (np.arange(n), after)), shape=(n, n))
    F = spectral_embedding(AffinityOperator(sp.csr_array(A + A.T)), 3)
    some = np.arange(0, n, 97)
    angles = 2 * np.pi * some / n
    np.testing.assert_allclose(F[some] @ F[some].T, (1 + 2 * np.cos(angles[:, None] - angles)) / 3, atol=1e-6)


def test_rings_beside_each_other_are_embedded_each_by_itself():
    """Of three long rings, sine and cosine of each are as slow to find as the rings themselves."""
    n, ring_of = 400, np.repeat(np.arange(3), 400)
    after = np.roll(np.arange(n), -1)
    ring = sp.coo_array((np.ones(n), (np.arange(n), after)), shape=(n, n))
    F = spectral_embedding(AffinityOperator(sp.csr_array(sp.block_diag([ring + ring.T] * 3))), 9)
    angles = 2 * np.pi * np.tile(np.arange(n), 3) / n
    circles = (1 + 2 * np.cos(angles[:, None] - angles)) / 3
    np.testing.assert_allclose(F @ F.T, np.where(ring_of[:, None] == ring_of, circles, 0.0), atol=1e-6)


def test_a_slow_graph_that_cannot_be_factorized_is_embedded_with_a_warning(monkeypatch):
    monkeypatch.setattr(eigenpairs, "factorization_is_affordable", lambda graph: False)
    n = 6000
    after = np.roll(np.arange(n), -1)
    A = sp.coo_array((np.ones(n), (np.arange(n), after)), shape=(n, n))
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        F = spectral_embedding(AffinityOperator(sp.csr_array(A + A.T)), 3)
    np.testing.assert_allclose(np.linalg.norm(F, axis=1), 1.0)


def test_a_similarity_that_is_never_a_matrix_can_be_embedded():
    labels = np.random.default_rng(0).integers(0, 3, (2, 900))
    labels[1] = labels[0]
    F = spectral_embedding(CoAssociation(labels, np.array([0.5, 0.5])), 3)
    np.testing.assert_allclose(F @ F.T, labels[0][:, None] == labels[0], atol=1e-9)


@given(affinities(), st.floats(1e-6, 1e6))
def test_a_constant_factor_changes_nothing(W, factor):
    _, gap = literal_embedding(W, 2)
    assume(gap > 1e-6)
    one, other = (spectral_embedding(AffinityOperator(scale * W), 2) for scale in (1.0, factor))
    assert_same_up_to_rotation(one, other)
