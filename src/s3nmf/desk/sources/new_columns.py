"""Columns to add to those of a file, for the rows of it that were clustered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from s3nmf._words import counted
from s3nmf.desk.sources.errors import SourceError


@dataclass(frozen=True)
class NewColumns:
    """Values by name of column, and the rows of the file that they are of; None for all of them.

    `about` is what formats with a place for it, such as `uns` of cells, say about the columns.
    """

    values: Mapping[str, Sequence[Any]]
    rows: Sequence[int] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def beside(self, others: Collection[str], n_rows: int, source: str) -> dict[str, list[Any]]:
        """A value, or None, for every row of the file, under names that no other column has.

        Examples
        --------
        >>> NewColumns({"cluster": [1, 0]}, [0, 2]).beside(["a", "cluster"], 3, "t.csv")
        {'s3nmf_cluster': [1, None, 0]}
        """
        spread = {}
        for name, values in self.values.items():
            rows = range(len(values)) if self.rows is None else self.rows
            if (self.rows is None and len(values) != n_rows) or max(rows, default=0) >= n_rows:
                raise SourceError(f"{source} has changed: it has {counted(n_rows, 'row')} now. Cluster it again.")
            value_of = dict(zip(rows, values, strict=True))
            spread[_free(name, others)] = [value_of.get(row) for row in range(n_rows)]
        return spread


def _free(name: str, others: Collection[str]) -> str:
    names = chain([name, f"s3nmf_{name}"], (f"s3nmf_{name}_{number}" for number in count(2)))
    return next(candidate for candidate in names if candidate not in others)
