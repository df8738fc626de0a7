import numpy as np
import pytest
from scipy.linalg import block_diag
from threadpoolctl import threadpool_limits

from experiments.published import METRICS, published
from graphs import connected_affinity, planted_blocks
from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.baselines.spectral.k_means import cluster_rows
from s3nmf.baselines.spectral.sparse import sparse_projection, sparse_spectral_clustering
from s3nmf.metrics import accuracy, evaluate


def test_seeds_are_clustered_as_in_the_paper(seeds):
    """Within one of its standard deviations, in each of the five scores."""
    X, y = seeds
    solution = sparse_projection(nearest_neighbor_affinity(X), 3, beta=1e-6)
    scores = [evaluate(y, cluster_rows(solution.embedding, 3, random_state=seed).labels) for seed in range(20)]
    assert solution.converged
    for metric, mean in zip(METRICS, np.mean(scores, axis=0), strict=True):
        paper = published("SEEDS", "SSC", metric)
        assert mean == pytest.approx(paper.mean, abs=paper.std)


def test_planted_blocks_are_found():
    W, y = planted_blocks(150, 3)
    for affinity in (normalize_affinity(W), normalize_affinity(W).toarray()):
        for beta in (1e-6, 1e-3):
            found = sparse_spectral_clustering(affinity, 3, beta=beta, n_init=10, random_state=0)
            assert accuracy(y, found.labels) > 0.98


def test_it_is_k_means_on_the_solution():
    W, _ = planted_blocks(100, 4, across=3)
    found = sparse_spectral_clustering(W, 4, beta=1e-4, tol=1e-4, max_iter=90, n_init=2, random_state=3)
    solution = sparse_projection(W, 4, beta=1e-4, tol=1e-4, max_iter=90)
    np.testing.assert_array_equal(found.solution.projection, solution.projection)
    expected = cluster_rows(solution.embedding, 4, n_init=2, random_state=3)
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert found.inertia == expected.inertia


def test_the_embedding_is_the_leading_eigenspace_of_the_projection():
    solution = sparse_projection(connected_affinity(0, 30), 3, beta=1e-3)
    U = np.linalg.eigh(solution.projection)[1][:, -3:]
    rows = U / np.linalg.norm(U, axis=1, keepdims=True)
    np.testing.assert_allclose(solution.embedding @ solution.embedding.T, rows @ rows.T, atol=1e-7)


def test_one_cluster_and_a_cluster_for_each_point():
    W = connected_affinity(0, 9)
    assert sparse_spectral_clustering(W, 1, random_state=0).labels.tolist() == [0] * 9
    assert sorted(sparse_spectral_clustering(W, 9, random_state=0).labels) == list(range(9))
    with pytest.raises(ValueError, match="n_clusters=10 is more than n_samples=9"):
        sparse_spectral_clustering(W, 10)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_components_duplicates_and_isolated_points_are_survived():
    blocks = [normalize_affinity(connected_affinity(seed, 6)) for seed in range(3)]
    W = block_diag(*blocks)
    assert np.array_equal(sparse_spectral_clustering(W, 3, n_init=10, random_state=0).labels, np.repeat([0, 1, 2], 6))
    W[:, 3] = W[3, :] = 0.0
    W[1], W[:, 1] = W[0], W[0]
    W[1, 0] = W[0, 1] = 0.0
    found = sparse_spectral_clustering(normalize_affinity(W), 3, n_init=10, random_state=0)
    assert len(set(found.labels[[0, 1, 2, 4, 5]])) == 1
    assert not found.solution.embedding[3].any()


def test_threads_change_no_bit():
    W = normalize_affinity(connected_affinity(0, 400))
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(sparse_spectral_clustering(W, 5, beta=1e-3, max_iter=20, random_state=0))
    np.testing.assert_array_equal(found[0].solution.projection, found[1].solution.projection)
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
