"""Which features set each cluster apart from all other points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._indices import check_indices
from s3nmf._types import FloatArray, IntArray
from s3nmf.partitions import one_hot

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
    texts = [f"feature {j}" for j in range(table.shape[1])] if names is None else [str(name) for name in names]
    if len(texts) != table.shape[1]:
        raise ValueError(
            f"There are {len(texts)} feature_names for {table.shape[1]} columns of values. Pass one name a column."
        )
    return table, texts


def traits_of(values: Any, labels: IntArray, names: Sequence[str], most: int = 3) -> tuple[tuple[Trait, ...], ...]:
    """For each cluster the features that differ most from all other points: O(n_samples n_features).

    Values that are missing or infinite are left out.

    Examples
    --------
    >>> values = np.array([[1.0, 5.0], [1.2, 4.0], [9.0, 5.0], [9.2, 4.0]])
    >>> (low,), (high,) = traits_of(values, np.array([0, 0, 1, 1]), ["length", "width"])
    >>> low.feature, round(low.inside, 3), round(low.outside, 3), round(low.difference, 3)
    ('length', 1.1, 9.1, -80.0)
    """
    n_clusters, width = int(labels.max()) + 1, values.shape[1]
    if n_clusters == 1:
        return ((),)
    clusters = one_hot(labels[None, :]).T.tocsr()
    columns = max(1, _BLOCK // labels.size)
    if sp.issparse(values):
        values = values.tocsc()
    blocks = [_differences(values[:, at : at + columns], clusters) for at in range(0, width, columns)]
    difference, inside, outside = (np.hstack(parts) for parts in zip(*blocks, strict=True))
    found = []
    for cluster in range(n_clusters):
        size = np.nan_to_num(np.abs(difference[cluster]), posinf=np.inf)
        order = np.argsort(-size, kind="stable")[:most]
        found.append(
            tuple(
                Trait(names[j], float(difference[cluster, j]), float(inside[cluster, j]), float(outside[cluster, j]))
                for j in order
                if size[j] >= SMALLEST_DIFFERENCE
            )
        )
    return tuple(found)


def _differences(block: Any, clusters: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Standardised difference, mean inside and mean outside of each cluster and column, (c, p) each."""
    values = block.toarray() if sp.issparse(block) else np.array(block, dtype=np.float64)
    known = np.isfinite(values)
    values[~known] = 0.0
    # In a unit in which no square overflows, and from a middle at which none cancels.
    unit = np.maximum(np.abs(values).max(axis=0), np.finfo(np.float64).tiny)
    values /= unit
    middle = values.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    values = np.where(known, values - middle, 0.0)
    counts, sums, squares = (clusters @ part for part in (known.astype(np.float64), values, values**2))
    means = {}
    spread = np.zeros_like(sums)
    for side, (n, total, square) in {
        "inside": (counts, sums, squares),
        "outside": (counts.sum(axis=0) - counts, sums.sum(axis=0) - sums, squares.sum(axis=0) - squares),
    }.items():
        means[side] = np.divide(total, n, out=np.full_like(total, np.nan), where=n > 0)
        spread += np.maximum(square - n * np.nan_to_num(means[side]) ** 2, 0.0)
    deviation = np.sqrt(spread / np.maximum(counts.sum(axis=0), 1.0))
    gap = means["inside"] - means["outside"]
    gap[np.abs(gap) < _ROUNDING] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(deviation < _ROUNDING, np.where(gap == 0.0, 0.0, gap / 0.0), gap / deviation)
    return difference, (means["inside"] + middle) * unit, (means["outside"] + middle) * unit


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
