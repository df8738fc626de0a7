import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from ensembles import planted_ensemble
from graphs import member_partitions
from s3nmf import EmptyClusterWarning
from s3nmf.baselines.consensus import spectral_ensemble
from s3nmf.baselines.consensus.pool import check_partitions
from s3nmf.metrics import accuracy
from s3nmf.partitions import by_decreasing_size


def one_hot_of(partitions):
    return np.hstack([np.eye(labels.max() + 1)[labels] for labels in check_partitions(partitions)])


def k_means_objective(B, labels):
    """sum_i w_i ||b_i / w_i - m_i||^2 with weighted means, point by point."""
    w = (B @ B.T).sum(axis=1)
    points = B / w[:, None]
    total = 0.0
    for k in np.unique(labels):
        own = labels == k
        mean = np.average(points[own], axis=0, weights=w[own])
        total += float(w[own] @ np.sum((points[own] - mean) ** 2, axis=1))
    return total


def cut_objective(B, labels):
    """sum_i w_i ||b_i / w_i||^2 - tr(Z' D^-1/2 S D^-1/2 Z), from the matrix S."""
    S = B @ B.T
    w = S.sum(axis=1)
    Z = np.sqrt(w)[:, None] * np.eye(labels.max() + 1)[labels]
    Z /= np.linalg.norm(Z, axis=0)
    cut = np.trace(Z.T @ np.diag(w**-0.5) @ S @ np.diag(w**-0.5) @ Z)
    return float(w @ np.sum((B / w[:, None]) ** 2, axis=1) - cut)


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@given(member_partitions(), st.integers(1, 4), st.integers(0, 1000))
def test_its_objective_is_that_of_weighted_k_means_and_of_the_normalised_cut(partitions, n_clusters, seed):
    n_clusters = min(n_clusters, partitions.shape[1])
    B = one_hot_of(partitions)
    result = spectral_ensemble(partitions, n_clusters, random_state=seed)
    assert result.objective == pytest.approx(k_means_objective(B, result.labels), abs=1e-10)
    assert result.objective == pytest.approx(cut_objective(B, result.labels), abs=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_it_finds_the_best_of_all_partitions_of_few_points(seed):
    partitions = np.random.default_rng(seed).integers(0, 3, (4, 9))
    B = one_hot_of(partitions)
    halves = (np.array([0, *half]) for half in itertools.product([0, 1], repeat=8))
    best = min(cut_objective(B, by_decreasing_size(half)) for half in halves if half.any())
    assert spectral_ensemble(partitions, 2, n_init=30, random_state=0).objective == pytest.approx(best)


@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
def test_a_planted_partition_is_recovered(noise):
    truth, partitions = planted_ensemble(0, 400, 4, noise=noise)
    result = spectral_ensemble(partitions, 4, random_state=0)
    assert accuracy(truth, result.labels) > 0.99
    assert max(accuracy(truth, labels) for labels in partitions) < 0.99 or noise == 0.0
    np.testing.assert_array_equal(result.partitions, check_partitions(partitions))


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@given(member_partitions(), st.integers(1, 5))
def test_points_that_no_partition_tells_apart_stay_together(partitions, n_clusters):
    doubled = partitions.repeat(2, axis=1)
    labels = spectral_ensemble(doubled, min(n_clusters, doubled.shape[1]), random_state=0).labels
    np.testing.assert_array_equal(labels[::2], labels[1::2])
    np.testing.assert_array_equal(labels, by_decreasing_size(labels))


def test_one_start_of_k_means_is_worse_than_the_best_of_many():
    _, partitions = planted_ensemble(0, 300, 8, noise=0.7)
    one, many = (
        np.mean([spectral_ensemble(partitions, 8, n_init=n_init, random_state=seed).objective for seed in range(5)])
        for n_init in (1, 10)
    )
    assert many < one


def test_fewer_different_points_than_clusters_are_reported():
    with pytest.warns(EmptyClusterWarning, match="Only 2 of the n_clusters=3.*give more partitions"):
        result = spectral_ensemble([[0, 0, 1, 1]], 3)
    assert result.labels.tolist() == [0, 0, 1, 1]
    assert result.objective == pytest.approx(0.0, abs=1e-12)


def test_one_cluster_and_as_many_clusters_as_points():
    _, partitions = planted_ensemble(1, 12, 4, noise=0.8)
    assert not spectral_ensemble(partitions, 1).labels.any()
    assert sorted(spectral_ensemble(partitions, 12, random_state=0).labels) == list(range(12))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 5}, "n_clusters=5 is more than n_samples=4"),
        ({"n_clusters": 0}, "'n_clusters' parameter of spectral_ensemble must be"),
        ({"n_init": 0}, "'n_init' parameter of spectral_ensemble must be"),
    ],
)
def test_what_cannot_be_done_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        spectral_ensemble([[0, 0, 1, 1]], **{"n_clusters": 2, **parameters})


def test_fifty_thousand_points_take_seconds_and_threads_change_nothing():
    truth, partitions = planted_ensemble(0, 50_000, 10, noise=0.1)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(spectral_ensemble(partitions, 10, random_state=0))
    assert accuracy(truth, found[0].labels) > 0.99
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
    assert found[0].objective == found[1].objective
