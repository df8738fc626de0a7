"""Columns that were not clustered by, as groups to compare the clusters with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from s3nmf._types import FloatArray, IntArray
from s3nmf._words import number, plain_text
from s3nmf.desk.plots.style import COLORS, RAMP
from s3nmf.desk.sources.columns import is_missing
from s3nmf.desk.sources.numbers import is_gap
from s3nmf.partitions import NO_CLUSTER

# Of a text; names of people and places have fewer.
_FEWEST_WORDS = 4
_NO_VALUE = "missing"
_RARE = "all others"


@dataclass(frozen=True, eq=False)
class KeptColumn:
    """A column as groups: those of its values, or fifths if they are many numbers.

    Attributes
    ----------
    name : str
    groups : tuple of str
        What the groups are called: the largest first, but numbers from low to high.
    group_of : array of shape (n_samples,)
        The number of the group of each point.
    is_ordered : bool
        Whether the groups are parts of a range.
    """

    name: str
    groups: tuple[str, ...]
    group_of: IntArray
    is_ordered: bool

    def crossed_with(self, labels: IntArray) -> IntArray:
        """How many points of each group are in each cluster, (n_groups, n_clusters)."""
        counts = np.zeros((len(self.groups), int(labels.max()) + 1), dtype=np.intp)
        placed = labels != NO_CLUSTER
        np.add.at(counts, (self.group_of[placed], labels[placed]), 1)
        return counts

    def agreement_with(self, labels: IntArray) -> float:
        """The adjusted Rand index of groups and clusters."""
        return float(adjusted_rand_score(self.group_of, labels))


def kept_columns(kept: Any, n: int) -> tuple[tuple[KeptColumn, ...], list[str | None] | None]:
    """The columns of a mapping or a data frame, each with a value for each of n points; and a first one of texts."""
    if kept is None:
        return (), None
    found: list[KeptColumn] = []
    texts = None
    for name in kept if isinstance(kept, Mapping) else kept.columns:
        values = list(kept[name])
        if len(values) != n:
            raise ValueError(f"The kept column {name!r} has {len(values)} values for {n} points. Pass one a point.")
        values = [None if _is_gap(value) else value for value in values]
        if texts is None and _are_texts(values):
            texts = values
        else:
            found.append(_column(plain_text(name), values))
    return tuple(found), texts


def _are_texts(values: Sequence[Any]) -> bool:
    """Whether nearly every value is a text of its own, of several words."""
    known = [value for value in values if value is not None]
    if not known or not all(isinstance(value, str) for value in known):
        return False
    several = sum(len(value.split()) >= _FEWEST_WORDS for value in known)
    return several > len(known) / 2 and len(set(known)) > len(known) / 2


def _is_gap(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, str) and is_gap(value))


def _column(name: str, values: Sequence[Any]) -> KeptColumn:
    numbers = _numbers(values)
    if numbers is not None and np.unique(numbers[~np.isnan(numbers)]).size > len(COLORS):
        return _fifths(name, numbers)
    counts = Counter(_NO_VALUE if value is None else plain_text(value) for value in values)
    groups = [group for group, _ in counts.most_common()]
    if numbers is not None:
        groups.sort(key=lambda group: np.inf if group == _NO_VALUE else float(group))
    if len(groups) > len(COLORS):
        groups = [*groups[: len(COLORS) - 1], _RARE]
    number_of = {group: at for at, group in enumerate(groups)}
    rare = len(groups) - 1
    group_of = [number_of.get(_NO_VALUE if value is None else plain_text(value), rare) for value in values]
    return KeptColumn(name, tuple(groups), np.array(group_of, dtype=np.intp), is_ordered=False)


def _fifths(name: str, numbers: FloatArray) -> KeptColumn:
    """As many numbers in each group, from low to high, and last those that are missing."""
    missing = np.isnan(numbers)
    edges = np.unique(np.quantile(numbers[~missing], np.linspace(0, 1, len(RAMP) + 1)))
    group_of = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, edges.size - 2)
    groups = [f"{number(low)} to {number(high)}" for low, high in pairwise(edges)]
    if missing.any():
        group_of[missing] = len(groups)
        groups.append(_NO_VALUE)
    return KeptColumn(name, tuple(groups), group_of, is_ordered=True)


def _numbers(values: Sequence[Any]) -> FloatArray | None:
    """Finite numbers, NaN where one is missing; None if any value is something else."""
    try:
        numbers = np.array([np.nan if value is None else float(value) for value in values])
    except (TypeError, ValueError):
        return None
    return None if np.isinf(numbers).any() else numbers
