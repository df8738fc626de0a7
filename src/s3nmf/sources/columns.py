"""A column of a table before it is judged: numbers, gaps and text, from whatever kind of file or frame."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from s3nmf._types import FloatArray
from s3nmf._words import quoted, shortened
from s3nmf.sources.errors import SourceError
from s3nmf.sources.options import Options

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-", "."})
_TRUTH = {"true": 1.0, "false": 0.0}
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?")
_COMPARED = 1000
_NO_NAME = ("", "__index_level_0__")


class Column:
    """The numbers of a column, NaN where a value is missing or no number, and what those others are.

    Cells come in batches, of numbers, of text or of Python objects.

    Attributes
    ----------
    name : str
    first_text : tuple of int and str, or None
        The row and value of the first cell that is no number.
    n_text : int
        How many there are.
    commas : int
        Cells whose comma was read as a decimal point.
    """

    def __init__(self, name: str, decimal_comma: bool = False) -> None:
        self.name = name
        self.first_text: tuple[int, str] | None = None
        self.commas = 0
        self._decimal_comma = decimal_comma
        self._batches: list[FloatArray] = []
        self._rows = 0
        self.n_text = 0
        self._different_texts: set[str] = set()

    @property
    def numbers(self) -> FloatArray:
        if len(self._batches) != 1:
            self._batches = [np.concatenate([np.empty(0), *self._batches])]
        return self._batches[0]

    @property
    def tells_rows_apart(self) -> bool:
        """Whether no value comes twice and none is missing: it may be what names the rows."""
        present = self.numbers[~np.isnan(self.numbers)]
        return (
            len(self._different_texts) == self.n_text
            and np.unique(present).size == present.size
            and present.size + self.n_text == self._rows
        )

    def extend_numbers(self, numbers: Any) -> None:
        with np.errstate(over="ignore"):  # what is too large for float64 is infinite, and refused as such
            self._batches.append(np.asarray(numbers, dtype=np.float64))
        self._rows += len(numbers)

    def extend_text(self, cells: Sequence[str]) -> None:
        """Add cells of a text file."""
        try:
            numbers = list(map(float, cells))
            if "_" in "".join(cells):  # see `parsed`
                raise ValueError
        except ValueError:
            numbers = [self._number(cell, row) for row, cell in enumerate(cells, self._rows)]
        self.extend_numbers(numbers)

    def extend_objects(self, values: Iterable[Any]) -> None:
        """Add Python objects, as frames hold them where they have no type for a column."""
        self.extend_numbers(np.array([self._object(value, row) for row, value in enumerate(values, self._rows)], float))

    def _number(self, cell: str, row: int) -> float:
        if cell.strip().casefold() in MISSING:
            return math.nan
        number = parsed(cell)
        if number is None and self._decimal_comma:
            number = parsed(cell, decimal_comma=True)
            self.commas += number is not None
        return self._text(cell, row) if number is None else number

    def _object(self, value: Any, row: int) -> float:
        if is_missing(value):
            return math.nan
        if not isinstance(value, str | bytes):
            try:
                return float(value)
            except (TypeError, ValueError, OverflowError):
                pass
        return self._text(str(value), row)

    def _text(self, cell: str, row: int) -> float:
        if self.first_text is None:
            self.first_text = (row, cell)
        self.n_text += 1
        self._different_texts.add(cell)
        return math.nan


def parsed(cell: str, decimal_comma: bool = False) -> float | None:
    """The number that a cell holds, with a comma for the decimal point if that is allowed; None if it holds none."""
    token = cell.strip().casefold()
    if decimal_comma and _DECIMAL_COMMA.fullmatch(token):
        token = token.replace(",", ".")
    if token in _TRUTH:
        return _TRUTH[token]
    if "_" in token:  # Python's own spelling of 1000 as 1_000 is a name to everybody else
        return None
    try:
        return float(token)
    except ValueError:
        return None


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has for the other types."""
    return (
        value is None
        or type(value).__name__ in {"NAType", "NaTType"}
        or (isinstance(value, float) and math.isnan(value))
    )


def choose_columns(names: Sequence[str], options: Options, source: str) -> tuple[int | None, list[int], list[str]]:
    """Which column names the rows, if any, which ones are features, and notes about that.

    Without an id, a first column without a name (as pandas and R write row names) or a column called "id" is taken:
    a running number among the features would decide the clusters.
    """
    wanted, drop = options.id, dict.fromkeys(options.drop)
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise SourceError(f"{source}: column {shortened(repr(name))} comes {times} times. Rename all but one.")
    known = set(names)
    held_out = options.held_out
    for name in [name for name in (wanted, *held_out, *drop) if name is not None]:
        if name not in known:
            raise SourceError(f"{source} has no column {name!r}. {_suggestion(name, names)}")
    if wanted in drop:
        raise SourceError(
            f"{source}: column {wanted!r} cannot both name the rows and be dropped. Choose one of the two."
        )
    if wanted is not None and wanted == options.truth:
        raise SourceError(f"{source}: column {wanted!r} cannot both name the rows and hold known groups.")
    both = [name for name in options.keep if name in drop or name == wanted]
    if both:
        other = "names the rows" if both[0] == wanted else "is dropped"
        raise SourceError(f"{source}: column {both[0]!r} cannot be kept, because it {other}. Choose one of the two.")
    notes = [f"Left out {quoted(drop)}, as asked."] if drop else []
    if options.keep:
        notes.append(f"Kept {quoted(options.keep)} to compare with; not clustered by.")
    if wanted is None and options.like is not None and options.like.id_name in known.difference(drop, held_out):
        wanted = options.like.id_name
    no_feature = {*drop, *held_out}
    if wanted is not None:
        at: int | None = list(names).index(wanted)
    else:
        named = [j for j, name in enumerate(names) if name.casefold() == "id" and name not in no_feature]
        unnamed = [0] if names[0] in _NO_NAME and names[0] not in no_feature and len(names) > 1 else []
        at = next(iter(unnamed + named), None)
        if at is not None:
            which = f"Column {names[at]!r}" if names[at] else "The first column, which has no name,"
            notes.append(f"{which} names the rows; it is no feature.")
    return at, [j for j, name in enumerate(names) if j != at and name not in no_feature], notes


def _suggestion(wanted: str, names: Sequence[str]) -> str:
    close = get_close_matches(wanted.casefold(), [name.casefold() for name in names[:_COMPARED]], n=1)
    meant = [name for name in names if close and name.casefold() == close[0]]
    return f"Did you mean {meant[0]!r}?" if meant else f"Its columns are {quoted(names)}."
