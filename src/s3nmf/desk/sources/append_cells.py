"""Clusters written into a copy of an .h5ad file, where scanpy's tools put theirs."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from s3nmf.desk.sources.errors import SourceError, foreign, optional
from s3nmf.desk.sources.formats import appends_to
from s3nmf.desk.sources.h5ad import REMEDY
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.options import Options


@appends_to("h5ad")
def append_to_h5ad(stream: Any, source: str, options: Options, new: NewColumns) -> bytes:
    """The file with columns of `obs`, and of `uns` what is known about them; those of the same names are replaced.

    Labels become a categorical of text, as those of `scanpy.tl.leiden`, and numbers with decimals stay numbers.
    """
    h5py = optional("h5py", "single-cell", "An .h5ad file")
    write_elem = optional("anndata.io", "single-cell", "An .h5ad file").write_elem

    whole = io.BytesIO(stream.read())
    with foreign("h5py", source, REMEDY), h5py.File(whole, "r+") as store:
        obs = store["obs"]
        n = obs[obs.attrs["_index"]].shape[0]
        rows = range(n) if new.rows is None else new.rows
        for name, values in new.values.items():
            if len(values) != len(rows) or max(rows, default=0) >= n:
                raise SourceError(f"{source} has changed: it has {n:,} cells now. Cluster it again.")
            if name in obs:
                del obs[name]
            write_elem(obs, name, _column(values, rows, n))
        order = [str(name) for name in obs.attrs["column-order"]]
        added = [name for name in new.values if name not in order]
        obs.attrs["column-order"] = np.array([*order, *added], dtype=object)
        if "uns" not in store:
            write_elem(store, "uns", {})
        for name, facts in new.about.items():
            if name in store["uns"]:
                del store["uns"][name]
            write_elem(store["uns"], name, facts)
    return whole.getvalue()


def _column(values: Sequence[Any], rows: Sequence[int], n: int) -> Any:
    pd = optional("pandas", "single-cell", "An AnnData")
    if all(isinstance(value, float) for value in values):
        column = np.full(n, np.nan)
        column[list(rows)] = values
        return column
    names: Any = np.full(n, None, dtype=object)
    names[list(rows)] = [None if value is None else str(value) for value in values]
    known = sorted({value for value in values if value is not None})
    return pd.Categorical(names, categories=list(map(str, known)))
