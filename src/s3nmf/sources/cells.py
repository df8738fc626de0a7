"""Cells: the neighbour graph of an AnnData as scanpy leaves it, or the features to build one from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._words import quoted
from s3nmf.sources.errors import SourceError
from s3nmf.sources.graph import Graph, graph_from_matrix

NEIGHBORS = "neighbors"
_PCA = "X_pca"


class CellFeatures(NamedTuple):
    """Where features are from, `obsm['X_pca']` or `X`, and they themselves, dense or sparse."""

    name: str
    values: Any


def neighbor_graph(cells: Any, neighbors_key: str | None, source: str, *, normalize: bool = True) -> Graph | None:
    """The graph that scanpy's `pp.neighbors` left; None if there is none and no key asks for one.

    Parameters
    ----------
    cells : AnnData, or anything with its `uns`, `obsp` and `obs_names`
    neighbors_key : str or None
        Where `uns` says which matrix of `obsp` it is; scanpy's own "neighbors" by default.
    """
    key = neighbors_key or NEIGHBORS
    if key not in cells.uns:
        if neighbors_key is None:
            return None
        raise SourceError(f"{source}: uns has no {key!r}. It has {quoted(cells.uns) or 'nothing'}.")
    stored = cells.uns[key]
    where = stored.get("connectivities_key", "connectivities") if isinstance(stored, Mapping) else "connectivities"
    if not isinstance(where, str) or where not in cells.obsp:
        raise SourceError(
            f"{source}: uns[{key!r}] says that the graph is obsp[{where!r}], which is not there. Run "
            f"scanpy.pp.neighbors again, or delete uns[{key!r}] to have a graph built."
        )
    notes = [f"Took the graph in obsp[{where!r}]."]
    matrix = cells.obsp[where]
    if not (sp.issparse(matrix) or isinstance(matrix, np.ndarray)):
        raise SourceError(f"{source}: obsp[{where!r}] is a {type(matrix).__name__}, not a matrix of weights.")
    return graph_from_matrix(matrix, cells.obs_names, source, notes=notes, normalize=normalize, id_name="cell")


def cell_features(cells: Any, source: str) -> CellFeatures:
    """The principal components where there are some, else X."""
    name, values = (f"obsm[{_PCA!r}]", cells.obsm[_PCA]) if _PCA in cells.obsm else ("X", cells.X)
    if values is None:
        raise SourceError(f"{source} has no neighbour graph, no obsm['X_pca'] and no X. Run scanpy.pp.neighbors.")
    if hasattr(values, "to_memory"):  # sparse and on disk
        values = values.to_memory()
    return CellFeatures(name, values if sp.issparse(values) else np.asarray(values))
