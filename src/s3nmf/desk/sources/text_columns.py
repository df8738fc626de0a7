"""Columns that hold no numbers: yes and no, dates, categories, and text that is no feature at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from s3nmf._messages import Message, Parameter, joined
from s3nmf._words import SHOWN, counted, quoted, shortened
from s3nmf.desk.sources.categories import cells_of, encode
from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.numbers import written
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.places import Place

# A category that few rows have says little about them, and many of them drown the other columns.
_MOST_CATEGORIES = 50
_ROWS_A_CATEGORY = 2
_ANSWERS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"))
# Columns whose cells are listed where several hold text among their numbers.
_COLUMNS_SHOWN = 3
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]m)?(?:\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAYS = (
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}",
    r"\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})",
    r"\d{4}-\d{2}",
    rf"\d{{1,2}}[-. ]+{_MONTH}[-., ]*\d{{2,4}}",
    rf"{_MONTH} ?\d{{1,2}},? \d{{4}}",
    rf"{_MONTH}[- ]\d{{2,4}}",
)
_DATE = re.compile(rf"(?:{'|'.join(_DAYS)})(?:[t,]?\s*{_TIME})?|{_TIME}")
_AMOUNT = re.compile(r"\W*\d[\d.,'\s]*\W*[^\W\d]{0,4}\W*")


class Judged(NamedTuple):
    """The columns that are left, all of numbers; the categories of those whose numbers stand for one; and notes."""

    columns: list[Column]
    categories: dict[str, tuple[str, ...]]
    notes: list[str]


def judge_text(columns: Sequence[Column], options: Options, place: Place, source: str, *, has_ids: bool) -> Judged:
    """Make numbers of what is text, leave it out, or refuse it, as the options say."""
    notes = _read_answers(columns)
    dates = [column for column in columns if options.like is None and _holds_dates(column)]
    if dates:
        notes.append(
            f"Left out {quoted(column.name for column in dates)}: dates and times are no features. Where they matter, "
            "give numbers, such as days since the first."
        )
    columns = [column for column in columns if column not in dates]
    texts = [column for column in columns if column.texts]
    of_text = [column for column in texts if _is_mostly_text(column)]
    encoded = [column for column in of_text if options.categories and _n_categories(column) is not None]
    dropped = [column for column in of_text if options.drop_text and column not in encoded]
    refused = [column for column in texts if column not in encoded and column not in dropped]
    if refused:
        _refuse(refused, options, place, source, has_ids=has_ids)
    if dropped:
        notes.append(f"Left out {quoted(column.name for column in dropped)}: text.")
        few = [column.name for column in dropped if _n_categories(column) is not None]
        if few:
            use = "{names} {has} few different values: {categories} makes a column of each."
            has = "has" if len(few) == 1 else "have"
            notes.append(Message(use, names=quoted(few), has=has, categories=Parameter("categories", True)))
    categories = {column.name: encode(column) for column in encoded}
    if categories:
        many = ", ".join(f"{shortened(repr(name))} ({len(values)})" for name, values in categories.items())
        notes.append(f"Made a column of each category: {many}.")
    return Judged([column for column in columns if column not in dropped], categories, notes)


def _is_mostly_text(column: Column) -> bool:
    """Among numbers, text is an accident, which the user has to know of."""
    return len(column.texts) > column.n_numbers


def _n_categories(column: Column) -> int | None:
    """How many there are; None if they are too many for categories."""
    n = len(set(cells_of(column).values()))
    return n if n <= min(_MOST_CATEGORIES, len(column.numbers) / _ROWS_A_CATEGORY) else None


def _read_answers(columns: Sequence[Column]) -> list[str]:
    """Read yes and no as 1 and 0 where there is nothing else in a column."""
    read = {}
    for column in columns:
        answers = {cell.strip().casefold() for cell in column.texts.values()}
        pair = next((pair for pair in _ANSWERS if answers and answers <= set(pair)), None)
        if pair is not None and (np.isnan(column.numbers) | np.isin(column.numbers, (0, 1))).all():
            column.read_anew({row: float(cell.strip().casefold() == pair[0]) for row, cell in column.texts.items()}, {})
            if pair != _ANSWERS[0]:
                read[column.name] = pair
    return [
        f"Read {yes!r} as 1 and {no!r} as 0 in {quoted(name for name, pair in read.items() if pair == (yes, no))}."
        for yes, no in dict.fromkeys(read.values())
    ]


def _holds_dates(column: Column) -> bool:
    return (
        bool(column.texts)
        and not column.n_numbers
        and all(_DATE.fullmatch(cell.strip().casefold()) for cell in column.texts.values())
    )


def _refuse(texts: Sequence[Column], options: Options, place: Place, source: str, *, has_ids: bool) -> None:
    first, names = texts[0], [column.name for column in texts]
    row, value = next(iter(first.texts.items()))
    said: list[str] = [
        f"{source}: {'Columns hold' if len(texts) > 1 else 'Column holds'} text, not numbers: {quoted(names)}. The "
        f"first is {shortened(repr(value))} in {place(row)} of {shortened(repr(first.name))}, which has text in "
        f"{len(first.texts):,} of {counted(len(first.numbers), 'row')}."
    ]
    if written(value) is not None:
        said.append("It is a number, but in another notation, unit or currency than others of its column.")
    said += [_all_offending(column) for column in texts if not _is_mostly_text(column)][:_COLUMNS_SHOWN]
    if options.like is not None:
        said.append("The first rows had numbers there: correct the values, or choose the right file.")
        raise SourceError(joined(said))
    ids = [] if has_ids else [column.name for column in texts if column.tells_rows_apart and _may_name_rows(column)][:1]
    if ids:
        use = "{name} is different in every row: use it as the id ({id})."
        said.append(Message(use, name=quoted(ids), id=Parameter("id", ids[0])))
    of_text = [column for column in texts if _is_mostly_text(column)]
    few = [column for column in of_text if column.name not in ids and _n_categories(column)]
    if few and not options.categories and not options.is_part:  # each part would have categories of its own
        said.append(
            Message(
                "{names} {has} few different values: {categories} makes a column of each.",
                names=quoted(column.name for column in few),
                has="has" if len(few) == 1 else "have",
                categories=Parameter("categories", True),
            )
        )
    if options.categories and of_text:
        said.append(f"{quoted(column.name for column in of_text)}: too many different values for categories.")
    damaged = [column.name for column in texts if not _is_mostly_text(column)]
    others = [name for name in names if name not in ids] or names
    drop = Parameter("drop", others)
    if damaged == others:
        correct = "Correct the text in {names}, or leave the column out ({drop})."
        raise SourceError(joined([*said, Message(correct, names=quoted(damaged), drop=drop)]))
    leave_out = "Leave out what is not a feature ({drop}; {all_text} for all text), or write it as numbers."
    raise SourceError(joined([*said, Message(leave_out, drop=drop, all_text=Parameter("drop_text", True))]))


def _all_offending(column: Column) -> Message:
    """What stands among the numbers of a column, all of it, and how to say that it means nothing."""
    counts = Counter(cell.strip() for cell in column.texts.values())
    cells = [cell for cell, _ in counts.most_common(SHOWN)]
    more = f" and {len(counts) - len(cells):,} others" if len(counts) > len(cells) else ""
    shown = ", ".join(
        shortened(repr(cell)) + (f" ({counts[cell]:,} times)" if counts[cell] > 1 else "") for cell in cells
    )
    return Message(
        "Among the numbers of {name}: {cells}{more}. If such cells say that a value is missing, name them ({na}).",
        name=shortened(repr(column.name)),
        cells=shown,
        more=more,
        na=Parameter("na", cells),
    )


def _may_name_rows(column: Column) -> bool:
    """Whether it holds names, and not amounts that could not be read, such as 5 kg and < 3."""
    return all(
        any(sign.isalpha() for sign in cell) and not _AMOUNT.fullmatch(cell.strip()) for cell in column.texts.values()
    )
