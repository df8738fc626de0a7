"""The values of a point beside what is typical of its cluster and of its second choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.report.features import Profiles
from s3nmf.desk.report.points import packed
from s3nmf.partitions import NO_CLUSTER

# Features that the page has the values of, and those that it shows of one point.
MOST_FEATURES = 12
MOST_COMPARED = 3
_DIGITS = 4
# A value that is so small beside the others of its feature is 0, but for rounding.
_ROUNDING = 1e-9


class Comparison(NamedTuple):
    """A value of a point, and the means of its cluster and of its second choice; None if it has none."""

    feature: str
    value: float
    own: float
    other: float | None


@dataclass(frozen=True, eq=False)
class Compared:
    """The features that tell clusters apart, for the points shown.

    Attributes
    ----------
    names : list of str
    typical : array of shape (n_clusters, n_names)
        Means of the clusters.
    standardised : array of shape (n_clusters, n_names)
        The same in standard deviations, rounded as the script has them.
    values : array of shape (n_shown, n_names)
    """

    names: list[str]
    typical: FloatArray
    standardised: FloatArray
    values: FloatArray

    def of(self, at: int, own: int, second: int) -> list[Comparison]:
        """The features that tell the two clusters of a point apart, those that do most first."""
        known = self.standardised[own]
        gap = np.abs(known) if second == NO_CLUSTER else np.abs(known - self.standardised[second])
        return [
            Comparison(
                self.names[j],
                float(self.values[at, j]),
                float(self.typical[own, j]),
                None if second == NO_CLUSTER else float(self.typical[second, j]),
            )
            for j in np.argsort(-gap, kind="stable")[:MOST_COMPARED]
        ]

    def for_script(self) -> dict[str, Any]:
        """The same as JSON; what is not finite is null in it."""

        def rounded(means: FloatArray) -> list[list[float | None]]:
            return [[float(f"{mean:.6g}") if np.isfinite(mean) else None for mean in row] for row in means.tolist()]

        return {
            "names": self.names,
            "typical": rounded(self.typical),
            "standardised": self.standardised.tolist(),
            "values": packed(self.values, "<f4"),
            "most": MOST_COMPARED,
        }


def compared(values: Any, profiles: Profiles, sizes: IntArray, shown: IntArray) -> Compared:
    """Choose the features that clusters explain most of, and look up their values."""
    columns = profiles.telling(sizes, MOST_FEATURES)
    part = values[:, columns]
    part = np.asarray(part.toarray() if sp.issparse(part) else part, dtype=np.float64)
    largest = np.max(np.abs(np.nan_to_num(part, posinf=0.0, neginf=0.0)), axis=0)
    part = part[shown]
    part[np.abs(part) < _ROUNDING * largest] = 0.0
    return Compared(
        [profiles.names[j] for j in columns],
        profiles.inside[:, columns],
        np.nan_to_num(profiles.standardised[:, columns], posinf=1e6, neginf=-1e6).round(_DIGITS),
        part,
    )
