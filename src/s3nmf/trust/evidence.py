"""What speaks for clusters: the weakest of their borders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s3nmf.trust.borders import Border


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
        """The evidence for the weakest border, in standard deviations; infinite where no edge joins two clusters."""
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
