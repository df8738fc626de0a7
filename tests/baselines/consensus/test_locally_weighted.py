from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_info, threadpool_limits

from ensembles import planted_ensemble
from graphs import member_partitions
from s3nmf import EmptyClusterWarning
from s3nmf.baselines.consensus import locally_weighted
from s3nmf.baselines.consensus.average_linkage import average_linkage
from s3nmf.baselines.consensus.cluster_index import ensemble_driven_cluster_index
from s3nmf.baselines.consensus.co_association import grouped_co_association
from s3nmf.baselines.consensus.pool import check_partitions, cluster_pool
from s3nmf.baselines.consensus.transfer_cut import transfer_cut
from s3nmf.baselines.spectral.embedding import spectral_embedding
from s3nmf.metrics import accuracy
from s3nmf.partitions import by_decreasing_size

FORMS = ("spectral", "average-linkage", "bipartite")
EACH_FORM = pytest.mark.parametrize("consensus", FORMS)


@EACH_FORM
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.4])
def test_a_planted_partition_is_recovered(consensus, noise):
    truth, partitions = planted_ensemble(0, 400, 4, noise=noise)
    result = locally_weighted(partitions, 4, consensus=consensus, random_state=0)
    assert accuracy(truth, result.labels) > 0.98
    np.testing.assert_array_equal(result.partitions, check_partitions(partitions))
    expected = ensemble_driven_cluster_index(cluster_pool(result.partitions), theta=0.4)
    np.testing.assert_array_equal(result.cluster_weights, expected)


@EACH_FORM
def test_partitions_that_know_nothing_do_not_drown_out_those_that_agree(consensus):
    truth, good = planted_ensemble(1, 300, 3, n_members=3, noise=0.05)
    scattered = np.random.default_rng(1).integers(0, 12, (12, 300))
    result = locally_weighted(np.vstack([good, scattered]), 3, consensus=consensus, random_state=0)
    assert accuracy(truth, result.labels) > 0.95


@EACH_FORM
def test_the_index_decides_what_a_base_cluster_counts(consensus):
    """With the weights of another theta, and with none at all, the steps lead elsewhere."""
    _, partitions = planted_ensemble(0, 300, 4, n_members=5, noise=0.6)
    pool = cluster_pool(check_partitions(partitions))
    assert pool.counts.max() > 5

    def step_by_step(weights):
        if consensus == "average-linkage":
            return by_decreasing_size(average_linkage(pool, weights, 4))
        if consensus == "bipartite":
            embedding = transfer_cut(pool, weights, 4)
        else:
            embedding = spectral_embedding(grouped_co_association(pool, weights), 4)
        search = KMeans(4, n_init=10, random_state=0).fit(embedding, sample_weight=pool.counts)
        return by_decreasing_size(search.labels_[pool.group_of])

    found = locally_weighted(partitions, 4, consensus=consensus, theta=0.2, random_state=0).labels
    np.testing.assert_array_equal(found, step_by_step(ensemble_driven_cluster_index(pool, 0.2)))
    assert (found != step_by_step(ensemble_driven_cluster_index(pool, 0.4))).any()
    assert (found != step_by_step(np.ones(pool.n_clusters))).any()


@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
@given(member_partitions(), st.integers(1, 6), st.sampled_from(FORMS), st.sampled_from([0.1, 0.4, 1.6]))
def test_any_ensemble_gets_a_partition(partitions, n_clusters, consensus, theta):
    checked = check_partitions(partitions)
    pool = cluster_pool(checked)
    n_clusters = min(n_clusters, pool.n_clusters, partitions.shape[1])
    labels = locally_weighted(partitions, n_clusters, consensus=consensus, theta=theta, random_state=0).labels
    np.testing.assert_array_equal(labels, by_decreasing_size(labels))
    assert labels.max() + 1 == min(n_clusters, pool.n_groups)
    if consensus != "average-linkage":
        assert all(np.unique(labels[pool.group_of == group]).size == 1 for group in range(pool.n_groups))


@EACH_FORM
@pytest.mark.parametrize("n_members", [1, 5])
def test_members_that_agree_are_the_answer(consensus, n_members):
    partition = np.array([0, 0, 0, 1, 1, 2])
    result = locally_weighted(np.tile(partition, (n_members, 1)), 3, consensus=consensus)
    assert result.labels.tolist() == partition.tolist()
    assert (result.cluster_weights == 1.0).all()
    with pytest.warns(EmptyClusterWarning, match="Only 3 of the n_clusters=4.*give more partitions"):
        labels = locally_weighted(np.tile(partition, (2, 1)), 4, consensus=consensus).labels
    assert labels.tolist() == partition.tolist()


@EACH_FORM
def test_members_with_fewer_clusters_than_asked_for_can_have_a_finer_consensus(consensus):
    truth = np.arange(4).repeat(10)
    partitions = [truth // 2, truth % 2]
    labels = locally_weighted(partitions, 4, consensus=consensus, random_state=0).labels
    np.testing.assert_array_equal(labels, truth)


@EACH_FORM
def test_one_cluster_and_as_many_clusters_as_points(consensus):
    _, partitions = planted_ensemble(1, 12, 4, noise=0.8)
    assert not locally_weighted(partitions, 1, consensus=consensus).labels.any()
    assert sorted(locally_weighted(partitions, 12, consensus=consensus).labels) == list(range(12))


@EACH_FORM
def test_partitions_that_all_respect_components_give_the_components(consensus):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 400)
    nested = np.array([truth * 6 + rng.integers(0, 6, 400) for _ in range(4)])
    assert accuracy(truth, locally_weighted(nested, 5, consensus=consensus, random_state=0).labels) == 1.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 9}, "n_clusters=9 is more than n_samples=8"),
        ({"n_clusters": 7, "consensus": "bipartite"}, "have 6 clusters in all, fewer than n_clusters=7"),
        ({"theta": 1e-4}, r"theta=0.0001 is so small that the weights of \d+ base clusters vanish.*such as 0.4"),
        ({"theta": 0.0}, "'theta' parameter of locally_weighted must be"),
        ({"consensus": "metis"}, "'consensus' parameter of locally_weighted must be"),
    ],
)
def test_what_cannot_be_done_is_refused(parameters, message):
    partitions = [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]]
    with pytest.raises(ValueError, match=message):
        locally_weighted(partitions, **{"n_clusters": 2, **parameters})


@pytest.mark.parametrize("consensus", ["spectral", "bipartite"])
def test_fifty_thousand_points_take_seconds(consensus):
    truth, partitions = planted_ensemble(0, 50_000, 10, noise=0.1)
    labels = locally_weighted(partitions, 10, consensus=consensus, random_state=0).labels
    assert accuracy(truth, labels) > 0.99


@pytest.mark.parametrize("consensus", ["spectral", "bipartite"])
def test_threads_change_nothing_even_where_nothing_is_clear(consensus):
    _, partitions = planted_ensemble(0, 10_000, 10, noise=0.95)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(locally_weighted(partitions, 10, consensus=consensus, random_state=0).labels)
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize("consensus", ["spectral", "bipartite"])
def test_sums_are_not_cut_up_by_threads(consensus, monkeypatch):
    """Labels seldom hang on the last bit, so the test above alone would not notice."""
    seen = []

    class Watched(KMeans):
        def fit(self, *arguments, **weights):
            seen.extend(pool["num_threads"] for pool in threadpool_info())
            return super().fit(*arguments, **weights)

    monkeypatch.setattr(import_module("s3nmf.baselines.consensus.locally_weighted"), "KMeans", Watched)
    with threadpool_limits(limits=2):
        locally_weighted(planted_ensemble(0, 50, 3)[1], 3, consensus=consensus)
    assert set(seen) == {1}
