"""One pass over all parts: what scaling needs, and a sample in which every part has its share of rows.

Each part keeps a reservoir of its rows with the lowest of random priorities, which only the seed, the number of the
part and its rows decide. How many of them belong to the sample is known when all parts have been counted. A part is
looked at once more if its form is not that of the others, and if it is so much larger than they are that its reservoir
is too small for its share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.sources import SourceError
from s3nmf.distributed.form import Found, form_of
from s3nmf.distributed.moments import Moments, moments_of
from s3nmf.distributed.parts import Part, table_of_part

# A reservoir holds so many times the share of a part of average size.
_ROOM = 2


@dataclass(frozen=True, eq=False)
class Scan:
    """What one pass over a part tells.

    Attributes
    ----------
    found : Found
        Its form.
    n_rows : int
    moments : Moments
    rows : array of shape (n_kept,)
        Rows of the reservoir, by priority.
    values : array of shape (n_kept, n_columns)
        Before scaling.
    ids : list of str
    notes : tuple of str
        Of the reader.
    """

    found: Found
    n_rows: int
    moments: Moments
    rows: IntArray
    values: FloatArray
    ids: list[str]
    notes: tuple[str, ...]

    def sampled(self, count: int) -> tuple[FloatArray, list[str]]:
        """Values and ids of so many rows, in the order of the part."""
        places = np.argsort(self.rows[:count])
        return self.values[places], [self.ids[place] for place in places]


@dataclass(frozen=True)
class Unusable:
    """Why a part cannot be taken."""

    why: str


class Scanning(NamedTuple):
    """How parts are looked at: options of the reader, with a form or without, and the seed and size of reservoirs."""

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
    return Scan(form_of(table), n_rows, moments_of(table.values), rows, table.values[rows], ids, table.notes)


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
