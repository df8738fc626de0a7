"""Labels to a file that appears whole or not at all, or to standard output."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any, Literal, TypeAlias

import numpy as np

from s3nmf._files import destination, written_whole
from s3nmf._messages import Message, Parameter
from s3nmf.desk.sources.errors import SourceError, foreign, optional
from s3nmf.desk.sources.opening import STANDARD_STREAM

OutputFormat: TypeAlias = Literal["csv", "tsv", "parquet", "json"]
OUTPUT_FORMATS: tuple[OutputFormat, ...] = ("csv", "tsv", "parquet", "json")


def write_labels(
    target: str | os.PathLike[str],
    columns: Mapping[str, Sequence[Any]],
    *,
    format: OutputFormat | None = None,  # noqa: A002
) -> None:
    """Write columns of equal length, such as ids, clusters and confidence.

    The file is written beside its place and moved there when it is complete: whoever looks sees the old one or the new
    one. Text is UTF-8; a JSON file is a list with an object for each row; what is missing is empty, or null.

    Parameters
    ----------
    target : path, or "-" for standard output
    columns : mapping of names to sequences
    format : {"csv", "tsv", "parquet", "json"} or None
        By default that of the file's name, and CSV for standard output.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory) / "labels.csv"
    ...     write_labels(path, {"name": ["007", 'a "b", c'], "cluster": [0, 1]})
    ...     print(path.read_text(encoding="utf-8"))
    name,cluster
    007,0
    "a ""b"", c",1
    <BLANKLINE>
    """
    chosen = check_target(target, format)
    data = _serialized({name: _plain(name, values) for name, values in columns.items()}, chosen)
    if target == STANDARD_STREAM:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with written_whole(target) as file:
            file.write(data)
    except OSError as error:
        raise SourceError(f"{os.fspath(target)} cannot be written: {error.strerror or error}.") from error


def check_target(target: str | os.PathLike[str], format: str | None = None) -> OutputFormat:  # noqa: A002
    """The format of an output file, or an error if it could not be written: to be called before a long computation."""
    suffix = "csv" if target == STANDARD_STREAM else PurePath(target).suffix.removeprefix(".").casefold()
    chosen = next((known for known in OUTPUT_FORMATS if known == (format or suffix)), None)
    if chosen is None:
        named = f"There is no output format {format!r}" if format else f"{os.fspath(target)} does not say its format"
        raise SourceError(
            Message(
                "{named}. Choose one of {formats}, by the ending of the name or {format}.",
                named=named,
                formats=", ".join(OUTPUT_FORMATS),
                format=Parameter("format"),
            )
        )
    if chosen == "parquet":
        optional("pyarrow.parquet", "tables", "Parquet")
    if target != STANDARD_STREAM:
        path = Path(target)
        if path.is_dir():
            raise SourceError(f"{path} is a directory. Give the name of a file in it.")
        try:
            folder = destination(path).parent
        except OSError as error:
            raise SourceError(f"{path} cannot be written: {error.strerror}. Write to another name.") from error
        if not folder.is_dir():
            raise SourceError(f"{folder} does not exist. Make it first, or name another folder.")
    return chosen


def _plain(name: str, values: Sequence[Any]) -> list[Any]:
    """Python's own types, with None for NaN."""
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        shape = getattr(values, "shape", "no length")
        raise SourceError(f"Column {name!r} is a {type(values).__name__} of {shape}; write one value for each row.")
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    plain = [value.item() if isinstance(value, np.generic) else value for value in plain]
    return [None if isinstance(value, float) and math.isnan(value) else value for value in plain]


def _serialized(columns: dict[str, list[Any]], chosen: OutputFormat) -> bytes:
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise SourceError(f"Columns to write must have equal lengths; they have {lengths}.")
    if chosen == "parquet":
        return _parquet(columns)
    rows = zip(*columns.values(), strict=True)
    try:
        if chosen == "json":
            objects = [dict(zip(columns, map(_json, row), strict=True)) for row in rows]
            lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in objects)
            return f"[\n{lines}\n]\n".encode()
        return _delimited(columns, "," if chosen == "csv" else "\t").encode()
    except UnicodeEncodeError as error:
        raise SourceError(f"{error.object[error.start]!r} in an id or a name is no character of UTF-8.") from error


def _delimited(columns: Mapping[str, list[Any]], delimiter: str) -> str:
    # Python 3.11 puts a carriage return in quotes only if it is part of the line end.
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append), delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return "".join(line.removesuffix("\r\n") + "\n" for line in lines)


def _json(value: Any) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


def _parquet(columns: Mapping[str, list[Any]]) -> bytes:
    parquet, pa = optional("pyarrow.parquet", "tables", "Parquet"), optional("pyarrow", "tables", "Parquet")
    arrays = {}
    for name, values in columns.items():
        is_text = not all(value is None or isinstance(value, int | float) for value in values)
        arrays[name] = [None if value is None else str(value) for value in values] if is_text else values
    with foreign("pyarrow", "the labels", "Choose another format."), io.BytesIO() as stream:
        parquet.write_table(pa.table(arrays), stream)
        return stream.getvalue()
