import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag

from graphs import affinities, connected_affinity, random_affinity
from s3nmf._threads import team
from s3nmf.graph.operators import AffinityOperator, CoAssociation, local_affinity
from s3nmf.partitions import partition
from s3nmf.solvers.multiplicative import multiplicative, square_root

CLUSTERS = st.integers(1, 4)
SEED = st.integers(0, 10_000)
UPDATES = pytest.mark.parametrize(("solver", "exponent"), [(multiplicative, 1 / 4), (square_root, 1 / 2)])


def never(iterate):
    return np.zeros(iterate.steps.size, dtype=bool)


def run(W, starts, max_iter, stop=never, solver=multiplicative):
    operator = W if hasattr(W, "squared_norm") else AffinityOperator(W)
    return solver(operator, starts, max_iter=max_iter, stop=stop)


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


@UPDATES
@given(W=affinities(), n_clusters=CLUSTERS, seed=SEED)
def test_a_sweep_is_the_papers_formula_for_each_member(solver, exponent, W, n_clusters, seed):
    starts = random_starts(seed, len(W), n_clusters)
    for V, updated in zip(starts, run(W, starts, 1, solver=solver).factors, strict=True):
        np.testing.assert_allclose(updated, V * (W @ V / (V @ V.T @ V + 2.2e-16)) ** exponent, rtol=1e-10)


def test_the_square_root_goes_as_far_in_half_the_sweeps(iris_affinity):
    starts = random_starts(0, 150, 3, 8)
    slow, fast = run(iris_affinity, starts, 2000), run(iris_affinity, starts, 150, solver=square_root)
    end = slow.objective[-1]
    np.testing.assert_allclose(fast.objective[50::50] - end, slow.objective[100:301:100] - end, rtol=0.2)


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


# Several blocks of rows, the loop over members and the one over clusters, and a last block that is not full.
SHAPES = pytest.mark.parametrize(("n", "n_clusters", "n_members"), [(700, 3, 5), (2100, 40, 4), (1100, 5, 2)])


def large(n, seed=0):
    graph = sp.random_array((n, n), density=12 / n, rng=np.random.default_rng(seed))
    return sp.csr_array(graph + graph.T)


@SHAPES
@UPDATES
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sweeps_over_many_blocks_are_the_papers_formula(n, n_clusters, n_members, *, dtype, solver, exponent):
    W, starts = large(n), random_starts(0, n, n_clusters, n_members)
    found = run(AffinityOperator(W, precision=dtype), starts, 3, solver=solver)
    for V, updated, h in zip(starts, found.factors, found.objective[-1], strict=True):
        for _ in range(3):
            V = V * (W @ V / (V @ (V.T @ V) + 2.2e-16)) ** exponent  # noqa: PLW2901
        precision = 1e-4 if dtype == "float32" else 1e-10
        assert updated.dtype == dtype
        np.testing.assert_allclose(updated, V, rtol=precision, atol=precision)
        assert h == pytest.approx(np.linalg.norm(W.toarray() - V @ V.T) ** 2, rel=precision)


@SHAPES
def test_threads_change_no_bit(n, n_clusters, n_members):
    operator, starts = AffinityOperator(large(n), precision="float32"), random_starts(0, n, n_clusters, n_members)
    runs = []
    for n_threads in (1, 2, 5):
        with team(n_threads) as threads:
            runs.append(multiplicative(operator, starts, max_iter=4, stop=never, team=threads))
    for other in runs[1:]:
        np.testing.assert_array_equal(other.factors, runs[0].factors)
        np.testing.assert_array_equal(other.objective, runs[0].objective)


def test_the_members_beside_a_member_change_no_bit_of_it():
    operator, starts = AffinityOperator(large(700), precision="float32"), random_starts(0, 700, 7, 13)
    together = run(operator, starts, 6)
    for part in (slice(0, 4), slice(3, 12)):
        alone = run(operator, starts[part], 6)
        np.testing.assert_array_equal(alone.factors, together.factors[part])
        np.testing.assert_array_equal(alone.objective, together.objective[:, part])


def test_a_member_that_stops_keeps_its_factor_and_the_others_go_on():
    W, starts = AffinityOperator(large(300), precision="float32"), random_starts(0, 300, 3, 6)
    limits = np.array([3, 8, 3, 8, 5, 8])
    waiting = list(range(6))

    def stop(iterate):
        stopped = limits[waiting] == iterate.sweep
        waiting[:] = [member for member, left in zip(waiting, stopped, strict=True) if not left]
        return stopped

    found = run(W, starts, 20, stop)
    assert found.sweeps.tolist() == limits.tolist()
    assert found.converged.all()
    for member, limit in enumerate(limits):
        straight = run(W, starts, int(limit))
        np.testing.assert_array_equal(found.factors[member], straight.factors[member])
        np.testing.assert_array_equal(found.objective[: limit + 1, member], straight.objective[:, member])
        assert (found.objective[limit:, member] == found.objective[limit, member]).all()


def test_entries_that_die_out_are_zero_and_never_denormal():
    W = sp.csr_array(block_diag(*(connected_affinity(seed, 20) for seed in range(3))))
    found = run(AffinityOperator(W, precision="float32"), random_starts(0, 60, 3, 4), 3000)
    factors = np.array(found.factors)
    assert (factors == 0).any()
    assert factors[factors > 0].min() > 1e-12


def test_the_rows_that_share_a_cache_are_those_of_neighbours(monkeypatch):
    monkeypatch.setattr("s3nmf.graph.operators._WORTH_REORDERING", 1)
    ring = sp.diags_array([1.0, 1.0, 1.0, 1.0], offsets=[-199, -1, 1, 199], shape=(200, 200), format="csr")
    order = np.random.default_rng(0).permutation(200)
    W = sp.csr_array(ring)[order][:, order]
    operator, row_of = local_affinity(W)
    V = np.random.default_rng(1).random((200, 3))
    np.testing.assert_allclose((operator @ V)[row_of], W @ V[row_of])
    rows, columns = operator.rows.nonzero()
    assert np.abs(rows - columns).max() <= 4
