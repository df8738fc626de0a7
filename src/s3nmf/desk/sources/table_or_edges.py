"""Two columns of a text file may be a table, or the edges of a graph: whoever knows is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._words import quoted
from s3nmf.desk.sources.categories import cells_of
from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.errors import SourceError

EDGE_HEADERS = (("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"))

_FEWEST = 2
_SHARED = 0.5


def refuse_if_edges(columns: Sequence[Column], source: str, *, delimiter: str, has_header: bool) -> None:
    """Ask what a file is whose first two columns are named, or filled, as the ends of edges are."""
    if len(columns) < _FEWEST:
        return
    one, other, *more = columns
    by_name = has_header and (one.name.casefold(), other.name.casefold()) in EDGE_HEADERS
    # Numbers under no name, between blanks, are how graphs are published; numbers between commas are a table.
    by_number = not has_header and delimiter in " \t" and _counts(one) and _counts(other)
    by_value = ((one.texts and other.texts) or by_number) and _share_values(one, other)
    has_weights = not more or (len(more) == 1 and not more[0].texts)
    if by_name or (by_value and has_weights):
        raise SourceError(
            Message(
                "{source} looks like the edges of a graph: {names} name the two ends. {edges} reads {what} as a graph, "
                "{csv} as a table.",
                source=source,
                names=quoted(column.name for column in (one, other)) if has_header else "columns 1 and 2",
                edges=Parameter("format", "edges"),
                what="it" if has_weights else "a file of these two and a column of weights",
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
