"""Cells added to a sheet of a workbook where it is stored, so that all else in the file stays what it is.

openpyxl would write the workbook anew, without the values of its formulas, its charts and its pictures.
"""

from __future__ import annotations

import codecs
import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from s3nmf._words import plain_text
from s3nmf.desk.sources.errors import SourceError, foreign, optional

# What a sheet says of its size, and a row of its width.
_SIZE = re.compile(rb"""(?<=\sref=)(?:"[^"]*"|'[^']*')""")
_WIDTH = re.compile(rb"""\sspans=(?:"[^"]*"|'[^']*')""")
# The longest text in a cell.
_LONGEST = 32_767


def with_cells(data: bytes, part: str, rows: Mapping[int, Sequence[Any]], *, column: int, source: str) -> bytes:
    """The workbook with a cell for each value of these rows, from a column on that is behind all that the sheet has.

    Rows and columns are counted from 1; `part` is the file inside of the workbook that holds the sheet.
    """
    with foreign("zipfile", source, "Save it again."), io.BytesIO() as file:
        with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w") as after:
            for info in before.infolist():
                content = before.read(info)
                after.writestr(info, _extended(content, rows, column, source) if info.filename == part else content)
        return file.getvalue()


def _extended(xml: bytes, rows: Mapping[int, Sequence[Any]], column: int, source: str) -> bytes:
    """The text of the sheet with cells at the end of its rows, and what it says of its size made true."""
    if xml.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise SourceError(f"{source}: the sheet is stored as UTF-16. Save the workbook again with Excel.")
    letters = optional("openpyxl.utils", "excel", "An .xlsx file").get_column_letter
    parser = expat.ParserCreate()
    edits: list[tuple[int, int, bytes]] = []
    number, is_in_rows = 0, False

    def change(attribute: re.Pattern[bytes], value: str) -> None:
        at = parser.CurrentByteIndex
        found = attribute.search(xml, at, xml.index(b">", at))
        if found:
            edits.append((*found.span(), value.encode()))

    def begin(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal number, is_in_rows
        name = tag.rpartition(":")[-1]
        if name == "dimension":
            width = max(map(len, rows.values()))
            change(_SIZE, f'"A1:{letters(column + width - 1)}{max(rows)}"')
        elif name == "sheetData":
            is_in_rows = True
        elif name == "row" and is_in_rows:
            number = int(attributes.get("r", number + 1))
            if number in rows:
                change(_WIDTH, "")

    def end(tag: str) -> None:
        nonlocal is_in_rows
        prefix, colon, name = tag.rpartition(":")
        if name == "sheetData":
            is_in_rows = False
        elif name == "row" and is_in_rows:
            at, values = parser.CurrentByteIndex, enumerate(rows.get(number, ()), column)
            cells = "".join(_cell(value, f"{letters(j)}{number}", prefix + colon) for j, value in values)
            edits.append((at, at, cells.encode("ascii", "xmlcharrefreplace")))

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.Parse(xml, True)
    pieces, done = [], 0
    for start, stop, text in edits:
        pieces += [xml[done:start], text]
        done = stop
    return b"".join([*pieces, xml[done:]])


def _cell(value: Any, place: str, prefix: str) -> str:
    """A cell in the words of the file format; none for what is missing or no finite number."""
    if value is None or (isinstance(value, Real) and not math.isfinite(value)):
        return ""
    if isinstance(value, Real):
        number = int(value) if isinstance(value, Integral) else float(value)
        return f'<{prefix}c r="{place}"><{prefix}v>{number}</{prefix}v></{prefix}c>'
    text = f'<{prefix}t xml:space="preserve">{escape(plain_text(value, _LONGEST))}</{prefix}t>'
    return f'<{prefix}c r="{place}" t="inlineStr"><{prefix}is>{text}</{prefix}is></{prefix}c>'
