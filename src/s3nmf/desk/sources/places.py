"""Where a row is, in words.

A line is a line of a text file or of a sheet, counted from 1 and with the header, as editors and spreadsheets show it.
A row is a row of data, counted from 0, as it is called in the labels of a file without ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Place: TypeAlias = Callable[[int], str]
"""Where the user finds a row: "line 7"."""


def in_rows(row: int) -> str:
    """The place of a row in a file that has no lines."""
    return f"row {row}"


def in_lines(lines: Sequence[int], *, has_ids: bool) -> Place:
    """Places in a file of which a row begins in each of these lines; by both counts where rows are called by theirs.

    Examples
    --------
    >>> in_lines([2, 3, 5], has_ids=True)(2), in_lines([2, 3, 5], has_ids=False)(2)
    ('line 5', 'line 5 (row 2)')
    """
    return lambda row: f"line {lines[row]}" if has_ids else f"line {lines[row]} (row {row})"
