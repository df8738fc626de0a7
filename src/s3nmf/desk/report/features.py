"""Which features set each cluster apart from all other points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._indices import check_indices
from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import indicator

# Half a standard deviation: a smaller difference in the mean sets nothing apart.
SMALLEST_DIFFERENCE = 0.5
# Numbers that are held at a time, whatever the width of the table.
_BLOCK = 4_000_000
# A spread that is so small beside the values is their rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Trait:
    """A feature that sets a cluster apart.

    Attributes
    ----------
    feature : str
    difference : float
        Difference of the means, inside minus outside, in standard deviations (pooled over inside and outside); infinite
        if the feature is constant on both sides and not the same.
    inside, outside : float
        The means, in the units of the values.
    """

    feature: str
    difference: float
    inside: float
    outside: float


def check_values(values: Any, n: int, names: Sequence[Any] | None) -> tuple[Any, list[str]]:
    """Values as a float array or CSR matrix with a row for each of n points, and a name for each column."""
    if names is None:
        names = getattr(values, "columns", None)
    check_indices(values)
    table = sp.csr_array(values) if sp.issparse(values) else _numbers(values, names)
    if table.ndim != 2 or table.shape[0] != n:
        raise ValueError(
            f"values has shape {table.shape}, and the model was fitted to {n} points; it must be ({n}, n_features). "
            "Pass the rows that were clustered, in their order."
        )
    texts = [f"feature {j}" for j in range(table.shape[1])] if names is None else [_name(name) for name in names]
    if len(texts) != table.shape[1]:
        raise ValueError(
            f"There are {len(texts)} feature_names for {table.shape[1]} columns of values. Pass one name a column."
        )
    return table, texts


@dataclass(frozen=True, eq=False)
class Profiles:
    """What is typical of each cluster, feature by feature.

    Attributes
    ----------
    names : tuple of str
    inside, outside : arrays of shape (n_clusters, n_features)
        Means of a cluster and of all other points; NaN where there is no value.
    difference : array of shape (n_clusters, n_features)
        Of the two, in standard deviations (pooled over inside and outside).
    standardised : array of shape (n_clusters, n_features)
        How far the mean of a cluster is from that of all points, in standard deviations of all points.
    """

    names: tuple[str, ...]
    inside: FloatArray
    outside: FloatArray
    difference: FloatArray
    standardised: FloatArray

    def telling(self, sizes: IntArray, most: int) -> IntArray:
        """The features that clusters explain most of, at most so many, in the order of the table."""
        explained = sizes @ np.nan_to_num(self.standardised) ** 2
        return np.sort(np.argsort(-explained, kind="stable")[:most])

    def traits(self, cluster: int, most: int = 3) -> tuple[Trait, ...]:
        """The features of a cluster that differ most from all other points."""
        size = np.nan_to_num(np.abs(self.difference[cluster]), posinf=np.inf)
        return tuple(
            Trait(self.names[j], *(float(part[cluster, j]) for part in (self.difference, self.inside, self.outside)))
            for j in np.argsort(-size, kind="stable")[:most]
            if size[j] >= SMALLEST_DIFFERENCE
        )


def profiles_of(values: Any, labels: IntArray, names: Sequence[str]) -> Profiles:
    """What is typical of each cluster: O(n_samples n_features). Values that are missing or infinite are left out.

    Examples
    --------
    >>> values = np.array([[1.0, 5.0], [1.2, 4.0], [9.0, 5.0], [9.2, 4.0]])
    >>> found = profiles_of(values, np.array([0, 0, 1, 1]), ["length", "width"])
    >>> (low,) = found.traits(0)
    >>> low.feature, round(low.inside, 3), round(low.outside, 3), round(low.difference, 3)
    ('length', 1.1, 9.1, -80.0)
    >>> found.standardised.round(3).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    clusters = indicator(labels).T.tocsr()
    columns = max(1, _BLOCK // labels.size)
    if sp.issparse(values):
        values = values.tocsc()
    blocks = [_profiles(values[:, at : at + columns], clusters) for at in range(0, values.shape[1], columns)]
    return Profiles(tuple(names), *(np.hstack(parts) for parts in zip(*blocks, strict=True)))


def _profiles(block: Any, clusters: Any) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Means inside and outside of each cluster, their difference and the standardised mean, (c, p) each."""
    values = block.toarray() if sp.issparse(block) else np.array(block, dtype=np.float64)
    known = np.isfinite(values)
    values[~known] = 0.0
    # In a unit in which no square overflows, and from a middle at which none cancels.
    unit = np.maximum(np.abs(values).max(axis=0), np.finfo(np.float64).tiny)
    values /= unit
    n_known = np.maximum(known.sum(axis=0), 1)
    middle = values.sum(axis=0) / n_known
    values -= middle
    values[~known] = 0.0
    counts, sums, squares = (clusters @ part for part in (known.astype(np.float64), values, values**2))
    inside, spread_inside = _means(counts, sums, squares)
    outside, spread_outside = _means(*(part.sum(axis=0) - part for part in (counts, sums, squares)))
    difference = _standardised(inside - outside, np.sqrt((spread_inside + spread_outside) / n_known))
    standardised = _standardised(inside, np.sqrt(squares.sum(axis=0) / n_known))
    return _in_units(inside, middle, unit), _in_units(outside, middle, unit), difference, standardised


def _means(counts: FloatArray, sums: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means, and the squares of what is left without them."""
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return means, np.maximum(squares - counts * np.nan_to_num(means) ** 2, 0.0)


def _standardised(gap: FloatArray, deviation: FloatArray) -> FloatArray:
    """A gap in standard deviations: infinite if there is no deviation, 0 if the gap is rounding."""
    gap = np.where(np.abs(gap) < _ROUNDING, 0.0, gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(deviation < _ROUNDING, np.where(gap == 0.0, 0.0, gap / 0.0), gap / deviation)


def _in_units(means: FloatArray, middle: FloatArray, unit: FloatArray) -> FloatArray:
    """Means as the table has them; 0 where they are 0 but for rounding."""
    means = means + middle
    return np.asarray(np.where(np.abs(means) < _ROUNDING, 0.0, means) * unit)


def _name(name: Any) -> str:
    """A name, and a number as one that is not taken for a value."""
    text = str(name)
    return f"column {text}" if text.isdecimal() else text


def _numbers(values: Any, names: Sequence[Any] | None) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        entries = np.asarray(values, dtype=object)
        for j in range(entries.shape[1] if entries.ndim == 2 else 0):
            try:
                entries[:, j].astype(np.float64)
            except (TypeError, ValueError):
                column = j if names is None else repr(names[j])
                raise ValueError(f"Column {column} of values holds text, not numbers. Leave it out.") from error
        raise
