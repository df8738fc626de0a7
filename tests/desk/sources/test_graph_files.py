import sys

import networkx as nx
import numpy as np
import pytest

from s3nmf.sources import SourceError, graph_of, read
from samples import network

BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph><node id="&b;"/></graph></graphml>
"""


@pytest.mark.parametrize(("suffix", "write"), [("graphml", nx.write_graphml_xml), ("gml", nx.write_gml)])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_graphs_of_networkx_come_back(tmp_path, suffix, write, kind):
    graph = kind(network())
    graph.add_edge("n0", "n5", weight=2.0)
    graph.add_node("née 🦊")
    write(graph, tmp_path / f"g.{suffix}")
    found, expected = read(tmp_path / f"g.{suffix}"), graph_of(graph)
    assert found.ids == list(expected.ids)
    np.testing.assert_allclose(found.affinity.toarray(), expected.affinity.toarray())
    assert found.notes == expected.notes


def test_nodes_without_labels_are_called_by_their_numbers(tmp_path):
    (tmp_path / "g.gml").write_text("graph [ node [ id 7 ] node [ id 3 ] edge [ source 7 target 3 ] ]")
    assert read(tmp_path / "g.gml").ids == ["7", "3"]


@pytest.mark.parametrize(("suffix", "write"), [("graphml", nx.write_graphml_xml), ("gml", nx.write_gml)])
def test_an_attribute_can_name_the_nodes(tmp_path, suffix, write):
    graph = network()
    path = tmp_path / f"g.{suffix}"
    for k, node in enumerate(graph):
        graph.nodes[node]["who"] = f"{k:03}"
    write(graph, path)
    found = read(path, id="who")
    assert found.ids[:2] == ["000", "001"]
    assert found.id_name == "who"
    with pytest.raises(SourceError, match=r"no node has an attribute 'nobody'. They have"):
        read(path, id="nobody")
    graph.nodes["n1"]["who"] = "000"
    write(graph, path)
    with pytest.raises(SourceError, match="1 id comes more than once in 'who'"):
        read(path, id="who")
    del graph.nodes["n1"]["who"]
    write(graph, path)
    with pytest.raises(SourceError, match="the id in node 1 of 'who' is missing"):
        read(path, id="who")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_entities_are_refused_in_every_encoding(tmp_path, encoding):
    text = BILLION_LAUGHS.replace('"1.0"', f'"1.0" encoding="{encoding}"')
    (tmp_path / "g.graphml").write_bytes(text.encode(encoding))
    with pytest.raises(SourceError, match="document type declaration"):
        read(tmp_path / "g.graphml")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.graphml", "not xml", "cannot read it"),
        ("g.graphml", "<html></html>", "networkx cannot read it"),
        ("g.gml", "graph [ node [ id 1 ]", "networkx cannot read it"),
        ("g.gml", "graph [ " * 100_000, "networkx cannot read it"),
        ("g.gml", "graph [ node [ id 1 ] node [ id 2 ] ]", "no edge between two nodes"),
        (
            "g.gml",
            'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight "much" ] ]',
            "the weight 'much' of an edge is not a number",
        ),
        ("g.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight -3 ] ]", "weight -3"),
        ("g.gml", "graph [ node [ id 1 x [ a 1 ] ] node [ id 2 ] edge [ source 1 target 2 ] ]", ""),
    ],
)
def test_what_is_no_graph_is_said(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    if not said:
        with pytest.raises(SourceError, match="holds lists or tables"):
            read(tmp_path / name, id="x")
        return
    with pytest.raises(SourceError) as error:
        read(tmp_path / name)
    assert said in str(error.value)


def test_a_missing_library_names_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    for name in ("g.graphml", "g.gml"):
        (tmp_path / name).write_text("x")
        with pytest.raises(ImportError, match=r"needs networkx. .*s3nmf\[graphs\]"):
            read(tmp_path / name)
