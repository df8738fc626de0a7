"""Points without an edge are in no cluster, and take none from the others."""

import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf import S3NMF, Communities, Recipe, diagnose, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity

pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
RNG = np.random.default_rng(0)


def cliques(n_isolated, layout=sp.csr_array):
    """Eight cliques of eight, with points without an edge among them, and the clique of each point."""
    n = 64 + n_isolated
    order = RNG.permutation(n)
    W = np.zeros((n, n))
    W[:64, :64] = np.kron(np.eye(8), np.ones((8, 8)) - np.eye(8))
    truth = np.concatenate([np.repeat(np.arange(8), 8), np.full(n_isolated, -1)])
    return layout(W[order][:, order]), truth[order]


@pytest.mark.parametrize("n_isolated", [1, 20, 50, 300])
@pytest.mark.parametrize("members", ["communities", "factorizations"])
def test_isolated_points_take_no_cluster(n_isolated, members):
    W, truth = cliques(n_isolated)
    model = S3NMF(8, members=members, affinity="precomputed", random_state=0).fit(W)
    np.testing.assert_array_equal(model.labels_ == -1, truth == -1)
    assert np.bincount(model.labels_[truth >= 0]).tolist() == [8] * 8
    assert all(np.unique(model.labels_[truth == clique]).size == 1 for clique in range(8))
    assert model.n_noise_ == n_isolated
    assert not model.confidence_[truth == -1].any()
    assert model.membership_.shape == (truth.size, 8)
    np.testing.assert_array_equal(model.predict(W), model.labels_)


def test_all_that_is_said_counts_them_in_no_cluster(tmp_path):
    W, _ = cliques(50)
    model = S3NMF(8, affinity="precomputed", random_state=0).fit(W)
    found, verdict = diagnose(model), model.judge()
    assert found.sizes.tolist() == [8] * 8
    assert verdict.doubtful_in.sum() == 0
    assert np.isfinite(found.shared).all()
    model.save(tmp_path / "model")
    loaded = S3NMF.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    np.testing.assert_array_equal(loaded.predict(W), model.labels_)


def test_the_others_are_clustered_as_if_they_were_alone():
    W, truth = cliques(30, np.array)
    here = truth >= 0
    whole = self_supervised_nmf(W, 3, random_state=0)
    alone = self_supervised_nmf(W[here][:, here], 3, random_state=0)
    np.testing.assert_array_equal(whole.labels[here], alone.labels)
    np.testing.assert_array_equal(whole.membership[here], alone.membership)
    for one, other in zip(whole.history, alone.history, strict=True):
        assert one.agreement == other.agreement
        np.testing.assert_array_equal(one.weights, other.weights)


def test_what_is_given_for_all_points_is_cut_down_to_the_others():
    """Features, other graphs, partitions, starts."""
    X = np.vstack([RNG.normal(size=(30, 2)), RNG.normal(size=(30, 2)) + 9, [[400.0, 400.0]]])
    W = nearest_neighbor_affinity(X).toarray()
    W[60] = W[:, 60] = 0
    graph = Communities(
        more_graphs=[lambda: nearest_neighbor_affinity(X, 3)], wider=lambda: nearest_neighbor_affinity(X)
    )
    partitions = RNG.integers(0, 2, (4, 61))
    partitions[:3, :60] = np.arange(60) // 30
    for how in (
        {"members": graph, "features": X},
        {"members": partitions},
        {"members": "factorizations", "recipe": Recipe(starts=RNG.random((10, 20, 61, 2)))},
    ):
        labels = self_supervised_nmf(W, 2, random_state=0, **how).labels
        assert labels[60] == -1
        assert sorted(map(tuple, (labels[:30], labels[30:60]))) == [(0,) * 30, (1,) * 30]


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_more_clusters_than_points_with_an_edge_are_as_many_as_there_are():
    W, truth = cliques(10)
    labels = self_supervised_nmf(W, 70, random_state=0).labels
    assert labels.max() < 64
    assert (labels[truth == -1] == -1).all()
