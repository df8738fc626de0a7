"""How many blocks explain a graph, literally; and verdicts on graphs that were given."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from s3nmf import S3NMF, choose_n_clusters
from s3nmf._threads import ALONE
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.trust.blocks import closure, detectable, n_blocks, rewired
from s3nmf.trust.borders import borders_of
from s3nmf.trust.settings import BLOCKS


def planted(sizes, inside, outside, seed):
    """A graph of blocks whose nodes have about so many edges inside their block and outside, and the blocks."""
    graph = nx.random_partition_graph(sizes, inside / min(sizes), outside / sum(sizes), seed=seed)
    return sp.csr_array(nx.to_scipy_sparse_array(graph)), np.repeat(np.arange(len(sizes)), sizes)


def of(graph):
    return sp.csr_array(nx.to_scipy_sparse_array(graph, weight=None)).astype(float)


@pytest.mark.parametrize("k", [2, 5, 12])
def test_planted_blocks_are_counted(k):
    W, _ = planted([60] * k, 12, 6, seed=k)
    assert n_blocks(weighted_graph(W)) == k


@pytest.mark.parametrize(
    "graph",
    [
        nx.fast_gnp_random_graph(800, 0.01, seed=0),
        nx.random_regular_graph(8, 500, seed=0),
        nx.barabasi_albert_graph(1000, 5, seed=0),
        nx.configuration_model([3] * 100 + [8] * 100 + [60] * 5, seed=0),
        nx.grid_2d_graph(25, 25),  # positions without a triangle
        nx.watts_strogatz_graph(500, 10, 0.1, seed=0),
        nx.random_geometric_graph(600, 0.1, seed=0),
        nx.star_graph(300),
        nx.complete_graph(30),
        nx.path_graph(2),
        nx.empty_graph(5),
    ],
    ids=str,
)
def test_graphs_without_blocks_and_graphs_of_points_have_none(graph):
    assert n_blocks(weighted_graph(of(nx.Graph(graph)))) == 0


@pytest.mark.parametrize(("n", "d"), [(200, 2), (200, 50), (800, 10)])
def test_the_graph_of_a_table_is_not_one_of_blocks(n, d):
    X = np.random.default_rng(d).normal(size=(n, d))
    assert n_blocks(weighted_graph(nearest_neighbor_affinity(X))) == 0


def test_the_friends_of_a_karate_club_are_two_blocks():
    graph = nx.karate_club_graph()
    model = S3NMF("auto", affinity="precomputed").fit(of(graph))
    clubs = [graph.nodes[node]["club"] for node in graph]
    assert adjusted_rand_score(clubs, model.labels_) > 0.7
    assert "10 edges cross it, and 39 would by chance" in str(model.judge())


def test_blocks_below_the_noise_of_the_profile_are_seen_and_every_sentence_agrees():
    W, y = planted([100] * 4, 9, 10, seed=3)
    choice = choose_n_clusters(W, affinity="precomputed")
    model = S3NMF("auto", affinity="precomputed").fit(W)
    assert choice.n_clusters == model.n_clusters_ == 4
    assert adjusted_rand_score(y, model.labels_) > 0.5
    assert model.judge().has_clusters
    assert model.judge().has_so_many
    assert all(level.is_supported for level in model.levels_)
    more = S3NMF(6, affinity="precomputed").fit(W).judge()
    assert more.has_clusters
    assert not more.has_so_many


@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0.02, 0.5))
def test_rewiring_keeps_degrees_and_the_edges_between_blocks(seed, k, density):
    random = np.random.default_rng(seed)
    n = 24
    blocks = np.sort(random.integers(0, k, n))
    i, j = np.nonzero(np.triu(random.random((n, n)) < density, 1))
    a, b = rewired(i, j, blocks, random)
    assert Counter([*i, *j]) == Counter([*a, *b])
    pairs = [Counter(zip(blocks[x].tolist(), blocks[y].tolist(), strict=True)) for x, y in ((i, j), (a, b))]
    assert pairs[0] == pairs[1]
    assert len({frozenset(pair) for pair in zip(a.tolist(), b.tolist(), strict=True)}) == i.size
    assert (a != b).all()


def test_rewiring_changes_most_edges():
    W, y = planted([50, 50], 10, 4, seed=0)
    i, j = sp.triu(W, k=1).nonzero()
    a, b = rewired(i, j, y, np.random.default_rng(0))
    kept = {frozenset(p) for p in zip(i.tolist(), j.tolist(), strict=True)} & {
        frozenset(p) for p in zip(a.tolist(), b.tolist(), strict=True)
    }
    assert len(kept) < 0.4 * i.size


@pytest.mark.parametrize("graph", [nx.les_miserables_graph(), nx.karate_club_graph(), nx.grid_2d_graph(5, 5)], ids=str)
def test_closure_is_the_transitivity(graph):
    assert closure(of(graph), np.random.default_rng(0)) == pytest.approx(nx.transitivity(graph), abs=0.005)


def test_the_bethe_hessian_literally():
    W, _ = planted([40, 40, 40], 8, 3, seed=1)
    degree = W.sum(axis=1)
    r = np.sqrt((degree**2).sum() / degree.sum() - 1)
    H = (r**2 - 1) * np.eye(120) - r * W.toarray() + np.diag(degree)
    found = detectable(W)
    assert found.shape[1] == (np.linalg.eigvalsh(H) < 0).sum() == 3
    assert np.linalg.eigvalsh(found.T @ H @ found).max() < 0


def test_no_more_blocks_are_looked_for_than_the_settings_say():
    assert detectable(of(nx.relaxed_caveman_graph(80, 6, 0.1, seed=0))).shape[1] == BLOCKS.most_blocks


def test_the_level_of_a_border_between_blocks_is_what_would_cross_by_chance():
    W, y = planted([30, 50, 40], 10, 6, seed=0)
    E = np.array([[W[y == a][:, y == b].sum() for b in range(3)] for a in range(3)])
    found = borders_of(weighted_graph(W), y, ALONE, n_blocks=3)
    assert len(found) == 3
    for border in found:
        a, b = border[:2]
        inside = E[a, a], E[b, b]
        ends = (inside[0] + E[a, b]) * (inside[1] + E[a, b])
        assert border.crossing == E[a, b]
        assert border.level == pytest.approx(ends / (sum(inside) + 2 * E[a, b]))
        assert border.is_real


def test_of_more_clusters_than_blocks_those_are_joined_that_are_joined_most():
    W, y = planted([60, 60, 60], 12, 4, seed=0)
    halves = 2 * y + np.arange(180) % 2
    found = borders_of(weighted_graph(W), halves, ALONE, n_blocks=3)
    assert {border[:2] for border in found if not border.is_real} == {(0, 1), (2, 3), (4, 5)}
    assert borders_of(weighted_graph(W), halves, ALONE, n_blocks=3, of=0) == tuple(b for b in found if 0 in b[:2])
