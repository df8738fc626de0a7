import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from sklearn.exceptions import ConvergenceWarning

from graphs import affinities, random_affinity
from s3nmf import _memory
from s3nmf._threads import one_thread
from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph.spectrum.eigenpairs import leading_eigenpairs


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    """As in a fit; threads of BLAS that wait for a core make small products a hundred times slower."""
    with one_thread():
        yield


def spectrum(matrix, pairs):
    """The eigenvalues, and that they are those of an orthonormal basis."""
    values, vectors = pairs
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(vectors.shape[1]), atol=1e-6)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-5)
    return values


def knn_like(seed, n, degree=8):
    rng = np.random.default_rng(seed)
    A = sp.random_array((n, n), density=degree / n, rng=rng)
    return sp.csr_array(A + A.T)


def ring(n):
    after = np.roll(np.arange(n), -1)
    A = sp.coo_array((np.ones(n), (np.arange(n), after)), shape=(n, n))
    return sp.csr_array(A + A.T) / 2


@given(affinities(), st.data())
def test_few_points_give_the_largest_eigenvalues_in_order(W, data):
    count = data.draw(st.integers(1, len(W)))
    values = spectrum(W, leading_eigenpairs(aslinearoperator(W), count))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(W)[::-1][:count], atol=1e-10)


@pytest.mark.parametrize("count", [1, 5, 40, 250])
def test_many_points_give_the_largest_eigenvalues_in_order(count):
    W = knn_like(0, 800)
    values = spectrum(W, leading_eigenpairs(aslinearoperator(W), count))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(W.toarray())[::-1][:count], atol=1e-8)


def test_eigenvalues_are_the_largest_not_the_largest_in_size():
    """A bipartite graph has the eigenvalue -1 for each 1."""
    B = knn_like(1, 400)
    W = sp.block_array([[None, B], [B.T, None]], format="csr")
    values = spectrum(W, leading_eigenpairs(aslinearoperator(W), 4))
    assert (values > 0).all()
    np.testing.assert_allclose(values, np.linalg.eigvalsh(W.toarray())[::-1][:4], atol=1e-8)


def test_no_copy_of_a_repeated_eigenvalue_is_missed():
    """Lanczos from one vector ends with about half of the 60 copies."""
    blocks = [np.ones((size, size)) / size for size in np.random.default_rng(0).integers(5, 20, 60)]
    noise = knn_like(0, sum(map(len, blocks)))
    W = sp.csr_array(block_diag(*blocks))
    rest = sp.eye_array(W.shape[0]) - W
    W = sp.csr_array(W + rest @ noise @ rest * (0.9 / abs(noise).sum(axis=1).max()))
    values = spectrum(W, leading_eigenpairs(aslinearoperator(W), 60))
    np.testing.assert_allclose(values, 1.0, atol=1e-8)


def test_a_matrix_of_low_rank_has_enough_eigenvectors():
    """The co-association of members who agree: a few blocks, and nothing else."""
    labels = np.random.default_rng(0).integers(0, 20, 900)
    W = (labels[:, None] == labels) / np.bincount(labels)[labels]
    np.testing.assert_allclose(spectrum(W, leading_eigenpairs(aslinearoperator(W), 20)), 1.0)


def test_the_largest_entry_of_each_vector_is_positive():
    for n in (30, 700):
        vectors = leading_eigenpairs(aslinearoperator(knn_like(2, n)), 6).vectors
        assert (vectors.max(axis=0) == np.abs(vectors).max(axis=0)).all()


def test_the_answer_is_the_same_every_time():
    W = aslinearoperator(knn_like(3, 900))
    np.testing.assert_array_equal(leading_eigenpairs(W, 5).vectors, leading_eigenpairs(W, 5).vectors)


def test_a_chain_whose_eigenvalues_hardly_differ_is_answered_with_a_warning():
    chain = ring(6000)
    operator = LinearOperator(chain.shape, matvec=chain.__matmul__, matmat=chain.__matmul__, dtype=np.float64)
    with pytest.warns(ConvergenceWarning, match=r"The 4 leading eigenvectors did not converge.*larger n_neighbors"):
        vectors = leading_eigenpairs(operator, 4).vectors
    values = np.diag(vectors.T @ (chain @ vectors))
    assert (values > 0.999).all()


def test_many_eigenvectors_are_refused_where_their_memory_is_not_there(monkeypatch):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 10_000)
    with pytest.raises(MemoryError, match="Ask for fewer clusters"):
        leading_eigenpairs(aslinearoperator(random_affinity(0, 40, 0.5)), 30)


def graph_in_pieces(n_pieces, size, seed=0):
    """Rings far from each other, so that 1 is an eigenvalue as often as there are rings."""
    random = np.random.default_rng(seed)
    angles = 2 * np.pi * random.random((n_pieces, size))
    centers = 100.0 * np.arange(n_pieces)[:, None]
    X = np.stack([centers + np.cos(angles), np.sin(angles)], axis=-1).reshape(-1, 2)
    return nearest_neighbor_affinity(X)


@pytest.mark.parametrize("one_known", [False, True])
@pytest.mark.parametrize(("n_pieces", "size"), [(4, 30), (9, 100), (3, 400)])
def test_eigenvalues_are_found_as_often_as_they_occur(n_pieces, size, one_known):
    """Also of three rings, whose eigenvalues Lanczos iterations do not tell apart and which are factorized."""
    A = graph_in_pieces(n_pieces, size)
    W = normalize_affinity(A)
    of_first = np.sqrt(A.sum(axis=1)) * (np.arange(n_pieces * size) < size)
    known = (of_first / np.linalg.norm(of_first))[:, None]
    values, vectors = leading_eigenpairs(W, n_pieces + 3, known=known if one_known else None)
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
