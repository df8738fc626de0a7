import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf import S3NMF
from s3nmf.sources import SourceError, graph_of
from samples import network, weights


def test_every_kind_of_graph_gives_the_same_affinity():
    graph = network()
    expected = graph_of(graph).affinity.toarray()
    others = [igraph.Graph.from_networkx(graph), weights(), weights().toarray(), sp.coo_matrix(weights())]
    for other in others:
        np.testing.assert_allclose(graph_of(other).affinity.toarray(), expected, rtol=1e-12)
    assert graph_of(graph).ids == list(graph.nodes)
    assert list(graph_of(weights()).ids) == list(range(12))


def test_names_of_igraph_are_ids():
    graph = igraph.Graph([(0, 1), (1, 2)])
    assert list(graph_of(graph).ids) == [0, 1, 2]
    graph.vs["name"] = ["ann", "bob", "eve"]
    graph.vs["code"] = [7, 8, 9]
    assert list(graph_of(graph).ids) == ["ann", "bob", "eve"]
    assert list(graph_of(graph, id="code").ids) == [7, 8, 9]
    graph.vs["name"] = ["ann", "ann", "eve"]
    assert list(graph_of(graph).ids) == [0, 1, 2], "names that are not unique are no ids"
    with pytest.raises(SourceError, match="1 id comes more than once in 'name'"):
        graph_of(graph, id="name")


def test_directed_and_parallel_edges_are_added_and_reported():
    for graph in (nx.MultiDiGraph([(0, 1), (0, 1), (1, 2)]), igraph.Graph([(0, 1), (0, 1), (1, 2)], directed=True)):
        found = graph_of(graph, normalize=False)
        np.testing.assert_array_equal(found.affinity.toarray(), [[0, 2, 0], [2, 0, 1], [0, 1, 0]])
        assert found.notes[:2] == (
            "1 edge listed more than once: weights were added.",
            "The graph is directed; the weights of both directions were added.",
        )


def test_edges_without_a_weight_weigh_1():
    graph = nx.Graph([(0, 1), (1, 2)])
    graph.add_edge(2, 0, weight=3)
    found = graph_of(graph, normalize=False)
    assert found.affinity[0, 1] == 1
    assert "2 edges of 3 without a weight: taken as 1." in found.notes
    assert graph_of(nx.Graph([(0, 1)])).notes == ()


def test_weights_must_be_numbers():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight="heavy")
    with pytest.raises(SourceError, match="the weight 'heavy' of an edge is not a number"):
        graph_of(graph)


def test_a_graph_can_be_clustered():
    graph = nx.planted_partition_graph(3, 20, 0.6, 0.02, seed=1)
    labels = S3NMF(3, affinity="precomputed", random_state=0).fit_predict(graph_of(graph).affinity)
    assert [len(set(labels[20 * k : 20 * k + 20])) for k in range(3)] == [1, 1, 1]
    assert len(set(labels)) == 3


def test_other_things_are_refused():
    for thing in ({0: [1]}, [[0, 1], [1, 0]], "graph"):
        with pytest.raises(TypeError, match="takes a graph of networkx or igraph, or a matrix"):
            graph_of(thing)
    with pytest.raises(SourceError, match="no attribute 'x' of nodes"):
        graph_of(weights(), id="x")
    with pytest.raises(SourceError, match=r"has the shape \(\)"):
        graph_of(np.array(1.0))
