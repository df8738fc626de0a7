"""Two columns of a text file may be a table, or the edges of a graph: whoever knows is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._words import quoted
from s3nmf.sources.categories import cells_of
from s3nmf.sources.columns import Column
from s3nmf.sources.errors import SourceError

EDGE_HEADERS = (("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"))

_WIDTHS = (2, 3)
_SHARED = 0.5


def refuse_if_edges(columns: Sequence[Column], source: str, *, delimiter: str, has_header: bool) -> None:
    """Ask what a file is whose first two columns are named, or filled, as the ends of edges are."""
    if len(columns) not in _WIDTHS:
        return
    one, other = columns[:2]
    names = (one.name.casefold(), other.name.casefold())
    has_weights = len(columns) == 2 or not columns[2].texts
    by_name = has_header and names in EDGE_HEADERS
    # Numbers under no name, between blanks, are how graphs are published; numbers between commas are a table.
    by_number = not has_header and delimiter in " \t" and _counts(one) and _counts(other)
    by_value = (one.texts and other.texts) or by_number
    if has_weights and (by_name or (by_value and _share_values(one, other))):
        raise SourceError(
            Message(
                "{source} looks like the edges of a graph: {names} name the two ends. {edges} reads it as a graph, "
                "{csv} as a table.",
                source=source,
                names=quoted(column.name for column in (one, other)) if has_header else "columns 1 and 2",
                edges=Parameter("format", "edges"),
                csv=Parameter("format", "csv"),
            )
        )


def _counts(column: Column) -> bool:
    numbers = column.numbers
    return not column.texts and bool((np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))).all())


def _share_values(one: Column, other: Column) -> bool:
    """Whether many of the nodes where edges begin are nodes where others end."""
    first, second = (set(cells_of(column).values()) for column in (one, other))
    return len(first & second) >= _SHARED * min(len(first), len(second))
