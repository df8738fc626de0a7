import numpy as np
import pytest
from scipy.linalg import LinAlgError

from s3nmf.baselines.spectral import fantope
from s3nmf.baselines.spectral.rotation import spectral_rotation
from s3nmf.baselines.spectral.sparse import sparse_spectral_clustering
from s3nmf.graph.spectrum import dense
from s3nmf.graph.spectrum.dense import largest_eigenpairs


def gives_up(times):
    """LAPACK as it is on matrices that it gives up on: how many of its first calls fail depends on how it was built."""
    eigh, calls = dense.eigh, []

    def failing(matrix, **how):
        calls.append(how)
        if len(calls) <= times:
            matrix[:] = np.nan  # it was overwritten
            raise LinAlgError("Internal Error.")
        return eigh(matrix, **how)

    return failing


def test_a_second_driver_finds_what_the_first_does_not(monkeypatch):
    A = np.random.default_rng(0).random((8, 8))
    A += A.T
    values, vectors = largest_eigenpairs(A.copy, 3)
    monkeypatch.setattr(dense, "eigh", gives_up(1))
    second, others = largest_eigenpairs(A.copy, 3)
    np.testing.assert_allclose(second, values)
    np.testing.assert_allclose(np.abs(others), np.abs(vectors), atol=1e-12)


@pytest.mark.parametrize("n", [16, 30])
def test_a_driver_that_finds_too_few_has_given_up(n):
    """On these complete graphs LAPACK was seen to return no eigenvalue at all."""
    W = np.ones((n, n)) - np.eye(n)
    assert spectral_rotation(W, 2, random_state=0).labels.shape == (n,)


def test_where_both_fail_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr(dense, "eigh", gives_up(2))
    with pytest.raises(LinAlgError, match=r"8 x 8 matrix by either of two methods .*Change the scale"):
        largest_eigenpairs(lambda: np.eye(8), 3)


def test_a_part_of_the_spectrum_that_is_not_found_is_no_failure(monkeypatch):
    monkeypatch.setattr(fantope, "eigh", gives_up(1))
    assert fantope.nearest_in_fantope(np.eye(8), 2, 3) is None


@pytest.mark.parametrize(("n", "n_clusters"), [(23, 4), (24, 2), (25, 4)])
def test_complete_graphs_are_clustered(n, n_clusters):
    """On these LAPACK was seen to give up."""
    W = (np.ones((n, n)) - np.eye(n)) / (n - 1)
    labels = sparse_spectral_clustering(W, n_clusters, max_iter=30, random_state=0).labels
    assert labels.max() < n_clusters
