"""The views of the data: graphs of the same points with fewer or more neighbours, whose communities are the members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s3nmf._types import IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.method.score import score_of
from s3nmf.method.settings import VIEWS


@dataclass(frozen=True)
class View:
    """What was found in one view of the data.

    Attributes
    ----------
    resolutions : tuple of float
        The lowest, the middle and the highest resolution of modularity at which members looked at it.
    n_communities : int
        How many communities the search for the middle one ended with: as many as were asked for, or the nearest.
    replaced : bool
        Whether it is fragmented, so that members look at a wider graph instead: then all this is of that graph.
    """

    resolutions: tuple[float, float, float]
    n_communities: int
    replaced: bool = False


def fragmented_views(graph: WeightedGraph, labels: Sequence[IntArray], view_of: IntArray) -> IntArray:
    """The views whose communities have a far larger conductance in W, which is view 0, than its own communities.

    By few neighbours each, points that lie close together may not be joined, and fragments of a cluster be mistaken for
    clusters.
    """
    conductances = np.array([score_of(graph, partition).max_conductance for partition in labels])
    usual = np.array([np.median(conductances[view_of == view]) for view in np.unique(view_of)])
    return np.flatnonzero(usual > VIEWS.fragmented * usual[0] + VIEWS.least_conductance)
