"""Labels joined to the table that they are of, in its own format."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from s3nmf._files import written_whole
from s3nmf._words import listed
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.files import format_of
from s3nmf.desk.sources.formats import FORMATS, Format
from s3nmf.desk.sources.new_columns import NewColumns
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.opening import STANDARD_STREAM, name_of, opened
from s3nmf.desk.sources.options import Options

_GZIP = ".gz"


def append_columns(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    columns: Mapping[str, Sequence[Any]],
    *,
    rows: Sequence[int] | None = None,
    format: str | None = None,  # noqa: A002
    header: bool | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    decimal: Decimal | None = None,
    about: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    r"""Write a file again with more columns behind its own, such as clusters and confidence.

    What the file holds stays as it is: columns, order, delimiter, line ends and encoding of a text; other sheets,
    formulas with their values, charts and pictures of a workbook. A name that the file has already gets "s3nmf\_"
    before it. In a file of cells, values go into `obs`, in place of columns of the same name, as scanpy does it.

    Parameters
    ----------
    source : path
        Text (.csv, .tsv, .txt, .data), .xlsx, .json, .jsonl, .parquet, .feather, .arrow or .h5ad.
    target : path
        Another file, whose name has the same ending.
    columns : mapping of names to sequences
    rows : sequence of int, or None
        The rows of the source that the values are of, counted from 0, as `Table.rows` has them; by default all of
        them. Other rows get no values, NA where blanks separate the columns.
    format, header, encoding, sheet, decimal
        As the source was read, see `s3nmf.sources.read`. A text whose numbers have decimal commas gets more of them.
    about : mapping
        Of a file of cells: what goes into `uns`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     source, target = Path(directory) / "people.csv", Path(directory) / "clustered.csv"
    ...     _ = source.write_text("name;height\n007;1,80\nQ;1,65\n", encoding="utf-8")
    ...     append_columns(source, target, {"cluster": [0, 1]})
    ...     print(target.read_text(encoding="utf-8"))
    name;height;cluster
    007;1,80;0
    Q;1,65;1
    <BLANKLINE>
    """
    chosen = check_appending(source, target, format)
    options = Options(header=header, encoding=encoding, sheet=sheet, decimal=decimal)
    with opened(source) as stream:
        data = (
            chosen.append(stream, name_of(source), options, NewColumns(columns, rows, about)) if chosen.append else b""
        )
    if os.fspath(target).endswith(_GZIP):
        data = gzip.compress(data, mtime=0)
    with written_whole(target) as file:
        file.write(data)


def check_appending(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> Format:
    """The format of a file that columns can be added to, or an error: to be called before a long computation."""
    if source == STANDARD_STREAM:
        raise SourceError("Standard input cannot be read again to add columns to it. Save it in a file first.")
    chosen = format_of(source, format)
    if chosen.append is None:
        able = sorted(known.name for known in FORMATS.values() if known.append is not None)
        raise SourceError(
            f"{os.fspath(source)}: no column can be added to the format {chosen.name}, but to {listed(able, 'or')}. "
            "Write the labels to a file of their own."
        )
    ending, wanted = (PurePath(os.fspath(path).removesuffix(_GZIP)).suffix.casefold() for path in (target, source))
    if format is None and ending != wanted:
        raise SourceError(
            f"{os.fspath(target)} gets the format of {os.fspath(source)}: let its name end in {wanted}, too."
        )
    return chosen
