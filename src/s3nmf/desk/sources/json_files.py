"""JSON: a list of rows, an object of columns, or a row in each line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from s3nmf._words import counted, quoted, shortened
from s3nmf.desk.sources.errors import SourceError, foreign
from s3nmf.desk.sources.formats import appends_to, file_format
from s3nmf.desk.sources.frames import table_of_columns, texts_of
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.opening import read_all, refuse_if_larger, text_lines
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table import Table

# Objects of Python for a byte of text.
_BYTES_A_BYTE = 10
_WANTED = 'A table is a list of rows, [{"height": 1.8}, ...], or columns, {"height": [1.8, ...]}.'
_SPLIT = frozenset({"columns", "index", "data"})


@file_format("json", ".json", kind="table", has_ids=True, has_columns=True, has_truth=True, is_stream=True)
def read_json(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a list of objects, one for each row, or an object of columns, as lists or as pandas writes them."""
    content = _content(stream, source, options)
    if isinstance(content, list):
        return _table(columns_of_rows(content, source), source, options)
    if isinstance(content, Mapping) and content.keys() >= {"nodes"} and content.keys() & {"links", "edges"}:
        raise SourceError(
            f"{source} holds the nodes and links of a graph. Write them as GraphML: networkx.write_graphml("
            "networkx.node_link_graph(json.load(file)), 'graph.graphml')."
        )
    if isinstance(content, Mapping):
        return _table(_columns(content, source), source, options)
    raise SourceError(f"{source} holds a single {type(content).__name__}. {_WANTED}")


@file_format("jsonl", ".jsonl", ".ndjson", kind="table", has_ids=True, has_columns=True, has_truth=True, is_stream=True)
def read_json_lines(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read an object from each line."""
    rows, lines = _rows(stream, source, options)
    return _table(columns_of_rows(rows, source), source, options, lines)


@appends_to("json")
def append_json(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    """The same rows, or columns, with more of them."""
    content = _content(stream, source, options)
    if isinstance(content, list):
        return _dumped(_with_columns(content, new, source))
    if content.keys() == _SPLIT:
        columns = new.beside(content["columns"], len(content["data"]), source)
        content["columns"] += columns
        for k, row in enumerate(content["data"]):
            row += [values[k] for values in columns.values()]
        return _dumped(content)
    if _is_of_objects(content):
        index = _index(content)
        added = new.beside(content, len(index), source)
        return _dumped(content | {name: dict(zip(index, values, strict=True)) for name, values in added.items()})
    return _dumped(content | new.beside(content, len(next(iter(content.values()))), source))


@appends_to("jsonl")
def append_json_lines(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    rows = _with_columns(_rows(stream, source, options)[0], new, source)
    return b"".join(_dumped(row) for row in rows)


def _with_columns(rows: Sequence[Mapping[str, Any]], new: NewColumns, source: str) -> list[dict[str, Any]]:
    columns = new.beside({name for row in rows for name in row}, len(rows), source)
    return [row | {name: values[k] for name, values in columns.items()} for k, row in enumerate(map(dict, rows))]


def _dumped(content: Any) -> bytes:
    return f"{json.dumps(content, ensure_ascii=False)}\n".encode()


def _content(stream: BinaryIO, source: str, options: Options) -> Any:
    data = read_all(stream, source)
    refuse_if_larger(_BYTES_A_BYTE * len(data), source, "the table")
    with foreign("json", source, "Check that it is JSON, or write it again."):
        return json.loads(data.removeprefix(codecs.BOM_UTF8).decode(options.encoding))


def _rows(stream: BinaryIO, source: str, options: Options) -> tuple[list[Any], list[int]]:
    """The object in each line, and its number."""
    rows, lines, total = [], [], 0
    for number, line in enumerate(text_lines(stream, source, options.encoding), 1):
        if not line.strip():
            continue
        total += _BYTES_A_BYTE * len(line)
        refuse_if_larger(total, source, f"the table up to line {number}")
        with foreign(
            "json", f"{source}, line {number}", "Each line is an object: correct it, or write the file again."
        ):
            rows.append(json.loads(line))
        lines.append(number)
        if not isinstance(rows[-1], Mapping):
            raise SourceError(
                f'{source}: line {number} is no object, such as {{"height": 1.8}}. Write one for each row.'
            )
    if not rows:
        raise SourceError(f"{source} has no rows, only blank lines. Check that the right file was chosen.")
    return rows, lines


def columns_of_rows(rows: Sequence[Any], source: str) -> dict[str, list[Any]]:
    """Columns of a list of objects; what a row does not name is missing there."""
    other = next((k for k, row in enumerate(rows) if not isinstance(row, Mapping)), None)
    if other is not None:
        raise SourceError(f"{source}: row {other} is {shortened(repr(rows[other]))}, no object. {_WANTED}")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _columns(content: Mapping[str, Any], source: str) -> dict[str, list[Any]]:
    if content.keys() == _SPLIT and all(isinstance(part, list) for part in content.values()):
        rows = [dict(zip(content["columns"], row, strict=False)) for row in content["data"] if isinstance(row, list)]
        return {"": content["index"], **columns_of_rows(rows, source)}
    index: list[str] = []
    if _is_of_objects(content):
        index = _index(content)
        content = {name: [values.get(row) for row in index] for name, values in content.items()}
    lengths = {name: len(values) if isinstance(values, list) else None for name, values in content.items()}
    if None in lengths.values() or len(set(lengths.values())) > 1:
        said = ", ".join(
            f"{shortened(repr(name))} is {'no list' if n is None else f'a list of {n:,}'}"
            for name, n in lengths.items()
        )
        raise SourceError(f"{source} is an object, but not of columns of one length: {shortened(said)}. {_WANTED}")
    is_counting = index == [str(row) for row in range(len(index))]
    return dict(content) if is_counting else {"": index, **content}


def _is_of_objects(content: Mapping[str, Any]) -> bool:
    """Whether each column is an object with a value for each row that it has one for."""
    return bool(content) and all(isinstance(values, Mapping) for values in content.values())


def _index(content: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The names of the rows; not every column need have all of them."""
    return list(dict.fromkeys(row for values in content.values() for row in values))


def _table(
    columns: Mapping[str, list[Any]], source: str, options: Options, lines: Sequence[int] | None = None
) -> Table:
    nested = [name for name, values in columns.items() if any(isinstance(value, list | dict) for value in values)]
    kept = [name for name in nested if name not in options.drop and (not options.columns or name in options.columns)]
    if kept:
        raise SourceError(
            f"{source}: {counted(len(kept), 'column')} {'holds' if len(kept) == 1 else 'hold'} lists or objects: "
            f"{quoted(kept)}. Write each of their values as a column of its own, or leave them out."
        )
    return table_of_columns(
        list(columns),
        list(columns.values()),
        source,
        options,
        cells=lambda column: column,
        objects=texts_of,
        lines=lines,
    )
