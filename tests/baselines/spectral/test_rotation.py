import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from sklearn.datasets import make_blobs

from experiments.published import METRICS, published
from graphs import affinities, connected_affinity, planted_blocks
from s3nmf import EmptyClusterWarning
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.spectral.embedding import unit_rows
from s3nmf.baselines.spectral.rotation import rotate, spectral_rotation
from s3nmf.metrics import accuracy, evaluate
from s3nmf.partitions import by_decreasing_size


@pytest.fixture(scope="module")
def blobs():
    return nearest_neighbor_affinity(make_blobs(1000, n_features=10, centers=4, cluster_std=3.0, random_state=0)[0])


def random_rotation(seed, c):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((c, c)))[0]


def distance(F, R, columns):
    return np.linalg.norm(F @ R - np.eye(len(R))[columns]) ** 2


def test_seeds_are_clustered_as_in_the_paper_by_every_seed(seeds):
    X, y = seeds
    W = nearest_neighbor_affinity(X)
    paper = [published("SEEDS", "SR", metric).mean for metric in METRICS]
    assert paper == [0.833, 0.641, 0.833, 0.597, 0.733]
    for seed in range(10):
        scores = evaluate(y, spectral_rotation(W, 3, random_state=seed).labels)
        assert np.round(scores, 3).tolist() == paper


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@given(affinities(), st.integers(0, 1000), st.data())
def test_the_objective_never_increases(W, seed, data):
    n_clusters = data.draw(st.integers(1, len(W)))
    found = spectral_rotation(W, n_clusters, random_state=seed)
    assert found.objective.shape == (found.n_iter + 1,)
    assert (np.diff(found.objective) <= 1e-9).all()
    assert found.converged


@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 1000))
def test_each_step_is_the_best_answer_to_the_other(n, c, seed):
    rng = np.random.default_rng(seed)
    F = unit_rows(rng.standard_normal((n, c)))
    found = rotate(F, random_rotation(seed, c), 100)
    np.testing.assert_allclose(found.rotation @ found.rotation.T, np.eye(c), atol=1e-12)
    np.testing.assert_array_equal(found.columns, np.argmax(F @ found.rotation, axis=1))
    reached = distance(F, found.rotation, found.columns)
    assert found.objective[-1] == pytest.approx(reached, abs=1e-9)
    for other in range(5):
        assert distance(F, random_rotation(other, c), found.columns) >= reached - 1e-9
        assert distance(F, found.rotation, rng.integers(0, c, n)) >= reached - 1e-9


def test_the_first_objective_is_that_of_the_start():
    F, R = unit_rows(np.random.default_rng(0).standard_normal((20, 3))), random_rotation(1, 3)
    found = rotate(F, R, 1)
    assert found.objective[0] == pytest.approx(distance(F, R, np.argmax(F @ R, axis=1)))
    assert (found.objective.size, found.converged) == (2, False)


def test_planted_blocks_are_found():
    W, y = planted_blocks(400, 5)
    for affinity in (W, W.toarray()):
        found = spectral_rotation(affinity, 5, n_init=10, random_state=0)
        assert accuracy(y, found.labels) > 0.99
        assert found.embedding.shape == (400, 5)


def test_fifty_thousand_points_are_clustered():
    W, y = planted_blocks(50_000, 10)
    assert accuracy(y, spectral_rotation(W, 10, n_init=10, random_state=0).labels) > 0.95


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_of_several_starts_the_best_one_counts(blobs):
    single = [spectral_rotation(blobs, 4, random_state=seed).objective[-1] for seed in range(10)]
    best = spectral_rotation(blobs, 4, n_init=30, random_state=0)
    assert max(single) > best.objective[-1] + 1
    assert best.objective[-1] <= min(single) + 1e-9


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_the_seed_decides_and_nothing_else(blobs):
    runs = [spectral_rotation(blobs, 4, random_state=seed).labels for seed in range(10)]
    again = [spectral_rotation(3.0 * blobs, 4, random_state=seed).labels for seed in range(10)]
    np.testing.assert_array_equal(runs, again)
    assert any((run != runs[0]).any() for run in runs)


def test_one_cluster_and_a_cluster_for_each_point():
    W = connected_affinity(0, 9)
    assert spectral_rotation(W, 1, random_state=0).labels.tolist() == [0] * 9
    with pytest.warns(EmptyClusterWarning, match="of the n_clusters=9"):
        many = spectral_rotation(W, 9, random_state=0)
    assert 5 <= len(set(many.labels)) < 9
    with pytest.raises(ValueError, match="n_clusters=10 is more than n_samples=9"):
        spectral_rotation(W, 10)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_components_and_isolated_points_are_survived():
    W = block_diag(*(connected_affinity(seed, 6) for seed in range(3)))
    assert np.array_equal(spectral_rotation(W, 3, n_init=5, random_state=0).labels, np.repeat([0, 1, 2], 6))
    W[:, 3] = W[3, :] = 0.0
    labels = spectral_rotation(W, 3, n_init=5, random_state=0).labels
    assert np.array_equal(by_decreasing_size(labels[4:]), np.repeat([2, 0, 1], [2, 6, 6]))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_empty_clusters_are_reported():
    F = np.eye(3)[[0, 0, 1, 1]]
    assert set(rotate(F, np.eye(3), 10).columns) == {0, 1}
    one_edge = np.zeros((4, 4))
    one_edge[0, 1] = one_edge[1, 0] = 1.0
    with pytest.warns(EmptyClusterWarning, match="of the n_clusters=3"):
        spectral_rotation(one_edge, 3, random_state=0)
