"""How good a partition is by the graph, and which of two is better."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.method import score
from s3nmf.method.score import Score, is_better, max_conductance, share_across


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_conductances_are_shares_of_links_to_others(seed, n):
    random = np.random.default_rng(seed)
    W = random.random((n, n)) * (random.random((n, n)) < 0.3)
    W = W + W.T
    labels = np.unique(random.integers(0, 4, n), return_inverse=True)[1].astype(random.choice([np.uint8, np.intp]))
    shares = [0.0]
    for k in range(labels.max() + 1):
        of_cluster = W[labels == k]
        if of_cluster.sum() > 0:
            shares.append(of_cluster[:, labels != k].sum() / of_cluster.sum())
    for affinity in (W, sp.csr_array(W)):
        assert max_conductance(affinity, labels) == pytest.approx(max(shares), abs=1e-12)
        across = W[labels[:, None] != labels].sum() / max(W.sum(), 1e-300)
        assert share_across(affinity, labels) == pytest.approx(across, abs=1e-12)


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_some_points_of_a_large_graph_say_what_all_do(monkeypatch, convert):
    labels = np.arange(3000) % 3
    random = np.random.default_rng(0)
    W = (random.random((3000, 3000)) < np.where(labels[:, None] == labels, 0.02, 0.002 * (1 + labels))).astype(float)
    W = convert(np.maximum(W, W.T))
    whole = max_conductance(W, labels)
    few = 3000 * 300 if convert is np.asarray else W.nnz // 10
    monkeypatch.setattr(score, "SPEED", replace(score.SPEED, entries_looked_at=few))
    assert max_conductance(W, labels) == pytest.approx(whole, rel=0.05)
    assert max_conductance(W, labels) == max_conductance(W, labels) != whole


@pytest.mark.parametrize(
    ("other", "voted", "better"),
    [
        (Score(0.005, 0.1, 5), True, True),  # far less conductance, whatever the likelihood
        (Score(0.005, 0.1, 5), False, False),  # but without a vote, only if clusters are apart
        (Score(0.001, 0.1, 5), False, True),
        (Score(0.005, 0.1, 4), True, False),  # of fewer clusters
        (Score(0.010, 0.9, 5), True, False),  # neither less conductance nor a higher likelihood
        (Score(0.022, 0.94, 5), True, True),  # a higher likelihood
        (Score(0.022, 0.94, 5), False, False),
        (Score(0.060, 0.94, 5), True, False),  # a higher likelihood, by cutting through a cluster
        (Score(0.020, 0.90, 5), True, False),
    ],
)
def test_a_score_is_better_by_far_less_conductance_or_a_far_higher_likelihood(other, voted, better):
    assert is_better(other, than=Score(0.02, 0.9, 5), voted=voted) == better


def test_where_clusters_touch_conductances_are_not_compared():
    """A small cluster then has a larger one than a large cluster that is cut in the middle."""
    assert not is_better(Score(0.06, 0.9, 5), than=Score(0.6, 0.9, 5))
    assert is_better(Score(0.06, 0.94, 5), than=Score(0.6, 0.9, 5))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1), st.booleans())
def test_of_two_scores_one_at_most_is_better(one, other, likely, likelier, voted):
    first, second = Score(one, likely, 3), Score(other, likelier, 3)
    assert not (is_better(first, than=second, voted=voted) and is_better(second, than=first, voted=voted))
