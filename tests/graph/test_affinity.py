import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_iris, make_blobs
from sklearn.manifold import spectral_embedding
from sklearn.metrics import pairwise_distances

from s3nmf._validation import check_affinity
from s3nmf.affinity import connectivity, nearest_neighbor_affinity, normalize_affinity
from s3nmf.desk.sources.graph import graph_from_edges, graph_from_matrix
from s3nmf.graph.kernels import KERNELS
from s3nmf.metrics import accuracy


def literal_affinity(X):
    """The five steps of the recipe, with loops."""
    n = len(X)
    k = int(np.floor(np.log2(n))) + 1
    distances = pairwise_distances(X)
    nearest = [[i, *sorted(set(range(n)) - {i}, key=lambda j, i=i: distances[i, j])[:k]] for i in range(n)]
    sigma = np.mean([distances[i, j] for i in range(n) for j in nearest[i]])
    A = np.zeros((n, n))
    for i in range(n):
        for j in nearest[i][1:]:
            A[i, j] = np.exp(-(distances[i, j] ** 2) / sigma**2)
    A = (A + A.T) / 2
    d = A.sum(axis=1)
    return A / np.sqrt(np.outer(d, d))


def test_affinity_is_the_papers_recipe():
    X = np.random.default_rng(0).random((70, 5))
    np.testing.assert_allclose(nearest_neighbor_affinity(X).toarray(), literal_affinity(X), atol=1e-12)


def test_seeds_affinity_is_the_published_one(seeds, data_directory):
    with np.load(data_directory / "seeds_affinity.npz") as file:
        published = file["W"]
    np.testing.assert_allclose(nearest_neighbor_affinity(seeds[0]).toarray(), published, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_affinity_is_sparse_symmetric_and_normalised(kernel):
    W = nearest_neighbor_affinity(load_iris().data, kernel=kernel)
    assert isinstance(W, sp.csr_array)
    assert abs(W - W.T).max() < 1e-15
    assert W.min() >= 0
    assert W.diagonal().max() == 0
    assert np.linalg.eigvalsh(W.toarray())[-1] == pytest.approx(1)


def test_sparse_features_give_the_graph_of_the_dense_ones():
    X = np.random.default_rng(0).random((50, 6)) * (np.random.default_rng(1).random((50, 6)) < 0.5)
    dense, sparse = nearest_neighbor_affinity(X), nearest_neighbor_affinity(sp.csr_array(X))
    np.testing.assert_allclose(sparse.toarray(), dense.toarray(), atol=1e-7)


def test_edges_that_vanish_when_they_are_normalised_are_none():
    weights = np.array([[0, 1, 1e-310], [1, 0, 1e307], [1e-310, 1e307, 0]])
    D = np.diag(weights.sum(axis=1) ** -0.5)
    given = sp.csr_array(weights)
    W = normalize_affinity(given)
    np.testing.assert_allclose(W.toarray(), D @ weights @ D)
    assert W.nnz == np.count_nonzero(D @ weights @ D) < given.nnz == 6
    np.testing.assert_array_equal(given.toarray(), weights)


def test_metric_is_passed_on_to_the_neighbour_search():
    X = np.random.default_rng(0).random((50, 6))
    stretched = X * np.random.default_rng(1).uniform(1, 100, (50, 1))
    cosine = nearest_neighbor_affinity(stretched, metric="cosine")
    np.testing.assert_allclose(cosine.toarray(), nearest_neighbor_affinity(X, metric="cosine").toarray(), atol=1e-6)


def test_a_point_so_far_out_that_its_weight_underflows_is_isolated_and_nothing_breaks():
    X = np.append(np.random.default_rng(0).random((300, 2)), [[1e4, 1e4]], axis=0)
    W = nearest_neighbor_affinity(X)
    assert np.isfinite(W.data).all()
    assert connectivity(W).isolated.tolist() == [300]
    assert connectivity(nearest_neighbor_affinity(X, kernel="jaccard")).is_connected


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_neighbors": 2.5}, "'n_neighbors' parameter.*Got 2.5"),
        ({"n_neighbors": None}, "Got None"),
        ({"kernel": "rbf"}, "'kernel' parameter.*Got 'rbf'"),
        ({"metric": 3}, "'metric' parameter"),
    ],
)
def test_bad_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        nearest_neighbor_affinity(np.random.default_rng(0).random((20, 2)), **parameters)


@pytest.mark.parametrize("function", [normalize_affinity, connectivity])
def test_what_is_no_affinity_is_refused(function):
    function([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="square"):
        function(np.ones((2, 3)))
    with pytest.raises(ValueError, match="negative"):
        function(-np.ones((2, 2)))


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_normalising_divides_by_the_roots_of_both_degrees_and_leaves_isolated_rows(convert):
    A = np.array([[0.0, 2.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    d = np.array([3.0, 2.0, 1.0, 1.0])
    W = normalize_affinity(convert(A))
    np.testing.assert_allclose(W.toarray() if sp.issparse(W) else W, A / np.sqrt(np.outer(d, d)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_scikit_learn_takes_the_graph_as_it_is(kernel):
    """Its spectral methods refuse 64-bit indices."""
    X, y = make_blobs(120, centers=[[0, 0], [5, 0], [0, 5]], random_state=0)
    W = nearest_neighbor_affinity(X, n_neighbors=20, kernel=kernel)
    labels = SpectralClustering(3, affinity="precomputed", random_state=0).fit(W).labels_
    assert accuracy(y, labels) > 0.8
    assert spectral_embedding(W, n_components=2, random_state=0).shape == (120, 2)


def test_indices_take_32_bits_whatever_they_came_in():
    W = nearest_neighbor_affinity(np.random.default_rng(0).random((50, 3)))
    wide = sp.csr_array((W.data, W.indices.astype(np.int64), W.indptr.astype(np.int64)), shape=W.shape)
    matrix = graph_from_matrix(wide, None, "a matrix").affinity
    edges = graph_from_edges(np.array([[0, 1], [1, 2]]), np.ones(2), range(3), "edges", normalize=False).affinity
    for found in (W, normalize_affinity(wide), check_affinity(wide), matrix, edges):
        assert {found.indices.dtype, found.indptr.dtype} == {np.dtype(np.int32)}
    assert wide.indices.dtype == np.int64
