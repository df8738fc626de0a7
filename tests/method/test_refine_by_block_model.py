import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from graphs import connected_affinity, random_affinity
from s3nmf import S3NMF, Recipe, self_supervised_nmf
from s3nmf._core.likeliest import move_to_likeliest
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.method.members import Communities
from s3nmf.method.refine import refine_by_block_model
from s3nmf.method.score import far_less_than, score_of
from s3nmf.method.vote import chosen_round, final_partition
from s3nmf.partitions import by_decreasing_size


def densities(A, labels):
    """The weight of links over that of pairs, in each cluster and between them; one between where there is no pair."""
    k = A.sum(axis=1)
    pairs = np.outer(k, k) - np.diag(k * k)
    together = labels[:, None] == labels
    between = A[~together].sum() / pairs[~together].sum()
    inside = [(together & (labels == c)[:, None]) for c in range(labels.max() + 1)]
    found = [A[where].sum() / pairs[where].sum() if pairs[where].sum() > 0 else between for where in inside]
    return np.maximum(found, 1e-12 * between), between


def literal_likelihood(A, labels, inside, between):
    """Of a degree-corrected planted partition with these densities, pair by pair."""
    k = A.sum(axis=1)
    density = np.where(labels[:, None] == labels, np.asarray(inside)[labels][:, None], between)
    return np.triu(A * np.log(density) - np.outer(k, k) * density, k=1).sum()


def literal_pass(A, labels, order):
    """Every point in that order to the cluster next to it with the largest likelihood, all pairs counted each time."""
    labels = labels.copy()
    fewest = np.bincount(labels) / 2
    for i in order:
        inside, between = densities(A, labels)
        if np.bincount(labels, minlength=fewest.size)[labels[i]] - 1 < fewest[labels[i]]:
            continue
        candidates = [labels[i], *sorted(set(labels[A[i] > 0]) - {labels[i]})]
        values = []
        for c in candidates:
            moved = labels.copy()
            moved[i] = c
            values.append(literal_likelihood(A, moved, inside, between))
        assume(np.diff(np.sort(values)).min(initial=1.0) > 1e-7)  # of equal ones, any may be taken
        if max(values[1:], default=-np.inf) > values[0] + 1e-9 * abs(values[0]):
            labels[i] = candidates[int(np.argmax(values))]
    return labels


def by_rows(A):
    """The points of a graph, in the order of its rows."""
    return np.argsort(weighted_graph(sp.csr_array(A)).row_of)


def moved(A, labels, most_passes):
    graph = weighted_graph(sp.csr_array(A))
    label = np.empty(labels.size, np.int64)
    label[graph.row_of] = labels
    move_to_likeliest(graph.starts, graph.neighbors, graph.weights, label, int(labels.max()) + 1, most_passes)
    return label[graph.row_of]


def planted(seed, sizes, inside, between):
    """A graph of blocks, and its blocks."""
    shares = np.full((len(sizes), len(sizes)), between) + np.diag(np.full(len(sizes), inside - between))
    graph = nx.stochastic_block_model(sizes, shares, seed=seed)
    return nx.to_scipy_sparse_array(graph, dtype=float, format="csr"), np.repeat(np.arange(len(sizes)), sizes)


def centers_apart(random, k, d, apart):
    """Centres in d dimensions, no two of them nearer to each other."""
    found = np.zeros((1, d))
    while len(found) < k:
        other = random.normal(size=d) * 0.6 * apart
        if np.linalg.norm(found - other, axis=1).min() >= apart:
            found = np.vstack([found, other])
    return found


def misplaced(seed, y, share=0.15):
    random = np.random.default_rng(seed)
    return by_decreasing_size(np.where(random.random(y.size) < share, random.integers(0, y.max() + 1, y.size), y))


@given(st.integers(0, 10_000), st.integers(2, 4), st.sampled_from([0.3, 0.6, 1.0]))
def test_a_pass_makes_the_moves_of_one_that_counts_all_pairs(seed, n_clusters, density):
    A = connected_affinity(seed, 16) * (random_affinity(seed + 1, 16, density) > 0)
    A = np.float32(np.maximum(A, A.T)).astype(float)
    labels = by_decreasing_size(np.random.default_rng(seed).integers(0, n_clusters, 16))
    together = labels[:, None] == labels
    assume(A[~together].any())
    assume(A.any(axis=1).all())
    np.testing.assert_array_equal(moved(A, labels, 1), literal_pass(A, labels, by_rows(A)))


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_the_likelihood_is_that_of_all_pairs_by_the_densities_that_fit_best(seed, n_clusters):
    A = connected_affinity(seed, 20)
    one, other = (by_decreasing_size(np.random.default_rng(seed + i).integers(0, n_clusters, 20)) for i in range(2))
    expected = [literal_likelihood(A, labels, *densities(A, labels)) / A.sum() if labels.max() else None
                for labels in (one, other)]  # fmt: skip
    found, rescaled = (
        [score_of(weighted_graph(scale * A), labels).log_likelihood for labels in (one, other)]
        for scale in (1.0, 1e-200)
    )
    np.testing.assert_allclose(found, rescaled)
    if None not in expected:
        np.testing.assert_allclose(found[0] - found[1], expected[0] - expected[1], atol=1e-6)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_no_pass_lowers_the_likelihood(seed, n_clusters):
    A = connected_affinity(seed, 30)
    labels = by_decreasing_size(np.random.default_rng(seed).integers(0, n_clusters, 30))
    found = [
        literal_likelihood(A, one, *densities(A, one)) for one in (moved(A, labels, passes) for passes in range(6))
    ]
    assert (np.diff(found) >= -1e-6 * np.abs(found[0])).all()


@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([0.05, 0.3, 1.0]))
def test_clusters_stay_as_many_and_keep_half_of_their_points(seed, n_clusters, density):
    W = random_affinity(seed, 24, density)
    labels = np.random.default_rng(seed).integers(0, n_clusters, 24)
    labels[:n_clusters] = np.arange(n_clusters)
    after = moved(W, labels, 10)
    assert (np.bincount(after, minlength=n_clusters) >= np.bincount(labels) / 2).all()
    found = refine_by_block_model(weighted_graph(W), by_decreasing_size(labels))
    assert np.unique(found).size == n_clusters
    np.testing.assert_array_equal(found, by_decreasing_size(found))


def test_misplaced_points_of_blocks_go_back_whatever_the_sizes():
    for seed in range(5):
        W, y = planted(seed, [200, 50, 20], inside=0.4, between=0.02)
        assert adjusted_rand_score(y, misplaced(seed, y)) < 0.8
        assert adjusted_rand_score(y, refine_by_block_model(weighted_graph(W), misplaced(seed, y))) > 0.99


def test_what_is_not_joined_stays():
    labels = np.repeat([0, 1], 6)
    W = np.kron(np.eye(4), np.ones((3, 3)) - np.eye(3))
    np.testing.assert_array_equal(refine_by_block_model(weighted_graph(W), labels), labels)
    np.testing.assert_array_equal(refine_by_block_model(weighted_graph(np.zeros((12, 12))), labels), labels)


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e300])
def test_neither_the_scale_nor_self_loops_nor_the_container_matter(scale):
    W, y = planted(3, [60, 40], inside=0.3, between=0.1)
    labels = misplaced(3, y)
    expected = refine_by_block_model(weighted_graph(W), labels)
    assert not np.array_equal(expected, labels)
    np.testing.assert_array_equal(refine_by_block_model(weighted_graph(scale * W), labels), expected)
    np.testing.assert_array_equal(
        refine_by_block_model(weighted_graph(W + sp.eye_array(100, format="csr")), labels), expected
    )
    np.testing.assert_array_equal(refine_by_block_model(weighted_graph(W.toarray()), labels), expected)


def test_a_point_with_next_to_no_links_settles():
    """Its gains are far below the rounding of the whole likelihood; it must not go back and forth."""
    W, y = planted(0, [40, 40], inside=0.3, between=0.05)
    W = W.toarray()
    W[0] = W[:, 0] = 1e-30 * (np.arange(80) % 7 == 1)
    W[0, 0] = 0.0
    graph = weighted_graph(W)
    label = y.astype(np.int64)
    assert move_to_likeliest(graph.starts, graph.neighbors, graph.weights, label, 2, 50) < 10


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_many_clusters_of_very_unequal_sizes_that_touch_come_out_though_the_rounds_weigh_them_by_size():
    """Nothing leaves the graph all but uncut there; but small clusters that are clusters are likelier."""
    sizes = (20 * 12 ** np.linspace(0, 1, 12)).astype(int)
    for draw in (0, 3):
        random = np.random.default_rng(draw)
        y = np.repeat(np.arange(12), sizes)
        X = centers_apart(random, 12, 5, 4.0)[y] + random.normal(size=(y.size, 5))
        model = S3NMF(12, random_state=0).fit(X)
        by_size = S3NMF(12, recipe=Recipe(similarity="collapsed"), random_state=0).fit(X)
        graph = weighted_graph(model.affinity_matrix_)
        less, more = (score_of(graph, found.labels_).max_conductance for found in (model, by_size))
        assert less > far_less_than(more)
        assert model.result_.history[-1].similarity == "normalized"
        assert adjusted_rand_score(y, model.labels_) > adjusted_rand_score(y, by_size.labels_) + 0.05


def test_the_paper_does_not_refine():
    X, _ = make_blobs(300, centers=4, cluster_std=2.0, random_state=1)
    W = nearest_neighbor_affinity(X)
    for members in (Communities(), "factorizations", np.random.default_rng(0).integers(0, 4, (5, 300))):
        result = self_supervised_nmf(W, 4, members=members, random_state=0)
        chosen = chosen_round(result.history)
        voted = final_partition(chosen.member_labels, chosen.weights, 4)
        expected = voted if isinstance(members, str) else refine_by_block_model(weighted_graph(W), voted)
        np.testing.assert_array_equal(result.labels, expected)


def test_a_cluster_may_be_left_with_next_to_no_links():
    """Hardly a link is between clusters then, and hardly a pair to divide it by."""
    links = {(0, 6): 1.0, (3, 4): 1.0, (0, 4): 1e-9, (1, 2): 5e-19}  # 0 belongs to 6; 1 and 2 stay behind
    W = np.zeros((7, 7))
    for (i, j), weight in links.items():
        W[i, j] = W[j, i] = weight
    found = refine_by_block_model(weighted_graph(W), np.array([1, 1, 1, 0, 0, 0, 0]))
    np.testing.assert_array_equal(found, [0, 1, 1, 0, 0, 0, 0])
