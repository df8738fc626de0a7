"""Arrays as numpy writes them: .npy, and .npz with one or several of them or a sparse matrix of scipy.

A header is believed only as far as the bytes behind it go, and objects are never unpickled.
"""

from __future__ import annotations

import io
import math
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp
from numpy.lib import format as npy

from s3nmf._messages import Message, Parameter
from s3nmf._validation import SYMMETRY_TOLERANCE
from s3nmf._words import begun, quoted
from s3nmf.desk.sources.columns import Column, choose_columns
from s3nmf.desk.sources.errors import SourceError, foreign
from s3nmf.desk.sources.formats import file_format
from s3nmf.desk.sources.graph import Graph, graph_from_matrix
from s3nmf.desk.sources.opening import read_all, refuse_if_larger
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.places import in_rows
from s3nmf.desk.sources.table import Table, build_table

_NUMBERS = "biuf"
_KNOWN = _NUMBERS + "SU"
_SPARSE = frozenset({"format", "shape", "data"})
_FEATURES = "X"


@file_format("npy", ".npy", kind="table", has_ids=True, has_columns=True)
def read_npy(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a table from an .npy file; columns are called 0, 1, ..."""
    if options.id is not None:
        raise SourceError(
            Message(
                "{source} is a single array and has no column {name!r} for ids. Leave out {id}.",
                source=source,
                name=options.id,
                id=Parameter("id"),
            )
        )
    return _table(_array(read_all(stream, source), source), source, options)


@file_format("npz", ".npz", kind="either", has_ids=True, has_columns=True, has_truth=True)
def read_npz(stream: BinaryIO, source: str, options: Options) -> Table | Graph:
    """Read an .npz file: a graph that `scipy.sparse.save_npz` wrote, or a table, the array called X or the only one.

    The option `id` names an array of ids.
    """
    data = read_all(stream, source)
    members = _members(data, source)
    if members.keys() >= _SPARSE:
        for name in ("id", "drop", "truth", "keep"):
            if getattr(options, name) not in (None, ()):
                raise SourceError(
                    Message(
                        "{source} is a graph without named columns. Leave out {given}.",
                        source=source,
                        given=Parameter(name),
                    )
                )
        return _sparse_graph(members, data, source, options)
    arrays = {name: _array(member, f"{source}, array {name!r}", kinds=_KNOWN) for name, member in members.items()}
    tables = [name for name, array in arrays.items() if array.ndim == 2 and array.dtype.kind in _NUMBERS]
    chosen = _FEATURES if _FEATURES in tables else tables[0] if len(tables) == 1 else None
    if chosen is None:
        found = begun(f"{name!r} {array.shape}" for name, array in arrays.items()) or "no array"
        raise SourceError(
            f"{source} holds {found}. Save the features as {_FEATURES!r}, numbers with a row for each point."
        )
    n = len(arrays[chosen])
    ids = None if options.id is None else _names(arrays, options.id, "ids", n, source)
    held_out = {name: _names(arrays, name, "groups", n, source) for name in options.held_out}
    notes = [f"Took array {chosen!r} of {quoted(arrays)}."] if len(arrays) > 1 else []
    return _table(arrays[chosen], source, options, ids=ids, held_out=held_out, notes=notes)


@file_format("affinity", kind="graph")
def read_affinity(stream: BinaryIO, source: str, options: Options) -> Graph:
    """Read a square array of similarities from an .npy file, or the only one of an .npz file."""
    data = read_all(stream, source)
    if data.startswith(npy.MAGIC_PREFIX):
        return graph_from_matrix(_array(data, source), None, source, normalize=options.normalize)
    members = _members(data, source)
    if members.keys() >= _SPARSE:
        return _sparse_graph(members, data, source, options)
    if len(members) != 1:
        raise SourceError(f"{source} holds {quoted(members) or 'no array'}. Save the similarities alone.")
    (similarities,) = members.values()
    return graph_from_matrix(_array(similarities, source), None, source, normalize=options.normalize)


def _table(
    array: Any,
    source: str,
    options: Options,
    *,
    ids: list[str] | None = None,
    held_out: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    notes: Sequence[str] = (),
) -> Table:
    if array.ndim != 2:
        raise SourceError(f"{source} is an array of shape {array.shape}. A table has two axes: rows and columns.")
    if not options.format_is_given and _may_be_a_graph(array):
        raise SourceError(
            Message(
                "{source} is a symmetric {n} x {n} matrix: similarities, features or distances? Say so: {affinity} "
                "takes it as a graph, {npy} or {npz} as a table.",
                source=source,
                n=len(array),
                **{name: Parameter("format", name) for name in ("affinity", "npy", "npz")},
            )
        )
    if array.shape[1] == 0:
        raise SourceError(f"{source} is an array of shape {array.shape}: it has no columns.")
    names = [str(j) for j in range(array.shape[1])]
    _, features, said = choose_columns(names, replace(options, id=None, truth=None, keep=()), source)
    columns = [Column(names[j]) for j in features]
    for column, j in zip(columns, features, strict=True):
        column.extend_numbers(array[:, j])
    return build_table(
        columns,
        ids,
        id_column=options.id,
        place=in_rows,
        source=source,
        options=options,
        notes=[*notes, *said],
        held_out=held_out,
    )


def _may_be_a_graph(array: Any) -> bool:
    n, d = array.shape
    if n != d or n < 3 or array.dtype.kind == "b" or not np.isfinite(array).all() or array.min() < 0:
        return False
    return bool(np.allclose(array, array.T, rtol=0, atol=SYMMETRY_TOLERANCE * float(array.max())))


def _array(data: bytes, source: str, kinds: str = _NUMBERS) -> Any:
    """The array of an .npy file, after its header has been compared with what is there."""
    stream = io.BytesIO(data)
    with foreign("numpy", source, "Save it again with numpy.save."):
        version = npy.read_magic(stream)
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran_order, dtype = header(stream)
    if dtype.hasobject:
        raise SourceError(
            f"{source} holds pickled Python objects, which are never loaded: a pickle can run any program. Save an "
            "array of numbers (numpy.asarray(x, dtype=float))."
        )
    if dtype.kind not in kinds:
        raise SourceError(f"{source} holds values of type {dtype}, not numbers. Save real numbers.")
    if dtype.itemsize == 0:
        raise SourceError(f"{source} holds texts without a single letter ({dtype}). Leave it out, or save names.")
    needed, there = math.prod(shape) * dtype.itemsize, len(data) - stream.tell()
    # numpy takes no axis beyond what it can address either, though another one be empty.
    addressed = math.prod(max(size, 1) for size in shape) * dtype.itemsize
    if needed > there or min(shape, default=0) < 0 or addressed > sys.maxsize:
        raise SourceError(
            f"{source} announces an array of shape {shape}, {needed} bytes, and has {there}. It is cut off or damaged: "
            "save it again."
        )
    array = np.frombuffer(data, dtype, count=math.prod(shape), offset=stream.tell())
    return array.reshape(shape, order="F" if fortran_order else "C")


def _members(data: bytes, source: str) -> Mapping[str, bytes]:
    """The files of an .npz, by name without .npy."""
    members = {}
    with foreign("numpy", source, "Save it again with numpy.savez."), zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        refuse_if_larger(sum(info.file_size for info in infos), source, "its unpacked content")
        for info in infos:
            name = info.filename
            if "/" in name or "\\" in name or not name.endswith(".npy"):
                raise SourceError(
                    f"{source} holds {name!r}, which is not the name of an array. Save it again with numpy.savez."
                )
            members[name.removesuffix(".npy")] = archive.read(info)
    return members


def _sparse_graph(members: Mapping[str, bytes], data: bytes, source: str, options: Options) -> Graph:
    """The graph of `scipy.sparse.save_npz`, once every array in it is known to be sound."""
    for name, member in members.items():
        _array(member, f"{source}, array {name!r}", kinds=_KNOWN)
    with foreign("scipy", source, "Save it again with scipy.sparse.save_npz."):
        matrix = sp.load_npz(io.BytesIO(data))
    if matrix.format not in {"csr", "csc", "coo"}:
        raise SourceError(f"{source} holds a matrix in {matrix.format.upper()} form. Save it as CSR (matrix.tocsr()).")
    return graph_from_matrix(matrix, None, source, normalize=options.normalize)


def _names(arrays: Mapping[str, Any], name: str, what: str, n: int, source: str) -> list[str]:
    """An array of names, as text."""
    if name not in arrays:
        raise SourceError(f"{source} has no array {name!r} for {what}. It has {quoted(arrays)}.")
    array = arrays[name]
    if array.shape != (n,):
        raise SourceError(
            f"{source}: array {name!r} has shape {array.shape}; for {what} of {n} rows it must be ({n},)."
        )
    return [value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in array.tolist()]
