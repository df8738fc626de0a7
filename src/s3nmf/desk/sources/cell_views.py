"""What a page shows of cells beside their clusters: their places on a plane, and the expression of genes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray
from s3nmf._words import quoted
from s3nmf.desk.sources.errors import SourceError

# Where expression is looked for, the likeliest to be normalised and in logarithms first; scaled values are passed over.
EXPRESSION = (
    ("raw", "X"),
    *(("layers", name) for name in ("lognorm", "lognormalized", "log_normalized", "logcounts", "log1p", "normalized")),
    ("X",),
    ("layers", "counts"),
)
PLACES = ("X_umap", "X_tsne")
# Columns of var with names that people know, where the index has those of a database.
GENE_NAMES = ("feature_name", "gene_symbols", "gene_symbol", "gene_name", "symbol")
# What counts of a cell are made to add up to, as Seurat and many of scanpy's tutorials have it.
_COUNTS_A_CELL = 1e4


class Expression(NamedTuple):
    """Where expression is from, itself, cells by genes, and what the genes are called."""

    name: str
    values: Any
    genes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CellViews:
    """What is known of cells beside what they are clustered by.

    Attributes
    ----------
    places : array of shape (n_cells, 2), or None
        On a plane of the user's own.
    places_name : str
        Where they are from, such as `obsm['X_umap']`.
    expression : Expression or None
        Normalised and in logarithms.
    notes : tuple of str
    """

    places: FloatArray | None = None
    places_name: str = ""
    expression: Expression | None = None
    notes: tuple[str, ...] = ()


def cell_views(found: Mapping[str, FloatArray], expression: Expression | None) -> CellViews:
    """Of places by the key of `obsm` and of expression as it was found, which may be counts."""
    key = next((key for key in PLACES if key in found and _is_a_plane(found[key])), None)
    expression, notes = (None, ()) if expression is None else _in_logarithms(expression)
    places = None if key is None else np.asarray(found[key], dtype=np.float64)
    return CellViews(places, "" if key is None else f"obsm[{key!r}]", expression, notes)


def views_of(adata: Any, source: str, *, layer: str | None = None) -> CellViews:
    """Of an AnnData; `layer` names the expression."""
    paths = EXPRESSION if layer is None else (("layers", layer),)
    found = []
    for path in paths:
        of = adata.raw if path[0] == "raw" else adata
        values = None if of is None else of.layers.get(path[1]) if path[0] == "layers" else of.X
        if values is not None:
            found.append((path, values, of.var))
    if layer is not None and not found:
        raise SourceError(f"{source}: layers has no {layer!r}. It has {quoted(list(adata.layers)) or 'nothing'}.")
    chosen = next((one for one in found if is_expression(one[1])), None)
    expression = None
    if chosen is not None:
        path, values, var = chosen
        expression = Expression(place(path), values, tuple(map(str, var.get(_column_of(var), var.index))))
    return cell_views({key: adata.obsm[key] for key in PLACES if key in adata.obsm}, expression)


def is_expression(values: Any) -> bool:
    """Whether no value is below 0, as in scaled ones: they say nothing of how much more a gene is expressed."""
    stored = values.data if sp.issparse(values) else np.asarray(values)
    return bool(stored.size == 0 or stored.min() >= 0)


def place(path: tuple[str, ...]) -> str:
    """A place as Python spells it.

    Examples
    --------
    >>> place(("raw", "X")), place(("layers", "counts"))
    ('raw.X', "layers['counts']")
    """
    return f"layers[{path[1]!r}]" if path[0] == "layers" else ".".join(path)


def _column_of(var: Any) -> str:
    return next((name for name in GENE_NAMES if name in var), "")


def _is_a_plane(values: Any) -> bool:
    return values.ndim == 2 and values.shape[1] >= 2 and bool(np.isfinite(values).all())


def _in_logarithms(found: Expression) -> tuple[Expression, tuple[str, ...]]:
    """Counts become logarithms of 1 and their share of ten thousand; what has fractions is taken to be that already."""
    values = sp.csr_array(found.values, dtype=np.float64)
    if not values.data.size or np.any(values.data % 1):
        return found._replace(values=values), (f"Took {found.name} for the expression of genes.",)
    totals = np.asarray(values.sum(axis=1)).ravel()
    shares = np.divide(_COUNTS_A_CELL, totals, out=np.zeros_like(totals), where=totals > 0)
    values = values.copy()
    values.data = np.log1p(values.data * np.repeat(shares, np.diff(values.indptr)))
    note = f"Took {found.name} for the expression of genes: counts, normalised to 10,000 a cell, in logarithms."
    return found._replace(values=values), (note,)
