import logging
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import block_diag

from graphs import affinities, connected_affinity
from s3nmf import _memory
from s3nmf.affinity import normalize_affinity
from s3nmf.baselines.spectral import fantope
from s3nmf.baselines.spectral.sparse_projection import sparse_projection

BETAS = st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 2.0])
pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")


def laplacian(W):
    return np.eye(len(W)) - W / np.linalg.eigvalsh(W)[-1]


def objective(P, W, beta):
    return np.sum(P * laplacian(W)) + beta * np.abs(P).sum()


def fixed_penalty(W, n_clusters, beta, penalty=1.0, n_iter=3000):
    """The same program, literally, with a penalty that does not grow; slow, and sure to reach the optimum."""
    L, Q, Y = laplacian(W), np.zeros_like(W), np.zeros_like(W)
    for _ in range(n_iter):
        A = Q - (Y + L) / penalty
        P = np.sign(A) * np.maximum(np.abs(A) - beta / penalty, 0)
        w, E = np.linalg.eigh(P + Y / penalty)
        low, high = w[0] - 2, w[-1]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if np.clip(w - middle, 0, 1).sum() > n_clusters else (low, middle)
        Q = (E * np.clip(w - low, 0, 1)) @ E.T
        Y += penalty * (P - Q)
    return Q


@settings(max_examples=40)
@given(affinities(), BETAS, st.data())
def test_it_is_feasible_and_within_a_hundredth_of_the_optimum(W, beta, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    found = sparse_projection(W, n_clusters, beta=beta)
    values = np.linalg.eigvalsh(found.projection)
    assert found.converged
    assert values.min() > -1e-8
    assert values.max() < 1 + 1e-8
    assert np.trace(found.projection) == pytest.approx(n_clusters, abs=1e-8)
    np.testing.assert_array_equal(found.projection, found.projection.T)
    assert found.objective == pytest.approx(objective(found.projection, W, beta), abs=1e-9)
    assert found.lower_bound - 1e-8 <= found.objective <= found.lower_bound + 1e-2 * max(found.objective, 0.01)


@settings(max_examples=40)
@given(affinities(), BETAS, st.integers(0, 1000), st.data())
def test_no_other_point_is_below_the_bound(W, beta, seed, data):
    n, rng = len(W), np.random.default_rng(seed)
    n_clusters = data.draw(st.integers(1, n))
    found = sparse_projection(W, n_clusters, beta=beta)
    near = np.linalg.qr(found.embedding + 0.1 * rng.standard_normal(found.embedding.shape))[0]
    bases = [near, *(np.linalg.qr(rng.standard_normal((n, n_clusters)))[0] for _ in range(10))]
    corners = np.diag(np.repeat([1.0, 0.0], [n_clusters, n - n_clusters]))
    points = [*(U @ U.T for U in bases), corners, np.eye(n) * n_clusters / n]
    points += [(point + found.projection) / 2 for point in points]
    assert all(found.lower_bound <= objective(point, W, beta) + 1e-8 for point in points)


@given(affinities(), st.data())
def test_without_sparsity_it_is_the_sum_of_the_smallest_eigenvalues(W, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    found = sparse_projection(W, n_clusters, beta=0.0)
    smallest = np.linalg.eigvalsh(laplacian(W))[:n_clusters].sum()
    assert found.objective == pytest.approx(smallest, abs=1e-8)
    assert found.lower_bound == pytest.approx(smallest, abs=1e-8)


@pytest.mark.parametrize("beta", [1e-3, 0.03, 0.3])
def test_it_agrees_with_a_penalty_that_does_not_grow(beta):
    W = normalize_affinity(connected_affinity(1, 8))
    expected = fixed_penalty(W, 3, beta)
    best = objective(expected, W, beta)
    found = sparse_projection(W, 3, beta=beta)
    assert found.objective == pytest.approx(best, rel=1e-3)
    slow = sparse_projection(W, 3, beta=beta, growth=1.02, max_iter=2000)
    assert slow.objective == pytest.approx(best, rel=1e-5)
    assert slow.objective - slow.lower_bound <= found.objective - found.lower_bound
    np.testing.assert_allclose(slow.projection, expected, atol=0.01)


def test_more_sparsity_leaves_fewer_entries():
    W = connected_affinity(0, 30)
    left = [np.count_nonzero(sparse_projection(W, 3, beta=beta).sparse) for beta in (0.0, 0.01, 0.1)]
    assert left[0] == 900 > left[1] > left[2] > 0


def test_the_two_copies_differ_by_the_last_residual():
    found = sparse_projection(connected_affinity(0, 20), 3, beta=0.01)
    assert found.residuals.shape == (found.n_iter,)
    assert np.abs(found.sparse - found.projection).max() <= found.residuals[-1] < 1e-6
    assert (found.residuals[:-1] >= 1e-6).all()


def test_it_ends_at_max_iter_without_convergence():
    found = sparse_projection(connected_affinity(0, 20), 3, beta=0.01, max_iter=3)
    assert (found.n_iter, found.residuals.size, found.converged) == (3, 3, False)
    values = np.linalg.eigvalsh(found.projection)
    assert values.min() > -1e-8
    assert values.max() < 1 + 1e-8


@pytest.mark.parametrize("change", [sp.csr_array, lambda W: 7.0 * W], ids=["sparse", "scaled"])
def test_neither_storage_nor_scale_matters(change):
    W = normalize_affinity(connected_affinity(2, 25))
    one, other = sparse_projection(W, 4, beta=1e-3), sparse_projection(change(W), 4, beta=1e-3)
    np.testing.assert_allclose(one.projection, other.projection, atol=1e-6)
    assert one.objective == pytest.approx(other.objective, rel=1e-6)


@pytest.mark.parametrize(("power", "beta"), [(30, 0.02), (8, 0.05)], ids=["rank 3 to 58 and back", "full rank"])
def test_a_part_of_the_spectrum_is_as_good_as_all_of_it(power, beta, monkeypatch):
    W = normalize_affinity(connected_affinity(0, 200) ** power)
    part = sparse_projection(W, 3, beta=beta, max_iter=120)
    monkeypatch.setattr(fantope, "_PART", 0.0)
    whole = sparse_projection(W, 3, beta=beta, max_iter=120)
    np.testing.assert_allclose(part.projection, whole.projection, atol=1e-8)
    np.testing.assert_allclose(part.residuals, whole.residuals, rtol=1e-3)


def test_its_bytes_are_logged_before_it_starts(caplog):
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        sparse_projection(connected_affinity(0, 20), 2, max_iter=1)
    assert "20 points needs up to 22400 bytes" in caplog.text


def test_it_is_refused_where_its_bytes_are_not_there(monkeypatch):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 56 * 20 * 20 - 1)
    with pytest.raises(MemoryError, match=r"seven n x n arrays, n=20: cluster a sample.*NJWSpectralClustering"):
        sparse_projection(connected_affinity(0, 20), 2)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 56 * 20 * 20)
    sparse_projection(connected_affinity(0, 20), 2, max_iter=1)


@pytest.mark.parametrize(("n_clusters", "arrays"), [(3, 5), (600, 7)])
def test_it_takes_no_more_memory_than_it_says(n_clusters, arrays):
    W = sp.csr_array(block_diag(*(connected_affinity(seed, 20) for seed in range(50))))
    tracemalloc.start()
    sparse_projection(W, n_clusters, max_iter=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < arrays * 8 * 1000 * 1000


@pytest.mark.parametrize(("parameter", "value"), [("beta", -1.0), ("growth", 0.9), ("tol", -1e-3), ("max_iter", 0)])
def test_parameters_out_of_range_are_refused(parameter, value):
    with pytest.raises(ValueError, match=f"The '{parameter}' parameter of sparse_projection must be"):
        sparse_projection(connected_affinity(0, 20), 2, **{parameter: value})
