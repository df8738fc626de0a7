"""Data frames of pandas and polars. Neither is imported: a frame brings its library along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from s3nmf.desk.sources.columns import Column, choose_columns, is_missing
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.features import Features
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.options import Missing, Options, Scale
from s3nmf.desk.sources.places import Place, in_lines, in_rows
from s3nmf.desk.sources.table import Table, build_table


def comes_from(thing: Any, package: str) -> bool:
    """Whether the class of a thing, or one that it derives from, is of a package that need not be installed."""
    return any(cls.__module__.split(".")[0] == package for cls in type(thing).__mro__)


def table_of(
    frame: Any,
    *,
    id: str | None = None,  # noqa: A002
    drop: Iterable[str] = (),
    scale: Scale | None = None,
    missing: Missing = "refuse",
    columns: Iterable[str] = (),
    decimal: Decimal | None = None,
    categories: bool = False,
    drop_text: bool = False,
    like: Features | None = None,
    is_part: bool = False,
    na: Iterable[str] = (),
) -> Table:
    """A data frame as a table that can be clustered.

    Parameters
    ----------
    frame : pandas.DataFrame or polars.DataFrame
    id, drop, scale, missing, columns, decimal, categories, drop_text, like, is_part, na
        See `s3nmf.sources.read`. Without an `id`, the index of a pandas frame is kept as the ids.

    Returns
    -------
    Table

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"height": [1.7, 1.8, 1.6], "eyes": [2, 2, 2]}, index=["ann", "bob", "eve"])
    >>> table = table_of(frame)
    >>> list(table.ids), table.columns
    (['ann', 'bob', 'eve'], ('height',))
    >>> table.notes
    ("Dropped 'eyes': the same value in every row.", 'Standardised 1 column.')
    """
    options = Options(
        id,
        drop,
        scale,
        missing,
        columns=columns,
        decimal=decimal,
        categories=categories,
        drop_text=drop_text,
        like=like,
        is_part=is_part,
        na=na,
    )
    if comes_from(frame, "pandas") and getattr(frame, "ndim", 0) == 2:
        return table_of_columns(
            frame.columns,
            [frame.iloc[:, j] for j in range(frame.shape[1])],
            "the pandas frame",
            options,
            cells=_of_pandas,
            objects=lambda column: column.tolist(),
            index=frame.index,
        )
    if comes_from(frame, "polars") and hasattr(frame, "get_columns"):
        return table_of_columns(
            frame.columns,
            frame.get_columns(),
            "the polars frame",
            options,
            cells=_of_polars,
            objects=lambda column: column.to_list(),
        )
    raise TypeError(f"table_of takes a DataFrame of pandas or polars, not {type(frame).__name__}.")


def table_of_columns(
    names: Iterable[Any],
    columns: Sequence[Any],
    source: str,
    options: Options,
    *,
    cells: Callable[[Any], Any],
    objects: Callable[[Any], list[Any]],
    index: Any = None,
    lines: Sequence[int] | None = None,
    notes: Sequence[str] = (),
) -> Table:
    """A table of the columns of a library.

    `cells` makes an array of a column of numbers and a list of another one, `objects` a list of ids; `lines` are those
    of the file where the rows are.
    """
    names = [str(name) for name in names]
    if not names:
        raise SourceError(f"{source} has no columns. Give a table with features.")
    at, features, chosen = choose_columns(names, options, source)
    judged = []
    for j in features:
        judged.append(Column(names[j]))
        values = cells(columns[j])
        if isinstance(values, np.ndarray):
            judged[-1].extend_numbers(values)
        else:
            judged[-1].extend_objects(values)
    ids = None if at is None else objects(columns[at])
    named = index if at is None else None
    return build_table(
        judged,
        ids,
        id_column=None if at is None else names[at],
        place=_places(named, lines, has_ids=at is not None),
        source=source,
        options=options,
        notes=[*notes, *chosen],
        index=named,
        held_out={name: objects(columns[names.index(name)]) for name in options.held_out},
    )


def texts_of(values: Iterable[Any]) -> list[Any]:
    """Ids as text, with whole numbers as they are written."""
    whole = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
    return [None if is_missing(value) else str(value) for value in whole]


def _places(index: Any, lines: Sequence[int] | None, *, has_ids: bool) -> Place:
    if lines is not None:
        return in_lines(lines, has_ids=has_ids)
    return in_rows if index is None else lambda row: f"row {index[row]}"


def _of_pandas(column: Any) -> Any:
    if column.dtype.kind in "biuf":  # nullable and Arrow types have a kind, too
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return column.tolist()


def _of_polars(column: Any) -> Any:
    if column.dtype.is_numeric() or str(column.dtype) == "Boolean":
        return column.cast(float).to_numpy()
    return column.to_list()
