"""GraphML and GML, by networkx."""

from __future__ import annotations

import io
from typing import BinaryIO

from s3nmf.desk.sources.errors import foreign, optional
from s3nmf.desk.sources.formats import file_format
from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.networks import graph_of_network
from s3nmf.desk.sources.opening import read_all, refuse_document_type
from s3nmf.desk.sources.options import Options


@file_format("graphml", ".graphml", kind="graph", has_ids=True, has_truth=True)
def read_graphml(stream: BinaryIO, source: str, options: Options) -> Graph:
    """Read a GraphML file. Document types are refused: they can define entities that fill a memory or read files."""
    networkx = optional("networkx", "graphs", "GraphML")
    data = read_all(stream, source)
    refuse_document_type(data, source)
    with foreign("networkx", source, "Check that it is GraphML, or write it again."):
        network = networkx.read_graphml(io.BytesIO(data))
    return graph_of_network(network, source, options, as_text=True)


@file_format("gml", ".gml", kind="graph", has_ids=True, has_truth=True)
def read_gml(stream: BinaryIO, source: str, options: Options) -> Graph:
    """Read a GML file; nodes are called by their labels, or by their numbers where they have none."""
    networkx = optional("networkx", "graphs", "GML")
    data = read_all(stream, source)
    with foreign("networkx", source, "Check that it is GML, or write it again."):
        try:
            network = networkx.read_gml(io.BytesIO(data))
        except networkx.NetworkXError as error:
            if "no 'label' attribute" not in str(error):
                raise
            network = networkx.read_gml(io.BytesIO(data), label="id")
    return graph_of_network(network, source, options, as_text=True)
