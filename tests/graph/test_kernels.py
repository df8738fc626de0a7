import re

import numpy as np
import pytest

from s3nmf import S3NMF
from s3nmf.affinity import connectivity, nearest_neighbor_affinity, normalize_affinity
from s3nmf.graph import kernels
from s3nmf.graph.kernels import KERNELS, average, binary, edge_weights, jaccard, kernel, mean_distance, self_tuning
from s3nmf.graph.neighbors import Neighbors, nearest_neighbors


@pytest.fixture
def neighbors():
    return nearest_neighbors(np.random.default_rng(1).random((40, 3)), 8)


def test_mean_distance_counts_the_point_itself_in_sigma():
    line = Neighbors(np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 2.0]]), np.array([[1, 2], [0, 2], [1, 0]]))
    sigma = 8 / 9
    np.testing.assert_allclose(mean_distance(line), np.exp(-(line.distances**2) / sigma**2))


def test_self_tuning_scales_by_the_seventh_neighbour_of_both_points(neighbors):
    weights = self_tuning(neighbors)
    scale = neighbors.distances[:, 6]
    i, position = 11, 3
    j = neighbors.indices[i, position]
    assert weights[i, position] == pytest.approx(
        np.exp(-(neighbors.distances[i, position] ** 2) / (scale[i] * scale[j]))
    )


def test_self_tuning_takes_the_last_neighbour_where_there_are_fewer_than_seven():
    neighbors = nearest_neighbors(np.random.default_rng(1).random((20, 3)), 4)
    last = neighbors.distances[:, 3]
    expected = np.exp(-(neighbors.distances**2) / (last[:, None] * last[neighbors.indices]))
    np.testing.assert_allclose(self_tuning(neighbors), expected)


@pytest.mark.parametrize("n_features", [2, 16, 40])
def test_self_tuning_keeps_the_edges_of_points_with_many_duplicates(n_features):
    rng = np.random.default_rng(0)
    center = rng.random((1, n_features))
    X = np.concatenate([np.repeat(center, 9, axis=0), center + 0.1 * rng.random((30, n_features))])
    A = edge_weights(nearest_neighbors(X, 8), "self-tuning")
    assert np.isfinite(A.data).all()
    assert connectivity(A).isolated.size == 0


def test_jaccard_is_the_share_of_common_neighbours(neighbors):
    weights = jaccard(neighbors)
    closed = [{i, *neighbors.indices[i]} for i in range(40)]
    for i in (0, 17):
        for position, j in enumerate(neighbors.indices[i]):
            assert weights[i, position] == pytest.approx(len(closed[i] & closed[j]) / len(closed[i] | closed[j]))
    assert (weights > 0).all()


def test_binary_counts_every_neighbour_once(neighbors):
    assert (binary(neighbors) == 1).all()


@pytest.mark.parametrize("weigh", [mean_distance, self_tuning])
@pytest.mark.parametrize("n_features", [1, 16, 40])
def test_neighbours_that_are_all_duplicates_get_full_weight(weigh, n_features):
    X = np.repeat(np.random.default_rng(0).random((2, n_features)), 10, axis=0)
    assert (weigh(nearest_neighbors(X, 3)) == 1).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_graph_is_symmetric_without_loops_and_joins_exactly_neighbours(neighbors, kernel):
    A = edge_weights(neighbors, kernel).toarray()
    chosen = np.zeros((40, 40), dtype=bool)
    np.put_along_axis(chosen, neighbors.indices, True, axis=1)
    np.testing.assert_array_equal(A, A.T)
    np.testing.assert_array_equal(A > 0, chosen | chosen.T)


def test_an_edge_chosen_by_one_point_gets_half_the_weight_by_averaging_and_all_of_it_by_union(neighbors):
    chosen = np.zeros((40, 40), dtype=bool)
    np.put_along_axis(chosen, neighbors.indices, True, axis=1)
    one_way = chosen & ~chosen.T
    directed = np.zeros((40, 40))
    np.put_along_axis(directed, neighbors.indices, mean_distance(neighbors), axis=1)
    averaged = edge_weights(neighbors, "mean-distance").toarray()
    np.testing.assert_allclose(averaged[one_way], directed[one_way] / 2)
    np.put_along_axis(directed, neighbors.indices, self_tuning(neighbors), axis=1)
    united = edge_weights(neighbors, "self-tuning").toarray()
    np.testing.assert_allclose(united[one_way], directed[one_way])


def test_jaccard_in_blocks_is_the_same(neighbors, monkeypatch):
    expected = jaccard(neighbors)
    monkeypatch.setattr(kernels, "_ENTRIES_AT_ONCE", 7 * 8**2)
    np.testing.assert_array_equal(jaccard(neighbors), expected)


def test_adding_a_kernel_is_adding_a_function():
    X = np.random.default_rng(0).random((60, 3))
    with pytest.raises(ValueError, match="'kernel' parameter of S3NMF must be a str among"):
        S3NMF(2, kernel="unheard-of").fit(X)
    try:
        kernel("unheard-of", average)(lambda neighbors: 1.0 / (1.0 + neighbors.distances))
        A = edge_weights(nearest_neighbors(X, 6), "unheard-of")
        W = nearest_neighbor_affinity(X, n_neighbors=6, kernel="unheard-of")
        np.testing.assert_allclose(W.toarray(), normalize_affinity(A).toarray())
        assert S3NMF(2, n_members=4, kernel="unheard-of", random_state=0).fit(X).labels_.shape == (60,)
    finally:
        KERNELS.pop("unheard-of", None)


@pytest.mark.parametrize("documented", [nearest_neighbor_affinity, S3NMF])
def test_docstrings_name_every_kernel(documented):
    """Those of the other estimators refer to them."""
    named = re.search(r"kernel : \{(.*?)\}", documented.__doc__)[1]
    assert set(re.findall(r'"([\w-]+)"', named)) == set(KERNELS)
