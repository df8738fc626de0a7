import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.spectral.eigenpairs import leading_eigenpairs


def graph_in_pieces(n_pieces, size, seed=0):
    """Rings far from each other, so that 1 is an eigenvalue as often as there are rings."""
    random = np.random.default_rng(seed)
    angles = 2 * np.pi * random.random((n_pieces, size))
    centers = 100.0 * np.arange(n_pieces)[:, None]
    X = np.stack([centers + np.cos(angles), np.sin(angles)], axis=-1).reshape(-1, 2)
    return nearest_neighbor_affinity(X)


@pytest.mark.parametrize(("n_pieces", "size"), [(4, 30), (9, 100), (3, 400)])
def test_eigenvalues_are_found_as_often_as_they_occur(n_pieces, size):
    W = graph_in_pieces(n_pieces, size)
    values, vectors = leading_eigenpairs(W, n_pieces + 3)
    expected = np.linalg.eigvalsh(W.toarray())[::-1][: n_pieces + 3]
    np.testing.assert_allclose(values, expected, atol=1e-7)
    assert (values > 1 - 1e-9).sum() == n_pieces
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_pieces + 3), atol=1e-8)
    np.testing.assert_allclose(W @ vectors, vectors * values, atol=1e-5)


@pytest.mark.parametrize("n", [60, 600])
def test_dense_and_sparse_matrices_have_the_same_eigenvalues(n):
    W = graph_in_pieces(2, n // 2)
    sparse, dense = leading_eigenpairs(W, 5)[0], leading_eigenpairs(W.toarray(), 5)[0]
    np.testing.assert_allclose(sparse, dense, atol=1e-7)
    np.testing.assert_array_equal(sparse, leading_eigenpairs(sp.csr_array(W), 5)[0])
