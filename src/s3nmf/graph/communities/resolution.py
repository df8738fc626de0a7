"""How fine communities are to be so that there are as many as wanted: a search over the resolution of modularity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.groups import Groups
from s3nmf.graph.settings import RESOLUTION_SEARCH


class Resolutions(NamedTuple):
    """A resolution of modularity, how many communities it gives, and how far around it the number is similar."""

    lowest: float
    value: float
    highest: float
    n_communities: int

    def spread(self, count: int) -> FloatArray:
        """So many resolutions from the lowest to the highest, the value in the middle; one alone is the value."""
        steps = np.linspace(-1.0, 1.0, count) if count > 1 else np.zeros(1)
        reach = np.where(steps < 0, np.log(self.value / self.lowest), np.log(self.highest / self.value))
        return np.asarray(self.value * np.exp(steps * reach))


def find_resolutions(groups: Groups, n_clusters: int, seed: int, spread: float) -> Resolutions:
    """The middle of the resolutions that give so many communities; if none does, one that comes close, if it can above.

    Around it, those that give fewer or more by up to a share of `spread`, but not farther than the square of that.

    The number of communities grows with the resolution, but for chance and for those too small to count. Costs some
    twenty searches on the graph of the groups.
    """
    many = n_clusters > RESOLUTION_SEARCH.many_clusters
    count = _counter(groups, n_clusters, seed, 1 if many else RESOLUTION_SEARCH.orders)
    value = _nearest(count, n_clusters, groups.finest)
    found = count(value)
    low, high = (
        _edge(lambda probe: count(probe) == found, value, step)
        for step in (1 / RESOLUTION_SEARCH.step, RESOLUTION_SEARCH.step)
    )
    value = float(np.sqrt(low * high))
    less, more = 1 - spread, 1 + spread
    return Resolutions(
        lowest=_edge(lambda probe: count(probe) >= min(found, less * n_clusters), value, less**2),
        value=value,
        highest=_edge(lambda probe: count(probe) <= max(found, more * n_clusters), value, more**2),
        n_communities=found,
    )


def _communities_that_count(sizes: FloatArray | IntArray, n_clusters: int) -> int:
    """How many communities there are without those that are small beside an equal share: outliers.

    Where these have most of the points they are no outliers, but too many communities: all count.

    Examples
    --------
    >>> _communities_that_count(np.array([40, 1, 35, 24]), n_clusters=3)
    3
    >>> _communities_that_count(np.ones(50), n_clusters=2)
    50
    """
    is_large = sizes >= RESOLUTION_SEARCH.smallest_share * sizes.sum() / n_clusters
    return int(is_large.sum() if 2 * sizes[is_large].sum() >= sizes.sum() else sizes.size)


def communities_that_count(sizes: FloatArray | IntArray) -> int:
    """The same where no number is wanted: small is what is small beside an equal share of those that count.

    Examples
    --------
    >>> communities_that_count(np.array([40, 1, 35, 24])), communities_that_count(np.array([100]))
    (3, 1)
    """
    decreasing = np.sort(sizes)[::-1]
    numbers = np.arange(1, decreasing.size + 1)
    return int(numbers[decreasing >= RESOLUTION_SEARCH.smallest_share * sizes.sum() / numbers].max(initial=1))


def nearest_resolution(groups: Groups, n_clusters: int, seed: int) -> float:
    """A resolution that gives about so many communities: some ten searches on the graph of the groups."""
    return _nearest(_counter(groups, n_clusters, seed, orders=1), n_clusters, groups.finest)


def _nearest(count: Callable[[float], int], n_clusters: int, finest: float) -> float:
    probes = _around(count, n_clusters, finest)
    return min(probes, key=lambda value: (abs(np.log(max(count(value), 0.5) / n_clusters)), -count(value), value))


def _around(count: Callable[[float], int], n_clusters: int, finest: float) -> list[float]:
    """Resolutions that come from both sides as close to the number as can be; the last has it, if any."""
    low = high = min(1.0, finest)
    while count(low) > n_clusters and low > RESOLUTION_SEARCH.coarsest:
        low /= RESOLUTION_SEARCH.step
    while count(high) < n_clusters and high < finest:
        high = min(high * RESOLUTION_SEARCH.step, finest)
    probes = [low, high]
    while high / low > RESOLUTION_SEARCH.close and n_clusters not in (count(low), count(high)):
        middle = float(np.sqrt(low * high))
        probes.append(middle)
        low, high = (middle, high) if count(middle) <= n_clusters else (low, middle)
    return probes


def _edge(holds: Callable[[float], bool], inside: float, step: float) -> float:
    """How far in one direction, within a step, it holds as it does inside."""
    outside = inside * step
    if holds(outside):
        return outside
    while not 1 / RESOLUTION_SEARCH.close < outside / inside < RESOLUTION_SEARCH.close:
        middle = float(np.sqrt(inside * outside))
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def _counter(groups: Groups, n_clusters: int, seed: int, orders: int) -> Callable[[float], int]:
    """A function from resolutions to numbers of communities, each the median over so many orders of moves."""
    import s3nmf._core.communities as compiled  # noqa: PLC0415

    find: Any = compiled.find_communities
    arrays, total = groups.arrays, groups.graph.total
    state = np.array([seed], np.uint64)
    known: dict[float, int] = {}

    def count(value: float) -> int:
        if value not in known:
            community = np.empty(arrays[-1].size, np.int32)
            found = []
            for _ in range(orders):
                find(*arrays, value / total, community, state)
                found.append(_communities_that_count(np.bincount(community, weights=arrays[-1]), n_clusters))
            known[value] = int(np.median(found))
        return known[value]

    return count
