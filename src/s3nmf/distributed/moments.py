"""What scaling needs to know of a table, from its parts: each looked at once, and put together in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from s3nmf._messages import Message, Parameter
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted, quoted
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.features import Features, Scaling, median_of
from s3nmf.desk.sources.options import Scale
from s3nmf.desk.sources.table import is_constant
from s3nmf.distributed.form import Form


@dataclass(frozen=True, eq=False)
class Moments:
    """Count, extremes, mean and squared deviations of the values of each column, gaps left out.

    Mean and deviations are of the values divided by 2^exponent, so that no finite value overflows on the way.
    """

    count: IntArray
    lowest: FloatArray
    highest: FloatArray
    exponent: IntArray
    mean: FloatArray
    deviation: FloatArray


def moments_of(values: FloatArray) -> Moments:
    """Of a part, (n_rows, n_columns); columns without any value have none."""
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    lowest = np.min(values, axis=0, where=there, initial=np.inf)
    highest = np.max(values, axis=0, where=there, initial=-np.inf)
    exponent = np.where(count > 0, np.frexp(np.maximum(np.abs(lowest), np.abs(highest)))[1], 0)
    scaled = np.ldexp(values, -exponent)
    mean = np.divide(scaled.sum(axis=0, where=there), count, out=np.zeros(count.size), where=count > 0)
    deviation = np.square(scaled - mean).sum(axis=0, where=there)
    return Moments(count, lowest, highest, exponent, mean, deviation)


def together(parts: Sequence[Moments]) -> Moments:
    """Of all parts: means and deviations are merged pair by pair, without the loss of digits of a sum of squares."""
    return reduce(_merged, parts)


def _merged(one: Moments, other: Moments) -> Moments:
    exponent = np.maximum(one.exponent, other.exponent)
    (mean, deviation), (more, its_deviation) = (
        (np.ldexp(of.mean, of.exponent - exponent), np.ldexp(of.deviation, 2 * (of.exponent - exponent)))
        for of in (one, other)
    )
    count = one.count + other.count
    share = np.divide(other.count, count, out=np.zeros(count.size), where=count > 0)
    return Moments(
        count,
        np.minimum(one.lowest, other.lowest),
        np.maximum(one.highest, other.highest),
        exponent,
        mean + (more - mean) * share,
        deviation + its_deviation + np.square(more - mean) * share * one.count,
    )


def features_of(form: Form, moments: Moments, sample: FloatArray, scale: Scale) -> tuple[Features, list[str]]:
    """What rows are clustered by, and notes: columns that tell no rows apart are left out.

    Gaps are filled with the median of the sample, for that of all rows would need them all at once.
    """
    constant = [
        not count or is_constant(lowest, highest)
        for count, lowest, highest in zip(moments.count, moments.lowest, moments.highest, strict=True)
    ]
    kept = [j for j, is_useless in enumerate(constant) if not is_useless]
    dropped = [name for name, is_useless in zip(form.columns, constant, strict=True) if is_useless]
    notes = [f"Dropped {quoted(dropped)}: the same value, or none, in every row."] if dropped else []
    if not kept:
        raise SourceError(
            f"No column tells the rows apart ({' '.join(notes)}). Check that the right files were chosen."
        )
    names = tuple(form.columns[j] for j in kept)
    _refuse_unsampled([name for name, j in zip(names, kept, strict=True) if np.isnan(sample[:, j]).all()])
    scalings = tuple(_scaling(moments, j, scale) for j in kept)
    medians = tuple(median_of(sample[:, j]) for j in kept)
    notes.append(f"Scaled {counted(len(kept), 'column')} ({scale}) by the figures of all rows.")
    return Features(names, scalings, medians, form.id_name, decimal=form.decimal), notes


def scaled_rows(values: FloatArray, form: Form, features: Features) -> FloatArray:
    """Rows of a part, as it was read, as they are clustered: gaps filled, columns scaled."""
    made = []
    for name, scaling, median in zip(features.columns, features.scalings, features.medians, strict=True):
        column = values[:, form.columns.index(name)]
        made.append(scaling.apply(np.where(np.isnan(column), median, column)))
    return np.column_stack(made)


def _refuse_unsampled(columns: list[str]) -> None:
    if columns:
        raise SourceError(
            Message(
                "{names}: so few rows have a value that no sampled row has one, and there is no median to fill gaps "
                "with. Leave out such columns ({drop}), or take a larger sample.",
                names=quoted(columns),
                drop=Parameter("drop", columns),
            )
        )


def _scaling(moments: Moments, column: int, scale: Scale) -> Scaling:
    if scale == "none":
        return Scaling()
    exponent = int(moments.exponent[column])
    if scale == "minmax":
        lowest, highest = (float(np.ldexp(of[column], -exponent)) for of in (moments.lowest, moments.highest))
        return Scaling(exponent, lowest, 0.0, highest - lowest)
    spread = float(np.sqrt(moments.deviation[column] / moments.count[column]))
    return Scaling(exponent, float(moments.mean[column]), 0.0, spread)
