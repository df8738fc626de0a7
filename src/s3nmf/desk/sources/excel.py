"""Workbooks of Excel, read by openpyxl: one sheet is a table."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from s3nmf._messages import Message, Parameter
from s3nmf._words import counted, quoted
from s3nmf.desk.sources.delimited import has_header
from s3nmf.desk.sources.errors import SourceError, foreign, optional
from s3nmf.desk.sources.formats import appends_to, file_format
from s3nmf.desk.sources.frames import table_of_columns, texts_of
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.opening import read_all, refuse_document_type, refuse_if_larger
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.stored_sheet import with_cells
from s3nmf.desk.sources.table import Table

REMEDY = "Check that it is an .xlsx file, or save it again."

_SAMPLE_ROWS = 200
# What openpyxl makes of a byte of XML.
_BYTES_A_BYTE = 10

Line = tuple[int, Sequence[Any]]
"""The number of a line of a sheet, counted from 1, and its cells."""


@file_format("xlsx", ".xlsx", ".xlsm", kind="table", has_ids=True, has_columns=True, has_truth=True, takes=("sheet",))
def read_excel(stream: BinaryIO, source: str, options: Options) -> Table:
    """Read a sheet of a workbook: the one that is named, or the first that has anything in it.

    Of a formula the value is taken that it had when the workbook was saved.
    """
    data = read_all(stream, source)
    with opened_workbook(data, source, read_only=True, data_only=True) as workbook:
        sheet, lines = chosen_sheet(workbook, options, source)
        notes = (
            [f"Took the sheet {sheet.title!r} of {quoted(workbook.sheetnames)}."]
            if len(workbook.sheetnames) > 1
            else []
        )
    first = top_of_table(lines)
    if first:
        notes.append(f"Skipped {counted(first, 'line')} above the table.")
    names, rows = named_rows(lines[first:], options)
    columns = [[cells[j] for _, cells in rows] for j in range(len(names))]
    return table_of_columns(
        names,
        columns,
        source,
        options,
        cells=lambda column: column,
        objects=texts_of,
        lines=[number for number, _ in rows],
        notes=notes,
    )


@appends_to("xlsx")
def append_excel(stream: BinaryIO, source: str, options: Options, new: NewColumns) -> bytes:
    """The workbook with more columns in the sheet that was read."""
    data = read_all(stream, source)
    with opened_workbook(data, source, read_only=True, data_only=True) as workbook:
        sheet, lines = chosen_sheet(workbook, options, source)
        part = sheet._worksheet_path
    lines = lines[top_of_table(lines) :]
    names, rows = named_rows(lines, options)
    columns = new.beside(names, len(rows), source)
    cells = dict(zip((number for number, _ in rows), zip(*columns.values(), strict=True), strict=True))
    if len(rows) < len(lines):
        cells[lines[0][0]] = tuple(columns)
    return with_cells(data, part, cells, column=len(lines[0][1]) + 1, source=source)


@contextmanager
def opened_workbook(data: bytes, source: str, **how: bool) -> Iterator[Any]:
    """A workbook, once its parts are known to be no larger than the memory and to define no entities."""
    openpyxl = optional("openpyxl", "excel", "An .xlsx file")
    with foreign("openpyxl", source, REMEDY):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            refuse_if_larger(_BYTES_A_BYTE * sum(info.file_size for info in infos), source, "the workbook")
            for info in infos:
                if info.filename.endswith((".xml", ".rels")):
                    refuse_document_type(archive.read(info), source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what is beside the cells
            workbook = openpyxl.load_workbook(io.BytesIO(data), **how)
            try:
                yield workbook
            finally:
                workbook.close()


def chosen_sheet(workbook: Any, options: Options, source: str) -> tuple[Any, list[Line]]:
    """The sheet that is named, or the first that is shown and has anything in it, and its lines."""
    sheets = {sheet.title: sheet for sheet in workbook.worksheets}
    if options.sheet is not None and options.sheet not in sheets:
        raise SourceError(f"{source} has no sheet {options.sheet!r}. Its sheets are {quoted(sheets)}.")
    shown = [sheet for sheet in sheets.values() if sheet.sheet_state == "visible"]
    for sheet in shown if options.sheet is None else [sheets[options.sheet]]:
        lines = filled_lines(sheet)
        if lines:
            return sheet, lines
    nothing = "no sheet with anything in it that is shown" if options.sheet is None else "nothing in that sheet"
    raise SourceError(
        Message(
            "{source} has {nothing}. Its sheets are {sheets}: name another one ({sheet}).",
            source=source,
            nothing=nothing,
            sheets=quoted(sheets) or "none",
            sheet=Parameter("sheet"),
        )
    )


def filled_lines(sheet: Any) -> list[Line]:
    """The lines of a sheet that have a cell with anything in it, all as wide as the widest."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()  # what a sheet says of its size may be wrong
    lines = [
        (number, cells)
        for number, cells in enumerate(sheet.iter_rows(values_only=True), 1)
        if any(cell not in (None, "") for cell in cells)
    ]
    width = max((len(cells) for _, cells in lines), default=0)
    return [(number, (*cells, *(None,) * (width - len(cells)))) for number, cells in lines]


def top_of_table(lines: Sequence[Line]) -> int:
    """How many lines are a title above the table: those of one cell at the top, where most lines have more."""
    filled = [sum(cell not in (None, "") for cell in cells) for _, cells in lines]
    if Counter(filled).most_common(1)[0][0] <= 1:
        return 0
    return next(k for k, n in enumerate(filled) if n > 1)


def named_rows(lines: Sequence[Line], options: Options) -> tuple[list[str], Sequence[Line]]:
    """Names of the columns, where need be their numbers counted from 1, and the lines of data."""
    used = [j for j in range(len(lines[0][1])) if any(cells[j] not in (None, "") for _, cells in lines)]
    lines = [(number, [cells[j] for j in used]) for number, cells in lines]
    top = [["" if cell is None else str(cell) for cell in cells] for _, cells in lines[:_SAMPLE_ROWS]]
    if has_header(top) if options.header is None else options.header:
        names = [name.strip() for name in top[0]]
        return names[:1] + [name or str(j) for j, name in enumerate(names[1:], 2)], lines[1:]
    return [str(j) for j in range(1, len(used) + 1)], lines
