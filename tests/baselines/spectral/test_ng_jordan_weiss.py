import numpy as np
import pytest
from scipy.linalg import block_diag

from experiments.published import published
from graphs import connected_affinity, planted_blocks
from s3nmf import EmptyClusterWarning
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.spectral.ng_jordan_weiss import ng_jordan_weiss
from s3nmf.metrics import accuracy, evaluate


def test_seeds_are_clustered_as_in_the_paper(seeds):
    X, y = seeds
    W = nearest_neighbor_affinity(X)
    scores = [evaluate(y, ng_jordan_weiss(W, 3, random_state=seed).labels) for seed in range(20)]
    assert np.mean(scores, axis=0)[0] == pytest.approx(published("SEEDS", "SC", "ACC").mean, abs=0.02)
    best = evaluate(y, ng_jordan_weiss(W, 3, n_init=20, random_state=0).labels)
    np.testing.assert_allclose(best, [0.833, 0.641, 0.833, 0.597, 0.733], atol=5e-4)


def test_planted_blocks_are_found():
    W, y = planted_blocks(400, 5)
    for affinity in (W, W.toarray()):
        found = ng_jordan_weiss(affinity, 5, n_init=10, random_state=0)
        assert accuracy(y, found.labels) > 0.99
        assert found.embedding.shape == (400, 5)
        assert found.converged


def test_fifty_thousand_points_are_clustered():
    W, y = planted_blocks(50_000, 10)
    assert accuracy(y, ng_jordan_weiss(W, 10, n_init=10, random_state=0).labels) > 0.95


def test_the_seed_decides_and_nothing_else():
    W, _ = planted_blocks(300, 8, within=4, across=2)
    runs = [ng_jordan_weiss(W, 8, random_state=seed).labels for seed in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()
    np.testing.assert_array_equal(ng_jordan_weiss(3.0 * W, 8, random_state=0).labels, runs[0])


def test_one_cluster_and_a_cluster_for_each_point():
    W = connected_affinity(0, 9)
    assert ng_jordan_weiss(W, 1, random_state=0).labels.tolist() == [0] * 9
    assert sorted(ng_jordan_weiss(W, 9, random_state=0).labels) == list(range(9))
    with pytest.raises(ValueError, match="n_clusters=10 is more than n_samples=9"):
        ng_jordan_weiss(W, 10)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_components_duplicates_and_isolated_points_are_survived():
    W = block_diag(*(connected_affinity(seed, 6) for seed in range(3)))
    assert np.array_equal(ng_jordan_weiss(W, 3, n_init=10, random_state=0).labels, np.repeat([0, 1, 2], 6))
    W[:, 3] = W[3, :] = 0.0
    W[1], W[:, 1] = W[0], W[0]
    W[1, 0] = W[0, 1] = 0.0
    labels = ng_jordan_weiss(W, 3, n_init=10, random_state=0).labels
    assert len(set(labels[[0, 1, 2, 4, 5]])) == 1


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_empty_clusters_are_reported():
    one_edge = np.zeros((4, 4))
    one_edge[0, 1] = one_edge[1, 0] = 1.0
    with pytest.warns(EmptyClusterWarning, match="Only 2 of the n_clusters=3"):
        assert len(set(ng_jordan_weiss(one_edge, 3, random_state=0).labels)) == 2


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ValueError, match="The 'n_init' parameter of ng_jordan_weiss must be"):
        ng_jordan_weiss(connected_affinity(0, 9), 2, n_init=0)
