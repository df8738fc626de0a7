import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from s3nmf import EmptyClusterWarning
from s3nmf.baselines.spectral.k_means import cluster_rows


@pytest.fixture(scope="module")
def rows():
    centres = np.repeat(10 * np.eye(4), [40, 30, 20, 10], axis=0)
    return centres + np.random.default_rng(0).standard_normal(centres.shape)


def test_clusters_are_numbered_by_decreasing_size(rows):
    found = cluster_rows(rows, 4, n_init=20, random_state=0)
    assert found.labels.tolist() == np.repeat(range(4), [40, 30, 20, 10]).tolist()
    assert found.converged


def test_of_several_starts_the_best_one_counts():
    """Far groups on a line: two centres that start in one group stay there."""
    line = np.repeat(np.arange(8.0), 20)[:, None] + 0.01 * np.random.default_rng(0).standard_normal((160, 1))
    single = [cluster_rows(line, 8, random_state=seed).inertia for seed in range(10)]
    assert max(single) > 1
    assert cluster_rows(line, 8, n_init=30, random_state=0).inertia < 0.1


def test_fewer_distinct_rows_than_clusters_are_reported_as_empty_clusters():
    rows = np.repeat(np.eye(2), 5, axis=0)
    with pytest.warns(EmptyClusterWarning, match="Only 2 of the n_clusters=3"):
        found = cluster_rows(rows, 3, random_state=0)
    assert found.labels.tolist() == [0] * 5 + [1] * 5


def test_threads_change_no_bit():
    rows = np.random.default_rng(0).standard_normal((5000, 20))
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(cluster_rows(rows, 8, random_state=0))
    assert found[0].inertia == found[1].inertia
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
