import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import block_diag

from s3nmf import DisconnectedGraphWarning
from s3nmf.affinity import connectivity
from s3nmf.graph.components import warn_if_disconnected


def blocks(*sizes):
    W = block_diag(*(np.ones((size, size)) for size in sizes))
    np.fill_diagonal(W, 0)
    return sp.csr_array(W)


def test_components_are_listed_by_decreasing_size():
    report = connectivity(blocks(2, 5, 1, 3))
    assert report.sizes.tolist() == [5, 3, 2, 1]
    assert report.n_components == 4
    assert report.isolated.tolist() == [7]
    assert report.component_of.tolist() == [2, 2, 0, 0, 0, 0, 0, 3, 1, 1, 1]
    assert not report.is_connected


def test_a_stored_zero_is_no_edge():
    W = sp.csr_array((np.array([1.0, 1.0, 0.0, 0.0]), ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3))
    assert connectivity(W).isolated.tolist() == [2]
    assert W.nnz == 4, "the caller's matrix is not changed"


def test_a_connected_graph_is_reported_as_such_and_gives_no_warning():
    report = connectivity(blocks(4))
    assert report.is_connected
    assert "connected (4 points)" in str(report)
    assert report.advice(2) == "Nothing to do."
    warn_if_disconnected(report, 2)


@pytest.mark.parametrize(
    ("graph", "n_clusters", "words"),
    [
        (blocks(3, 2), 2, "2 components, of 3, 2 points.*fine if they are your clusters"),
        (blocks(3, 2, 2), 2, "more than n_clusters=2.*a larger n_neighbors"),
        (blocks(3, 1), 3, "Isolated points, without any edge: 1, rows 3.*drop it"),
        (blocks(*[2] * 20), 3, "20 components, of 2, 2, 2, 2, 2, 2, 2, 2, ... points"),
    ],
)
def test_the_warning_says_what_to_do(graph, n_clusters, words):
    with pytest.warns(DisconnectedGraphWarning, match=words):
        warn_if_disconnected(connectivity(graph), n_clusters)
