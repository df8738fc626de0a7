"""What in a file is often a mistake, said aloud before anyone relies on its clusters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf.desk.sources.graph import Graph
from s3nmf.desk.sources.table import Table
from s3nmf.graph.traps import traps_in_affinity, traps_in_features

_ENOUGH_ROWS = 10
_ROUNDING = 1e-9
# Names of columns that hold what people hope to find, if they hold few different values.
_ANSWERS = frozenset({"target", "label", "labels", "class", "classes", "species", "cluster", "clusters", "group", "y"})
_FEW_VALUES = 30


def traps_in(data: Table | Graph) -> list[Message]:
    """A sentence about each."""
    return list(_in_table(data) if isinstance(data, Table) else traps_in_affinity(data.affinity))


def _in_table(data: Table) -> Iterator[Message]:
    values = data.values
    if len(data.ids) < _ENOUGH_ROWS:
        return
    steps = np.diff(values, axis=0)
    largest = np.abs(steps).max(axis=0)
    counting = (largest > 0) & (np.ptp(steps, axis=0) <= _ROUNDING * largest)
    for name, column, counts in zip(data.columns, values.T, counting, strict=True):
        if counts:
            yield Message(
                "Column {name!r} counts the rows. If it names them, say {id}.", name=name, id=Parameter("id", name)
            )
        elif name.strip().lower() in _ANSWERS and np.unique(column).size <= min(_FEW_VALUES, len(column) / 2):
            yield Message(
                "Column {name!r} looks like the answer, and decides the clusters as any other column does. If it is, "
                "say {drop}.",
                name=name,
                drop=Parameter("drop", [name]),
            )
    yield from traps_in_features(values, data.columns)
