"""A table that is ready to be clustered: every row named, every value a finite number, every feature on one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._types import FloatArray
from s3nmf._words import counted, quoted, shortened
from s3nmf.desk.sources.categories import (
    Categories,
    commonest,
    encode_as_before,
    indicator,
    indicators,
    spread_of,
    without_unused,
)
from s3nmf.desk.sources.cell_views import CellViews
from s3nmf.desk.sources.columns import Column, is_missing
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.features import Features, Scaling, median_of, scaling_of, unscaled_features
from s3nmf.desk.sources.gaps import FEWEST_ROWS, without_gaps
from s3nmf.desk.sources.notation import Notation, read_as_written
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.options import Options, Scale
from s3nmf.desk.sources.places import Place
from s3nmf.desk.sources.text_columns import judge_text

# Values that differ by less than the rounding of a sum are the same value, computed twice.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)
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
        What the ids are called: the name of their column, "id" where it has none, or "row".
    truth : sequence of length n_rows, or None
        Known groups.
    kept : mapping of str to sequences of length n_rows
        Columns to compare clusters with, as the file has them.
    rows : sequence of length n_rows, or None
        Which rows of the source these are, counted from 0; None if they are all of them.
    marks : frozenset of {".", ","}
        What stands before decimals in cells of text, as far as they decide it.
    id_column : str or None
        The column of the source that names the rows, empty where it has no name; None if no column does.
    views : CellViews or None
        Of cells, what a page shows of them.
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
    rows: Sequence[int] | None = None
    marks: frozenset[Decimal] = frozenset()
    id_column: str | None = None
    views: CellViews | None = None


def build_table(
    columns: Sequence[Column],
    ids: Sequence[Any] | None,
    *,
    id_column: str | None,
    place: Place,
    source: str,
    options: Options,
    row_name: str = "row",
    notes: Sequence[str] = (),
    index: Any = None,
    held_out: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    likely: Decimal = ".",
) -> Table:
    """Judge the columns and scale them. Without ids, rows are named by the index of their frame, or numbered from 0.

    `id_column` is where the ids are from, `row_name` what they are called if they are from no column, `likely` the
    decimal mark where nothing in the columns decides it.
    """
    said, like = list(notes), options.like
    if options.na:
        for column in columns:
            column.take_as_gaps(options.na)
    id_name = row_name if id_column is None else id_column or "id"
    if like is not None:
        columns, left_out = like.among(columns, source)
        said += left_out
    named = {} if ids is None or id_column is None else {id_column: ids}
    n = _check_rows(columns, named, place, source, options=options, held_out=held_out)
    columns, categories, notation, judged = _as_numbers(
        columns, options, place, source, has_ids=ids is not None, likely=likely
    )
    said += [*notation.notes, *judged]
    if options.is_part and like is None:
        like = unscaled_features([column.name for column in columns], id_name, notation.decimal)
    numbers = {column.name: column.numbers for column in columns}
    _refuse_infinite(numbers, place, source)
    if like is None:
        numbers = _without(numbers, _is_empty, "no value in any row", said)
    fill = None if like is None else like.fill()

    def typical(name: str) -> float:
        values = numbers[name]
        return fill[name] if fill else commonest(values) if name in categories else median_of(values)

    numbers, kept, note = without_gaps(
        numbers, place, source, options.missing, typical=typical, is_new=like is not None
    )
    said += note
    if like is None:
        numbers, categories, like = _new_features(numbers, categories, options, source, said)
        like = replace(like, id_name=id_name, decimal=notation.decimal)
    made = indicators(numbers, categories)
    values = np.column_stack(
        [scaling.apply(made[name]) for name, scaling in zip(like.columns, like.scalings, strict=True)]
    )
    names: Any = index if ids is None else ids
    if names is None:
        names = [str(row) for row in range(n)]
    if kept is not None:
        names = [names[row] for row in kept] if index is None else index[kept]
        held_out = {name: [column[row] for row in kept] for name, column in held_out.items()}
    truth = None if options.truth is None else held_out[options.truth]
    compared = {name: held_out[name] for name in options.keep}
    from_where = kept, notation.marks, id_column
    return Table(names, values, like.columns, tuple(said), source, like, id_name, truth, compared, *from_where)


def _check_rows(
    columns: Sequence[Column],
    ids: Mapping[str, Sequence[Any]],
    place: Place,
    source: str,
    *,
    options: Options,
    held_out: Mapping[str, Sequence[Any]],
) -> int:
    """Refuse too few rows, and names and known groups that are missing; return how many rows there are."""
    if not columns:
        raise SourceError(f"{source} has no column of features left. Drop fewer columns, or check the delimiter.")
    n = len(columns[0].numbers)
    if n < FEWEST_ROWS and options.like is None and not options.is_part:
        raise SourceError(f"{source} has {counted(n, 'row')} of data. Clustering needs at least {FEWEST_ROWS}.")
    for column, names in ids.items():
        remedy = Message(
            "Choose another column for the ids, correct them, or leave the column out ({drop}): rows are then "
            "numbered.",
            drop=Parameter("drop", [column]),
        )
        check_ids(names, column, place, source, remedy=remedy)
    if options.truth is not None:
        fill = "Fill it in, or leave out the row."
        check_ids(held_out[options.truth], options.truth, place, source, remedy=fill, repeats=True)
    return n


def _as_numbers(
    columns: Sequence[Column], options: Options, place: Place, source: str, *, has_ids: bool, likely: Decimal
) -> tuple[Sequence[Column], Categories, Notation, list[str]]:
    """The columns that are or can be made numbers, the categories of some, how numbers are written, and notes."""
    like = options.like
    if like is None:
        notation = read_as_written(columns, given=options.decimal, likely=likely)
        judged = judge_text(columns, options, place, source, has_ids=has_ids)
        if not judged.columns:
            raise SourceError(f"{source} has no column of features left. {' '.join(judged.notes)}")
        return judged.columns, judged.categories, notation, judged.notes
    encode_as_before(columns, like.categories, place, source)
    of_numbers = [column for column in columns if column.name not in like.categories]
    notation = read_as_written(of_numbers, given=options.decimal, likely=like.decimal or likely)
    judged = judge_text(of_numbers, options, place, source, has_ids=has_ids)
    return columns, like.categories, notation, judged.notes


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
    remedy: str,
    repeats: bool = False,
) -> None:
    """Refuse ids that are empty or, unless they may, come twice: labels could not be matched to rows."""
    first: dict[Any, int] = {}
    repeated: dict[Any, int] = {}
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


def _without(
    numbers: dict[str, FloatArray], is_useless: Callable[[FloatArray], bool], why: str, said: list[str]
) -> dict[str, FloatArray]:
    """The columns that are of use; those that are not are named in a note."""
    useless = {name for name, values in numbers.items() if is_useless(values)}
    if useless:
        said.append(f"Dropped {quoted(name for name in numbers if name in useless)}: {why}.")
    return {name: values for name, values in numbers.items() if name not in useless}


def _new_features(
    numbers: dict[str, FloatArray], categories: Categories, options: Options, source: str, said: list[str]
) -> tuple[dict[str, FloatArray], Categories, Features]:
    """The columns and categories that tell rows apart, and how they are scaled; pixels of images are all kept as is."""
    if options.image is not None:
        check_image(options.image, len(numbers), source)
        return numbers, categories, _features(numbers, categories, options.scale or "none", source, said)
    numbers = _without(numbers, _is_constant, "the same value in every row", said)
    categories = without_unused(numbers, categories)
    return numbers, categories, _features(numbers, categories, options.scale or "standard", source, said)


def _features(
    numbers: dict[str, FloatArray], categories: Categories, scale: Scale, source: str, said: list[str]
) -> Features:
    if not numbers:
        raise SourceError(
            f"{source}: no column tells the rows apart ({' '.join(said)}). Check that the right file, delimiter and "
            "columns were chosen."
        )
    said.append(_SCALED[scale].format(counted(len(numbers), "column")))
    scalings: dict[str, Scaling] = {}
    medians: dict[str, float] = {}
    for name, values in numbers.items():
        if name not in categories:
            scalings[name], medians[name] = scaling_of(values, scale), median_of(values)
            continue
        spread, most = spread_of(values, scale), commonest(values)
        for number, category in enumerate(categories[name]):
            center = float((values == number).mean()) if scale == "standard" else 0.0
            scalings[indicator(name, category)] = Scaling(center=center, spread=spread)
            medians[indicator(name, category)] = float(number == most)
    return Features(tuple(scalings), tuple(scalings.values()), tuple(medians.values()), categories=categories)


def _is_empty(values: FloatArray) -> bool:
    return bool(np.isnan(values).all())


def _is_constant(values: FloatArray) -> bool:
    return is_constant(float(values.min()), float(values.max()))


def is_constant(lowest: float, highest: float) -> bool:
    """Whether values within this range are all the same but for rounding."""
    return highest / 2 - lowest / 2 <= _ROUNDING * max(abs(lowest), abs(highest))
