"""Are the methods different at all? Ranks over data sets, Friedman's test, and Nemenyi's critical difference.

J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, studentized_range

from experiments.levels import Levels
from experiments.tables import datasets_of, methods_of
from s3nmf._types import FloatArray

LEVEL = 0.05
"""Of significance, in both tests."""


@dataclass(frozen=True)
class Ranking:
    """Average ranks over data sets, 1 the best, and how far apart two of them must be to differ.

    Attributes
    ----------
    methods : tuple of str
        By rising rank.
    ranks : tuple of float
    n_datasets : int
        Those on which all methods were run.
    p_value : float
        Friedman's test that all methods are alike.
    critical_difference : float
        Nemenyi's.
    """

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    n_datasets: int
    p_value: float
    critical_difference: float

    def alike(self, method: str) -> list[str]:
        """The others that the data sets cannot tell from a method."""
        rank = dict(zip(self.methods, self.ranks, strict=True))
        return [name for name in self.methods if name != method and not self._differ(rank[name], rank[method])]

    def groups(self) -> list[tuple[int, int]]:
        """First and last of each longest run of methods that are alike."""
        found: list[tuple[int, int]] = []
        for first, rank in enumerate(self.ranks):
            last = max(j for j, other in enumerate(self.ranks) if not self._differ(other, rank))
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found

    def _differ(self, rank: float, other: float) -> bool:
        """By Nemenyi's test, which follows only where Friedman's has found a difference."""
        return self.p_value < LEVEL and abs(rank - other) >= self.critical_difference


def ranking(levels: Levels, metric: str = "ACC") -> Ranking | None:
    """Rank the methods by a metric; None with fewer than three methods or two data sets."""
    methods = methods_of(levels)
    complete = [name for name in datasets_of(levels) if all((name, method, metric) in levels for method in methods)]
    if len(methods) < 3 or len(complete) < 2:
        return None
    scores = np.array([[levels[name, method, metric].mean for method in methods] for name in complete])
    return rank(methods, scores)


def rank(methods: Sequence[str], scores: FloatArray) -> Ranking:
    """Rank methods by scores of shape (data sets, methods), of which larger ones are better; equal ones share ranks."""
    n, k = scores.shape
    scores = np.round(scores, 9)  # equal means can differ in their last bit
    ranks = rankdata(-scores, axis=1).mean(axis=0)
    order = np.argsort(ranks, kind="stable")
    return Ranking(
        methods=tuple(methods[j] for j in order),
        ranks=tuple(float(ranks[j]) for j in order),
        n_datasets=n,
        p_value=float(friedmanchisquare(*scores.T).pvalue),
        critical_difference=critical_difference(k, n),
    )


def critical_difference(n_methods: int, n_datasets: int) -> float:
    """q sqrt(k (k + 1) / 6 N), with q the studentized range statistic over sqrt(2).

    Examples
    --------
    >>> round(critical_difference(5, 30), 2)
    1.11
    """
    q = studentized_range.ppf(1 - LEVEL, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))
