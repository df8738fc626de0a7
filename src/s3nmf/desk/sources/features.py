"""What the columns of a table are and how they were scaled, so that new rows can be read as the first ones were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from s3nmf._types import FloatArray
from s3nmf._words import counted, quoted
from s3nmf.desk.sources.categories import indicator
from s3nmf.desk.sources.columns import Column
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.numbers import Decimal
from s3nmf.desk.sources.options import Scale


class Scaling(NamedTuple):
    """How a column was scaled: a power of two taken out, a centre subtracted, a spread divided by.

    The power keeps finite values from overflowing on the way and takes no digit off. `rest` is what rounding left of a
    centre that is large beside the differences.
    """

    exponent: int = 0
    center: float = 0.0
    rest: float = 0.0
    spread: float = 1.0

    def apply(self, values: FloatArray) -> FloatArray:
        if self == Scaling():
            return values
        with np.errstate(over="ignore"):  # new values may be far beyond the old ones
            return np.asarray((np.ldexp(values, -self.exponent) - self.center - self.rest) / self.spread)

    def undo(self, values: FloatArray) -> FloatArray:
        """The values before, up to rounding."""
        return np.asarray(np.ldexp(values * self.spread + self.rest + self.center, self.exponent))


def scaling_of(values: FloatArray, scale: Scale) -> Scaling:
    """To mean 0 and variance 1, or to the range from 0 to 1, or none."""
    if scale == "none":
        return Scaling()
    exponent = int(np.frexp(np.abs(values).max())[1])
    values = np.ldexp(values, -exponent)
    if scale == "minmax":
        lowest = float(values.min())
        return Scaling(exponent, lowest, 0.0, float(values.max()) - lowest or 1.0)
    center = float(values.mean())
    values = values - center
    rest = float(values.mean())
    return Scaling(exponent, center, rest, float((values - rest).std()) or 1.0)


def median_of(values: FloatArray) -> float:
    """The lower of two middle values: one that occurs, and whose sum with the other cannot overflow."""
    return float(np.nanquantile(values, 0.5, method="lower"))


def unscaled_features(columns: Sequence[str], id_name: str, decimal: Decimal | None) -> Features:
    """Columns that are taken as they are, gaps included."""
    n = len(columns)
    return Features(tuple(columns), (Scaling(),) * n, (float("nan"),) * n, id_name, decimal=decimal)


@dataclass(frozen=True)
class Features:
    """The columns of a table and how each was scaled.

    Attributes
    ----------
    columns : tuple of str
    scalings : tuple of Scaling
    medians : tuple of float
        Before scaling, to fill gaps with.
    id_name : str
        What the ids of the table were called, to look for the same column.
    categories : dict of str to tuple of str
        The categories of columns of text. Each category is a column here, 0 or 1 before scaling.
    decimal : {".", ","} or None
        What stood before the decimals, where that was to be found out.
    """

    columns: tuple[str, ...]
    scalings: tuple[Scaling, ...]
    medians: tuple[float, ...]
    id_name: str = "row"
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decimal: Decimal | None = None

    def fill(self) -> dict[str, float]:
        """What gaps are filled with, by column of the file: its median, or the number of its commonest category."""
        fill = dict(zip(self.columns, self.medians, strict=True))
        for name, values in self.categories.items():
            shares = [fill.pop(indicator(name, value)) for value in values]
            fill[name] = float(np.argmax(shares))
        return {name: fill[name] for name in self.read_from}

    @property
    def read_from(self) -> tuple[str, ...]:
        """The columns of the file that these are made of."""
        made_of = {indicator(name, value): name for name, values in self.categories.items() for value in values}
        return tuple(dict.fromkeys(made_of.get(name, name) for name in self.columns))

    @classmethod
    def stored(cls, fields: Mapping[str, Any]) -> Self:
        """As JSON has kept them."""
        return cls(
            columns=tuple(fields["columns"]),
            scalings=tuple(Scaling(*scaling) for scaling in fields["scalings"]),
            medians=tuple(fields["medians"]),
            id_name=fields["id_name"],
            categories={name: tuple(values) for name, values in fields.get("categories", {}).items()},
            decimal=fields.get("decimal"),
        )

    def unscaled(self, values: FloatArray) -> FloatArray:
        """A table in the units of the file, up to rounding."""
        columns = [scaling.undo(column) for scaling, column in zip(self.scalings, values.T, strict=True)]
        return np.column_stack(columns)

    def among(self, columns: Sequence[Column], source: str) -> tuple[list[Column], list[str]]:
        """These columns among those of another table, in this order, and a note on the others."""
        known = {column.name: column for column in columns}
        needed = self.read_from
        lacking = [name for name in needed if name not in known]
        if lacking:
            raise SourceError(
                f"{source} lacks {counted(len(lacking), 'column')} of the {len(needed)} that were clustered by: "
                f"{quoted(lacking)}. It has {quoted(known) or 'none'}. New rows need the same columns, by the same "
                "names."
            )
        others = [name for name in known if name not in needed]
        notes = [f"Left out {quoted(others)}: not clustered by."] if others else []
        return [known[name] for name in needed], notes
