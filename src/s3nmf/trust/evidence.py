"""What speaks for clusters: the weakest of their borders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from s3nmf._types import IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.borders import Border
from s3nmf.trust.settings import BORDERS


@dataclass(frozen=True)
class Evidence:
    """The borders of a partition.

    Attributes
    ----------
    n_clusters : int
        Of the partition.
    borders : tuple of Border
        Of the pairs that an edge joins, the weakest first; all other pairs are apart.
    """

    n_clusters: int
    borders: tuple[Border, ...]

    @property
    def weakest(self) -> Border | None:
        """The border with the least evidence; None where no edge joins two clusters."""
        return self.borders[0] if self.borders else None

    @property
    def score(self) -> float:
        """The evidence for the weakest border, 1 or more if it is real; infinite if no edge joins two clusters."""
        if self.n_clusters < 2:
            return 0.0
        return min((border.evidence for border in self.borders), default=np.inf)

    @property
    def unclear(self) -> tuple[Border, ...]:
        """Borders that are not real: pairs that may be one cluster."""
        return tuple(border for border in self.borders if not border.is_real)

    @property
    def stands_out(self) -> bool:
        """Whether there is more than one cluster, and every border is real."""
        return self.n_clusters > 1 and not self.unclear

    @property
    def is_clear(self) -> bool:
        """Whether every border is so sparse, besides, that this partition alone shows that there are clusters."""
        return self.stands_out and all(border.valley < BORDERS.clear_valley for border in self.borders)

    def renumbered(self, own: IntArray, other: IntArray) -> Evidence:
        """The same with the clusters numbered as those of another partition that they share most points with.

        Examples
        --------
        >>> evidence = Evidence(2, (Border(0, 1, 3.0, 30.0, 90.0, 5.0),))
        >>> evidence.renumbered(np.array([0, 0, 0, 1, 1]), np.array([1, 1, 1, 0, 0])).borders[0][:2]
        (0, 1)
        """
        both = (own != NO_CLUSTER) & (other != NO_CLUSTER)
        n = 1 + max(self.n_clusters - 1, int(other.max(initial=0)))
        shared = np.zeros((n, n))
        np.add.at(shared, (own[both], other[both]), 1)
        number_of = linear_sum_assignment(-shared)[1].tolist()
        borders = []
        for border in self.borders:
            first, second = sorted((number_of[border.first], number_of[border.second]))
            borders.append(border._replace(first=first, second=second))
        return Evidence(self.n_clusters, tuple(borders))
