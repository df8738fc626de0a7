"""Graphs in memory: of networkx, of igraph, and sparse or dense matrices. No graph library is imported."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray
from s3nmf._words import counted, quoted, shortened
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.frames import comes_from
from s3nmf.desk.sources.graph import Graph, graph_from_edges, graph_from_matrix
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table import check_ids

_WEIGHT = "weight"


def graph_of(graph: Any, *, id: str | None = None, normalize: bool = True) -> Graph:  # noqa: A002
    """A graph object as an affinity that can be clustered.

    Parameters
    ----------
    graph : networkx or igraph graph, or square array or sparse matrix of weights
        Edges weigh what their attribute "weight" says, or 1.
    id : str or None
        The attribute of nodes to take as ids. By default networkx's nodes themselves, igraph's "name" or numbers.
    normalize : bool
        Whether weights that are not normalised yet are divided by the square roots of the degrees of both ends.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import networkx as nx
    >>> graph = graph_of(nx.karate_club_graph())
    >>> graph.affinity.shape, graph.ids[:3]
    ((34, 34), [0, 1, 2])
    >>> from s3nmf import S3NMF
    >>> labels = S3NMF(2, affinity="precomputed", random_state=0).fit_predict(graph.affinity)
    """
    options = Options(id=id, normalize=normalize)
    if comes_from(graph, "networkx"):
        return graph_of_network(graph, "the networkx graph", options)
    if comes_from(graph, "igraph") and hasattr(graph, "vcount"):
        return _graph_of_igraph(graph, "the igraph graph", options)
    if sp.issparse(graph) or isinstance(graph, np.ndarray):
        if id is not None:
            raise SourceError(f"A matrix has no attribute {id!r} of nodes. Leave out id; nodes are numbered.")
        return graph_from_matrix(
            graph, range(graph.shape[0]) if graph.ndim == 2 else (), "the matrix", normalize=normalize
        )
    raise TypeError(f"graph_of takes a graph of networkx or igraph, or a matrix, not {type(graph).__name__}.")


def graph_of_network(network: Any, source: str, options: Options, *, as_text: bool = False) -> Graph:
    """The same for a networkx graph, with a name for messages, and ids as text if it is from a file."""
    nodes = list(network.nodes)
    number_of = {node: number for number, node in enumerate(nodes)}
    ends = np.array([(number_of[start], number_of[end]) for start, end in network.edges()], dtype=np.intp)
    weights, notes = _weights((data for _, _, data in network.edges(data=True)), source)
    ids = nodes
    if options.id is not None:
        ids = _attribute([network.nodes[node] for node in nodes], options.id, source)
    attributes = [network.nodes[node] for node in nodes]
    truth = None if options.truth is None else _attribute(attributes, options.truth, source, repeats=True)
    kept = {name: _attribute(attributes, name, source, repeats=True, gaps=True) for name in options.keep}
    return graph_from_edges(
        ends,
        weights,
        [str(name) for name in ids] if as_text else ids,
        source,
        directed=network.is_directed(),
        notes=notes,
        normalize=options.normalize,
        id_name=options.id or "node",
        truth=truth,
        kept=kept,
    )


def _graph_of_igraph(graph: Any, source: str, options: Options) -> Graph:
    ends = np.array(graph.get_edgelist(), dtype=np.intp)
    weights, notes = _weights((edge.attributes() for edge in graph.es), source)
    ids: Sequence[Any] = range(graph.vcount())
    attribute = options.id
    if attribute is None and "name" in graph.vs.attributes() and len(set(graph.vs["name"])) == len(ids):
        attribute = "name"
    if attribute is not None:
        ids = _attribute([node.attributes() for node in graph.vs], attribute, source)
    return graph_from_edges(
        ends,
        weights,
        ids,
        source,
        directed=graph.is_directed(),
        notes=notes,
        normalize=options.normalize,
        id_name=attribute or "node",
    )


def _weights(edges: Iterable[Mapping[str, Any]], source: str) -> tuple[FloatArray, list[str]]:
    """What each edge weighs; one without a weight weighs 1."""
    weights, without = [], 0
    for edge in edges:
        weight = edge.get(_WEIGHT)
        if weight is None:
            without += 1
            weight = 1.0
        try:
            weights.append(float(weight))
        except (TypeError, ValueError, OverflowError) as error:
            raise SourceError(
                f"{source}: the weight {shortened(repr(weight))} of an edge is not a number. Give one number an edge."
            ) from error
    some = 0 < without < len(weights)
    notes = [f"{counted(without, 'edge')} of {len(weights)} without a weight: taken as 1."] if some else []
    return np.array(weights, dtype=np.float64), notes


def _attribute(
    nodes: Sequence[Mapping[str, Any]], key: str, source: str, *, repeats: bool = False, gaps: bool = False
) -> list[Any]:
    names = [node.get(key) for node in nodes]
    if all(name is None for name in names):
        known = dict.fromkeys(name for node in nodes for name in node)
        has = f"They have {quoted(known)}." if known else "They have none: leave out the id."
        raise SourceError(f"{source}: no node has an attribute {key!r}. {has}")
    if not all(isinstance(name, Hashable) for name in names):
        raise SourceError(
            f"{source}: the attribute {key!r} holds lists or tables. Choose one with a name for each node."
        )
    remedy = "Choose another attribute, or correct it."
    if not gaps:
        check_ids(names, key, lambda row: f"node {row}", source, remedy=remedy, repeats=repeats)
    return names
