"""What is written for each row or node: the user's id, the cluster, how sure that is, and the second-best cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.sources import check_target, write_labels
from s3nmf.desk.sources.opening import STANDARD_STREAM
from s3nmf.desk.sources.spreadsheet import as_text
from s3nmf.partitions import NO_CLUSTER

_OWN_NAMES = ("cluster", "confidence", "second_cluster")
_DIGITS = 4


@dataclass(frozen=True, eq=False)
class Labels:
    """Clusters of things that the user has names for, in the user's order.

    Attributes
    ----------
    id_name : str
        What the names are called.
    ids : sequence of str
    clusters : array of shape (n,)
    confidence : array of shape (n,)
    second : array of shape (n,)
        The second-best cluster, -1 where there is none.
    levels : mapping of int to arrays of shape (n,)
        The clusters of coarser levels, by their number.
    """

    id_name: str
    ids: Sequence[str]
    clusters: IntArray
    confidence: FloatArray
    second: IntArray
    levels: Mapping[int, IntArray] = field(default_factory=dict)

    def columns(self) -> dict[str, list[Any]]:
        """As they are written. A second choice that there is not is empty."""
        cuts = {level_column(number, max(self.levels)): of.tolist() for number, of in sorted(self.levels.items())}
        return {
            id_column(self.id_name, (*_OWN_NAMES, *cuts)): list(self.ids),
            "cluster": self.clusters.tolist(),
            "confidence": np.round(self.confidence, _DIGITS).tolist(),
            "second_cluster": [None if choice == NO_CLUSTER else choice for choice in self.second.tolist()],
            **cuts,
        }

    def of_cells(self, key: str) -> dict[str, list[Any]]:
        """The same as columns of `obs`, without the ids; a cell in no cluster has no value."""
        _, (_, clusters), *others = self.columns().items()
        placed = [None if label == NO_CLUSTER else label for label in clusters]
        return {key: placed, **{f"{key}_{name}": values for name, values in others}}

    def write(self, target: str | os.PathLike[str]) -> None:
        """Write a file, see `write_columns`."""
        write_columns(target, self.columns())


def write_columns(target: str | os.PathLike[str], columns: dict[str, list[Any]]) -> None:
    """Write a file for people, in which no spreadsheet finds a formula, or to standard output, for programs.

    A terminal is for people, too.
    """
    for_people = sys.stdout.isatty() if target == STANDARD_STREAM else check_target(target) in {"csv", "tsv"}
    if for_people:
        columns = {as_text(name): [as_text(value) for value in values] for name, values in columns.items()}
    write_labels(target, columns)


def level_column(number: int, most: int) -> str:
    """A name for the column of the level with so many clusters; names sort as the numbers do.

    Examples
    --------
    >>> level_column(4, 12)
    'level_04'
    """
    return f"level_{number:0{len(str(most))}}"


def id_column(id_name: str, others: Sequence[str]) -> str:
    """A name for the column of ids that no other column has: the user's own where that can be."""
    return next(name for name in (id_name, "id", "name") if name not in others)


def as_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """An object for each row."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
