"""Whatever the data are, the comparison with chance says something finite, or nothing; the same every time."""

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import affinities
from s3nmf.trust.evidence import FEWEST_POINTS, METRICS, evidence_in_features, evidence_in_graph
from s3nmf.trust.nulls import one_cloud, rewired, same_radii


@st.composite
def points(draw, min_n=2, max_n=40):
    """Points with copies, constant columns, outliers, columns in very different units."""
    n, d = draw(st.integers(min_n, max_n)), draw(st.integers(1, 4))
    X = np.random.default_rng(draw(st.integers(0, 2**32 - 1))).normal(size=(n, d))
    if draw(st.booleans()):
        X = np.round(X)
    if draw(st.booleans()):
        X[:, 0] = draw(st.sampled_from([0.0, -3.0, 1e140]))
    if draw(st.booleans()):
        X[draw(st.integers(0, n - 1))] = draw(st.sampled_from([1e3, 1e100, -1e149]))
    return X * draw(st.sampled_from([1.0, 1e-140, 1e-20, 1e20]))


def check(found):
    assert found is None or (np.isfinite(found.score) and 0.0 <= found.found.crossing <= 1.0)


@settings(max_examples=15)
@given(points(), st.integers(1, 6), st.sampled_from(sorted(METRICS)))
def test_evidence_in_damaged_points_is_a_number_or_none(X, n_clusters, metric):
    if metric in {"cosine", "correlation"}:
        X = X + 1.0  # rows of zeros have no direction
    check(evidence_in_features(X, n_clusters, metric))


def test_points_that_are_too_close_for_numbers_say_nothing():
    X = np.column_stack([np.full(20, 1e140), np.random.default_rng(0).normal(size=20)])
    check(evidence_in_features(X, 2, "chebyshev"))


@settings(max_examples=15)
@given(affinities(min_n=FEWEST_POINTS, max_n=40), st.integers(1, 6), st.sampled_from([1e-310, 1e-40, 1.0, 1e300]))
def test_evidence_in_damaged_graphs_is_a_number_or_none(W, n_clusters, scale):
    W[0, 0] = W.max()  # a self loop
    check(evidence_in_graph(sp.csr_array(W * scale), n_clusters))


@given(points(), st.integers(0, 2**32 - 1))
def test_nulls_of_damaged_points_are_finite_and_of_the_same_shape(X, seed):
    X = X / max(np.abs(X).max(), 1e-300)
    for null in (one_cloud, same_radii):
        one, other = (null(X, np.random.default_rng(seed)) for _ in range(2))
        assert one.shape == X.shape
        assert np.isfinite(one).all()
        np.testing.assert_array_equal(one, other)


@given(affinities(), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_a_rewired_graph_is_one(W, most, seed):
    found = rewired(sp.csr_array(W), most, np.random.default_rng(seed))
    assert found.shape[0] == min(most, len(W))
    assert (found.data >= 0).all()
    assert (found != found.T).nnz == 0
    assert found.nnz <= np.count_nonzero(W)
