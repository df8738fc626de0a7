"""Tables as text: CSV, TSV and their relatives, with the delimiter and the header found in the first lines.

The standard library's csv module keeps every id as it is written, knows quotes and line ends inside them, and is always
there. It reads 100,000 rows of 50 numbers in some 2 seconds; pyarrow would take 1.
"""

from __future__ import annotations

import codecs
import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

from s3nmf._words import counted
from s3nmf.desk.sources.columns import Column, choose_columns
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.formats import appends_to, file_format
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.numbers import is_gap, written
from s3nmf.desk.sources.opening import text_lines
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.places import in_lines
from s3nmf.desk.sources.table import Table, build_table
from s3nmf.desk.sources.table_or_edges import refuse_if_edges

_DELIMITERS = (",", ";", "\t", "|", " ")
_HINT = re.compile(r"sep=([,;\t|])(?:\r?\n|\r)")  # what Excel writes above a table, and reads
_WEKA = "@relation"
_SAMPLE_LINES = 200
# Short batches stay in the processor's cache between being split and becoming numbers: 2.1 s against 3.2 s for 4096.
_BATCH_ROWS = 256

Record = tuple[int, int, list[str]]
"""The lines where a record begins and ends, counted from 1, and its cells."""


@file_format(
    "csv",
    *(".csv", ".txt", ".data", ".dat"),
    kind="table",
    has_ids=True,
    has_columns=True,
    has_truth=True,
    is_stream=True,
)
def read_delimited(stream: BinaryIO, source: str, options: Options, *, delimiter: str | None = None) -> Table:
    """Read a table of text; delimiter and header are found unless they are given."""
    layout, lines = _layout(text_lines(stream, source, options.encoding), source, options, delimiter)
    delimiter, header = layout.delimiter, layout.has_header
    all_records = records(lines, delimiter, source, skipped=layout.skipped)
    names, all_records = _names(all_records, header, layout.lacks_a_name)
    at, features, notes = choose_columns(names, options, source)
    columns = [Column(names[j]) for j in features]
    ids: list[str] | None = None if at is None else []
    held_out: dict[str, list[str]] = {name: [] for name in options.held_out}
    starts = array("q")
    for rows in _batches(all_records, len(names), header, source, starts):
        cells = list(zip(*rows, strict=True))
        if ids is not None and at is not None:
            ids += cells[at]
        for name, held in held_out.items():
            held.extend(cells[names.index(name)])
        for column, j in zip(columns, features, strict=True):
            column.extend_text(cells[j])
    if not starts:
        raise SourceError(f"{source} has a header and no rows. Check that the program that wrote it came to its end.")
    if options.says_nothing_of_columns:
        refuse_if_edges(columns, source, delimiter=delimiter, has_header=header)
    return build_table(
        columns,
        ids,
        id_column=None if at is None else names[at],
        place=in_lines(starts, has_ids=at is not None),
        source=source,
        options=options,
        notes=notes,
        held_out=held_out,
        likely="," if delimiter == ";" else ".",  # as Excel writes it where the comma stands before decimals
    )


@file_format("tsv", ".tsv", ".tab", kind="table", has_ids=True, has_columns=True, has_truth=True, is_stream=True)
def read_tabbed(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a table of text whose cells are separated by tabs."""
    return read_delimited(stream, source, options, delimiter="\t")


@appends_to("csv")
def append_delimited(
    stream: BinaryIO, source: str, options: Options, new: NewColumns, *, delimiter: str | None = None
) -> bytes:
    """The text with cells at the end of each record, and nothing else changed."""
    mark = codecs.BOM_UTF8 if stream.peek(3).startswith(codecs.BOM_UTF8) else b""  # type: ignore[attr-defined]
    all_lines = list(text_lines(stream, source, options.encoding))
    layout, lines = _layout(iter(all_lines), source, options, delimiter)
    found = list(records(lines, layout.delimiter, source, skipped=layout.skipped))
    taken = found[0][-1] if layout.has_header else []
    columns = new.beside([name.strip() for name in taken], len(found) - layout.has_header, source)
    rows = list(zip(*columns.values(), strict=True))
    decimal = "." if layout.delimiter == "," or options.decimal is None else options.decimal
    gap = "NA" if layout.delimiter == " " else ""  # two blanks are one to whoever reads the file
    for (_, end, _), cells in zip(found, [tuple(columns), *rows] if layout.has_header else rows, strict=True):
        line = all_lines[end - 1]
        text = line.rstrip("\r\n")
        added = "".join(layout.delimiter + _spelled(cell, decimal, gap) for cell in cells)
        all_lines[end - 1] = f"{text}{added}{line[len(text) :]}"
    return mark + "".join(all_lines).encode(options.encoding)


def _spelled(cell: Any, decimal: str, gap: str) -> str:
    if isinstance(cell, float):
        return str(cell).replace(".", decimal)
    return gap if cell is None else str(cell)


@appends_to("tsv")
def append_tsv(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    return append_delimited(stream, source, options, new, delimiter="\t")


class _Layout(NamedTuple):
    """How a text is laid out; `lacks_a_name` is a header that has none above the names of the rows."""

    delimiter: str
    has_header: bool
    lacks_a_name: bool
    skipped: int


def _layout(
    lines: Iterator[str], source: str, options: Options, delimiter: str | None
) -> tuple[_Layout, Iterator[str]]:
    """The layout that the first lines show, and all lines but those before the table."""
    sample = list(islice(lines, _SAMPLE_LINES))
    if sample[0].lower().startswith(_WEKA):
        raise SourceError(
            f"{source} begins with {_WEKA!r}, as files of Weka and KEEL do. Remove all lines up to '@data': what is "
            "left is a table without a header, which is read."
        )
    hint = _HINT.fullmatch(sample[0]) if delimiter is None else None
    if hint:
        delimiter, sample = hint[1], sample[1:]
    delimiter = delimiter or find_delimiter(sample)
    first = list(sampled(sample, delimiter))
    if not first:
        raise SourceError(f"{source} has no rows, only blank lines. Check that the right file was chosen.")
    header = has_header(first) if options.header is None else options.header
    # R writes no name above the names of the rows.
    unnamed = header and len(first) > 1 and all(len(row) == len(first[0]) + 1 for row in first[1:])
    return _Layout(delimiter, header, unnamed, 1 if hint else 0), chain(sample, lines)


def records(
    lines: Iterable[str], delimiter: str, source: str, *, skipped: int = 0, skip_blanks: bool = False
) -> Iterator[Record]:
    """Split lines into records, empty ones left out, and on request the blanks that follow a delimiter.

    `skipped` lines are before the first one, and counted.
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=skip_blanks or delimiter == " ")
    start = skipped + 1
    try:
        for row in reader:
            end = skipped + reader.line_num
            if len(row) > 1 or (row and row[0].strip()):
                yield start, end, row
            start = end + 1
    except csv.Error as error:
        raise SourceError(f"{source}: {_explained(str(error), start, delimiter)}") from error


def find_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that cuts the lines most evenly, into the most numbers; a comma where there is none."""
    best, best_score = ",", (0.0, 0.0, 0)
    for delimiter in _DELIMITERS:
        rows = list(sampled(lines, delimiter))
        if not rows:
            continue
        widths = Counter(map(len, rows))
        width, evenly = widths.most_common(1)[0]
        if width == 1 or evenly <= len(rows) / 2:
            continue
        cells = [cell for cell in chain.from_iterable(rows) if not is_gap(cell)]
        numbers = sum(written(cell) is not None for cell in cells)
        score = (evenly / len(rows), numbers / max(1, len(cells)), width)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: text above numbers; or no number in it, and few of its values below."""

    def is_number(cell: str) -> bool:
        return written(cell) is not None

    head = rows[0]
    body = [row for row in rows[1:] if row != head]  # files that were put together have their header more than once
    shift = 1 if body and len(body[0]) == len(head) + 1 else 0
    n_again = 0
    for j, name in enumerate(head, shift):
        below = [row[j] for row in body if len(row) > j and not is_gap(row[j])]
        if not (is_gap(name) or is_number(name)) and below and all(map(is_number, below)):
            return True
        n_again += name in below
    return not any(map(is_number, head)) and n_again <= len(head) / 2


def sampled(lines: Sequence[str], delimiter: str) -> Iterator[list[str]]:
    """Records of the first lines; the last may be cut inside a quote, which is no error here."""
    try:
        for *_, row in records(lines, delimiter, ""):
            yield row
    except SourceError:
        return


def _names(all_records: Iterator[Record], header: bool, unnamed: bool) -> tuple[list[str], Iterator[Record]]:
    """Names of the columns, where need be their numbers counted from 1, and the records of data."""
    first = next(all_records)
    top = first[-1]
    if not header:
        return [str(j) for j in range(1, len(top) + 1)], chain([first], all_records)
    names = [""] * unnamed + [name.strip() for name in top]
    return names[:1] + [name or str(j) for j, name in enumerate(names[1:], 2)], all_records


def _batches(
    all_records: Iterator[Record], width: int, header: bool, source: str, starts: array[int]
) -> Iterator[list[list[str]]]:
    while batch := list(islice(all_records, _BATCH_ROWS)):
        for start, _, row in batch:
            if len(row) != width:
                than = "the header" if header else "the first row"
                raise SourceError(
                    f"{source}: line {start} has {counted(len(row), 'value')}, {than} has {width}. Look for a missing "
                    "or an extra delimiter there, or a name with a delimiter in it that is not in quotes."
                )
        starts.extend(start for start, _, _ in batch)
        yield [row for _, _, row in batch]


def _explained(error: str, start: int, delimiter: str) -> str:
    if "unexpected end" in error:
        return (
            f"the quote that opens in line {start} is never closed. Close it, or double it if it belongs to the text."
        )
    if "expected after" in error:
        return (
            f"in line {start}, text follows a closing quote without {delimiter!r} between them. A quote inside of "
            "quotes is written twice."
        )
    if "new-line" in error:
        return f"line {start} holds a bare carriage return. Save the file with the line ends of Unix or Windows."
    return f"line {start} cannot be read: {error}. Check the quotes in it."
