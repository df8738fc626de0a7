import dataclasses
import logging
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_info, threadpool_limits

from experiments.golden import AS_PUBLISHED
from graphs import connected_affinity
from literal import algorithm_1
from s3nmf import AUTHORS, TEXT, Conventions, DisconnectedGraphWarning, self_supervised_nmf
from s3nmf._threads import ALONE
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.ensemble import agreement
from s3nmf.ensemble.members import factorize_members
from s3nmf.metrics import accuracy
from s3nmf.operators import CoAssociation, collapsed_co_association
from s3nmf.partitions import by_decreasing_size, partition
from s3nmf.solvers.multiplicative import multiplicative

VARIANTS = pytest.mark.parametrize("weighting", ["learned", "uniform"])
RECONSTRUCTIONS = pytest.mark.parametrize("reconstruction", ["hard", "soft"])


def assert_same_as_literal(W, starts, weighting, reconstruction, **settings):
    result = self_supervised_nmf(
        sp.csr_array(W),
        starts.shape[-1],
        n_members=starts.shape[1],
        max_rounds=len(starts),
        starts=starts,
        weighting=weighting,
        reconstruction=reconstruction,
        tol=1e-3,
        conventions=TEXT,
        **{**AS_PUBLISHED, **settings},
    )
    history, levels = algorithm_1(W, starts, learned=weighting == "learned", soft=reconstruction == "soft", **settings)
    assert len(result.history) == len(history)
    for found, (labels, alpha), level in zip(result.history, history, levels, strict=True):
        np.testing.assert_array_equal(found.member_labels, [by_decreasing_size(member) for member in labels])
        if reconstruction == "hard" or found.number == 1:  # soft similarities are fitted down to rounding
            np.testing.assert_allclose(found.weights, alpha, rtol=1e-4, atol=1e-12)
        assert found.agreement == pytest.approx(level)
    assert result.chosen_round == int(np.argmax(np.round(levels, 9))) + 1


@VARIANTS
@RECONSTRUCTIONS
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_iris_is_clustered_as_by_the_literal_algorithms(iris_affinity, weighting, reconstruction):
    starts = np.random.default_rng(0).random((10, 20, 150, 3))
    assert_same_as_literal(iris_affinity.toarray(), starts, weighting, reconstruction)


@VARIANTS
@RECONSTRUCTIONS
@settings(max_examples=15)
@given(n=st.integers(8, 24), n_clusters=st.integers(2, 4), seed=st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_random_graphs_are_clustered_as_by_the_literal_algorithms(weighting, reconstruction, n, n_clusters, seed):
    W = connected_affinity(seed, n)
    W /= np.linalg.eigvalsh(W)[-1]
    starts = np.random.default_rng(seed).random((4, 5, n, n_clusters))
    assert_same_as_literal(W, starts, weighting, reconstruction, max_iter=60)


@settings(max_examples=15)
@given(st.integers(8, 24), st.integers(2, 4), st.integers(0, 10_000), st.sampled_from([1e-6, 0.01, 300.0, 1e8]))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_scaling_the_affinity_changes_no_label(n, n_clusters, seed, factor):
    W = connected_affinity(seed, n)
    one, other = (self_supervised_nmf(s * W, n_clusters, n_members=5, random_state=seed) for s in (1.0, factor))
    np.testing.assert_array_equal(one.member_labels, other.member_labels)
    np.testing.assert_array_equal(one.labels, other.labels)


@settings(max_examples=15)
@given(st.integers(8, 24), st.integers(2, 4), st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_permuting_the_points_permutes_the_labels(n, n_clusters, seed):
    rng = np.random.default_rng(seed)
    W, starts, order = connected_affinity(seed, n), rng.random((3, 5, n, n_clusters)), rng.permutation(n)
    settings = {"n_members": 5, "max_rounds": 3, "max_iter": 60, "dtype": "float64"}
    one = self_supervised_nmf(W, n_clusters, starts=starts, **settings)
    other = self_supervised_nmf(W[np.ix_(order, order)], n_clusters, starts=starts[:, :, order], **settings)
    for before, after in zip(one.member_labels, other.member_labels, strict=True):
        np.testing.assert_array_equal(by_decreasing_size(before[order]), after)
    np.testing.assert_allclose(one.confidence[order], other.confidence)


@pytest.mark.parametrize("conventions", [TEXT, AUTHORS])
def test_collapsed_rounds_are_literal_rounds_from_equal_starts_for_equal_tuples(blobs_affinity, conventions):
    """The collapse ties starts together and changes nothing else: sweeps, objective, weights and labels stay."""
    collapsed = self_supervised_nmf(
        blobs_affinity,
        6,
        n_members=6,
        tol=1e-3,
        trials=1,
        random_state=2,
        conventions=conventions,
        **{**AS_PUBLISHED, "collapse": True},
    )
    first = collapsed.history[0]
    rows, row_of = collapsed_co_association(first.member_labels, first.weights)
    entropy = int(np.random.RandomState(2).randint(np.iinfo(np.int32).max))
    tied = np.array([np.random.default_rng((entropy, 2, member)).random((rows.shape[0], 6)) for member in range(6)])
    literal, weights = factorize_members(
        CoAssociation(first.member_labels, first.weights),
        tied[:, row_of],
        solver=multiplicative,
        tau=2.0,
        weighting="learned",
        max_iter=500,
        tol=1e-3,
        conventions=conventions,
        threads=ALONE,
    )
    second = collapsed.history[1]
    assert second.n_iter == literal.n_iter
    np.testing.assert_allclose(second.objective, literal.objective, rtol=1e-6)
    np.testing.assert_allclose(second.weights, weights, rtol=1e-4)
    np.testing.assert_array_equal(second.member_labels, [by_decreasing_size(partition(V)) for V in literal.factors])


def test_without_collapse_points_with_equal_labels_may_part(blobs_affinity):
    literal = self_supervised_nmf(blobs_affinity, 6, random_state=0, collapse=False, max_rounds=2, max_iter=3)
    collapsed = self_supervised_nmf(blobs_affinity, 6, random_state=0, max_rounds=2, max_iter=3)
    np.testing.assert_array_equal(literal.history[0].member_labels, collapsed.history[0].member_labels)
    both = [
        len(np.unique(np.concatenate([run.history[0].member_labels, run.history[1].member_labels]), axis=1).T)
        for run in (collapsed, literal)
    ]
    tuples = len(np.unique(collapsed.history[0].member_labels, axis=1).T)
    assert both[0] == tuples < both[1]


@pytest.fixture(scope="module")
def blobs_affinity():
    X, _ = make_blobs(300, centers=6, cluster_std=2.5, random_state=0)
    return nearest_neighbor_affinity(X)


def test_the_same_seed_gives_the_same_labels_on_one_and_on_two_threads(blobs_affinity):
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(self_supervised_nmf(blobs_affinity, 6, random_state=3))
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
    np.testing.assert_array_equal(found[0].history[0].objective, found[1].history[0].objective)


def assert_same_fit(one, other):
    np.testing.assert_array_equal(one.labels, other.labels)
    for before, after in zip(one.history, other.history, strict=True):
        np.testing.assert_array_equal(before.member_labels, after.member_labels)
        np.testing.assert_array_equal(before.objective, after.objective)
        np.testing.assert_array_equal(before.weights, after.weights)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_workers_and_backends_change_no_bit(blobs_affinity, backend):
    alone = self_supervised_nmf(blobs_affinity, 6, random_state=3, max_rounds=3)
    for n_jobs in (2, 3):
        with parallel_config(backend=backend):
            split = self_supervised_nmf(blobs_affinity, 6, random_state=3, max_rounds=3, n_jobs=n_jobs)
        assert_same_fit(alone, split)


@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same(blobs_affinity):
    distributed = pytest.importorskip("distributed")
    alone = self_supervised_nmf(blobs_affinity, 6, random_state=3, max_rounds=2)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster),
        parallel_config(backend="dask", wait_for_workers_timeout=60),
    ):
        split = self_supervised_nmf(blobs_affinity, 6, random_state=3, max_rounds=2, n_jobs=2)
    assert_same_fit(alone, split)


def test_trying_more_starts_leaves_the_first_round_and_improves_the_fit_of_later_ones(blobs_affinity):
    means = []
    for seed in range(4):
        one, four = (
            self_supervised_nmf(blobs_affinity, 6, random_state=seed, max_rounds=2, trials=trials) for trials in (1, 4)
        )
        np.testing.assert_array_equal(one.history[0].member_labels, four.history[0].member_labels)
        means.append([run.history[1].objective[-1].mean() for run in (one, four)])
    assert (np.diff(means, axis=1) <= 1e-6).all()
    assert np.mean(means, axis=0)[1] < 0.95 * np.mean(means, axis=0)[0]


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_order_of_rows_in_memory_is_not_that_of_the_labels(monkeypatch):
    monkeypatch.setattr("s3nmf.operators._WORTH_REORDERING", 1)
    X, y = make_blobs(200, centers=4, cluster_std=0.5, random_state=0)
    result = self_supervised_nmf(nearest_neighbor_affinity(X, n_neighbors=20), 4, random_state=0)
    assert accuracy(y, result.labels) == 1.0


def test_dense_and_sparse_affinities_give_the_same_labels(blobs_affinity):
    sparse = self_supervised_nmf(blobs_affinity, 6, random_state=3)
    dense = self_supervised_nmf(blobs_affinity.toarray(), 6, random_state=3)
    np.testing.assert_array_equal(sparse.labels, dense.labels)


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_rounds_end_at_the_first_drop_and_the_best_one_is_returned(blobs_affinity):
    ends = set()
    for seed in range(8):
        result = self_supervised_nmf(blobs_affinity, 6, n_members=3, random_state=seed)
        levels = result.agreement
        assert (np.diff(levels[:-1]) >= 0).all()
        assert result.chosen_round == np.argmax(levels) + 1
        ends.add("full" if levels[-1] == 1.0 else "drop" if levels[-1] < levels[-2] else "limit")
    assert {"full", "drop"} <= ends


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_rounds_that_never_stop_begin_as_those_that_do(blobs_affinity):
    stopped = self_supervised_nmf(blobs_affinity, 6, n_members=3, random_state=0, conventions=TEXT)
    conventions = dataclasses.replace(TEXT, outer_stop="never")
    endless = self_supervised_nmf(blobs_affinity, 6, n_members=3, random_state=0, conventions=conventions)
    assert len(stopped.history) < len(endless.history) == 10
    for found, same in zip(endless.history, stopped.history, strict=False):
        np.testing.assert_array_equal(found.member_labels, same.member_labels)


def test_no_more_rounds_than_allowed(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6, max_rounds=1, random_state=0)
    assert len(result.history) == result.chosen_round == 1


def test_the_partition_is_that_of_the_heaviest_member_of_the_chosen_round(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6, random_state=1)
    chosen = result.history[result.chosen_round - 1]
    np.testing.assert_array_equal(result.labels, chosen.member_labels[np.argmax(chosen.weights)])
    np.testing.assert_array_equal(result.member_labels, chosen.member_labels)
    np.testing.assert_array_equal(result.weights, chosen.weights)
    assert result.weights.sum() == pytest.approx(1)
    assert result.weights.std() > 0
    assert chosen.agreement == agreement(result.member_labels)


def test_uniform_weights_are_uniform(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6, weighting="uniform", random_state=0)
    np.testing.assert_allclose(result.weights, 1 / 20)


def test_the_result_is_frozen_and_keeps_the_history(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6, random_state=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.labels = None
    assert result == result  # noqa: PLR0124
    assert not np.shares_memory(result.labels, result.member_labels)
    assert [found.number for found in result.history] == list(range(1, len(result.history) + 1))
    assert result.timings.shape == result.agreement.shape == (len(result.history),)
    assert (result.timings > 0).all()
    for found in result.history:
        assert found.member_labels.shape == (20, 300)
        assert found.objective.shape == (found.n_iter + 1, 20)
        assert found.converged == (found.n_iter < 250)


def test_the_authors_stop_runs_301_sweeps_and_the_texts_stops_when_nothing_moves(blobs_affinity):
    authors = self_supervised_nmf(blobs_affinity, 6, conventions=AUTHORS, random_state=0, max_rounds=1, max_iter=500)
    assert authors.history[0].n_iter >= 301
    loose = self_supervised_nmf(blobs_affinity, 6, conventions=TEXT, random_state=0, max_rounds=1, tol=0.05)
    tight = self_supervised_nmf(blobs_affinity, 6, conventions=TEXT, random_state=0, max_rounds=1, tol=0.005)
    assert loose.history[0].n_iter < tight.history[0].n_iter < 301


@pytest.mark.parametrize("tau", [1.5, 2.0, 4.0])
def test_the_authors_stop_waits_for_the_weighted_objective(blobs_affinity, tau):
    tol = 1e-5
    result = self_supervised_nmf(
        blobs_affinity,
        6,
        tau=tau,
        tol=tol,
        max_iter=2000,
        max_rounds=1,
        random_state=0,
        conventions=Conventions(inner_stop="authors"),
    )
    h = result.history[0].objective
    alpha = h ** (1 / (1 - tau)) / np.sum(h ** (1 / (1 - tau)), axis=1, keepdims=True)
    steps = np.abs(np.diff(np.sum(alpha**tau * h, axis=1)))
    assert result.history[0].n_iter < 2000
    assert result.history[0].n_iter == 1 + np.flatnonzero((np.arange(len(steps)) >= 300) & (steps < tol))[0]


def test_spectral_and_frobenius_weights_differ_a_little(blobs_affinity):
    runs = [
        self_supervised_nmf(
            blobs_affinity, 6, conventions=Conventions(residual_norm=norm), random_state=0, max_rounds=1, max_iter=20
        )
        for norm in ("frobenius", "spectral")
    ]
    np.testing.assert_array_equal(runs[0].member_labels, runs[1].member_labels)
    difference = np.abs(runs[0].weights - runs[1].weights).max()
    assert 1e-6 < difference < 0.05


def test_conventions_change_the_agreement(blobs_affinity):
    levels = [
        self_supervised_nmf(
            blobs_affinity, 6, conventions=conventions, random_state=0, max_rounds=1, max_iter=20
        ).agreement[0]
        for conventions in (TEXT, Conventions(nmi_average="max"), Conventions(pairs="all"))
    ]
    assert levels[1] < levels[0] < levels[2]


def test_kuang_starts_change_the_scale_and_not_the_first_labels(blobs_affinity):
    runs = [
        self_supervised_nmf(blobs_affinity, 6, starts=starts, random_state=0, max_rounds=1, tol=0, max_iter=25)
        for starts in ("uniform", "kuang")
    ]
    np.testing.assert_array_equal(runs[0].member_labels, runs[1].member_labels)
    assert runs[0].history[0].objective[0, 0] > 10 * runs[1].history[0].objective[0, 0]


def test_one_member_is_one_factorization(blobs_affinity):
    result = self_supervised_nmf(blobs_affinity, 6, n_members=1, random_state=0)
    assert result.agreement.tolist() == [1.0]
    np.testing.assert_allclose(result.confidence, 1.0)


def test_rounds_are_logged(blobs_affinity, caplog):
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        result = self_supervised_nmf(blobs_affinity, 6, random_state=0)
    assert len(caplog.records) == len(result.history)
    assert f"round 1: agreement {result.agreement[0]:.4f}" in caplog.text


@pytest.mark.parametrize("form", [{}, {"collapse": False}, {"reconstruction": "soft"}])
def test_nothing_n_by_n_is_allocated(form):
    """8000 points: a dense similarity has 512 MB, all members' factors 1.3 MB each."""
    n = 8000
    ring = sp.diags_array([np.ones(n - 1), np.ones(n - 1), [1.0], [1.0]], offsets=[1, -1, n - 1, 1 - n], format="csr")
    tracemalloc.start()
    self_supervised_nmf(ring, 2, n_members=5, max_rounds=3, max_iter=3, random_state=0, **form)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6


def test_a_disconnected_graph_is_clustered_with_a_warning():
    W = np.kron(np.eye(3), connected_affinity(0, 8))
    with pytest.warns(DisconnectedGraphWarning, match="3 components, of 8, 8, 8 points"):
        result = self_supervised_nmf(W, 3, random_state=0)
    assert accuracy(np.repeat([0, 1, 2], 8), result.labels) == 1.0


def test_given_starts_and_the_objective_are_in_the_units_of_the_affinity():
    W = 40 * connected_affinity(0, 20)
    starts = np.random.default_rng(0).random((2, 3, 20, 2))
    before = starts.copy()
    result = self_supervised_nmf(W, 2, n_members=3, max_rounds=2, starts=starts, random_state=0)
    expected = [np.linalg.norm(W - V @ V.T) ** 2 for V in starts[0]]
    np.testing.assert_allclose(result.history[0].objective[0], expected)
    np.testing.assert_array_equal(starts, before)


def test_perfect_fits_weigh_the_same():
    """Rounding must not pick a winner among members that all fit perfectly."""
    cliques = np.kron(np.eye(3), np.ones((60, 60)))
    starts = np.random.default_rng(0).uniform(1, 1.01, (1, 6, 3, 3)) * np.eye(3)
    starts = np.repeat(starts, 60, axis=2)
    with pytest.warns(DisconnectedGraphWarning):
        result = self_supervised_nmf(cliques, 3, n_members=6, max_rounds=1, starts=starts, tol=1e-12)
    np.testing.assert_allclose(result.weights, 1 / 6)


@pytest.mark.parametrize("field", ["residual_norm", "inner_stop", "outer_stop", "nmi_average", "pairs"])
def test_a_convention_that_does_not_exist_is_refused(field):
    with pytest.raises(ValueError, match=rf"{field}='author' must be one of '\w+', '\w+'"):
        Conventions(**{field: "author"})
    with pytest.raises(ValueError, match="'conventions' parameter"):
        self_supervised_nmf(connected_affinity(0, 8), 2, conventions="authors")


def test_fits_in_several_python_threads_leave_the_thread_pools_as_they_were(blobs_affinity):
    def threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    before = threads()
    with ThreadPoolExecutor(3) as executor:
        found = list(
            executor.map(
                lambda max_iter: self_supervised_nmf(
                    blobs_affinity, 6, random_state=3, max_rounds=1, max_iter=max_iter
                ),
                [5, 200, 50],
            )
        )
    assert threads() == before
    again = self_supervised_nmf(blobs_affinity, 6, random_state=3, max_rounds=1, max_iter=200)
    np.testing.assert_array_equal(found[1].history[0].objective, again.history[0].objective)
