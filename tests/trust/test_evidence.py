import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, load_wine, make_blobs, make_circles, make_moons
from sklearn.preprocessing import scale
from threadpoolctl import threadpool_limits

from s3nmf import S3NMF
from s3nmf.trust.evidence import MOST_POINTS, evidence_in_features, evidence_in_graph
from s3nmf.trust.thresholds import stand_out


def ring(random, n):
    angles = random.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angles), np.sin(angles)]) + random.normal(0, 0.1, (n, 2))


NOISE = {
    "normal": lambda random: random.normal(size=(400, 5)),
    "in many dimensions": lambda random: random.normal(size=(300, 50)),
    "stretched": lambda random: random.normal(size=(300, 4)) * [20, 5, 1, 0.1],
    "uniform": lambda random: random.uniform(size=(500, 3)),
    "heavy tails": lambda random: random.standard_t(3, size=(400, 5)),
    "one ring": lambda random: ring(random, 500),
    "a line": lambda random: random.normal(size=(200, 1)),
    "few points": lambda random: random.normal(size=(50, 3)),
}


@pytest.mark.parametrize("n_clusters", [2, 3, 10])
@pytest.mark.parametrize("kind", NOISE)
def test_noise_does_not_stand_out(kind, n_clusters):
    assert not stand_out(evidence_in_features(NOISE[kind](np.random.default_rng(7)), n_clusters))


CLUSTERED = {
    "blobs": lambda: (make_blobs(300, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)[0], 3),
    "blobs that touch": lambda: (make_blobs(600, centers=[[0, 0], [4, 0], [0, 4], [4, 4]], random_state=0)[0], 4),
    "moons": lambda: (make_moons(500, noise=0.05, random_state=0)[0], 2),
    "circles": lambda: (make_circles(500, factor=0.5, noise=0.05, random_state=0)[0], 2),
    "iris": lambda: (load_iris().data, 2),
    "wine": lambda: (scale(load_wine().data), 3),
}


@pytest.mark.parametrize("kind", CLUSTERED)
def test_clusters_stand_out(kind):
    X, n_clusters = CLUSTERED[kind]()
    assert stand_out(evidence_in_features(X, n_clusters))


def test_random_graphs_do_not_stand_out_and_blocks_do():
    random = nx.gnm_random_graph(300, 1800, seed=1)
    blocks = nx.stochastic_block_model([100] * 3, np.full((3, 3), 0.02) + 0.13 * np.eye(3), seed=1)
    for graph, expected in ((random, False), (blocks, True), (nx.karate_club_graph(), True)):
        n_clusters = 2 if len(graph) == 34 else 3
        W = nx.to_scipy_sparse_array(graph, dtype=float, format="csr")
        assert stand_out(evidence_in_graph(W, n_clusters)) == expected


def test_units_turns_and_order_do_not_matter_much():
    X = make_blobs(300, centers=4, n_features=3, cluster_std=1.0, random_state=3)[0]
    score = evidence_in_features(X, 4).score
    assert evidence_in_features(1e6 * X + 5, 4).score == pytest.approx(score, rel=1e-6)
    assert evidence_in_features(sp.csr_array(X), 4).score == pytest.approx(score, rel=1e-6)
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    assert stand_out(evidence_in_features(X @ turned, 4))
    assert stand_out(evidence_in_features(X[::-1], 4))


@pytest.mark.parametrize("metric", ["manhattan", "cosine"])
def test_other_distances_are_compared_in_the_units_of_the_data(metric):
    random = np.random.default_rng(0)
    noise = random.normal(5, 1, size=(300, 4))
    assert not stand_out(evidence_in_features(noise, 3, metric))
    assert stand_out(evidence_in_features(noise + 40 * np.eye(4)[np.arange(300) % 3], 3, metric))


def test_the_same_on_any_number_of_threads():
    X = np.random.default_rng(0).normal(size=(1200, 4))
    with threadpool_limits(1):
        alone = evidence_in_features(X, 4)
    assert evidence_in_features(X, 4) == alone
    assert alone.n_points == MOST_POINTS


@pytest.mark.parametrize(
    ("X", "metric"),
    [
        (np.ones((50, 3)), "euclidean"),
        (np.arange(10.0)[:, None], "euclidean"),
        (np.random.default_rng(0).integers(2, size=(60, 5)), "hamming"),
    ],
    ids=["all the same", "a handful", "yes and no"],
)
def test_where_nothing_can_be_said_nothing_is(X, metric):
    assert evidence_in_features(X, 2, metric) is None


def test_one_cluster_is_not_compared():
    assert evidence_in_features(np.random.default_rng(0).normal(size=(50, 2)), 1) is None
    assert evidence_in_graph(np.ones((30, 30)), 1) is None
    assert evidence_in_graph(np.ones((10, 10)), 2) is None


def test_a_huge_graph_is_not_compared(monkeypatch):
    W = nx.to_scipy_sparse_array(nx.karate_club_graph(), dtype=float, format="csr")
    monkeypatch.setattr("s3nmf.trust.evidence._MOST_EDGES", W.nnz)
    assert evidence_in_graph(W, 2) is not None
    monkeypatch.setattr("s3nmf.trust.evidence._MOST_EDGES", W.nnz - 1)
    assert evidence_in_graph(W, 2) is None


def test_duplicates_are_no_evidence():
    X = np.random.default_rng(0).normal(size=(150, 3))
    assert not stand_out(evidence_in_features(np.repeat(X, 2, axis=0), 3))


def test_a_model_judges_itself_against_chance_unless_told_not_to():
    X = np.random.default_rng(3).normal(size=(400, 5))
    model = S3NMF(3, random_state=0).fit(X)
    verdict = model.judge()
    assert verdict.has_clusters is False
    assert verdict.judgement.startswith("Do not rely on them")
    assert model.judge(against_chance=False).has_clusters is None
    assert model.judge() is verdict
    graph = S3NMF(3, affinity="precomputed", random_state=0).fit(model.affinity_matrix_)
    assert graph.judge().evidence
