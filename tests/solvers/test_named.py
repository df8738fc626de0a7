"""What every solver does, whatever it is called."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from graphs import affinities, member_partitions
from s3nmf import S3NMF, Recipe, SymNMF, symmetric_nmf
from s3nmf._threads import team
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.operators import AffinityOperator, CoAssociation, SoftCoAssociation, collapsed_co_association
from s3nmf.metrics import accuracy
from s3nmf.solvers.base import StepBelow, clusters_of
from s3nmf.solvers.declared import declared
from s3nmf.solvers.named import SOLVERS
from s3nmf.solvers.starts import RandomStarts

EVERY = pytest.mark.parametrize("name", SOLVERS)
MONOTONE = pytest.mark.parametrize("name", [name for name in SOLVERS if declared(name).monotone])
QUIET = pytest.mark.filterwarnings(
    "ignore::s3nmf.DisconnectedGraphWarning",
    "ignore::s3nmf.EmptyClusterWarning",
    "ignore::sklearn.exceptions.ConvergenceWarning",
)


@MONOTONE
@settings(max_examples=25)
@given(affinities(), st.integers(1, 4), st.integers(0, 1000), st.booleans())
def test_the_objective_never_increases(name, W, n_clusters, seed, sparse):
    starts = np.random.default_rng(seed).random((3, len(W), n_clusters))
    operator = AffinityOperator(sp.csr_array(W) if sparse else W)
    objective = SOLVERS[name](operator, starts, max_iter=20, stop=StepBelow(0.0)).objective
    assert (np.diff(objective, axis=0) <= 1e-10 * objective[0]).all()


@EVERY
@settings(max_examples=15)
@given(member_partitions(), st.integers(0, 1000), st.integers(1, 3), st.sampled_from(["full", "collapsed", "soft"]))
def test_a_similarity_that_is_never_formed_is_factorized_like_the_matrix(name, member_labels, seed, n_clusters, kind):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(len(member_labels)))
    if kind == "full":
        operator = CoAssociation(member_labels, weights)
    elif kind == "collapsed":
        operator, _ = collapsed_co_association(member_labels, weights)
    else:
        operator = SoftCoAssociation(rng.random((member_labels.shape[1], 2 * weights.size)), np.repeat(weights, 2))
    n = operator.shape[0]
    dense = AffinityOperator(operator @ np.eye(n), operator.multiplicity)
    starts = rng.random((2, n, n_clusters))
    nearby = starts * (1 + 1e-13 * rng.choice([-1, 1], size=starts.shape))
    found, wanted, other = (
        SOLVERS[name](S, start, max_iter=3, stop=StepBelow(0.0))
        for S, start in ((operator, starts), (dense, starts), (dense, nearby))
    )
    # A root of a cubic that is nearly triple takes the third root of a rounding error: then nothing can be compared.
    assume(np.allclose(other.objective, wanted.objective, rtol=1e-9, atol=1e-11))
    np.testing.assert_allclose(found.objective, wanted.objective, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.residuals, wanted.residuals, rtol=1e-6, atol=1e-8)


@EVERY
def test_neither_threads_nor_the_members_beside_it_change_a_bit(name, iris_affinity):
    operator = AffinityOperator(iris_affinity)
    starts = RandomStarts((0, 1), range(8), 3, np.ones(150))

    def factors(starts, n_threads):
        with team(n_threads) as threads:
            threads.run = lambda task, n_blocks, work, run=threads.run: run(task, n_blocks, 1e9)
            return SOLVERS[name](operator, starts, max_iter=40, stop=StepBelow(2e-2), team=threads).factors

    everyone = factors(starts, 1)
    np.testing.assert_array_equal(factors(starts, 2), everyone)
    np.testing.assert_array_equal(factors(starts, 3), everyone)
    np.testing.assert_array_equal(factors(starts[4:], 2), everyone[4:])
    if name not in {"multiplicative", "square_root"}:  # which take fewer than four members in another layout, by BLAS
        np.testing.assert_array_equal(factors(starts[4:5], 1), everyone[4:5])


@EVERY
def test_members_stop_by_themselves_and_report_it(name, iris_affinity):
    starts = RandomStarts((0, 1), range(5), 3, np.ones(150))
    run = SOLVERS[name](AffinityOperator(iris_affinity), starts, max_iter=60, stop=StepBelow(1e-2))
    assert run.objective.shape == (run.n_iter + 1, 5)
    assert (run.converged == (run.sweeps < 60)).all()
    for V, residual in zip(run.factors, run.residuals, strict=True):
        assert residual == pytest.approx(np.linalg.norm(iris_affinity.toarray() - V @ V.T) ** 2)
    never = SOLVERS[name](AffinityOperator(iris_affinity), starts, max_iter=2, stop=StepBelow(0.0))
    assert not never.converged.any()
    assert never.sweeps.tolist() == [2] * 5


@EVERY
def test_blobs_are_found(name):
    X, y = make_blobs(100, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)
    W = nearest_neighbor_affinity(X).toarray() + 1e-3
    starts = RandomStarts((0, 1), range(8), 4, np.ones(100))
    operator = AffinityOperator(W)
    run = SOLVERS[name](operator, starts, max_iter=100, stop=StepBelow(1e-5))
    assert accuracy(y, clusters_of(operator, run.factors[np.argmin(run.residuals)])) > 0.95


@QUIET
@EVERY
@pytest.mark.parametrize("n_clusters", [1, 3, 12])
def test_odd_graphs_are_survived(name, n_clusters):
    """Two components, an isolated point and duplicates; one cluster, and as many as points."""
    W = np.zeros((12, 12))
    W[:5, :5] = W[5:11, 5:11] = 1.0
    W[3, :] = W[2, :]
    W[:, 3] = W[:, 2]
    np.fill_diagonal(W, 0.0)
    result = symmetric_nmf(sp.csr_array(W), n_clusters, solver=name, max_iter=50, random_state=0)
    assert np.isfinite(result.factor).all()
    assert np.isfinite(result.objective).all()
    assert result.labels.max() < n_clusters


@QUIET
@pytest.mark.parametrize("name", [name for name in SOLVERS if not declared(name).dense])
def test_fifty_thousand_points_are_no_trouble(name):
    """Five hundred cliques of a hundred, each tied to the next."""
    n, size = 50_000, 100
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(n), 6)
    columns = (rows // size) * size + rng.integers(0, size, rows.size)
    A = sp.coo_array((np.ones(rows.size), (rows, columns)), shape=(n, n)).tocsr()
    A = A + A.T
    A.setdiag(0)
    A.eliminate_zeros()
    model = SymNMF(5, solver=name, affinity="precomputed", max_iter=2, random_state=0).fit(A)
    assert model.labels_.shape == (n,)
    assert model.objective_[-1] < model.objective_[0]


def test_rows_of_zeros_go_where_their_neighbours_pull_them():
    W = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    V = np.array([[0.2, 0.9], [0.0, 0.0], [0.0, 0.0]])
    assert clusters_of(AffinityOperator(W), V).tolist() == [1, 1, 0]


@QUIET
@EVERY
@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_every_solver_can_be_the_base_of_s3nmf(name, members):
    X, y = make_blobs(90, centers=3, cluster_std=1.5, random_state=4)
    settings = {"members": members, "recipe": Recipe(solver=name, max_iter=100), "n_members": 8, "random_state": 0}
    model = S3NMF(3, **settings).fit(X)
    assert accuracy(y, model.labels_) > 0.8
    np.testing.assert_array_equal(S3NMF(3, n_jobs=2, **settings).fit(X).labels_, model.labels_)


@QUIET
def test_a_function_can_be_the_solver(iris_affinity):
    by_name = symmetric_nmf(iris_affinity, 3, solver="hals", random_state=0)
    by_function = symmetric_nmf(iris_affinity, 3, solver=SOLVERS["hals"], random_state=0)
    np.testing.assert_array_equal(by_function.factor, by_name.factor)


# The others are looked at as methods of the paper, in tests/test_catalogue.py.
SEEDS_ROWS = {
    "newton": ({"max_iter": 60, "starts": "kuang"}, 0.668, 0.086),
    "greedy": ({"graph_regularization": 0.1, "tol": 0}, 0.709, 0.117),
}


@QUIET
@pytest.mark.parametrize("name", SEEDS_ROWS)
def test_on_seeds_it_is_within_a_deviation_of_the_published_row(name, seeds):
    """Mean accuracy over twenty seeds; for Newton's method, of which the paper has no row, of a measured one."""
    X, y = seeds
    W = nearest_neighbor_affinity(X)
    settings, published, deviation = SEEDS_ROWS[name]
    found = [accuracy(y, symmetric_nmf(W, 3, solver=name, random_state=s, **settings).labels) for s in range(20)]
    assert abs(np.mean(found) - published) < deviation
