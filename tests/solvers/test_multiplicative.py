import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphs import affinities, connected_affinity, random_affinity
from s3nmf.operators import AffinityOperator, CoAssociation
from s3nmf.partitions import partition
from s3nmf.solvers.multiplicative import multiplicative

CLUSTERS = st.integers(1, 4)
SEED = st.integers(0, 10_000)


def never(iterate):
    return np.zeros(iterate.steps.size, dtype=bool)


def run(W, starts, max_iter, stop=never):
    operator = W if hasattr(W, "squared_norm") else AffinityOperator(W)
    return multiplicative(operator, starts, max_iter=max_iter, stop=stop)


def labels_of(factorization):
    return [partition(V) for V in factorization.factors]


def random_starts(seed, n, n_clusters, n_members=3):
    return np.random.default_rng(seed).random((n_members, n, n_clusters))


@given(affinities(), CLUSTERS, SEED)
def test_the_objective_never_increases(W, n_clusters, seed):
    objective = run(W, random_starts(seed, len(W), n_clusters), 40).objective
    assert objective.shape == (41, 3)
    assert (np.diff(objective, axis=0) <= 1e-12 * objective[0]).all()


@given(st.integers(4, 25), CLUSTERS, SEED)
def test_the_objective_never_increases_on_a_co_association(n, n_clusters, seed):
    rng = np.random.default_rng(seed)
    operator = CoAssociation(rng.integers(0, 3, (5, n)), rng.dirichlet(np.ones(5)))
    objective = run(operator, random_starts(seed, n, n_clusters), 40).objective
    assert (np.diff(objective, axis=0) <= 1e-12 * objective[0]).all()


@given(affinities(), CLUSTERS, SEED)
def test_the_objective_is_the_squared_distance_to_the_affinity(W, n_clusters, seed):
    factorization = run(sp.csr_array(W), random_starts(seed, len(W), n_clusters), 5)
    for V, h in zip(factorization.factors, factorization.objective[-1], strict=True):
        assert h == pytest.approx(np.linalg.norm(W - V @ V.T) ** 2, abs=1e-10)


@given(affinities(), CLUSTERS, SEED)
def test_a_sweep_is_the_papers_formula_for_each_member(W, n_clusters, seed):
    starts = random_starts(seed, len(W), n_clusters)
    for V, updated in zip(starts, run(W, starts, 1).factors, strict=True):
        np.testing.assert_allclose(updated, V * (W @ V / (V @ V.T @ V + 2.2e-16)) ** 0.25, rtol=1e-10)


@given(st.integers(4, 20), CLUSTERS, SEED, st.sampled_from([-20, -7, 4, 18]), st.sampled_from([-12, -4, 5, 10]))
def test_scaling_the_affinity_or_the_start_changes_no_label(n, n_clusters, seed, w_power, v_power):
    W, starts = connected_affinity(seed, n), random_starts(seed, n, n_clusters)
    labels = labels_of(run(W, starts, 30))
    np.testing.assert_array_equal(labels_of(run(W * 2.0**w_power, starts, 30)), labels)
    np.testing.assert_array_equal(labels_of(run(W, starts * 2.0**v_power, 30)), labels)


@given(st.integers(4, 20), CLUSTERS, SEED)
def test_permuting_the_points_permutes_the_factors(n, n_clusters, seed):
    W, starts = connected_affinity(seed, n), random_starts(seed, n, n_clusters)
    order = np.random.default_rng(seed).permutation(n)
    permuted = run(W[np.ix_(order, order)], starts[:, order], 20).factors
    np.testing.assert_allclose(permuted, np.array(run(W, starts, 20).factors)[:, order], rtol=1e-9)


@given(st.integers(4, 20), SEED)
def test_members_do_not_influence_each_other(n, seed):
    W, starts = random_affinity(seed, n, 0.6), random_starts(seed, n, 3, n_members=4)
    together = run(W, starts, 15).factors
    for m in range(4):
        np.testing.assert_allclose(run(W, starts[[m]], 15).factors[0], together[m], rtol=1e-9, atol=1e-300)


def test_a_point_without_neighbours_vanishes_quietly():
    W = connected_affinity(0, 8)
    W[3] = W[:, 3] = 0.0
    factors = np.array(run(W, random_starts(0, 8, 2), 50).factors)
    assert (factors[:, 3] == 0).all()
    assert np.isfinite(factors).all()


def test_a_perfect_fit_stays():
    V = np.kron(np.eye(3), np.ones((4, 1)))
    factorization = run(V @ V.T, V[None], 10)
    np.testing.assert_allclose(factorization.factors[0], V)
    np.testing.assert_allclose(factorization.objective, 0, atol=1e-12)


def test_the_rule_ends_the_run_and_its_absence_is_reported():
    W, starts = connected_affinity(0, 10), random_starts(0, 10, 2)
    stopped = run(W, starts, 50, stop=lambda iterate: np.full(iterate.steps.size, iterate.sweep == 7))
    assert (stopped.n_iter, stopped.converged.all(), len(stopped.objective)) == (7, True, 8)
    unfinished = run(W, starts, 5)
    assert (unfinished.n_iter, unfinished.converged.any()) == (5, False)
