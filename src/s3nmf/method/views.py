"""The views of the data: graphs of the same points with fewer or more neighbours, whose communities are the members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.graph.range import within_range
from s3nmf.method.score import max_conductance
from s3nmf.method.settings import VIEWS


@dataclass(frozen=True)
class View:
    """What was found in one view of the data.

    Attributes
    ----------
    resolutions : tuple of float
        The lowest, the middle and the highest resolution of modularity at which members looked at it.
    n_communities : int
        How many communities there are at the middle one.
    replaced : bool
        Whether it is fragmented, so that members look at a wider graph instead: then all this is of that graph.
    """

    resolutions: tuple[float, float, float]
    n_communities: int
    replaced: bool = False

    def as_numbers(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "resolutions": [float(f"{value:.4g}") for value in self.resolutions],
            "n_communities": self.n_communities,
            "replaced": self.replaced,
        }


def fragmented_views(affinity: Affinity, labels: Sequence[IntArray], view_of: IntArray) -> IntArray:
    """The views whose communities have a far larger conductance in W, which is view 0, than its own communities.

    By few neighbours each, points that lie close together may not be joined, and fragments of a cluster be mistaken for
    clusters.
    """
    W, _ = within_range(affinity)
    conductances = np.array([max_conductance(W, partition) for partition in labels])
    usual = np.array([np.median(conductances[view_of == view]) for view in np.unique(view_of)])
    return np.flatnonzero(is_far_less(usual[0], than=usual))


def is_far_less(conductance: float, than: Any) -> Any:
    """Whether a conductance is so much less than another that the other partition cuts through a cluster.

    Examples
    --------
    >>> is_far_less(0.0, than=0.02), is_far_less(0.03, than=0.08), is_far_less(0.0, than=0.0005)
    (True, False, False)
    """
    return than > VIEWS.fragmented * conductance + VIEWS.least_conductance
