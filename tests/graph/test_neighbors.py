import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from threadpoolctl import threadpool_limits

from s3nmf.graph import neighbors
from s3nmf.graph.neighbors import nearest_neighbors, resolve_n_neighbors


@pytest.mark.parametrize(("n", "k"), [(210, 8), (150, 8), (256, 9), (255, 8), (2, 1), (3, 2), (70_000, 17)])
def test_auto_is_the_papers_log2_n_plus_1(n, k):
    assert resolve_n_neighbors("auto", n) == k


@pytest.mark.parametrize("k", [10, 11])
def test_more_neighbours_than_other_points_are_refused(k):
    with pytest.raises(ValueError, match=rf"n_neighbors={k} must be between 1 and 9.*smaller"):
        resolve_n_neighbors(k, 10)


@pytest.mark.parametrize("n_features", [2, 40])
def test_neighbours_are_the_nearest_other_points(n_features):
    X = np.random.default_rng(0).random((60, n_features))
    distances, indices = nearest_neighbors(X, 5)
    table = pairwise_distances(X)
    np.fill_diagonal(table, np.inf)
    np.testing.assert_allclose(distances, np.sort(table, axis=1)[:, :5])
    np.testing.assert_array_equal(indices, np.argsort(table, axis=1)[:, :5])


@pytest.mark.parametrize("n_features", [2, 40])
def test_duplicates_are_neighbours_and_a_point_is_not_its_own(n_features):
    """With more duplicates than neighbours, the point itself can be missing from its own list."""
    X = np.repeat(np.random.default_rng(0).random((4, n_features)), 6, axis=0)
    distances, indices = nearest_neighbors(X, 3)
    assert (indices != np.arange(24)[:, None]).all()
    assert (indices // 6 == np.arange(24)[:, None] // 6).all()
    assert (distances == 0).all()


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_distances_in_blocks_are_the_same(convert, monkeypatch):
    X = convert(np.random.default_rng(0).random((60, 20)))
    expected = nearest_neighbors(X, 5).distances
    monkeypatch.setattr(neighbors, "_ENTRIES_AT_ONCE", 7 * 5 * 20)
    np.testing.assert_array_equal(nearest_neighbors(X, 5).distances, expected)


def test_equally_near_points_are_chosen_alike_on_any_number_of_threads():
    X = np.random.default_rng(0).integers(0, 2, (2600, 30)).astype(float)
    with threadpool_limits(limits=1):
        one = nearest_neighbors(X, 5).indices
    with threadpool_limits(limits=2):
        two = nearest_neighbors(X, 5).indices
    np.testing.assert_array_equal(one, two)
