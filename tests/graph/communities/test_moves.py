import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from graphs import affinities, random_affinity
from literal_communities import SplitMix, modularity, moves, moves_by_links
from s3nmf._core import communities as compiled
from s3nmf._core.graphs import WORTH_FETCHING, pieces
from s3nmf._threads import team
from s3nmf.graph.communities.graph import weighted_graph


def singles(**sizes):
    """Affinities whose weights single precision holds, as the search for communities does."""
    return affinities(**sizes).map(lambda W: W.astype(np.float32).astype(np.float64))


SEEDS = st.integers(0, 2**32 - 1)
RESOLUTIONS = st.sampled_from([0.05, 0.3, 1.0, 2.5])


def by_rows(W):
    """W in the order of the rows of its graph, which is not that of the points."""
    order = np.argsort(weighted_graph(W).row_of)
    return W[np.ix_(order, order)]


def moved(W, resolution, seed, labels=None):
    graph = weighted_graph(W)
    community = np.arange(graph.n_rows, dtype=np.int32) if labels is None else np.array(labels, np.int32)
    state = np.array([seed], np.uint64)
    compiled.local_moves(*graph.arrays, resolution / graph.total, community, state, 10**9)
    return community


def found(W, resolution, seed):
    graph = weighted_graph(W)
    community = np.empty(graph.n_rows, np.int32)
    count = compiled.find_communities(*graph.arrays, resolution / graph.total, community, np.array([seed], np.uint64))
    assert count == community.max() + 1
    return community[graph.row_of]


def test_orders_are_those_of_splitmix():
    order, state = np.empty(50, np.int32), np.array([7], np.uint64)
    compiled.shuffle(order, state)
    assert order.tolist() == SplitMix(7).order(50)
    assert sorted(order) == list(range(50))


@settings(max_examples=60, deadline=None)
@given(W=singles(), seed=SEEDS, resolution=RESOLUTIONS)
def test_moves_are_those_of_the_literal_method(W, seed, resolution):
    labels, levels, clear = moves(by_rows(W), range(len(W)), resolution, seed)
    assume(clear)
    assert (np.diff(levels) > 0).all()
    assert moved(W, resolution, seed).tolist() == labels


@settings(max_examples=60, deadline=None)
@given(W=singles(), seed=SEEDS, resolution=RESOLUTIONS)
def test_no_point_wants_to_move_when_moves_of_all_have_no_effect(W, seed, resolution):
    before, labels = None, moved(W, resolution, seed)
    while before is None or not np.array_equal(before, labels):
        before, labels = labels, moved(W, resolution, seed, labels)
    W = by_rows(W)
    level = modularity(W, labels, resolution)
    for i in range(len(W)):
        for choice in set(labels[W[i] > 0].tolist()):
            tried = labels.copy()
            tried[i] = choice
            assert modularity(W, tried, resolution) <= level + 1e-9


@settings(max_examples=60, deadline=None)
@given(W=singles(max_n=40), seed=SEEDS, resolution=RESOLUTIONS)
def test_communities_are_better_than_moves_alone_and_hang_together(W, seed, resolution):
    labels = found(W, resolution, seed)
    assert modularity(W, labels, resolution) >= modularity(W, range(len(W)), resolution) - 1e-12
    for community in range(labels.max() + 1):
        own = np.flatnonzero(labels == community)
        assert connected_components(W[np.ix_(own, own)])[0] == 1


@settings(max_examples=40, deadline=None)
@given(W=singles(max_n=30), resolution=RESOLUTIONS, seed=SEEDS)
def test_merging_never_lowers_the_modularity(W, resolution, seed):
    labels = moved(W, resolution, seed)
    weighted, merged, state = weighted_graph(W), labels.copy(), np.array([seed], np.uint64)
    count = compiled.renumber(merged)
    left = compiled.merge(*weighted.arrays, resolution / weighted.total, merged, count, state)
    assert left == len(set(merged.tolist())) <= count
    W = by_rows(W)
    assert modularity(W, merged, resolution) >= modularity(W, labels, resolution) - 1e-12
    pairs = {(a, b) for a, b in zip(labels.tolist(), merged.tolist(), strict=True)}
    assert len(pairs) == count  # communities were joined, none was cut


def test_the_graph_of_communities_has_their_weights():
    W = random_affinity(3, 30, 0.3).astype(np.float32) + np.diag(np.arange(30.0))
    labels = np.arange(30, dtype=np.int32) % 7
    graph = weighted_graph(W)
    starts, neighbors, weights, strength = compiled.aggregate(*graph.arrays, labels, 7)
    between = sp.csr_array((weights, neighbors, starts), shape=(7, 7)).toarray()
    one_hot = np.eye(7)[labels]
    expected = one_hot.T @ by_rows(W) @ one_hot
    scale = graph.total / W.sum()
    np.testing.assert_allclose(strength, scale * expected.sum(axis=1))
    np.testing.assert_allclose(between, scale * (expected - np.diag(np.diag(expected))), atol=1e-12)


def test_self_loops_hold_a_point_back_but_pull_nobody():
    """They belong to its strength, so that it is more likely to stay alone."""
    W = np.array([[0.0, 1.0, 0.2, 0.0], [1.0, 0.0, 0.0, 0.2], [0.2, 0.0, 0.0, 1.0], [0.0, 0.2, 1.0, 0.0]])
    assert len(set(found(W, 1.0, 0).tolist())) == 2
    assert len(set(found(W + 100 * np.eye(4), 1.0, 0).tolist())) == 4


@pytest.mark.parametrize("n", [6000])
def test_large_graphs_are_reordered_and_labels_come_back_in_order(n):
    """Two blocks of a graph whose rows are put into another order are found all the same."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n) % 2)
    blocks = [np.flatnonzero(y == block) for block in (0, 1)]
    rows = np.concatenate([rng.choice(block, (6 * block.size, 2)) for block in blocks] + [rng.choice(n, (200, 2))])
    W = sp.coo_array((np.ones(len(rows)), rows.T), shape=(n, n)).tocsr()
    W = sp.csr_array(W + W.T)
    labels = found(W, 0.5, 1)
    agree = (labels == y).mean()
    assert max(agree, 1 - agree) > 0.99


def test_a_community_in_pieces_is_cut():
    W = np.kron(np.eye(3), np.ones((2, 2)) - np.eye(2))
    graph, community = weighted_graph(W), np.array([0, 0, 1, 1, 0, 0], np.int32)
    labels, count = pieces(graph.starts, graph.neighbors, community)
    assert count == 3
    assert labels.tolist() == [0, 0, 1, 1, 2, 2]


def test_weights_that_single_precision_cannot_hold_are_edges_all_the_same():
    """As zeros they were counted once for every point behind them, in room for each community once."""
    X = np.concatenate([np.linspace(0, 1, 60), [30.0, 31.0, 33.0, 60.0, 61.0, 64.0]])[:, None]
    W = np.exp(-((X - X.T) ** 2))
    W[W < 1e-300] = 0.0
    np.fill_diagonal(W, 0.0)
    graph = weighted_graph(sp.csr_array(W))
    assert graph.weights.size == np.count_nonzero(W)
    assert graph.weights.min() > 0
    explicit = sp.csr_array(W)
    explicit.data[:5] = 0.0
    explicit = sp.csr_array(explicit.minimum(explicit.T))
    assert weighted_graph(explicit).weights.size == np.count_nonzero(explicit.toarray())
    assert found(sp.csr_array(W), 1.0, 0).size == 66


def sparse_graph(n, seed=0):
    """Each point next to the one before and after it, and to some others."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([np.column_stack([np.arange(n - 1), np.arange(1, n)]), rng.integers(n, size=(n, 2))])
    rows = rows[rows[:, 0] != rows[:, 1]]
    W = sp.coo_array((rng.random(len(rows)), rows.T), shape=(n, n)).tocsr()
    return sp.csr_array(W + W.T)


def test_moves_of_a_large_graph_for_which_memory_is_asked_ahead_are_those_of_python():
    graph = weighted_graph(sparse_graph(WORTH_FETCHING + 1))
    community, state = np.arange(graph.n_rows, dtype=np.int32), np.array([5], np.uint64)
    n_moves = compiled.local_moves(*graph.arrays, 1.0 / graph.total, community, state, graph.n_rows)
    assert n_moves > graph.n_rows / 4
    expected = moves_by_links(*graph.arrays, pressure=1.0 / graph.total, seed=5, most_visits=graph.n_rows)
    assert (community.tolist(), n_moves) == expected
    count = compiled.renumber(community)
    starts, neighbors, weights, strength = compiled.aggregate(*graph.arrays, community, count)
    rows = sp.csr_array((graph.weights.astype(np.float64), graph.neighbors, graph.starts))
    one_hot = sp.csr_array((np.ones(graph.n_rows), (np.arange(graph.n_rows), community)))
    expected = sp.csr_array(one_hot.T @ rows @ one_hot)
    expected.setdiag(0.0)
    found = sp.csr_array((weights, neighbors, starts), shape=(count, count))
    assert found.nnz == np.count_nonzero(expected.data)
    assert abs(found - expected).max() < 1e-6 * expected.max()
    np.testing.assert_array_equal(strength, np.bincount(community, weights=graph.strength))


def test_pieces_of_a_large_graph_are_those_that_scipy_finds():
    W = sparse_graph(2 * WORTH_FETCHING)
    group = np.random.default_rng(0).integers(8, size=W.shape[0])
    entries = W.tocoo()
    inside = group[entries.row] == group[entries.col]
    kept = sp.coo_array((entries.data[inside], (entries.row[inside], entries.col[inside])), shape=W.shape)
    count, labels = connected_components(kept.tocsr(), directed=False)
    found, n_found = pieces(W.indptr, W.indices, group)
    assert n_found == count > 8
    assert len({*zip(found.tolist(), labels.tolist(), strict=True)}) == count


@pytest.mark.parametrize("n", [300, 6000, WORTH_FETCHING * 3])
def test_a_graph_has_the_same_rows_on_any_number_of_threads(n):
    W = sparse_graph(n)
    alone = weighted_graph(W)
    with team(3) as threads:
        together = weighted_graph(W, threads)
    for name in ("starts", "neighbors", "weights", "strength", "row_of"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))
    order = np.argsort(alone.row_of)
    rows = sp.csr_array((alone.weights, alone.neighbors, alone.starts), shape=W.shape)
    expected = sp.csr_array(W[order][:, order])
    assert abs(rows * (W.sum() / alone.total) - expected).max() < 1e-6
