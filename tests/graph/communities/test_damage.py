"""Whatever weights a graph has, its communities are a partition, found the same way again, within the arrays."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs import affinities
from s3nmf import S3NMF
from s3nmf._threads import ALONE
from s3nmf.graph.communities.graph import weighted_graph
from s3nmf.graph.communities.groups import find_groups
from s3nmf.graph.communities.resolution import find_resolutions
from s3nmf.graph.communities.search import communities

SCALES = st.sampled_from([1.0, 5e-324, 1e-310, 1e-160, 1e-38, 1e-8, 1e8, 1e38, 1e160, 1e300])


@st.composite
def damaged_graphs(draw):
    """Graphs with weights of very different size, self loops, explicit zeros, points alone; dense or sparse."""
    W = draw(affinities(max_n=14)) * draw(SCALES)
    n = len(W)
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        W[i, j] = W[j, i] = W.max() * draw(st.sampled_from([0.0, 1e-300, 1e-45, 1e-38, 1e-7, 1.0]))
    assume(W.any())  # a graph without any weight is refused at the door
    if draw(st.booleans()):
        return W
    i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
    kept = W > 0
    kept[i, j] = kept[j, i] = True  # an entry that may be zero
    return sp.csr_array((W[kept], np.nonzero(kept)), shape=W.shape)


def found_in(W, n_clusters, seed):
    groups = find_groups(weighted_graph(W), n_clusters, seed)
    levels = find_resolutions(groups, n_clusters, seed, spread=0.5).spread(3)
    return levels, communities(groups, levels, [seed, seed + 1, seed + 2], ALONE)


@given(damaged_graphs(), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_communities_are_partitions_of_all_points(W, n_clusters, seed):
    levels, members = found_in(W, n_clusters, seed)
    assert np.isfinite(levels).all()
    assert (levels > 0).all()
    for labels in members:
        assert labels.shape == (W.shape[0],)
        assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
    again = found_in(W, n_clusters, seed)[1]
    assert all(np.array_equal(one, other) for one, other in zip(members, again, strict=True))


@given(damaged_graphs())
def test_the_graph_has_every_edge_and_no_other(W):
    """Weights that single precision cannot hold once were none, and the loops wrote beyond their arrays."""
    graph = weighted_graph(W)
    dense = W.toarray() if sp.issparse(W) else W
    edges = (dense > 0) & ~np.eye(len(dense), dtype=bool)
    row_of = graph.row_of
    assert np.array_equal(np.diff(graph.starts)[row_of], edges.sum(axis=1))
    assert (graph.weights > 0).all()
    rows = np.repeat(np.arange(graph.n_rows), np.diff(graph.starts))
    assert edges[np.argsort(row_of)[rows], np.argsort(row_of)[graph.neighbors]].all()


@pytest.mark.parametrize("order", ["C", "F"])
@given(W=affinities())
def test_a_dense_graph_is_that_of_the_sparse_one(order, W):
    one, other = weighted_graph(np.asarray(W, order=order)), weighted_graph(sp.csr_array(W))
    for name in ("starts", "neighbors", "weights", "row_of"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_allclose(one.strength, other.strength, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("weak", [1e-9, 1e-300])
def test_an_edge_that_is_only_rounding_in_one_direction_is_no_fault(weak):
    """A point whose own row is empty, and that another one has as a neighbour, once was a division by zero."""
    W = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, weak], [0.0, 0.0, 0.0]])
    assert set(S3NMF(2, affinity="precomputed", n_members=3, random_state=0).fit_predict(W)) == {0, 1}


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_points_that_hang_by_a_vanishing_weight_are_no_fault():
    W = np.zeros((6, 6))
    W[0, 1] = W[1, 0] = W[1, 2] = W[2, 1] = 1.0
    W[3, 4] = W[4, 3] = W[4, 5] = W[5, 4] = 1e-300
    labels = S3NMF(2, affinity="precomputed", n_members=3, random_state=0).fit_predict(W)
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]
