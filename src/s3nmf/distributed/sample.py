"""One pass over all parts: what scaling needs, and a sample in which every part has its share of rows.

Each part keeps a reservoir of its rows with the lowest of random priorities, which only the seed, the number of the
part and its rows decide. How many of them belong to the sample is known when all parts have been counted; a part that
is so much larger than the others that its reservoir is too small for its share is looked at once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf._words import quoted
from s3nmf.distributed.moments import Moments, moments_of
from s3nmf.distributed.parts import Part, table_of_part
from s3nmf.sources import SourceError

# A reservoir holds so many times the share of a part of average size.
_ROOM = 2


@dataclass(frozen=True, eq=False)
class Scan:
    """What one pass over a part tells.

    Attributes
    ----------
    columns : tuple of str
    id_name : str
    n_rows : int
    moments : Moments
    rows : array of shape (n_kept,)
        Rows of the reservoir, by priority.
    values : array of shape (n_kept, n_columns)
        Before scaling.
    ids : list of str
    """

    columns: tuple[str, ...]
    id_name: str
    n_rows: int
    moments: Moments
    rows: IntArray
    values: FloatArray
    ids: list[str]

    def like(self, first: Scan) -> Scan:
        """The same with the columns of the first part, in their order."""
        if self.columns == first.columns and self.id_name == first.id_name:
            return self
        lacking = [name for name in first.columns if name not in self.columns]
        if lacking:
            raise SourceError(f"it lacks {quoted(lacking)}, which the first part has.")
        if self.id_name != first.id_name:
            raise SourceError(f"its rows are named by {self.id_name!r}, those of the first part by {first.id_name!r}.")
        order = [self.columns.index(name) for name in first.columns]
        moments = Moments(*(getattr(self.moments, name)[order] for name in Moments.__dataclass_fields__))
        return replace(self, columns=first.columns, moments=moments, values=self.values[:, order])

    def sampled(self, count: int) -> tuple[FloatArray, list[str]]:
        """Values and ids of so many rows, in the order of the part."""
        places = np.argsort(self.rows[:count])
        return self.values[places], [self.ids[place] for place in places]


@dataclass(frozen=True)
class Unusable:
    """Why a part cannot be taken."""

    why: str


class Scanning(NamedTuple):
    """How parts are looked at: options of the reader, and the seed and size of reservoirs."""

    reading: Mapping[str, Any]
    seed: int
    most: int


def scan(how: Scanning, part: Part, number: int) -> Scan | Unusable:
    """Look at a part once."""
    try:
        table = table_of_part(part, how.reading)
    except SourceError as error:
        return Unusable(error.args[0])
    n_rows = len(table.values)
    if not n_rows:
        return Unusable("it has no rows.")
    rows = reservoir(n_rows, how.most, how.seed, number)
    ids = [str(table.ids[row]) for row in rows.tolist()]
    return Scan(table.columns, table.id_name, n_rows, moments_of(table.values), rows, table.values[rows], ids)


def reservoir(n_rows: int, count: int, seed: int, number: int) -> IntArray:
    """The rows of a part with the lowest priorities, the lowest first: those of a larger reservoir begin with them."""
    priorities = np.random.default_rng((seed, number)).random(n_rows)
    return np.argsort(priorities, kind="stable")[:count]


def room_for(sample: int, n_parts: int) -> int:
    """How many rows the reservoir of each part holds."""
    return min(sample, -(-_ROOM * sample // n_parts))


def shares(sizes: Sequence[int], sample: int) -> list[int]:
    """How many rows of each part are in the sample: as its rows are to all rows, rounded so that they add up.

    Examples
    --------
    >>> shares([500, 300, 1], 80), shares([5, 3], 80)
    ([50, 30, 0], [5, 3])
    """
    total = sum(sizes)
    if sample >= total:
        return list(sizes)
    whole = [sample * size // total for size in sizes]
    by_rest = sorted(range(len(sizes)), key=lambda part: (-(sample * sizes[part] % total), part))
    for part in by_rest[: sample - sum(whole)]:
        whole[part] += 1
    return whole
