"""Over which range of resolutions a graph has k communities: long for a number that the data have, short for others."""

from __future__ import annotations

from typing import Any

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.groups import Groups
from s3nmf.graph.communities.resolution import SMALLEST_SHARE

# The resolution is how many times the links that chance would give two communities they must have to be joined. Those
# with a few hundredths of them are apart.
LOWEST = 0.03
STEP = 1.1
# Each number of communities is the median over so many orders of moves.
_ORDERS = 3
# The number grows with the resolution but for chance: beyond so many times the largest asked for none comes back.
_BEYOND = 1.5


def persistence(groups: Groups, largest: int, seed: int) -> FloatArray:
    """For k = 1 to the largest: how many times higher the highest resolution with k communities is than the lowest.

    1 for a number that no resolution gives. Whatever the largest number is, the others stay what they are.
    """
    import s3nmf._core.communities as compiled  # noqa: PLC0415

    find: Any = compiled.find_communities
    arrays, total = groups.arrays, groups.graph.total
    state = np.array([seed], np.uint64)
    community = np.empty(arrays[-1].size, np.int32)
    steps = np.zeros(largest + 1, np.intp)
    value = LOWEST
    found = 0
    while found <= _BEYOND * largest and value <= groups.finest:
        counts = []
        for _ in range(_ORDERS):
            find(*arrays, value / total, community, state)
            counts.append(_worth_counting(np.bincount(community, weights=arrays[-1])))
        found = int(np.median(counts))
        if found <= largest:
            steps[found] += 1
        value *= STEP
    return np.asarray(STEP ** steps[1:])


def _worth_counting(sizes: FloatArray | IntArray) -> int:
    """How many communities there are without those that are small beside an equal share: outliers.

    Examples
    --------
    >>> _worth_counting(np.array([40, 1, 35, 24])), _worth_counting(np.array([100]))
    (3, 1)
    """
    decreasing = np.sort(sizes)[::-1]
    numbers = np.arange(1, decreasing.size + 1)
    return int(numbers[decreasing >= SMALLEST_SHARE * sizes.sum() / numbers].max(initial=1))
