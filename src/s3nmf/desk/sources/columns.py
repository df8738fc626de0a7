"""A column of a table before it is judged: numbers, gaps and text, from whatever kind of file or frame."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from numbers import Complex, Real
from typing import Any

import numpy as np

from s3nmf._types import FloatArray
from s3nmf._words import quoted, shortened
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.numbers import is_gap, plain
from s3nmf.desk.sources.options import Options

# No text file holds it.
_BETWEEN = "\0"
_COMPARED = 1000
_NO_NAME = ("", "__index_level_0__")


class Column:
    """The numbers of a column, NaN where a value is missing or no number, and what those others are.

    Cells come in batches, of numbers, of text or of Python objects. What is written is kept until it is known how to
    read it: the last cell may say what the marks in the first one mean.

    Attributes
    ----------
    name : str
    texts : dict of int to str
        The cells that are not numbers, by row.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.texts: dict[int, str] = {}
        self._batches: list[FloatArray] = []
        self._written: list[tuple[int, str]] = []
        self._rows = 0
        self._gaps: frozenset[str] = frozenset()

    @property
    def numbers(self) -> FloatArray:
        if len(self._batches) != 1:
            self._batches = [np.concatenate([np.empty(0), *self._batches])]
        return self._batches[0]

    @property
    def n_numbers(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.numbers)))

    @property
    def tells_rows_apart(self) -> bool:
        """Whether no value comes twice and none is missing: it may be what names the rows."""
        present = self.numbers[~np.isnan(self.numbers)]
        n_values = np.unique(present).size + len(set(self.texts.values()))
        return n_values == present.size + len(self.texts) == self._rows

    def extend_numbers(self, numbers: Any) -> None:
        with np.errstate(over="ignore"):  # what is too large for float64 is infinite, and refused as such
            self._batches.append(np.asarray(numbers, dtype=np.float64))
        self._rows += len(numbers)

    def extend_text(self, cells: Sequence[str]) -> None:
        """Add cells of a text file."""
        written = _BETWEEN.join(cells)
        self._written.append((self._rows, written))
        try:
            if "_" in written:  # see `plain`
                raise ValueError
            numbers = list(map(float, cells))
        except ValueError:
            numbers = [self._number(cell, row) for row, cell in enumerate(cells, self._rows)]
        self.extend_numbers(numbers)

    def extend_objects(self, values: Iterable[Any]) -> None:
        """Add Python objects, as frames hold them where they have no type for a column."""
        values = list(values)
        cells = [value.replace(_BETWEEN, " ") if isinstance(value, str) else "" for value in values]
        if any(cells):
            self._written.append((self._rows, _BETWEEN.join(cells)))
        self.extend_numbers(np.array([self._object(value, row) for row, value in enumerate(values, self._rows)], float))

    def take_as_gaps(self, words: Iterable[str]) -> None:
        """Take cells with these words, or numbers, to say that there is no value."""
        self._gaps = frozenset(word.strip().casefold() for word in words)
        codes = [number for word in self._gaps if (number := plain(word)) is not None]
        self._batches = [np.where(np.isin(self.numbers, codes), math.nan, self.numbers)]
        self.texts = {row: cell for row, cell in self.texts.items() if not self._says_nothing(cell)}

    def _says_nothing(self, cell: str) -> bool:
        return is_gap(cell) or cell.strip().casefold() in self._gaps

    def written(self) -> Iterator[tuple[int, str]]:
        """Rows and cells that came as text, without gaps."""
        for start, cells in self._written:
            for row, cell in enumerate(cells.split(_BETWEEN), start):
                if not self._says_nothing(cell):
                    yield row, cell

    def has_mark(self, mark: str) -> bool:
        """Whether it stands in any cell that came as text."""
        return any(mark in cells for _, cells in self._written)

    def read_anew(self, numbers: Mapping[int, float], texts: Mapping[int, str]) -> None:
        """Take other numbers for these rows, and these texts for all that there are."""
        values = self.numbers.copy()
        values[list(texts)] = math.nan
        values[list(numbers)] = list(numbers.values())
        self._batches, self.texts = [values], dict(texts)

    def _number(self, cell: str, row: int) -> float:
        number = plain(cell)
        if number is None and not is_gap(cell):
            self.texts[row] = cell
        return math.nan if number is None else number

    def _object(self, value: Any, row: int) -> float:
        if is_missing(value):
            return math.nan
        if isinstance(value, str):
            return self._number(value, row)
        try:
            if isinstance(value, Real) or not isinstance(value, Complex):  # whose imaginary part numpy would drop
                return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
        self.texts[row] = str(value)
        return math.nan


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
    a running number among the features would decide the clusters. New rows are named by the same column as the first
    ones, and what these were clustered by names none.
    """
    _refuse_roles(names, options, source)
    wanted, drop, taken = options.id, dict.fromkeys(options.drop), dict.fromkeys(options.columns)
    known, held_out = set(names), options.held_out
    notes = [f"Left out {quoted(drop)}, as asked."] if drop else []
    if options.keep:
        notes.append(f"Kept {quoted(options.keep)} to compare with; not clustered by.")
    no_feature, like = {*drop, *held_out}, options.like
    may_be_ids = known.difference(no_feature, taken, () if like is None else like.read_from)
    if wanted is None and like is not None and like.id_name in may_be_ids:
        wanted = like.id_name
    if wanted is not None:
        at: int | None = list(names).index(wanted)
    else:
        named = [j for j, name in enumerate(names) if name.casefold() == "id" and name in may_be_ids]
        unnamed = [0] if names[0] in may_be_ids.intersection(_NO_NAME) and len(names) > 1 else []
        at = next(iter(unnamed + named), None)
        if at is not None:
            which = f"Column {names[at]!r}" if names[at] else "The first column, which has no name,"
            notes.append(f"{which} names the rows; it is no feature.")
    features = [j for j, name in enumerate(names) if j != at and name not in no_feature]
    if taken:
        notes.append(f"Took {quoted(taken)} of {len(features) + len(drop)} columns, as asked.")
        features = [j for j in features if names[j] in taken]
    return at, features, notes


def _refuse_roles(names: Sequence[str], options: Options, source: str) -> None:
    """Refuse names that come twice or not at all, and a column that is asked to be two things."""
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise SourceError(f"{source}: column {shortened(repr(name))} comes {times} times. Rename all but one.")
    roles = {
        "name the rows": () if options.id is None else (options.id,),
        "hold known groups": () if options.truth is None else (options.truth,),
        "be kept beside the clusters": options.keep,
        "be dropped": options.drop,
        "be clustered by": options.columns,
    }
    asked: dict[str, str] = {}
    for role, columns in roles.items():
        for name in columns:
            if name not in names:
                raise SourceError(f"{source} has no column {name!r}. {_suggestion(name, names)}")
            other = asked.setdefault(name, role)
            # Known groups may be kept as well: both are columns to compare with.
            if other != role and (other, role) != ("hold known groups", "be kept beside the clusters"):
                raise SourceError(f"{source}: column {name!r} cannot both {other} and {role}. Choose one of the two.")


def _suggestion(wanted: str, names: Sequence[str]) -> str:
    listed = [part.strip() for part in wanted.split(",")]
    if len(listed) > 1 and set(listed) <= set(names):
        return f"It has {quoted(listed)}: name one column at a time."
    close = get_close_matches(wanted.casefold(), [name.casefold() for name in names[:_COMPARED]], n=1)
    meant = [name for name in names if close and name.casefold() == close[0]]
    return f"Did you mean {meant[0]!r}?" if meant else f"Its columns are {quoted(names)}."
