"""How good a partition is by the graph, and which of two is better."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.method.score import Score, is_better, score_of


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_conductances_are_shares_of_links_to_others(seed, n):
    random = np.random.default_rng(seed)
    W = random.random((n, n)) * (random.random((n, n)) < 0.3)
    W = W + W.T
    np.fill_diagonal(W, 0.0)
    labels = np.unique(random.integers(0, 4, n), return_inverse=True)[1].astype(random.choice([np.uint8, np.intp]))
    shares = [0.0]
    for k in range(labels.max() + 1):
        of_cluster = W[labels == k]
        if of_cluster.sum() > 0:
            shares.append(of_cluster[:, labels != k].sum() / of_cluster.sum())
    for affinity in (W, sp.csr_array(W)):
        score = score_of(weighted_graph(affinity), labels)
        assert score.max_conductance == pytest.approx(max(shares), abs=1e-6)
        across = W[labels[:, None] != labels].sum() / max(W.sum(), 1e-300)
        assert score.share_across == pytest.approx(across, abs=1e-6)
        assert score.n_clusters == labels.max() + 1


def test_where_there_are_no_links_none_cross():
    one, other = (score_of(weighted_graph(np.eye(4)), np.array(labels)) for labels in ([0, 0, 1, 1], [0, 1, 1, 1]))
    assert one == other == Score(0.0, one.log_likelihood, 0.0, 2)
    assert np.isfinite(one.log_likelihood)


def of(conductance, likelihood, n_clusters=5):
    return Score(conductance, likelihood, 0.0, n_clusters)


@pytest.mark.parametrize(
    ("other", "better"),
    [
        (of(0.005, 0.1), True),  # far less conductance, whatever the likelihood
        (of(0.005, 0.1, 4), False),  # of fewer clusters
        (of(0.005, 0.1, 6), True),
        (of(0.010, 0.9), False),  # neither less conductance nor a higher likelihood
        (of(0.022, 0.94), True),  # a higher likelihood
        (of(0.022, 0.94, 4), False),
        (of(0.060, 0.94), False),  # a higher likelihood, by cutting through a cluster
        (of(0.020, 0.90), False),
        (of(0.020, 0.93), False),  # by chance
    ],
)
def test_a_score_is_better_by_far_less_conductance_or_a_far_higher_likelihood(other, better):
    assert is_better(other, than=of(0.02, 0.9)) == better


@pytest.mark.parametrize(("least", "better"), [(0.0, False), (0.0009, False), (0.0011, True)])
def test_conductances_that_count_as_none_are_not_compared(least, better):
    assert is_better(of(0.0, 0.1), than=of(least, 0.1)) == better


def test_where_clusters_touch_conductances_are_not_compared():
    """A small cluster then has a larger one than a large cluster that is cut in the middle."""
    assert not is_better(of(0.06, 0.9), than=of(0.6, 0.9))
    assert is_better(of(0.06, 0.94), than=of(0.6, 0.9))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_of_two_scores_one_at_most_is_better(one, other, likely, likelier):
    first, second = of(one, likely), of(other, likelier)
    assert not (is_better(first, than=second) and is_better(second, than=first))
