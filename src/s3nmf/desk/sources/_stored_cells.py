"""Copy what is needed of an .h5ad file out of it: `python _stored_cells.py FILE COPY WANTED MOST_BYTES`.

WANTED is JSON: the names of what to take, see `Wanted`.

A process of its own, because the HDF5 library crashes, or never ends, over some damaged files. It imports only h5py and
numpy, and so starts in a tenth of a second. The copy is an .npz file; its array "about" is JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import h5py  # type: ignore[import-untyped]
import numpy as np

_FEATURES = (("obsm", "X_pca"), ("X",))


class UnusableError(Exception):
    """The file is sound, but not what is needed."""


class StoredCells:
    """An open .h5ad file of which nothing is read that lies elsewhere or does not fit."""

    def __init__(self, store: Any, most_bytes: int) -> None:
        self._store, self._most_bytes = store, most_bytes

    def find(self, *path: str) -> Any:
        """A group or dataset, or None. Links can lead to other files, and are not followed."""
        item = self._store
        for name in path:
            if not isinstance(item, h5py.Group) or name not in item:
                return None
            if not isinstance(item.get(name, getlink=True), h5py.HardLink):
                raise UnusableError(f"{'/'.join(path)} is a link. Write the file again with write_h5ad.")
            item = item[name]
        return item

    def read(self, *path: str) -> Any:
        """An array. A few bytes can announce one of any size, so that is looked at first."""
        dataset = self.find(*path)
        if not isinstance(dataset, h5py.Dataset) or dataset.shape is None:
            raise UnusableError(f"{'/'.join(path)} is missing or no array. Write the file again with write_h5ad.")
        if dataset.external or dataset.is_virtual:
            raise UnusableError(f"{'/'.join(path)} lies in another file. Write the file again with write_h5ad.")
        needed = dataset.size * dataset.dtype.itemsize
        if needed > self._most_bytes:
            raise UnusableError(
                f"{'/'.join(path)} takes {needed / 1e9:,.1f} GB; {self._most_bytes / 1e9:,.1f} GB can be read. Use a "
                "machine with more memory, or a part of the data."
            )
        return (dataset.asstr() if h5py.check_string_dtype(dataset.dtype) else dataset)[()]

    def names(self) -> list[str]:
        """What the cells are called."""
        if not isinstance(self.find("obs"), h5py.Group):
            raise UnusableError("it has no group obs, as files of AnnData 0.7 and newer do. Write it again with one.")
        return [str(name) for name in self.column(str(self.find("obs").attrs["_index"]))]

    def column(self, name: str, frame: Sequence[str] = ("obs",)) -> list[str | None]:
        """A column of obs, or another frame, as text, None where it is missing."""
        path = (*frame, name)
        stored = self.find(*path)
        if stored is None:
            raise UnusableError(f"obs has no column {name!r}. It has {', '.join(map(repr, self.find('obs')))}.")
        if isinstance(stored, h5py.Dataset):
            values = self.read(*path).tolist()
        elif "codes" in stored:
            categories = self.read(*path, "categories").tolist()
            values = [categories[code] if code >= 0 else None for code in self.read(*path, "codes").tolist()]
        else:
            pairs = zip(self.read(*path, "values").tolist(), self.read(*path, "mask").tolist(), strict=True)
            values = [None if is_missing else value for value, is_missing in pairs]
        return [None if value is None else str(value) for value in values]

    def matrix(self, path: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """How a matrix is laid out, and its arrays."""
        path = tuple(path)
        group = self.find(*path)
        if isinstance(group, h5py.Dataset):
            return {"layout": "dense"}, {"matrix": self.read(*path)}
        layout = str(group.attrs.get("encoding-type", "")).removesuffix("_matrix")
        if layout not in {"csr", "csc"}:
            raise UnusableError(f"{'/'.join(path)} is neither a dense nor a sparse matrix, but {layout!r}.")
        shape = [int(size) for size in group.attrs["shape"]]
        return {"layout": layout, "shape": shape}, {
            name: self.read(*path, name) for name in ("data", "indices", "indptr")
        }


class Wanted(NamedTuple):
    """What to take: a neighbour graph, a representation or a layer instead; the groups of cells, and columns of obs.

    And, for a page: places of `obsm`, the first expression without a negative value, and columns of `var` that name
    genes.
    """

    neighbors_key: str
    use_rep: str | None
    layer: str | None
    groups: str | None
    columns: Sequence[str]
    places: Sequence[str] = ()
    expression: Sequence[Sequence[str]] = ()
    gene_names: Sequence[str] = ()


def copy_cells(path: str, copy: str, wanted: Wanted, most_bytes: int) -> None:
    """Copy the names of the cells, and what is wanted of them, or else their neighbour graph, or else features."""
    with h5py.File(path, "r") as store:
        cells = StoredCells(store, most_bytes)
        about: dict[str, Any] = {"names": cells.names()}
        about |= {group: list(cells.find(group) or ()) for group in ("uns", "obs", "obsm", "layers")}
        about["held_out"] = {name: cells.column(name) for name in wanted.columns}
        if wanted.groups is not None and wanted.groups in about["obs"]:
            about["groups"] = cells.column(wanted.groups)
        if wanted.layer is not None:
            about["path"] = ("layers", wanted.layer)
        elif wanted.use_rep is not None:
            about["path"] = ("X",) if wanted.use_rep == "X" else ("obsm", wanted.use_rep)
        elif wanted.neighbors_key in about["uns"]:
            has_key = cells.find("uns", wanted.neighbors_key, "connectivities_key") is not None
            key = cells.read("uns", wanted.neighbors_key, "connectivities_key") if has_key else "connectivities"
            about["path"] = ("obsp", str(key))
        else:
            about["path"] = next((found for found in _FEATURES if cells.find(*found) is not None), None)
        arrays: dict[str, Any] = {}
        if about["path"] is not None and cells.find(*about["path"]) is not None:
            layout, arrays = cells.matrix(about["path"])
            about.update(layout)
        for key in wanted.places:
            if isinstance(cells.find("obsm", key), h5py.Dataset):
                arrays[f"places {key}"] = cells.read("obsm", key)
        about["expression"], more = _expression(cells, wanted)
        arrays.update(more)
    np.savez(copy, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)


def _expression(cells: StoredCells, wanted: Wanted) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """How expression is laid out, and its arrays; nothing where there is none, or it is too large to be read."""
    for path in wanted.expression:
        frame = ("raw", "var") if path[0] == "raw" else ("var",)
        if cells.find(*path) is None or not isinstance(cells.find(*frame), h5py.Group):
            continue
        try:
            layout, arrays = cells.matrix(path)
        except UnusableError:
            continue
        entries = next(iter(arrays.values()))
        if entries.size and entries.min() < 0:
            continue
        names = [name for name in wanted.gene_names if cells.find(*frame, name) is not None]
        genes = cells.column(names[0] if names else str(cells.find(*frame).attrs["_index"]), frame)
        about = {**layout, "path": list(path), "genes": [str(gene) for gene in genes]}
        return about, {f"expression {name}": values for name, values in arrays.items()}
    return None, {}


def main() -> None:
    """Copy, or say on standard output why not; an error of h5py ends up on standard error."""
    path, copy, wanted, most_bytes = sys.argv[1:]
    try:
        copy_cells(path, copy, Wanted(**json.loads(wanted)), int(most_bytes))
    except UnusableError as error:
        sys.stdout.write(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
