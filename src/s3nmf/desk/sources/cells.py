"""Cells: the neighbour graph of an AnnData as scanpy leaves it, or the features to build one from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp

from s3nmf._messages import Message, Parameter
from s3nmf._types import IntArray
from s3nmf._words import quoted
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.graph import Graph, graph_from_matrix

NEIGHBORS = "neighbors"
_PCA = "X_pca"
_RAW = "X"

RestrictTo: TypeAlias = tuple[str, Sequence[str]]
"""A column of obs, and the groups of it to take, as in scanpy."""


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


def builds_a_graph(source: str, **asked: str | None) -> bool:
    """Whether features are named, to build a graph from; of `neighbors_key`, `use_rep` and `layer` one may be asked."""
    given = [Parameter(name, value) for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise SourceError(
            Message("{}: {} and {} cannot both be what cells are clustered by. Choose one.", source, *given[:2])
        )
    return bool(given) and given[0].name != "neighbors_key"


def cell_features(cells: Any, source: str, *, use_rep: str | None = None, layer: str | None = None) -> CellFeatures:
    """The representation or layer that is named; else the principal components where there are some, else X."""
    if layer is not None:
        name, values = f"layers[{layer!r}]", _entry(cells.layers, "layers", layer, source)
    elif use_rep is not None and use_rep != _RAW:
        name, values = f"obsm[{use_rep!r}]", _entry(cells.obsm, "obsm", use_rep, source)
    elif use_rep is None and _PCA in cells.obsm:
        name, values = f"obsm[{_PCA!r}]", cells.obsm[_PCA]
    else:
        name, values = _RAW, cells.X
    if values is None:
        raise SourceError(f"{source} has no neighbour graph, no obsm['X_pca'] and no X. Run scanpy.pp.neighbors.")
    if hasattr(values, "to_memory"):  # sparse and on disk
        values = values.to_memory()
    return CellFeatures(name, values if sp.issparse(values) else np.asarray(values))


def chosen_cells(groups: Sequence[Any], restrict_to: RestrictTo, source: str) -> IntArray:
    """The rows of the cells that are in any of these groups, by a column of obs."""
    key, wanted = restrict_to
    names = [str(group) for group in groups]
    unknown = [name for name in wanted if name not in set(names)]
    if unknown or not wanted:
        raise SourceError(
            f"{source}: obs[{key!r}] has no {quoted(unknown) or 'groups of no name'}. Its groups are "
            f"{quoted(dict.fromkeys(names))}."
        )
    return np.flatnonzero(np.isin(names, list(wanted)))


def _entry(entries: Any, where: str, key: str, source: str) -> Any:
    if key not in entries:
        names = [name for name in entries if name is not None]  # anndata 0.13 counts X among the layers, without a name
        raise SourceError(f"{source}: {where} has no {key!r}. It has {quoted(names) or 'nothing'}.")
    return entries[key]
