"""Parquet, Feather and Arrow files, by pyarrow."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, BinaryIO

from s3nmf.desk.sources.errors import foreign, optional
from s3nmf.desk.sources.formats import appends_to, file_format
from s3nmf.desk.sources.frames import table_of_columns
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.opening import read_all, refuse_if_larger
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table import Table

_BYTES_A_VALUE = 16
# Of Feather, first version, and of Arrow; a stream begins with neither.
_FILES = (b"FEA1", b"ARROW1")


@file_format("parquet", ".parquet", ".pq", kind="table", has_ids=True, has_columns=True, has_truth=True)
def read_parquet(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a Parquet file; an index that pandas stored in it names the rows."""
    return _table(parquet_table(read_all(stream, source), source), source, options)


@file_format(
    "arrow", ".arrow", ".feather", ".ipc", ".arrows", kind="table", has_ids=True, has_columns=True, has_truth=True
)
def read_arrow(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a Feather file, or an Arrow file or stream."""
    return _table(arrow_table(read_all(stream, source), source), source, options)


def parquet_table(data: bytes, source: str) -> Any:
    """All of a Parquet file."""
    parquet, pa = optional("pyarrow.parquet", "tables", "Parquet"), optional("pyarrow", "tables", "Parquet")
    with foreign("pyarrow", source, "Check that it is a Parquet file, or write it again."):
        file = parquet.ParquetFile(pa.BufferReader(data))
        # A few bytes can stand for any number of equal values.
        refuse_if_larger(file.metadata.num_rows * file.metadata.num_columns * _BYTES_A_VALUE, source, "the table")
        return file.read(use_threads=False)


def arrow_table(data: bytes, source: str) -> Any:
    """All of a Feather file, or of an Arrow file or stream."""
    feather, pa = optional("pyarrow.feather", "tables", "Feather"), optional("pyarrow", "tables", "Feather")
    with foreign("pyarrow", source, "Check that it is a Feather or Arrow file, or write it again."):
        if data.startswith(_FILES):
            table = feather.read_table(pa.BufferReader(data), memory_map=False, use_threads=False)
        else:
            table = pa.ipc.open_stream(pa.BufferReader(data)).read_all()
        refuse_if_larger(table.num_rows * table.num_columns * _BYTES_A_VALUE, source, "the table")
        return table


@appends_to("parquet")
def append_parquet(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    table = _with_columns(parquet_table(read_all(stream, source), source), new, source)
    with io.BytesIO() as file:
        optional("pyarrow.parquet", "tables", "Parquet").write_table(table, file)
        return file.getvalue()


@appends_to("arrow")
def append_arrow(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    pa, data = optional("pyarrow", "tables", "Arrow"), read_all(stream, source)
    table = _with_columns(arrow_table(data, source), new, source)
    write = pa.ipc.new_file if data.startswith(_FILES) else pa.ipc.new_stream
    with io.BytesIO() as file:
        with write(file, table.schema) as writer:
            writer.write_table(table)
        return file.getvalue()


def _with_columns(table: Any, new: NewColumns, source: str) -> Any:
    pa = optional("pyarrow", "tables", "Arrow")
    for name, values in new.beside(table.column_names, table.num_rows, source).items():
        table = table.append_column(name, pa.array(values))
    return table


def _table(table: Any, source: str, options: Options) -> Table:
    pa = optional("pyarrow", "tables", "Parquet")

    def cells(column: Any) -> Any:
        is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        return column.cast(pa.float64(), safe=False).to_numpy() if is_number else column.to_pylist()

    with foreign("pyarrow", source, "Write it again."):
        table.validate(full=True)
        index = _stored_index(table.schema.metadata, table.column_names)
        if index is not None and options.id is None and index not in options.drop:
            options = replace(options, id=index)
        return table_of_columns(table.column_names, table.columns, source, options, cells=cells, objects=_texts)


def _texts(column: Any) -> list[Any]:
    return [None if value is None else str(value) for value in column.to_pylist()]


def _stored_index(metadata: Any, names: Sequence[str]) -> str | None:
    """The column that was the index of a pandas frame, if there was one with names."""
    try:
        index = json.loads(metadata[b"pandas"])["index_columns"]
    except (TypeError, KeyError, ValueError):
        return None
    stored = [name for name in index if isinstance(name, str) and name in names] if isinstance(index, list) else []
    return stored[0] if len(stored) == 1 else None
