"""Where rounds would take too long, members vote on links: linear in the edges, into as many clusters as asked."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from graphs import affinities, connected_affinity, member_partitions
from s3nmf import S3NMF, self_supervised_nmf
from s3nmf._threads import ALONE
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.method import vote
from s3nmf.method.link_vote import joined_to, link_voted_partition, voted_graph
from s3nmf.method.settings import LINK_VOTE


@pytest.fixture
def no_time(monkeypatch):
    monkeypatch.setattr(vote, "SPEED", replace(vote.SPEED, sweep_multiplications=0.0))


def literal_joined(W, community, n_clusters):
    """Join the smallest community with the one it has the largest share of the links of, on the whole matrix."""
    sets = [np.flatnonzero(community == c) for c in np.unique(community)]
    while len(sets) > n_clusters:
        sets.sort(key=len)
        small = sets.pop(0)
        shares = [W[np.ix_(small, other)].sum() / W[other].sum() for other in sets]
        at = int(np.argmax(shares))
        sets[at] = np.concatenate([sets[at], small])
    return sets


@given(member_partitions(), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_an_edge_weighs_by_the_members_that_keep_it(members, seed):
    n = members.shape[1]
    W = connected_affinity(seed, n)
    weights = np.random.default_rng(seed).random(len(members)) + 0.1
    weights /= weights.sum()
    together = sum(a * (m[:, None] == m[None, :]) for a, m in zip(weights, members, strict=True))
    literal = W * (LINK_VOTE.least_share + (1 - LINK_VOTE.least_share) * together)
    graph = weighted_graph(W)
    voted = voted_graph(graph, members, weights)
    found = voted.matrix.toarray()[np.ix_(graph.row_of, graph.row_of)]
    scale = graph.weights.max() / W.max()
    np.testing.assert_allclose(found, literal * scale, rtol=1e-5)
    np.testing.assert_allclose(voted.strength[graph.row_of], literal.sum(axis=1) * scale, rtol=1e-5)


@given(st.integers(0, 10_000), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_communities_are_joined_as_the_literal_rule_joins_them(seed, n_clusters):
    """Of sizes that are all different at every step, so that nothing is a tie."""
    rng = np.random.default_rng(seed)
    community = np.repeat(np.arange(7), 2 ** np.arange(7))
    W = connected_affinity(seed, community.size) * (rng.random((1, 1)) + 0.5)
    graph = weighted_graph(W)
    found = joined_to(graph, graph.by_row(community), n_clusters)
    expected = np.empty(community.size, int)
    for number, rows in enumerate(literal_joined(W, community, n_clusters)):
        expected[rows] = number
    assert adjusted_rand_score(expected, found) == 1.0


@given(affinities(min_n=6), st.integers(1, 6), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_there_are_as_many_clusters_as_were_asked_for(W, n_clusters, seed):
    """In graphs in pieces, and where members agree on nothing."""
    members = np.random.default_rng(seed).integers(0, 4, (5, len(W)))
    voted = voted_graph(weighted_graph(W), members, np.full(5, 0.2))
    labels = link_voted_partition(voted, n_clusters, seed, ALONE)
    assert np.unique(labels).tolist() == list(range(n_clusters))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("k", [26, 60])
def test_the_vote_on_links_finds_what_rounds_find(no_time, k):
    X, y = make_blobs(1500, centers=k, n_features=8, cluster_std=1.5, random_state=0)
    model = S3NMF(k).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert model.result_.trace.candidates[0].vote == "links"
    assert model.chosen_round_ == 1


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_labels_do_not_depend_on_the_order_of_the_points(no_time):
    X, _ = make_blobs(300, centers=12, cluster_std=1.5, random_state=0)
    W = S3NMF(12).fit(X).affinity_matrix_
    order = np.random.default_rng(0).permutation(300)
    labels = self_supervised_nmf(W, 12).labels
    assert adjusted_rand_score(labels[order], self_supervised_nmf(W[order][:, order], 12).labels) == 1.0


def test_rounds_end_before_they_take_too_long(monkeypatch):
    X, _ = make_blobs(400, centers=8, cluster_std=3.0, random_state=0)
    whole = S3NMF(8).fit(X).result_
    assert len(whole.history) > 3
    one_round = whole.history[0].member_labels
    u = np.unique(one_round, axis=1).shape[1]
    sweeps_of_first = u * 8 * (20 + 2) * 20 * 250
    monkeypatch.setattr(vote, "SPEED", replace(vote.SPEED, sweep_multiplications=2.1 * sweeps_of_first / 2500))
    assert 1 < len(S3NMF(8).fit(X).result_.history) < len(whole.history)
