import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph.spectrum import factorized
from s3nmf.graph.spectrum.factorized import eigenvalue_of, factorization_is_affordable, factorized_inverse


@pytest.fixture(scope="module")
def plane():
    """Points in a plane: a graph that takes thousands of steps to walk through."""
    return nearest_neighbor_affinity(np.random.default_rng(0).random((1500, 2)))


def test_the_largest_eigenvalues_of_the_inverse_are_those_of_the_graph():
    rng = np.random.default_rng(0)
    N = normalize_affinity(nearest_neighbor_affinity(rng.random((500, 2))))
    inverse = factorized_inverse(N)
    V = rng.random((500, 3))
    np.testing.assert_allclose((1 + 1e-9) * (inverse @ V) - N @ (inverse @ V), V, atol=1e-6)
    of_inverse = eigsh(inverse, k=6, which="LA", return_eigenvectors=False, v0=np.ones(500))
    expected = np.linalg.eigvalsh(N.toarray())[-6:]
    np.testing.assert_allclose(np.sort(eigenvalue_of(of_inverse)), expected, atol=1e-10)


def test_a_graph_in_the_plane_is_cheap_and_a_well_mixed_one_is_not(plane, monkeypatch):
    mixed = sp.random_array((1500, 1500), density=0.01, rng=np.random.default_rng(0))
    monkeypatch.setattr(factorized, "_AFFORDABLE", 1e8)
    assert factorization_is_affordable(plane)
    assert not factorization_is_affordable(sp.csr_array(mixed + mixed.T))


def test_what_does_not_fit_into_memory_is_not_affordable(plane, monkeypatch):
    monkeypatch.setattr(factorized, "available_bytes", lambda: None)
    assert factorization_is_affordable(plane)
    monkeypatch.setattr(factorized, "available_bytes", lambda: 10_000)
    assert not factorization_is_affordable(plane)


def test_the_envelope_holds_all_fill():
    """Of a banded matrix in any order it is the band: n - 1 neighbours, one multiplication each."""
    n = 50
    order = np.random.default_rng(0).permutation(n)
    A = sp.coo_array((np.ones(n - 1), (order[:-1], order[1:])), shape=(n, n))
    chain = sp.csr_array(A + A.T)
    for bound, affordable in ((n - 1, False), (n, True)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(factorized, "_AFFORDABLE", bound)
            assert factorization_is_affordable(chain) == affordable
