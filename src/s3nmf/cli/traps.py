"""What in a file is often a mistake, said aloud before anyone relies on its clusters."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import numpy as np

from s3nmf._words import counted, listed, percent
from s3nmf.sources import Graph, Table

_ENOUGH_ROWS = 10
_ROUNDING = 1e-9
# Names of columns that hold what people hope to find, if they hold few different values.
_ANSWERS = frozenset({"target", "label", "labels", "class", "classes", "species", "cluster", "clusters", "group", "y"})
_FEW_VALUES = 30
# Copies of rows are neighbours of each other, and crowd out all others.
_MANY_COPIES = 0.1
# Without scaling, a column with so many times the spread of another decides alone.
_OTHER_UNITS = 100.0
# Distances obey the triangle inequality, and differ among each other by more than this.
_TRIANGLES, _RANGE = 3000, 5.0


def traps_in(data: Table | Graph) -> list[str]:
    """A sentence about each."""
    return list(_in_table(data) if isinstance(data, Table) else _in_graph(data))


def _in_table(data: Table) -> Iterator[str]:
    values = data.values
    if len(data.ids) < _ENOUGH_ROWS:
        return
    steps = np.diff(values, axis=0)
    counting = np.ptp(steps, axis=0) <= _ROUNDING * np.abs(steps).max(axis=0)
    for name, column, counts in zip(data.columns, values.T, counting, strict=True):
        if counts:
            yield f"Column {name!r} counts the rows. If it names them, say --id {shlex.quote(name)}."
        elif name.strip().lower() in _ANSWERS and np.unique(column).size <= min(_FEW_VALUES, len(column) / 2):
            yield (
                f"Column {name!r} looks like the answer, and decides the clusters as any other column does. If it is, "
                f"say --drop {shlex.quote(name)}."
            )
    copies = len(values) - len(np.unique(values, axis=0))
    if copies >= _MANY_COPIES * len(values):
        yield (
            f"{counted(copies, 'row')} ({percent(copies, len(values))}) {'is a copy' if copies == 1 else 'are copies'} "
            "of others. Copies are each other's nearest neighbours: cluster each row once, or ask for more --neighbors."
        )
    spread = values.std(axis=0)
    largest, smallest = int(np.argmax(spread)), int(np.argmin(spread))
    if all(scaling.spread == 1.0 for scaling in data.features.scalings) and (
        spread[largest] > _OTHER_UNITS * spread[smallest] > 0
    ):
        names = listed([repr(data.columns[largest]), repr(data.columns[smallest])])
        yield (
            f"Columns {names} differ in spread {spread[largest] / spread[smallest]:,.0f} times, and nothing is scaled: "
            "the first decides. Say --scale standard unless they are in the same unit."
        )


def _in_graph(data: Graph) -> Iterator[str]:
    W = data.affinity
    n = W.shape[0]
    if n < _ENOUGH_ROWS or W.nnz != n * (n - 1) or W.data.max() < _RANGE * W.data.min() or W.diagonal().any():
        return
    i, j, k = np.random.default_rng(0).integers(n, size=(3, _TRIANGLES))
    dense = W.toarray()
    if (dense[i, j] <= (1 + _ROUNDING) * (dense[i, k] + dense[k, j]))[(i != k) & (j != k)].all():
        yield (
            "The weights look like distances: every two nodes have one, and no way round is shorter. Here a larger "
            "weight means closer. Give similarities, such as exp(-(distance / scale)^2), or the table of the points."
        )
