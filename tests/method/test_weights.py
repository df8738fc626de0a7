import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from graphs import connected_affinity
from s3nmf.graph.operators import AffinityOperator
from s3nmf.method.weights import learned_weights, spectral_residuals
from s3nmf.solvers.base import Iterate

RESIDUALS = st.lists(st.floats(0.1, 100.0), min_size=1, max_size=6).map(np.array)
TAU = st.sampled_from([1.2, 1.5, 2.0, 5.0, 20.0])


@given(RESIDUALS, st.sampled_from([1.5, 2.0, 5.0, 20.0]))
def test_weights_minimise_the_weighted_objective(h, tau):
    """Against scipy's optimiser on the simplex."""
    found = minimize(
        lambda alpha: (h.size * np.maximum(alpha, 0)) ** tau @ (h / h.max()),
        np.full(h.size, 1 / h.size),
        bounds=[(0, 1)] * h.size,
        constraints={"type": "eq", "fun": lambda alpha: alpha.sum() - 1},
        options={"ftol": 1e-14, "maxiter": 1000},
        method="SLSQP",
    )
    alpha = learned_weights(h, tau)
    assert (h.size * alpha) ** tau @ (h / h.max()) <= found.fun + 1e-9
    np.testing.assert_allclose(alpha, found.x, atol=2e-3)


@given(RESIDUALS, TAU)
def test_weights_are_the_closed_form(h, tau):
    expected = (tau * h) ** (1 / (1 - tau))
    np.testing.assert_allclose(learned_weights(h, tau), expected / expected.sum(), rtol=1e-9)


@given(RESIDUALS, TAU)
def test_weights_are_positive_sum_to_1_and_favour_the_better_fit(h, tau):
    alpha = learned_weights(h, tau)
    assert (alpha > 0).all()
    assert alpha.sum() == pytest.approx(1)
    order = np.argsort(h)
    assert (np.diff(alpha[order]) <= 1e-12).all()


@pytest.mark.parametrize("tau", [1.0001, 1.2, 2.0, 50.0])
def test_perfect_fits_share_the_weight_and_stay_finite(tau):
    alpha = learned_weights(np.array([0.0, 5.0, 0.0]), tau, floor=1e-10)
    assert np.isfinite(alpha).all()
    assert alpha[0] == alpha[2] >= alpha[1]
    np.testing.assert_allclose(learned_weights(np.zeros(4), tau), 0.25)


def test_a_misfit_below_rounding_counts_as_perfect():
    np.testing.assert_allclose(learned_weights(np.array([1e-18, 1e-20]), 2.0, floor=1e-15), 0.5)


def test_large_tau_weighs_all_the_same_and_tau_near_1_takes_the_best():
    h = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(learned_weights(h, 1e6), 1 / 3, atol=1e-5)
    np.testing.assert_allclose(learned_weights(h, 1.01), [1, 0, 0], atol=1e-5)


@given(st.integers(4, 30), st.integers(0, 1000))
def test_spectral_residuals_are_squared_spectral_norms(n, seed):
    W = connected_affinity(seed, n)
    starts = np.random.default_rng(seed).random((3, n, 2))
    h = np.array([np.linalg.norm(W - V @ V.T) ** 2 for V in starts])
    expected = [np.linalg.norm(W - V @ V.T, 2) ** 2 for V in starts]
    found = spectral_residuals(AffinityOperator(W), Iterate(0, list(starts), np.zeros(3), h))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_the_spectral_residual_of_a_perfect_fit_is_zero():
    V = np.kron(np.eye(2), np.ones((4, 1)))
    fitted = Iterate(1, [V], np.zeros(1), np.array([1e-17]))
    assert spectral_residuals(AffinityOperator(V @ V.T), fitted).tolist() == [0.0]
