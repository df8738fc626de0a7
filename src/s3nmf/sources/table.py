"""A table that is ready to be clustered: every row named, every value a finite number, every feature on one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import FloatArray
from s3nmf._words import SHOWN, counted, quoted, shortened
from s3nmf.sources.columns import Column, is_missing
from s3nmf.sources.errors import SourceError
from s3nmf.sources.features import Features, median_of, scaling_of
from s3nmf.sources.options import Missing, Options, Scale

Place: TypeAlias = Callable[[int], str]
"""Where the user finds a row: "line 7"."""

# Values that differ by less than the rounding of a sum are the same value, computed twice.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)
# A row with so much of it filled in says little.
_MOSTLY = 0.5
_FEWEST_ROWS = 2
_SCALED: dict[Scale, str] = {
    "standard": "Standardised {}.",
    "minmax": "Scaled {} to the range from 0 to 1.",
    "none": "Left {} unscaled.",
}


@dataclass(frozen=True, eq=False)
class Table:
    """Rows to cluster.

    Attributes
    ----------
    ids : sequence of length n_rows
        What the user calls each row, in the user's order: text from a file, the index of a data frame.
    values : array of shape (n_rows, n_columns)
        The features, scaled.
    columns : tuple of str
        Their names.
    notes : tuple of str
        What was done to the data on the way, in sentences for the user.
    source : str
        Where it is from, for messages.
    features : Features
        How to read new rows as these were read.
    id_name : str
        What the ids are called: the name of their column, or "row".
    truth : sequence of length n_rows, or None
        Known groups.
    kept : mapping of str to sequences of length n_rows
        Columns to compare clusters with, as the file has them.
    """

    ids: Sequence[Any]
    values: FloatArray
    columns: tuple[str, ...]
    notes: tuple[str, ...]
    source: str
    features: Features
    id_name: str = "row"
    truth: Sequence[Any] | None = None
    kept: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def build_table(
    columns: Sequence[Column],
    ids: Sequence[Any] | None,
    *,
    id_name: str,
    place: Place,
    source: str,
    options: Options,
    notes: Sequence[str] = (),
    index: Any = None,
    held_out: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> Table:
    """Judge the columns and scale them. Without ids, rows are named by the index of their frame, or numbered from 0."""
    said, like = list(notes), options.like
    if like is not None:
        columns, left_out = like.among(columns, source)
        said += left_out
    if not columns:
        raise SourceError(f"{source} has no column of features left. Drop fewer columns, or check the delimiter.")
    n = len(columns[0].numbers)
    if n < _FEWEST_ROWS and like is None:
        raise SourceError(f"{source} has {counted(n, 'row')} of data. Clustering needs at least {_FEWEST_ROWS}.")
    if ids is not None:
        check_ids(ids, id_name, place, source)
    if options.truth is not None:
        check_ids(
            held_out[options.truth],
            options.truth,
            place,
            source,
            remedy="Fill it in, or leave out the row.",
            repeats=True,
        )
    _refuse_text(columns, place, source, has_ids=ids is not None, like=like)
    commas = [column.name for column in columns if column.commas]
    if commas:
        said.append(f"Read the comma as the decimal point in {quoted(commas)}.")
    numbers = {column.name: column.numbers for column in columns}
    _refuse_infinite(numbers, place, source)
    if like is None:
        numbers = _without(numbers, _is_empty, "no value in any row", said)
    numbers, kept, note = _without_gaps(numbers, place, source, options.missing, like)
    said += note
    if like is None:
        if options.image is None:
            numbers = _without(numbers, _is_constant, "the same value in every row", said)
        else:
            check_image(options.image, len(numbers), source)
        usual: Scale = "standard" if options.image is None else "none"  # pixels have one unit already
        like = _features(numbers, options.scale or usual, id_name, source, said)
    values = np.column_stack(
        [scaling.apply(numbers[name]) for name, scaling in zip(like.columns, like.scalings, strict=True)]
    )
    names: Any = index if ids is None else ids
    if names is None:
        names = [str(row) for row in range(n)]
    if kept is not None:
        names = [names[row] for row in kept] if index is None else index[kept]
        held_out = {name: [column[row] for row in kept] for name, column in held_out.items()}
    truth = None if options.truth is None else held_out[options.truth]
    compared = {name: held_out[name] for name in options.keep}
    return Table(names, values, like.columns, tuple(said), source, like, id_name, truth, compared)


def check_image(size: tuple[int, int], n_columns: int, source: str) -> None:
    """Refuse rows that are no images of so many rows and columns of pixels."""
    height, width = size
    if height * width != n_columns:
        raise SourceError(
            Message(
                "{source} has {columns} of features, and images of {height} x {width} pixels have {pixels}. Correct "
                "{image}, or leave out the columns that are no pixels ({drop}).",
                source=source,
                columns=counted(n_columns, "column"),
                height=height,
                width=width,
                pixels=height * width,
                image=Parameter("image"),
                drop=Parameter("drop"),
            )
        )


def scaled(values: FloatArray, scale: Scale) -> FloatArray:
    """A column with mean 0 and variance 1, or from 0 to 1, or as it is; no finite values overflow on the way."""
    return scaling_of(values, scale).apply(values)


def check_ids(
    ids: Iterable[Any],
    id_name: str,
    place: Place,
    source: str,
    *,
    remedy: str | None = None,
    repeats: bool = False,
) -> None:
    """Refuse ids that are empty or, unless they may, come twice: labels could not be matched to rows."""
    first: dict[Any, int] = {}
    repeated: dict[Any, int] = {}
    remedy = remedy or Message(
        "Choose another column for the ids, correct them, or leave the column out ({drop}): rows are then numbered.",
        drop=Parameter("drop", [id_name]),
    )
    for row, name in enumerate(ids):
        if is_missing(name) or name == "":
            what = "known group" if repeats else "id"
            raise SourceError(
                Message("{} {}", f"{source}: the {what} in {place(row)} of {id_name!r} is missing.", remedy)
            )
        if first.setdefault(name, row) != row:
            repeated.setdefault(name, row)
    if repeated and not repeats:
        name, row = next(iter(repeated.items()))
        count = f"{len(repeated)} ids come" if len(repeated) > 1 else "1 id comes"
        what = (
            f"{source}: {count} more than once in {id_name!r}, first {shortened(repr(name))} in {place(first[name])} "
            f"and {place(row)}, so that labels could not be told apart."
        )
        raise SourceError(Message("{} {}", what, remedy))


def _refuse_text(columns: Sequence[Column], place: Place, source: str, *, has_ids: bool, like: Features | None) -> None:
    texts = [column for column in columns if column.first_text is not None]
    if not texts or texts[0].first_text is None:
        return
    first, (row, value) = texts[0], texts[0].first_text
    names = [column.name for column in texts]
    ids = [] if has_ids else [column.name for column in texts if column.tells_rows_apart][:1]
    said: list[str] = [
        f"{source}: {'Columns hold' if len(texts) > 1 else 'Column holds'} text, not numbers: {quoted(names)}. The "
        f"first is {shortened(repr(value))} in {place(row)} of {shortened(repr(first.name))}, which has text in "
        f"{first.n_text} of {counted(len(first.numbers), 'row')}."
    ]
    if like is not None:
        said.append("The first rows had numbers there: correct the values, or choose the right file.")
        raise SourceError(joined(said))
    if ids:
        use = "{name} is different in every row: use it as the id ({id})."
        said.append(Message(use, name=quoted(ids), id=Parameter("id", ids[0])))
    others = [name for name in names if name not in ids] or names
    leave_out = "Leave out what is no feature ({drop}), or write it as numbers."
    raise SourceError(joined([*said, Message(leave_out, drop=Parameter("drop", others))]))


def _refuse_infinite(numbers: dict[str, FloatArray], place: Place, source: str) -> None:
    for name, values in numbers.items():
        at = np.flatnonzero(np.isinf(values))
        if at.size:
            raise SourceError(
                Message(
                    "{source}: column {name} is infinite, or beyond 1.8e308, in {rows}, first in {place}. Correct the "
                    "value, or leave the column out ({drop}).",
                    source=source,
                    name=shortened(repr(name)),
                    rows=counted(at.size, "row"),
                    place=place(int(at[0])),
                    drop=Parameter("drop", [name]),
                )
            )


def _without_gaps(
    numbers: dict[str, FloatArray], place: Place, source: str, missing: Missing, like: Features | None
) -> tuple[dict[str, FloatArray], Sequence[int] | None, list[str]]:
    """The columns without missing values, the rows that are left if some are not, and a note."""
    gaps = {name: np.isnan(values) for name, values in numbers.items()}
    total = {name: int(gap.sum()) for name, gap in gaps.items() if gap.any()}
    if not total:
        return numbers, None, []
    incomplete = np.any(list(gaps.values()), axis=0)
    many = f"{counted(sum(total.values()), 'value')} in {counted(int(incomplete.sum()), 'row')}"
    if missing == "median":
        medians = like.medians if like else map(median_of, numbers.values())
        filled = {
            name: np.where(gaps[name], median, numbers[name]) for name, median in zip(numbers, medians, strict=True)
        }
        notes = [f"Filled {many} with the median of their columns: {quoted(total)}."]
        mostly = int((np.mean(list(gaps.values()), axis=0) >= _MOSTLY).sum())
        if mostly:
            notes.append(
                f"{counted(mostly, 'row')} {'consists' if mostly == 1 else 'consist'} of filled values by half or "
                "more. They lie together in the middle of the data, whatever they are: leave them out, or do not rely "
                "on where they are put."
            )
        return filled, None, notes
    kept = np.flatnonzero(~incomplete)
    if missing == "drop":
        if kept.size < (1 if like else _FEWEST_ROWS):
            raise SourceError(
                Message(
                    "{source}: only {rows} would be left without gaps. Leave out the column with the most of them "
                    "({drop}), or fill them ({median}).",
                    source=source,
                    rows=counted(kept.size, "row"),
                    drop=Parameter("drop", [max(total, key=lambda name: total[name])]),
                    median=Parameter("missing", "median"),
                )
            )
        left_out = f"Left out {counted(int(incomplete.sum()), 'row')} with missing values in {quoted(total)}."
        return {name: values[kept] for name, values in numbers.items()}, kept.tolist(), [left_out]
    columns = ", ".join(
        f"{shortened(repr(name))} ({count}, first in {place(int(np.argmax(gaps[name])))})"
        for name, count in list(total.items())[:SHOWN]
    )
    more = f" and {len(total) - SHOWN} more columns" if len(total) > SHOWN else ""
    remedy = "Leave out these rows ({rows}), or fill in the median ({median})"
    remedy += "." if like else ", or leave out columns ({columns})."
    raise SourceError(
        joined(
            [
                f"{source}: missing {many}, in {columns}{more}.",
                Message(
                    remedy,
                    rows=Parameter("missing", "drop"),
                    median=Parameter("missing", "median"),
                    columns=Parameter("drop", list(total)),
                ),
            ]
        )
    )


def _without(
    numbers: dict[str, FloatArray], is_useless: Callable[[FloatArray], bool], why: str, said: list[str]
) -> dict[str, FloatArray]:
    """The columns that are of use; those that are not are named in a note."""
    useless = {name for name, values in numbers.items() if is_useless(values)}
    if useless:
        said.append(f"Dropped {quoted(name for name in numbers if name in useless)}: {why}.")
    return {name: values for name, values in numbers.items() if name not in useless}


def _features(numbers: dict[str, FloatArray], scale: Scale, id_name: str, source: str, said: list[str]) -> Features:
    if not numbers:
        raise SourceError(
            f"{source}: no column tells the rows apart ({' '.join(said)}). Check that the right file, delimiter and "
            "columns were chosen."
        )
    said.append(_SCALED[scale].format(counted(len(numbers), "column")))
    scalings = tuple(scaling_of(values, scale) for values in numbers.values())
    return Features(tuple(numbers), scalings, tuple(map(median_of, numbers.values())), id_name)


def _is_empty(values: FloatArray) -> bool:
    return bool(np.isnan(values).all())


def _is_constant(values: FloatArray) -> bool:
    lowest, highest = float(values.min()), float(values.max())
    return highest / 2 - lowest / 2 <= _ROUNDING * max(abs(lowest), abs(highest))
