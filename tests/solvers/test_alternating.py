from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls

from graphs import affinities
from s3nmf._core.alternating import nonnegative_least_squares
from s3nmf.graph.operators import AffinityOperator
from s3nmf.solvers.alternating import anls, hals
from s3nmf.solvers.base import StepBelow

PENALTIES = st.sampled_from([0.0, 0.1, 0.66, 5.0])
BOTH = pytest.mark.parametrize("solver", [anls, hals])


def exact_rows(W, V, penalty):
    """U >= 0 that minimises ||W - U V'||^2 + penalty ||U - V||^2, row by row by SciPy."""
    A = np.vstack([V, np.sqrt(penalty) * np.eye(V.shape[1])])
    return np.array([nnls(A, np.concatenate([w, np.sqrt(penalty) * v]))[0] for w, v in zip(W, V, strict=True)])


def swept_columns(W, U, V, penalty):
    """One sweep over the columns of U."""
    U, Q, B = U.copy(), V.T @ V + penalty * np.eye(V.shape[1]), W @ V + penalty * V
    for j in range(U.shape[1]):
        if Q[j, j] > 0:
            U[:, j] = np.maximum(U[:, j] + (B[:, j] - U @ Q[:, j]) / Q[j, j], 0.0)
    return U


@given(affinities(max_n=12), st.integers(1, 4), st.integers(0, 1000), st.sampled_from([0.1, 0.66, 5.0]), st.booleans())
def test_anls_solves_every_row_exactly(W, n_clusters, seed, penalty, sparse):
    starts = np.random.default_rng(seed).random((3, len(W), n_clusters))
    operator = AffinityOperator(sp.csr_array(W) if sparse else W)
    run = anls(operator, starts, max_iter=1, stop=StepBelow(0.0), penalty=penalty)
    for V, start in zip(run.factors, starts, strict=True):
        np.testing.assert_allclose(V, exact_rows(W, exact_rows(W, start, penalty), penalty), atol=1e-9)


@given(affinities(max_n=12), st.integers(1, 4), st.integers(0, 1000), st.sampled_from([0.1, 0.66, 5.0]), st.booleans())
def test_hals_sweeps_over_the_columns(W, n_clusters, seed, penalty, sparse):
    starts = np.random.default_rng(seed).random((3, len(W), n_clusters))
    operator = AffinityOperator(sp.csr_array(W) if sparse else W)
    run = hals(operator, starts, max_iter=1, stop=StepBelow(0.0), penalty=penalty)
    for V, start in zip(run.factors, starts, strict=True):
        U = swept_columns(W, start, start, penalty)
        np.testing.assert_allclose(V, swept_columns(W, start, U, penalty), atol=1e-9)


@given(st.integers(1, 12), st.integers(0, 10_000), st.floats(0.0, 1.0))
def test_pivoting_finds_the_nonnegative_minimiser(size, seed, density):
    """From any first guess; least squares with dependent columns have a unique value, if not a unique solution."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(size + 3, size))
    b, x = rng.normal(size=size + 3), rng.random(size) * (rng.random(size) < density)
    nonnegative_least_squares(A.T @ A, A.T @ b, x)
    np.testing.assert_allclose(x, nnls(A, b)[0], atol=1e-8)


@BOTH
@given(affinities(), st.integers(1, 4), st.integers(0, 1000), PENALTIES)
def test_the_penalised_objective_never_increases(solver, W, n_clusters, seed, penalty):
    starts = np.random.default_rng(seed).random((2, len(W), n_clusters))
    run = solver(AffinityOperator(sp.csr_array(W)), starts, max_iter=30, stop=StepBelow(0.0), penalty=penalty)
    assert (np.diff(run.objective, axis=0) <= 1e-10 * run.objective[0]).all()


@BOTH
def test_a_penalty_draws_the_factors_together(solver, iris_affinity):
    """Then the objective is half the misfit of the symmetric problem."""
    starts = np.random.default_rng(0).random((2, 150, 3))
    run = partial(solver, AffinityOperator(iris_affinity), starts, max_iter=300, stop=StepBelow(0.0))
    np.testing.assert_allclose(2 * run(penalty=1.0).objective[-1], run(penalty=1.0).residuals, rtol=1e-4)
    for V, residual in zip(run(penalty=1.0).factors, run(penalty=1.0).residuals, strict=True):
        assert residual == pytest.approx(np.linalg.norm(iris_affinity.toarray() - V @ V.T) ** 2)


@BOTH
def test_without_a_penalty_the_columns_share_the_scale_of_both_factors(solver):
    """U V' is what fits, so V alone has columns of any length; those handed out have the length of a symmetric fit."""
    W = np.kron(np.diag([1.0, 0.25]), np.ones((4, 4)))
    start = 0.3 * np.random.default_rng(0).random((1, 8, 2)) + np.kron(np.eye(2), np.ones((4, 1)))
    V = solver(AffinityOperator(sp.csr_array(W)), start, max_iter=500, stop=StepBelow(0.0), penalty=0.0).factors[0]
    np.testing.assert_allclose(V @ V.T, W, atol=1e-3)


@BOTH
def test_a_column_that_became_zero_can_grow_again(solver):
    W = np.kron(np.eye(2), np.ones((3, 3)))
    start = np.zeros((1, 6, 2))
    start[0, :3, 0] = 1.0
    run = solver(AffinityOperator(sp.csr_array(W)), start, max_iter=500, stop=StepBelow(0.0), penalty=0.01)
    assert run.objective[-1, 0] <= run.objective[0, 0]
    assert np.isfinite(run.factors[0]).all()
