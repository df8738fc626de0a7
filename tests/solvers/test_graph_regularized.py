import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphs import affinities
from s3nmf import symmetric_nmf
from s3nmf.graph.operators import AffinityOperator
from s3nmf.solvers.base import StepBelow
from s3nmf.solvers.graph_regularized import graph_regularized
from s3nmf.solvers.greedy import greedy
from s3nmf.solvers.multiplicative import multiplicative

pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
STRENGTHS = st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0])


def objective_of(W, V, strength):
    L = np.diag(W.sum(axis=1)) - W
    return np.linalg.norm(W - V @ V.T) ** 2 + strength * np.trace(V.T @ L @ V)


@given(affinities(), st.integers(1, 4), st.integers(0, 1000), STRENGTHS, st.booleans())
def test_a_sweep_is_the_formula_and_its_objective_that_of_the_problem(W, n_clusters, seed, strength, sparse):
    starts = np.random.default_rng(seed).random((5, len(W), n_clusters))
    operator = graph_regularized(sp.csr_array(W) if sparse else W, strength)
    run = multiplicative(operator, starts, max_iter=1, stop=StepBelow(0.0))
    D = np.diag(W.sum(axis=1))
    for V, start, objective in zip(run.factors, starts, run.objective.T, strict=True):
        above = W @ start + strength / 2 * W @ start
        below = start @ start.T @ start + strength / 2 * D @ start + 2.2e-16
        np.testing.assert_allclose(V, start * (above / below) ** 0.25, rtol=1e-9)
        np.testing.assert_allclose(objective, [objective_of(W, start, strength), objective_of(W, V, strength)])


@given(affinities(), st.integers(1, 4), st.integers(0, 1000), STRENGTHS)
def test_the_objective_never_increases(W, n_clusters, seed, strength):
    starts = np.random.default_rng(seed).random((4, len(W), n_clusters))
    run = multiplicative(graph_regularized(sp.csr_array(W), strength), starts, max_iter=40, stop=StepBelow(0.0))
    assert (np.diff(run.objective, axis=0) <= 1e-11 * run.objective[0]).all()


def test_regularization_makes_rows_of_neighbours_alike(iris_affinity):
    plain, smooth = (
        symmetric_nmf(iris_affinity, 3, graph_regularization=strength, tol=0, random_state=0).factor
        for strength in (0.0, 20.0)
    )
    L = np.diag(np.asarray(iris_affinity.sum(axis=1)).ravel()) - iris_affinity.toarray()
    roughness = [np.trace(V.T @ L @ V) / np.linalg.norm(V) ** 2 for V in (plain, smooth)]
    assert roughness[1] < 0.8 * roughness[0]


def test_only_some_solvers_regularize(iris_affinity):
    with pytest.raises(
        ValueError, match=r"graph_regularization=1.0 needs solver='greedy' or 'multiplicative'; it is 'hal"
    ):
        symmetric_nmf(iris_affinity, 3, graph_regularization=1.0, solver="hals")


def test_greedy_descent_brings_both_factors_to_a_symmetric_fit(iris_affinity):
    starts = np.random.default_rng(0).random((4, 150, 3))
    greedy_run = greedy(AffinityOperator(iris_affinity), starts, max_iter=300, stop=StepBelow(0.0))
    plain = multiplicative(AffinityOperator(iris_affinity), starts, max_iter=300, stop=StepBelow(0.0))
    assert greedy_run.objective[-1].min() < plain.objective[-1].min() * 1.01
    for V, objective in zip(greedy_run.factors, greedy_run.objective[-1], strict=True):
        assert objective == pytest.approx(np.linalg.norm(iris_affinity.toarray() - V @ V.T) ** 2)


def test_greedy_descent_regularizes_a_dense_affinity_alike(iris_affinity):
    starts = np.random.default_rng(0).random((2, 150, 3))
    sparse, dense = (
        greedy(graph_regularized(W, 1.0), starts, max_iter=5, stop=StepBelow(0.0)).objective
        for W in (iris_affinity, iris_affinity.toarray())
    )
    np.testing.assert_allclose(dense, sparse)


@pytest.mark.parametrize(("strength", "slack"), [(0.1, 1.02), (1.0, 1.02), (10.0, 1.2)])
def test_greedy_descent_lowers_the_regularized_objective(strength, slack, iris_affinity):
    """The stronger the regularizer, the more tightly the factors are coupled, and the slower they go."""
    operator, starts = graph_regularized(iris_affinity, strength), np.random.default_rng(0).random((4, 150, 3))
    run = greedy(operator, starts, max_iter=500, stop=StepBelow(0.0))
    by_update = multiplicative(operator, starts, max_iter=500, stop=StepBelow(0.0))
    assert run.objective[-1].min() < slack * by_update.objective[-1].min()
