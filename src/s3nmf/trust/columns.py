"""Whether a partition is no more than the values of one column.

Clusters that one column tells apart may be what was looked for. If the column is a category, or has few values, they
are more likely its values, and say nothing that was not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.settings import COLUMNS
from s3nmf.trust.steps import category_groups


@dataclass(frozen=True)
class TellingColumn:
    """A column that tells the clusters apart by itself.

    Attributes
    ----------
    columns : tuple of int
        The column; several where each of them stands for a category of one variable.
    share : float
        Of the points, how many are in the cluster that the column says.
    has_values : bool
        Whether it has few values, each of which is a cluster or a part of one.
    """

    columns: tuple[int, ...]
    share: float
    has_values: bool

    def name(self, names: Sequence[str] | None) -> str:
        """What to call it: by the part that the names of its categories have in common, or by its number."""
        if names is None:
            return f"Column {self.columns[0]}"
        name = str(names[self.columns[0]])
        return name.split("=", maxsplit=1)[0] if len(self.columns) > 1 else name


def telling_column(X: Any, labels: IntArray) -> TellingColumn | None:
    """The column that tells the most points their cluster, if that is nearly all; None if there is none.

    A column is cut at as many places as there are borders between clusters, or by its categories. Looks at some
    thousand points, always the same.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> plan = random.integers(0, 2, 200).astype(float)
    >>> telling_column(np.column_stack([random.normal(size=200), plan]), plan.astype(int))
    TellingColumn(columns=(1,), share=1.0, has_values=True)
    """
    inside = np.flatnonzero(labels != NO_CLUSTER)
    n_clusters = np.unique(labels[inside]).size
    if sp.issparse(X) or not 2 <= n_clusters <= COLUMNS.most_clusters:
        return None
    if inside.size > COLUMNS.most_points:
        inside = np.sort(np.random.default_rng(0).choice(inside, COLUMNS.most_points, replace=False))
    points, own = np.asarray(X[inside], dtype=np.float64), labels[inside]
    groups = [tuple(group) for group in category_groups(points)]
    grouped = {column for group in groups for column in group}
    singles = [(column,) for column in range(points.shape[1]) if column not in grouped]
    if len(singles) + len(groups) < 2:  # one column is the data, and no part of them
        return None
    found = [_telling(points, own, columns, n_clusters) for columns in (*groups, *singles)]
    best = max(found, key=lambda one: (one.share, one.has_values))
    usual = float(np.bincount(own).max()) / own.size
    return best if best.share >= max(COLUMNS.share, (1 + usual) / 2) else None


def _telling(X: FloatArray, labels: IntArray, columns: tuple[int, ...], n_clusters: int) -> TellingColumn:
    values = X[:, columns].argmax(axis=1) if len(columns) > 1 else X[:, columns[0]]
    n_values = np.unique(values).size
    if n_values <= COLUMNS.most_values:
        shared = np.zeros((n_values, int(labels.max()) + 1))
        np.add.at(shared, (np.unique(values, return_inverse=True)[1], labels), 1)
        return TellingColumn(columns, float(shared.max(axis=1).sum() / labels.size), True)
    tree: Any = DecisionTreeClassifier(max_leaf_nodes=n_clusters, random_state=0)
    share = tree.fit(values[:, None], labels).score(values[:, None], labels)
    return TellingColumn(columns, float(share), False)
