import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import connected_affinity
from s3nmf import EmptyClusterWarning
from s3nmf.partitions import by_decreasing_size, partition
from s3nmf.solvers.symmetric_nmf import symmetric_nmf


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@given(st.integers(5, 25), st.integers(1, 4), st.integers(0, 1000), st.sampled_from([1e-6, 1e-3, 1.0, 40.0, 1e7]))
def test_the_scale_of_the_affinity_changes_the_factor_and_no_label(n, n_clusters, seed, factor):
    W = connected_affinity(seed, n)
    one, other = (symmetric_nmf(scale * W, n_clusters, random_state=seed) for scale in (1.0, factor))
    assert other.n_iter == one.n_iter
    np.testing.assert_array_equal(other.labels, one.labels)
    np.testing.assert_allclose(other.factor, np.sqrt(factor) * one.factor, rtol=1e-6)
    np.testing.assert_allclose(other.objective, factor**2 * one.objective, rtol=1e-6)


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@given(st.integers(5, 25), st.integers(1, 4), st.integers(0, 1000))
def test_labels_objective_and_factor_belong_together(n, n_clusters, seed):
    W = connected_affinity(seed, n)
    result = symmetric_nmf(W, n_clusters, random_state=seed)
    np.testing.assert_array_equal(result.labels, by_decreasing_size(result.labels))
    np.testing.assert_array_equal(result.labels, partition(result.factor))
    assert result.objective[-1] == pytest.approx(np.linalg.norm(W - result.factor @ result.factor.T) ** 2)
    assert len(result.objective) == result.n_iter + 1


def test_it_stops_when_no_entry_moves_by_tol():
    W = connected_affinity(0, 20) / np.linalg.eigvalsh(connected_affinity(0, 20))[-1]
    start = np.random.default_rng(0).random((20, 2))
    result = symmetric_nmf(W, 2, starts=start, tol=1e-3)
    assert result.converged
    V = [start]
    while len(V) <= result.n_iter:
        V.append(V[-1] * (W @ V[-1] / (V[-1] @ V[-1].T @ V[-1])) ** 0.25)
    steps = [np.abs(after - before).max() for before, after in itertools.pairwise(V)]
    assert steps[-1] < 1e-3 <= min(steps[:-1])


def test_not_converging_is_reported():
    result = symmetric_nmf(connected_affinity(0, 20), 2, random_state=0, max_iter=3)
    assert (result.n_iter, result.converged) == (3, False)


@pytest.mark.parametrize("factor", [1e-4, 1.0, 40.0])
def test_a_run_goes_on_from_its_factor_where_it_ended(factor):
    W = factor * connected_affinity(0, 40)
    first = symmetric_nmf(W, 3, random_state=0)
    second = symmetric_nmf(W, 3, starts=first.factor)
    assert second.objective[0] == pytest.approx(first.objective[-1])
    assert second.n_iter == 1


def test_an_empty_cluster_is_reported():
    with pytest.warns(EmptyClusterWarning, match="Only 1 of the n_clusters=3"):
        symmetric_nmf(connected_affinity(0, 12), 3, starts=np.ones((12, 3)))
