"""Files of AnnData. They are read by another process, which may crash or be stopped, see `_stored_cells`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import IntArray
from s3nmf._words import quoted, shortened
from s3nmf.desk.sources.cell_views import (
    EXPRESSION,
    GENE_NAMES,
    PLACES,
    CellViews,
    Expression,
    cell_views,
    place,
)
from s3nmf.desk.sources.cells import NEIGHBORS, RestrictTo, builds_a_graph, cell_features, chosen_cells, neighbor_graph
from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.errors import SourceError, foreign, optional
from s3nmf.desk.sources.formats import file_format
from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.opening import most_bytes, refuse_if_larger
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table import Table, build_table, check_ids

_SCRIPT = Path(__file__).with_name("_stored_cells.py")
REMEDY = "Check that it is an .h5ad file, or write it again."
_SECONDS = 30.0
_BYTES_A_SECOND = 10e6


@file_format(
    "h5ad",
    ".h5ad",
    kind="either",
    has_truth=True,
    by_path=True,
    takes=("neighbors_key", "use_rep", "layer", "restrict_to"),
)
def read_h5ad(path: str | os.PathLike[str], options: Options) -> Table | Graph:
    """Read the neighbour graph of an .h5ad file, or else a table of its principal components, or of X."""
    source = os.fspath(path)
    optional("h5py", "single-cell", "An .h5ad file")
    with foreign("h5py", source, REMEDY):
        cells = _copied(source, options)
        if options.restrict_to is not None:
            cells = _restricted(cells, options.restrict_to, source)
    check_ids(
        cells.obs_names,
        "obs_names",
        lambda row: f"cell {row}",
        source,
        remedy="Write the file again after adata.obs_names_make_unique().",
    )
    notes = []
    if options.restrict_to is not None:
        notes.append(f"Took the cells that are {quoted(options.restrict_to[1])} in obs[{options.restrict_to[0]!r}].")
    asked = {"use_rep": options.use_rep, "layer": options.layer}
    if builds_a_graph(source, neighbors_key=options.neighbors_key, **asked):
        graph = None
    else:
        graph = neighbor_graph(cells, options.neighbors_key, source, normalize=options.normalize)
    if graph is not None:
        kept = {name: cells.held_out[name] for name in options.keep}
        truth = cells.held_out.get(options.truth)
        said = () if cells.views is None else cells.views.notes
        return replace(
            graph, notes=(*notes, *graph.notes, *said), truth=truth, kept=kept, views=cells.views, rows=cells.rows
        )
    name, values = cell_features(cells, source, **asked)
    if values.ndim != 2 or values.shape[0] != len(cells.obs_names) or values.dtype.kind not in "biuf":
        raise SourceError(
            f"{source}: {name} has the shape {values.shape} and the type {values.dtype}; features of "
            f"{len(cells.obs_names)} cells are numbers with a row for each. {REMEDY}"
        )
    refuse_if_larger(values.shape[0] * values.shape[1] * 8, source, f"{name} as a dense table")
    values = values.toarray() if sp.issparse(values) else values
    columns = [Column(str(j)) for j in range(values.shape[1])]
    for j, column in enumerate(columns):
        column.extend_numbers(values[:, j])
    table = build_table(
        columns,
        cells.obs_names,
        id_column=None,
        row_name="cell",
        place=lambda row: f"cell {cells.obs_names[row]!r}",
        source=source,
        options=replace(options, scale=options.scale or "none"),
        notes=[*notes, f"Took {name} as the features."],
        held_out=cells.held_out,
    )
    if cells.views is not None:
        table = _with_views(table, cells.views)
    if cells.rows is None or table.rows is None:
        return replace(table, rows=table.rows or cells.rows)
    return replace(table, rows=[cells.rows[row] for row in table.rows])


def _with_views(table: Table, views: CellViews) -> Table:
    """A table with what is known of its rows beside it; rows that were left out are left out there, too."""
    views = views if table.rows is None else _views_of(views, np.asarray(table.rows))
    return replace(table, notes=(*table.notes, *views.notes), views=views)


def _views_of(views: CellViews, rows: IntArray) -> CellViews:
    """Of some cells."""
    expression = views.expression
    return replace(
        views,
        places=None if views.places is None else views.places[rows],
        expression=None if expression is None else expression._replace(values=expression.values[rows]),
    )


def _views(arrays: Any, about: dict[str, Any] | None, n: int) -> CellViews:
    """As the copy has them; what does not fit the cells is left out."""
    found = {key: arrays[f"places {key}"] for key in PLACES if f"places {key}" in arrays}
    found = {key: values for key, values in found.items() if values.shape[:1] == (n,)}
    expression = None
    if about is not None:
        values = _matrix(arrays, about, "expression ")
        if values.shape == (n, len(about["genes"])):
            expression = Expression(place(tuple(about["path"])), values, tuple(about["genes"]))
    return cell_views(found, expression)


def _copied(source: str, options: Options) -> SimpleNamespace:
    """As much of an AnnData as is needed."""
    groups = None if options.restrict_to is None else options.restrict_to[0]
    wanted = {
        "neighbors_key": options.neighbors_key or NEIGHBORS,
        "use_rep": options.use_rep,
        "layer": options.layer,
        "groups": groups,
        "columns": options.held_out,
        **({"places": PLACES, "expression": EXPRESSION, "gene_names": GENE_NAMES} if options.views else {}),
    }
    with TemporaryDirectory(prefix="s3nmf-") as directory:
        copy = Path(directory) / "cells.npz"
        _copy(source, copy, wanted)
        with np.load(copy, allow_pickle=False) as arrays:
            about: dict[str, Any] = json.loads(arrays["about"].tobytes())
            matrix = _matrix(arrays, about) if "layout" in about else None
            views = _views(arrays, about["expression"], len(about["names"])) if options.views else None
    if groups is not None and "groups" not in about:
        raise SourceError(f"{source}: obs has no {groups!r}. It has {quoted(about['obs'])}.")
    where, key = (*(about["path"] or ()), None, None)[:2]
    found = {} if matrix is None else {key: matrix}
    return SimpleNamespace(
        obs_names=about["names"],
        groups=about.get("groups"),
        held_out=about["held_out"],
        uns={name: {"connectivities_key": key} for name in about["uns"]},
        obsp=found if where == "obsp" else {},
        obsm=dict.fromkeys(about["obsm"]) | (found if where == "obsm" else {}),
        layers=dict.fromkeys(about["layers"]) | (found if where == "layers" else {}),
        X=matrix if where == "X" else None,
        views=views,
        rows=None,
    )


def _restricted(cells: SimpleNamespace, restrict_to: RestrictTo, source: str) -> SimpleNamespace:
    rows = chosen_cells(cells.groups, restrict_to, source)

    def taken(values: Any) -> Any:
        return None if values is None else (values.tocsr() if sp.issparse(values) else values)[rows]

    return SimpleNamespace(
        obs_names=[cells.obs_names[row] for row in rows],
        uns=cells.uns,
        obsp={key: taken(matrix)[:, rows] for key, matrix in cells.obsp.items()},
        obsm={key: taken(values) for key, values in cells.obsm.items()},
        layers={key: taken(values) for key, values in cells.layers.items()},
        held_out={name: [column[row] for row in rows] for name, column in cells.held_out.items()},
        X=taken(cells.X),
        views=None if cells.views is None else _views_of(cells.views, rows),
        rows=rows.tolist(),
    )


def _copy(source: str, copy: Path, wanted: dict[str, Any]) -> None:
    seconds = _SECONDS + Path(source).stat().st_size / _BYTES_A_SECOND
    command = [sys.executable, "-P", str(_SCRIPT), source, str(copy), json.dumps(wanted), str(most_bytes())]
    try:
        run = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"{source} was not read within {seconds:.0f} seconds: it is damaged. {REMEDY}") from error
    if run.returncode == 0:
        return
    said, failed = (stream.decode(errors="replace").strip() for stream in (run.stdout, run.stderr))
    if said:
        raise SourceError(f"{source}: {said}")
    if run.returncode != 1:
        raise SourceError(f"{source} made the HDF5 library crash: it is damaged. {REMEDY}")
    reason = shortened(failed.splitlines()[-1] if failed else "no reason given")
    raise SourceError(f"{source}: h5py cannot read it ({reason}). {REMEDY}")


def _matrix(arrays: Any, about: dict[str, Any], prefix: str = "") -> Any:
    if about["layout"] == "dense":
        return arrays[f"{prefix}matrix"]
    layout = sp.csr_array if about["layout"] == "csr" else sp.csc_array
    parts = tuple(arrays[prefix + name] for name in ("data", "indices", "indptr"))
    matrix = layout(parts, shape=tuple(about["shape"]))
    matrix.check_format(full_check=True)  # else indices beyond the end would be followed
    return matrix
