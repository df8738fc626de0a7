import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphs import affinities, connected_affinity
from s3nmf.affinity import nearest_neighbor_affinity, normalize_affinity
from s3nmf.desk.sources.graph import graph_from_edges, graph_from_matrix
from s3nmf.sources import SourceError, graph_of

EDGES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.floats(0, 1e6, allow_subnormal=False)), min_size=1, max_size=25
)


def note(graph, words):
    return any(words in said for said in graph.notes)


@given(affinities(), st.sampled_from([np.asarray, sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_array]))
def test_a_matrix_is_normalised_once(W, convert):
    graph = graph_from_matrix(convert(W), None, "w")
    np.testing.assert_allclose(graph.affinity.toarray(), normalize_affinity(W), rtol=1e-12, atol=1e-300)
    assert note(graph, "Normalised the weights") or np.allclose(normalize_affinity(W), W)
    again = graph_from_matrix(graph.affinity, None, "w")
    assert (again.affinity != graph.affinity).nnz == 0
    assert not note(again, "Normalised")


def test_weights_stay_as_they_are_on_request():
    W = connected_affinity(0, 9)
    graph = graph_from_matrix(W, None, "w", normalize=False)
    np.testing.assert_array_equal(graph.affinity.toarray(), W)
    assert not note(graph, "Normalised")


def test_the_graph_of_a_table_is_recognised_as_normalised():
    W = nearest_neighbor_affinity(np.random.default_rng(0).random((80, 3)))
    assert (graph_from_matrix(W, None, "w").affinity != W).nnz == 0


@given(EDGES)
def test_edges_add_up_to_a_symmetric_matrix(edges):
    """Against a literal loop."""
    expected = np.zeros((7, 7))
    for i, j, weight in edges:
        if i != j:
            expected[i, j] += weight
            expected[j, i] += weight
    ends, weights = np.array([edge[:2] for edge in edges]), np.array([edge[2] for edge in edges])
    for directed in (False, True):
        if not expected.any():
            with pytest.raises(SourceError, match="no edge between two nodes"):
                graph_from_edges(ends, weights, range(7), "e", directed=directed)
            continue
        graph = graph_from_edges(ends, weights, range(7), "e", directed=directed, normalize=False)
        np.testing.assert_allclose(graph.affinity.toarray(), expected, rtol=1e-12)
        assert (graph.affinity != graph.affinity.T).nnz == 0
        assert note(graph, "directed") == directed


def test_notes_say_what_became_of_the_edges():
    ends = np.array([[0, 1], [1, 0], [1, 2], [1, 2], [2, 2], [3, 4]])
    graph = graph_from_edges(ends, np.ones(6), list("abcdef"), "e")
    assert graph.notes == (
        "2 edges listed more than once, or in both directions: weights were added.",
        "Dropped 1 self-loop: similarity to itself does not tell where a node belongs.",
        "Normalised the weights by the degrees of both ends, so that hubs do not outweigh the rest.",
    )


def test_the_two_directions_of_a_matrix_are_averaged():
    A = np.array([[0, 2.0, 0], [4, 0, 1], [0, 1, 0]])
    graph = graph_from_matrix(A, None, "w", normalize=False)
    np.testing.assert_array_equal(graph.affinity.toarray(), (A + A.T) / 2)
    assert note(graph, "directed; the weight of an edge is the mean")
    rounding = np.array([[0, 1.0, 0], [1 + 1e-12, 0, 1], [0, 1, 0]])
    graph = graph_from_matrix(rounding, None, "w", normalize=False)
    assert not note(graph, "directed")
    np.testing.assert_array_equal(graph.affinity.toarray(), rounding)


@pytest.mark.parametrize("factor", [1e-300, 1e307])
def test_extreme_weights_are_normalised(factor):
    W = connected_affinity(0, 40)
    graph = graph_from_matrix(W * factor, None, "w")
    np.testing.assert_allclose(graph.affinity.toarray(), normalize_affinity(W))


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (np.zeros((2, 3)), "has the shape (2, 3)"),
        (np.zeros(3), "has the shape (3,)"),
        (np.zeros((3, 3)), "no edge between two nodes"),
        (np.eye(3), "no edge between two nodes"),
        (np.ones((1, 1)), "has 1 node"),
        (np.array([[0, -1], [-1, 0]]), "the edge from 'x' to 'y' has the weight -1, and 1 more"),
        (np.array([[0, np.nan], [1, 0]]), "weight nan"),
        (np.array([[0, np.inf], [1, 0]]), "weight inf"),
        (np.array([[0, 1j], [1j, 0]]), "type complex128"),
    ],
)
def test_what_is_no_graph_is_said(matrix, said):
    for convert in (np.asarray, sp.csr_array, sp.coo_array):
        if matrix.ndim == 1 and convert is not np.asarray:
            continue
        ids = ["x", "y", "z"][: matrix.shape[0]]
        with pytest.raises(SourceError) as error:
            graph_from_matrix(convert(matrix), ids, "w")
        assert said in str(error.value)


def test_names_must_be_as_many_as_nodes():
    with pytest.raises(SourceError, match="3 nodes, and there are 2 names"):
        graph_from_matrix(connected_affinity(0, 3), ["x", "y"], "w")


def test_weights_that_add_up_beyond_the_largest_number_are_refused():
    with pytest.raises(SourceError, match=r"add up to more than 1\.8e308"):
        graph_from_edges(np.array([[0, 1], [0, 1]]), np.array([1e308, 1e308]), "ab", "e")


def test_the_callers_matrix_is_not_changed():
    twice = sp.csr_array((np.array([1.0, 2, 3]), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    assert graph_from_matrix(twice, None, "w", normalize=False).affinity[0, 1] == 3
    assert twice.data.tolist() == [1, 2, 3]
    assert twice.indices.tolist() == [1, 1, 0]


def test_unsound_indices_are_found_before_they_are_followed():
    unsound = sp.csr_array((2, 2))
    unsound.data, unsound.indices, unsound.indptr = np.ones(1), np.array([10**6]), np.array([0, 1, 1])
    with pytest.raises(SourceError, match="indices do not fit its shape"):
        graph_from_matrix(unsound, None, "w")


@pytest.mark.parametrize("scale", [1e-310, 1e300])
def test_weights_of_any_scale_are_normalised(scale):
    W = sp.csr_array(np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3)) + 0.25)
    np.testing.assert_allclose(graph_of(W * scale).affinity.toarray(), graph_of(W).affinity.toarray(), rtol=1e-6)
