"""What in data is often a mistake, said aloud before anyone relies on their clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._messages import Message, Parameter
from s3nmf._types import FloatArray
from s3nmf._words import counted, percent, shortened

_ENOUGH_ROWS = 10
_ROUNDING = 1e-9
# Copies of rows are neighbours of each other, and crowd out all others.
_MANY_COPIES = 0.1
# Without scaling, a column with so many times the spread of another, or of all others, decides.
_OTHER_UNITS, _ALONE = 100.0, 10.0
# Texts as counts or tf-idf have so many columns, and fill at most this share. Where all rows are as long up to the
# rounding of 32-bit numbers, the metric makes no difference.
_MANY_COLUMNS, _MOSTLY_ZERO, _SAME_LENGTH = 200, 0.1, 1e-3
# Distances obey the triangle inequality, and differ among each other by more than this.
_TRIANGLES, _RANGE = 3000, 5.0


def traps_in_features(X: Any, names: Sequence[Any] | None = None, metric: str | None = None) -> Iterator[Message]:
    """A sentence about each: rows that are copies of others, columns in very different units. O(n d + n log n).

    Of sparse matrices, whose empty rows are no copies and whose columns are counts, only that they may be texts, which
    the Euclidean metric tells apart by how long they are.

    Examples
    --------
    >>> X = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 3, axis=0)
    >>> print(next(traps_in_features(X)).partition(".")[0])
    40 rows (67%) are copies of others
    """
    n = X.shape[0]
    if n < _ENOUGH_ROWS:
        return
    if sp.issparse(X):
        if metric == "euclidean" and _may_be_texts(X):
            yield Message(
                "The table looks like texts as counts or tf-idf: sparse, nonnegative, {columns}. Their Euclidean "
                "distance is large where one text is longer than the other. Compare them by the cosine ({metric}).",
                columns=counted(X.shape[1], "column"),
                metric=Parameter("metric", "cosine"),
            )
        return
    copies = n - _n_different(X)
    if copies >= _MANY_COPIES * n:
        yield Message(
            "{rows} ({share}) {are} of others. Copies are each other's nearest neighbours: cluster each row once, or "
            "ask for more neighbours ({neighbors}).",
            rows=counted(copies, "row"),
            share=percent(copies, n),
            are="is a copy" if copies == 1 else "are copies",
            neighbors=Parameter("n_neighbors"),
        )
    yield from _other_units(np.asarray(X).std(axis=0), names)


def _may_be_texts(X: Any) -> bool:
    """Whether the rows of a sparse matrix have few positive entries each, in many columns, and differ in length."""
    n, n_columns = X.shape
    if n_columns < _MANY_COLUMNS or not 0 < X.nnz <= _MOSTLY_ZERO * n * n_columns or X.data.min() < 0:
        return False
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel())
    lengths = lengths[lengths > 0]
    return bool(np.ptp(lengths) > _SAME_LENGTH * lengths.max())


def _other_units(spread: FloatArray, names: Sequence[Any] | None) -> Iterator[Message]:
    """That a column is spread so much more widely than another, or than all others, that it decides.

    Where some columns are constant, the others may well be nearly so, as pixels at the edge of images are.
    """
    order = np.argsort(-spread, kind="stable")
    if order.size > 1 and spread[order[0]] > _ALONE * spread[order[1]] > 0:
        other, which = order[1], "all others"
    elif spread[order[0]] > _OTHER_UNITS * spread[order[-1]] > 0:
        other, which = order[-1], _column(order[-1], names)
    else:
        return
    yield Message(
        "Column {first} is spread {times} times as widely as {which}: it decides. Standardise the columns, unless they "
        "are in the same unit.",
        first=_column(order[0], names),
        which=which,
        times=f"{spread[order[0]] / spread[other]:,.0f}",
    )


def _column(at: int, names: Sequence[Any] | None) -> str:
    return str(at) if names is None else shortened(repr(names[at]))


def traps_in_affinity(W: Any) -> Iterator[Message]:
    """A sentence if the weights are distances, by all that can be seen in a few thousand triangles."""
    n = W.shape[0]
    if n != W.shape[1]:
        return  # and refused by whoever takes it for a graph
    if n < _ENOUGH_ROWS or W.diagonal().any() or (sp.issparse(W) and W.nnz < n * (n - 1)):
        return
    i, j, k = np.random.default_rng(0).integers(n, size=(3, _TRIANGLES))
    corners = (i != j) & (i != k) & (j != k)
    i, j, k = i[corners], j[corners], k[corners]
    straight, first, second = (np.asarray(W[sides]).ravel() for sides in ((i, j), (i, k), (k, j)))
    if (
        straight.min() > 0
        and straight.max() > _RANGE * straight.min()
        and ((straight <= (1 + _ROUNDING) * (first + second)).all())
    ):
        yield Message(
            "The weights look like distances: every two points have one, and no way round is shorter. Here a larger "
            "weight means closer. Give similarities, such as exp(-(distance / scale)^2), or the table of the points."
        )


def _n_different(X: Any) -> int:
    """How many different rows there are: by a weighted sum of each, equal for equal rows."""
    return int(np.unique(np.asarray(X @ np.random.default_rng(0).normal(size=X.shape[1]))).size)
