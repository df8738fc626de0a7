"""A graph that is ready to be clustered: every node named, every edge taken both ways, its weights normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError

from s3nmf._indices import compact
from s3nmf._types import FloatArray, IntArray, SparseMatrix
from s3nmf._validation import SYMMETRY_TOLERANCE
from s3nmf._words import counted, shortened
from s3nmf.desk.sources.cell_views import CellViews
from s3nmf.desk.sources.errors import SourceError, foreign
from s3nmf.graph.affinity import normalize_affinity
from s3nmf.graph.given import largest_eigenvalue
from s3nmf.graph.range import within_range

# A file of a few bytes can announce any number of nodes: so many are taken as they are, more only with edges to match.
_NODES_WITHOUT_EDGES = 10**6
_NODES_AN_EDGE = 10
_EIGENVALUE_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes to cluster by the edges between them.

    Attributes
    ----------
    ids : sequence of length n_nodes
        What the user calls each node, in the user's order.
    affinity : csr_array of shape (n_nodes, n_nodes)
        Weights of the edges: similarities, symmetric up to rounding, >= 0, with a zero diagonal; normalised unless that
        was declined.
    notes : tuple of str
        What was done to the data on the way, in sentences for the user.
    source : str
        Where it is from, for messages.
    id_name : str
        What the ids are called.
    truth : sequence of length n_nodes, or None
        Known groups.
    kept : mapping of str to sequences of length n_nodes
        Attributes to compare clusters with.
    views : CellViews or None
        Of cells, what a page shows of them.
    rows : sequence of length n_nodes, or None
        Which cells of the source these are, counted from 0; None if they are all of them.
    """

    ids: Sequence[Any]
    affinity: SparseMatrix
    notes: tuple[str, ...]
    source: str
    id_name: str = "node"
    truth: Sequence[Any] | None = None
    kept: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    views: CellViews | None = None
    rows: Sequence[int] | None = None


def graph_from_matrix(
    matrix: Any,
    ids: Sequence[Any] | None,
    source: str,
    *,
    first: int = 0,
    notes: Sequence[str] = (),
    normalize: bool = True,
    id_name: str = "node",
) -> Graph:
    """The graph of a square matrix of weights, dense or sparse. Without ids, nodes are numbered from `first` on."""
    check_shape(matrix.shape, matrix.nnz if sp.issparse(matrix) else matrix.size, source)
    n = matrix.shape[0]
    if matrix.dtype.kind not in "biuf":
        raise SourceError(f"{source}: weights of type {matrix.dtype} are not real numbers. Give one number an edge.")
    with foreign("scipy", source, "Its indices do not fit its shape: write it again."):
        if sp.issparse(matrix) and matrix.format in {"csr", "csc", "bsr"}:
            matrix.check_format(full_check=True)  # else indices beyond the end would be followed
        A = compact(sp.csr_array(matrix, dtype=np.float64, copy=True))
    A.sum_duplicates()
    names = [str(node) for node in range(first, first + n)] if ids is None else ids
    if len(names) != n:
        raise SourceError(f"{source}: the graph has {counted(n, 'node')}, and there are {counted(len(names), 'name')}.")
    _check_weights(A.tocoo(), names, source)
    said = list(notes)
    gap = abs(A - A.T)
    if gap.nnz and gap.max() > SYMMETRY_TOLERANCE * A.max():
        said.append("The graph is directed; the weight of an edge is the mean of its two directions.")
        A = sp.csr_array(0.5 * A + 0.5 * A.T)
    return _finished(A, names, source, notes=said, normalize=normalize, id_name=id_name)


def graph_from_edges(
    ends: IntArray,
    weights: FloatArray,
    ids: Sequence[Any],
    source: str,
    *,
    directed: bool = False,
    notes: Sequence[str] = (),
    normalize: bool = True,
    id_name: str = "node",
    truth: Sequence[Any] | None = None,
    kept: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> Graph:
    """The graph of a list of edges, (n_edges, 2) numbers of nodes that count from 0."""
    n = len(ids)
    sources, targets = ends.reshape(-1, 2).T
    _check_weights(sp.coo_array((weights, (sources, targets)), shape=(n, n)), ids, source)
    said = list(notes)
    low, high = (sources, targets) if directed else (np.minimum(sources, targets), np.maximum(sources, targets))
    one_way = compact(sp.csr_array((weights, (low, high)), shape=(n, n)))
    one_way.sum_duplicates()
    repeated = weights.size - one_way.nnz
    if repeated:
        also = "" if directed else ", or in both directions"
        said.append(f"{counted(repeated, 'edge')} listed more than once{also}: weights were added.")
    if directed:
        said.append("The graph is directed; the weights of both directions were added.")
    found = _finished(sp.csr_array(one_way + one_way.T), ids, source, notes=said, normalize=normalize, id_name=id_name)
    return replace(found, truth=truth, kept=kept)


def check_shape(shape: tuple[int, ...], n_edges: int, source: str) -> None:
    """Refuse what is no graph, and a graph of almost only isolated nodes before memory is taken for them."""
    n = shape[0] if shape else 0
    if shape != (n, n):
        raise SourceError(
            f"{source}: a graph is a square matrix, with a row and a column for each node; this one has the shape "
            f"{shape}. If its columns are features, save it as a dense array (.npy, .csv or .parquet), or fit an "
            "estimator to the sparse one in Python."
        )
    if n > max(_NODES_WITHOUT_EDGES, _NODES_AN_EDGE * n_edges):
        raise SourceError(
            f"{source} announces {n:,} nodes and has {counted(n_edges, 'edge')}; more than {_NODES_AN_EDGE} nodes for "
            f"each edge are taken only up to {_NODES_WITHOUT_EDGES:,} nodes. Leave out the nodes without edges."
        )


def _finished(
    A: SparseMatrix, ids: Sequence[Any], source: str, *, notes: list[str], normalize: bool, id_name: str
) -> Graph:
    if A.shape[0] < 2:
        raise SourceError(f"{source} has {counted(A.shape[0], 'node')}. Clustering needs at least 2.")
    if not np.isfinite(A.data).all():
        raise SourceError(f"{source}: the weights of an edge add up to more than 1.8e308. Change their unit.")
    loops = int(np.count_nonzero(A.diagonal()))
    if loops:
        A = sp.csr_array(A - sp.diags_array(A.diagonal()))
        notes.append(f"Dropped {counted(loops, 'self-loop')}: similarity to itself does not tell where a node belongs.")
    A.eliminate_zeros()
    if not A.nnz:
        raise SourceError(f"{source} has no edge between two nodes. Give a graph with edges of positive weight.")
    in_range, _ = within_range(A)  # what is divided by 1e-310 is infinite
    if normalize and not _is_normalized(in_range):
        A = normalize_affinity(in_range / in_range.max())
        A.eliminate_zeros()
        notes.append("Normalised the weights by the degrees of both ends, so that hubs do not outweigh the rest.")
    return Graph(ids, A, tuple(notes), source, id_name)


def _is_normalized(A: SparseMatrix) -> bool:
    """Whether the largest eigenvalue is 1, as that of D^-1/2 A D^-1/2 is; normalising twice is not the same."""
    largest = float(A.max())
    try:
        eigenvalue = largest_eigenvalue(A / largest) * largest
    except ArpackError:
        return False
    return bool(np.isclose(eigenvalue, 1.0, rtol=_EIGENVALUE_TOLERANCE, atol=0.0))


def _check_weights(A: Any, ids: Sequence[Any], source: str) -> None:
    bad = np.flatnonzero(~(np.isfinite(A.data) & (A.data >= 0)))
    if bad.size:
        at = int(bad[0])
        ends = " to ".join(shortened(repr(ids[int(axis[at])])) for axis in A.coords)
        raise SourceError(
            f"{source}: the edge from {ends} has the weight {A.data[at]:.6g}, and {bad.size - 1} more are negative or "
            "not finite. Weights are similarities, 0 or more: leave such edges out, or turn distances around."
        )
