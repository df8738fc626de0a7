"""Columns that have steps: before borders are judged, equal values are spread evenly over the step they stand for.

A rounded length, an answer from 1 to 5 and a yes or no leave gaps between their values. A graph of neighbours falls
apart along these gaps, and every value of the column looks like a cluster. The gaps say how something was written down,
not that there are groups. So they are filled: what is found then is more than the form of single columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray
from s3nmf.trust.settings import BORDERS


def spread_over_steps(X: Any, n_neighbors: int) -> Any:
    """The table with its equal values spread evenly over a step; the table itself where such columns have no weight.

    The step of a column is the median distance between its neighbouring values, so that a wide gap of its own stays.
    Steps that are narrow beside the distance of neighbours make no gaps, and are left alone. Columns that stand for the
    categories of one variable, one of which each row has, are spread together. Sparse tables are returned as they are:
    most of their values are 0, and no distance is a step. The same table always gives the same answer.

    Examples
    --------
    >>> X = np.array([[0.3, 1.0], [0.1, 2.0], [0.7, 2.0], [0.4, 1.0]])
    >>> spread = spread_over_steps(X, n_neighbors=2)
    >>> bool((spread[:, 0] == X[:, 0]).all()), bool((abs(spread - X)[:, 1] <= 0.5).all())
    (True, True)
    """
    steps = steps_of(X, n_neighbors)
    if not have_weight(steps, X):
        return X
    groups = category_groups(X)
    in_group = {column for group in groups for column in group}
    random = np.random.default_rng(0)
    spread = np.array(X, dtype=np.float64)
    for column, step in steps.items():
        if column not in in_group:
            spread[:, column] += step * (random.uniform(size=len(X)) - 0.5)
    for group in groups:
        spread[:, group] = _spread_categories(spread[:, group], random)
    return spread


def steps_of(X: Any, n_neighbors: int) -> dict[int, float]:
    """The steps of the columns that have some, by their numbers.

    Examples
    --------
    >>> steps_of(np.array([[0.3, 1.0], [0.1, 4.0], [0.7, 4.0], [0.4, 1.0]]), n_neighbors=2)
    {1: 3.0}
    """
    if sp.issparse(X):
        return {}
    # Neighbourhoods side by side along one column, if points fill a box.
    neighborhoods = (len(X) / n_neighbors) ** (1 / X.shape[1])
    most = min(len(X), BORDERS.distinct * neighborhoods)
    found = {}
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        if 1 < values.size < most:
            found[column] = float(np.median(np.diff(values)))
    return found


def have_weight(steps: dict[int, float], X: Any) -> bool:
    """Whether columns with steps hold a notable share of the variance.

    Examples
    --------
    >>> have_weight({1: 3.0}, np.array([[0.3, 1.0], [0.1, 4.0], [0.7, 4.0], [0.4, 1.0]]))
    True
    """
    if not steps:
        return False
    variance = np.var(X, axis=0)
    return bool(variance[list(steps)].sum() >= BORDERS.stepped_variance * variance.sum())


def category_groups(X: FloatArray) -> list[list[int]]:
    """Neighbouring columns of two values each, of which every row has the larger one in exactly one column.

    Examples
    --------
    >>> category_groups(np.array([[0.5, 1, 0, 0], [0.7, 0, 2, 0], [0.1, 0, 0, 1], [0.2, 0, 2, 0]]))
    [[1, 2, 3]]
    """
    is_high = []
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        is_high.append(X[:, column] == values[-1] if values.size == 2 else None)
    groups, first = [], 0
    while first < len(is_high):
        taken = np.zeros(len(X), dtype=np.intp)
        for last in range(first, len(is_high)):
            high = is_high[last]
            if high is None or (taken + high > 1).any():
                break
            taken += high
            if (taken == 1).all():
                groups.append(list(range(first, last + 1)))
                first = last
                break
        first += 1
    return groups


def _spread_categories(values: FloatArray, random: Any) -> FloatArray:
    """Points of a simplex, each drawn evenly from the part that is nearest to the corner of its category."""
    low, high = values.min(axis=0), values.max(axis=0)
    category = ((values - low) / (high - low)).argmax(axis=1)
    shares = random.dirichlet(np.ones(values.shape[1]), size=len(values))
    rows, largest = np.arange(len(values)), shares.argmax(axis=1)
    shares[rows, largest], shares[rows, category] = shares[rows, category], shares[rows, largest]
    return np.asarray(low + (high - low) * shares)
