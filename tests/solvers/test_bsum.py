import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import affinities
from s3nmf._core.bsum import positive_roots, upper_bounds
from s3nmf.graph.operators import AffinityOperator
from s3nmf.solvers.base import StepBelow
from s3nmf.solvers.bsum import scalar_bsum, vector_bsum


def sweep_by_entries(W, V):
    """One sweep over all entries with the closed form of the cubic's root, to the letter."""
    V = V.copy()
    for i in range(V.shape[0]):
        for j in range(V.shape[1]):
            x = V[i, j]
            a = 4 * (V[:, j] @ V[:, j] - W[i, i] + V[i] @ V[i] + x * x)
            d = 4 * ((V @ V.T @ V)[i, j] - (W @ V)[i, j])
            p = (a - 12 * x * x) / 4
            if p > 0:
                q = (8 * x**3 - a * x + d) / 4
                A = np.cbrt(abs(q) / 2 + np.sqrt(q * q / 4 + p**3 / 27))
                z = -q / (A * A + p / 3 + p * p / (9 * A * A))
            else:
                z = np.cbrt(x**3 - d / 4)
            V[i, j] = max(z, 0.0)
    return V


@settings(max_examples=30)
@given(affinities(max_n=8), st.integers(1, 4), st.integers(0, 1000), st.sampled_from([0.0, 0.7]))
def test_a_sweep_by_entries_is_the_formula_for_each_member(W, n_clusters, seed, diagonal):
    """With a large diagonal an entry is the cube root of what rounding leaves: then the objective is what is equal."""
    W = W + diagonal * np.eye(len(W))
    starts = np.random.default_rng(seed).random((3, len(W), n_clusters))
    run = scalar_bsum(AffinityOperator(sp.csr_array(W)), starts, max_iter=1, stop=StepBelow(0.0))
    for V, objective, start in zip(run.factors, run.objective[-1], starts, strict=True):
        wanted = sweep_by_entries(W, start)
        assert objective == pytest.approx(np.linalg.norm(W - wanted @ wanted.T) ** 2, rel=1e-8)
        np.testing.assert_allclose(V, wanted, atol=1e-3 if diagonal else 1e-5)


@settings(max_examples=30)
@given(affinities(max_n=10), st.integers(1, 3), st.integers(0, 1000))
def test_rows_end_where_their_part_of_the_objective_is_least(W, n_clusters, seed):
    """After many sweeps no row can be moved to lower the objective: tried with random rows around it."""
    rng = np.random.default_rng(seed)
    start = rng.random((1, len(W), n_clusters))
    V = vector_bsum(AffinityOperator(sp.csr_array(W)), start, max_iter=3000, stop=StepBelow(1e-13)).factors[0]
    least = np.linalg.norm(W - V @ V.T) ** 2
    for _ in range(50):
        near = V.copy()
        near[rng.integers(len(W))] += rng.normal(scale=10.0 ** rng.uniform(-5, -2), size=n_clusters)
        near = np.maximum(near, 0.0)
        assert np.linalg.norm(W - near @ near.T) ** 2 >= least - 1e-9


def test_roots_of_the_cubic_have_a_residual_of_rounding():
    """Over all scales for which the root and its cube are numbers."""
    rng = np.random.default_rng(0)
    z = 10.0 ** rng.uniform(-95, 95, 200_000)
    p = np.where(rng.random(z.size) < 0.05, 0.0, z * z * 10.0 ** rng.uniform(-15, 15, z.size))
    r = z**3 + p * z
    found = np.empty_like(z)
    positive_roots(p.copy(), r.copy(), found)
    assert np.abs((found**3 + p * found) / r - 1).max() < 1e-12
    np.testing.assert_allclose(found, z, rtol=1e-12)


def test_a_right_side_that_is_not_positive_has_the_root_zero():
    p, r, z = np.array([0.0, 1.0, 2.0]), np.array([0.0, -1.0, 0.0]), np.empty(3)
    positive_roots(p, r, z)
    assert z.tolist() == [0.0, 0.0, 0.0]


@given(st.integers(1, 6), st.integers(0, 1000), st.floats(0.0, 1.0))
def test_the_bound_of_the_largest_eigenvalue_is_one_and_becomes_tight(size, seed, density):
    rng = np.random.default_rng(seed)
    V = rng.random((9, size)) * (rng.random((9, size)) < density)
    P = (V.T @ V)[:, :, None]
    guide, image, bound = np.ones((size, 1)), np.empty((size, 1)), np.empty(1)
    largest = np.linalg.eigvalsh(P[:, :, 0])[-1]
    for _ in range(2000):
        upper_bounds(P, guide, image, bound)
        assert bound[0] >= largest * (1 - 1e-12)
    assert bound[0] <= largest * 1.05 + 1e-12


@pytest.mark.parametrize("solver", [scalar_bsum, vector_bsum])
def test_the_objective_that_is_kept_up_to_date_does_not_drift(solver, iris_affinity):
    starts = np.random.default_rng(0).random((3, 150, 3))
    run = solver(AffinityOperator(iris_affinity), starts, max_iter=150, stop=StepBelow(0.0))
    for V, objective in zip(run.factors, run.objective[-1], strict=True):
        assert objective == pytest.approx(np.linalg.norm(iris_affinity.toarray() - V @ V.T) ** 2, rel=1e-10)
