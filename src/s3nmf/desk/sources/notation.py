"""How the numbers of a whole column are written, and of a file where a column alone does not say it.

A point before decimals and commas between thousands, or the other way round: one cell such as 1,234.5 or 0,5 decides it
for its column, one column for the others. What nothing decides is read in the more likely way, and said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from s3nmf._messages import Message, Parameter
from s3nmf._words import SHOWN, quoted, shortened
from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.numbers import Decimal, Written, plain, written

_COMPARED = 1000


class Notation(NamedTuple):
    """What was found out: the mark before decimals, if any cell has one that programs do not write, and notes.

    `marks` are those that cells, or the user, leave no doubt about: none if it was guessed, both if columns differ.
    """

    decimal: Decimal | None
    notes: list[str]
    marks: frozenset[Decimal]


def read_as_written(columns: Sequence[Column], *, given: Decimal | None, likely: Decimal) -> Notation:
    """Read cells that are not plain numbers as people write numbers, and note what was done.

    `given` is the mark before decimals as the user says, `likely` the one where nothing in the file decides it.
    """
    odd = [_Cells(column, likely) for column in columns if column.texts]
    odd = [cells for cells in odd if 2 * len(cells.numbers) >= len(cells.texts)]
    decided: set[Decimal] = {cells.decimal for cells in odd if cells.decimal is not None}
    doubtful = [cells for cells in odd if cells.decimal is None and cells.is_ambiguous]
    if given == "," or "," in decided or doubtful:
        # Then 1.234 may be a number of thousands, and 0.5 says that it is none.
        plain_ones = [_Cells(column) for column in columns if not column.texts and column.has_mark(".")]
        decided |= {cells.decimal for cells in plain_ones if cells.decimal is not None}
        if given == ",":
            odd += plain_ones
        elif "," in decided:
            more = [cells for cells in plain_ones if cells.decimal is None and cells.is_ambiguous]
            odd, doubtful = odd + more, doubtful + more
    common = given or (next(iter(decided)) if len(decided) == 1 else None)
    for cells in odd:
        cells.read(given or cells.decimal or common or cells.likely)
    doubts = _doubts(doubtful) if common is None else []
    marks = frozenset(decided if given is None else {given})
    return Notation(common or (likely if doubtful else None), [*_examples(odd), *doubts], marks)


@dataclass
class _Cells:
    """The cells of a column that came as text, those of them that are numbers, and an example of what they say."""

    column: Column
    likely: Decimal = "."
    numbers: dict[int, Written] = field(init=False)
    texts: dict[int, str] = field(init=False)
    example: tuple[str, float] | None = None

    def __post_init__(self) -> None:
        read = {row: (cell, written(cell)) for row, cell in self.column.written()}
        self.numbers = {row: number for row, (_, number) in read.items() if number is not None}
        self.texts = {row: cell for row, (cell, _) in read.items()}

    @property
    def decimal(self) -> Decimal | None:
        """The mark before decimals, if a cell decides it; the one of more cells if they do not agree."""
        votes = Counter(
            "," if number.by_point is None else "."
            for number in self.numbers.values()
            if (number.by_point is None) != (number.by_comma is None)
        )
        return None if not votes else "," if votes[","] > votes["."] else "."

    @property
    def is_ambiguous(self) -> bool:
        return any(number.by_point != number.by_comma for number in self.numbers.values())

    def read(self, decimal: Decimal) -> None:
        """Take the values of this notation; a cell that is not a number in it, or has another unit, stays text."""
        unlike = _unlike_the_others(self.numbers)
        values = {
            row: value
            for row, number in self.numbers.items()
            if row not in unlike and (value := number.value(decimal)) is not None
        }
        unread = {row: cell for row, cell in self.column.texts.items() if row not in values}
        unread |= {row: self.texts[row] for row in self.numbers if row not in values}
        self.column.read_anew(values, dict(sorted(unread.items())))
        changed = list(islice((row for row, value in values.items() if plain(self.texts[row]) != value), _COMPARED))
        if changed:  # the cell with the most to explain
            row = max(changed, key=lambda row: len({sign for sign in self.texts[row] if not sign.isdigit()}))
            self.example = self.texts[row].strip(), values[row]


def _doubts(doubtful: Sequence[_Cells]) -> list[str]:
    """What was read in the more likely way, and how to have it read in the other."""
    notes: list[str] = []
    for taken in dict.fromkeys(cells.likely for cells in doubtful):
        first, *others = (cells for cells in doubtful if cells.likely == taken)
        row, number = next((row, number) for row, number in first.numbers.items() if number.by_point != number.by_comma)
        other: Decimal = "," if taken == "." else "."
        also = f"; likewise {quoted(cells.column.name for cells in others)}" if others else ""
        notes.append(
            Message(
                "{cell} in {name} may be {taken} or {other}, and nothing in the file decides which{also}. It was read "
                "as {taken}; {decimal} reads it as {other}.",
                cell=repr(first.texts[row].strip()),
                name=shortened(repr(first.column.name)),
                taken=f"{number.value(taken):.15g}",
                other=f"{number.value(other):.15g}",
                also=also,
                decimal=Parameter("decimal", other),
            )
        )
    return notes


def _unlike_the_others(numbers: dict[int, Written]) -> set[int]:
    """Rows in another currency than most, shares among plain numbers, and brackets beside minus signs.

    None of them can be compared with the others, or is surely what it seems.
    """
    currencies = Counter(number.currency for number in numbers.values() if number.currency)
    common = max(currencies, key=lambda sign: currencies[sign], default="")
    percents = sum(number.is_percent for number in numbers.values())
    mostly_percents = 2 * percents > len(numbers)
    has_minus = any(number.has_minus for number in numbers.values())
    return {
        row
        for row, number in numbers.items()
        if number.currency not in ("", common)
        or (number.is_percent != mostly_percents and number.by_point != 0)
        or (number.in_brackets and has_minus)
    }


def _examples(odd: Iterable[_Cells]) -> list[str]:
    read = [(cells.column.name, *cells.example) for cells in odd if cells.example is not None]
    if not read:
        return []
    shown = ", ".join(f"{cell!r} in {shortened(repr(name))} as {value:.15g}" for name, cell, value in read[:SHOWN])
    more = f", and {quoted(name for name, *_ in read[SHOWN:])} likewise" if len(read) > SHOWN else ""
    return [f"Read {shown}{more}."]
